package play_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

// turnsOf is a signal's value, 0 where it is not given.
func turnsOf(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// TestSignalsBeginAtTheirThresholds waits where nothing ever changes: each
// signal is given from its threshold on, with the number of turns.
func TestSignalsBeginAtTheirThresholds(t *testing.T) {
	var views []play.View
	goal := "find the moon"
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 14 // then the objective is given up
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		views = append(views, v)
		d := waits(1 + v.Turn%5)
		d.Objective = &goal
		return d, nil
	})
	r := playtest.Play(t, o)
	from := func(threshold, turn, value int) int {
		if turn < threshold {
			return 0
		}
		return value
	}
	for turn, v := range views {
		got := []int{
			turnsOf(v.StalledForTurns), turnsOf(v.LocaleForTurns), turnsOf(v.ObjectiveForTurns),
			turnsOf(v.RepeatingForTurns), turnsOf(v.RecurringForTurns),
		}
		want := []int{
			from(12, turn, turn), from(12, turn, turn), from(12, turn, turn),
			from(4, turn, turn-1), // the first wait draws the first picture
			from(5, turn, min(turn+1, 12)),
		}
		if !slices.Equal(got, want) {
			t.Errorf("turn %d: stalled, locale, objective, repeating, recurring %v, want %v", turn, got, want)
		}
		recorded := playtest.Recorded(t, o).Turns[turn].Evidence.Signals
		if turnsOf(recorded.StalledForTurns) != want[0] || turnsOf(recorded.RecurringForTurns) != want[4] {
			t.Errorf("turn %d records other signals: %+v", turn, recorded)
		}
	}
	if s := r.Summary; s.LongestUnchangedRun != 13 || s.LongestRecurringRun != 10 || s.Progress.TurnsSinceNewTile != 14 {
		t.Errorf("summary %+v", s)
	}
}

// TestAWayThatWorkedIsRemembered goes downstairs by a press and back, and
// downstairs by walking and back: both ways are told where they begin, the one
// from his very tile first.
func TestAWayThatWorkedIsRemembered(t *testing.T) {
	var views []play.View
	acts := []func(emu.State) emu.Action{
		besideExit(0), does(emu.Press(emu.ButtonUp, 16)), does(emu.Press(emu.ButtonRight, 16)), takesExit(1),
		walksTo(1, 2), takesExit(0), takesExit(1),
		walksTo(1, 2), waitABit,
	}
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = len(acts)
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		views = append(views, v)
		return play.Decision{Monologue: "m", Intent: "go", Action: acts[v.Turn](v.Observed.State)}, nil
	})
	playtest.Play(t, o)
	stairs, desk := emu.Position{MapID: "bramble-map-4-1", X: 16, Y: 9}, emu.Position{MapID: "bramble-map-4-1", X: 8, Y: 9}
	walk := emu.WalkTo(stairs.X, stairs.Y)
	pressed := play.Transition{From: stairs, Facing: emu.North, Action: emu.Press(emu.ButtonRight, 16), To: "bramble-map-4-0"}
	walked := play.Transition{From: desk, Facing: emu.West, Action: walk, To: "bramble-map-4-0"}
	for turn, want := range map[int][]play.Transition{2: nil, 4: {pressed}, 7: {pressed, walked}, 8: {walked, pressed}} {
		if diff := cmp.Diff(want, views[turn].LearnedTransitions); diff != "" {
			t.Errorf("turn %d, at %v (-want +got):\n%s", turn, views[turn].Observed.State.Overworld.Position, diff)
		}
	}
	if down := views[3].LearnedTransitions; len(down) != 0 {
		t.Errorf("on the map that they lead to: %+v", down)
	}
}

// TestRemarksAreGated has a mind speak in every turn: one of four is said, the
// wish is kept of all, and an answer is always given.
func TestRemarksAreGated(t *testing.T) {
	words, answer := "Look at that.", "Hello yourself."
	var since []int
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 10
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		n := -1
		if v.TurnsSinceSpoke != nil {
			n = *v.TurnsSinceSpoke
		}
		since = append(since, n)
		d := waits(1 + v.Turn%5)
		d.Speak, d.Reply = &words, &answer
		return d, nil
	})
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w := s.Watch()
	defer w.Close()
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{-1, 1, 2, 3, 4, 1, 2, 3, 4, 1}; !slices.Equal(since, want) {
		t.Errorf("turns since he spoke %v, want %v", since, want)
	}
	if want := (journal.Volition{Offered: 10, Taken: 3, Suppressed: 7}); r.Summary.Volition != want {
		t.Errorf("%+v, want %+v", r.Summary.Volition, want)
	}
	u, err := w.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	events := slices.DeleteFunc(u.Events, func(e play.Event) bool { return e.Kind != play.EventTurn })
	for i, line := range playtest.Recorded(t, o).Turns {
		said, turn, shown := i%4 == 0, line.Turn, events[i].Turn
		if (turn.Speak != nil) != said || turn.SpeakSuppressed == said || !turn.SpeakWanted || turn.Reply == nil || *turn.Reply != answer {
			t.Errorf("turn %d: said %v, held back %t, wanted %t", i, turn.Speak, turn.SpeakSuppressed, turn.SpeakWanted)
		}
		if (shown.Speak == words) != said || shown.Reply != answer {
			t.Errorf("turn %d shows %q and %q", i, shown.Speak, shown.Reply)
		}
	}
}

// TestSavesAreMadeByThemselves looks at what a sitting of seven turns leaves.
func TestSavesAreMadeByThemselves(t *testing.T) {
	notes := "the desk has a letter"
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns, o.AutosaveTurns = 7, 3
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		d := waits(1 + v.Turn%5)
		d.Notes = &notes
		return d, nil
	})
	r := playtest.Play(t, o)
	saves, err := o.Port.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type save struct {
		label string
		turn  int
	}
	var got []save
	for _, s := range slices.Backward(saves) {
		got = append(got, save{s.Label, *s.Turn})
		if s.Notes != notes || s.Position == nil {
			t.Errorf("%s holds notes %q, position %v", s.ID, s.Notes, s.Position)
		}
	}
	want := []save{{play.LabelAutosave, 1}, {play.LabelAutosave, 3}, {play.LabelAutosave, 6}, {play.LabelStop, 7}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(save{})); diff != "" {
		t.Errorf("saves, oldest first (-want +got):\n%s", diff)
	}
	if len(r.Checkpoints) != len(want) || r.Summary.CheckpointID == nil || *r.Summary.CheckpointID != saves[0].ID {
		t.Errorf("reported %v, in the summary %v", r.Checkpoints, r.Summary.CheckpointID)
	}
}
