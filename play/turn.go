package play

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	actionText    string

	previousNotes     string
	previousObjective string
	progressBefore    ProgressReport
	suppressed        bool
	preemptions       int // how often the mind started over

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
	t := &trace{
		observed: observed, view: s.view(observed),
		previousNotes: s.notes, previousObjective: s.objective,
		progressBefore: s.progressReport(), decisionStarted: s.o.Clock.Now(),
	}
	s.enter(PhaseThinking)
	decision, err := s.think(ctx, t.view)
	t.decisionSettled = s.o.Clock.Now()
	switch {
	case errors.Is(err, errPreempted):
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case emu.CoreFailed(err):
		return false, err
	case err != nil:
		t.outcome, t.detail = TurnFailed, err.Error()
	default:
		t.decision = decision
		if invalid := decision.Validate(); invalid != nil {
			t.outcome, t.detail = TurnInvalid, invalid.Error()
		} else if err := s.carryOut(ctx, t); err != nil {
			return false, err
		}
	}
	t.preemptions = s.preemptions
	s.interjection, s.preemptions = "", 0
	return true, s.settle(ctx, t)
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
		Notes:              s.notes, Objective: s.objective,
		Interjection: s.interjection,
		History:      append([]HistoryEntry(nil), s.memory.history...),
		Checkpoints:  s.o.Port != nil,
	}
	if s.objective != "" {
		v.ObjectiveForTurns = atLeast(s.progress.objectiveHeld, stallThreshold)
	}
	if s.lastSpoke >= 0 {
		since := s.turn - s.lastSpoke
		v.TurnsSinceSpoke = &since
	}
	return v
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
	answer := s.askMind(thinking, v)
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
				return Decision{}, errPreempted
			}
		case <-ctx.Done():
			return Decision{}, ctx.Err()
		case <-idle:
			if s.speed == SpeedMax {
				idle = nil
				continue
			}
			if err := s.body.Idle(ctx, 1); err != nil {
				return Decision{}, err
			}
			idle = alwaysReady
		}
		if s.speed != SpeedMax && idle == nil {
			idle = alwaysReady
		}
	}
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
	if _, pad := s.mind.(PadHolder); !r.say || pad || s.preemptions >= preemptionsPerTurn {
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

// carryOut applies a valid decision.
func (s *Sitting) carryOut(ctx context.Context, t *trace) error {
	t.decided = true
	t.actionText = DescribeAction(t.decision.Action)
	s.adopt(t.decision)
	s.enter(PhaseActing)
	before, err := s.observe(ctx)
	if err != nil {
		return err
	}
	t.before = &before
	before.PictureSHA256()
	t.actionStarted = s.o.Clock.Now()
	if t.decision.Action.IsBodyAction() {
		err = s.actOnTime(ctx, t)
	} else {
		err = s.actOnBody(ctx, t)
	}
	t.actionSettled = s.o.Clock.Now()
	if err != nil {
		return err
	}
	s.enter(PhaseSettling)
	after, err := s.observe(ctx)
	if err != nil {
		return err
	}
	t.after = &after
	if t.refusal != nil {
		t.outcome, t.detail = TurnRejected, t.refusal.Error()
		t.effect = rejectedEffect(t.refusal)
	} else {
		t.outcome = TurnAccepted
		s.progress.accepted++
		if t.result != nil {
			t.effect = judge(t.decision.Action, before, after)
			t.detail = outcomeText(t.result.Outcome)
		}
	}
	return nil
}

// adopt takes over what the decision says about notes and objective.
func (s *Sitting) adopt(d Decision) {
	if d.Notes != nil {
		s.notes = *d.Notes
	}
	if d.Objective == nil {
		s.progress.objectiveHeld++
		return
	}
	if next := trimmed(*d.Objective); next != s.objective {
		s.objective, s.progress.objectiveHeld = next, 1
	} else {
		s.progress.objectiveHeld++
	}
	if s.objective == "" {
		s.progress.objectiveHeld = 0
	}
}

func (s *Sitting) actOnBody(ctx context.Context, t *trace) error {
	id := fmt.Sprintf("free-play-action-%d", s.turn)
	r, err := s.body.Act(ctx, id, t.decision.Action, emu.FreePlayLimits)
	if err != nil {
		return fmt.Errorf("act: %w", err)
	}
	t.result = &r
	if r.Status != emu.StatusCompleted {
		t.refusal = r.Err
		if t.refusal == nil {
			t.refusal = &emu.Error{Code: emu.CodeEmulatorRejected, Message: "the action was " + string(r.Status)}
		}
	}
	return nil
}

// actOnTime sends one of the three body actions to the checkpoint port.
func (s *Sitting) actOnTime(ctx context.Context, t *trace) error {
	summary, err := s.timeAction(ctx, t.decision.Action)
	if emu.CoreFailed(err) {
		return err
	}
	if err != nil {
		var refusal *emu.Error
		if !errors.As(err, &refusal) {
			refusal = &emu.Error{Code: emu.CodeEmulatorRejected, Message: err.Error(), Err: err}
		}
		t.refusal = refusal
		return nil
	}
	t.bodySummary = summary
	t.effect = effect(summary, "")
	s.post(EventSave, summary)
	return nil
}

// checkpointListing is how many saves a listing shows the mind.
const checkpointListing = 6

func (s *Sitting) timeAction(ctx context.Context, a emu.Action) (string, error) {
	switch a.Kind {
	case emu.ActionSaveCheckpoint:
		saved, err := s.save(ctx, a.Label, ReasonExplicit)
		return "saved as " + saved.Entry.ID, err
	case emu.ActionLoadCheckpoint:
		if a.CheckpointID == "" {
			return s.listing(ctx)
		}
		r, err := s.load(ctx, a.CheckpointID)
		return r.describe(), err
	}
	r, err := s.restart(ctx, "")
	return r.describe(), err
}

// listing is what the mind learns when it asks what it could load.
func (s *Sitting) listing(ctx context.Context) (string, error) {
	if s.o.Port == nil {
		return "", noPort()
	}
	all, err := s.o.Port.List(ctx)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, e := range all {
		if e.Loadable() && len(lines) < checkpointListing {
			lines = append(lines, e.ID+" ("+e.Place+")")
		}
	}
	if len(lines) == 0 {
		return "there is no save to load yet", nil
	}
	return "saves, newest first: " + strings.Join(lines, ", "), nil
}

// settle draws the conclusions of a turn, writes it down and shows it.
func (s *Sitting) settle(ctx context.Context, t *trace) error {
	s.conclude(t)
	s.speak(t)
	s.enter(PhaseRecording)
	s.recordTurn(t)
	s.showTurn(t)
	s.turn++
	return s.backOff(ctx, t)
}

// conclude updates progress and memory.
func (s *Sitting) conclude(t *trace) {
	entry := HistoryEntry{Outcome: t.outcome, Effect: t.effect.Summary}
	if !t.decided {
		s.failures++
		entry.Effect = emu.Clip(t.detail, MaxEffect)
		s.memory.remember(entry)
		return
	}
	s.failures = 0
	act := t.decision.Action
	entry.Intent, entry.Action = t.decision.Intent, &act
	if t.effect.Advice != "" {
		entry.Effect += "; " + t.effect.Advice
	}
	s.memory.remember(entry)
	s.progress.showed(t.effect.Summary)
	s.progress.ended(*t.after)
	s.progress.state(fingerprint(*t.after))
	s.learn(t)
}

// learn remembers what the turn taught about tiles and ways.
func (s *Sitting) learn(t *trace) {
	b, a := t.before.State.Overworld, t.after.State.Overworld
	d := emu.DirectionOf(t.decision.Action.Button)
	if b == nil || a == nil || d == "" || t.before.LoadEpoch != t.after.LoadEpoch {
		return
	}
	switch {
	case t.effect.Blocked:
		s.memory.refuse(b.Position, d)
	case a.Position != b.Position:
		s.memory.leave(b.Position, d)
	}
	if a.Position.MapID != b.Position.MapID {
		s.memory.learn(Transition{From: b.Position, Facing: b.Facing, Action: t.decision.Action, To: a.Position.MapID})
	}
}

// speakCooldown is how many turns lie between two remarks aloud.
const speakCooldown = 4

// speak gates what the mind wants to say aloud. The wish is kept either way.
func (s *Sitting) speak(t *trace) {
	s.volition.offered++
	if !t.decided || blank(t.decision.Speak) {
		return
	}
	if s.lastSpoke >= 0 && s.turn-s.lastSpoke < speakCooldown {
		t.suppressed = true
		s.volition.suppressed++
		return
	}
	s.lastSpoke = s.turn
	s.volition.taken++
}

func (s *Sitting) showTurn(t *trace) {
	e := TurnEvent{
		Turn: s.turn, Mind: s.mind.Name(), Outcome: t.outcome, Objective: s.objective,
		Effect: t.effect.Summary, Advice: t.effect.Advice, Action: t.actionText,
	}
	if t.decided {
		e.Thought, e.Intent = t.decision.Monologue, t.decision.Intent
		if !t.suppressed && t.decision.Speak != nil {
			e.Speak = *t.decision.Speak
		}
		if t.decision.Reply != nil {
			e.Reply = *t.decision.Reply
		}
	} else {
		e.Effect = emu.Clip(t.detail, MaxDetail)
	}
	s.postTurn(e)
}

// backOff waits longer after each failed decision in a row, and after the
// fifth pauses and tells the operator: nothing spins.
func (s *Sitting) backOff(ctx context.Context, t *trace) error {
	if s.failures == 0 {
		return nil
	}
	if s.failures >= failuresToPause {
		why := fmt.Sprintf("%d decisions in a row failed, last: %s", s.failures, emu.Clean(t.detail))
		s.post(EventError, why+"; /resume tries again")
		s.pause(why)
		return nil
	}
	wait := time.Second << (s.failures - 1)
	select {
	case <-time.After(wait):
	case r := <-s.requests:
		s.serve(ctx, r)
	case <-ctx.Done():
	}
	return nil
}

func trimmed(s string) string { return emu.Clip(strings.TrimSpace(s), MaxObjective) }

func blank(s *string) bool { return s == nil || strings.TrimSpace(*s) == "" }
