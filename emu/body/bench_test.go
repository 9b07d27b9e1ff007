package body_test

import (
	"testing"

	"clankie/emu"
)

// BenchmarkObserve is one observation per frame, picture copied, digests not
// asked for: what a watcher costs the body.
func BenchmarkObserve(b *testing.B) {
	bd, _ := newFake(b)
	for b.Loop() {
		bd.Idle(b.Context(), 1)
		observe(b, bd)
	}
}

// BenchmarkObserveWithDigests asks for both digests of every frame.
func BenchmarkObserveWithDigests(b *testing.B) {
	bd, _ := newFake(b)
	for b.Loop() {
		bd.Idle(b.Context(), 1)
		o := observe(b, bd)
		o.RAM()
		o.PictureSHA256()
	}
}

// BenchmarkPress is what an action costs beside the frames it runs: the toy
// machine's frames cost next to nothing.
func BenchmarkPress(b *testing.B) {
	bd, core := newFake(b)
	for b.Loop() {
		act(b, bd, emu.Press(emu.ButtonSelect, 16))
		core.held = core.held[:0]
	}
}
