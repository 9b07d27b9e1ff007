package session

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clankie/emu"
)

var noon = time.Date(2026, time.July, 19, 12, 0, 0, 0, time.UTC)

// fakeClock stands still until it is told to go on.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*fakeTimer
}

type fakeTimer struct {
	at time.Time
	f  func()
}

func newClock() *fakeClock { return &fakeClock{now: noon} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) AfterFunc(d time.Duration, f func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.timers = slices.DeleteFunc(c.timers, func(o *fakeTimer) bool { return o == t })
	}
}

// advance lets d pass and runs what is due, in order, on this goroutine.
func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []*fakeTimer
	c.timers = slices.DeleteFunc(c.timers, func(t *fakeTimer) bool {
		if t.at.After(c.now) {
			return false
		}
		due = append(due, t)
		return true
	})
	c.mu.Unlock()
	slices.SortStableFunc(due, func(a, b *fakeTimer) int { return a.at.Compare(b.at) })
	for _, t := range due {
		t.f()
	}
}

// countingRandom is a source of tokens that are all different.
type countingRandom struct{ n byte }

func (r *countingRandom) Read(p []byte) (int, error) {
	r.n++
	sum := sha256.Sum256([]byte{r.n})
	return copy(p, sum[:]), nil
}

// fakeBody is a machine without a machine: every action runs its frames one by
// one. It is owned like any body; what tests look at meanwhile is atomic.
type fakeBody struct {
	info     emu.BodyInfo
	frames   atomic.Uint64
	acts     atomic.Int64 // how often Act was called
	hang     chan struct{}
	hanging  chan struct{} // closed when the machine begins to hang
	began    chan string   // ids of actions that began, when not nil
	observer func(uint64, func() emu.Observed)
	panics   bool
	outcome  map[string]any
	pace     emu.Pace
	epoch    uint64
	closed   atomic.Bool
	failure  error
	refusal  *emu.Error
	ram      []byte // what digests are taken of, beside the frame
}

func newFakeBody() *fakeBody {
	return &fakeBody{info: emu.BodyInfo{
		ScenarioID: "lane", ScenarioVersion: 1, FixtureSHA256: emu.DigestOf([]byte("fixture")),
		EnvironmentID: "fake", GameTitle: "Fake", WorldID: "world", CharacterID: "hero",
		Identity: emu.CoreIdentity{CoreID: "fake/1"}, BootSHA256: emu.DigestOf([]byte("boot")),
	}}
}

func (f *fakeBody) Info() emu.BodyInfo { return f.info }

func (f *fakeBody) Observe(context.Context) (emu.Observed, error) {
	return emu.Observed{Frame: f.frames.Load(), LoadEpoch: f.epoch, RAM: f.digest, PictureSHA256: f.digest}, f.failure
}

func (f *fakeBody) digest() emu.Digest { return emu.DigestOf(fmt.Append(nil, f.frames.Load()), f.ram) }

// run runs frames until ctx ends. A body that hangs runs one and stays in it.
func (f *fakeBody) run(ctx context.Context, n int) (ran int, err error) {
	for ran < n {
		if err := ctx.Err(); err != nil {
			return ran, err
		}
		f.frames.Add(1)
		ran++
		if f.hang != nil {
			close(f.hanging)
			<-f.hang
		}
		if f.observer != nil {
			f.observer(f.frames.Load(), func() emu.Observed {
				o, _ := f.Observe(ctx)
				return o
			})
		}
	}
	return ran, nil
}

func (f *fakeBody) Act(ctx context.Context, id string, a emu.Action, _ emu.Limits) (emu.ActionResult, error) {
	f.acts.Add(1)
	if f.began != nil {
		f.began <- id
	}
	switch {
	case f.panics:
		panic("a fault in the body")
	case f.failure != nil:
		return emu.ActionResult{Status: emu.StatusFailed}, f.failure
	case f.refusal != nil:
		return emu.ActionResult{Status: emu.StatusFailed, Err: f.refusal}, nil
	}
	n := a.Frames + a.HoldFrames
	ran, err := f.run(ctx, n)
	r := emu.ActionResult{Status: emu.StatusCompleted, Frames: ran, RAMSHA256: f.digest()}
	if a.Kind == emu.ActionButtonPress {
		r.Inputs = 1
	}
	if err != nil {
		r.Status, r.Reason = emu.StatusCancelled, "cancelled by the caller"
		return r, nil
	}
	r.Outcome = map[string]any{"frames": n, "position": emu.Position{MapID: "m", X: 7, Y: 8}}
	if f.outcome != nil {
		r.Outcome = f.outcome
	}
	return r, nil
}

func (f *fakeBody) Idle(ctx context.Context, n int) error {
	_, err := f.run(ctx, n)
	return err
}

func (f *fakeBody) SetPace(p emu.Pace)                           { f.pace = p }
func (f *fakeBody) OnFrame(o func(uint64, func() emu.Observed))  { f.observer = o }
func (f *fakeBody) Counters() (frames, inputs uint64)            { return f.frames.Load(), uint64(f.acts.Load()) }
func (f *fakeBody) CaptureState(context.Context) ([]byte, error) { return []byte("state"), nil }

func (f *fakeBody) RestoreState(context.Context, []byte, []byte) error {
	f.epoch++
	return nil
}

func (f *fakeBody) Close() error {
	f.closed.Store(true)
	return nil
}

// hangs makes the next frame of the body never end, until the test is over.
func (f *fakeBody) hangs(t *testing.T) {
	f.hang, f.hanging = make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(f.hang) })
}

// rig is a runtime on a fake body.
type rig struct {
	*Runtime
	t       *testing.T
	root    string
	clock   *fakeClock
	body    *fakeBody
	adapter *BodyAdapter
	token   string
	events  []Event
	eventMu sync.Mutex
	passing sync.RWMutex // held while time passes, by tests with several goroutines
}

type rigOption func(*rig, *Options, *Bounds, *StartRequest)

func newRig(t *testing.T, body *fakeBody, options ...rigOption) *rig {
	t.Helper()
	g := &rig{t: t, root: t.TempDir(), clock: newClock(), body: body}
	adapter, err := NewBodyAdapter(body, BodyOptions{Clock: g.clock, SavestateID: "boot", RNGSeed: 7})
	if err != nil {
		t.Fatal(err)
	}
	g.adapter = adapter
	o := Options{
		Root: g.root, Adapter: adapter, Clock: g.clock, Random: &countingRandom{}, Events: g.event,
	}
	bounds := adapter.Bounds(emu.Limits{MaxInputs: 64, MaxFrames: 3600, TimeoutMS: 5000})
	request := StartRequest{HolderID: "tester", CorrelationID: "test", Lease: time.Minute}
	for _, option := range options {
		option(g, &o, &bounds, &request)
	}
	request.Spec = specFor("session", bounds)
	fs := fileSystem(osFiles{})
	if g.Runtime, err = open(fs, o); err != nil {
		t.Fatal(err)
	}
	if g.token, _, err = g.Start(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return g
}

func specFor(id string, bounds Bounds) Spec {
	return Spec{
		SchemaVersion: 2, SessionID: id, EnvironmentKind: ProfileGBA,
		CharacterID: bounds.CharacterID, WorldID: bounds.WorldID, ResourceBounds: bounds,
		RequestedBy: Requester{Principal: Principal{Kind: "captain", ID: "hero"}, Tier: "autonomous"},
	}
}

func (g *rig) event(e Event) {
	if err := e.Validate(); err != nil {
		g.t.Errorf("an event that is none: %v: %+v", err, e)
	}
	g.eventMu.Lock()
	defer g.eventMu.Unlock()
	g.events = append(g.events, e)
}

// types waits until every event was delivered.
func (g *rig) types() []EventType {
	for idle := false; !idle; runtime.Gosched() {
		g.outbox.mu.Lock()
		idle = len(g.outbox.queue) == 0 && !g.outbox.delivering
		g.outbox.mu.Unlock()
	}
	g.eventMu.Lock()
	defer g.eventMu.Unlock()
	var out []EventType
	for _, e := range g.events {
		out = append(out, e.Type)
	}
	return out
}

func command(id string, a emu.Action) Command {
	return Command{
		SchemaVersion: 1, CommandID: "c-" + id, RequestedAt: At(noon), Type: commandStartAction,
		SessionID: "session", ActionID: id,
		Context: Context{
			SourceLane: LaneGameplay, CorrelationID: "test",
			Authority: Requester{Principal: Principal{Kind: "captain", ID: "hero"}, Tier: "autonomous"},
		},
		Action: Request{Kind: requestKind, Action: a, Limits: emu.Limits{MaxInputs: 8, MaxFrames: 3600, TimeoutMS: 5000}},
	}
}

// do starts an action and waits for its end.
func (g *rig) do(id string, a emu.Action) Result {
	g.t.Helper()
	return g.send(command(id, a))
}

func (g *rig) send(c Command) Result {
	g.t.Helper()
	if _, err := g.StartAction(g.token, c); err != nil {
		g.t.Fatal(err)
	}
	r, err := g.Await(g.t.Context(), g.token, "session", c.ActionID)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

func (g *rig) file() string { return g.root + "/" + recordFolder + "/" + fileName("session") }

func (g *rig) onDisk() *record {
	g.t.Helper()
	g.mu.Lock() // nothing is written meanwhile
	defer g.mu.Unlock()
	r, err := g.store.read(g.file())
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

func (g *rig) snapshot() Snapshot {
	for _, s := range g.List() {
		if s.Spec.SessionID == "session" {
			return s
		}
	}
	g.t.Fatal("the session is gone")
	return Snapshot{}
}
