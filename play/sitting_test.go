package play_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a sitting that plays in a goroutine of its own.
type running struct {
	*play.Sitting
	t      *testing.T
	result play.Result
	err    error
	done   chan struct{}
}

func start(t *testing.T, o play.Options) *running {
	t.Helper()
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r := &running{Sitting: s, t: t, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		r.result, r.err = s.Run(t.Context())
	}()
	t.Cleanup(func() { r.stop() })
	return r
}

// do applies a command and fails the test when it is refused.
func (r *running) do(c play.Command) play.Ack {
	r.t.Helper()
	ack, err := r.Do(r.t.Context(), c)
	if err != nil {
		r.t.Fatalf("%s: %v", c.Kind, err)
	}
	return ack
}

// stop ends the sitting and waits for it.
func (r *running) stop() {
	_, err := r.Do(context.Background(), play.Command{Kind: play.CommandStop})
	if err != nil && !errors.Is(err, play.ErrEnded) {
		r.t.Errorf("stop: %v", err)
	}
	<-r.done
}

// await watches until a snapshot fulfils want.
func (r *running) await(what string, want func(s *play.Snapshot) bool) *play.Snapshot {
	r.t.Helper()
	w := r.Watch()
	defer w.Close()
	for {
		u, err := w.Next(r.t.Context())
		if err != nil {
			r.t.Fatalf("waiting for %s: %v", what, err)
		}
		if u.Snapshot != nil && want(u.Snapshot) {
			return u.Snapshot
		}
	}
}

func (r *running) awaitPaused() *play.Snapshot {
	r.t.Helper()
	return r.await("a pause", func(s *play.Snapshot) bool { return s.Phase == play.PhasePaused })
}

// turns lets n turns settle, one by one.
func (r *running) turns(n int) {
	r.t.Helper()
	for range n {
		before := r.awaitPaused().Turn
		r.do(play.Command{Kind: play.CommandStep})
		r.await("a turn", func(s *play.Snapshot) bool { return s.Phase == play.PhasePaused && s.Turn == before+1 })
	}
}

func TestEqualRunsEndInEqualRAM(t *testing.T) {
	var finals []emu.Digest
	for range 2 {
		o := playtest.Options(t, "bramble-bedroom")
		o.MaxTurns = 60
		r := playtest.Play(t, o)
		if r.Outcome != play.OutcomeBudget || r.Turns != 60 {
			t.Errorf("%s after %d turns", r.Outcome, r.Turns)
		}
		finals = append(finals, r.Final)
	}
	if finals[0] != finals[1] {
		t.Errorf("RAM ended as %s and as %s", finals[0].Short(), finals[1].Short())
	}
}

func TestSaveWalkLoadRestartDelete(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	home := r.awaitPaused().State.Overworld.Position
	r.turns(2)
	there := r.awaitPaused().State.Overworld.Position
	saved := r.do(play.Command{Kind: play.CommandSave, Label: "before-gym"})
	r.turns(12)
	if at := r.awaitPaused().State.Overworld.Position; at == there {
		t.Fatal("twelve turns led nowhere")
	}

	loaded := r.do(play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	if loaded.RAMSHA256 != saved.RAMSHA256 {
		t.Error("the RAM after the load is not the RAM that was saved")
	}
	back := r.awaitPaused()
	if diff := cmp.Diff(there, back.State.Overworld.Position); diff != "" {
		t.Errorf("the load came out elsewhere (-want +got):\n%s", diff)
	}
	if !back.Picture.Restored || back.Picture.Stale {
		t.Errorf("the picture after the load: restored %t, stale %t", back.Picture.Restored, back.Picture.Stale)
	}
	saves := r.saves()
	if saves[0].ID != loaded.BankedID || saves[0].Label != play.LabelBeforeRewind || saves[0].Reason != string(play.ReasonBeforeRewind) {
		t.Errorf("the present is not banked on top: %+v", saves[0])
	}

	restarted := r.do(play.Command{Kind: play.CommandRestart})
	if at := r.awaitPaused().State.Overworld.Position; at != home {
		t.Errorf("the restart came out at %v, not %v", at, home)
	}
	if restarted.BankedID == "" {
		t.Error("the restart banked nothing")
	}

	before := r.saves()
	if _, err := r.Do(t.Context(), play.Command{Kind: play.CommandDeleteSave, ID: saved.CheckpointID, Confirm: "yes"}); err == nil {
		t.Error("a deletion without the id's confirmation went through")
	}
	r.do(play.Command{Kind: play.CommandDeleteSave, ID: saved.CheckpointID, Confirm: saved.CheckpointID})
	want := slices.DeleteFunc(ids(before), func(id string) bool { return id == saved.CheckpointID })
	if diff := cmp.Diff(want, ids(r.saves())); diff != "" {
		t.Errorf("saves after the deletion (-want +got):\n%s", diff)
	}
}

func (r *running) saves() []play.SaveEntry {
	r.t.Helper()
	saves, err := r.Saves(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return saves
}

func ids(saves []play.SaveEntry) (list []string) {
	for _, s := range saves {
		list = append(list, s.ID)
	}
	return list
}

func TestARefusedLoadBanksNothing(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	saved := r.do(play.Command{Kind: play.CommandSave})
	before := r.awaitPaused()
	store := o.Port.(*play.Checkpoints).Store
	damage(t, store.Root(), saved.CheckpointID)
	for id, code := range map[string]string{
		"no-such-save":     "checkpoint_not_found",
		"../escape":        "checkpoint_id_invalid",
		saved.CheckpointID: "checkpoint_savestate_corrupt",
	} {
		_, err := r.Do(t.Context(), play.Command{Kind: play.CommandLoad, ID: id})
		if emu.CodeOf(err) != code {
			t.Errorf("load %s: %v, want %s", id, err, code)
		}
	}
	if got := ids(r.saves()); len(got) != 1 {
		t.Errorf("there are %d saves, a refused load banked something", len(got))
	}
	if now := r.awaitPaused(); now.Frame != before.Frame || now.LoadEpoch != before.LoadEpoch {
		t.Errorf("a refused load moved the machine from %d/%d to %d/%d", before.Frame, before.LoadEpoch, now.Frame, now.LoadEpoch)
	}
}

// damage flips one byte of a save's state.
func damage(t *testing.T, root, id string) {
	t.Helper()
	path := root + "/" + id + "/savestate.ss1"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[1000] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTheJournalHoldsEveryTurn(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 25
	r := playtest.Play(t, o)
	got := playtest.Recorded(t, o)
	if len(got.Turns) != 25 || got.Summary == nil || got.Summary.TurnsTaken != 25 || got.Summary.Accepted != r.Accepted {
		t.Errorf("%d turns, summary %+v", len(got.Turns), got.Summary)
	}
	for i, line := range got.Turns {
		e := line.Evidence
		if line.Turn.Turn != i || e == nil || e.ImmediatePreAction == nil || e.PostAction == nil || e.ActionResult == nil {
			t.Fatalf("turn %d lacks evidence: %+v", i, line.Turn)
		}
		sum, err := emu.CanonicalDigest(e.Decision.Observations)
		if err != nil || sum != line.Turn.ObservationSHA256 {
			t.Errorf("turn %d: observationSha256 does not match its observations", i)
		}
	}
}

// scripted is a mind that a test writes.
type scripted struct {
	name   string
	decide func(ctx context.Context, v play.View) (play.Decision, error)
}

func (m scripted) Name() string { return m.name }
func (m scripted) Decide(ctx context.Context, v play.View) (play.Decision, error) {
	return m.decide(ctx, v)
}

func withMind(o play.Options, decide func(ctx context.Context, v play.View) (play.Decision, error)) play.Options {
	o.Minds["scripted"] = func() play.Mind { return scripted{"scripted", decide} }
	o.Mind = "scripted"
	return o
}

func waits(frames int) play.Decision {
	return play.Decision{Monologue: "I wait.", Intent: "wait", Action: emu.Advance(frames)}
}

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
				snap := r.awaitPaused()
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

func TestFailuresAreInTheHistoryTheMindReads(t *testing.T) {
	var seen []play.HistoryEntry
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 2
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		seen = v.History
		if v.Turn == 0 {
			return play.Decision{Monologue: "m", Intent: "i", Action: emu.Press("turbo", 4)}, nil
		}
		return waits(1), nil
	})
	synctest.Test(t, func(t *testing.T) {
		playtest.Play(t, o)
	})
	if len(seen) != 2 || seen[0].Outcome != play.TurnInvalid || !strings.Contains(seen[1].Effect, "turbo") {
		t.Errorf("history %+v", seen)
	}
}

func TestStopIsHeardWhileTheMindThinks(t *testing.T) {
	thinking := make(chan struct{}, 1)
	o := withMind(playtest.Options(t, "bramble-bedroom"), func(ctx context.Context, _ play.View) (play.Decision, error) {
		thinking <- struct{}{}
		<-ctx.Done()
		return play.Decision{}, ctx.Err()
	})
	r := start(t, o)
	<-thinking
	r.do(play.Command{Kind: play.CommandStop})
	<-r.done
	if r.result.Outcome != play.OutcomeStopped || r.result.Turns != 0 || r.err != nil {
		t.Errorf("%s after %d turns, %v", r.result.Outcome, r.result.Turns, r.err)
	}
}

// TestMessagesPreemptAMindOnlySoOften says five things to a mind that thinks
// until it is interrupted: it starts over three times, then the newest
// message waits and the third restart is the one that is answered.
func TestMessagesPreemptAMindOnlySoOften(t *testing.T) {
	heard := make(chan string)
	answer := make(chan struct{})
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 1
	r := start(t, withMind(o, func(ctx context.Context, v play.View) (play.Decision, error) {
		heard <- v.Interjection
		select {
		case <-ctx.Done():
			return play.Decision{}, ctx.Err()
		case <-answer:
			return waits(1), nil
		}
	}))
	if first := <-heard; first != "" {
		t.Errorf("before anyone spoke he heard %q", first)
	}
	for _, say := range []string{"one", "two", "three"} {
		r.do(play.Command{Kind: play.CommandSay, Text: say})
		if got := <-heard; got != say {
			t.Errorf("said %q, heard %q", say, got)
		}
	}
	r.do(play.Command{Kind: play.CommandSay, Text: "four"})
	answer <- struct{}{}
	<-r.done
	got := playtest.Recorded(t, o)
	if n := got.Turns[0].Evidence.Signals.DecisionPreemptions; n != 3 {
		t.Errorf("%d preemptions are recorded", n)
	}
}

func TestTheOperatorTakesThePad(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	r := start(t, o)
	before := r.awaitPaused().State.Overworld.Position
	if _, err := r.Do(t.Context(), play.Command{Kind: play.CommandPress, Button: emu.ButtonLeft}); err == nil {
		t.Error("a press went through although the autopilot has the pad")
	}
	r.do(play.Command{Kind: play.CommandTakePad})
	r.do(play.Command{Kind: play.CommandPress, Button: emu.ButtonLeft})
	snap := r.await("the press", func(s *play.Snapshot) bool { return s.Turn == 1 })
	want := before
	want.X--
	if snap.Mind != "operator" || !snap.PadTaken || snap.State.Overworld.Position != want {
		t.Errorf("%s stands at %v, want %v", snap.Mind, snap.State.Overworld.Position, want)
	}
	r.do(play.Command{Kind: play.CommandPause})
	r.do(play.Command{Kind: play.CommandGivePad})
	if snap := r.awaitPaused(); snap.Mind != "autopilot" || snap.PadTaken {
		t.Errorf("after giving it back %s has the pad", snap.Mind)
	}
}

func TestASlowWatcherLosesNoTurn(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 40
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w := s.Watch() // reads nothing before the end
	defer w.Close()
	if _, err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	u, err := w.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var turns int
	for _, e := range u.Events {
		if e.Kind == play.EventTurn {
			turns++
		}
	}
	if turns != 40 || u.Snapshot == nil || u.Snapshot.Phase != play.PhaseStopped {
		t.Errorf("%d turns reached the watcher, snapshot %+v", turns, u.Snapshot.Phase)
	}
	if _, err := w.Next(t.Context()); !errors.Is(err, play.ErrWatchClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// gone is a body whose machine fails at an action.
type gone struct {
	emu.Body
	acts int
}

func (g *gone) Act(ctx context.Context, id string, a emu.Action, l emu.Limits) (emu.ActionResult, error) {
	if g.acts++; g.acts > 3 {
		return emu.ActionResult{}, &emu.Error{Code: emu.CodeCoreTrap, Message: "unreachable"}
	}
	return g.Body.Act(ctx, id, a, l)
}

func TestAMachineThatFailsEndsTheSittingWithItsSave(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Body = &gone{Body: o.Body}
	o.AutosaveTurns = 2
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if emu.CodeOf(err) != emu.CodeCoreTrap || r.Outcome != play.OutcomeFailed {
		t.Fatalf("%s, %v", r.Outcome, err)
	}
	newest := r.Checkpoints[len(r.Checkpoints)-1]
	if !strings.Contains(err.Error(), newest) {
		t.Errorf("the error does not name the newest save %s: %v", newest, err)
	}
	got, err := journal.ReadStrict(o.Journal.Path())
	if err != nil || got.Summary == nil || got.Summary.Outcome != play.OutcomeFailed {
		t.Errorf("the journal does not say how it ended: %v", err)
	}
}

func TestWithoutAPortTheBodyActionsAreRefusedTruthfully(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Port, o.MaxTurns = nil, 3
	kinds := []emu.ActionKind{emu.ActionSaveCheckpoint, emu.ActionLoadCheckpoint, emu.ActionRestartGame}
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		if v.Checkpoints {
			t.Error("the view promises checkpoints")
		}
		return play.Decision{Monologue: "m", Intent: "i", Action: emu.Action{Kind: kinds[v.Turn]}}, nil
	})
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Run(t.Context()); err != nil || r.Accepted != 0 {
		t.Errorf("%d accepted, %v", r.Accepted, err)
	}
	got := playtest.Recorded(t, o)
	for _, line := range got.Turns {
		if line.Turn.Outcome != journal.OutcomeRejected || !strings.HasPrefix(*line.Turn.Detail, emu.CodeCheckpointsUnavailable) {
			t.Errorf("turn %d: %s %v", line.Turn.Turn, line.Turn.Outcome, *line.Turn.Detail)
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
}

// TestACirclingObjectiveIsRetired walks two tiles to and fro with one
// objective: it is given up, told once, not taken up again while the loop
// lasts, and another one is his to choose.
func TestACirclingObjectiveIsRetired(t *testing.T) {
	var retired, later []string
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 60
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		if v.RetiredObjective != "" {
			retired = append(retired, v.RetiredObjective)
		}
		goal := "Find the moon"
		if len(retired) > 0 && v.Turn%2 == 1 {
			goal = "Find the stairs"
			later = append(later, v.Objective)
		}
		b := []emu.Button{emu.ButtonLeft, emu.ButtonRight}[v.Turn%2]
		return play.Decision{Monologue: "m", Intent: "walk", Objective: &goal, Action: emu.Press(b, 16)}, nil
	})
	r := playtest.Play(t, o)
	if len(retired) == 0 || retired[0] != "Find the moon" || r.Summary.ObjectivesRetired == 0 {
		t.Errorf("retired %q, %d in the summary", retired, r.Summary.ObjectivesRetired)
	}
	got := playtest.Recorded(t, o)
	var recorded bool
	for _, line := range got.Turns {
		recorded = recorded || line.Turn.ObjectiveRetired != nil
	}
	if !recorded {
		t.Error("no turn records the retired objective")
	}
}

func TestWhoAnsweredIsRemembered(t *testing.T) {
	var told []string
	o := playtest.Options(t, "bramble-before-rival")
	o.MaxTurns = 8
	presses := []emu.Action{
		emu.Press(emu.ButtonRight, 32), emu.Press(emu.ButtonUp, 16), emu.Press(emu.ButtonUp, 4), emu.Press(emu.ButtonA, 4),
	}
	o = withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
		told = v.VerifiedInteractions
		if v.Turn < len(presses) {
			return play.Decision{Monologue: "m", Intent: "i", Action: presses[v.Turn]}, nil
		}
		return waits(4), nil
	})
	playtest.Play(t, o)
	if len(told) != 1 || !strings.Contains(told[0], "SORREL") {
		t.Errorf("told of %q", told)
	}
}

// capped is a mind's error that no later turn can mend.
type capped struct{}

func (capped) Error() string              { return "the cap on money is reached" }
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

func TestPicturesAreKeptBesideTheJournal(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 30
	o.Screenshots = o.Journal.Screenshots()
	playtest.Play(t, o)
	report, err := journal.CheckFile(o.Journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	if report.Damaged {
		t.Errorf("the journal does not hold: %+v", report)
	}
	got := playtest.Recorded(t, o)
	if got.Turns[0].Screenshot == nil || got.Summary.Screenshot == nil || got.Summary.Coherence == nil {
		t.Errorf("first turn %v, summary %+v", got.Turns[0].Screenshot, got.Summary)
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
	if r.result.Outcome != play.OutcomeStopped || r.result.Final == "" {
		t.Errorf("%s, final %q", r.result.Outcome, r.result.Final)
	}
}

// The machine stands elsewhere, so whoever looks must see it there.
func TestARewindThatMovedTheMachineIsBookedWhateverFailsAfterwards(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	port := &movedThenFailed{FreePlayCheckpointPort: o.Port}
	o.Port = port
	r := start(t, o)
	saved := r.do(play.Command{Kind: play.CommandSave})
	r.turns(6)
	before := r.awaitPaused()
	_, err := r.Do(t.Context(), play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	if err == nil {
		t.Error("the failure was not told")
	}
	after := r.awaitPaused()
	if after.LoadEpoch == before.LoadEpoch || after.State.Overworld.Position == before.State.Overworld.Position {
		t.Error("the operator is shown the machine as it was before")
	}
	if after.LastSave == nil || after.LastSave.ID != saved.CheckpointID {
		t.Errorf("the last save is %+v", after.LastSave)
	}
}

type movedThenFailed struct{ play.FreePlayCheckpointPort }

func (p *movedThenFailed) Load(ctx context.Context, id string, bank play.SaveRequest) (play.Rewound, error) {
	r, err := p.FreePlayCheckpointPort.Load(ctx, id, bank)
	return r, errors.Join(err, errors.New("the disk is full"))
}
