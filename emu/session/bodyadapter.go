package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"clankie/emu"
	"clankie/emu/session/evidence"
)

// BodyOptions say what a body is pinned to and how its evidence is kept.
type BodyOptions struct {
	Clock       Clock
	SavestateID string
	RNGSeed     uint32
	// Policy is evidence.Frozen unless set; Window is evidence.MaxEvents unless
	// set.
	Policy evidence.Policy
	Window int
}

// BodyAdapter implements [Adapter] on one local body, which it owns. It checks
// every action in the order that refusals take precedence and keeps the
// evidence of those that completed.
type BodyAdapter struct {
	info  emu.BodyInfo
	pin   BodyOptions
	owner *owner

	mu        sync.Mutex
	chain     *evidence.Chain
	id        string // of the attachment; "" before Start
	spec      Spec
	stopped   bool
	paused    bool
	uncertain bool
	pace      emu.Pace
	memory    memory
}

var _ Adapter = (*BodyAdapter)(nil)

// NewBodyAdapter returns an adapter on body, which it owns from now on.
func NewBodyAdapter(body emu.Body, o BodyOptions) (*BodyAdapter, error) {
	info := body.Info()
	if o.Clock == nil {
		return nil, fmt.Errorf("session: BodyOptions.Clock is required")
	}
	if o.Window == 0 {
		o.Window = evidence.MaxEvents
	}
	chain, err := evidence.NewChain(evidence.Header{
		ScenarioID: info.ScenarioID, ScenarioVersion: info.ScenarioVersion, FixtureSHA256: info.FixtureSHA256,
		CoreID: info.Identity.CoreID, SavestateSHA256: info.BootSHA256, RNGSeed: o.RNGSeed,
	}, o.Policy, o.Window)
	if err != nil {
		return nil, err
	}
	return &BodyAdapter{info: info, pin: o, owner: own(body, o.Clock), chain: chain}, nil
}

// Bounds returns the bounds that fit this body: everything it is pinned to,
// with the full grant and room for actions of limits.
func (a *BodyAdapter) Bounds(limits emu.Limits) Bounds {
	return Bounds{
		Profile: ProfileGBA, CoreID: a.info.Identity.CoreID,
		SavestateID: a.pin.SavestateID, SavestateSHA256: a.info.BootSHA256, RNGSeed: a.pin.RNGSeed,
		WorldID: a.info.WorldID, CharacterID: a.info.CharacterID,
		MaxInputsPerAction: limits.MaxInputs, MaxFramesPerAction: limits.MaxFrames,
		MaxActionDurationMS: limits.TimeoutMS, Capabilities: FullGrant(),
	}
}

// Start implements [Adapter]. The body takes one session in its life.
func (a *BodyAdapter) Start(_ context.Context, spec Spec, connection Connection) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(connection) > 0 {
		return "", fmt.Errorf("a local body takes no connection")
	}
	if a.id != "" {
		return "", fmt.Errorf("this body has had a session")
	}
	if err := a.fits(spec.ResourceBounds); err != nil {
		return "", err
	}
	a.id, a.spec = "body:"+spec.SessionID, spec
	return a.id, nil
}

// fits names the first thing in which b is pinned to another body.
func (a *BodyAdapter) fits(b Bounds) error {
	own := a.Bounds(emu.Limits{})
	for _, pin := range []struct {
		name      string
		want, got any
	}{
		{"profile", own.Profile, b.Profile},
		{"worldId", own.WorldID, b.WorldID},
		{"characterId", own.CharacterID, b.CharacterID},
		{"coreId", own.CoreID, b.CoreID},
		{"savestateId", own.SavestateID, b.SavestateID},
		{"savestateSha256", own.SavestateSHA256, b.SavestateSHA256},
		{"rngSeed", own.RNGSeed, b.RNGSeed},
	} {
		if pin.want != pin.got {
			return fmt.Errorf("%s: the session is for %v, the body is %v", pin.name, pin.got, pin.want)
		}
	}
	return nil
}

// Attach implements [Adapter]. A body lives in memory: only the program that
// started its session finds it.
func (a *BodyAdapter) Attach(_ context.Context, _ Spec, adapterSessionID string, _ Connection) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.id != "" && a.id == adapterSessionID && !a.stopped, nil
}

// Span implements [Adapter].
func (a *BodyAdapter) Span(_ string, limits emu.Limits) time.Duration {
	return a.span(limits.MaxFrames)
}

func (a *BodyAdapter) span(frames int) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.pace.Unpaced() {
		return 0
	}
	return time.Duration(float64(frames) / a.pace.FramesPerSecond * float64(time.Second))
}

// Act implements [Adapter].
func (a *BodyAdapter) Act(ctx context.Context, _ string, cmd Command) (emu.ActionResult, error) {
	if stored, known, err := a.admit(cmd); known {
		return stored, nil
	} else if err != nil {
		return emu.ActionResult{Status: emu.StatusFailed, Err: err}, nil
	}
	result, err := call(ctx, a.owner, func(ctx context.Context, body emu.Body) (emu.ActionResult, error) {
		return a.act(ctx, body, cmd)
	})
	if e := (*emu.Error)(nil); err != nil && errors.As(err, &e) && !emu.CoreFailed(err) && ctx.Err() == nil {
		return emu.ActionResult{Status: emu.StatusFailed, Err: e}, nil
	}
	if err != nil && ctx.Err() != nil && !emu.CoreFailed(err) {
		return emu.ActionResult{Status: emu.StatusCancelled, Reason: "cancelled before it began"}, nil
	}
	if emu.CoreFailed(err) {
		a.MarkUncertain()
	}
	return result, err
}

// act executes on the owner's goroutine and records what completed.
func (a *BodyAdapter) act(ctx context.Context, body emu.Body, cmd Command) (emu.ActionResult, error) {
	result, err := body.Act(ctx, cmd.ActionID, cmd.Action.Action, cmd.Action.Limits)
	if err != nil || result.Status != emu.StatusCompleted {
		return result, err
	}
	observed, err := body.Observe(ctx)
	if err != nil {
		return result, err
	}
	kind := cmd.Action.Action.Kind
	event := evidence.Event{
		ActionID: cmd.ActionID, ActionKind: kind, Frame: observed.Frame, RAMStateSHA256: result.RAMSHA256,
		Summary: fmt.Sprintf("%s completed in %s with %s", kind, emu.Count(result.Frames, "frame"), emu.CountOf(result.Inputs, "press", "presses")),
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.chain.Record(event); err != nil {
		a.uncertain = true
		return result, &emu.Error{Code: emu.CodeUncertainState, Message: err.Error(), Err: err}
	}
	a.memory.keep(cmd.ActionID, result)
	return result, nil
}

// Pause implements [Adapter].
func (a *BodyAdapter) Pause(_ context.Context, _, _ string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = true
	return nil
}

// Resume implements [Adapter].
func (a *BodyAdapter) Resume(context.Context, string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = false
	return nil
}

// Stop implements [Adapter]. The body stays open until Close: what it shows
// last may still be wanted.
func (a *BodyAdapter) Stop(context.Context, string, string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	return nil
}

// observes reports whether the lease allows to look.
func (a *BodyAdapter) observes() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spec.ResourceBounds.Allow(CapabilityObserve)
}

// Trace returns the evidence so far.
func (a *BodyAdapter) Trace() evidence.Trace {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.chain.Trace()
}

// MarkUncertain says that what is observed may not follow from the evidence.
// Nothing takes that back: every later action is refused.
func (a *BodyAdapter) MarkUncertain() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.uncertain = true
}

// Uncertain reports whether the evidence is broken.
func (a *BodyAdapter) Uncertain() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.uncertain
}

// Close closes the body.
func (a *BodyAdapter) Close() error { return a.owner.close() }
