package route

import "clankie/emu"

// Metatile behaviours that movement asks for (MB_*, FireRed and LeafGreen, by
// whose numbers all families are decoded).
const (
	behaviorPond            = 0x10
	behaviorFastWater       = 0x11
	behaviorDeepWater       = 0x12
	behaviorWaterfall       = 0x13
	behaviorOcean           = 0x15
	behaviorUnusedWater     = 0x1A
	behaviorCyclingWater    = 0x1B
	behaviorIce             = 0x23
	behaviorImpassableEast  = 0x30
	behaviorImpassableWest  = 0x31
	behaviorImpassableNorth = 0x32
	behaviorImpassableSouth = 0x33
	behaviorImpassableNE    = 0x34
	behaviorImpassableNW    = 0x35
	behaviorImpassableSE    = 0x36
	behaviorImpassableSW    = 0x37
	behaviorJumpEast        = 0x38
	behaviorJumpWest        = 0x39
	behaviorJumpNorth       = 0x3A
	behaviorJumpSouth       = 0x3B
	behaviorWalkEast        = 0x40 // 40 to 43: walk east, west, north, south
	behaviorSlideEast       = 0x44 // 44 to 47: slide
	behaviorCurrentEast     = 0x50 // 50 to 53: currents, on water
	behaviorSpinEast        = 0x54 // 54 to 57: spinners
	behaviorStopSpinning    = 0x58
	behaviorCaveDoor        = 0x60
	behaviorLadder          = 0x61
	behaviorArrowEast       = 0x62
	behaviorArrowWest       = 0x63
	behaviorArrowNorth      = 0x64
	behaviorArrowSouth      = 0x65
	behaviorFallWarp        = 0x66
	behaviorRegularWarp     = 0x67
	behaviorWarp1F          = 0x68
	behaviorDoor            = 0x69
	behaviorEscalatorUp     = 0x6A
	behaviorEscalatorDown   = 0x6B
	behaviorStairUpRight    = 0x6C
	behaviorStairUpLeft     = 0x6D
	behaviorStairDownRight  = 0x6E
	behaviorStairDownLeft   = 0x6F
	behaviorUnionWarp       = 0x71
)

// Behaviours that only Emerald, Ruby and Sapphire have.
const (
	behaviorBumpySlope     = emu.BehaviorForeign + 0xD1
	behaviorRailFirst      = emu.BehaviorForeign + 0xD3 // D3 to D6: rails
	behaviorRailLast       = emu.BehaviorForeign + 0xD6
	behaviorSouthNorthShut = emu.BehaviorForeign + 0xC0
	behaviorWestEastShut   = emu.BehaviorForeign + 0xC1
)

// Kind says what pressing a direction does.
type Kind uint8

// The kinds of step.
const (
	Blocked Kind = iota // nothing moves; the player at most turns
	Walk                // one tile
	Ledge               // two tiles, over a ledge, and no way back
	Slide               // onto a tile that carries on; to is where it ends
	Warp                // the tile leads to another map
	ExitMat             // the press on the mat one stands on leads to another map
	Edge                // over the map's edge to the neighbouring one
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"blocked", "walk", "ledge", "slide", "warp", "exit-mat", "edge"}[min(k, Edge)]
}

// Moves reports whether the player ends up somewhere else on this map.
func (k Kind) Moves() bool { return k == Walk || k == Ledge || k == Slide }

// Leaves reports whether the step leads off this map.
func (k Kind) Leaves() bool { return k == Warp || k == ExitMat || k == Edge }

// Step says what one press of d does for a player who stands on from and faces
// d, and where it ends. It follows the games' own order: arrow mats, ledges,
// doors, then collision, people and elevation. A blocked step, an exit mat and
// an edge end where they began.
//
// It knows only what the overworld holds: people move, and a step that was
// free may be taken when it comes.
func Step(o *emu.Overworld, from emu.Point, d emu.Direction) (to emu.Point, kind Kind) {
	if o == nil || o.Grid == nil || !known(d) {
		return from, Blocked
	}
	here, ok := o.Grid.At(from.X, from.Y)
	if !ok {
		return from, Blocked
	}
	if arrow(here.Behavior, d) && o.WarpAt(from) {
		return from, ExitMat
	}
	to = neighbour(from, d)
	there, ok := o.Grid.At(to.X, to.Y)
	if !ok {
		return from, edgeKind(o, from, d)
	}
	if ledge := ledgeDirection(there.Behavior); ledge != "" {
		return ledgeStep(o, from, d, ledge)
	}
	if there.Behavior == behaviorDoor && o.WarpAt(to) {
		if d != emu.North {
			return from, Blocked
		}
		return to, Warp
	}
	if !free(o, from, to, d) {
		return from, Blocked
	}
	if arrivalWarp(there.Behavior) && o.WarpAt(to) {
		return to, Warp
	}
	if end, slid := slide(o, to, d); slid {
		if end == from {
			return from, Blocked // carried straight back
		}
		return end, Slide
	}
	return to, Walk
}

// neighbour is the tile one step away.
func neighbour(p emu.Point, d emu.Direction) emu.Point {
	dx, dy := d.Delta()
	return emu.Point{X: p.X + dx, Y: p.Y + dy}
}

func known(d emu.Direction) bool {
	dx, dy := d.Delta()
	return dx != 0 || dy != 0
}

// edgeKind is a step off the map: over an edge where a neighbour is connected
// and the way is open.
func edgeKind(o *emu.Overworld, from emu.Point, d emu.Direction) Kind {
	if o.Exits == nil {
		return Blocked
	}
	along := from.X
	if d == emu.East || d == emu.West {
		along = from.Y
	}
	for _, c := range o.Exits.Connections {
		if c.Direction != d {
			continue
		}
		if c.Open == nil {
			return Edge // where it is open was not read
		}
		for _, at := range c.Open {
			if at == along {
				return Edge
			}
		}
	}
	return Blocked
}

// ledgeStep jumps a ledge in its own direction; it is a wall in all others.
// Ledge tiles carry collision, so this comes before the test for it.
func ledgeStep(o *emu.Overworld, from emu.Point, d, ledge emu.Direction) (emu.Point, Kind) {
	landing := neighbour(neighbour(from, d), d)
	if d != ledge || o.Occupied(neighbour(from, d)) || o.Occupied(landing) {
		return from, Blocked
	}
	if _, ok := o.Grid.At(landing.X, landing.Y); !ok {
		return from, Blocked
	}
	return landing, Ledge
}

// ledgeDirection is where a ledge tile can be jumped to, or "".
func ledgeDirection(behavior uint16) emu.Direction {
	switch behavior {
	case behaviorJumpEast:
		return emu.East
	case behaviorJumpWest:
		return emu.West
	case behaviorJumpNorth:
		return emu.North
	case behaviorJumpSouth:
		return emu.South
	}
	return ""
}

// free reports whether a player can go from one tile to the next: the tile is
// open, nobody stands there, neither tile closes that side, and the layers
// meet.
func free(o *emu.Overworld, from, to emu.Point, d emu.Direction) bool {
	here, okHere := o.Grid.At(from.X, from.Y)
	there, okThere := o.Grid.At(to.X, to.Y)
	if !okHere || !okThere || there.Collision != 0 || acroOnly(there.Behavior) || o.Occupied(to) {
		return false
	}
	if closes(here.Behavior, d) || closes(there.Behavior, d.Opposite()) {
		return false
	}
	return layersMeet(o, from, here, there)
}

// acroOnly reports whether a tile lets nobody on but a rider of an Acro Bike
// who hops; a press of a direction alone is no hop.
func acroOnly(behavior uint16) bool {
	return behavior == behaviorBumpySlope || (behavior >= behaviorRailFirst && behavior <= behaviorRailLast)
}

// layersMeet is the elevation rule. On foot water is out of reach; from water
// only land of elevation 3 can be stepped on.
func layersMeet(o *emu.Overworld, from emu.Point, here, there emu.Cell) bool {
	swimming := Surfable(here.Behavior)
	if from.X == o.Position.X && from.Y == o.Position.Y {
		swimming = swimming || o.Surfing || o.Underwater
	}
	water := Surfable(there.Behavior)
	switch {
	case swimming && water:
		return true
	case swimming:
		return there.Elevation == 3 || there.Elevation == 0 || there.Elevation == here.Elevation
	case water:
		return false
	}
	level := int(here.Elevation)
	if from.X == o.Position.X && from.Y == o.Position.Y && level == multiLevel {
		level = o.Elevation // on a bridge only the player knows which layer he is on
	}
	return level == 0 || level == multiLevel ||
		there.Elevation == 0 || there.Elevation == multiLevel || int(there.Elevation) == level
}

// multiLevel is the elevation of a tile that belongs to two layers.
const multiLevel = 15

// Surfable reports whether a tile is water that is surfed on (sBehaviorSurfable,
// FireRed and LeafGreen).
func Surfable(behavior uint16) bool {
	switch behavior {
	case behaviorPond, behaviorFastWater, behaviorDeepWater, behaviorWaterfall, behaviorOcean,
		behaviorUnusedWater, behaviorCyclingWater:
		return true
	}
	return behavior >= behaviorCurrentEast && behavior < behaviorCurrentEast+4
}

// closes reports whether a tile cannot be left, or entered, on side d.
func closes(behavior uint16, d emu.Direction) bool {
	switch behavior {
	case behaviorSouthNorthShut:
		return d == emu.South || d == emu.North
	case behaviorWestEastShut:
		return d == emu.West || d == emu.East
	case behaviorImpassableEast:
		return d == emu.East
	case behaviorImpassableWest:
		return d == emu.West
	case behaviorImpassableNorth:
		return d == emu.North
	case behaviorImpassableSouth:
		return d == emu.South
	case behaviorImpassableNE:
		return d == emu.North || d == emu.East
	case behaviorImpassableNW:
		return d == emu.North || d == emu.West
	case behaviorImpassableSE:
		return d == emu.South || d == emu.East
	case behaviorImpassableSW:
		return d == emu.South || d == emu.West
	}
	return false
}

// arrow reports whether a tile warps when d is pressed while standing on it:
// exit mats and stairs.
func arrow(behavior uint16, d emu.Direction) bool {
	switch behavior {
	case behaviorArrowEast, behaviorStairUpRight, behaviorStairDownRight:
		return d == emu.East
	case behaviorArrowWest, behaviorStairUpLeft, behaviorStairDownLeft:
		return d == emu.West
	case behaviorArrowNorth:
		return d == emu.North
	case behaviorArrowSouth:
		return d == emu.South
	}
	return false
}

// arrivalWarp reports whether arriving on a tile warps.
func arrivalWarp(behavior uint16) bool {
	switch behavior {
	case behaviorCaveDoor, behaviorLadder, behaviorFallWarp, behaviorRegularWarp, behaviorWarp1F, behaviorDoor,
		behaviorEscalatorUp, behaviorEscalatorDown, behaviorUnionWarp:
		return true
	}
	return false
}

// forced is the direction a tile moves who stands on it, given the one he
// came in.
func forced(behavior uint16, d emu.Direction) emu.Direction {
	for _, first := range [...]uint16{behaviorWalkEast, behaviorSlideEast, behaviorCurrentEast, behaviorSpinEast} {
		if behavior >= first && behavior < first+4 {
			return [...]emu.Direction{emu.East, emu.West, emu.North, emu.South}[behavior-first]
		}
	}
	switch behavior {
	case behaviorIce:
		return d
	case behaviorWaterfall:
		return emu.South
	}
	return ""
}

// slide follows tiles that move the player by themselves, from p entered in
// direction d, to where he can act again. Once a spinner turns him he spins
// on over ordinary tiles until one stops him or something is in the way. The
// walk is bounded: a ring of spinners ends where the bound falls.
func slide(o *emu.Overworld, p emu.Point, d emu.Direction) (end emu.Point, slid bool) {
	spinning := false
	for range 4 * len(o.Grid.Blocks) {
		c, _ := o.Grid.At(p.X, p.Y)
		next := forced(c.Behavior, d)
		switch {
		case next != "":
			spinning = spinning || (c.Behavior >= behaviorSpinEast && c.Behavior < behaviorSpinEast+4)
			d = next
		case !spinning || c.Behavior == behaviorStopSpinning:
			return p, slid
		}
		to := neighbour(p, d)
		if !free(o, p, to, d) {
			return p, slid
		}
		p, slid = to, true
	}
	return p, slid
}
