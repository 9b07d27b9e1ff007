package session

import (
	"context"
	"fmt"
	"sync"
	"time"

	"clankie/emu"
)

// owner is the one goroutine that touches a body. Others hand it work and wait,
// but not for ever: when a call does not come back a while after its context
// ended, the machine is given up and every later call says so. The goroutine
// stays with its machine until that returns, if it ever does.
type owner struct {
	body  emu.Body
	clock Clock

	work chan func() // unbuffered: taken only when the machine is free
	quit chan struct{}
	gone chan struct{} // closed when the body was closed
	lost chan struct{} // closed when the machine was given up

	closing, losing sync.Once
	closeErr        error // of the body; valid once gone is closed
}

func own(body emu.Body, clock Clock) *owner {
	o := &owner{
		body: body, clock: clock, work: make(chan func()),
		quit: make(chan struct{}), gone: make(chan struct{}), lost: make(chan struct{}),
	}
	go o.run()
	return o
}

func (o *owner) run() {
	defer close(o.gone)
	for {
		select {
		case f := <-o.work:
			f()
		case <-o.quit:
			o.closeErr = o.body.Close()
			return
		}
	}
}

var errClosed = &emu.Error{Code: emu.CodeCoreClosed, Message: "the body was closed"}

// answer is what a call to the body came back with.
type answer[T any] struct {
	value T
	err   error
}

// call runs f on the owner's goroutine and returns what it returns. It ends
// within adapterPatience of ctx's end, whatever the machine does.
func call[T any](ctx context.Context, o *owner, f func(context.Context, emu.Body) (T, error)) (T, error) {
	var none T
	back := make(chan answer[T], 1)
	job := func() {
		value, err := guarded(ctx, o.body, f)
		back <- answer[T]{value, err}
	}
	select {
	case <-o.lost:
		return none, errHung
	default:
	}
	select {
	case o.work <- job:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case <-o.lost:
		return none, errHung
	case <-o.gone:
		return none, errClosed
	}
	select {
	case a := <-back:
		return a.value, a.err
	case <-ctx.Done():
	}
	late := make(chan struct{})
	stop := o.clock.AfterFunc(adapterPatience, func() { close(late) })
	defer stop()
	select {
	case a := <-back:
		return a.value, a.err
	case <-late:
		o.losing.Do(func() { close(o.lost) })
		return none, errHung
	}
}

// guarded turns a panic of a body into a refusal: one bad action must not take
// the evidence and the record of all others down with it.
func guarded[T any](ctx context.Context, body emu.Body, f func(context.Context, emu.Body) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &emu.Error{Code: emu.CodeEmulatorRejected, Message: reason(fmt.Sprint("the body panicked: ", p))}
		}
	}()
	return f(ctx, body)
}

// within bounds a call that no action's deadline ends.
func (o *owner) within(ctx context.Context, d time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := o.clock.AfterFunc(d, func() { cancel(errHung) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// close closes the body, or leaves that to the owner's goroutine when the
// machine does not come back.
func (o *owner) close() error {
	o.closing.Do(func() { close(o.quit) })
	late := make(chan struct{})
	stop := o.clock.AfterFunc(adapterPatience, func() { close(late) })
	defer stop()
	select {
	case <-o.gone:
		return o.closeErr
	case <-o.lost:
		return errHung
	case <-late:
		return errHung
	}
}
