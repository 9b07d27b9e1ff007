package mgbatest

import (
	"context"
	"time"

	"clankie/emu/body"
)

// Clock is the machine's own clock, by which no action's deadline passes. An
// unpaced action has a few seconds; on a machine that is busy with other tests
// they would end actions that are about something else.
type Clock struct{ body.WallClock }

var _ body.Clock = Clock{}

// WithTimeout returns a context that ends with ctx alone.
func (Clock) WithTimeout(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
