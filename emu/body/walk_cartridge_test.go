package body_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/route"
	"clankie/fixtures"
)

const beforeRival = "bramble-before-rival"

// TestCartridgeWalksToEveryTile walks from the start to every tile of the
// room: as many presses as steps, whatever way the player faces and turns.
func TestCartridgeWalksToEveryTile(t *testing.T) {
	b, start := newCartridge(t)
	o := observe(t, b).State.Overworld
	reach := route.Flood(o, nil)
	walked, frames := 0, 0
	for to := range o.Grid.All() {
		steps, ok := reach.Steps(to)
		if !ok || o.WarpAt(to) {
			continue
		}
		restore(t, b, start)
		r := act(t, b, emu.WalkTo(to.X, to.Y))
		expect(t, r.Outcome, map[string]any{"arrived": true, "steps": steps, "plannedSteps": steps, "warped": false, "inputReady": true})
		if now := place(t, b); now.X != to.X || now.Y != to.Y || r.Inputs != steps {
			t.Errorf("%d presses came to %v, want %v in %d", r.Inputs, now, to, steps)
		}
		walked += steps
		frames += r.Frames
	}
	if walked < 100 {
		t.Errorf("only %d steps were walked", walked)
	}
	t.Logf("%d steps, %.1f frames each", walked, float64(frames)/float64(walked))
}

// TestCartridgeWalksToAnotherRoomAndAnotherMap goes downstairs, over the mat
// and over the town's edge, each asked for by its tile and not otherwise.
func TestCartridgeWalksToAnotherRoomAndAnotherMap(t *testing.T) {
	b, _ := newCartridge(t)
	through := func(x, y int, to string) map[string]any {
		t.Helper()
		out := completes(t, b, emu.WalkTo(x, y))
		expect(t, out, map[string]any{"arrived": true, "warped": true, "blockedAt": (*emu.Point)(nil), "inputReady": true})
		if at := place(t, b); at.MapID != to {
			t.Fatalf("(%d,%d) led to %v, want %s", x, y, at, to)
		}
		quiet(t, b)
		return out
	}
	stairs := observe(t, b).State.Overworld.Exits.Warps[0]
	through(stairs.X, stairs.Y, stairs.DestinationID)

	mat := observe(t, b).State.Overworld.Exits.Warps[0]
	for _, beside := range []int{mat.X - 1, mat.X + 1} { // over the mat and past it
		out := completes(t, b, emu.WalkTo(beside, mat.Y))
		expect(t, out, map[string]any{"arrived": true, "warped": false})
	}
	through(mat.X, mat.Y, mat.DestinationID)

	o := observe(t, b).State.Overworld
	edge := o.Exits.Connections[0]
	last := completes(t, b, emu.WalkTo(edge.Open[0], emu.MapBorder))
	expect(t, last, map[string]any{"arrived": true, "warped": false})
	through(edge.Open[0], emu.MapBorder-1, edge.DestinationID)
}

// TestCartridgeWalkRefuses walks nowhere, and says why.
func TestCartridgeWalkRefuses(t *testing.T) {
	b, start := newCartridge(t)
	free := emu.FreePlayLimits
	o := observe(t, b).State.Overworld

	err := refuses(t, b, emu.WalkTo(900, 3), free, emu.CodeWalkOutside)
	if !strings.Contains(err.Error(), " — the map spans x 7 to 17 and y 7 to 14") {
		t.Errorf("no span: %v", err)
	}
	err = refuses(t, b, emu.WalkTo(7, 7), free, emu.CodeWalkImpassable)
	if !strings.Contains(err.Detail, "the nearest tile that can be reached is (7,10)") && !strings.Contains(err.Detail, "(8,9)") {
		t.Errorf("no nearest tile: %v", err)
	}
	refuses(t, b, emu.WalkTo(o.Position.X+1, o.Position.Y), within(64, 15), emu.CodeFrameBound)

	act(t, b, emu.Press(emu.ButtonStart, 4))
	err = refuses(t, b, emu.WalkTo(o.Position.X+1, o.Position.Y), free, emu.CodeWalkNeedsOverworld)
	if !strings.Contains(err.Detail, "start-menu") {
		t.Errorf("no reason: %v", err)
	}
	restore(t, b, start)
	expect(t, completes(t, b, emu.WalkTo(o.Position.X, o.Position.Y)), map[string]any{"arrived": true, "plannedSteps": 0, "steps": 0})
	if !faceASign(t, b) {
		t.Fatal("no sign")
	}
	act(t, b, emu.Press(emu.ButtonA, 4))
	refuses(t, b, emu.WalkTo(o.Position.X, o.Position.Y), free, emu.CodeWalkNeedsOverworld)
}

// TestCartridgeWalkKnowsTheLane meets a fence, a person in its gap, water and
// a ledge.
func TestCartridgeWalkKnowsTheLane(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	lane := capture(t, b)
	free := emu.FreePlayLimits
	rival := emu.Point{X: 10 + 7, Y: 13 + 7}

	refuses(t, b, emu.WalkTo(rival.X, rival.Y), free, emu.CodeWalkImpassable)
	err := refuses(t, b, emu.WalkTo(rival.X, rival.Y-2), free, emu.CodeNoPath)
	if !strings.Contains(err.Detail, "(17,21)") {
		t.Errorf("the tile before him is the nearest: %v", err)
	}

	above, below := emu.Point{X: 4 + 7, Y: 21 + 7}, emu.Point{X: 4 + 7, Y: 23 + 7}
	completes(t, b, emu.WalkTo(above.X, above.Y))
	out := completes(t, b, emu.WalkTo(below.X, below.Y))
	expect(t, out, map[string]any{"arrived": true, "plannedSteps": 1, "steps": 1})
	quiet(t, b)
	out = completes(t, b, emu.WalkTo(above.X, above.Y)) // around: nobody climbs a ledge
	expect(t, out, map[string]any{"arrived": true})
	if n := out["steps"].(int); n < 8 {
		t.Errorf("%d steps lead around the ledge", n)
	}
	refuses(t, b, emu.WalkTo(4+7, 22+7), free, emu.CodeWalkImpassable)

	restore(t, b, lane)
	o := observe(t, b).State.Overworld
	south := o.Exits.Connections[slices.IndexFunc(o.Exits.Connections, func(c emu.Connection) bool { return c.Direction == emu.South })]
	out = completes(t, b, emu.WalkTo(south.Open[0], emu.MapBorder+o.Grid.Height))
	expect(t, out, map[string]any{"arrived": true, "warped": true})
	refuses(t, b, emu.WalkTo(5+7, 14+7), free, emu.CodeWalkImpassable) // the pond
}

func TestCartridgeWalksAsFarAsTheLimitsAllow(t *testing.T) {
	b, start := newCartridge(t)
	from := place(t, b)
	r := actWithin(t, b, emu.WalkTo(from.X-4, from.Y), within(3, 1800))
	expect(t, r.Outcome, map[string]any{"arrived": false, "plannedSteps": 4, "steps": 3, "endedBecause": "input_bound_reached", "blockedAt": (*emu.Point)(nil)})
	if at := place(t, b); at.X != from.X-3 {
		t.Errorf("three presses came to %v", at)
	}
	for frames := 16; frames < 84; frames += 3 {
		restore(t, b, start)
		out := completesWithin(t, b, emu.WalkTo(from.X-4, from.Y), within(64, frames))
		expect(t, out, map[string]any{"arrived": false, "endedBecause": "frame_bound_reached"})
		if at := place(t, b); at.X != from.X-out["steps"].(int) {
			t.Errorf("%d frames: %v steps came to %v", frames, out["steps"], at)
		}
	}
}

// unseen hides everybody who is not the player.
func unseen(s emu.State) emu.State {
	if s.Overworld != nil && s.Overworld.Occupants != nil {
		o := *s.Overworld
		o.Occupants = []emu.Occupant{}
		s.Overworld = &o
	}
	return s
}

// TestCartridgeWalkRemembersWhatItBumpedInto walks into somebody it does not
// see, stops, and goes around him next time; a load forgets him.
func TestCartridgeWalkRemembersWhatItBumpedInto(t *testing.T) {
	b := bootSeen(t, beforeRival, unseen)
	boy := emu.Point{X: 14 + 7, Y: 16 + 7}
	completes(t, b, emu.WalkTo(boy.X-2, boy.Y))
	before := capture(t, b)
	bump := func(when string) {
		t.Helper()
		out := completes(t, b, emu.WalkTo(boy.X+1, boy.Y))
		expect(t, out, map[string]any{"arrived": false, "plannedSteps": 3, "steps": 1, "blockedBecause": "npc"})
		if at, _ := out["blockedAt"].(*emu.Point); at == nil || *at != boy {
			t.Errorf("%s: blocked at %v, want %v", when, at, boy)
		}
	}
	bump("first")
	out := completes(t, b, emu.WalkTo(boy.X+1, boy.Y))
	expect(t, out, map[string]any{"arrived": true, "steps": 4})

	// Where nothing else leads, a remembered tile is tried again.
	out = completes(t, b, emu.WalkTo(boy.X, boy.Y))
	expect(t, out, map[string]any{"arrived": false, "plannedSteps": 1, "blockedBecause": "npc"})

	restore(t, b, before)
	bump("after a load")
}

// TestCartridgeWalksAroundPeople sees the boy and does not touch him.
func TestCartridgeWalksAroundPeople(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	completes(t, b, emu.WalkTo(12+7, 16+7))
	out := completes(t, b, emu.WalkTo(15+7, 16+7))
	expect(t, out, map[string]any{"arrived": true, "plannedSteps": 5, "steps": 5})
}

// TestCartridgeWalkEndsInABattle walks about in tall grass, at other times
// each round, until a battle stops a walk before its end.
func TestCartridgeWalkEndsInABattle(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	lane := capture(t, b)
	corners := []emu.Point{{X: 2 + 7, Y: 17 + 7}, {X: 7 + 7, Y: 19 + 7}, {X: 2 + 7, Y: 20 + 7}, {X: 7 + 7, Y: 17 + 7}}
	for i := range 120 {
		to := corners[i%len(corners)]
		out := completes(t, b, emu.WalkTo(to.X, to.Y))
		switch {
		case out["mode"] == "overworld":
			expect(t, out, map[string]any{"arrived": true})
		case out["mode"] != "battle" || observe(t, b).State.Battle == nil:
			t.Fatalf("stopped by %v", out)
		case out["arrived"] == true: // it began on the last tile
			restore(t, b, lane)
			act(t, b, emu.Advance(7+i))
		default:
			expect(t, out, map[string]any{"arrived": false, "blockedBecause": "battle"})
			refuses(t, b, emu.WalkTo(to.X, to.Y), emu.FreePlayLimits, emu.CodeWalkNeedsOverworld)
			return
		}
	}
	t.Error("no battle in 120 walks")
}

// TestCartridgeWalksWhereSomebodyWanders crosses the town, where a girl walks
// about, again and again: every answer is where the player then stands.
func TestCartridgeWalksWhereSomebodyWanders(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	o := observe(t, b).State.Overworld
	completes(t, b, emu.WalkTo(10+7, emu.MapBorder+o.Grid.Height))
	stopped := 0
	for i := range 24 {
		to := emu.Point{X: 7 + 7, Y: 11 + 7}
		if i%2 == 1 {
			to = emu.Point{X: 11 + 7, Y: 11 + 7}
		}
		r := act(t, b, emu.WalkTo(to.X, to.Y))
		if r.Err != nil {
			if r.Err.Code != emu.CodeWalkImpassable {
				t.Fatal(r.Err)
			}
			stopped++
			act(t, b, emu.Advance(32))
			continue
		}
		at := place(t, b)
		if arrived := at.X == to.X && at.Y == to.Y; r.Outcome["arrived"] != arrived {
			t.Errorf("at %v of %v: %v", at, to, r.Outcome)
		}
		if r.Outcome["arrived"] == false {
			stopped++
			expect(t, r.Outcome, map[string]any{"blockedBecause": "npc"})
		}
	}
	t.Logf("%d of 24 walks were stopped", stopped)
}

func TestCartridgeWalkNeedsAMap(t *testing.T) {
	lost := ""
	b := bootSeen(t, fixtures.DefaultID, func(s emu.State) emu.State {
		if s.Overworld == nil || lost == "" {
			return s
		}
		o := *s.Overworld
		if s.Overworld = &o; lost == "grid" {
			o.Grid = nil
		} else {
			o.Exits = nil
		}
		return s
	})
	for _, lost = range []string{"grid", "exits"} {
		b.Idle(t.Context(), 2) // or the frame before is still known
		refuses(t, b, emu.WalkTo(13, 11), emu.FreePlayLimits, emu.CodeMapGridUnavailable)
	}
}

// TestCartridgeWalksOverSpinners goes everywhere in the cave, where stones
// carry the player on: a walk is over when he stands, and where it says.
func TestCartridgeWalksOverSpinners(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	beatRival(t, b)
	o := observe(t, b).State.Overworld
	at := slices.IndexFunc(o.Exits.Warps, func(w emu.Warp) bool { return w.DestinationID == "bramble-map-1-0" })
	if at < 0 {
		t.Fatalf("no way into the cave: %+v", o.Exits)
	}
	expect(t, completes(t, b, emu.WalkTo(o.Exits.Warps[at].X, o.Exits.Warps[at].Y)), map[string]any{"warped": true})
	entrance := capture(t, b)
	o = observe(t, b).State.Overworld
	reach := route.Flood(o, nil)
	walks, slides := 0, 0
	for to := range o.Grid.All() {
		steps, ok := reach.Steps(to)
		if !ok || o.WarpAt(to) || (to.X+to.Y*o.Grid.Width)%5 != 0 {
			continue
		}
		restore(t, b, entrance)
		out := completes(t, b, emu.WalkTo(to.X, to.Y))
		if out["mode"] == "battle" {
			continue
		}
		expect(t, out, map[string]any{"arrived": true, "warped": false, "inputReady": true, "steps": steps})
		if now := place(t, b); now.X != to.X || now.Y != to.Y {
			t.Errorf("came to %v, not to %v", now, to)
		}
		walks++
		for p, d := range steppedOver(o, reach.Path(to)) {
			if _, kind := route.Step(o, p, d); kind == route.Slide {
				slides++
			}
		}
	}
	if walks < 8 || slides == 0 {
		t.Errorf("%d walks slid %d times", walks, slides)
	}
	t.Logf("%d walks slid %d times", walks, slides)
}

// steppedOver yields the tiles that a path steps from, and where to.
func steppedOver(o *emu.Overworld, path []emu.Direction) iter.Seq2[emu.Point, emu.Direction] {
	return func(yield func(emu.Point, emu.Direction) bool) {
		p := emu.Point{X: o.Position.X, Y: o.Position.Y}
		for _, d := range path {
			if !yield(p, d) {
				return
			}
			p, _ = route.Step(o, p, d)
		}
	}
}
