package route

import (
	"testing"

	"clankie/emu"
)

func TestTerrain(t *testing.T) {
	for behavior, want := range map[uint16]struct {
		terrain Terrain
		d       emu.Direction
	}{
		0x00: {Ground, ""}, 0x80: {Ground, ""}, 0x21: {Ground, ""},
		0x02: {Grass, ""}, 0xD1: {Grass, ""},
		0x10: {Water, ""}, 0x12: {Water, ""}, 0x15: {Water, ""}, 0x17: {Ground, ""},
		0x13: {Current, emu.South}, 0x50: {Current, emu.East}, 0x53: {Current, emu.South},
		0x38: {LedgeTile, emu.East}, 0x39: {LedgeTile, emu.West}, 0x3A: {LedgeTile, emu.North}, 0x3B: {LedgeTile, emu.South},
		0x54: {Spinner, emu.East}, 0x55: {Spinner, emu.West}, 0x56: {Spinner, emu.North}, 0x57: {Spinner, emu.South},
		0x58: {SpinStop, ""},
		0x40: {Mover, emu.East}, 0x43: {Mover, emu.South}, 0x46: {Mover, emu.North},
		0x23: {Ice, ""}, 0x26: {ThinIce, ""}, 0x27: {ThinIce, ""},
		0x30: {Fence, ""}, 0x37: {Fence, ""}, emu.BehaviorForeign + 0xC0: {Fence, ""},
		0x62: {Arrow, emu.East}, 0x63: {Arrow, emu.West}, 0x64: {Arrow, emu.North}, 0x65: {Arrow, emu.South},
		0x6C: {Arrow, emu.East}, 0x6F: {Arrow, emu.West},
		0x60: {Door, ""}, 0x61: {Door, ""}, 0x66: {Door, ""}, 0x69: {Door, ""}, 0x71: {Door, ""},
		emu.BehaviorForeign + 0x02: {Ground, ""},
	} {
		if terrain, d := TerrainOf(behavior); terrain != want.terrain || d != want.d {
			t.Errorf("%#x is %d %q, want %d %q", behavior, terrain, d, want.terrain, want.d)
		}
	}
}

// TestTerrainSaysWhatAStepDoes: what carries one on is named so, and nothing
// else is.
func TestTerrainSaysWhatAStepDoes(t *testing.T) {
	for behavior := range uint16(2 * emu.BehaviorForeign) {
		terrain, d := TerrainOf(behavior)
		if carries := forced(behavior, "") != ""; carries != (terrain == Current || terrain == Spinner || terrain == Mover) {
			t.Errorf("%#x carries one on: %v, and is called %d", behavior, carries, terrain)
		}
		if directed := d != ""; directed != (terrain == Current || terrain == Spinner || terrain == Mover || terrain == LedgeTile || terrain == Arrow) {
			t.Errorf("%#x of kind %d has the direction %q", behavior, terrain, d)
		}
		if (terrain == Water || terrain == Current) != Surfable(behavior) {
			t.Errorf("%#x is surfed on: %v, and is called %d", behavior, Surfable(behavior), terrain)
		}
	}
}
