package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clankie/emu"
)

// tolerant governs a body whose disk can be made full.
func tolerant(t *testing.T, body *fakeBody) (b *Body, fs *crashing, told *[]error, root string) {
	t.Helper()
	fs, told = &crashing{left: 1 << 30}, &[]error{}
	b, _, root = governing(t, body, func(o *GovernOptions) {
		o.OnRecordFailure = func(err error) { *told = append(*told, err) }
	})
	b.runtime.store.fs = fs
	return b, fs, told, root
}

func TestFullDiskDoesNotStopFreePlay(t *testing.T) {
	body := newFakeBody()
	b, fs, told, root := tolerant(t, body)
	outage := func(n int, acts ...string) {
		t.Helper()
		fs.left = 0
		for _, id := range append(acts, acts...) { // an id asked for twice runs once
			r, err := b.Act(t.Context(), id, emu.Advance(7), emu.FreePlayLimits)
			if err != nil || r.Status != emu.StatusCompleted || r.Frames != 7 {
				t.Fatalf("%s: %+v, %v", id, r, err)
			}
		}
		check(t, b.Idle(t.Context(), 3))
		check(t, b.Pause("p"))
		check(t, b.Resume())
		if len(*told) != n || !errors.Is((*told)[n-1], errCrash) || emu.CodeOf((*told)[n-1]) != CodeRecordNotWritten {
			t.Fatalf("told %v", *told)
		}
	}
	outage(1, "a1", "a2", "a3")
	fs.left, fs.down = 1<<30, false
	_, err := b.Act(t.Context(), "a4", emu.Advance(1), emu.FreePlayLimits)
	check(t, err)
	on, err := b.runtime.store.read(b.runtime.store.folder + "/" + fileName(b.session))
	if err != nil || len(on.actions.order) != 4 || on.actions.byID["a1"].Result.Status != StatusCompleted {
		t.Fatalf("when the disk is back: %+v, %v", on, err)
	}
	outage(2, "a5")
	if n := body.acts.Load(); n != 5 {
		t.Errorf("five actions reached the body %d times", n)
	}
	if err := b.Close(); err != nil {
		t.Errorf("what was told is returned again: %v", err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestFullDiskDoesNotStopASessionFromStarting(t *testing.T) {
	var told atomic.Int64
	adapter, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot"})
	check(t, err)
	fs := &crashing{}
	g, err := open(fs, Options{
		Root: t.TempDir(), Adapter: adapter, Clock: newClock(), Random: &countingRandom{},
		OnRecordFailure: func(error) { told.Add(1) },
	})
	check(t, err)
	token, _, err := g.Start(t.Context(), StartRequest{Spec: specFor("session", adapter.Bounds(emu.FreePlayLimits)), HolderID: "h", CorrelationID: "c"})
	check(t, err)
	check(t, g.Heartbeat(token, "session"))
	check(t, g.EmergencyStop("session", "over"))
	check(t, g.Close())
	if told.Load() != 1 {
		t.Errorf("told %d times", told.Load())
	}
}

// What is refused for want of a record is no lost machine, whoever asks.
func TestRecordFailureIsNoLostMachine(t *testing.T) {
	b, clock, _ := governing(t, newFakeBody())
	defer b.Close()
	b.runtime.store.fs = &crashing{}
	r, err := b.Act(t.Context(), "a1", emu.Advance(1), emu.FreePlayLimits)
	check(t, err)
	clock.advance(4 * time.Minute) // the written lease is nearly over
	for name, err := range map[string]error{
		"act": r.Err, "idle": b.Idle(t.Context(), 1), "pause": b.Pause("p"), "stop": b.EmergencyStop("s"),
	} {
		if emu.CoreFailed(err) || emu.CodeOf(err) != CodeRecordNotWritten {
			t.Errorf("%s: %v", name, err)
		}
		if n := strings.Count(fmt.Sprint(err), errCrash.Error()); n != 1 {
			t.Errorf("%s: the cause is told %d times: %v", name, n, err)
		}
	}
}

func TestIdlingDuringAnOutageDoesNotHammerTheDisk(t *testing.T) {
	b, fs, told, _ := tolerant(t, newFakeBody())
	defer b.Close()
	_, err := b.Act(t.Context(), "a1", emu.Advance(1), emu.FreePlayLimits)
	check(t, err)
	fs.down = true
	b.clock.(*fakeClock).advance(4 * time.Minute)
	writes := b.runtime.store.writes
	for range 600 {
		check(t, b.Idle(t.Context(), 1))
	}
	if n := b.runtime.store.writes - writes; n != 1 || len(*told) != 1 {
		t.Errorf("%d attempts, told %v", n, *told)
	}
}
