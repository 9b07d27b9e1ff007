package journal

import (
	"math"
	"strings"
	"testing"

	"clankie/emu"
)

// excessive is a turn that breaks every bound that cutting can mend.
func excessive() TurnLine {
	long := strings.Repeat("😀\xff", 3000)
	line := testTurn(-3)
	line.Turn.ObservationSHA256 = "none"
	line.Turn.FramebufferSHA256 = ptr(emu.Digest("none"))
	line.Turn.Action = &emu.Action{Kind: "dance"}
	for _, text := range line.Turn.texts() {
		*text.value = ptr(long)
	}
	e := line.Evidence
	for range 20 {
		e.Decision.Observations = append(e.Decision.Observations, e.Decision.Observations[0])
	}
	e.Decision.Observations = append(e.Decision.Observations, emu.Envelope{Kind: "smell"})
	e.Decision.Provenance.Body = "astral"
	e.ActionResult = BodyResult("maybe", long, nil)
	e.ProgressBefore = Progress{DistinctTiles: -1, Maps: make([]string, 1000), ActionsPerNewTile: ptr(math.NaN())}
	e.ProgressBefore.Maps[999] = long
	e.Signals = Signals{
		RefusedHere:          make([]emu.Direction, 9),
		StalledForTurns:      ptr(-1),
		VerifiedInteractions: []string{long, long},
		KnownHardFailures:    make([]HardFailure, 40),
		PreviousNotes:        ptr(long),
		DecisionPreemptions:  -1,
	}
	e.Timing = Timing{DecisionStartedAt: "soon", DecisionSettledAt: "", ActionStartedAt: ptr("later")}
	line.Screenshot = &Screenshot{Path: "/etc/passwd"}
	line.NarrationEvent = "alone"
	return line
}

func TestExcessiveTurnIsRecordedWithinBounds(t *testing.T) {
	w := create(t)
	line := excessive()
	if err := w.Turn(line); err != nil {
		t.Fatal(err)
	}
	contents, err := ReadStrict(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	got := contents.Turns[0]
	if got.Reduced() {
		t.Error("it was reduced although it fits")
	}
	if n := emu.Length(*got.Turn.Monologue); n != MaxMonologue {
		t.Errorf("the monologue has %d units, want %d", n, MaxMonologue)
	}
	want, err := emu.CanonicalDigest(got.Evidence.Decision.Observations)
	if err != nil || got.Turn.ObservationSHA256 != want {
		t.Errorf("the observations' digest is %s, want %s, %v", got.Turn.ObservationSHA256, want, err)
	}
	if len(line.Evidence.ProgressBefore.Maps) != 1000 || line.Evidence.Decision.Provenance.Body != "astral" {
		t.Error("the caller's own record was changed")
	}
}

func TestTooLongATurnIsReducedAndSaysSo(t *testing.T) {
	w := create(t)
	line := testTurn(1)
	line.Turn.Detail = ptr("arrived")
	line.Evidence.Decision.Observations[0].Data = strings.Repeat("x", MaxLineBytes)
	err := w.Turn(line)
	if emu.CodeOf(err) != CodeLineTooLarge {
		t.Fatalf("error %v, want %s", err, CodeLineTooLarge)
	}
	if err := w.Turn(testTurn(2)); err != nil {
		t.Fatal(err)
	}
	contents, err := ReadStrict(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	if len(contents.Turns) != 2 {
		t.Fatalf("%d turns, want 2", len(contents.Turns))
	}
	got := contents.Turns[0]
	if !got.Reduced() || !strings.Contains(*got.Turn.Detail, "arrived") || *got.Turn.Monologue != "well" {
		t.Errorf("the reduced turn reads %+v", got.Turn)
	}
	if contents.Turns[1].Reduced() {
		t.Error("the next turn is reduced too")
	}
}

func TestTurnThatJSONCannotWriteIsReduced(t *testing.T) {
	w := create(t)
	line := testTurn(1)
	line.Evidence.Decision.Observations[0].Data = map[string]any{"x": math.Inf(1)}
	if err := w.Turn(line); emu.CodeOf(err) != CodeLineTooLarge {
		t.Errorf("error %v", err)
	}
	contents, err := ReadStrict(w.Path())
	if err != nil || len(contents.Turns) != 1 || !contents.Turns[0].Reduced() {
		t.Errorf("%d turns, %v", len(contents.Turns), err)
	}
}

// TestLongestTextsFit makes every text as long as it can be on disk: six
// bytes for each unit. The reduced form must fit even then.
func TestLongestTextsFit(t *testing.T) {
	line := testTurn(1)
	for _, text := range line.Turn.texts() {
		*text.value = ptr(strings.Repeat("\x01", text.limit))
	}
	line = line.fit()
	data, err := encode(line.reduced(CodeLineTooLarge))
	if err != nil || len(data) > MaxLineBytes {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func TestSummaryWithEndlessMapsIsNotLost(t *testing.T) {
	w := create(t)
	maps := make([]string, 5000)
	for i := range maps {
		maps[i] = strings.Repeat("\x01", MaxProgressMapID)
	}
	err := w.Summary(Summary{
		At: testMoment, Outcome: strings.Repeat("o", 99), Progress: Progress{Maps: maps},
		Coherence: ptr(1.5), DurationMS: math.NaN(), Screenshot: &Screenshot{},
	})
	if emu.CodeOf(err) != CodeLineTooLarge {
		t.Errorf("error %v", err)
	}
	contents, err := ReadStrict(w.Path())
	if err != nil || contents.Summary == nil {
		t.Fatalf("no summary: %v", err)
	}
	if n := len(contents.Summary.Progress.Maps); n != reducedMaps {
		t.Errorf("%d maps, want %d", n, reducedMaps)
	}
}

func TestRecordsThatCannotBeMended(t *testing.T) {
	w := create(t)
	for name, spoil := range map[string]func(*TurnLine){
		"no moment":  func(l *TurnLine) { l.At = "now" },
		"no outcome": func(l *TurnLine) { l.Turn.Outcome = "" },
	} {
		line := testTurn(1)
		spoil(&line)
		if err := w.Turn(line); emu.CodeOf(err) != CodeRecordInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.Summary(Summary{At: testMoment}); emu.CodeOf(err) != CodeRecordInvalid {
		t.Errorf("summary without an outcome: %v", err)
	}
	if contents, err := ReadStrict(w.Path()); err != nil || len(contents.Turns) != 0 {
		t.Errorf("%d turns, %v", len(contents.Turns), err)
	}
	header := testHeader()
	header.EnvironmentID = "Bramble Lane"
	if _, err := Create(t.TempDir(), header); emu.CodeOf(err) != CodeRecordInvalid {
		t.Errorf("header: %v", err)
	}
}
