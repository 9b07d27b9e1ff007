package session

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

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

// FuzzSession does what data says to a session on the real core. Two bytes are
// an operation and its argument.
func FuzzSession(f *testing.F) {
	f.Add([]byte("\x00\x01\x01\x20\x02\x00\x03\x00\x04\x00\x00\x01\x05\x00\x06\x00\x07\x00\x00\x02"))
	f.Add([]byte("\x06\x00\x08\xff\x00\x03\x09\x05\x07\x01\x01\xff\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, clock := governedCore(t)
		s := fuzzScript{t: t, b: b, clock: clock, limits: emu.Limits{MaxInputs: 4, MaxFrames: 90, TimeoutMS: 5000}}
		for i := 0; i+1 < len(data) && i < 80; i += 2 {
			s.step(i, data[i], int(data[i+1]))
		}
		if err := b.Trace().Validate(); err != nil {
			t.Error(err)
		}
		check(t, b.Close())
	})
}

// fuzzScript is one run of FuzzSession.
type fuzzScript struct {
	t      *testing.T
	b      *Body
	clock  *fakeClock
	limits emu.Limits
	saved  []byte
}

func (s *fuzzScript) step(i int, op byte, arg int) {
	id := fmt.Sprint("a", i)
	switch op % 10 {
	case 0:
		s.act(id, emu.Press(emu.Buttons[arg%10], arg/4))
	case 1:
		s.act(id, emu.Advance(arg))
	case 2:
		s.act(id, emu.WalkTo(arg, arg))
	case 3:
		s.act(id, emu.Action{Kind: emu.ActionKind(fmt.Sprint("kind", arg)), Button: "a"})
	case 4:
		s.allow(s.b.Pause("p"))
	case 5:
		s.allow(s.b.Resume())
	case 6:
		state, err := s.b.CaptureState(s.t.Context())
		check(s.t, err)
		s.saved = state
	case 7:
		if err := s.b.RestoreState(s.t.Context(), s.saved, nil); (err == nil) != (s.saved != nil) {
			s.t.Errorf("a load: %v", err)
		}
	case 8:
		s.clock.advance(time.Duration(arg) * 2 * time.Second)
	case 9:
		s.allow(s.b.Idle(s.t.Context(), arg%16))
		s.allow(s.b.CancelAction(fmt.Sprint("a", arg), "c"))
	}
}

// act holds an action against its limits and against what the machine counts.
func (s *fuzzScript) act(id string, a emu.Action) {
	before, pressed := s.b.Counters()
	r, err := s.b.Act(s.t.Context(), id, a, s.limits)
	if err != nil {
		s.t.Fatalf("%+v: %v", a, err)
	}
	frames, inputs := s.b.Counters()
	if r.Frames > s.limits.MaxFrames || r.Inputs > s.limits.MaxInputs ||
		uint64(r.Frames) != frames-before || uint64(r.Inputs) != inputs-pressed {
		s.t.Errorf("%+v answers %+v; the machine counts %d frames and %d presses", a, r, frames-before, inputs-pressed)
	}
	if r.Frames > 0 && s.b.Session().Actions == nil {
		s.t.Errorf("%+v ran and is not recorded", a)
	}
}

// allow lets refusals pass that follow from what the script did before.
func (s *fuzzScript) allow(err error) {
	switch emu.CodeOf(err) {
	case emu.CodeSessionPaused, emu.CodeUnknownAction:
		return
	}
	if expired := (*LeaseExpiredError)(nil); err != nil && !errors.As(err, &expired) {
		s.t.Error(err)
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
