package body_test

import (
	"context"
	"testing"

	"clankie/emu"
)

// when runs change before the first frame in which the toy's player stands at
// (x, y).
func when(x, y byte, change func(g []byte)) func(*fakeCore) {
	done := false
	return func(c *fakeCore) {
		if g := c.mem.EWRAM; !done && g[atX] == x && g[atY] == y {
			done = true
			change(g)
		}
	}
}

// TestWalkGoesAroundWhoStepsIntoTheWay has somebody step before the player
// half way.
func TestWalkGoesAroundWhoStepsIntoTheWay(t *testing.T) {
	b, core := newFake(t)
	core.script = when(14, 12, func(g []byte) { g[atPersonX], g[atPersonY] = 16, 12 })
	out := completes(t, b, emu.WalkTo(18, 12))
	expect(t, out, map[string]any{"arrived": true, "plannedSteps": 6, "steps": 8})
	if at := place(t, b); at.X != 18 || at.Y != 12 {
		t.Errorf("at %v", at)
	}
}

// TestWalkStopsBeforeWhoStandsOnTheTarget has somebody reach the target first.
func TestWalkStopsBeforeWhoStandsOnTheTarget(t *testing.T) {
	b, core := newFake(t)
	core.script = when(14, 12, func(g []byte) { g[atPersonX], g[atPersonY] = 16, 12 })
	out := completes(t, b, emu.WalkTo(16, 12))
	expect(t, out, map[string]any{"arrived": false, "steps": 3, "blockedBecause": "npc"})
	if at, _ := out["blockedAt"].(*emu.Point); at == nil || *at != (emu.Point{X: 16, Y: 12}) {
		t.Errorf("blocked at %v", at)
	}
	core.mem.EWRAM[atPersonX] = 0 // he walks on, and was not taken for a stone
	b.Idle(t.Context(), 2)
	expect(t, completes(t, b, emu.WalkTo(16, 12)), map[string]any{"arrived": true, "steps": 1})
}

// TestWalkStopsInATransition has the controls taken half way, for longer than
// anybody waits.
func TestWalkStopsInATransition(t *testing.T) {
	b, core := newFake(t)
	core.script = func(c *fakeCore) {
		if c.mem.EWRAM[atX] == 14 {
			c.mem.EWRAM[atFade] = 5
		}
	}
	out := completes(t, b, emu.WalkTo(18, 12))
	expect(t, out, map[string]any{"arrived": false, "steps": 2, "blockedBecause": "transition", "inputReady": false})
	if at, _ := out["blockedAt"].(*emu.Point); at == nil || *at != (emu.Point{X: 15, Y: 12}) {
		t.Errorf("blocked at %v", at)
	}
	r := act(t, b, emu.WalkTo(18, 12))
	if r.Err == nil || r.Err.Code != emu.CodeWalkNeedsOverworld || r.Frames != 0 {
		t.Errorf("held controls were walked on: %+v", r)
	}
}

// TestWalkStepsOnceAPressOnWheels counts tiles where a press as long as a step
// on foot would cover four.
func TestWalkStepsOnceAPressOnWheels(t *testing.T) {
	b, core := newFake(t)
	core.mem.EWRAM[atFast] = 1
	for _, to := range []emu.Point{{X: 17, Y: 12}, {X: 17, Y: 16}, {X: 13, Y: 14}} {
		r := act(t, b, emu.WalkTo(to.X, to.Y))
		expect(t, r.Outcome, map[string]any{"arrived": true, "steps": r.Inputs, "plannedSteps": r.Inputs})
	}
}

// TestBlockedTilesAreForgottenOldestFirst bumps into seventeen stones that
// nobody sees: of a map sixteen are remembered.
func TestBlockedTilesAreForgottenOldestFirst(t *testing.T) {
	b, core := newFake(t)
	g := core.mem.EWRAM
	bump := func(y int) {
		t.Helper()
		g[atStoneX], g[atStoneY] = 0, 0
		expect(t, completes(t, b, emu.WalkTo(12, y)), map[string]any{"arrived": true})
		g[atStoneX], g[atStoneY] = 13, byte(y)
		expect(t, completes(t, b, emu.WalkTo(14, y)), map[string]any{"arrived": false, "blockedBecause": "npc"})
	}
	for y := 12; y < 29; y++ {
		bump(y)
	}
	g[atStoneX], g[atStoneY] = 0, 0
	detour := func(y int) bool {
		t.Helper()
		expect(t, completes(t, b, emu.WalkTo(12, y)), map[string]any{"arrived": true})
		return completes(t, b, emu.WalkTo(14, y))["plannedSteps"] != 2
	}
	if detour(12) {
		t.Error("the first of seventeen is still remembered")
	}
	for _, y := range []int{13, 28} {
		if !detour(y) {
			t.Errorf("the tile at y %d is forgotten", y)
		}
	}
}

func TestCompositesObeyCancelling(t *testing.T) {
	for _, a := range []emu.Action{emu.WalkTo(20, 12), readOn} {
		b, core := newFake(t)
		if a.Kind == readOn.Kind {
			core.mem.EWRAM[atText] = 1
		}
		ctx, cancel := context.WithCancel(t.Context())
		core.onFrame = func() {
			if core.frame == 9 {
				cancel()
			}
		}
		r, err := b.Act(ctx, "a", a, emu.FreePlayLimits)
		if err != nil || r.Status != emu.StatusCancelled || r.Outcome != nil || r.Frames < 9 || r.Frames > 11 {
			t.Errorf("%s: %+v, %v", a.Kind, r, err)
		}
	}
}
