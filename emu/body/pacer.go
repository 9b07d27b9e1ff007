package body

import (
	"context"
	"time"

	"clankie/emu"
)

// maxLag is how far frames may fall behind before the pacer gives up on
// catching up and starts counting anew: longer, and a pause would be followed
// by a burst.
const maxLag = 100 * time.Millisecond

// pacer spaces frames evenly. Frame n is due n periods after the anchor, so
// that rounding and late wake-ups do not add up.
type pacer struct {
	clock  Clock
	pace   emu.Pace
	anchor time.Time
	n      int64
}

func (p *pacer) set(pace emu.Pace) {
	p.pace, p.anchor = pace, time.Time{}
}

// span is how long n frames last at the current pace; 0 when unpaced.
func (p *pacer) span(n int64) time.Duration {
	if p.pace.Unpaced() {
		return 0
	}
	return time.Duration(float64(n) / p.pace.FramesPerSecond * float64(time.Second))
}

// wait returns when the frame that just ran is over.
func (p *pacer) wait(ctx context.Context) error {
	if p.pace.Unpaced() {
		return nil
	}
	now := p.clock.Now()
	if p.anchor.IsZero() || now.Sub(p.anchor.Add(p.span(p.n+1))) > maxLag {
		p.anchor, p.n = now, 0
	}
	p.n++
	if ahead := p.anchor.Add(p.span(p.n)).Sub(now); ahead > 0 {
		return p.clock.Sleep(ctx, ahead)
	}
	return nil
}
