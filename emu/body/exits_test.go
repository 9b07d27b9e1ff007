package body_test

import (
	"testing"

	"clankie/emu"
	"clankie/emu/double"
	"clankie/emu/route"
)

// TestExitsSayWhetherAWalkTakesThem holds what an observation says of an exit
// against the rules of walking, for every behaviour a tile can have.
func TestExitsSayWhetherAWalkTakesThem(t *testing.T) {
	at := emu.Point{X: emu.MapBorder + 1, Y: emu.MapBorder + 1}
	for behavior := range uint16(0x100) {
		cells := make([]emu.Cell, 9)
		cells[4].Behavior = behavior
		grid := double.Grid(3, cells)
		o := &emu.Overworld{
			Position: emu.Position{MapID: "m", X: at.X, Y: at.Y}, Facing: emu.South, Grid: grid,
			Exits: &emu.Exits{Warps: []emu.Warp{{X: at.X, Y: at.Y, DestinationID: "n"}}},
		}
		want := emu.WalkUnsupported
		for _, d := range emu.Directions {
			if _, kind := route.Step(o, at, d); kind == route.ExitMat {
				want = emu.WalkSupported
			}
			dx, dy := d.Delta()
			if _, kind := route.Step(o, emu.Point{X: at.X - dx, Y: at.Y - dy}, d); kind == route.Warp {
				want = emu.WalkSupported
			}
		}
		if got := exitOf(t, o); got != want {
			t.Errorf("behaviour %#x: walkTo %q, and walking says %q", behavior, got, want)
		}
	}
}

func exitOf(t *testing.T, o *emu.Overworld) string {
	t.Helper()
	data, err := emu.Observe(emu.ObserveOverworld, emu.ObservationInput{
		State: emu.State{Scene: emu.Scene{Mode: emu.ModeOverworld}, Overworld: o},
		RAM:   func() emu.Digest { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return data.(emu.OverworldData).Exits.Warps[0].WalkTo
}

func TestExitsOfATilesetThatWasNotReadSayNothing(t *testing.T) {
	grid := &emu.Grid{Width: 1, Height: 1, Blocks: make([]emu.Block, 1)}
	warp := emu.Warp{X: emu.MapBorder, Y: emu.MapBorder, DestinationID: "n"}
	o := &emu.Overworld{
		Position: emu.Position{MapID: "m", X: warp.X, Y: warp.Y}, Facing: emu.South, Grid: grid,
		Exits: &emu.Exits{Warps: []emu.Warp{warp}},
	}
	if got := exitOf(t, o); got != "" {
		t.Errorf("walkTo %q", got)
	}
	o.Grid = nil
	if got := exitOf(t, o); got != "" {
		t.Errorf("without a map: walkTo %q", got)
	}
}

// TestCartridgeExitsCanBeWalked reads the exits of the room.
func TestCartridgeExitsCanBeWalked(t *testing.T) {
	b, _ := newCartridge(t)
	if got := exitOf(t, observe(t, b).State.Overworld); got != emu.WalkSupported {
		t.Errorf("walkTo %q", got)
	}
}
