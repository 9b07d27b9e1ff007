package session

import (
	"context"
	"errors"

	"clankie/emu"
)

// reasonTimeout is why an action that its deadline ended was cancelled.
const reasonTimeout = "action timeout"

// errEnded is why an action's context ends when its record already has.
var errEnded = errors.New("session: the action has ended")

// dispatch gives the first action in line to the adapter, unless one is there
// already. It is called under the lock. On disk the action stays queued until
// it has ended: after a crash both mean that it may have run.
func (r *Runtime) dispatch(s *governed) {
	if len(s.flights) == 0 || s.flights[0].began || s.broken != nil {
		return
	}
	f := s.flights[0]
	inner, leave, err := s.fence.pass(context.Background())
	if err != nil {
		// The fence was shut a moment ago; whoever did cancels what is in line.
		return
	}
	ctx, cancel := context.WithCancelCause(inner)
	f.ctx, f.cancel, f.leave, f.began = ctx, cancel, leave, true
	now := r.clock.Now()
	span := r.span(s, f.cmd)
	f.action.DeadlineAt = At(now.Add(span))
	f.stop = r.clock.AfterFunc(span, func() { r.deadline(s, f) })
	f.action.Result.Status, f.action.Result.UpdatedAt = StatusRunning, At(now)
	r.tellAction(s, f.action, f.cmd.Action.Action.Kind)
	id := s.attachment()
	go func() {
		answer, err := r.adapter.Act(ctx, id, f.cmd)
		r.landed(s, f, answer, err)
	}()
}

// deadline ends an action that took too long.
func (r *Runtime) deadline(s *governed, f *flight) {
	r.lock()
	defer r.unlock()
	if f.over || f.action.Result.Status.Terminal() {
		return
	}
	r.cancel(s, f.action, reasonTimeout)
	// What a failed write means was settled in save; the action is over regardless.
	_ = r.save(s)
}

// landed takes in what the adapter said, and lets the next action go.
func (r *Runtime) landed(s *governed, f *flight, answer emu.ActionResult, failure error) {
	r.lock()
	defer r.unlock()
	if f.over {
		return // it was given up on
	}
	f.answer, f.failure = answer, failure
	result := &f.action.Result
	if result.Status.Terminal() {
		// It was cancelled meanwhile; what it cost is true all the same.
		result.Frames, result.Inputs, result.RAMStateSHA256 = answer.Frames, answer.Inputs, answer.RAMSHA256
		f.action.settled = false
	} else {
		r.conclude(s, f, answer, failure)
	}
	r.release(s, f)
	if emu.CoreFailed(failure) {
		r.breaks(s, failure)
	}
	// What a failed write means was settled in save; the action ran and is over.
	_ = r.save(s)
	r.dispatch(s)
}

// conclude writes how an action that ran to its end ended.
func (r *Runtime) conclude(s *governed, f *flight, answer emu.ActionResult, failure error) {
	result := &f.action.Result
	if err := result.absorb(answer, failure, &s.redact); err != nil {
		result.fail(err, &s.redact)
	}
	if result.Outcome != nil {
		clean, changed, err := s.redact.json(result.Outcome)
		if err != nil {
			result.Outcome = nil
			result.fail(err, &s.redact)
		} else if changed {
			result.Outcome = clean
			f.answer.Outcome = result.OutcomeMap()
		}
	}
	result.UpdatedAt = At(r.clock.Now())
	r.tellAction(s, f.action, f.cmd.Action.Action.Kind)
}

// release takes an action out of the line.
func (r *Runtime) release(s *governed, f *flight) {
	if f.stop != nil {
		f.stop()
		f.stop = nil
	}
	if f.cancel != nil {
		f.cancel(errEnded)
		f.leave()
	}
	for i, other := range s.flights {
		if other == f {
			s.flights = append(s.flights[:i:i], s.flights[i+1:]...)
			break
		}
	}
	f.over = true
	close(f.done)
}

// cancel ends an action now: its record is final, its context ends, and the
// adapter has a while to return. The caller saves.
func (r *Runtime) cancel(s *governed, a *action, why string) {
	if a.Result.Status.Terminal() {
		return
	}
	a.Result.Status, a.Result.UpdatedAt = StatusCancelled, At(r.clock.Now())
	a.Result.Reason = s.redact.reason(why)
	f := s.flight(a.Result.ActionID)
	if f == nil {
		r.tellAction(s, a, "")
		return
	}
	r.tellAction(s, a, f.cmd.Action.Action.Kind)
	if !f.began {
		r.release(s, f)
		return
	}
	f.cancel(errEnded)
	if f.stop != nil {
		f.stop()
	}
	f.stop = r.clock.AfterFunc(2*adapterPatience, func() { r.giveUp(s, f) })
}

// cancelAll ends every action that has not ended.
func (r *Runtime) cancelAll(s *governed, why string) {
	for _, a := range s.actions.order {
		r.cancel(s, a, why)
	}
}

// endOverdue ends actions whose deadline has passed: those of an earlier
// program too, for which no timer runs.
func (r *Runtime) endOverdue(s *governed) (ended bool) {
	now := r.clock.Now()
	for _, a := range s.actions.order {
		waiting := s.flight(a.Result.ActionID)
		if a.Result.Status.Terminal() || now.Before(a.DeadlineAt.Time()) || waiting != nil && !waiting.began {
			continue // one in line gets its time when its turn comes
		}
		r.cancel(s, a, reasonTimeout)
		ended = true
	}
	return ended
}

// giveUp goes on without an adapter that does not return. Its machine is in
// an unknown state, so nothing more is dispatched in this session.
func (r *Runtime) giveUp(s *governed, f *flight) {
	r.lock()
	defer r.unlock()
	if f.over {
		return
	}
	f.failure = errHung
	r.release(s, f)
	r.breaks(s, errHung)
	// What a failed write means was settled in save.
	_ = r.save(s)
}

// breaks takes in that the machine is gone: what is in line fails.
func (r *Runtime) breaks(s *governed, why error) {
	s.broken = why
	for len(s.flights) > 0 {
		waiting := s.flights[0]
		waiting.failure = why
		waiting.action.Result.fail(why, &s.redact)
		waiting.action.Result.UpdatedAt = At(r.clock.Now())
		r.tellAction(s, waiting.action, waiting.cmd.Action.Action.Kind)
		r.release(s, waiting)
	}
}
