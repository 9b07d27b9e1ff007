package route

import "clankie/emu"

// Terrain says what a tile is to somebody who looks at a map: what it does to
// him who steps on it. Whether he can step on it is [Step]'s to say.
type Terrain uint8

// The kinds of terrain.
const (
	Ground    Terrain = iota // nothing particular
	Grass                    // tall grass, where creatures live
	Water                    // surfed on
	Current                  // water that carries on in a direction, waterfalls too
	LedgeTile                // jumped in one direction only
	Spinner                  // spins one off in a direction
	SpinStop                 // ends a spin
	Mover                    // walks or slides one on in a direction
	Ice                      // slides one on in the direction one came in
	ThinIce                  // breaks under one who comes back
	Fence                    // closed on a side, or more than one
	Arrow                    // leads elsewhere by a press in a direction while standing on it
	Door                     // leads elsewhere by stepping on it
)

// Behaviours that only a look at the map asks for.
const (
	behaviorTallGrass    = 0x02
	behaviorThinIce      = 0x26
	behaviorCrackedIce   = 0x27
	behaviorCyclingGrass = 0xD1
)

// TerrainOf names the terrain of a metatile behaviour, by FireRed's numbers as
// in emu.Cell, and the direction that it has, "" for none. Arrows and doors
// lead elsewhere only where the map has a warp.
func TerrainOf(behavior uint16) (Terrain, emu.Direction) {
	if d := ledgeDirection(behavior); d != "" {
		return LedgeTile, d
	}
	for _, d := range [...]emu.Direction{emu.North, emu.East, emu.South, emu.West} {
		if arrow(behavior, d) {
			return Arrow, d
		}
	}
	if d := forced(behavior, ""); d != "" {
		return carrier(behavior), d
	}
	switch behavior {
	case behaviorTallGrass, behaviorCyclingGrass:
		return Grass, ""
	case behaviorIce:
		return Ice, ""
	case behaviorThinIce, behaviorCrackedIce:
		return ThinIce, ""
	case behaviorStopSpinning:
		return SpinStop, ""
	}
	switch {
	case Surfable(behavior):
		return Water, ""
	case arrivalWarp(behavior):
		return Door, ""
	case fenced(behavior):
		return Fence, ""
	}
	return Ground, ""
}

// carrier is the kind of a tile that carries one on.
func carrier(behavior uint16) Terrain {
	switch {
	case Surfable(behavior):
		return Current
	case behavior >= behaviorSpinEast && behavior < behaviorSpinEast+4:
		return Spinner
	}
	return Mover
}

// fenced reports whether a tile is closed on any side.
func fenced(behavior uint16) bool {
	for _, d := range [...]emu.Direction{emu.North, emu.East, emu.South, emu.West} {
		if closes(behavior, d) {
			return true
		}
	}
	return false
}
