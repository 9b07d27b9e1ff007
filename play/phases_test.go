package play_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"clankie/emu"
	"clankie/play"
	"clankie/play/playtest"
)

// gate holds a sitting where it is, once, when watchers see it in a phase.
type gate struct {
	sitting *play.Sitting
	held    chan struct{}
	release chan struct{}

	mu    sync.Mutex
	armed play.Phase
}

func (g *gate) arm(p play.Phase) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.armed = p
}

// here is called from within each phase. A mind whose answer nobody waits for
// any more passes: it may come by only after the gate was armed for the next.
func (g *gate) here(ctx context.Context) {
	g.mu.Lock()
	armed := g.armed
	g.mu.Unlock()
	if armed == "" || ctx.Err() != nil {
		return
	}
	w := g.sitting.Watch()
	defer w.Close()
	if u, err := w.Next(ctx); err != nil || u.Snapshot.Phase != armed {
		return
	}
	g.arm("")
	g.held <- struct{}{}
	<-g.release
}

// gatedBody passes the gate with each look at the game: once in each phase but
// thinking.
type gatedBody struct {
	emu.Body
	gate *gate
}

func (b gatedBody) Observe(ctx context.Context) (emu.Observed, error) {
	b.gate.here(ctx)
	return b.Body.Observe(ctx)
}

// looking is a tape for which the sitting looks while it records.
type looking struct{}

func (looking) Loading(string, string) {}

func (looking) Steered(string, string) {}

func (looking) Border(int, emu.Observed) error { return nil }

// steered is a sitting that can be held in one of its phases.
type steered struct {
	*running
	gate  *gate
	phase play.Phase
	feed  *play.Watcher
	heard chan string // what the mind was told while it thought
}

func steeredIn(t *testing.T, o play.Options, phase play.Phase) *steered {
	g := &gate{held: make(chan struct{}), release: make(chan struct{})}
	s := &steered{gate: g, phase: phase, heard: make(chan string, 64)}
	o.Body, o.Tape, o.StartPaused = gatedBody{o.Body, g}, looking{}, true
	thinks := func(ctx context.Context, v play.View) (play.Decision, error) {
		if v.Interjection != "" {
			s.heard <- v.Interjection
		}
		g.here(ctx)
		if err := ctx.Err(); err != nil {
			return play.Decision{}, err
		}
		// Never twice the same: this is not about the progress guard.
		return waits(1 + v.Turn%7), nil
	}
	o = withMind(o, thinks)
	o.Minds["other"] = func() play.Mind { return scripted{"other", thinks} }
	s.running = start(t, o)
	g.sitting = s.Sitting
	s.feed = s.Watch()
	t.Cleanup(s.feed.Close)
	s.awaitPaused()
	return s
}

// during sets the sitting going, waits until watchers see it in the phase,
// sends a command meanwhile and lets go. The command is acknowledged where the
// mind thinks at once, elsewhere when the turn is over, and shown once.
func (s *steered) during(going, c play.Command) play.Ack {
	s.t.Helper()
	type answer struct {
		ack play.Ack
		err error
	}
	s.gate.arm(s.phase)
	s.do(going)
	<-s.gate.held
	s.steers()
	answers := make(chan answer, 1)
	go func() {
		ack, err := s.Do(s.t.Context(), c)
		answers <- answer{ack, err}
	}()
	synctest.Wait()
	if early := len(answers) == 1; early != (s.phase == play.PhaseThinking) {
		s.t.Errorf("%s while %s: acknowledged at once: %t", c.Kind, s.phase, early)
	}
	s.gate.release <- struct{}{}
	a := <-answers
	if a.err != nil {
		s.t.Fatalf("%s while %s: %v", c.Kind, s.phase, a.err)
	}
	if a.ack.Text == "" {
		return a.ack
	}
	shown := s.steers()
	if n := len(slices.DeleteFunc(shown, func(text string) bool { return text != a.ack.Text })); n != 1 {
		s.t.Errorf("%s while %s: %q is shown %d times", c.Kind, s.phase, a.ack.Text, n)
	}
	return a.ack
}

// inTime is whether a command in this phase still concerns the turn that is
// under way: what was decided is acted on, recorded and shown.
func (s *steered) inTime() bool {
	return s.phase == play.PhaseObserving || s.phase == play.PhaseThinking
}

// steers are the lines about commands since they were last asked for. There is
// always something new: commands publish.
func (s *steered) steers() (lines []string) {
	s.t.Helper()
	u, err := s.feed.Next(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range u.Events {
		if e.Kind == play.EventSteer || e.Kind == play.EventSave {
			lines = append(lines, e.Text)
		}
	}
	return lines
}

// settled waits for the pause after so many turns.
func (s *steered) settled(what string, turns int) *play.Snapshot {
	s.t.Helper()
	return s.await(what, func(snap *play.Snapshot) bool { return snap.Phase == play.PhasePaused && snap.Turn >= turns })
}

// pause stops a sitting that runs, and says how many turns it has settled.
func (s *steered) pause() int {
	s.t.Helper()
	s.do(play.Command{Kind: play.CommandPause})
	return s.awaitPaused().Turn
}

var (
	step   = play.Command{Kind: play.CommandStep}
	resume = play.Command{Kind: play.CommandResume}
	left   = play.Command{Kind: play.CommandPress, Button: emu.ButtonLeft}
	right  = play.Command{Kind: play.CommandPress, Button: emu.ButtonRight}
)

// TestEveryCommandInEveryPhase sends each command while a turn is in each of
// its phases: it is applied once, at the next safe border, acknowledged and
// shown in the feed.
func TestEveryCommandInEveryPhase(t *testing.T) {
	for _, phase := range []play.Phase{
		play.PhaseObserving, play.PhaseThinking, play.PhaseActing, play.PhaseSettling, play.PhaseRecording,
	} {
		t.Run(string(phase), func(t *testing.T) {
			o := playtest.Options(t, "bramble-bedroom")
			synctest.Test(t, func(t *testing.T) {
				s := steeredIn(t, o, phase)
				s.saysAndSpeeds()
				s.pausesAndGoesOn()
				s.savesAndGoesBack()
				s.changesMinds()
				s.takesThePad()
				s.stops()
			})
		})
	}
}

func (s *steered) saysAndSpeeds() {
	s.during(step, play.Command{Kind: play.CommandSay, Text: "hello"})
	turns := s.settled("the turn", 1).Turn
	if !s.inTime() {
		s.do(step)
		turns = s.settled("the turn that hears it", turns+1).Turn
	}
	s.do(step)
	turns = s.settled("a turn that does not", turns+1).Turn
	if n := len(s.heard); n != 1 {
		s.t.Errorf("said while %s: heard %d times", s.phase, n)
	}

	s.during(step, play.Command{Kind: play.CommandSpeed, Speed: play.Speed4})
	if snap := s.settled("the turn", turns+1); snap.Speed != play.Speed4 || snap.Turn != turns+1 {
		s.t.Errorf("changed while %s: the speed is %s after %d turns", s.phase, snap.Speed, snap.Turn-turns)
	}
	s.do(play.Command{Kind: play.CommandSpeed, Speed: play.SpeedMax})
}

func (s *steered) pausesAndGoesOn() {
	turns := s.awaitPaused().Turn
	s.during(resume, play.Command{Kind: play.CommandPause})
	want := turns + 1
	if s.inTime() {
		want = turns // the turn begins again
	}
	if snap := s.awaitPaused(); snap.Turn != want || snap.PauseReason != "the operator paused" {
		s.t.Errorf("paused while %s: after %d turns, %q", s.phase, snap.Turn-turns, snap.PauseReason)
	}

	turns = want
	s.during(resume, step)
	want = turns + 2
	if s.inTime() {
		want = turns + 1 // this very one
	}
	if snap := s.settled("the step", want); snap.Turn != want {
		s.t.Errorf("stepped while %s: %d turns, want %d", s.phase, snap.Turn-turns, want-turns)
	}

	s.during(step, resume)
	s.await("play that goes on", func(snap *play.Snapshot) bool { return snap.Turn >= want+3 })
	s.pause()
}

// savesAndGoesBack saves, loads that save, goes back to the beginning and
// deletes the save: each leaves exactly the saves that it should.
func (s *steered) savesAndGoesBack() {
	before := s.awaitPaused()
	saves := len(s.saves())
	expect := func(what string, added int, rewinds uint64) {
		s.t.Helper()
		saves += added
		if n, snap := len(s.saves()), s.awaitPaused(); n != saves || snap.LoadEpoch != before.LoadEpoch+rewinds || snap.Turn > before.Turn+1 {
			s.t.Errorf("%s while %s: %d saves, want %d; %d rewinds, want %d; %d turns",
				what, s.phase, n, saves, snap.LoadEpoch-before.LoadEpoch, rewinds, snap.Turn-before.Turn)
		}
		before = s.awaitPaused()
	}
	saved := s.during(step, play.Command{Kind: play.CommandSave, Label: "here"})
	expect("saved", 1, 0)
	s.during(step, play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	expect("loaded", 1, 1)
	s.during(step, play.Command{Kind: play.CommandRestart})
	expect("restarted", 1, 1)
	s.during(step, play.Command{Kind: play.CommandDeleteSave, ID: saved.CheckpointID, Confirm: saved.CheckpointID})
	expect("deleted", -1, 0)
}

func (s *steered) changesMinds() {
	turns := s.awaitPaused().Turn
	s.during(step, play.Command{Kind: play.CommandMind, Mind: "other"})
	if snap := s.awaitPaused(); snap.Mind != "other" || snap.Turn > turns+1 {
		s.t.Errorf("changed while %s: the %s decides after %d turns", s.phase, snap.Mind, snap.Turn-turns)
	}
	s.do(play.Command{Kind: play.CommandMind, Mind: "scripted"})
}

// takesThePad takes it, presses and gives it back. While a person has it the
// sitting waits for him thinking; a press is what carries it to other phases.
func (s *steered) takesThePad() {
	s.during(step, play.Command{Kind: play.CommandTakePad})
	atThePad := func(snap *play.Snapshot) bool {
		return snap.PadTaken && snap.Mind == "operator" && snap.Phase == play.PhaseThinking
	}
	before := s.await("a person at the pad", atThePad)
	if s.phase == play.PhaseThinking {
		s.do(left)
		s.do(right)
	} else {
		s.during(left, right)
	}
	after := s.await("both presses", func(snap *play.Snapshot) bool { return atThePad(snap) && snap.Turn >= before.Turn+2 })
	synctest.Wait()
	if at := after.State.Overworld.Position; after.Turn != before.Turn+2 || at != before.State.Overworld.Position {
		s.t.Errorf("pressed while %s: %d turns led from %v to %v", s.phase, after.Turn-before.Turn, before.State.Overworld.Position, at)
	}

	give := play.Command{Kind: play.CommandGivePad}
	if s.phase == play.PhaseThinking {
		s.do(give)
	} else {
		s.during(left, give)
	}
	s.pause()
	if snap := s.awaitPaused(); snap.PadTaken || snap.Mind != "scripted" {
		s.t.Errorf("given back while %s: the %s has the pad", s.phase, snap.Mind)
	}
}

func (s *steered) stops() {
	turns := s.awaitPaused().Turn
	s.during(resume, play.Command{Kind: play.CommandStop})
	<-s.done
	want := turns + 1
	if s.inTime() {
		want = turns
	}
	if s.result.Turns != want || s.result.Outcome != play.OutcomeStopped || s.err != nil {
		s.t.Errorf("stopped while %s: %s after %d turns more, %v", s.phase, s.result.Outcome, s.result.Turns-turns, s.err)
	}
}

// TestNoPressIsLost presses while another command asks the person to stop: a
// press that was taken is played, now or when play goes on.
func TestNoPressIsLost(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	synctest.Test(t, func(t *testing.T) {
		s := start(t, o)
		s.do(play.Command{Kind: play.CommandTakePad})
		want := s.await("a person at the pad", func(snap *play.Snapshot) bool {
			return snap.PadTaken && snap.Phase == play.PhaseThinking
		}).Turn
		paused := make(chan struct{})
		for range 40 {
			go func() {
				s.do(play.Command{Kind: play.CommandPause})
				paused <- struct{}{}
			}()
			if _, err := s.Do(t.Context(), left); err == nil { // it is taken where it comes before the pause
				want++
			}
			<-paused
			s.do(resume)
			time.Sleep(time.Second) // of the bubble's clock: long enough for a press to be played
		}
		synctest.Wait()
		if snap := s.await("the last press", func(*play.Snapshot) bool { return true }); snap.Turn != want {
			t.Errorf("%d turns, want %d", snap.Turn, want)
		}
		if want == 0 {
			t.Error("no press came before its pause")
		}
	})
}
