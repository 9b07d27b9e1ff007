package route

import (
	"testing"

	"clankie/emu"
)

func TestFloodGoesAroundPeopleAndNeverOverAWarp(t *testing.T) {
	o, from := draw(
		"#####C#",
		"@.....#",
		"#.###.#",
		"#.....#",
	)
	o.Occupants = []emu.Occupant{{LocalID: 3, X: from.X + 2, Y: from.Y}}
	door := emu.Point{X: from.X + 5, Y: from.Y - 1}
	o.Exits = &emu.Exits{Warps: []emu.Warp{{X: door.X, Y: door.Y}}}
	r := Flood(o, nil)
	if _, ok := r.Steps(door); ok {
		t.Error("the warp's tile counts as a place to stand")
	}
	behind := emu.Point{X: from.X + 5, Y: from.Y}
	if n, ok := r.Steps(behind); !ok || n != 9 {
		t.Errorf("the tile before the warp is %d steps away (%t), want 9 around the person", n, ok)
	}
	path := r.Path(behind)
	if len(path) != 9 || path[0] != emu.East || path[1] != emu.South {
		t.Errorf("path %v", path)
	}
	if len(r.Exits) != 1 || r.Exits[0].From != behind || r.Exits[0].Direction != emu.North || r.Exits[0].Kind != Warp {
		t.Errorf("exits %+v", r.Exits)
	}
}

func TestFloodHonoursClosedSteps(t *testing.T) {
	o, from := draw("@..")
	r := Flood(o, func(p emu.Point, d emu.Direction) bool { return p == from && d == emu.East })
	if _, ok := r.Steps(emu.Point{X: from.X + 1, Y: from.Y}); ok {
		t.Error("a refused step was taken")
	}
	if r.Path(from) != nil {
		t.Error("there is a path to where he stands")
	}
}
