package session

import (
	"time"

	"clankie/emu"
)

// Clock is the time that leases and deadlines go by. It is injected: nothing
// beneath a session looks at the time of day.
type Clock interface {
	emu.Clock
	// AfterFunc calls f, on a goroutine of its own, once d has passed, unless
	// stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func())
}

// SystemClock is the machine's own time, for whoever puts a program together.
type SystemClock struct{}

// Now implements [emu.Clock].
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc implements [Clock].
func (SystemClock) AfterFunc(d time.Duration, f func()) (stop func()) {
	t := time.AfterFunc(d, f)
	return func() { t.Stop() }
}
