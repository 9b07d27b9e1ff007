package body

import (
	"context"

	"clankie/emu"
)

// pollEvery is how often, in frames, running frames are decoded: for the
// battles that begin and end in between, and for what an action waits for. The
// frames polled depend only on how many have run since the last load, never on
// who watches, at which pace, or how calls divide them.
const pollEvery = 2

// run runs up to n frames with held held down. It stops early when ctx ends,
// and returns ctx's error then. It is the only way frames reach the machine.
func (b *Body) run(ctx context.Context, n int, held emu.Keys) (ran int, err error) {
	for ran < n {
		if b.dead != nil {
			return ran, b.dead
		}
		if err := ctx.Err(); err != nil {
			return ran, err
		}
		b.leaveFrame()
		done, err := b.core.Run(ctx, b.chunk(n-ran), held)
		ran += done
		b.count(done)
		if err := b.gone(err); err != nil {
			return ran, err
		}
		b.arrive()
		if err := b.pacer.wait(ctx); err != nil {
			return ran, err
		}
	}
	return ran, nil
}

// chunk is how many of left frames may run before somebody must look.
func (b *Body) chunk(left int) int {
	if b.observer != nil || !b.pacer.pace.Unpaced() {
		return min(left, 1)
	}
	return min(left, b.untilPoll())
}

// untilPoll is how many frames are left until the next polled one.
func (b *Body) untilPoll() int { return pollEvery - int(b.sinceLoad%pollEvery) }

// count takes in that the machine ran n frames.
func (b *Body) count(n int) {
	if n == 0 {
		return
	}
	b.frames += uint64(n)
	b.sinceLoad += uint64(n)
	b.kept = nil
}

// arrive looks at the frame the machine stands at, where somebody must.
func (b *Body) arrive() {
	if b.sinceLoad%pollEvery == 0 {
		b.poll()
	}
	if b.observer != nil {
		b.observer(b.core.Frame(), b.observed)
	}
}

func (b *Body) poll() {
	s := b.decoded()
	b.battles.note(s)
	if b.watch != nil {
		b.watch(s)
	}
}
