package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"clankie/emu"
	"clankie/emu/session/evidence"
)

// callPatience bounds calls to the machine that are no actions, before the
// time their frames take.
const callPatience = 5 * time.Second

// Info implements [emu.Body].
func (b *Body) Info() emu.BodyInfo {
	info := b.adapter.info
	info.SessionID = b.session
	return info
}

// Act implements [emu.Body]. An id that was used is not executed again: the
// answer it got is returned.
func (b *Body) Act(ctx context.Context, id string, a emu.Action, limits emu.Limits) (emu.ActionResult, error) {
	defer b.watch.begin()()
	var f *flight
	var known Result
	err := b.leased(func() (err error) {
		known, f, err = b.runtime.start(b.token, b.command(id, a, limits))
		return err
	})
	if err != nil {
		return b.refused(ctx, err)
	}
	if f == nil {
		return known.actionResult(), nil
	}
	if !b.watch.over(f.done, ctx.Done()) {
		_, _ = b.runtime.CancelAction(b.token, b.session, id, "cancelled by the caller") // it may just have ended
		b.watch.over(f.done, nil)
	}
	result, err := b.landed(f)
	if err != nil {
		return result, err
	}
	return b.digested(ctx, result), nil
}

// landed answers an action that has ended, with what the machine said where
// the record agrees.
func (b *Body) landed(f *flight) (emu.ActionResult, error) {
	b.runtime.mu.Lock()
	result, answer, failure := f.action.Result, f.answer, f.failure
	b.runtime.mu.Unlock()
	if emu.CoreFailed(failure) {
		answer.Status, answer.Outcome = emu.StatusFailed, nil
		return answer, failure
	}
	if result.Status == StatusCompleted && answer.Status == emu.StatusCompleted {
		return answer, nil
	}
	return result.actionResult(), nil
}

// refused turns a refusal of the session into a result, one for want of a
// record too: the machine is there. What ends the session for good is an error.
func (b *Body) refused(ctx context.Context, err error) (emu.ActionResult, error) {
	result := emu.ActionResult{Status: emu.StatusFailed}
	refusal := (*emu.Error)(nil)
	switch {
	case errors.Is(err, ErrLeaseRevoked), errors.Is(err, ErrClosed), errors.Is(err, errStopped):
		return result, errStopped
	case !errors.As(err, &refusal), emu.CoreFailed(err):
		return result, err
	}
	result.Err = refusal
	return b.digested(ctx, result), nil
}

// digested completes the result of an action that was refused before it came
// to the machine.
func (b *Body) digested(ctx context.Context, r emu.ActionResult) emu.ActionResult {
	if r.RAMSHA256 != "" {
		return r
	}
	if observed, err := b.Observe(context.WithoutCancel(ctx)); err == nil {
		r.RAMSHA256 = observed.RAM()
	}
	return r
}

func (b *Body) command(id string, a emu.Action, limits emu.Limits) Command {
	b.commands++
	return Command{
		SchemaVersion: 1, CommandID: fmt.Sprintf("%s-%d", b.prefix, b.commands),
		Context: Context{
			SourceLane: LaneGameplay, Authority: autonomous(b.adapter.info), CorrelationID: b.session,
		},
		RequestedAt: At(b.clock.Now()), Type: commandStartAction, SessionID: b.session, ActionID: id,
		Action: Request{Kind: requestKind, Action: a, Limits: limits},
	}
}

// leased does f. When the lease has expired it renews it once and does f once
// more: the holder is still there, it only took its time.
func (b *Body) leased(f func() error) error {
	err := f()
	if expired := (*LeaseExpiredError)(nil); !errors.As(err, &expired) {
		return err
	}
	if err := b.runtime.Renew(b.token, b.session); err != nil {
		return err
	}
	return f()
}

// Observe implements [emu.Body]. A paused body can be observed, a stopped one
// cannot.
func (b *Body) Observe(ctx context.Context) (emu.Observed, error) {
	if err := b.observable(); err != nil {
		return emu.Observed{}, err
	}
	return ask(ctx, b, callPatience, func(ctx context.Context, body emu.Body) (emu.Observed, error) {
		return body.Observe(ctx)
	})
}

// Storage implements [emu.Storekeeper], where the machine's body does.
func (b *Body) Storage(ctx context.Context) (emu.Storage, error) {
	if err := b.observable(); err != nil {
		return emu.Storage{}, err
	}
	return ask(ctx, b, callPatience, func(ctx context.Context, body emu.Body) (emu.Storage, error) {
		keeper, ok := body.(emu.Storekeeper)
		if !ok {
			return emu.Storage{}, &emu.Error{Code: emu.CodeStorageUnavailable, Message: "this body has no storage"}
		}
		return keeper.Storage(ctx)
	})
}

// observable says why the body must not be looked at, or nil.
func (b *Body) observable() error {
	s, err := b.runtime.find(b.session)
	if err != nil {
		return errStopped
	}
	if s.fence.open() != nil {
		return errStopped
	}
	if !b.adapter.observes() {
		return notGranted(CapabilityObserve)
	}
	return nil
}

// Input returns what observations of o are made from: with whether the
// evidence holds, and how actions stand.
func (b *Body) Input(o emu.Observed) emu.ObservationInput {
	in := o.Input(b.Info())
	in.Uncertain = b.adapter.Uncertain()
	in.ActionOf = b.actionData
	return in
}

func (b *Body) actionData(id string) (emu.ActionData, bool) {
	s, err := b.runtime.find(b.session)
	if err != nil {
		return emu.ActionData{}, false
	}
	b.runtime.mu.Lock()
	defer b.runtime.mu.Unlock()
	a := s.actions.byID[id]
	if a == nil {
		return emu.ActionData{}, false
	}
	return emu.ActionData{ActionID: id, Status: emu.ActionStatus(a.Result.Status), Summary: a.Result.summary()}, true
}

// Idle implements [emu.Body]. Idle frames move the machine, so they need the
// lease like an action does.
func (b *Body) Idle(ctx context.Context, n int) error {
	return b.leased(func() error {
		ctx, leave, err := b.runtime.pass(ctx, b.token, b.session)
		if err != nil {
			return err
		}
		defer leave()
		for left := n; left > 0 && err == nil; left -= idleChunk {
			err = b.idle(ctx, min(left, idleChunk))
		}
		if cause := context.Cause(ctx); err != nil && emu.CodeOf(cause) != "" {
			return cause // paused or stopped from elsewhere
		}
		return err
	})
}

// idleChunk is how many idle frames are waited for at once: few enough that a
// slow machine is not taken for one that hangs.
const idleChunk = 60

func (b *Body) idle(ctx context.Context, n int) error {
	_, err := ask(ctx, b, callPatience+b.adapter.span(n), func(ctx context.Context, body emu.Body) (struct{}, error) {
		return struct{}{}, body.Idle(ctx, n)
	})
	return err
}

// SetPace implements [emu.Body].
func (b *Body) SetPace(p emu.Pace) {
	b.adapter.mu.Lock()
	b.adapter.pace = p
	b.adapter.mu.Unlock()
	// A machine that is gone has no pace.
	_, _ = ask(context.Background(), b, callPatience, func(_ context.Context, body emu.Body) (struct{}, error) {
		body.SetPace(p)
		return struct{}{}, nil
	})
}

// CaptureState implements [emu.Body].
func (b *Body) CaptureState(ctx context.Context) ([]byte, error) {
	if err := b.observable(); err != nil {
		return nil, err
	}
	return ask(ctx, b, callPatience, func(ctx context.Context, body emu.Body) ([]byte, error) {
		return body.CaptureState(ctx)
	})
}

// RestoreState implements [emu.Body]. It runs no frames, so it works while
// paused; whoever paused to go back can.
func (b *Body) RestoreState(ctx context.Context, state, preview []byte) error {
	if err := b.observable(); err != nil {
		return err
	}
	_, err := ask(ctx, b, callPatience, func(ctx context.Context, body emu.Body) (struct{}, error) {
		return struct{}{}, body.RestoreState(ctx, state, preview)
	})
	return err
}

// Counters implements [emu.Body].
func (b *Body) Counters() (frames, inputs uint64) {
	type counted struct{ frames, inputs uint64 }
	// A machine that is gone is asked no more; it counted nothing since.
	c, err := ask(context.Background(), b, callPatience, func(_ context.Context, body emu.Body) (counted, error) {
		frames, inputs := body.Counters()
		return counted{frames, inputs}, nil
	})
	if err == nil {
		b.watch.counted = [2]uint64{c.frames, c.inputs}
	}
	return b.watch.counted[0], b.watch.counted[1]
}

// Pause keeps the body from moving; see [Runtime.Pause].
func (b *Body) Pause(why string) error {
	return b.leased(func() error { return b.runtime.Pause(b.token, b.session, why) })
}

// Resume ends a pause.
func (b *Body) Resume() error {
	return b.leased(func() error { return b.runtime.Resume(b.token, b.session) })
}

// CancelAction ends an action that is under way.
func (b *Body) CancelAction(id, why string) error {
	_, err := b.runtime.CancelAction(b.token, b.session, id, why)
	return err
}

// EmergencyStop ends the session at once; see [Runtime.EmergencyStop].
func (b *Body) EmergencyStop(why string) error { return b.runtime.EmergencyStop(b.session, why) }

// Session returns a snapshot of the session.
func (b *Body) Session() Snapshot {
	for _, s := range b.runtime.List() {
		if s.Spec.SessionID == b.session {
			return s
		}
	}
	return Snapshot{}
}

// Trace returns the evidence so far.
func (b *Body) Trace() evidence.Trace { return b.adapter.Trace() }

// Uncertain reports whether the evidence is broken.
func (b *Body) Uncertain() bool { return b.adapter.Uncertain() }

// MarkUncertain breaks the evidence for good; see [BodyAdapter.MarkUncertain].
func (b *Body) MarkUncertain() { b.adapter.MarkUncertain() }
