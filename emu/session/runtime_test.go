package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func TestActionIsRegisteredBeforeItIsDispatched(t *testing.T) {
	body := newFakeBody()
	body.began = make(chan string)
	g := newRig(t, body)
	if _, err := g.StartAction(g.token, command("a1", emu.Advance(30))); err != nil {
		t.Fatal(err)
	}
	// The body has not begun: it waits for this channel to be read.
	if a := g.onDisk().actions.byID["a1"]; a == nil || a.Result.Status != StatusQueued {
		t.Fatalf("on disk: %+v", a)
	}
	<-body.began
	r, err := g.Await(t.Context(), g.token, "session", "a1")
	if err != nil || r.Status != StatusCompleted || r.Frames != 30 {
		t.Fatalf("%+v, %v", r, err)
	}
	if a := g.onDisk().actions.byID["a1"]; a.Result.Status != StatusCompleted || *a.Result.AcceptedGoalVersion != 0 {
		t.Fatalf("on disk: %+v", a.Result)
	}
	want := []EventType{EventSessionStarted, EventActionRequested, EventActionStarted, EventActionCompleted}
	if diff := cmp.Diff(want, g.types()); diff != "" {
		t.Error(diff)
	}
}

func TestKnownIDIsNotDispatchedAgain(t *testing.T) {
	g := newRig(t, newFakeBody())
	first := g.do("a1", emu.Advance(5))
	again, err := g.StartAction(g.token, command("a1", emu.Advance(99)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" || g.body.acts.Load() != 1 {
		t.Fatalf("dispatched %d times\n%s", g.body.acts.Load(), diff)
	}
}

func TestDeadlineReallyEndsAnAction(t *testing.T) {
	body := newFakeBody()
	body.hangs(t)
	g := newRig(t, body)
	if _, err := g.StartAction(g.token, command("a1", emu.Advance(100))); err != nil {
		t.Fatal(err)
	}
	<-body.hanging
	g.clock.advance(5*time.Second - time.Millisecond)
	if s := g.snapshot().Actions[0]; s.Status != StatusRunning {
		t.Fatalf("ended before its deadline: %+v", s)
	}
	g.clock.advance(time.Millisecond)
	if s := g.onDisk().actions.byID["a1"].Result; s.Status != StatusCancelled || s.Reason != reasonTimeout {
		t.Fatalf("at its deadline: %+v", s)
	}
	g.clock.advance(2 * adapterPatience)
	if _, err := g.Await(t.Context(), g.token, "session", "a1"); err != nil {
		t.Fatal(err)
	}
	// The machine did not come back: nothing more is dispatched to it.
	if _, err := g.StartAction(g.token, command("a2", emu.Advance(1))); emu.CodeOf(err) != emu.CodeCoreHung {
		t.Fatalf("after the machine hung: %v", err)
	}
	for !g.adapter.Uncertain() { // the adapter finds out by itself
		g.clock.advance(time.Millisecond)
	}
}

func TestNothingStaysInLineBehindAHungMachine(t *testing.T) {
	body := newFakeBody()
	body.hangs(t)
	g := newRig(t, body)
	for _, id := range []string{"a1", "a2", "a3"} {
		_, err := g.StartAction(g.token, command(id, emu.Advance(100)))
		check(t, err)
	}
	<-body.hanging
	_, err := g.CancelAction(g.token, "session", "a2", "not that one")
	check(t, err)
	g.clock.advance(5 * time.Second)
	g.clock.advance(2 * adapterPatience)
	for id, want := range map[string]Status{"a1": StatusCancelled, "a2": StatusCancelled, "a3": StatusFailed} {
		r, err := g.Await(t.Context(), g.token, "session", id)
		if err != nil || r.Status != want || want == StatusFailed && r.ErrorCode != emu.CodeCoreHung {
			t.Errorf("%s: %+v, %v", id, r, err)
		}
	}
	if n := body.acts.Load(); n != 1 {
		t.Errorf("the machine was reached %d times", n)
	}
}

func TestSecretsOfAConnectionAreNotTold(t *testing.T) {
	g := newRig(t, newFakeBody(), func(_ *rig, o *Options, _ *Bounds, _ *StartRequest) { o.Adapter = &talkative{} })
	check(t, g.Stop(g.token, "session", ""))
	_, _, err := g.Start(t.Context(), StartRequest{
		Spec: specFor("s2", g.adapter.Bounds(emu.FreePlayLimits)), HolderID: "h", CorrelationID: "c",
		Connection: Connection{"password": "hunter22"},
	})
	if err == nil || strings.Contains(err.Error(), "hunter22") {
		t.Fatalf("%v", err)
	}
}

// talkative is an adapter that repeats what it was given.
type talkative struct{ remote }

func (a *talkative) Start(ctx context.Context, spec Spec, c Connection) (string, error) {
	if len(c) > 0 {
		return "", fmt.Errorf("refused: %v", c)
	}
	return a.remote.Start(ctx, spec, c)
}

func TestDeadlineGrantsTheFramesTheirTime(t *testing.T) {
	body := newFakeBody()
	body.hangs(t)
	g := newRig(t, body)
	g.adapter.pace = emu.Pace{FramesPerSecond: 60}
	if _, err := g.StartAction(g.token, command("a1", emu.Advance(100))); err != nil {
		t.Fatal(err)
	}
	<-body.hanging
	g.clock.advance(50 * time.Second) // 3600 frames last a minute
	if s := g.snapshot().Actions[0]; s.Status != StatusRunning {
		t.Fatalf("%+v", s)
	}
	g.clock.advance(15 * time.Second)
	if s := g.snapshot().Actions[0]; s.Status != StatusCancelled {
		t.Fatalf("%+v", s)
	}
}

func TestEmergencyStopEndsALongActionWithinTenFrames(t *testing.T) {
	body := newFakeBody()
	g := newRig(t, body)
	at := make(chan uint64)
	body.observer = func(frame uint64, _ func() emu.Observed) {
		if frame == 100 {
			at <- frame
			<-at // the machine stands still until the stop has been called
		}
	}
	if _, err := g.StartAction(g.token, command("a1", emu.Advance(3600))); err != nil {
		t.Fatal(err)
	}
	<-at
	if err := g.EmergencyStop("session", "a person said so"); err != nil {
		t.Fatal(err)
	}
	// It has returned although not one further frame could run.
	at <- 0
	if r, err := g.Await(t.Context(), g.token, "session", "a1"); err != nil || r.Status != StatusCancelled || r.Frames >= 110 {
		t.Fatalf("%+v, %v", r, err)
	}
	if frames := body.frames.Load(); frames >= 110 {
		t.Fatalf("%d frames ran", frames)
	}
	if _, err := g.StartAction(g.token, command("a2", emu.Advance(1))); !errors.Is(err, ErrLeaseRevoked) {
		t.Fatalf("after the stop: %v", err)
	}
}

func TestEmergencyStopReturnsAtOnceWhenTheMachineHangs(t *testing.T) {
	body := newFakeBody()
	body.hangs(t)
	g := newRig(t, body)
	if _, err := g.StartAction(g.token, command("a1", emu.Advance(3600))); err != nil {
		t.Fatal(err)
	}
	<-body.hanging
	if err := g.EmergencyStop("session", ""); err != nil { // the clock stands still
		t.Fatal(err)
	}
	on := g.onDisk()
	if on.RevokedAt == nil || on.actions.byID["a1"].Result.Reason != "stopped: unspecified" {
		t.Fatalf("on disk: %+v", on.actions.byID["a1"].Result)
	}
	if err := g.EmergencyStop("session", "again"); err != nil {
		t.Fatal(err)
	}
	g.background.Wait()
	if p := g.snapshot().Phase; p != PhaseOff {
		t.Fatalf("phase %s", p)
	}
	if got := g.types()[len(g.types())-1]; got != EventSessionStopped {
		t.Fatalf("the last event is %s", got)
	}
}

func TestExpiredLeasePausesAndNeverKills(t *testing.T) {
	g := newRig(t, newFakeBody())
	g.clock.advance(time.Minute)
	var expired *LeaseExpiredError
	if _, err := g.StartAction(g.token, command("a1", emu.Advance(1))); !errors.As(err, &expired) {
		t.Fatalf("%v", err)
	}
	snap := g.snapshot()
	if snap.Phase != PhasePaused || snap.Lapse == nil || !snap.Lapse.PausedBody || snap.RevokedAt != "" {
		t.Fatalf("%+v", snap)
	}
	if err := g.Heartbeat(g.token, "session"); !errors.As(err, &expired) {
		t.Fatalf("a lapsed lease beats: %v", err)
	}
	if err := g.Renew(g.token, "session"); err != nil {
		t.Fatal(err)
	}
	if r := g.do("a1", emu.Advance(1)); r.Status != StatusCompleted {
		t.Fatalf("%+v", r)
	}
	want := []EventType{
		EventSessionStarted, EventLeaseExpired, EventLeaseRenewed,
		EventActionRequested, EventActionStarted, EventActionCompleted,
	}
	if diff := cmp.Diff(want, g.types()); diff != "" {
		t.Error(diff)
	}
}

func TestRenewLeavesAPauseThatWasAskedFor(t *testing.T) {
	g := newRig(t, newFakeBody())
	if err := g.Pause(g.token, "session", "thinking"); err != nil {
		t.Fatal(err)
	}
	g.clock.advance(time.Hour)
	if err := g.Sweep(); err != nil {
		t.Fatal(err)
	}
	if snap := g.snapshot(); snap.Lapse == nil || snap.Lapse.PausedBody {
		t.Fatalf("%+v", snap.Lapse)
	}
	if err := g.Renew(g.token, "session"); err != nil {
		t.Fatal(err)
	}
	if p := g.snapshot().Phase; p != PhasePaused {
		t.Fatalf("phase %s", p)
	}
}

func TestEveryUseRenewsTheLease(t *testing.T) {
	g := newRig(t, newFakeBody())
	for i := range 10 {
		g.clock.advance(50 * time.Second)
		switch i {
		case 0:
			g.do("a1", emu.Advance(1))
		case 1:
			_, err := g.ActionStatus(g.token, "session", "a1")
			check(t, err)
		case 2:
			_, err := g.CancelAction(g.token, "session", "a1", "too late")
			check(t, err)
		case 3:
			check(t, g.Pause(g.token, "session", "p"))
		case 4: // refused, but by its holder
			if _, err := g.StartAction(g.token, command("a2", emu.Advance(1))); emu.CodeOf(err) != emu.CodeSessionPaused {
				t.Fatal(err)
			}
		case 5:
			check(t, g.Resume(g.token, "session"))
		case 6:
			if _, err := g.ActionStatus(g.token, "session", "none"); !errors.Is(err, ErrUnknownAction) {
				t.Fatal(err)
			}
		case 7:
			if _, err := g.CancelAction(g.token, "session", "none", ""); !errors.Is(err, ErrUnknownAction) {
				t.Fatal(err)
			}
		case 8:
			stale := command("a3", emu.Advance(1))
			stale.Context.ExpectedGoalVersion = 4
			if r, err := g.StartAction(g.token, stale); err != nil || r.Status != StatusStale {
				t.Fatal(r, err)
			}
		case 9:
			check(t, g.Heartbeat(g.token, "session"))
		}
		if want := At(g.clock.Now().Add(time.Minute)); g.onDisk().Lease.ExpiresAt != want {
			t.Fatalf("use %d: on disk the lease ends at %s, want %s", i, g.onDisk().Lease.ExpiresAt, want)
		}
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLapsedClaimDoesNotBlockAnotherWriter(t *testing.T) {
	adapters := &remote{}
	g := newRig(t, newFakeBody(), func(_ *rig, o *Options, _ *Bounds, _ *StartRequest) { o.Adapter = adapters })
	other := StartRequest{Spec: specFor("other", g.adapter.Bounds(emu.FreePlayLimits)), HolderID: "o", CorrelationID: "o"}
	if _, _, err := g.Start(t.Context(), other); !errors.Is(err, ErrBodyHeld) {
		t.Fatalf("%v", err)
	}
	g.clock.advance(time.Hour)
	if _, _, err := g.Start(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if err := g.Renew(g.token, "session"); !errors.Is(err, ErrBodyHeld) {
		t.Fatalf("%v", err)
	}
}

func TestPauseCancelsAndIsIdempotent(t *testing.T) {
	body := newFakeBody()
	g := newRig(t, body)
	at := make(chan uint64)
	body.observer = func(frame uint64, _ func() emu.Observed) {
		if frame == 10 {
			at <- frame
			<-at
		}
	}
	_, err := g.StartAction(g.token, command("a1", emu.Advance(3600)))
	check(t, err)
	_, err = g.StartAction(g.token, command("a2", emu.Advance(1)))
	check(t, err)
	<-at
	check(t, g.Pause(g.token, "session", "wait"))
	at <- 0
	for _, id := range []string{"a1", "a2"} {
		r, err := g.Await(t.Context(), g.token, "session", id)
		if err != nil || r.Status != StatusCancelled || r.Reason != "paused: wait" {
			t.Fatalf("%s: %+v, %v", id, r, err)
		}
	}
	if n := body.acts.Load(); n != 1 {
		t.Fatalf("the one in line reached the body: %d", n)
	}
	check(t, g.Pause(g.token, "session", "again"))
	if _, err := g.StartAction(g.token, command("a3", emu.Advance(1))); emu.CodeOf(err) != emu.CodeSessionPaused {
		t.Fatalf("%v", err)
	}
	check(t, g.Resume(g.token, "session"))
	check(t, g.Resume(g.token, "session"))
	if r := g.do("a3", emu.Advance(1)); r.Status != StatusCompleted {
		t.Fatalf("%+v", r)
	}
}

func TestCancelTellsWhatTheActionCost(t *testing.T) {
	body := newFakeBody()
	g := newRig(t, body)
	at := make(chan uint64)
	body.observer = func(frame uint64, _ func() emu.Observed) {
		if frame == 10 {
			at <- frame
			<-at
		}
	}
	_, err := g.StartAction(g.token, command("a1", emu.Advance(3600)))
	check(t, err)
	<-at
	r, err := g.CancelAction(g.token, "session", "a1", "  changed my mind\x1b[31m ")
	if err != nil || r.Status != StatusCancelled || r.Reason != "changed my mind [31m" {
		t.Fatalf("%+v, %v", r, err)
	}
	at <- 0
	r, err = g.Await(t.Context(), g.token, "session", "a1")
	if err != nil || r.Frames != 10 {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestStaleGoalIsNotRegistered(t *testing.T) {
	g := newRig(t, newFakeBody())
	c := command("a1", emu.Advance(1))
	c.Context.ExpectedGoalVersion = 4
	r, err := g.StartAction(g.token, c)
	if err != nil || r.Status != StatusStale || *r.ExpectedGoalVersion != 4 || *r.CurrentGoalVersion != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := g.ActionStatus(g.token, "session", "a1"); !errors.Is(err, ErrUnknownAction) {
		t.Fatalf("%v", err)
	}
}

func TestStopRevokesForGood(t *testing.T) {
	g := newRig(t, newFakeBody())
	check(t, g.Stop(g.token, "session", "enough"))
	for name, err := range map[string]error{
		"heartbeat": g.Heartbeat(g.token, "session"),
		"renew":     g.Renew(g.token, "session"),
		"pause":     g.Pause(g.token, "session", ""),
		"resume":    g.Resume(g.token, "session"),
		"stop":      g.Stop(g.token, "session", ""),
	} {
		if !errors.Is(err, ErrLeaseRevoked) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p := g.onDisk().Phase; p != PhaseOff {
		t.Fatalf("phase %s", p)
	}
}

func TestOnlyTheHolderMayAct(t *testing.T) {
	g := newRig(t, newFakeBody())
	_, status := g.ActionStatus("guess", "session", "a1")
	_, start := g.StartAction("", command("a1", emu.Advance(1)))
	_, await := g.Await(t.Context(), "guess", "session", "a1")
	for name, err := range map[string]error{
		"status": status, "start": start, "await": await, "stop": g.Stop("guess", "session", ""),
		"renew": g.Renew("guess", "session"), "heartbeat": g.Heartbeat("guess", "session"),
	} {
		if !errors.Is(err, ErrCapabilityRejected) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := g.ActionStatus(g.token, "nowhere", "a1"); !errors.Is(err, ErrUnknownSession) {
		t.Errorf("%v", err)
	}
}

func TestRetentionBoundsActionsAndSessions(t *testing.T) {
	g := newRig(t, newFakeBody(), func(_ *rig, o *Options, _ *Bounds, _ *StartRequest) {
		o.Retention = Retention{MaxActionRecords: 3, MaxEndedSessionRecords: 2}
		o.Adapter = &remote{}
	})
	for _, id := range []string{"a1", "a2", "a3", "a4", "a5"} {
		g.do(id, emu.Advance(1))
	}
	if on := g.onDisk(); len(on.actions.order) != 3 || on.rolled != 2 || on.actions.byID["a2"] != nil {
		t.Fatalf("kept %d, rolled %d", len(on.actions.order), on.rolled)
	}
	check(t, g.Stop(g.token, "session", ""))
	for _, id := range []string{"s1", "s2", "s3"} {
		g.clock.advance(time.Second)
		token, _, err := g.Start(t.Context(), StartRequest{Spec: specFor(id, g.adapter.Bounds(emu.FreePlayLimits)), HolderID: "o", CorrelationID: "o"})
		check(t, err)
		check(t, g.Stop(token, id, ""))
	}
	check(t, g.Sweep())
	var left []string
	for _, s := range g.List() {
		left = append(left, s.Spec.SessionID)
	}
	if diff := cmp.Diff([]string{"s2", "s3"}, left); diff != "" {
		t.Fatal(diff)
	}
	names, err := filepath.Glob(filepath.Join(g.root, recordFolder, "*.json"))
	if err != nil || len(names) != 2 {
		t.Fatalf("on disk: %v, %v", names, err)
	}
}

func TestNeitherTokenNorSecretsAreWrittenOrTold(t *testing.T) {
	body := newFakeBody()
	g := newRig(t, body)
	body.outcome = map[string]any{
		"note": "the token is " + g.token, "apiKey": "k", "nested": []any{map[string]any{"Authorization": "b", "plain": 1}},
	}
	r := g.do("a1", emu.Advance(1))
	_, err := g.CancelAction(g.token, "session", "a1", g.token)
	check(t, err)
	check(t, g.Pause(g.token, "session", "because "+g.token))
	want := `{"apiKey":"[redacted]","nested":[{"Authorization":"[redacted]","plain":1}],"note":"the token is [redacted]"}`
	if string(r.Outcome) != want {
		t.Errorf("outcome %s", r.Outcome)
	}
	data, err := os.ReadFile(g.file())
	check(t, err)
	if strings.Contains(string(data), g.token) {
		t.Error("the token is in the record")
	}
	if slices.ContainsFunc(g.events, func(e Event) bool { return strings.Contains(e.Data.Reason, g.token) }) {
		t.Error("the token is in an event")
	}
}

// TestHalfATokenIsNotWritten has reasons and failures hold the token where they
// are cut.
func TestHalfATokenIsNotWritten(t *testing.T) {
	body := newFakeBody()
	g := newRig(t, body)
	half, why := g.token[:20], strings.Repeat("x", maxReason-25)+g.token
	body.failure = errors.New(why)
	g.do("a1", emu.Advance(1))
	body.failure = &emu.Error{Code: emu.CodeNoPath, Message: "no way", Detail: why}
	g.do("a2", emu.Advance(1))
	body.failure = nil
	body.hangs(t)
	_, err := g.StartAction(g.token, command("a3", emu.Advance(1)))
	check(t, err)
	<-body.hanging
	_, err = g.CancelAction(g.token, "session", "a3", why)
	check(t, err)
	check(t, g.Pause(g.token, "session", why))
	check(t, g.Stop(g.token, "session", why))
	for _, s := range g.snapshot().Actions {
		if told := s.Message + s.Detail + s.Reason; !strings.Contains(told, "xxx") || strings.Contains(told, half) {
			t.Errorf("%s is told as %s", s.ActionID, told)
		}
	}
	for _, e := range g.events {
		if strings.Contains(e.Data.Reason, half) {
			t.Errorf("%s tells %s", e.Type, e.Data.Reason)
		}
	}
	data, err := os.ReadFile(g.file())
	check(t, err)
	if strings.Contains(string(data), half) {
		t.Error("half the token is in the record")
	}
}

func TestStartRefusals(t *testing.T) {
	g := newRig(t, newFakeBody())
	good := StartRequest{Spec: specFor("s2", g.adapter.Bounds(emu.FreePlayLimits)), HolderID: "h", CorrelationID: "c"}
	good.Spec.CharacterID, good.Spec.ResourceBounds.CharacterID = "other", "other"
	for name, change := range map[string]func(*StartRequest){
		"lease too long":  func(q *StartRequest) { q.Lease = MaxLease + time.Millisecond },
		"lease negative":  func(q *StartRequest) { q.Lease = -1 },
		"lease fraction":  func(q *StartRequest) { q.Lease = time.Millisecond + 1 },
		"no holder":       func(q *StartRequest) { q.HolderID = "" },
		"world mismatch":  func(q *StartRequest) { q.Spec.WorldID = "elsewhere" },
		"other kind":      func(q *StartRequest) { q.Spec.EnvironmentKind = "minecraft" },
		"no capability":   func(q *StartRequest) { q.Spec.ResourceBounds.Capabilities = nil },
		"twice the same":  func(q *StartRequest) { q.Spec.SessionID = "session" },
		"another machine": func(q *StartRequest) {},
		"connection":      func(q *StartRequest) { q.Connection = Connection{"password": "hunter2"} },
	} {
		q := good
		change(&q)
		if _, _, err := g.Start(t.Context(), q); err == nil {
			t.Errorf("%s: started", name)
		}
	}
	snap := g.List()
	if last := snap[len(snap)-1]; last.Phase != PhaseFailed || last.RevokedAt == "" {
		t.Errorf("a start that failed left %+v", last)
	}
}

// remote is an adapter on bodies elsewhere, which outlive the program.
type remote struct {
	started map[string]bool
	gone    bool
}

func (r *remote) Start(_ context.Context, spec Spec, _ Connection) (string, error) {
	if r.started == nil {
		r.started = map[string]bool{}
	}
	r.started[spec.SessionID] = true
	return "remote:" + spec.SessionID, nil
}

func (r *remote) Attach(_ context.Context, _ Spec, id string, _ Connection) (bool, error) {
	return id != "" && !r.gone, nil
}
func (r *remote) Span(string, emu.Limits) time.Duration       { return 0 }
func (r *remote) Pause(context.Context, string, string) error { return nil }
func (r *remote) Resume(context.Context, string) error        { return nil }
func (r *remote) Stop(context.Context, string, string) error  { return nil }

func (r *remote) Act(context.Context, string, Command) (emu.ActionResult, error) {
	return emu.ActionResult{Status: emu.StatusCompleted}, nil
}
