package play_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

// TestTheJournalHoldsWhatTheMindWasTold lets a mind get stuck in the field and
// on a screen that is not decoded: every signal that it was shown stands in the
// turn's evidence, with what it had in mind before.
func TestTheJournalHoldsWhatTheMindWasTold(t *testing.T) {
	notes, goal := "a wall is here", "go north"
	var seen journal.Signals // what came up in any turn
	for fixture, action := range map[string]emu.Action{
		"bramble-bedroom": emu.Press(emu.ButtonUp, 16), "bramble-title": emu.WalkTo(8, 9),
	} {
		var told []journal.Signals
		var pictures []emu.Digest // right before each action, "" before a frame was drawn
		o := playtest.Options(t, fixture)
		o.MaxTurns, o.AutosaveTurns = 20, 0
		o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
			told, pictures = append(told, signalsOf(v)), append(pictures, v.Observed.PictureSHA256())
			return play.Decision{Monologue: "m", Intent: "i", Notes: &notes, Objective: &goal, Action: action}, nil
		})
		playtest.Play(t, o)
		var objective, kept *string
		for i, line := range playtest.Recorded(t, o).Turns {
			want, got := told[i], line.Evidence.Signals
			want.PreviousObjective, want.PreviousNotes = objective, kept
			objective, kept = line.Turn.Objective, line.Turn.Notes
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, turn %d (-told +recorded):\n%s", fixture, i, diff)
			}
			if digest := line.Turn.FramebufferSHA256; (digest == nil) != (pictures[i] == "") || digest != nil && *digest != pictures[i] {
				t.Errorf("%s, turn %d is of another picture", fixture, i)
			}
			seen = cameUp(seen, got)
		}
	}
	switch s := seen; {
	case s.StalledForTurns == nil, s.RepeatingForTurns == nil, s.RecurringForTurns == nil, s.ObjectiveForTurns == nil, s.LocaleForTurns == nil,
		s.RetiredObjective == nil, !s.ObjectiveRecovery, s.PreviousObjective == nil, s.PreviousNotes == nil, s.RefusedHere == nil, s.KnownHardFailures == nil:
		t.Errorf("something never came up: %+v", s)
	}
}

// signalsOf is how a view is recorded.
func signalsOf(v play.View) journal.Signals {
	s := journal.Signals{
		RefusedHere: append([]emu.Direction{}, v.RefusedHere...), StalledForTurns: v.StalledForTurns, RepeatingForTurns: v.RepeatingForTurns,
		RecurringForTurns: v.RecurringForTurns, ObjectiveForTurns: v.ObjectiveForTurns, LocaleForTurns: v.LocaleForTurns,
		ObjectiveRecovery: v.ObjectiveRecovery, VerifiedInteractions: append([]string{}, v.VerifiedInteractions...),
	}
	if v.RetiredObjective != "" {
		s.RetiredObjective = &v.RetiredObjective
	}
	for _, f := range v.KnownHardFailures {
		s.KnownHardFailures = append(s.KnownHardFailures, journal.HardFailure{Action: f.Action, ErrorCode: f.ErrorCode, Effect: f.Effect})
	}
	return s
}

// cameUp adds the signals of a turn to those that came up before.
func cameUp(seen, s journal.Signals) journal.Signals {
	either := func(a, b *int) *int {
		if a != nil {
			return a
		}
		return b
	}
	words := func(a, b *string) *string {
		if a != nil {
			return a
		}
		return b
	}
	seen.StalledForTurns, seen.RepeatingForTurns = either(seen.StalledForTurns, s.StalledForTurns), either(seen.RepeatingForTurns, s.RepeatingForTurns)
	seen.RecurringForTurns, seen.ObjectiveForTurns = either(seen.RecurringForTurns, s.RecurringForTurns), either(seen.ObjectiveForTurns, s.ObjectiveForTurns)
	seen.LocaleForTurns, seen.RetiredObjective = either(seen.LocaleForTurns, s.LocaleForTurns), words(seen.RetiredObjective, s.RetiredObjective)
	seen.PreviousObjective, seen.PreviousNotes = words(seen.PreviousObjective, s.PreviousObjective), words(seen.PreviousNotes, s.PreviousNotes)
	seen.ObjectiveRecovery = seen.ObjectiveRecovery || s.ObjectiveRecovery
	seen.RefusedHere = append(seen.RefusedHere, s.RefusedHere...)
	seen.KnownHardFailures = append(seen.KnownHardFailures, s.KnownHardFailures...)
	return seen
}
