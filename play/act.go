package play

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"clankie/emu"
)

// carryOut applies a valid decision.
func (s *Sitting) carryOut(ctx context.Context, t *trace) error {
	t.decided = true
	t.actionText = DescribeAction(t.decision.Action)
	s.adopt(t)
	s.enter(PhaseActing)
	before, err := s.observe(ctx)
	if err != nil {
		return err
	}
	t.before = &before
	before.PictureSHA256()
	t.actionStarted = s.o.Clock.Now()
	t.state = fingerprint(before)
	t.refusal = s.withheld(t)
	t.withheld = t.refusal != nil
	switch {
	case t.withheld:
	case t.decision.Action.IsBodyAction():
		err = s.actOnTime(ctx, t)
	default:
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
		s.hard.note(t.decision.Action, t.refusal, t.effect.Summary, t.state)
	} else {
		t.outcome = TurnAccepted
		s.progress.accepted++
		if t.result != nil {
			t.effect = judgeOutcome(t.decision.Action, t.result.Outcome, before, after)
			t.detail = outcomeText(t.result.Outcome)
		}
	}
	return nil
}

// adopt takes over what the decision says about notes and objective. A person's
// presses say nothing of either, and are not taken for circles of the mind's.
func (s *Sitting) adopt(t *trace) {
	if s.byHand() {
		return
	}
	d := t.decision
	if d.Notes != nil {
		s.notes = *d.Notes
	}
	s.objective.retired = "" // the view of this turn has shown it
	t.objectiveDropped = s.objective.set(d.Objective, s.lastRetired)
	stale := t.view.ObjectiveForTurns != nil && t.view.RecurringForTurns != nil && t.observed.State.Overworld != nil
	t.retired = s.objective.review(stale, s.objective.text == t.previousObjective, s.progress.states)
	if t.retired != "" {
		s.lastRetired = t.retired
	}
}

// withheld is the refusal of an action that is known to lead nowhere and is
// not dispatched at all, or nil.
func (s *Sitting) withheld(t *trace) *emu.Error {
	if refusal := s.hard.knows(t.decision.Action, t.state); refusal != nil {
		return refusal
	}
	return s.guard.withholds(t.state, actionKey(t.decision.Action))
}

func (s *Sitting) actOnBody(ctx context.Context, t *trace) error {
	id := fmt.Sprintf("free-play-action-%d", s.turn)
	r, err := s.body.Act(ctx, id, t.decision.Action, emu.FreePlayLimits)
	if emu.CoreFailed(err) || ctx.Err() != nil {
		return fmt.Errorf("act: %w", err)
	}
	if err != nil {
		// The machine is fine: something around it failed, a disk perhaps.
		t.refusal = &emu.Error{Code: emu.CodeEmulatorRejected, Message: err.Error(), Retryable: true, Err: err}
		t.pauses, t.broke = err.Error(), err
		return nil
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
	t.effect = reportedEffect(summary)
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
