package body_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/fixtures"
)

// TestChoosingATarget moves a cursor that goes round in an order of its own,
// and gives up on an entry that it does not come to.
func TestChoosingATarget(t *testing.T) {
	b, core := newFake(t)
	g := core.mem.EWRAM
	g[atMenu], g[atCursor] = 2, 1
	expect(t, completes(t, b, choose("battler-3")), map[string]any{"confirmed": true, "presses": 2})
	g[atMenu], g[atCursor] = 2, 1
	b.Idle(t.Context(), 2)
	expect(t, completes(t, b, choose("battler-0")), map[string]any{"confirmed": false, "endedBecause": "cursor_stalled"})
	if g[atMenu] != 2 {
		t.Error("a stop pressed A")
	}
}

func TestChoosingToCloseTheHelpScreen(t *testing.T) {
	b, core := newFake(t)
	core.mem.EWRAM[atMenu] = 3
	expect(t, completes(t, b, choose("close-help")), map[string]any{"confirmed": true, "mode": "overworld"})
}

// names are an outcome's members, sorted.
func names(out map[string]any) (list []string) {
	for name := range out {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func TestCompositeOutcomesHaveTheirFieldsAndNoOthers(t *testing.T) {
	check := func(what string, out map[string]any, want ...string) {
		t.Helper()
		slices.Sort(want)
		if diff := cmp.Diff(want, names(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	walk := []string{"target", "plannedSteps", "steps", "arrived", "blockedAt", "warped", "frame", "mode", "inputReady", "position", "facing", "surroundings", "ramStateSha256"}
	spent := []string{"presses", "framesSpent", "endedBecause", "frame", "mode", "position", "facing", "ramStateSha256"}
	with := func(list []string, more ...string) []string { return append(slices.Clone(list), more...) }

	b, core := newFake(t)
	check("a walk", completes(t, b, emu.WalkTo(13, 12)), walk...)
	check("a walk cut short", completesWithin(t, b, emu.WalkTo(15, 12), within(1, 1800)), with(walk, "endedBecause")...)
	core.mem.EWRAM[atStoneX], core.mem.EWRAM[atStoneY] = 15, 12
	check("a blocked walk", completes(t, b, emu.WalkTo(15, 12)), with(walk, "blockedBecause")...)
	core.mem.EWRAM[atText] = 1
	b.Idle(t.Context(), 2)
	check("reading", completes(t, b, readOn), with(spent, "transcript")...)
	core.mem.EWRAM[atText] = 1
	b.Idle(t.Context(), 2)
	check("reading with the box open", completesWithin(t, b, readOn, within(1, 2)), with(spent, "transcript", "dialogLines")...)

	real := namingScreen(t)
	check("typing", completesWithin(t, real, typeText("A"), within(1, 1800)), with(spent, "text", "typed", "submitted", "confirmed", "menu")...)
	check("typing to the end", completes(t, real, typeText("A")), with(spent, "text", "typed", "submitted", "confirmed")...)
	room, _ := newCartridge(t)
	act(t, room, emu.Press(emu.ButtonStart, 4))
	check("choosing", completes(t, room, choose("bag")), with(spent, "menuId", "entryId", "label", "confirmed", "menu")...)
}

func TestCartridgeUndecodedSceneTakesButtonsAlone(t *testing.T) {
	b := bootCartridge(t, "bramble-title")
	for _, a := range []emu.Action{emu.WalkTo(9, 9), readOn, typeText("A"), choose("a")} {
		refuses(t, b, a, emu.FreePlayLimits, emu.CodeSemanticUnavailable)
	}
}

// refusalCodes are all that a composite action may be refused with.
var refusalCodes = []string{
	emu.CodeSemanticUnavailable, emu.CodeFrameBound, emu.CodeMapGridUnavailable, emu.CodeWalkNeedsOverworld, emu.CodeWalkOutside,
	emu.CodeWalkImpassable, emu.CodeNoPath, emu.CodeDialogNotOpen, emu.CodeNamingNotOpen, emu.CodeUnsupportedCharacter,
	emu.CodeMenuNotOpen, emu.CodeMenuNotNavigable, emu.CodeMenuWindowScrolled, emu.CodeMenuEntryNotFound,
}

// anyAction draws an action, sensible or not.
func anyAction(rng *rand.Rand, s emu.State) emu.Action {
	switch rng.IntN(6) {
	case 0:
		return emu.WalkTo(rng.IntN(40), rng.IntN(40))
	case 1:
		return readOn
	case 2:
		return typeText([]string{"Robin", "a1!", "TooLong890"}[rng.IntN(3)])
	case 3:
		if s.Menu != nil && len(s.Menu.Entries) > 0 {
			return choose(s.Menu.Entries[rng.IntN(len(s.Menu.Entries))].ID)
		}
		return choose("bag")
	case 4:
		return emu.Advance(1 + rng.IntN(16))
	}
	return emu.Press(emu.Buttons[rng.IntN(len(emu.Buttons))], 1+rng.IntN(12))
}

// TestCartridgeAnyActionsKeepTheirLimits plays at random under random limits:
// nothing runs over them, refusals run nothing, and equal runs are equal.
func TestCartridgeAnyActionsKeepTheirLimits(t *testing.T) {
	for _, fixture := range []string{fixtures.DefaultID, "bramble-title", beforeRival} {
		one := playAtRandom(t, bootCartridge(t, fixture), 60)
		two := bootCartridge(t, fixture)
		two.OnFrame(func(uint64, func() emu.Observed) {})
		if !slices.Equal(one, playAtRandom(t, two, 60)) {
			t.Errorf("%s: equal actions went two ways", fixture)
		}
	}
}

func playAtRandom(t *testing.T, b *body.Body, n int) (trace []emu.Digest) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 4))
	for range n {
		before := observe(t, b)
		a := anyAction(rng, before.State)
		limits := within(16+rng.IntN(48), []int{16, 90, 600, 1800}[rng.IntN(4)])
		r := actWithin(t, b, a, limits)
		ran := int(observe(t, b).Frame - before.Frame)
		if ran != r.Frames || ran > limits.MaxFrames || r.Inputs > limits.MaxInputs {
			t.Fatalf("%+v ran %d frames, said %d, with %d presses under %+v", a, ran, r.Frames, r.Inputs, limits)
		}
		if r.Err != nil && (ran != 0 || !slices.Contains(refusalCodes, r.Err.Code)) {
			t.Fatalf("%+v: %v after %d frames", a, r.Err, ran)
		}
		trace = append(trace, r.RAMSHA256)
	}
	return trace
}
