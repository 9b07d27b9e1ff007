package session

import (
	"context"
	"fmt"
	"time"

	"clankie/emu"
)

// flight is one action between its registration and the adapter's return.
type flight struct {
	cmd    Command
	action *action
	ctx    context.Context
	cancel context.CancelCauseFunc
	leave  func() // out of the fence
	began  bool
	stop   func() // the timer that ends it; nil when none runs

	// done is closed when the action has ended and the adapter is through with
	// it. Then answer and failure are what the adapter said, if it began.
	done    chan struct{}
	over    bool
	answer  emu.ActionResult
	failure error
}

// StartAction registers an action on disk, dispatches it and returns how it
// stands. An id that is known is not dispatched again: its result is returned.
// Await waits for the end.
func (r *Runtime) StartAction(token string, cmd Command) (Result, error) {
	result, _, err := r.start(token, cmd)
	return result, err
}

// start is StartAction and returns the flight too, or nil when nothing was
// dispatched.
func (r *Runtime) start(token string, cmd Command) (result Result, f *flight, err error) {
	if err := cmd.Validate(); err != nil {
		return Result{}, nil, err
	}
	s, err := r.find(cmd.SessionID)
	if err != nil {
		return Result{}, nil, err
	}
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		if known := s.actions.byID[cmd.ActionID]; known != nil {
			result, f = known.Result, s.flight(cmd.ActionID)
			return r.save(s)
		}
		r.endOverdue(s)
		if err := s.ready(); err != nil {
			return r.refuse(s, err)
		}
		if expected := cmd.Context.ExpectedGoalVersion; expected != s.Spec.InitialGoalVersion {
			result = r.stale(s, cmd)
			return r.save(s)
		}
		f, err = r.register(s, cmd)
		if err != nil {
			return err
		}
		r.dispatch(s)
		result = f.action.Result
		return nil
	})
	return result, f, err
}

// ready says why the body may not move now, or nil.
func (s *governed) ready() error {
	switch {
	case s.broken != nil:
		return s.broken
	case s.Phase == PhaseActive:
		return nil
	case s.Phase == PhasePaused:
		return errPaused
	case s.Phase == PhaseStarting:
		return fmt.Errorf("session: it is still starting")
	}
	return errStopped
}

var errHung = &emu.Error{Code: emu.CodeCoreHung, Message: "the machine did not come back from an action"}

// register writes that the action will be dispatched. Only after that may it
// be.
func (r *Runtime) register(s *governed, cmd Command) (*flight, error) {
	accepted := s.Spec.InitialGoalVersion
	result := r.newResult(s, cmd, StatusQueued)
	result.AcceptedGoalVersion = &accepted
	a := s.actions.add(cmd.ActionID, actionFile{Result: result, DeadlineAt: At(r.clock.Now().Add(r.span(s, cmd)))})
	if err := r.save(s); err != nil {
		s.actions.drop(cmd.ActionID)
		return nil, err
	}
	f := &flight{cmd: cmd, action: a, done: make(chan struct{})}
	s.flights = append(s.flights, f)
	r.tellAction(s, a, cmd.Action.Action.Kind)
	return f, nil
}

// span is the time an action has: what its limits grant, and as long as its
// frames last at the current pace.
func (r *Runtime) span(s *governed, cmd Command) time.Duration {
	limits := cmd.Action.Limits
	return time.Duration(limits.TimeoutMS)*time.Millisecond + r.adapter.Span(s.attachment(), limits)
}

func (r *Runtime) newResult(s *governed, cmd Command, status Status) Result {
	return Result{
		SchemaVersion: 1, ActionID: cmd.ActionID, SessionID: s.Spec.SessionID,
		UpdatedAt: At(r.clock.Now()), Status: status,
	}
}

// stale answers an action that was meant for another version of the goal. It
// is not registered: asked for again with the right version, it may run.
func (r *Runtime) stale(s *governed, cmd Command) Result {
	result := r.newResult(s, cmd, StatusStale)
	expected, current := cmd.Context.ExpectedGoalVersion, s.Spec.InitialGoalVersion
	result.ExpectedGoalVersion, result.CurrentGoalVersion = &expected, &current
	return result
}

func (s *governed) flight(actionID string) *flight {
	for _, f := range s.flights {
		if f.cmd.ActionID == actionID {
			return f
		}
	}
	return nil
}

// ActionStatus returns how an action stands.
func (r *Runtime) ActionStatus(token, sessionID, actionID string) (Result, error) {
	s, err := r.find(sessionID)
	if err != nil {
		return Result{}, err
	}
	var result Result
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		a := s.actions.byID[actionID]
		if a == nil {
			return r.refuse(s, ErrUnknownAction)
		}
		result = a.Result
		return r.save(s)
	})
	return result, err
}

// CancelAction ends an action that has not ended, and returns how it stands.
func (r *Runtime) CancelAction(token, sessionID, actionID, why string) (Result, error) {
	s, err := r.find(sessionID)
	if err != nil {
		return Result{}, err
	}
	var result Result
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		a := s.actions.byID[actionID]
		if a == nil {
			return r.refuse(s, ErrUnknownAction)
		}
		r.cancel(s, a, why)
		result = a.Result
		return r.save(s)
	})
	return result, err
}

// Await waits until an action has ended and its body is through with it, or
// until ctx ends.
func (r *Runtime) Await(ctx context.Context, token, sessionID, actionID string) (Result, error) {
	s, err := r.find(sessionID)
	if err != nil {
		return Result{}, err
	}
	var f *flight
	if err := r.change(func() error {
		if !s.holds(token) {
			return ErrCapabilityRejected
		}
		f = s.flight(actionID)
		return nil
	}); err != nil {
		return Result{}, err
	}
	if f != nil {
		select {
		case <-f.done:
		case <-ctx.Done():
			return Result{}, ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f != nil {
		return f.action.Result, nil
	}
	if a := s.actions.byID[actionID]; a != nil {
		return a.Result, nil
	}
	return Result{}, ErrUnknownAction
}
