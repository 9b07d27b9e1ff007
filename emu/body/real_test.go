package body_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
)

// newReal boots the real core with the self-test's cartridge, in which
// nothing decodes and every held button changes RAM and picture for ever.
func newReal(t testing.TB) *body.Body {
	t.Helper()
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM()})
	undecoded := func(emu.Memory) emu.State { return emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown}} }
	b := body.New(core, undecoded, emu.BodyInfo{EnvironmentID: "self-test"}, nil)
	t.Cleanup(func() { b.Close() })
	return b
}

// pressAround makes n presses from seed and returns what each left behind.
func pressAround(t testing.TB, b *body.Body, seed uint64, n int) (trace []emu.Digest) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range n {
		r := act(t, b, burst(emu.Buttons[rng.IntN(len(emu.Buttons))], 1+rng.IntN(8), 1+rng.IntN(2)))
		trace = append(trace, r.RAMSHA256, observe(t, b).PictureSHA256())
	}
	return trace
}

func TestRealCoreSameInputsSameRun(t *testing.T) {
	one := pressAround(t, newReal(t), 1, 12)
	watched := newReal(t)
	watched.OnFrame(func(_ uint64, sample func() emu.Observed) { sample() })
	if !slices.Equal(one, pressAround(t, watched, 1, 12)) {
		t.Error("a watcher changed the machine's run")
	}
	if slices.Equal(one, pressAround(t, newReal(t), 2, 12)) {
		t.Error("the presses do not reach the machine")
	}
}

func TestRealCoreRestore(t *testing.T) {
	b := newReal(t)
	pressAround(t, b, 1, 4)
	saved, err := b.CaptureState(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	then := observe(t, b)
	want := pressAround(t, b, 2, 6)

	past := observe(t, b)
	if err := b.RestoreState(t.Context(), []byte("junk"), nil); err == nil {
		t.Fatal("junk loaded")
	}
	if now := observe(t, b); now.RAM() != want[len(want)-2] || now.PictureSHA256() != want[len(want)-1] {
		t.Error("a refused load changed the machine")
	}

	if err := b.RestoreState(t.Context(), saved, then.Picture.Pix); err != nil {
		t.Fatal(err)
	}
	now := observe(t, b)
	if now.RAM() != then.RAM() || now.PictureSHA256() != then.PictureSHA256() || !now.Picture.Restored {
		t.Error("the loaded state is not the saved one")
	}
	if past.RAM() != want[len(want)-2] {
		t.Error("an observation from before the load lost its RAM digest")
	}
	if !slices.Equal(want, pressAround(t, b, 2, 6)) {
		t.Error("the same presses after a load went another way")
	}

	if err := b.RestoreState(t.Context(), saved, nil); err != nil {
		t.Fatal(err)
	}
	if p := observe(t, b).Picture; !p.Stale || slices.ContainsFunc(p.Pix, func(c byte) bool { return c != 0 }) {
		t.Error("a load without picture shows the scene before it")
	}
}

// BenchmarkRealPress is a press of four frames that settles in 32, digest
// included.
func BenchmarkRealPress(b *testing.B) {
	bd := newReal(b)
	for b.Loop() {
		act(b, bd, emu.Press(emu.ButtonA, 4))
	}
}

// BenchmarkRealFrames runs the same 36 frames without polling for an action.
func BenchmarkRealFrames(b *testing.B) {
	bd := newReal(b)
	for b.Loop() {
		bd.Idle(b.Context(), 36)
	}
}

// BenchmarkRealObserve observes the machine's present after a frame each.
func BenchmarkRealObserve(b *testing.B) {
	bd := newReal(b)
	for b.Loop() {
		bd.Idle(b.Context(), 1)
		observe(b, bd)
	}
}

// BenchmarkRealFrame is the frame that BenchmarkRealObserve runs.
func BenchmarkRealFrame(b *testing.B) {
	bd := newReal(b)
	for b.Loop() {
		bd.Idle(b.Context(), 1)
	}
}
