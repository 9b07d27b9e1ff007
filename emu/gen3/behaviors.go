package gen3

import "clankie/emu"

// behaviorMap turns a family's metatile behaviours into FireRed's, so that
// whoever walks knows one set of numbers. What FireRed has no number for is its
// own number plus [emu.BehaviorForeign].
type behaviorMap [256]uint16

// hoennBehaviors are the behaviours of Emerald, Ruby and Sapphire (MB_*). The
// numbers that differ between the two are unused in the one or the other.
var hoennBehaviors = func() (m behaviorMap) {
	for i := range m {
		m[i] = foreign(uint8(i))
	}
	same := func(first, last int) {
		for i := first; i <= last; i++ {
			m[i] = uint16(i)
		}
	}
	same(0x00, 0x00) // normal
	same(0x02, 0x02) // tall grass
	same(0x0A, 0x0C) // no running, indoor encounter, mountain top
	same(0x10, 0x10) // pond
	same(0x12, 0x13) // deep water, waterfall
	same(0x15, 0x17) // ocean, puddle, shallow water
	same(0x21, 0x21) // sand
	same(0x26, 0x28) // thin ice, cracked ice, hot springs
	same(0x30, 0x3B) // closed sides and corners, ledges
	same(0x40, 0x48) // walks and slides by itself
	same(0x50, 0x53) // currents
	same(0x60, 0x6B) // doors, ladder, arrow warps, holes, escalators
	same(0x80, 0x80) // counter
	same(0x83, 0x83) // PC
	same(0x85, 0x86) // region map, television
	for behavior, as := range map[uint8]uint16{
		0x03: 0x02, // MB_LONG_GRASS, which hides as tall grass does
		0x24: 0x02, // MB_ASHGRASS
		0x11: 0x12, // MB_INTERIOR_DEEP_WATER
		0x14: 0x12, // MB_SOOTOPOLIS_DEEP_WATER
		0x19: 0x12, // MB_NO_SURFACING
		0x22: 0x12, // MB_SEAWEED
		0x2A: 0x12, // MB_SEAWEED_NO_SURFACING
		0x20: 0x23, // MB_ICE
		0x0E: 0x67, // MB_MOSSDEEP_GYM_WARP
		0x0F: 0x66, // MB_MT_PYRE_HOLE
		0x29: 0x68, // MB_LAVARIDGE_GYM_B1F_WARP
		0x1B: 0x64, // MB_STAIRS_OUTSIDE_ABANDONED_SHIP, a north arrow
		0x1C: 0x65, // MB_SHOAL_CAVE_ENTRANCE, a south arrow
		0x6D: 0x65, // MB_WATER_SOUTH_ARROW_WARP
		0x6C: 0x60, // MB_WATER_DOOR
		0x6E: 0x60, // MB_DEEP_SOUTH_WARP
		0x8D: 0x69, // MB_PETALBURG_GYM_DOOR
		0xD0: 0x43, // MB_MUDDY_SLOPE, down which he slides who is not fast enough
	} {
		m[behavior] = as
	}
	return m
}()

func foreign(behavior uint8) uint16 { return emu.BehaviorForeign + uint16(behavior) }
