package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
)

const testMoment = "2026-08-19T12:00:00.000Z"

func testHeader() Header {
	return Header{
		RunID: "run 1/../x", EnvironmentSessionID: "session", ScenarioID: "bramble-lane",
		StartedAt: testMoment, JourneyID: LocalJourneyID("bramble-lane", ""), EnvironmentID: "bramble-lane",
	}
}

func ptr[T any](v T) *T { return &v }

func testTurn(n int) TurnLine {
	action := emu.Press(emu.ButtonA, 16)
	observed := []emu.Envelope{{
		SchemaVersion: 1, ObservationID: "gba-observation-1", SessionID: "session", CharacterID: "c", WorldID: "w",
		CapturedAt: testMoment, Frame: 12, Kind: emu.ObserveScene, Data: emu.SceneData{Mode: emu.ModeOverworld},
	}}
	return TurnLine{
		At: testMoment,
		Turn: TurnRecord{
			Turn: n, ObservationSHA256: emu.DigestOf([]byte("o")), Monologue: ptr("well"), Intent: ptr("press a"),
			Notes: ptr("the ferryman"), Objective: ptr("cross"), Action: &action, Outcome: OutcomeAccepted,
		},
		Evidence: &Evidence{
			Decision: Observation{Observations: observed, Provenance: &Provenance{Body: VenueLocal, Real: ptr(true)}},
			ActionResult: EnvironmentResult(AnswerOf("free-play-action-1", "session", testMoment, emu.ActionResult{
				Status: emu.StatusCompleted, Outcome: map[string]any{"pressed": "a"},
			})),
			Timing: Timing{DecisionStartedAt: testMoment, DecisionSettledAt: testMoment},
		},
	}
}

func create(t *testing.T) *Writer {
	t.Helper()
	w, err := Create(filepath.Join(t.TempDir(), "journals"), testHeader())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestWrittenRunReadsBackStrictly(t *testing.T) {
	w := create(t)
	for n := range 3 {
		if err := w.Turn(testTurn(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Summary(Summary{At: testMoment, Outcome: "stopped", TurnsTaken: 3}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if name := filepath.Base(w.Path()); name != "2026-08-19T12-00-00-000Z-run-1----x.jsonl" {
		t.Errorf("the file is called %s", name)
	}
	info, err := os.Stat(w.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	contents, err := ReadStrict(w.Path())
	if err != nil {
		raw, _ := os.ReadFile(w.Path())
		t.Fatalf("%v\n%s", err, strings.SplitAfter(string(raw), "\n")[1])
	}
	if len(contents.Turns) != 3 || contents.Summary == nil || contents.Header.SchemaVersion != 3 {
		t.Errorf("%d turns, summary %v", len(contents.Turns), contents.Summary)
	}
	if got := contents.Turns[2].Evidence.ActionResult.Result.Outcome["pressed"]; got != "a" {
		t.Errorf("the outcome reads %v", got)
	}
}
