package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"clankie/emu"
)

// trace is everything that one turn leaves behind.
type trace struct {
	observed emu.Observed // what the decision was about
	view     View
	decision Decision
	decided  bool // decision is valid
	outcome  string
	detail   string
	effect   Effect

	before, after *emu.Observed // around the action; nil when none was taken
	result        *emu.ActionResult
	bodySummary   string // what the checkpoint port reported
	refusal       *emu.Error
	withheld      bool  // refused without being dispatched to anybody
	broke         error // why nobody answered the action
	actionText    string

	previousNotes     string
	previousObjective string
	progressBefore    ProgressReport
	suppressed        bool
	pauses            string     // why the mind's failure pauses play at once
	spent             bool       // it pauses because a cap is reached
	retired           string     // the objective that was given up this turn
	objectiveDropped  bool       // he proposed again what was just given up
	state             emu.Digest // semantic state right before the action
	preemptions       int        // how often the mind started over
	saidTimes         int        // how often something had been said when the view was made

	decisionStarted, decisionSettled time.Time
	actionStarted, actionSettled     time.Time
}

// Outcomes of a turn.
const (
	TurnAccepted = "accepted"
	TurnRejected = "rejected_by_adapter"
	TurnInvalid  = "invalid_decision"
	TurnFailed   = "mind_failed"
)

// takeTurn plays one turn. settled is false when the mind was interrupted:
// the turn begins again under its number. The error means that the machine is
// gone or ctx ended.
func (s *Sitting) takeTurn(ctx context.Context) (settled bool, err error) {
	s.enter(PhaseObserving)
	observed, err := s.observe(ctx)
	if err != nil {
		return false, err
	}
	if s.serveWaiting(ctx) {
		return false, nil
	}
	t := &trace{
		observed:      observed,
		previousNotes: s.notes, previousObjective: s.objective.text,
		progressBefore: s.progressReport(), decisionStarted: s.o.Clock.Now(),
	}
	s.show(t)
	s.enter(PhaseThinking)
	err = s.decide(ctx, t)
	t.decisionSettled = s.o.Clock.Now()
	switch {
	case errors.Is(err, errPreempted):
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case emu.CoreFailed(err):
		return false, err
	case err != nil:
		t.outcome, t.detail = TurnFailed, detailOf(err)
		t.pauses, t.spent = pausesPlay(err)
	case t.outcome == "":
		if err := s.carryOut(ctx, t); err != nil {
			s.recordBroken(t, err)
			return false, err
		}
	}
	t.preemptions, s.preemptions = s.preemptions, 0
	if t.decided && t.view.Interjection != "" && t.saidTimes == s.saidTimes {
		s.interjection = "" // it was heard; anything newer waits for the next turn
	}
	return true, s.settle(ctx, t)
}

// show makes the view that the mind decides on.
func (s *Sitting) show(t *trace) { t.view, t.saidTimes = s.view(t.observed), s.saidTimes }

// decide asks the mind and, when its answer breaks the schema, once more, with
// what was wrong in the history it reads. A second such answer is the turn's
// outcome.
func (s *Sitting) decide(ctx context.Context, t *trace) error {
	for attempt := 0; ; attempt++ {
		decision, err := s.think(ctx, t.view)
		if err != nil && !isInvalid(err) {
			return err
		}
		t.decision = decision
		invalid := err
		if invalid == nil {
			invalid = decision.Validate()
		}
		if invalid == nil {
			return nil
		}
		if attempt > 0 {
			t.outcome, t.detail = TurnInvalid, detailOf(invalid)
			return nil
		}
		s.memory.remember(HistoryEntry{Outcome: TurnInvalid, Effect: detailOf(invalid)})
		s.show(t)
	}
}

// detailOf is a mind's error as it is told, recorded and read: safe to show, and
// bounded, whatever it says.
func detailOf(err error) string { return emu.Clip(emu.Clean(err.Error()), MaxDetail) }

// pausesPlay is why a mind's error should pause play instead of being tried
// again, "" when it should not: a cap that is reached, a key that is refused.
// spent is true for a cap.
func pausesPlay(err error) (why string, spent bool) {
	var stopper interface {
		PausesPlay() (why string, pauses bool)
	}
	if !errors.As(err, &stopper) {
		return "", false
	}
	why, pauses := stopper.PausesPlay()
	if !pauses {
		return "", false
	}
	var limit interface{ SpendsNoMore() bool }
	return why, errors.As(err, &limit) && limit.SpendsNoMore()
}

// isInvalid reports whether a mind's error says that it answered and that the
// answer, not the asking, is at fault.
func isInvalid(err error) bool {
	var invalid interface{ InvalidDecision() bool }
	return errors.As(err, &invalid) && invalid.InvalidDecision()
}

// view collects what the mind may know.
func (s *Sitting) view(o emu.Observed) View {
	v := View{
		Turn: s.turn, Observed: o,
		RefusedHere:        s.memory.refusedAt(o),
		StalledForTurns:    s.progress.stalled(o.State.Overworld != nil),
		RepeatingForTurns:  s.progress.repeating(),
		RecurringForTurns:  s.progress.recurring(),
		LocaleForTurns:     atLeast(s.progress.localeTurns, stallThreshold),
		LearnedTransitions: s.memory.transitionsFrom(o),
		Offers:             s.offers(o),
		Notes:              s.notes, Objective: s.objective.text,
		RetiredObjective: s.objective.retired, ObjectiveRecovery: s.objective.loop != nil,
		KnownHardFailures: s.hard.in(fingerprint(o)),

		VerifiedInteractions: s.memory.interactionsOn(o),
		History:              append([]HistoryEntry(nil), s.memory.history...),
		Checkpoints:          s.o.Port != nil,
		Audience:             emu.Clip(emu.Clean(s.o.Audience), MaxAudience),
	}
	if _, pad := s.mind.(PadHolder); !pad { // who said it needs not hear it
		v.Interjection = s.interjection
	}
	v.ObjectiveForTurns = atLeast(s.objective.held, stallThreshold)
	if s.lastSpoke >= 0 {
		since := s.turn - s.lastSpoke
		v.TurnsSinceSpoke = &since
	}
	return v
}

// offers say what can be done, less what the guard withholds.
func (s *Sitting) offers(o emu.Observed) []Offer {
	return s.guard.offers(fingerprint(o), OfferedActions(o.State, s.o.Port != nil))
}

// errPreempted ends thinking because the question has changed.
var errPreempted = errors.New("play: preempted")

// thinkingGrace is how long an answer may take before the world runs on
// meanwhile. A mind that answers at once costs no idle frame.
const thinkingGrace = 2 * time.Millisecond

// think asks the mind and meanwhile serves requests and, unless the speed is
// max, lets the world run on frame by frame.
func (s *Sitting) think(ctx context.Context, v View) (Decision, error) {
	thinking, cancel := context.WithCancel(ctx)
	defer cancel()
	asked, answer := s.mind, s.askMind(thinking, v)
	deadline, stop := s.deadline()
	defer stop()
	grace := time.NewTimer(thinkingGrace)
	defer grace.Stop()
	idle := grace.C
	for {
		select {
		case a := <-answer:
			return a.decision, a.err
		case r := <-s.requests:
			s.serve(ctx, r)
			if s.preempts(r) {
				cancel()
				keepPress(asked, answer)
				return Decision{}, errPreempted
			}
		case <-deadline:
			return Decision{}, fmt.Errorf("no answer within %s", s.o.DecisionDeadline)
		case <-s.timeUp:
			s.timeIsUp = true
			return Decision{}, errPreempted
		case <-ctx.Done():
			return Decision{}, ctx.Err()
		case <-idle:
			if s.pace().Unpaced() {
				idle = nil
				continue
			}
			if err := s.body.Idle(ctx, 1); err != nil {
				return Decision{}, err
			}
			idle = alwaysReady
		}
		if !s.pace().Unpaced() && idle == nil {
			idle = alwaysReady
		}
	}
}

// keepPress hands a press back that came at the very moment of a command: it
// was taken from the person and waits for the next turn. Whoever holds the pad
// answers as soon as he is not waited for any more.
func keepPress(asked Mind, answer <-chan answer) {
	holder, ok := asked.(PadHolder)
	if !ok {
		return
	}
	if a := <-answer; a.err == nil {
		holder.Press(a.decision.Action)
	}
}

// deadline fires when the mind has had its time; never for a person at the
// pad, and never without a bound. stop lets go of the timer.
func (s *Sitting) deadline() (fires <-chan time.Time, stop func()) {
	if s.byHand() || s.o.DecisionDeadline <= 0 {
		return nil, func() {}
	}
	t := time.NewTimer(s.o.DecisionDeadline)
	return t.C, func() { t.Stop() }
}

// alwaysReady makes the idle case of think run whenever nothing else is due.
var alwaysReady = func() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}()

// preempts decides whether a request that was just served makes the mind
// start over. A message does so a bounded number of times per turn; a pad
// holder thinks about nothing and is never interrupted by one.
func (s *Sitting) preempts(r request) bool {
	if r.rethink {
		return true
	}
	if !r.say || s.byHand() || s.preemptions >= preemptionsPerTurn {
		return false
	}
	s.preemptions++
	return true
}

type answer struct {
	decision Decision
	err      error
}

// askMind runs the mind in a goroutine of its own, so that one which ignores
// its context is abandoned and one which panics fails its turn only.
func (s *Sitting) askMind(ctx context.Context, v View) <-chan answer {
	mind := s.mind
	out := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				out <- answer{err: fmt.Errorf("the %s panicked: %v", mind.Name(), p)}
			}
		}()
		d, err := mind.Decide(ctx, v)
		out <- answer{d, err}
	}()
	return out
}
