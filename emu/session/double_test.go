package session_test

import (
	"bytes"
	"crypto/rand"
	"testing"

	"clankie/emu"
	"clankie/emu/double"
	"clankie/emu/session"
	"clankie/emu/session/evidence"
)

// crossing is a scenario of the double: one step, two lines, one attack.
func crossing() double.Scenario {
	return double.Scenario{
		SchemaVersion: 1, ScenarioID: "crossing", ScenarioVersion: 1, CoreID: "double/1", SavestateID: "crossing-start",
		SavestateSHA256: double.StateDigest("crossing-start"), RNGSeed: 1, WorldID: "world", MaxEvidenceEvents: 16, MaxDecisions: 16,
		Map: double.Map{MapID: "crossing", Width: 3, Height: 1, Blocked: []emu.Point{}},
		Player: double.Player{CharacterID: "hero", Party: []double.Member{
			{SpeciesID: "sprig", Level: 5, MaxHP: 20, Moves: []double.Move{{MoveID: "slam", Power: 9}}},
		}},
		Trainer: double.Trainer{
			TrainerID: "rival", Position: emu.Point{X: 2}, InteractionDistance: 1, Dialog: []string{"You there!", "Let us fight."},
			Opponent: double.Opponent{SpeciesID: "wisp", Level: 5, MaxHP: 5},
		},
		TargetLocation: emu.Point{X: 1}, Expected: double.Expectation{BattleResult: "won", MinimumDecisions: 3},
	}
}

func play(t *testing.T) (trace []byte, expect evidence.Expect) {
	t.Helper()
	s := crossing()
	fixture := emu.DigestOf([]byte("crossing"))
	machine, err := double.New(s, fixture)
	if err != nil {
		t.Fatal(err)
	}
	body, err := session.Govern(t.Context(), machine, session.GovernOptions{
		Root: t.TempDir(), Clock: session.SystemClock{}, Random: rand.Reader, RunID: "run", CommandPrefix: "scenario-command",
		SavestateID: s.SavestateID, RNGSeed: s.RNGSeed, Limits: emu.ScenarioLimits,
		Policy: evidence.Frozen, Window: s.MaxEvidenceEvents, Retention: session.Retention{MaxActionRecords: -1, MaxEndedSessionRecords: -1},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := body.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, b := range []emu.Button{emu.ButtonRight, emu.ButtonA, emu.ButtonA, emu.ButtonA, emu.ButtonA} {
		r, err := body.Act(t.Context(), string(rune('a'+i)), emu.Press(b, 12), emu.ScenarioLimits)
		if err != nil || r.Status != emu.StatusCompleted {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	o, err := body.Observe(t.Context())
	if err != nil || o.State.Scene.Mode != emu.ModeBattleWon {
		t.Fatalf("%s, %v", o.State.Scene.Mode, err)
	}
	if _, err := body.CaptureState(t.Context()); emu.CodeOf(err) != emu.CodeCheckpointsUnavailable {
		t.Errorf("the governed double gave a state: %v", err)
	}
	if body.Info().Real || body.Info().GameTitle != machine.Info().GameTitle {
		t.Error("governed, the double no longer says what it is")
	}
	data, err := body.Trace().Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data, evidence.Expect{Head: body.Trace().EventChainHeadSHA256, Header: evidence.Header{
		ScenarioID: s.ScenarioID, ScenarioVersion: 1, FixtureSHA256: fixture, CoreID: s.CoreID,
		SavestateSHA256: s.SavestateSHA256, RNGSeed: s.RNGSeed,
	}}
}

func TestTwoGovernedRunsLeaveTheSameEvidence(t *testing.T) {
	first, expect := play(t)
	second, _ := play(t)
	if !bytes.Equal(first, second) {
		t.Fatalf("%s\n%s", first, second)
	}
	trace, err := evidence.Verify(first, expect)
	if err != nil || len(trace.Events) != 5 {
		t.Fatalf("%+v, %v", trace, err)
	}
}
