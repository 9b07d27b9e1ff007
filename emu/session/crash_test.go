package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"clankie/emu"
)

var errCrash = errors.New("the power went out")

// crashing is a file system whose steps stop at the n-th one, and with it
// everything after it: the program was killed there. The step itself is done
// only by half.
type crashing struct {
	osFiles
	left int
	down bool
}

func (c *crashing) step() error {
	if c.down || c.left == 0 {
		c.down = true
		return errCrash
	}
	c.left--
	return nil
}

func (c *crashing) Create(name string) (file, error) {
	if err := c.step(); err != nil {
		return nil, err
	}
	f, err := c.osFiles.Create(name)
	return &crashingFile{f, c}, err
}

func (c *crashing) Append(name string) (file, error) {
	if err := c.step(); err != nil {
		return nil, err
	}
	f, err := c.osFiles.Append(name)
	return &crashingFile{f, c}, err
}

func (c *crashing) Rename(from, to string) error {
	if err := c.step(); err != nil {
		return err
	}
	return c.osFiles.Rename(from, to)
}

func (c *crashing) Remove(name string) error {
	if err := c.step(); err != nil {
		return err
	}
	return c.osFiles.Remove(name)
}

func (c *crashing) SyncFolder(name string) error {
	if err := c.step(); err != nil {
		return err
	}
	return c.osFiles.SyncFolder(name)
}

type crashingFile struct {
	file
	c *crashing
}

func (f *crashingFile) Write(p []byte) (int, error) {
	if err := f.c.step(); err != nil {
		n, _ := f.file.Write(p[:len(p)/2])
		return n, err
	}
	return f.file.Write(p)
}

func (f *crashingFile) Sync() error {
	if err := f.c.step(); err != nil {
		return err
	}
	return f.file.Sync()
}

// outlasting is a remote adapter that counts how often each action id reached
// a body, and refuses to be reached by a dead program.
type outlasting struct {
	remote
	acts map[string]*atomic.Int64
}

func (o *outlasting) Act(_ context.Context, _ string, c Command) (emu.ActionResult, error) {
	o.acts[c.ActionID].Add(1)
	return emu.ActionResult{Status: emu.StatusCompleted, Frames: 1}, nil
}

// script is one life of a program: whatever fails, it goes on, as a program
// that does not notice would.
func script(g *Runtime, bounds Bounds, acts []string) {
	ctx := context.Background()
	token, _, err := g.Start(ctx, StartRequest{Spec: specFor("session", bounds), HolderID: "h", CorrelationID: "c"})
	if err != nil {
		return
	}
	for _, id := range acts {
		if _, err := g.StartAction(token, command(id, emu.Advance(1))); err != nil {
			continue
		}
		_, _ = g.Await(ctx, token, "session", id)
	}
	_ = g.Pause(token, "session", "p")
	_ = g.Resume(token, "session")
	_ = g.Stop(token, "session", "done")
}

func TestKilledAtAnyStepItReconciles(t *testing.T) {
	for name, smallLog := range map[string]int{"with a log": smallLog, "with logs that are soon full": 0} {
		t.Run(name, func(t *testing.T) {
			for n, finished := 0, false; !finished; n++ {
				t.Run(fmt.Sprint("step ", n), func(t *testing.T) { finished = killedAt(t, n, smallLog) })
			}
		})
	}
}

// killedAt kills a program at its n-th step, and the one after it during its
// first ones. finished is true when the first had fewer steps.
func killedAt(t *testing.T, n, smallLog int) (finished bool) {
	ids := []string{"a1", "a2", "a3", "a4", "a5", "a6"}
	adapter, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot"})
	check(t, err)
	root, fs := t.TempDir(), &crashing{left: n}
	acting := &outlasting{acts: map[string]*atomic.Int64{}}
	for _, id := range ids {
		acting.acts[id] = &atomic.Int64{}
	}
	o := Options{Root: root, Adapter: acting, Clock: newClock(), Random: &countingRandom{}, Retention: Retention{MaxActionRecords: 5}}
	g, err := open(fs, o)
	check(t, err)
	g.store.smallLog = smallLog
	script(g, adapter.Bounds(emu.FreePlayLimits), ids)
	_ = g.Close()
	if second, err := open(&crashing{left: n % 7}, o); err == nil {
		_, _ = second.Reconcile(nil)
		_ = second.Close()
	}
	reopened(t, root, acting, ids)
	return !fs.down
}

// reopened starts the next program on what the killed one left.
func reopened(t *testing.T, root string, acting *outlasting, ids []string) {
	t.Helper()
	next, err := Open(Options{Root: root, Adapter: acting, Clock: newClock(), Random: &countingRandom{}})
	check(t, err)
	defer next.Close()
	if _, err := next.Reconcile(nil); err != nil {
		t.Fatal(err)
	}
	leftovers, err := filepath.Glob(filepath.Join(root, recordFolder, "*.tmp"))
	if err != nil || len(leftovers) > 0 {
		t.Fatalf("left half written: %v, %v", leftovers, err)
	}
	known, rolled := map[string]Result{}, 0
	for _, s := range next.List() {
		rolled += s.RolledActions
		for _, a := range s.Actions {
			known[a.ActionID] = a
		}
	}
	for i, id := range ids {
		r, registered := known[id]
		if i < rolled {
			registered = true // and dropped by retention
			r.Status = StatusCompleted
		}
		if n := acting.acts[id].Load(); n > 1 || n == 1 && !registered {
			t.Fatalf("%s reached the body %d times, registered %t", id, n, registered)
		}
		if registered && !r.Status.Terminal() {
			t.Fatalf("%s was left at %s", id, r.Status)
		}
		if later := i+1 < len(ids) && acting.acts[ids[i+1]].Load() > 0; later && r.Status != StatusCompleted {
			t.Fatalf("%s ended before %s began, and is %s", id, ids[i+1], r.Status)
		}
	}
}

func TestReconcileTakesUpWhatWasLive(t *testing.T) {
	tests := map[string]struct {
		change func(*record)
		gone   bool
		want   Reconciliation
		phase  Phase
	}{
		"attached": {func(*record) {}, false, ReconciledAttached, PhaseActive},
		"paused":   {func(r *record) { r.Phase = PhasePaused }, false, ReconciledAttached, PhasePaused},
		"gone":     {func(*record) {}, true, ReconciledFailed, PhaseFailed},
		"expired": {func(r *record) {
			r.Lease.IssuedAt, r.Lease.HeartbeatAt = At(noon.AddDate(0, 0, -2)), At(noon.AddDate(0, 0, -2))
			r.Lease.ExpiresAt = At(noon.AddDate(0, 0, -1))
		}, false, ReconciledExpired, PhasePaused},
		"stopping": {func(r *record) {
			now := At(noon)
			r.Phase, r.RevokedAt = PhaseStopping, &now
		}, false, ReconciledStopped, PhaseOff},
		"starting with a body": {func(r *record) { r.Phase = PhaseStarting }, false, ReconciledAttached, PhaseActive},
		"stopping, body gone": {func(r *record) {
			now := At(noon)
			r.Phase, r.RevokedAt = PhaseStopping, &now
		}, true, ReconciledStopped, PhaseOff},
		"starting without a body": {func(r *record) {
			r.Phase, r.AdapterSessionID = PhaseStarting, nil
		}, false, ReconciledFailed, PhaseFailed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			acting := &remote{}
			root := liveRecord(t, acting, tt.change)
			acting.gone = tt.gone
			var events []EventType
			next, err := Open(Options{
				Root: root, Adapter: acting, Clock: newClock(), Random: &countingRandom{},
				Events: func(e Event) { events = append(events, e.Type) },
			})
			check(t, err)
			defer next.Close()
			got, err := next.Reconcile(nil)
			if err != nil || got["session"] != tt.want || next.List()[0].Phase != tt.phase {
				t.Fatalf("%v, %v, phase %s, events %v", got, err, next.List()[0].Phase, events)
			}
			a := next.List()[0].Actions[0]
			if a.Status != StatusFailed || a.ErrorCode != emu.CodeUncertainState || *a.Retryable {
				t.Fatalf("the action under way is %+v", a)
			}
			if again, err := next.Reconcile(nil); err != nil || tt.want == ReconciledAttached && again["session"] != ReconciledRetained {
				t.Fatalf("twice: %v, %v", again, err)
			}
		})
	}
}

// liveRecord leaves the record of a live session with an action under way, as
// a killed program would.
func liveRecord(t *testing.T, adapter Adapter, change func(*record)) (root string) {
	t.Helper()
	root = t.TempDir()
	g, err := Open(Options{Root: root, Adapter: adapter, Clock: newClock(), Random: &countingRandom{}})
	check(t, err)
	bodies, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot"})
	check(t, err)
	_, _, err = g.Start(t.Context(), StartRequest{Spec: specFor("session", bodies.Bounds(emu.FreePlayLimits)), HolderID: "h", CorrelationID: "c"})
	check(t, err)
	s, err := g.find("session")
	check(t, err)
	accepted := 0
	s.actions.add("a1", actionFile{DeadlineAt: At(noon), Result: Result{
		SchemaVersion: 1, ActionID: "a1", SessionID: "session", UpdatedAt: At(noon), Status: StatusRunning, AcceptedGoalVersion: &accepted,
	}})
	change(&s.record)
	delete(g.store.ledgers, "session") // so that it is written whole
	check(t, g.store.save(&s.record))
	check(t, g.Close())
	return root
}

func TestTokenOutlivesTheProgram(t *testing.T) {
	acting := &remote{}
	root := t.TempDir()
	o := Options{Root: root, Adapter: acting, Clock: newClock(), Random: &countingRandom{}}
	g, err := Open(o)
	check(t, err)
	bodies, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot"})
	check(t, err)
	token, _, err := g.Start(t.Context(), StartRequest{Spec: specFor("session", bodies.Bounds(emu.FreePlayLimits)), HolderID: "h", CorrelationID: "c"})
	check(t, err)
	if _, err := Open(o); !errors.Is(err, ErrLocked) {
		t.Fatalf("a second program: %v", err)
	}
	check(t, g.Close())
	if err := g.Heartbeat(token, "session"); !errors.Is(err, ErrClosed) {
		t.Fatalf("closed: %v", err)
	}
	next, err := Open(o)
	check(t, err)
	defer next.Close()
	_, err = next.Reconcile(nil)
	check(t, err)
	check(t, next.Heartbeat(token, "session"))
}

func TestUnreadableRecordKeepsTheProgramFromStarting(t *testing.T) {
	root := liveRecord(t, &remote{}, func(*record) {})
	path := filepath.Join(root, recordFolder, fileName("session"))
	good, err := os.ReadFile(path)
	check(t, err)
	for name, bad := range map[string]string{
		"torn":            string(good[:len(good)/2]),
		"empty":           "",
		"newer":           strings.Replace(string(good), `"schemaVersion": 2`, `"schemaVersion": 3`, 1),
		"unknown member":  strings.Replace(string(good), `"phase"`, `"phaze": 1, "phase"`, 1),
		"missing member":  strings.Replace(string(good), `"leaseLapse": null,`, ``, 1),
		"unknown phase":   strings.Replace(string(good), `"active"`, `"dreaming"`, 1),
		"other session":   strings.ReplaceAll(string(good), `"session"`, `"another"`),
		"lease widened":   strings.Replace(string(good), `"maxFramesPerAction": 1800`, `"maxFramesPerAction": 3600`, 1),
		"unknown status":  strings.Replace(string(good), `"running"`, `"walking"`, 1),
		"no capability":   strings.ReplaceAll(string(good), `"emulator.gba.observe"`, `"emulator.gba.dream"`),
		"no frames":       strings.ReplaceAll(string(good), `"maxFramesPerAction": 1800`, `"maxFramesPerAction": 0`),
		"no inputs":       strings.ReplaceAll(string(good), `"maxInputsPerAction": 64`, `"maxInputsPerAction": 65`),
		"no digest":       strings.ReplaceAll(string(good), `"savestateSha256": "`, `"savestateSha256": "x`),
		"token hash":      strings.Replace(string(good), `"tokenHash": "`, `"tokenHash": "x`, 1),
		"no duration":     strings.Replace(string(good), `"leaseDurationMs": 30000`, `"leaseDurationMs": 0`, 1),
		"never expires":   strings.Replace(string(good), `"expiresAt": "2026`, `"expiresAt": "2025`, 1),
		"beats early":     strings.Replace(string(good), `"heartbeatAt": "2026`, `"heartbeatAt": "2025`, 1),
		"local deadline":  strings.Replace(string(good), `"deadlineAt": "2026-07-19T12:00:00.000Z"`, `"deadlineAt": "noon"`, 1),
		"stranger":        strings.Replace(string(good), `"captain"`, `"stranger"`, 1),
		"other action":    strings.Replace(string(good), `"actionId": "a1"`, `"actionId": "a2"`, 1),
		"actions a list":  strings.Replace(string(good), `"actions": {`, `"actions": [{`, 1),
		"duplicate names": strings.Replace(string(good), `"phase"`, `"phase": "off", "phase"`, 1),
	} {
		if bad == string(good) {
			t.Fatalf("%s changes nothing", name)
		}
		check(t, os.WriteFile(path, []byte(bad), 0o600))
		_, err := Open(Options{Root: root, Adapter: &remote{}, Clock: newClock(), Random: &countingRandom{}})
		if !errors.Is(err, ErrCorruptRecord) || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFailedWriteDispatchesNothing(t *testing.T) {
	fs := &crashing{left: 1 << 30}
	adapter, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot"})
	check(t, err)
	acting := &outlasting{acts: map[string]*atomic.Int64{"a1": {}}}
	g, err := open(fs, Options{Root: t.TempDir(), Adapter: acting, Clock: newClock(), Random: &countingRandom{}})
	check(t, err)
	token, _, err := g.Start(t.Context(), StartRequest{Spec: specFor("session", adapter.Bounds(emu.FreePlayLimits)), HolderID: "h", CorrelationID: "c"})
	check(t, err)
	fs.left = 0
	if _, err := g.StartAction(token, command("a1", emu.Advance(1))); !errors.Is(err, errCrash) {
		t.Fatalf("%v", err)
	}
	if n := acting.acts["a1"].Load(); n != 0 || len(g.List()[0].Actions) != 0 {
		t.Fatalf("it reached the body %d times", n)
	}
	fs.left, fs.down = 1<<30, false
	if _, err := g.StartAction(token, command("a1", emu.Advance(1))); err != nil {
		t.Fatalf("when the disk is back: %v", err)
	}
	_, err = g.Await(t.Context(), token, "session", "a1")
	check(t, err)
	fs.down = true
	if err := g.EmergencyStop("session", "now"); !errors.Is(err, errCrash) {
		t.Fatalf("%v", err)
	}
	if _, err := g.StartAction(token, command("a2", emu.Advance(1))); !errors.Is(err, ErrLeaseRevoked) {
		t.Fatalf("a stop holds whatever the disk does: %v", err)
	}
	if err := g.Close(); !errors.Is(err, errCrash) {
		t.Fatalf("close: %v", err)
	}
}
