package double

import "clankie/emu"

// Grid is a map drawn for a test: a grid of width tiles a row that has cells
// row by row. A behaviour is its metatile's, so each behaviour gets a metatile
// of its own and those of cells are not kept.
func Grid(width int, cells []emu.Cell) *emu.Grid {
	g := &emu.Grid{Width: width, Height: len(cells) / width, Behaviors: new([emu.Metatiles]uint16)}
	metatiles := map[uint16]int{0: 0}
	for _, c := range cells {
		m, known := metatiles[c.Behavior]
		if !known {
			m = len(metatiles)
			metatiles[c.Behavior], g.Behaviors[m] = m, c.Behavior
		}
		g.Blocks = append(g.Blocks, emu.Block(m)|emu.Block(c.Collision)<<10|emu.Block(c.Elevation)<<12)
	}
	return g
}
