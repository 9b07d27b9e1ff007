package play_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

// TestAMindThatCannotDecideSaysWhatItLacks: switching to it changes nothing.
func TestAMindThatCannotDecideSaysWhatItLacks(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.Absent = map[string]error{"model": errors.New("no model is configured: set model.name")}
	r := start(t, o)
	for name, says := range map[string]string{
		"model":  "the model cannot decide: no model is configured: set model.name",
		"oracle": `there is no mind "oracle"; there is `,
	} {
		_, err := r.Do(t.Context(), play.Command{Kind: play.CommandMind, Mind: name})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("/mind %s: %v", name, err)
		}
	}
	w := r.Watch()
	defer w.Close()
	if u, err := w.Next(t.Context()); err != nil || u.Snapshot.Mind != o.Mind {
		t.Errorf("%v decides (%v), want %s", u.Snapshot, err, o.Mind)
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

// slowPort takes as long over a save as it is given.
type slowPort struct{ play.FreePlayCheckpointPort }

func (slowPort) Save(ctx context.Context, _ play.SaveRequest) (play.Saved, error) {
	<-ctx.Done()
	return play.Saved{}, ctx.Err()
}

// TestTheEndHasItsTime ends a sitting whose final save does not come, and whose
// mind was told who watches.
func TestTheEndHasItsTime(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: play.DefaultClosingTime, 2 * time.Second: 2 * time.Second} {
		var watching string
		o := withMind(playtest.Options(t, "bramble-bedroom"), func(_ context.Context, v play.View) (play.Decision, error) {
			watching = v.Audience
			return waits(1), nil
		})
		o.Port, o.AutosaveTurns, o.MaxTurns = slowPort{o.Port}, 0, 1
		o.ClosingTime, o.Audience = given, "Two friends\x1b on a couch."
		synctest.Test(t, func(t *testing.T) {
			s, err := play.New(o)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			r, err := s.Run(t.Context())
			if took := time.Since(began); took != want || !errors.Is(err, context.DeadlineExceeded) || r.Turns != 1 {
				t.Errorf("given %s it took %s: %d turns, %v", given, took, r.Turns, err)
			}
		})
		if watching != "Two friends  on a couch." {
			t.Errorf("the mind was told %q", watching)
		}
	}
}

// TestMessagesPreemptAMindOnlySoOften says five things to a mind that thinks
// until it is interrupted: it starts over three times. Of what is said after
// that the newest waits, and is heard in the next turn.
func TestMessagesPreemptAMindOnlySoOften(t *testing.T) {
	heard := make(chan string)
	answer := make(chan struct{})
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 3
	r := start(t, withMind(o, func(ctx context.Context, v play.View) (play.Decision, error) {
		heard <- v.Interjection
		select {
		case <-ctx.Done():
			return play.Decision{}, ctx.Err()
		case <-answer:
			return waits(1 + v.Turn), nil
		}
	}))
	hears := func(want string) {
		t.Helper()
		if got := <-heard; got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	}
	hears("")
	long := strings.Repeat("x", play.MaxInterjection)
	if ack := r.do(play.Command{Kind: play.CommandSay, Text: long + "y"}); !strings.Contains(ack.Text, "x (the first 500 characters; the rest is not heard)") {
		t.Errorf("a long text is told as %q", ack.Text)
	}
	hears(long)
	for _, say := range []string{"two", "three"} {
		r.do(play.Command{Kind: play.CommandSay, Text: say})
		hears(say)
	}
	r.do(play.Command{Kind: play.CommandSay, Text: "four"})
	r.do(play.Command{Kind: play.CommandSay, Text: "five"})
	answer <- struct{}{}
	hears("five")
	answer <- struct{}{}
	hears("")
	answer <- struct{}{}
	<-r.done
	for i, want := range []struct {
		said        string
		preemptions int
	}{{"three", 3}, {"five", 0}, {"", 0}} {
		line := playtest.Recorded(t, o).Turns[i]
		said := ""
		if line.Turn.Interjection != nil {
			said = *line.Turn.Interjection
		}
		if n := line.Evidence.Signals.DecisionPreemptions; said != want.said || n != want.preemptions {
			t.Errorf("turn %d: %q and %d preemptions are recorded, want %q and %d", i, said, n, want.said, want.preemptions)
		}
	}
}

// TestAMessageWaitsForSomebodyWhoHearsIt says something to a mind that cannot
// be reached just then, and while a person has the pad.
func TestAMessageWaitsForSomebodyWhoHearsIt(t *testing.T) {
	var heard []string
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused = true
	synctest.Test(t, func(t *testing.T) {
		thinking, answer := make(chan struct{}), make(chan error)
		r := start(t, withMind(o, func(_ context.Context, v play.View) (play.Decision, error) {
			thinking <- struct{}{}
			if err := <-answer; err != nil {
				return play.Decision{}, err
			}
			heard = append(heard, v.Interjection)
			return waits(1 + v.Turn), nil
		}))
		r.awaitPaused()
		r.do(play.Command{Kind: play.CommandSay, Text: "hello"})
		r.do(play.Command{Kind: play.CommandResume})
		<-thinking
		answer <- errors.New("the line is busy")
		<-thinking
		answer <- nil
		<-thinking
		r.do(play.Command{Kind: play.CommandTakePad})
		answer <- errors.New("nobody asks any more")
		r.do(play.Command{Kind: play.CommandSay, Text: "watch me"})
		r.do(play.Command{Kind: play.CommandPress, Button: emu.ButtonLeft})
		r.await("the press", func(s *play.Snapshot) bool { return s.Turn == 3 })
		r.do(play.Command{Kind: play.CommandGivePad})
		<-thinking
		answer <- nil
		<-thinking
		r.do(play.Command{Kind: play.CommandStop})
		answer <- errors.New("nobody asks any more")
		<-r.done
	})
	if want := []string{"hello", "watch me"}; !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
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
		t.Fatalf("the journal does not say how it ended: %v", err)
	}
	last := got.Turns[len(got.Turns)-1]
	if last.FailureCode() != emu.CodeCoreTrap || last.Turn.Action == nil || last.Evidence.ActionResult.Source != journal.SourceException {
		t.Errorf("the journal does not say what broke the machine: %+v", last.Turn)
	}
	if n := len(got.Turns); n != 4 || got.Summary.TurnsTaken != n {
		t.Errorf("%d turns in the journal, %d in its summary", n, got.Summary.TurnsTaken)
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

// TestNoPictureYetIsNoTrouble ends before any frame was drawn: nothing is kept,
// and nobody is bothered with it.
func TestNoPictureYetIsNoTrouble(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns, o.Speed = 1, play.SpeedMax
	o.Screenshots = o.Journal.Screenshots()
	o = withMind(o, func(context.Context, play.View) (play.Decision, error) { return play.Decision{}, errors.New("no idea") })
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w := s.Watch()
	defer w.Close()
	if _, err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for {
		u, err := w.Next(t.Context())
		if err != nil {
			break
		}
		for _, e := range u.Events {
			if strings.Contains(e.Text, "pictures") {
				t.Errorf("told: %s", e.Text)
			}
		}
	}
	got := playtest.Recorded(t, o)
	if len(got.Turns) != 1 || got.Turns[0].Screenshot != nil || got.Summary.Screenshot != nil {
		t.Errorf("recorded %+v", got)
	}
}
