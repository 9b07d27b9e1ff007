package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func governing(t testing.TB, body *fakeBody, change ...func(*GovernOptions)) (*Body, *fakeClock, string) {
	t.Helper()
	clock, root := newClock(), t.TempDir()
	o := GovernOptions{Root: root, Clock: clock, Random: &countingRandom{}, RunID: "run"}
	for _, c := range change {
		c(&o)
	}
	b, err := Govern(context.Background(), body, o)
	if err != nil {
		t.Fatal(err)
	}
	return b, clock, root
}

func TestGovernedBodyActsAndCleansUp(t *testing.T) {
	body := newFakeBody()
	b, _, root := governing(t, body)
	if id := b.Info().SessionID; id != "gba-free-play:lane:v1:run" {
		t.Errorf("session %q", id)
	}
	r, err := b.Act(t.Context(), "free-play-action-1", emu.Press(emu.ButtonA, 16), emu.FreePlayLimits)
	if err != nil || r.Status != emu.StatusCompleted || r.Frames != 16 || r.Inputs != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, typed := r.Outcome["position"].(emu.Position); !typed {
		t.Errorf("the outcome lost its types: %T", r.Outcome["position"])
	}
	again, err := b.Act(t.Context(), "free-play-action-1", emu.Advance(99), emu.FreePlayLimits)
	if err != nil || again.Frames != 16 || again.RAMSHA256 != r.RAMSHA256 || body.acts.Load() != 1 {
		t.Fatalf("again: %+v, %v", again, err)
	}
	o, err := b.Observe(t.Context())
	check(t, err)
	if data, refusal := emu.Observe(emu.ObserveAction, withAction(b.Input(o), "free-play-action-1")); refusal != nil || data.(emu.ActionData).Status != emu.StatusCompleted {
		t.Errorf("%+v, %v", data, refusal)
	}
	check(t, b.Close())
	check(t, b.Close())
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 || !body.closed.Load() {
		t.Fatalf("left %v, %v, closed %t", left, err, body.closed.Load())
	}
	if _, err := b.Act(t.Context(), "a", emu.Advance(1), emu.FreePlayLimits); emu.CodeOf(err) != emu.CodeSessionStopped {
		t.Fatalf("after closing: %v", err)
	}
}

func withAction(in emu.ObservationInput, id string) emu.ObservationInput {
	in.ActionID = id
	return in
}

// TestWhatFreePlayGrants holds the numbers of free play: its lease, its limits and
// what it keeps.
func TestWhatFreePlayGrants(t *testing.T) {
	b, clock, _ := governing(t, newFakeBody())
	defer b.Close()
	for i := range 131 {
		r, err := b.Act(t.Context(), fmt.Sprint("a", i), emu.Advance(1), emu.FreePlayLimits)
		if err != nil || r.Status != emu.StatusCompleted {
			t.Fatalf("%d: %+v, %v", i, r, err)
		}
	}
	s := b.Session()
	if len(s.Actions) != 128 || s.RolledActions != 3 || s.Actions[0].ActionID != "a3" {
		t.Errorf("keeps %d actions from %s, dropped %d", len(s.Actions), s.Actions[0].ActionID, s.RolledActions)
	}
	if most := b.runtime.retention.MaxEndedSessionRecords; most != 16 {
		t.Errorf("keeps %d ended sessions", most)
	}
	if want := At(clock.Now().Add(300 * time.Second)); s.Lease.ExpiresAt != want {
		t.Errorf("the lease ends at %s, want %s", s.Lease.ExpiresAt, want)
	}
	bounds := s.Spec.ResourceBounds
	if bounds.MaxInputsPerAction != 64 || bounds.MaxFramesPerAction != 1800 || bounds.MaxActionDurationMS != 5000 {
		t.Errorf("bounds %+v", bounds)
	}
	grant := []Capability{"emulator.gba.observe", "emulator.gba.input", "emulator.gba.frame_advance"}
	if diff := cmp.Diff(grant, bounds.Capabilities); diff != "" {
		t.Error(diff)
	}
	if s.Lease.HolderID != "gba-free-play" {
		t.Errorf("the holder is %s", s.Lease.HolderID)
	}
}

// TestLookingNeedsItsGrant has a lease that allows to act and not to look.
func TestLookingNeedsItsGrant(t *testing.T) {
	b, _, _ := governing(t, newFakeBody())
	defer b.Close()
	b.adapter.mu.Lock()
	b.adapter.spec.ResourceBounds.Capabilities = []Capability{CapabilityInput, CapabilityFrameAdvance}
	b.adapter.mu.Unlock()
	_, looked := b.Observe(t.Context())
	_, captured := b.CaptureState(t.Context())
	_, stored := b.Storage(t.Context())
	for name, err := range map[string]error{"observe": looked, "capture": captured, "storage": stored, "restore": b.RestoreState(t.Context(), nil, nil)} {
		if emu.CodeOf(err) != emu.CodeCapabilityNotGranted {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGovernedBodyRenewsOnceAfterALapse(t *testing.T) {
	b, clock, _ := governing(t, newFakeBody())
	defer b.Close()
	clock.advance(time.Hour)
	if r, err := b.Act(t.Context(), "a1", emu.Advance(1), emu.FreePlayLimits); err != nil || r.Status != emu.StatusCompleted {
		t.Fatalf("act: %+v, %v", r, err)
	}
	clock.advance(time.Hour)
	check(t, b.Idle(t.Context(), 1))
	clock.advance(time.Hour)
	check(t, b.Pause("p"))
	clock.advance(time.Hour)
	check(t, b.Resume())
}

func TestGovernedRefusalsAreResults(t *testing.T) {
	body := newFakeBody()
	b, _, _ := governing(t, body)
	defer b.Close()
	tests := map[string]struct {
		action emu.Action
		limits emu.Limits
	}{
		emu.CodeInvalidCommand:    {emu.Press("x", 16), emu.FreePlayLimits},
		emu.CodeLimitsExceedLease: {emu.Advance(1), emu.Limits{MaxInputs: 1, MaxFrames: 3600, TimeoutMS: 1}},
	}
	for want, tt := range tests {
		r, err := b.Act(t.Context(), want, tt.action, tt.limits)
		if err != nil || r.Status != emu.StatusFailed || r.Err.Code != want || !r.RAMSHA256.Valid() {
			t.Errorf("%s: %+v, %v", want, r, err)
		}
	}
	check(t, b.Pause("p"))
	r, err := b.Act(t.Context(), "a1", emu.Advance(1), emu.FreePlayLimits)
	if err != nil || r.Err.Code != emu.CodeSessionPaused {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := b.Idle(t.Context(), 1); emu.CodeOf(err) != emu.CodeSessionPaused {
		t.Fatalf("idle while paused: %v", err)
	}
	check(t, b.Resume())
	b.MarkUncertain()
	r, err = b.Act(t.Context(), "a2", emu.Advance(1), emu.FreePlayLimits)
	if err != nil || r.Err.Code != emu.CodeUncertainState {
		t.Fatalf("%+v, %v", r, err)
	}
	o, err := b.Observe(t.Context())
	check(t, err)
	if data, _ := emu.Observe(emu.ObserveDanger, b.Input(o)); data.(emu.DangerData).StateCertain {
		t.Error("danger says the state is certain")
	}
	if body.acts.Load() != 0 {
		t.Errorf("the body was reached %d times", body.acts.Load())
	}
}

func TestRefusalComesBackWordForWord(t *testing.T) {
	body := newFakeBody()
	body.refusal = &emu.Error{Code: emu.CodeNoPath, Message: "no way", Detail: "nearest is (7, 8)"}
	b, _, _ := governing(t, body)
	defer b.Close()
	for range 2 { // told at once, and told again from the record
		r, err := b.Act(t.Context(), "a1", emu.WalkTo(9, 9), emu.FreePlayLimits)
		if err != nil || r.Err.Error() != body.refusal.Error() || r.Err.Detail != body.refusal.Detail || r.Err.Message != "no way" {
			t.Fatalf("%+v, %v", r.Err, err)
		}
	}
}

func TestObserverIsCalledByWhoeverWaits(t *testing.T) {
	body := newFakeBody()
	b, _, _ := governing(t, body)
	defer b.Close()
	mine := 0 // not synchronised: the race detector watches
	b.OnFrame(func(frame uint64, sample func() emu.Observed) {
		mine++
		if sample().Frame != frame {
			t.Errorf("frame %d shows %d", frame, sample().Frame)
		}
		b.SetPace(emu.Pace{FramesPerSecond: float64(mine)}) // the machine stands still, and can be talked to
		if n, _ := b.Counters(); n != frame {
			t.Errorf("frame %d counts %d", frame, n)
		}
	})
	_, err := b.Act(t.Context(), "a1", emu.Advance(20), emu.FreePlayLimits)
	check(t, err)
	check(t, b.Idle(t.Context(), 100))
	if mine != 120 || body.pace.FramesPerSecond != 120 {
		t.Fatalf("%d frames were seen, pace %v", mine, body.pace)
	}
	b.OnFrame(nil)
	check(t, b.Idle(t.Context(), 5))
	if mine != 120 {
		t.Fatalf("%d frames were seen", mine)
	}
}

func TestObserverSaysWhichFramesItWants(t *testing.T) {
	body := newFakeBody()
	b, _, _ := governing(t, body)
	defer b.Close()
	b.WatchEvery(8)
	var shown []uint64
	b.OnFrame(func(frame uint64, _ func() emu.Observed) {
		shown = append(shown, frame)
		if frame == 16 { // it may change its mind while it looks
			b.WatchEvery(20)
		}
	})
	_, err := b.Act(t.Context(), "a1", emu.Advance(50), emu.FreePlayLimits)
	check(t, err)
	b.WatchEvery(0)
	check(t, b.Idle(t.Context(), 50))
	b.WatchEvery(1)
	check(t, b.Idle(t.Context(), 2))
	if diff := cmp.Diff([]uint64{8, 16, 20, 40, 101, 102}, shown); diff != "" || body.frames.Load() != 102 {
		t.Error(diff)
	}
}

func TestFrameThatNobodyWantsIsNotHandedOver(t *testing.T) {
	body := newFakeBody()
	b, _, _ := governing(t, body)
	defer b.Close()
	check(t, b.Idle(t.Context(), 1))
	if body.observer != nil || b.watch.frames != nil {
		t.Error("nobody looks on, and the machine stops for it")
	}
	b.OnFrame(func(uint64, func() emu.Observed) { t.Error("called") })
	b.WatchEvery(0)
	end := b.watch.begin()
	defer end()
	body.observer(1, nil) // would wait for whoever waits, and nobody does
	b.OnFrame(nil)
	if body.observer != nil {
		t.Error("nobody looks on any more")
	}
}

func TestCallerCancelsAnAction(t *testing.T) {
	body := newFakeBody()
	b, _, _ := governing(t, body)
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	b.OnFrame(func(frame uint64, _ func() emu.Observed) {
		if frame == 10 {
			cancel()
		}
	})
	r, err := b.Act(ctx, "a1", emu.Advance(1800), emu.FreePlayLimits)
	if err != nil || r.Status != emu.StatusCancelled || r.Reason != "cancelled by the caller" || r.Frames < 10 || r.Frames > 1000 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err = b.Act(t.Context(), "a2", emu.Advance(1), emu.FreePlayLimits); err != nil || r.Status != emu.StatusCompleted {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestHungMachineLetsItsOwnerGo(t *testing.T) {
	body := newFakeBody()
	body.hangs(t)
	b, clock, root := governing(t, body)
	var calls atomic.Int64
	b.OnFrame(func(uint64, func() emu.Observed) { calls.Add(1) })
	type acted struct {
		r   emu.ActionResult
		err error
	}
	back := make(chan acted, 1)
	go func() {
		r, err := b.Act(context.Background(), "a1", emu.Advance(1800), emu.FreePlayLimits)
		back <- acted{r, err}
	}()
	<-body.hanging
	clock.advance(5 * time.Second)
	clock.advance(2 * adapterPatience)
	if a := <-back; emu.CodeOf(a.err) != emu.CodeCoreHung {
		t.Fatalf("%+v", a)
	}
	if _, err := b.Act(t.Context(), "a2", emu.Advance(1), emu.FreePlayLimits); emu.CodeOf(err) != emu.CodeCoreHung {
		t.Fatalf("%v", err)
	}
	for !b.Uncertain() {
		clock.advance(time.Millisecond)
	}
	for name, err := range map[string]error{
		"idle":    b.Idle(t.Context(), 1),
		"observe": second(b.Observe(t.Context())),
		"capture": second(b.CaptureState(t.Context())),
		"restore": b.RestoreState(t.Context(), nil, nil),
	} {
		if emu.CodeOf(err) != emu.CodeCoreHung {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.Close(); emu.CodeOf(err) != emu.CodeCoreHung {
		t.Errorf("close: %v", err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if calls.Load() != 0 {
		t.Error("a machine that was given up called the observer")
	}
}

func second[T any](_ T, err error) error { return err }

func TestEmergencyStopEndsIdleFrames(t *testing.T) {
	body := newFakeBody()
	b, _, _ := governing(t, body)
	defer b.Close()
	b.OnFrame(func(frame uint64, _ func() emu.Observed) {
		if frame == 10 {
			check(t, b.EmergencyStop("enough"))
		}
	})
	if err := b.Idle(t.Context(), 3600); emu.CodeOf(err) != emu.CodeSessionStopped {
		t.Fatalf("%v", err)
	}
	if n := body.frames.Load(); n >= 20 {
		t.Fatalf("%d frames ran", n)
	}
	if _, err := b.Observe(t.Context()); emu.CodeOf(err) != emu.CodeSessionStopped {
		t.Fatalf("%v", err)
	}
}

func TestIdleFramesKeepTheLeaseWithoutWritingEachTime(t *testing.T) {
	b, clock, _ := governing(t, newFakeBody())
	defer b.Close()
	writes := b.runtime.store.writes
	for range 600 {
		clock.advance(time.Second)
		check(t, b.Idle(t.Context(), 1))
	}
	if n := b.runtime.store.writes - writes; n == 0 || n > 6 {
		t.Errorf("%d writes in ten minutes of idling under a lease of five", n)
	}
	if b.Session().Lapse != nil {
		t.Error("the lease lapsed")
	}
}

func TestGovernRefusesWhatItCannotGovern(t *testing.T) {
	for name, change := range map[string]func(*GovernOptions){
		"no root":  func(o *GovernOptions) { o.Root = "" },
		"no run":   func(o *GovernOptions) { o.RunID = "" },
		"lease":    func(o *GovernOptions) { o.Lease = 2 * MaxLease },
		"window":   func(o *GovernOptions) { o.Window = 1000 },
		"no clock": func(o *GovernOptions) { o.Clock = nil },
	} {
		body := newFakeBody()
		o := GovernOptions{Root: t.TempDir(), Clock: newClock(), Random: &countingRandom{}, RunID: "run"}
		root := o.Root
		change(&o)
		if _, err := Govern(t.Context(), body, o); err == nil {
			t.Errorf("%s: governed", name)
		}
		if left, err := os.ReadDir(root); err != nil || len(left) > 0 || !body.closed.Load() {
			t.Errorf("%s: left %v, %v, closed %t", name, left, err, body.closed.Load())
		}
	}
}

func TestPersistenceErrorIsToldAfterCleaningUp(t *testing.T) {
	body := newFakeBody()
	b, _, root := governing(t, body)
	fs := &crashing{}
	b.runtime.store.fs = fs
	r, err := b.Act(t.Context(), "a1", emu.Advance(1), emu.FreePlayLimits)
	if err != nil || r.Status != emu.StatusFailed || r.Err.Code != CodeRecordNotWritten || !errors.Is(r.Err, errCrash) || !r.RAMSHA256.Valid() {
		t.Fatalf("a machine that is there: %+v, %v", r, err)
	}
	if err := b.Close(); !errors.Is(err, errCrash) || strings.Count(err.Error(), errCrash.Error()) != 1 {
		t.Fatalf("close: %v", err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 || !body.closed.Load() || body.acts.Load() != 0 {
		t.Fatalf("left %v, %v", left, err)
	}
}

// noDisk takes the disk out of a benchmark.
type noDisk struct{ osFiles }

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Sync() error                 { return nil }
func (nowhere) Close() error                { return nil }
func (noDisk) Create(string) (file, error)  { return nowhere{}, nil }
func (noDisk) Append(string) (file, error)  { return nowhere{}, nil }
func (noDisk) Rename(string, string) error  { return nil }
func (noDisk) SyncFolder(string) error      { return nil }

func benchmarkAct(b *testing.B, fs fileSystem, change ...func(*fakeBody)) {
	fake := newFakeBody()
	for _, c := range change {
		c(fake)
	}
	body, _, _ := governing(b, fake)
	defer body.Close()
	body.runtime.store.fs = fs
	for b.Loop() {
		r, err := body.Act(context.Background(), fmt.Sprint("a", body.commands), emu.Advance(1), emu.FreePlayLimits)
		if err != nil || r.Status != emu.StatusCompleted {
			b.Fatal(r, err)
		}
	}
}

// BenchmarkDispatch is what a session adds to an action, without frames and
// disk, with a full window of records.
func BenchmarkDispatch(b *testing.B) { benchmarkAct(b, noDisk{}) }

// BenchmarkDispatchWithDigests is the same with the digest of a real machine's
// RAM, which an action's result carries.
func BenchmarkDispatchWithDigests(b *testing.B) {
	benchmarkAct(b, noDisk{}, func(f *fakeBody) { f.ram = make([]byte, emu.EWRAMBytes+emu.IWRAMBytes) })
}

// BenchmarkDispatchWithDisk is BenchmarkDispatch with two synced writes.
func BenchmarkDispatchWithDisk(b *testing.B) { benchmarkAct(b, osFiles{}) }

// BenchmarkFrame is what a session adds to a frame: when nobody looks on, and
// when an observer is called for every frame, for one in eight, and for none.
func BenchmarkFrame(b *testing.B) {
	const frames = 3600
	unwatched := -1
	for name, every := range map[string]int{"unwatched": unwatched, "every": 1, "eighth": 8, "none": 0} {
		b.Run(name, func(b *testing.B) {
			body, _, _ := governing(b, newFakeBody())
			defer body.Close()
			body.runtime.store.fs = noDisk{}
			if every != unwatched {
				body.OnFrame(func(uint64, func() emu.Observed) {})
				body.WatchEvery(every)
			}
			for b.Loop() {
				r, err := body.Act(context.Background(), fmt.Sprint("a", body.commands), emu.Advance(frames), emu.FreePlayLimits)
				if err != nil || r.Status != emu.StatusCompleted {
					b.Fatal(r, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/frames, "ns/frame")
		})
	}
}
