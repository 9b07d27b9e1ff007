package session

import (
	"context"
	"sync"
)

// fence stands between a session and its body. Whoever moves the body passes
// it and can be interrupted there at any moment, without waiting for a lock
// that is held over a disk write or for an adapter. Shutting it is final.
type fence struct {
	mu      sync.Mutex
	shutBy  error
	passing map[*passage]struct{}
}

// passage is one call on its way.
type passage struct {
	cancel context.CancelCauseFunc
}

// pass lets a call through, under a context that the fence can end. leave
// must be called when the call is over.
func (f *fence) pass(ctx context.Context) (inner context.Context, leave func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shutBy != nil {
		return nil, nil, f.shutBy
	}
	inner, cancel := context.WithCancelCause(ctx)
	p := &passage{cancel: cancel}
	if f.passing == nil {
		f.passing = map[*passage]struct{}{}
	}
	f.passing[p] = struct{}{}
	return inner, func() {
		f.mu.Lock()
		delete(f.passing, p)
		f.mu.Unlock()
		cancel(nil)
	}, nil
}

// open returns why the fence is shut, or nil.
func (f *fence) open() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shutBy
}

// interrupt ends every call on its way.
func (f *fence) interrupt(cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p := range f.passing {
		p.cancel(cause)
	}
}

// shut ends every call on its way and lets none through any more.
func (f *fence) shut(cause error) {
	f.mu.Lock()
	if f.shutBy == nil {
		f.shutBy = cause
	}
	f.mu.Unlock()
	f.interrupt(cause)
}
