package emu

import "iter"

// MapBorder is the width of the border on the left and top of a live map.
const MapBorder = 7

// Block is one tile of a live map as the games keep it: ten bits of metatile,
// two of collision, four of elevation (the same in all games).
type Block uint16

// BlockUndefined is a block that no metatile was ever set in: it draws the
// border and cannot be walked on, whatever its collision bits say.
const BlockUndefined Block = 0x03FF

// Metatiles is how many metatiles a map's two tilesets have between them.
const Metatiles = 1024

// Metatile is the block's metatile, 0 to 1023.
func (b Block) Metatile() int { return int(b % Metatiles) }

// Collision is 0 of a block that can be walked on, 1 to 3 of one that cannot.
func (b Block) Collision() uint8 {
	if b == BlockUndefined {
		return 1
	}
	return uint8(b >> 10 & 3)
}

// Elevation is the block's layer, 0 to 15.
func (b Block) Elevation() uint8 { return uint8(b >> 12) }

// Cell is one tile of a Grid as movement sees it.
type Cell struct {
	Collision  uint8  // 0 passable
	Elevation  uint8  // 0..15
	MetatileID uint16 // 0..1023
	Behavior   uint16 // metatile behaviour by FireRed's numbers, 0 when not read
}

// BehaviorForeign is added to the number of a metatile behaviour that another
// family has and FireRed has not.
const BehaviorForeign = 0x200

// Grid is the whole live map without its border. Its coordinates are
// border-inclusive like everyone's: the first real tile is (7, 7). A map has up
// to ten thousand tiles, so they stay blocks until somebody looks at one.
type Grid struct {
	Width, Height int     // real tiles
	Blocks        []Block // row by row
	// Behaviors are the behaviours of the metatiles, by FireRed's numbers; nil
	// where they were not read.
	Behaviors *[Metatiles]uint16
}

// At returns the cell at border-inclusive (x, y); ok is false outside.
func (g *Grid) At(x, y int) (c Cell, ok bool) {
	if g == nil {
		return Cell{}, false
	}
	x, y = x-MapBorder, y-MapBorder
	if x < 0 || y < 0 || x >= g.Width || y >= g.Height {
		return Cell{}, false
	}
	return g.cell(g.Blocks[y*g.Width+x]), true
}

// All yields every tile and where it is, row by row.
func (g *Grid) All() iter.Seq2[Point, Cell] {
	return func(yield func(Point, Cell) bool) {
		for i, b := range g.Blocks {
			if !yield(Point{X: MapBorder + i%g.Width, Y: MapBorder + i/g.Width}, g.cell(b)) {
				return
			}
		}
	}
}

func (g *Grid) cell(b Block) Cell {
	c := Cell{Collision: b.Collision(), Elevation: b.Elevation(), MetatileID: uint16(b.Metatile())}
	if g.Behaviors != nil {
		c.Behavior = g.Behaviors[b.Metatile()]
	}
	return c
}
