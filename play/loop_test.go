package play_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"clankie/emu"
	"clankie/play"
	"clankie/play/playtest"
)

// TestWhateverRepeatsIsPaused has minds that go round for ever, on the field,
// in a menu and in a battle: each is paused within a bound, the operator is
// told, and it goes on when he says so.
func TestWhateverRepeatsIsPaused(t *testing.T) {
	menu, side := emu.Press(emu.ButtonStart, 4), emu.Press(emu.ButtonLeft, 8)
	talk := []emu.Action{
		emu.WalkTo(10+emu.MapBorder, 14+emu.MapBorder), emu.Press(emu.ButtonUp, 3), emu.Press(emu.ButtonA, 4),
		{Kind: emu.ActionAdvanceDialog},
		{Kind: emu.ActionSelectMenuEntry, EntryID: "yes"},
		{Kind: emu.ActionAdvanceDialog},
	}
	for name, c := range map[string]struct {
		fixture string
		first   []emu.Action
		loop    []emu.Action
		bound   int
	}{
		"to and fro":               {"bramble-bedroom", nil, []emu.Action{emu.Press(emu.ButtonLeft, 16), emu.Press(emu.ButtonRight, 16)}, 500},
		"a menu opened and closed": {"bramble-bedroom", nil, []emu.Action{menu, emu.Press(emu.ButtonB, 4)}, 100},
		"within a menu":            {"bramble-bedroom", []emu.Action{menu}, []emu.Action{side}, 50},
		"a cursor that goes round": {"bramble-bedroom", []emu.Action{menu}, []emu.Action{emu.Press(emu.ButtonDown, 4)}, 300},
		"within a battle":          {"bramble-before-rival", talk, []emu.Action{emu.Press(emu.ButtonB, 4)}, 60},
		"back to the beginning":    {"bramble-bedroom", nil, []emu.Action{{Kind: emu.ActionRestartGame}}, 50},
		"a step and back again":    {"bramble-bedroom", nil, []emu.Action{emu.Press(emu.ButtonLeft, 16), {Kind: emu.ActionRestartGame}}, 150},
		"save after save": {"bramble-bedroom", nil, []emu.Action{
			{Kind: emu.ActionSaveCheckpoint}, {Kind: emu.ActionSaveCheckpoint, Label: "one"}, {Kind: emu.ActionSaveCheckpoint, Label: "two"},
		}, 50},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, withMind(playtest.Options(t, c.fixture), func(_ context.Context, v play.View) (play.Decision, error) {
				act := c.loop[v.Turn%len(c.loop)]
				if v.Turn < len(c.first) {
					act = c.first[v.Turn]
				}
				return play.Decision{Monologue: "Again.", Intent: "the same again", Action: act}, nil
			}))
			snap := r.await("the pause", func(s *play.Snapshot) bool { return s.Paused })
			t.Logf("paused after %d turns: %s", snap.Turn, snap.PauseReason)
			if snap.Turn > c.bound || !strings.Contains(snap.PauseReason, "same effect") {
				t.Errorf("paused after %d turns, the bound is %d: %q", snap.Turn, c.bound, snap.PauseReason)
			}
			r.do(play.Command{Kind: play.CommandStep})
			r.await("a turn after the pause", func(s *play.Snapshot) bool { return s.Turn == snap.Turn+1 })
		})
	}
}

// hands are a person's who presses up for ever.
type hands struct{ scripted }

func (hands) Press(emu.Action) bool { return false }

// TestAPersonMayRepeatHimself has a person press against a wall for longer than
// any mind may.
func TestAPersonMayRepeatHimself(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Objective, o.MaxTurns = "see the gate", 60
	o.Minds["hands"] = func() play.Mind {
		return hands{scripted{"hands", func(context.Context, play.View) (play.Decision, error) {
			return play.Decision{Monologue: "m", Intent: "press up", Action: emu.Press(emu.ButtonUp, 1)}, nil
		}}}
	}
	o.Mind = "hands"
	synctest.Test(t, func(t *testing.T) {
		r := playtest.Play(t, o)
		if r.Turns != 60 || r.Accepted != 60 || r.Summary.ObjectivesRetired != 0 {
			t.Errorf("%d of %d presses were carried out, %d objectives given up", r.Accepted, r.Turns, r.Summary.ObjectivesRetired)
		}
	})
}

// TestABankHoldsTheMindOfThisVeryTurn rewinds in the first turn, with what was
// carried over from before, and in a turn that changes its notes.
func TestABankHoldsTheMindOfThisVeryTurn(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Notes, o.Objective, o.MaxTurns = "from before", "see the gate", 2
	notes := "from this turn"
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		d := play.Decision{Monologue: "m", Intent: "start again", Action: emu.Action{Kind: emu.ActionRestartGame}}
		if v.Turn == 1 {
			d.Notes = &notes
		}
		return d, nil
	})
	r := playtest.Play(t, o)
	saves, err := o.Port.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	banks := map[int]play.SaveEntry{}
	for _, s := range saves {
		if s.Label == play.LabelBeforeRewind {
			banks[*s.Turn] = s
		}
	}
	for turn, want := range []string{"from before", "from this turn"} {
		if b := banks[turn]; b.Notes != want || b.Objective != "see the gate" {
			t.Errorf("the bank of turn %d holds %q and %q", turn, b.Notes, b.Objective)
		}
	}
	if r.Accepted != 2 {
		t.Errorf("%d of 2 accepted", r.Accepted)
	}
}

// TestALoadForgetsTilesAndNothingElse bumps into a wall, saves, loads and looks
// at what the mind is told.
func TestALoadForgetsTilesAndNothingElse(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	var before, after play.View
	acts := []emu.Action{
		emu.WalkTo(8, 9), emu.Press(emu.ButtonUp, 3), emu.Press(emu.ButtonUp, 16), emu.Press(emu.ButtonUp, 16),
		{Kind: emu.ActionSaveCheckpoint, Label: "wall"},
		{Kind: emu.ActionLoadCheckpoint},
		emu.Advance(1),
	}
	o.MaxTurns = len(acts)
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		act := acts[v.Turn]
		switch v.Turn {
		case 5:
			before = v
			_, act.CheckpointID, _ = strings.Cut(v.History[len(v.History)-1].Effect, "saved as ")
		case 6:
			after = v
		}
		notes := "kept"
		return play.Decision{Monologue: "m", Intent: "go on", Notes: &notes, Action: act}, nil
	})
	playtest.Play(t, o)
	if len(before.RefusedHere) != 1 || len(after.RefusedHere) != 0 {
		t.Errorf("refused at the wall: %v before the load, %v after", before.RefusedHere, after.RefusedHere)
	}
	if after.Observed.LoadEpoch == before.Observed.LoadEpoch || after.Notes != "kept" || len(after.History) != len(before.History)+1 {
		t.Errorf("after the load: epoch %d, notes %q, %d turns of history", after.Observed.LoadEpoch, after.Notes, len(after.History))
	}
}

// TestEveryTileOfAWalkCounts takes one walk of many steps: the tiles on the
// way are new ones, too.
func TestEveryTileOfAWalkCounts(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 1
	o = withMind(o, func(context.Context, play.View) (play.Decision, error) {
		return play.Decision{Monologue: "m", Intent: "walk", Action: emu.WalkTo(8, 9)}, nil
	})
	if r := playtest.Play(t, o); r.Progress.DistinctTiles != 8 {
		t.Errorf("seven steps went over %d tiles", r.Progress.DistinctTiles)
	}
}

// TestCoherenceIsAboutThisTurn has intents that speak of the very action, and
// then ones that speak of the action before. Turns that came to nothing are not
// scored.
func TestCoherenceIsAboutThisTurn(t *testing.T) {
	says := []string{"walk west", "walk east"}
	for late, want := range []float64{1, 0} {
		o := playtest.Options(t, "bramble-bedroom")
		o.MaxTurns = 9
		o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
			act := emu.Press([]emu.Button{emu.ButtonLeft, emu.ButtonRight}[v.Turn%2], 16)
			if v.Turn >= 6 {
				act = emu.Press(emu.ButtonA, 4) // nothing answers
			}
			return play.Decision{Monologue: "m", Intent: says[(v.Turn+late)%2], Action: act}, nil
		})
		if c := playtest.Play(t, o).Summary.Coherence; c == nil || *c != want {
			t.Errorf("said a turn late: %t, coherence %v, want %v", late == 1, c, want)
		}
	}
}
