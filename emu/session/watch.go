package session

import (
	"context"
	"sync/atomic"
	"time"

	"clankie/emu"
)

// watch brings frames from the goroutine that owns the machine to the one
// that waits for it, where the observer is called. So an observer may touch
// whatever its own goroutine touches, and a machine that was given up and then
// comes back calls nobody.
type watch struct {
	observer func(frame uint64, sample func() emu.Observed)
	every    atomic.Int64 // frames between two that are shown; below 1 none is
	frames   chan seen
	shown    chan struct{}                 // the frame that was taken has been seen
	waiting  atomic.Pointer[chan struct{}] // closed when nobody waits any more
	calling  bool                          // the observer is being called
	counted  [2]uint64                     // the counters as they were told last
}

// seen is one frame that ran.
type seen struct {
	frame  uint64
	sample func() emu.Observed
}

// OnFrame implements [emu.Body].
func (b *Body) OnFrame(observer func(frame uint64, sample func() emu.Observed)) {
	b.watch.observer = observer
	if b.watch.frames == nil {
		b.watch.frames, b.watch.shown = make(chan seen), make(chan struct{}, 1)
	}
	var forward func(uint64, func() emu.Observed)
	if observer != nil {
		forward = b.watch.forward
	}
	// A machine that is gone has no frames.
	_, _ = ask(context.Background(), b, callPatience, func(_ context.Context, body emu.Body) (struct{}, error) {
		body.OnFrame(forward)
		return struct{}{}, nil
	})
}

// WatchEvery says which frames the observer is called for from now on: those
// whose number is a multiple of n, none when n is 0. It is 1 unless said
// otherwise. A frame that is shown costs a hand-over to the observer's goroutine
// and back; one that is not costs next to nothing, so who plays as fast as the
// machine can and looks on now and then says so. Like OnFrame it is for the
// body's owner, the observer included.
func (b *Body) WatchEvery(n int) { b.watch.every.Store(int64(n)) }

// forward runs on the machine's goroutine, which waits until the observer has
// seen the frame: sample reads the machine.
func (w *watch) forward(frame uint64, sample func() emu.Observed) {
	every := w.every.Load()
	if every < 1 || frame%uint64(every) != 0 {
		return
	}
	waiting := w.waiting.Load()
	if waiting == nil {
		return
	}
	select {
	case w.frames <- seen{frame: frame, sample: sample}:
		<-w.shown
	case <-*waiting:
	}
}

// begin says that somebody will wait from now on, until end is called. It comes
// before the machine is asked for anything: no frame is missed.
func (w *watch) begin() (end func()) {
	closed := make(chan struct{})
	w.waiting.Store(&closed)
	return func() { close(closed) }
}

// over shows frames to the observer until done is closed, and returns true,
// or until early is, and returns false. It runs between begin and its end.
func (w *watch) over(done, early <-chan struct{}) bool {
	for {
		select {
		case <-done:
			return true
		case <-early:
			return false
		case s := <-w.frames:
			w.show(s)
		}
	}
}

func (w *watch) show(s seen) {
	defer func() { w.shown <- struct{}{} }()
	if w.observer == nil {
		return
	}
	w.calling = true
	defer func() { w.calling = false }()
	w.observer(s.frame, s.sample)
}

// ask calls the machine and shows the frames that run meanwhile. Within a call
// of the observer the machine stands still for this goroutine, which then
// talks to it directly.
func ask[T any](ctx context.Context, b *Body, patience time.Duration, f func(context.Context, emu.Body) (T, error)) (T, error) {
	if b.watch.calling {
		return guarded(ctx, b.adapter.owner.body, f)
	}
	ctx, release := b.adapter.owner.within(ctx, patience)
	defer release()
	if b.watch.observer == nil {
		return call(ctx, b.adapter.owner, f)
	}
	defer b.watch.begin()()
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = call(ctx, b.adapter.owner, f)
	}()
	b.watch.over(done, nil)
	return value, err
}

// pass lets a call that moves the machine through: with the lease, while the
// session is active. The context ends when the session is paused or stopped.
func (r *Runtime) pass(ctx context.Context, token, sessionID string) (context.Context, func(), error) {
	s, err := r.find(sessionID)
	if err != nil {
		return nil, nil, err
	}
	var leave func()
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		if err := s.ready(); err != nil {
			return err
		}
		if err := r.saveRarely(s); err != nil {
			return err
		}
		ctx, leave, err = s.fence.pass(ctx)
		return err
	})
	return ctx, leave, err
}

// saveRarely writes a renewed lease only once half of the written one has
// passed: idle frames come sixty times a second. What is on the disk then
// expires early, which is the safe side.
func (r *Runtime) saveRarely(s *governed) error {
	half := time.Duration(s.LeaseDurationMS) * time.Millisecond / 2
	if s.savedExpiry.Time().Sub(r.clock.Now()) > half {
		return nil
	}
	return r.save(s)
}
