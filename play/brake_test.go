package play_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

// TestFailedDecisionsPause puts a mind that always fails, breaks the schema
// or panics in a sitting: after five in a row it is paused, the operator is
// told, and it goes on when he says so. The waits in between are virtual.
func TestFailedDecisionsPause(t *testing.T) {
	for name, decide := range map[string]func(context.Context, play.View) (play.Decision, error){
		"error": func(context.Context, play.View) (play.Decision, error) {
			return play.Decision{}, errors.New("no answer")
		},
		"invalid": func(context.Context, play.View) (play.Decision, error) { return play.Decision{Intent: "?"}, nil },
		"panic":   func(context.Context, play.View) (play.Decision, error) { panic("out of wits") },
	} {
		t.Run(name, func(t *testing.T) {
			o := withMind(playtest.Options(t, "bramble-bedroom"), decide)
			synctest.Test(t, func(t *testing.T) {
				r := start(t, o)
				feed := r.Watch()
				defer feed.Close()
				snap := r.awaitPaused()
				if got, want := notices(t, feed), []string{"1s", "2s", "4s", "8s"}; !slices.Equal(got, want) {
					t.Errorf("told to ask again in %q, want %q", got, want)
				}
				if snap.Turn != 5 || !strings.Contains(snap.PauseReason, "5 decisions in a row failed") {
					t.Errorf("paused at turn %d: %q", snap.Turn, snap.PauseReason)
				}
				r.do(play.Command{Kind: play.CommandResume})
				if snap := r.await("the second pause", func(s *play.Snapshot) bool { return s.Paused && s.Turn == 10 }); snap.Outcome != "" {
					t.Errorf("ended: %s", snap.Outcome)
				}
				r.stop()
			})
		})
	}
}

// notices are the waits that a watcher is told of.
func notices(t *testing.T, feed *play.Watcher) (waits []string) {
	t.Helper()
	u, err := feed.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range u.Events {
		if wait, ok := strings.CutPrefix(e.Text, "the scripted is asked again in "); ok && e.Kind == play.EventNotice {
			waits = append(waits, wait)
		}
	}
	return waits
}

// TestFailuresAreInTheHistoryTheMindReads has a mind answer with nonsense and
// then not at all: it is asked once more in the same turn for the one, not for the
// other, and reads both afterwards.
func TestFailuresAreInTheHistoryTheMindReads(t *testing.T) {
	var seen []play.HistoryEntry
	asked := map[int]int{}
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 3
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		seen = v.History
		asked[v.Turn]++
		switch v.Turn {
		case 0: // every field of it is wrong, so that there is much to say
			long := strings.Repeat("x", 3000)
			return play.Decision{Objective: &long, Reply: &long, Speak: &long, Notes: &long, Action: emu.Press("turbo", 4)}, nil
		case 1:
			return play.Decision{}, errors.New("the line\x1b is down" + strings.Repeat("!", 5000))
		}
		return waits(1), nil
	})
	synctest.Test(t, func(t *testing.T) {
		playtest.Play(t, o)
	})
	if want := map[int]int{0: 2, 1: 1, 2: 1}; !maps.Equal(asked, want) {
		t.Errorf("asked %v times a turn, want %v", asked, want)
	}
	if len(seen) != 3 || seen[2].Outcome != play.TurnFailed || seen[2].Effect != emu.Clip("the line  is down"+strings.Repeat("!", 5000), play.MaxDetail) {
		t.Fatalf("history %+v", seen)
	}
	for _, entry := range seen[:2] { // the whole of it, up to the last field
		if entry.Outcome != play.TurnInvalid {
			t.Errorf("an answer of nonsense is told as %s", entry.Outcome)
		}
		for _, want := range []string{"monologue: ", "intent: ", "objective: ", "reply: ", "speak: ", "notes: ", "turbo"} {
			if !strings.Contains(entry.Effect, want) {
				t.Errorf("%q does not say %q", entry.Effect, want)
			}
		}
	}
}

// TestARepeatingMindIsStopped lets a mind press against the wall for ever: it
// is warned, then the press is withheld, then the sitting pauses.
func TestARepeatingMindIsStopped(t *testing.T) {
	var advice, excepted []string
	o := playtest.Options(t, "bramble-bedroom")
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		if n := len(v.History); n > 0 {
			advice = append(advice, v.History[n-1].Effect)
		}
		for _, offer := range v.Offers {
			if offer.Except != "" {
				excepted = append(excepted, offer.Except)
			}
		}
		return play.Decision{Monologue: "Up.", Intent: "press up", Action: emu.Press(emu.ButtonUp, 16)}, nil
	})
	r := start(t, o)
	snap := r.await("the pause", func(s *play.Snapshot) bool { return s.Paused })
	if snap.Turn > 50 || !strings.Contains(snap.PauseReason, "same effect") {
		t.Errorf("paused after %d turns: %q", snap.Turn, snap.PauseReason)
	}
	told := strings.Join(advice, "\n")
	for _, want := range []string{"the way north is blocked", "come out the same 8 times", "refused: " + play.CodeProgressGuard} {
		if !strings.Contains(told, want) {
			t.Errorf("the mind was never told %q", want)
		}
	}
	if len(excepted) == 0 || !strings.HasPrefix(excepted[0], "press up (16): ") {
		t.Errorf("what is withheld was offered: excepted %q", excepted)
	}
	r.do(play.Command{Kind: play.CommandStep})
	r.await("a turn after the pause", func(s *play.Snapshot) bool { return s.Turn == snap.Turn+1 })
	r.stop()
	withheld := 0
	for _, line := range playtest.Recorded(t, o).Turns {
		if line.FailureCode() != play.CodeProgressGuard {
			continue
		}
		withheld++
		if answer := line.Evidence.ActionResult; answer != nil {
			t.Fatalf("turn %d was not dispatched, and %s answered", line.Turn.Turn, answer.Source)
		}
	}
	if withheld == 0 {
		t.Error("the journal tells of nothing withheld")
	}
}

// TestACirclingObjectiveIsRetired walks two tiles to and fro with one
// objective: it is given up and that is told once; while the loop lasts it is
// not taken up again, which is told, but another one is; out of the loop it is
// his to choose as well.
func TestACirclingObjectiveIsRetired(t *testing.T) {
	var views []play.View
	since := func(v play.View) int { // turns since it was given up, from 1
		for i, past := range append(views, v) {
			if past.RetiredObjective != "" {
				return v.Turn - views[0].Turn - i + 1
			}
		}
		return 0
	}
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 60
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		n := since(v)
		views = append(views, v)
		goal, act := "Find the moon", emu.Press([]emu.Button{emu.ButtonLeft, emu.ButtonRight}[v.Turn%2], 16)
		switch n {
		case 2:
			goal = "Find the stairs"
		case 3:
			act = emu.WalkTo(8, 9) // out of the loop
		}
		if n > 5 {
			return play.Decision{}, spent{}
		}
		return play.Decision{Monologue: "m", Intent: "walk", Objective: &goal, Action: act}, nil
	})
	o.Unattended = true
	r := playtest.Play(t, o)
	if r.Summary.ObjectivesRetired != 1 || len(views) < 7 {
		t.Fatalf("%d objectives were given up in %d turns", r.Summary.ObjectivesRetired, len(views))
	}
	views = views[len(views)-6:]
	last := func(v play.View) string { return v.History[len(v.History)-1].Effect }
	for i, want := range []struct {
		objective, retired string
		recovery           bool
	}{
		{"", "Find the moon", true},
		{"", "", true},
		{"Find the stairs", "", true},
		{"", "", false},
		{"Find the moon", "", false},
		{"Find the moon", "", false},
	} {
		if v := views[i]; v.Objective != want.objective || v.RetiredObjective != want.retired || v.ObjectiveRecovery != want.recovery {
			t.Errorf("%d turns after: objective %q, given up %q, in the loop %t; want %+v", i, v.Objective, v.RetiredObjective, v.ObjectiveRecovery, want)
		}
	}
	if told := last(views[1]); !strings.Contains(told, "was just given up") {
		t.Errorf("that it was not taken up again is not told: %q", told)
	}
	recorded := 0
	for _, line := range playtest.Recorded(t, o).Turns {
		if line.Turn.ObjectiveRetired != nil {
			recorded++
		}
	}
	if recorded != 1 {
		t.Errorf("%d turns record that it was given up", recorded)
	}
}

// capped is a mind's error that no later turn can mend.
type capped struct{}

func (capped) Error() string { return "the cap on money is reached" }

func (capped) PausesPlay() (string, bool) { return "the cap on money is reached", true }

func TestACapPausesPlayAtOnce(t *testing.T) {
	o := withMind(playtest.Options(t, "bramble-bedroom"), func(context.Context, play.View) (play.Decision, error) {
		return play.Decision{}, fmt.Errorf("ask: %w", capped{})
	})
	r := start(t, o)
	snap := r.await("the pause", func(s *play.Snapshot) bool { return s.Paused })
	if snap.Turn != 1 || !strings.Contains(snap.PauseReason, "cap on money") {
		t.Errorf("paused after %d turns: %q", snap.Turn, snap.PauseReason)
	}
}

func TestAnUnattendedSittingEndsWhereItWouldPause(t *testing.T) {
	o := withMind(playtest.Options(t, "bramble-bedroom"), func(context.Context, play.View) (play.Decision, error) {
		return play.Decision{}, capped{}
	})
	o.Unattended = true
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "cap on money") || r.Outcome != play.OutcomeFailed || len(r.Checkpoints) == 0 {
		t.Errorf("%s, %v, saves %v", r.Outcome, err, r.Checkpoints)
	}
}

// spent is a cap after which no call is made.
type spent struct{ capped }

func (spent) SpendsNoMore() bool { return true }

func TestAnUnattendedSittingEndsInGoodOrderAtACap(t *testing.T) {
	o := withMind(playtest.Options(t, "bramble-bedroom"), func(_ context.Context, v play.View) (play.Decision, error) {
		if v.Turn == 2 {
			return play.Decision{}, fmt.Errorf("ask: %w", spent{})
		}
		return waits(1), nil
	})
	o.Unattended = true
	r := playtest.Play(t, o)
	if r.Outcome != play.OutcomeBudget || r.Turns != 3 || !strings.Contains(r.Why, "cap on money") {
		t.Errorf("%s after %d turns: %q", r.Outcome, r.Turns, r.Why)
	}
	if s := playtest.Recorded(t, o).Summary; s == nil || s.Outcome != play.OutcomeBudget {
		t.Errorf("summary %+v", s)
	}
}

// TestAMindThatNeverAnswersPauses gives it ten seconds for each answer. It
// ignores its context, too, and is left behind each time; the bound is five
// deadlines and the waits between them, 1 + 2 + 4 + 8 seconds.
func TestAMindThatNeverAnswersPauses(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.DecisionDeadline = 10 * time.Second
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		defer close(end)
		var answers atomic.Bool
		r := start(t, withMind(o, func(context.Context, play.View) (play.Decision, error) {
			if answers.Load() {
				return waits(1), nil
			}
			<-end
			return play.Decision{}, errors.New("too late")
		}))
		began := time.Now()
		snap := r.await("the pause", func(s *play.Snapshot) bool { return s.Paused })
		if took := time.Since(began); took != 65*time.Second {
			t.Errorf("paused after %s, the bound is 65s", took)
		}
		if snap.Turn != 5 || !strings.Contains(snap.PauseReason, "no answer within 10s") {
			t.Errorf("paused at turn %d: %q", snap.Turn, snap.PauseReason)
		}
		answers.Store(true)
		r.do(play.Command{Kind: play.CommandStep})
		r.await("a turn after the pause", func(s *play.Snapshot) bool { return s.Turn == 6 && s.Accepted == 1 })
		r.stop()
	})
}

func TestAPersonAtThePadHasNoDeadline(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Mind, o.DecisionDeadline, o.MaxTurns = "operator", time.Second, 1
	synctest.Test(t, func(t *testing.T) {
		r := start(t, o)
		r.await("his turn", func(s *play.Snapshot) bool { return s.Phase == play.PhaseThinking })
		time.Sleep(5 * time.Second)
		r.do(play.Command{Kind: play.CommandStep})
		r.do(play.Command{Kind: play.CommandPress, Button: emu.ButtonLeft})
		<-r.done
		if r.result.Accepted != 1 {
			t.Errorf("%d of %d turns accepted", r.result.Accepted, r.result.Turns)
		}
	})
}

// TestTimeIsUpWhileTheMindThinks caps a sitting whose mind never answers.
func TestTimeIsUpWhileTheMindThinks(t *testing.T) {
	o := withMind(playtest.Options(t, "bramble-bedroom"), func(ctx context.Context, _ play.View) (play.Decision, error) {
		<-ctx.Done()
		return play.Decision{}, ctx.Err()
	})
	o.MaxDuration = time.Minute
	synctest.Test(t, func(t *testing.T) {
		s, err := play.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := s.Run(t.Context()); err != nil || r.Outcome != play.OutcomeBudget {
			t.Errorf("%s, %v", r.Outcome, err)
		}
	})
}

// failing is a body whose session cannot write its records for a while.
type failing struct{ emu.Body }

func (failing) Act(context.Context, string, emu.Action, emu.Limits) (emu.ActionResult, error) {
	return emu.ActionResult{}, errors.New("write the record: no space left on device")
}

func TestAFailingDiskPausesAndIsNoLostMachine(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Body = failing{o.Body}
	r := start(t, o)
	snap := r.await("the pause", func(s *play.Snapshot) bool { return s.Paused })
	if !strings.Contains(snap.PauseReason, "no space left") {
		t.Errorf("paused: %q", snap.PauseReason)
	}
	r.stop()
	line := playtest.Recorded(t, o).Turns[0]
	if got := line.Evidence.ActionResult; got == nil || got.Source != journal.SourceException || got.Message == nil || !strings.Contains(*got.Message, "no space left") {
		t.Errorf("recorded as %+v", got)
	}
	if r.result.Outcome != play.OutcomeStopped || r.result.Final == "" {
		t.Errorf("%s, final %q", r.result.Outcome, r.result.Final)
	}
	turn := playtest.Recorded(t, o).Turns[0]
	answer := turn.Evidence.ActionResult
	if answer == nil || answer.Source != journal.SourceException || answer.Message == nil || !strings.Contains(*answer.Message, "no space left") {
		t.Errorf("the journal tells of %+v", answer)
	}
	if turn.Turn.Outcome != journal.OutcomeRejected {
		t.Errorf("the outcome is %s", turn.Turn.Outcome)
	}
}
