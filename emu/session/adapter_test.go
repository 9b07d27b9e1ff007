package session

import (
	"errors"
	"fmt"
	"testing"

	"clankie/emu"
	"clankie/emu/session/evidence"
)

func TestAdapterRefusesInOrder(t *testing.T) {
	granted := func(list ...Capability) rigOption {
		return func(_ *rig, _ *Options, b *Bounds, _ *StartRequest) { b.Capabilities = list }
	}
	limits := func(inputs, frames, ms int) func(*Command) {
		return func(c *Command) {
			c.Action.Limits = emu.Limits{MaxInputs: inputs, MaxFrames: frames, TimeoutMS: ms}
		}
	}
	press, advance := emu.Press(emu.ButtonA, 1), emu.Advance(1)
	tests := []struct {
		name    string
		options []rigOption
		before  func(*rig)
		change  func(*Command)
		action  emu.Action
		want    string
	}{
		{name: "invalid", change: func(c *Command) { c.CommandID = "" }, action: press, want: emu.CodeInvalidCommand},
		{name: "invalid before mismatch", change: func(c *Command) { c.SessionID, c.CommandID = "x", "" }, action: press, want: emu.CodeInvalidCommand},
		{name: "another session", change: func(c *Command) { c.SessionID = "x" }, action: press, want: emu.CodeSessionMismatch},
		{name: "stopped", before: func(g *rig) { g.adapter.stopped, g.adapter.paused = true, true }, action: press, want: emu.CodeSessionStopped},
		{name: "paused", before: func(g *rig) { g.adapter.paused, g.adapter.uncertain = true, true }, action: press, want: emu.CodeSessionPaused},
		{name: "uncertain", before: func(g *rig) { g.adapter.MarkUncertain() }, change: limits(64, 1, 9999), action: press, want: emu.CodeUncertainState},
		{name: "more inputs", options: []rigOption{func(_ *rig, _ *Options, b *Bounds, _ *StartRequest) { b.MaxInputsPerAction = 8 }}, change: limits(9, 1, 1), action: press, want: emu.CodeLimitsExceedLease},
		{name: "more frames", options: []rigOption{func(_ *rig, _ *Options, b *Bounds, _ *StartRequest) { b.MaxFramesPerAction = 8 }}, change: limits(1, 9, 1), action: press, want: emu.CodeLimitsExceedLease},
		{name: "more time", change: limits(1, 1, 5001), options: []rigOption{granted(CapabilityObserve)}, action: press, want: emu.CodeLimitsExceedLease},
		{name: "no input granted", options: []rigOption{granted(CapabilityFrameAdvance)}, action: press, want: emu.CodeCapabilityNotGranted},
		{name: "walking is input", options: []rigOption{granted(CapabilityFrameAdvance)}, action: emu.WalkTo(7, 7), want: emu.CodeCapabilityNotGranted},
		{name: "no advance granted", options: []rigOption{granted(CapabilityInput)}, action: advance, want: emu.CodeCapabilityNotGranted},
		{name: "input is enough for a press", options: []rigOption{granted(CapabilityInput)}, action: press},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newRig(t, newFakeBody(), tt.options...)
			if tt.before != nil {
				tt.before(g)
			}
			c := command("a1", tt.action)
			if tt.change != nil {
				tt.change(&c)
			}
			r, err := g.adapter.Act(t.Context(), "", c)
			check(t, err)
			got := ""
			if r.Err != nil {
				got = r.Err.Code
			}
			if got != tt.want || tt.want != "" && g.body.acts.Load() != 0 {
				t.Fatalf("got %q (%v), want %q; the body was reached %d times", got, r.Err, tt.want, g.body.acts.Load())
			}
		})
	}
}

// TestEvidenceIsLookedAtAfterTheLease fills the window and then asks for what the
// lease does not allow: that is what is refused, and it leaves no doubt behind.
func TestEvidenceIsLookedAtAfterTheLease(t *testing.T) {
	body := newFakeBody()
	adapter, err := NewBodyAdapter(body, BodyOptions{Clock: newClock(), SavestateID: "boot", Window: 1})
	check(t, err)
	defer adapter.Close()
	bounds := adapter.Bounds(emu.Limits{MaxInputs: 8, MaxFrames: 8, TimeoutMS: 5000})
	bounds.Capabilities = []Capability{CapabilityFrameAdvance}
	_, err = adapter.Start(t.Context(), specFor("session", bounds), nil)
	check(t, err)
	var codes []string
	for i, a := range []emu.Action{emu.Advance(1), emu.Press(emu.ButtonA, 1), emu.Advance(1), emu.Press(emu.ButtonA, 1)} {
		c := command(fmt.Sprint("a", i), a)
		c.Action.Limits = emu.Limits{MaxInputs: 1, MaxFrames: 1, TimeoutMS: 1}
		r, err := adapter.Act(t.Context(), "", c)
		check(t, err)
		if r.Err != nil {
			codes = append(codes, r.Err.Code)
		}
	}
	want := []string{emu.CodeCapabilityNotGranted, emu.CodeEvidenceBound, emu.CodeUncertainState}
	if fmt.Sprint(codes) != fmt.Sprint(want) || body.acts.Load() != 1 {
		t.Fatalf("codes %v, want %v; the body was reached %d times", codes, want, body.acts.Load())
	}
}

func TestCompletedActionIsReplayedEvenWhenStopped(t *testing.T) {
	g := newRig(t, newFakeBody())
	c := command("a1", emu.Advance(3))
	first, err := g.adapter.Act(t.Context(), "", c)
	check(t, err)
	check(t, g.adapter.Stop(t.Context(), "", ""))
	again, err := g.adapter.Act(t.Context(), "", c)
	if err != nil || again.RAMSHA256 != first.RAMSHA256 || g.body.acts.Load() != 1 {
		t.Fatalf("%+v, %v", again, err)
	}
}

// TestAReplayIsACopy has whoever got an outcome change it.
func TestAReplayIsACopy(t *testing.T) {
	var m memory
	given := emu.ActionResult{Outcome: map[string]any{"position": map[string]any{"x": 9.0}}}
	m.keep("a1", given)
	for range 2 {
		given.Outcome["position"].(map[string]any)["x"] = 1.0
		again, known := m.recall("a1")
		if x := again.Outcome["position"].(map[string]any)["x"]; !known || x != 9.0 {
			t.Fatalf("x is %v", x)
		}
		given = again
	}
}

func TestAdapterMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range 1000 {
		m.keep(fmt.Sprint(i), emu.ActionResult{})
	}
	if _, old := m.recall("0"); old || len(m.results) != rememberedActions || len(m.order) != rememberedActions {
		t.Fatalf("remembers %d", len(m.results))
	}
}

func TestOneEventForEachCompletedAction(t *testing.T) {
	g := newRig(t, newFakeBody())
	g.do("a1", emu.Advance(3))
	g.body.refusal = &emu.Error{Code: emu.CodeNoPath, Message: "no way", Detail: "nearest is (7, 8)"}
	if r := g.do("a2", emu.WalkTo(1, 1)); r.ErrorCode != emu.CodeNoPath || r.Message != "no_path_to_target: no way — nearest is (7, 8)" {
		t.Fatalf("%+v", r)
	}
	g.body.refusal = nil
	g.do("a3", emu.Press(emu.ButtonB, 2))
	trace := g.adapter.Trace()
	check(t, trace.Validate())
	if len(trace.Events) != 2 || trace.Events[1].ActionID != "a3" || trace.Events[1].Frame != 5 {
		t.Fatalf("%+v", trace.Events)
	}
	if want := emu.DigestOf([]byte("5")); trace.Events[1].RAMStateSHA256 != want {
		t.Fatalf("RAM %s, want %s", trace.Events[1].RAMStateSHA256, want)
	}
}

func TestFullFrozenWindowIsUncertainForGood(t *testing.T) {
	body := newFakeBody()
	adapter, err := NewBodyAdapter(body, BodyOptions{Clock: newClock(), SavestateID: "boot", Window: 2})
	check(t, err)
	defer adapter.Close()
	_, err = adapter.Start(t.Context(), specFor("session", adapter.Bounds(emu.Limits{MaxInputs: 8, MaxFrames: 3600, TimeoutMS: 5000})), nil)
	check(t, err)
	var codes []string
	for i := range 4 {
		r, err := adapter.Act(t.Context(), "", command(fmt.Sprint("a", i), emu.Advance(1)))
		check(t, err)
		if r.Err != nil {
			codes = append(codes, r.Err.Code)
		}
	}
	if fmt.Sprint(codes) != fmt.Sprint([]string{emu.CodeEvidenceBound, emu.CodeUncertainState}) || !adapter.Uncertain() {
		t.Fatalf("codes %v, uncertain %t", codes, adapter.Uncertain())
	}
	if body.acts.Load() != 2 {
		t.Fatalf("the body was reached %d times", body.acts.Load())
	}
}

func TestPanicOfABodyIsARefusal(t *testing.T) {
	body := newFakeBody()
	body.panics = true
	g := newRig(t, body)
	if r := g.do("a1", emu.Advance(1)); r.ErrorCode != emu.CodeEmulatorRejected || *r.Retryable {
		t.Fatalf("%+v", r)
	}
	body.panics = false
	if r := g.do("a2", emu.Advance(1)); r.Status != StatusCompleted {
		t.Fatalf("%+v", r)
	}
}

func TestFailureWithoutACodeIsTheAdapters(t *testing.T) {
	body := newFakeBody()
	body.failure = errors.New("something gave way")
	g := newRig(t, body)
	r := g.do("a1", emu.Advance(1))
	if r.ErrorCode != CodeAdapterError || !*r.Retryable || r.Message != "something gave way" {
		t.Fatalf("%+v", r)
	}
}

func TestTrapEndsDispatching(t *testing.T) {
	body := newFakeBody()
	body.failure = &emu.Error{Code: emu.CodeCoreTrap, Message: "unreachable"}
	g := newRig(t, body)
	if r := g.do("a1", emu.Advance(1)); r.ErrorCode != emu.CodeCoreTrap {
		t.Fatalf("%+v", r)
	}
	if _, err := g.StartAction(g.token, command("a2", emu.Advance(1))); emu.CodeOf(err) != emu.CodeCoreTrap {
		t.Fatalf("%v", err)
	}
}

func TestRollingEvidenceNeverBlocks(t *testing.T) {
	adapter, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot", Policy: evidence.Rolling, Window: 2})
	check(t, err)
	defer adapter.Close()
	_, err = adapter.Start(t.Context(), specFor("session", adapter.Bounds(emu.Limits{MaxInputs: 8, MaxFrames: 3600, TimeoutMS: 5000})), nil)
	check(t, err)
	for i := range 7 {
		r, err := adapter.Act(t.Context(), "", command(fmt.Sprint("a", i), emu.Advance(1)))
		if err != nil || r.Status != emu.StatusCompleted {
			t.Fatalf("%d: %+v, %v", i, r, err)
		}
	}
	if tr := adapter.Trace(); tr.RolledWindows != 3 || tr.DroppedEvidenceEvents != 6 || tr.Validate() != nil {
		t.Fatalf("%+v", tr)
	}
}

func TestAdapterRefusesASpecOfAnotherBody(t *testing.T) {
	for name, change := range map[string]func(*Bounds){
		"core":      func(b *Bounds) { b.CoreID = "other" },
		"savestate": func(b *Bounds) { b.SavestateSHA256 = emu.DigestOf([]byte("other")) },
		"name":      func(b *Bounds) { b.SavestateID = "other" },
		"seed":      func(b *Bounds) { b.RNGSeed++ },
		"world":     func(b *Bounds) { b.WorldID = "other" },
		"character": func(b *Bounds) { b.CharacterID = "other" },
	} {
		adapter, err := NewBodyAdapter(newFakeBody(), BodyOptions{Clock: newClock(), SavestateID: "boot"})
		check(t, err)
		bounds := adapter.Bounds(emu.FreePlayLimits)
		change(&bounds)
		if _, err := adapter.Start(t.Context(), specFor("s", bounds), nil); err == nil {
			t.Errorf("%s: started", name)
		}
		check(t, adapter.Close())
	}
}
