package mgba

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"clankie/emu"
)

// hangAfter is how long one frame or one other call may take. The slowest
// takes some milliseconds; on a machine so busy that it takes seconds, ten
// are still far from it.
const hangAfter = 10 * time.Second

// suspicions is into how many looks the watchdog divides the hang time.
const suspicions = 100

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

	look := c.hangTime / suspicions
	timer := time.NewTimer(look)
	defer timer.Stop()
	var last uint64
	var still time.Duration
	for {
		select {
		case err := <-result:
			if still > 0 {
				releaseCollector()
			}
			if emu.CoreFailed(err) {
				c.bury(err)
			}
			return err
		case <-timer.C:
			timer.Reset(look)
		}
		switch now := w.progress.Load(); {
		case now != last:
			if still > 0 {
				releaseCollector()
			}
			last, still = now, 0
		case still == 0:
			holdCollector()
			still = look
		default:
			still += look
		}
		if still >= c.hangTime {
			w.abandoned.Store(true)
			err := &emu.Error{Code: emu.CodeCoreHung, Message: fmt.Sprintf("a call into the core did not return within %v; the machine was discarded, and the program should end soon", c.hangTime)}
			c.bury(err)
			return err
		}
	}
}

// collector counts who needs the garbage collector to stay away.
//
// Compiled WebAssembly has no points at which the Go runtime can stop it, and
// the collector stops every goroutine: a collection that begins while a call
// hangs would freeze the whole program, before anybody could save or say
// anything. So the collector is held back as soon as a call is suspiciously
// slow, and after an abandoned call for good: the program then has its memory
// left to end in an orderly way. A collection that had begun before the
// suspicion is beyond help, which is why the shim bounds its own work first.
var collector struct {
	sync.Mutex
	holders int
	percent int
}

func holdCollector() {
	collector.Lock()
	defer collector.Unlock()
	if collector.holders == 0 {
		collector.percent = debug.SetGCPercent(-1)
	}
	collector.holders++
}

func releaseCollector() {
	collector.Lock()
	defer collector.Unlock()
	collector.holders--
	if collector.holders == 0 {
		debug.SetGCPercent(collector.percent)
	}
}
