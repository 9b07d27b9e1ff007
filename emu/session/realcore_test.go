package session

import (
	"fmt"
	"sync/atomic"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
)

// realBody is the real core with the self-test's cartridge, in which nothing
// decodes and every held button changes RAM for ever.
func realBody(t testing.TB) *body.Body {
	t.Helper()
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM()})
	undecoded := func(emu.Memory) emu.State { return emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown}} }
	return body.New(core, undecoded, emu.BodyInfo{
		ScenarioID: "self-test", ScenarioVersion: 1, FixtureSHA256: emu.DigestOf([]byte("self-test")),
		EnvironmentID: "self-test", WorldID: "world", CharacterID: "hero",
		Identity: core.Identity(), BootSHA256: emu.DigestOf(nil), Real: true,
	}, nil)
}

func governedCore(t testing.TB) (*Body, *fakeClock) {
	t.Helper()
	clock := newClock()
	b, err := Govern(t.Context(), realBody(t), GovernOptions{
		Root: t.TempDir(), Clock: clock, Random: &countingRandom{}, RunID: "run",
		Limits: emu.Limits{MaxInputs: 64, MaxFrames: 3600, TimeoutMS: 5000},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, clock
}

func TestEmergencyStopOfTheRealCore(t *testing.T) {
	b, _ := governedCore(t)
	defer b.Close()
	var latest atomic.Uint64
	ready, stopped := make(chan struct{}), make(chan error, 1)
	var called, returned uint64
	b.OnFrame(func(frame uint64, _ func() emu.Observed) {
		if latest.Store(frame); frame == 100 {
			close(ready)
		}
	})
	go func() {
		<-ready
		called = latest.Load()
		err := b.EmergencyStop("a person said so")
		returned = latest.Load()
		stopped <- err
	}()
	r, err := b.Act(t.Context(), "a1", emu.Advance(3600), emu.Limits{MaxInputs: 1, MaxFrames: 3600, TimeoutMS: 5000})
	if err != nil || r.Status != emu.StatusCancelled {
		t.Fatalf("%+v, %v", r, err)
	}
	check(t, <-stopped)
	if last := latest.Load(); returned-called >= 10 || last-called >= 10 || r.Frames >= 3600 {
		t.Fatalf("called at frame %d, returned at %d, ran to %d", called, returned, last)
	}
}

func TestGovernedCoreRunsLikeAnUngovernedOne(t *testing.T) {
	plain := realBody(t)
	defer plain.Close()
	b, _ := governedCore(t)
	defer b.Close()
	for i, button := range []emu.Button{"a", "left", "start", "b"} {
		id, a := fmt.Sprint("a", i), emu.Press(button, 3+i)
		want, err := plain.Act(t.Context(), id, a, emu.FreePlayLimits)
		check(t, err)
		got, err := b.Act(t.Context(), id, a, emu.FreePlayLimits)
		check(t, err)
		if got.RAMSHA256 != want.RAMSHA256 || got.Frames != want.Frames {
			t.Fatalf("%s: %+v, ungoverned %+v", button, got, want)
		}
	}
}

// BenchmarkRealFrame is a frame of the real core under a session: when nobody
// looks on, and when an observer is called for every frame or one in eight.
func BenchmarkRealFrame(b *testing.B) {
	for name, every := range map[string]int{"unwatched": 0, "every": 1, "eighth": 8} {
		b.Run(name, func(b *testing.B) {
			body, _ := governedCore(b)
			defer body.Close()
			if every > 0 {
				body.OnFrame(func(uint64, func() emu.Observed) {})
				body.WatchEvery(every)
			}
			for b.Loop() {
				if err := body.Idle(b.Context(), 60); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/60, "ns/frame")
		})
	}
}
