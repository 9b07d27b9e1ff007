package body_test

import (
	"testing"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
)

// pinnedStates are the fixtures' states, each made once.
var pinnedStates = map[string][]byte{}

func pinnedState(t testing.TB, f fixtures.Fixture) []byte {
	t.Helper()
	id := f.Scenario.ScenarioID
	if pinnedStates[id] == nil {
		core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM})
		state, err := f.Schedule.Run(t.Context(), core)
		if err != nil {
			t.Fatal(err)
		}
		pinnedStates[id] = state
	}
	return pinnedStates[id]
}

// bootCartridge boots the project's own cartridge at the state of a fixture.
func bootCartridge(t testing.TB, fixture string) *body.Body {
	t.Helper()
	return bootSeen(t, fixture, func(s emu.State) emu.State { return s })
}

// bootSeen is bootCartridge with seen between the decoder and the body, for
// what the cartridge does not show by itself: things that are there and not
// decoded, presses that are lost.
func bootSeen(t testing.TB, fixture string, seen func(emu.State) emu.State) *body.Body {
	t.Helper()
	f, err := fixtures.Load(fixture)
	if err != nil {
		t.Fatal(err)
	}
	state := pinnedState(t, f)
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM, State: state})
	profile := gen3.ProfileOf(core.Identity())
	decode := func(m emu.Memory) emu.State { return seen(gen3.Decode(m, profile)) }
	b := body.New(core, decode, emu.BodyInfo{SessionID: "s", Profile: "bramble"}, state, body.WithClock(mgbatest.Clock{}))
	onCartridge.Store(b, true)
	t.Cleanup(func() { b.Close() })
	act(t, b, emu.Advance(8))
	return b
}

// newCartridge boots a player who stands free in a room, and returns the state
// of that moment.
func newCartridge(t testing.TB) (b *body.Body, start []byte) {
	t.Helper()
	b = bootCartridge(t, fixtures.DefaultID)
	if o := observe(t, b); o.State.Scene.Mode != emu.ModeOverworld || !o.State.Overworld.InputReady {
		t.Fatalf("the pinned state is no free player: %+v", o.State.Scene)
	}
	return b, capture(t, b)
}

func capture(t testing.TB, b *body.Body) []byte {
	t.Helper()
	state, err := b.CaptureState(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func restore(t testing.TB, b *body.Body, state []byte) {
	t.Helper()
	if err := b.RestoreState(t.Context(), state, nil); err != nil {
		t.Fatal(err)
	}
}

// place is where a body's player stands.
func place(t testing.TB, b *body.Body) emu.Position {
	t.Helper()
	o := observe(t, b).State.Overworld
	if o == nil {
		t.Fatal("where the player stands was not read")
	}
	return o.Position
}

// completes acts and expects completion.
func completes(t testing.TB, b *body.Body, a emu.Action) map[string]any {
	t.Helper()
	return completesWithin(t, b, a, emu.FreePlayLimits)
}

func completesWithin(t testing.TB, b *body.Body, a emu.Action, limits emu.Limits) map[string]any {
	t.Helper()
	r := actWithin(t, b, a, limits)
	if r.Status != emu.StatusCompleted {
		t.Fatalf("%s %v: %s, %v", a.Kind, a.EntryID, r.Status, r.Err)
	}
	if r.Frames > limits.MaxFrames || r.Inputs > limits.MaxInputs {
		t.Errorf("%s ran %d frames and %d presses; allowed were %+v", a.Kind, r.Frames, r.Inputs, limits)
	}
	return r.Outcome
}

// refuses acts and expects a refusal before the first frame.
func refuses(t testing.TB, b *body.Body, a emu.Action, limits emu.Limits, code string) *emu.Error {
	t.Helper()
	before := observe(t, b)
	r := actWithin(t, b, a, limits)
	if r.Status != emu.StatusFailed || r.Err == nil || r.Err.Code != code {
		t.Fatalf("%s: %s %v %v, want %s", a.Kind, r.Status, r.Err, r.Outcome, code)
	}
	if r.Frames != 0 || r.Inputs != 0 || observe(t, b).Frame != before.Frame {
		t.Errorf("a refusal ran %d frames", r.Frames)
	}
	return r.Err
}

// expect compares members of an outcome.
func expect(t testing.TB, out map[string]any, want map[string]any) {
	t.Helper()
	for name, value := range want {
		if out[name] != value {
			t.Errorf("%s is %v, want %v, in %v", name, out[name], value, out)
		}
	}
}

func within(inputs, frames int) emu.Limits {
	return emu.Limits{MaxInputs: inputs, MaxFrames: frames, TimeoutMS: emu.FreePlayTimeout}
}

func choose(id string) emu.Action {
	return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: id}
}

func typeText(text string) emu.Action { return emu.Action{Kind: emu.ActionEnterText, Text: text} }

var readOn = emu.Action{Kind: emu.ActionAdvanceDialog}
