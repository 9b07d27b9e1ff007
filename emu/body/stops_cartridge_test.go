package body_test

import (
	"context"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
)

// TestCartridgePressesAndWaitsKeepTheirLimits refuses what cannot fit, and
// stops a burst before a press that would be cut short.
func TestCartridgePressesAndWaitsKeepTheirLimits(t *testing.T) {
	b, _ := newCartridge(t)
	refuses(t, b, burst(emu.ButtonA, 16, 4), within(64, 63), emu.CodeFrameBound)
	refuses(t, b, burst(emu.ButtonA, 1, 4), within(3, 1800), emu.CodeInputBound)
	refuses(t, b, emu.Advance(91), within(64, 90), emu.CodeFrameBound)
	from := place(t, b)
	out := completesWithin(t, b, burst(emu.ButtonLeft, 16, 4), within(64, 64))
	expect(t, out, map[string]any{"endedBecause": "frame_bound_reached", "moved": true})
	if at := place(t, b); out["repeat"].(int) >= 4 || at.X >= from.X || at.X < from.X-out["repeat"].(int) {
		t.Errorf("%v presses came from %v to %v", out["repeat"], from, at)
	}
	expect(t, completesWithin(t, b, emu.Advance(90), within(1, 90)), map[string]any{"frames": 90})
}

// goTo leaves the map for the one of that id.
func goTo(t *testing.T, b *body.Body, mapID string) {
	t.Helper()
	o := observe(t, b).State.Overworld
	var way emu.Action
	for _, w := range o.Exits.Warps {
		if w.DestinationID == mapID {
			way = emu.WalkTo(w.X, w.Y)
		}
	}
	for _, c := range o.Exits.Connections {
		if c.DestinationID == mapID {
			y := emu.MapBorder - 1
			if c.Direction == emu.South {
				y = emu.MapBorder + o.Grid.Height
			}
			way = emu.WalkTo(c.Open[0], y)
		}
	}
	if way.Kind == "" {
		t.Fatalf("no way leads from %s to %s: %+v", o.Position.MapID, mapID, o.Exits)
	}
	expect(t, completes(t, b, way), map[string]any{"arrived": true, "warped": true})
}

// TestCartridgeWalkStopsWhereAScriptBegins walks through the far gate, where
// the game takes the controls between two steps.
func TestCartridgeWalkStopsWhereAScriptBegins(t *testing.T) {
	const town, lane, hall = "bramble-map-3-0", "bramble-map-3-19", "bramble-map-4-3"
	b := bootCartridge(t, beforeRival)
	beatRival(t, b)
	goTo(t, b, town)
	goTo(t, b, hall)
	talkTo(t, b, emu.Point{X: 6 + 7, Y: 4 + 7}, emu.North)
	expect(t, completes(t, b, readOn), map[string]any{"endedBecause": "dialog_closed"})
	goTo(t, b, town)
	goTo(t, b, lane)
	talkTo(t, b, emu.Point{X: 11 + 7, Y: 4 + 7}, emu.East)
	expect(t, completes(t, b, readOn), map[string]any{"endedBecause": "dialog_closed"})

	out := completes(t, b, emu.WalkTo(10+7, 0+7))
	expect(t, out, map[string]any{"arrived": false, "blockedBecause": "transition", "inputReady": false, "mode": "dialog"})
	at := place(t, b)
	if at.Y != 1+7 || out["steps"].(int) >= out["plannedSteps"].(int) {
		t.Errorf("stopped at %v: %v", at, out)
	}
	if blocked, _ := out["blockedAt"].(*emu.Point); blocked == nil || blocked.Y > at.Y {
		t.Errorf("blocked at %v on the way north from %v", blocked, at)
	}
	refuses(t, b, emu.WalkTo(10+7, 0+7), emu.FreePlayLimits, emu.CodeWalkNeedsOverworld)
}

// TestCartridgeChoosesATarget chooses among the creatures of a battle of four,
// whose cursor goes round those that can be attacked.
func TestCartridgeChoosesATarget(t *testing.T) {
	b := bootCartridge(t, "bramble-double-battle")
	completes(t, b, choose("fight"))
	completes(t, b, choose(menuOf(t, b).Entries[0].ID))
	asked := capture(t, b)
	if m := menuOf(t, b); m.ID != "battle-target" || m.Cursor != 1 {
		t.Fatalf("menu %+v", m)
	}
	for id, presses := range map[string]int{"battler-1": 1, "battler-3": 2} {
		restore(t, b, asked)
		expect(t, completes(t, b, choose(id)), map[string]any{"confirmed": true, "endedBecause": "selected", "presses": presses})
		if s := observe(t, b).State; s.Menu == nil || s.Menu.ID != "battle-action-menu" {
			t.Errorf("%s led to %+v", id, s.Menu)
		}
	}
	for _, friend := range []string{"battler-0", "battler-2"} {
		restore(t, b, asked)
		expect(t, completes(t, b, choose(friend)), map[string]any{"confirmed": false, "endedBecause": "cursor_stalled"})
		if m := menuOf(t, b); m.ID != "battle-target" {
			t.Errorf("a stop pressed A: %+v", m)
		}
	}
	restore(t, b, asked)
	expect(t, completesWithin(t, b, choose("battler-3"), within(1, 1800)), map[string]any{"confirmed": false, "endedBecause": "input_bound_reached"})
}

// TestCartridgeCompositesObeyCancelling cancels each composite action between
// two frames of the middle of it: it ends there, and the machine goes on.
func TestCartridgeCompositesObeyCancelling(t *testing.T) {
	room := func() *body.Body { b, _ := newCartridge(t); return b }
	for _, tt := range []struct {
		action emu.Action
		boot   func() *body.Body
		first  emu.Action // that comes before it
	}{
		{emu.WalkTo(1+7, 5+7), room, emu.Advance(1)},
		{choose("exit"), room, emu.Press(emu.ButtonStart, 4)},
		{typeText("Robin"), func() *body.Body { return namingScreen(t) }, emu.Advance(1)},
		{readOn, func() *body.Body {
			b := room()
			talkTo(t, b, emu.Point{X: 1 + 7, Y: 2 + 7}, emu.North)
			return b
		}, emu.Advance(1)},
	} {
		b := tt.boot()
		act(t, b, tt.first)
		ctx, cancel := context.WithCancel(t.Context())
		frames := 0
		b.OnFrame(func(uint64, func() emu.Observed) {
			if frames++; frames == 25 {
				cancel()
			}
		})
		r, err := b.Act(ctx, "cancelled", tt.action, emu.FreePlayLimits)
		b.OnFrame(nil)
		if err != nil || r.Status != emu.StatusCancelled || r.Outcome != nil || r.Frames != 25 {
			t.Errorf("%s: %+v, %v", tt.action.Kind, r, err)
		}
		expect(t, completes(t, b, emu.Advance(30)), map[string]any{"frames": 30})
	}
}
