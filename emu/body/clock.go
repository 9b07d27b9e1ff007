package body

import (
	"context"
	"time"

	"clankie/emu"
)

// Clock is the time that frames are paced by and deadlines end at.
type Clock interface {
	emu.Clock
	// Sleep waits for d, or until ctx ends and returns its error.
	Sleep(ctx context.Context, d time.Duration) error
	// WithTimeout returns a context that ends after d.
	WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

// WallClock is the time of the machine the program runs on.
type WallClock struct{}

// Now implements [Clock].
func (WallClock) Now() time.Time { return time.Now() }

// Sleep implements [Clock].
func (WallClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WithTimeout implements [Clock].
func (WallClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}
