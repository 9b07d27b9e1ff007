package mgba

import (
	"fmt"
	"sync/atomic"
	"time"

	"clankie/emu"
)

// hangAfter is how long one frame or one other call may take. The slowest
// takes some milliseconds; on a machine so busy that it takes seconds, ten
// are still far from it.
const hangAfter = 10 * time.Second

// watch is what a guarded piece of work and its watchdog share.
type watch struct {
	progress  atomic.Uint64 // grows as long as the work gets on
	abandoned atomic.Bool   // nobody waits any more: stop at the next chance
}

// guard runs work on a goroutine of its own and waits for it. When work
// neither returns nor makes progress for the hang time, guard gives up on the
// machine: a call into a module cannot be interrupted, so the goroutine is
// abandoned together with the instance it runs in. For the same reason work
// must not touch c. An error that means the machine is gone buries it.
func (c *Core) guard(work func(*watch) error) error {
	var w watch
	result := make(chan error, 1)
	go func() { result <- work(&w) }()

	timer := time.NewTimer(c.hangTime)
	defer timer.Stop()
	for last := uint64(0); ; {
		select {
		case err := <-result:
			if emu.CoreFailed(err) {
				c.bury(err)
			}
			return err
		case <-timer.C:
			now := w.progress.Load()
			if now == last {
				w.abandoned.Store(true)
				err := &emu.Error{Code: emu.CodeCoreHung, Message: fmt.Sprintf("a call into the core did not return within %v; the machine was discarded", c.hangTime)}
				c.bury(err)
				return err
			}
			last = now
			timer.Reset(c.hangTime)
		}
	}
}
