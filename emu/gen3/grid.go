package gen3

import "clankie/emu"

const (
	liveMapCellsMax = 0x2800 // gBackupMapData

	// minimapRadius is how far the crop reaches from the player.
	minimapRadius = 12
)

// Offsets in struct MapLayout and struct Tileset.
const (
	layoutWidth     = 0x00
	layoutHeight    = 0x04
	layoutPrimary   = 0x10
	layoutSecondary = 0x14
)

// liveMap is gBackupMapLayout: the map with its border.
type liveMap struct {
	width, height int
	cells         []byte // u16 blocks
}

// block returns the block at border-inclusive (x, y), which must lie inside.
func (m *liveMap) block(x, y int) emu.Block { return emu.Block(le16(m.cells, (y*m.width+x)*2)) }

// liveMap reads the buffer the field walks on.
func (d *decoder) liveMap() (m liveMap, reason string) {
	at := d.p.RAM.BackupLayout
	w, h := int(int32(d.u32(at))), int(int32(d.u32(at+4)))
	ptr := d.u32(at + 8)
	l := &d.p.Layout
	if w <= l.BlockX || h <= l.BlockY || w > liveMapCellsMax || h > liveMapCellsMax || w*h > liveMapCellsMax {
		return liveMap{}, "no map of a possible size is loaded"
	}
	cells := d.bytes(ptr, w*h*2)
	if !inEWRAM(ptr) || cells == nil {
		return liveMap{}, "the map lies outside memory"
	}
	return liveMap{w, h, cells}, ""
}

// layoutSquares is how many times a layout stands in its map, across and down. A
// floor of Emerald's Battle Pyramid is put together from four by four squares of
// the size of its layout (GenerateBattlePyramidFloorLayout).
func (d *decoder) layoutSquares() int {
	id := d.p.Layout.SquaresLayout
	if id != 0 && int(d.u16(d.p.RAM.MapHeader+headerLayoutID)) == id {
		return 4
	}
	return 1
}

// grid reads the map without its border. When the map's own layout is another
// size than the live map, a warp is half way through.
func (d *decoder) grid() *emu.Grid {
	m, reason := d.liveMap()
	if reason != "" {
		d.absent(partMap, reason)
		return nil
	}
	l := &d.p.Layout
	g := &emu.Grid{Width: m.width - l.BlockX, Height: m.height - l.BlockY}
	layout := d.u32(d.p.RAM.MapHeader + headerLayout)
	if b := d.bytes(layout, layoutSecondary+4); b != nil && inROM(layout) {
		n := d.layoutSquares()
		if int(int32(le32(b, layoutWidth)))*n != g.Width || int(int32(le32(b, layoutHeight)))*n != g.Height {
			d.torn(partMap, "the live map and its layout differ in size")
			return nil
		}
	}
	g.Behaviors = d.metatileBehaviors(layout)
	g.Blocks = make([]emu.Block, g.Width*g.Height)
	for y := range g.Height {
		at := ((y+emu.MapBorder)*m.width + emu.MapBorder) * 2
		copyBlocks(g.Blocks[y*g.Width:(y+1)*g.Width], m.cells[at:])
	}
	return g
}

// copyBlocks fills row from the start of b. A map has thousands of blocks, so
// the loop leaves the compiler no bounds to check.
func copyBlocks(row []emu.Block, b []byte) {
	b = b[:2*len(row)]
	for x := range row {
		if len(b) < 2 {
			return
		}
		row[x] = emu.Block(b[0]) | emu.Block(b[1])<<8
		b = b[2:]
	}
}

// metatileBehaviors reads the behaviours of the metatiles of a layout's two
// tilesets; nil where neither can be read.
func (d *decoder) metatileBehaviors(layout uint32) *[emu.Metatiles]uint16 {
	if !inROM(layout) {
		return nil
	}
	split := d.p.Layout.PrimaryMetatiles
	primary := d.attributes(d.u32(layout+layoutPrimary), split)
	secondary := d.attributes(d.u32(layout+layoutSecondary), emu.Metatiles-split)
	if primary == nil && secondary == nil {
		return nil
	}
	t := new([emu.Metatiles]uint16)
	d.putBehaviors(t[:split], primary)
	d.putBehaviors(t[split:], secondary)
	return t
}

// attributes are those of a tileset's first n metatiles; of a tileset near the
// end of the cartridge there may be fewer. nil where they cannot be read.
func (d *decoder) attributes(tileset uint32, n int) []byte {
	if !inROM(tileset) {
		return nil
	}
	ptr := d.u32(tileset + d.p.Layout.MetatileAttributes)
	if !inROM(ptr) {
		return nil
	}
	return d.bytes(ptr, min(n*d.p.Layout.MetatileAttributeSize, len(d.mem.ROM)-int(ptr-emu.ROMBase)))
}

// putBehaviors takes the behaviours out of attributes.
func (d *decoder) putBehaviors(into []uint16, attributes []byte) {
	l := &d.p.Layout
	size := l.MetatileAttributeSize
	for i := range min(len(into), len(attributes)/size) {
		attribute := uint32(le16(attributes, i*size))
		if size == 4 {
			attribute = le32(attributes, i*size)
		}
		into[i] = uint16(attribute & l.BehaviorMask)
		if l.Behaviors != nil {
			into[i] = l.Behaviors[uint8(into[i])]
		}
	}
}

// surroundings are the four neighbours of the player and the faced one.
func surroundings(o *emu.Overworld) *emu.Surroundings {
	at := func(dir emu.Direction) emu.Tile {
		dx, dy := dir.Delta()
		return tileAt(o, o.Position.X+dx, o.Position.Y+dy)
	}
	s := &emu.Surroundings{North: at(emu.North), East: at(emu.East), South: at(emu.South), West: at(emu.West)}
	switch o.Facing {
	case emu.North:
		s.Ahead = s.North
	case emu.East:
		s.Ahead = s.East
	case emu.West:
		s.Ahead = s.West
	default: // a player who faces nowhere looks at the reader
		s.Ahead = s.South
	}
	return s
}

func tileAt(o *emu.Overworld, x, y int) emu.Tile {
	t := emu.Tile{X: x, Y: y}
	c, ok := o.Grid.At(x, y)
	if !ok {
		return t
	}
	elevation, metatile := int(c.Elevation), int(c.MetatileID)
	t.Elevation, t.MetatileID = &elevation, &metatile
	t.Passable = c.Collision == 0 && !o.Occupied(emu.Point{X: x, Y: y})
	return t
}

// minimap crops the map around the player.
func minimap(o *emu.Overworld) *emu.Minimap {
	const border = emu.MapBorder
	x0 := max(o.Position.X-minimapRadius, border)
	y0 := max(o.Position.Y-minimapRadius, border)
	x1 := min(o.Position.X+minimapRadius, o.Grid.Width+border-1)
	y1 := min(o.Position.Y+minimapRadius, o.Grid.Height+border-1)
	m := &emu.Minimap{TopLeft: emu.Point{X: x0, Y: y0}, Rows: make([]string, 0, y1-y0+1)}
	var rows [2*minimapRadius + 1][2*minimapRadius + 1]byte
	put := func(x, y int, c byte) {
		if x >= x0 && x <= x1 && y >= y0 && y <= y1 {
			rows[y-y0][x-x0] = c
		}
	}
	for y := y0; y <= y1; y++ {
		at := (y-border)*o.Grid.Width - border
		for i, block := range o.Grid.Blocks[at+x0 : at+x1+1] {
			c := byte('#')
			if block.Collision() == 0 {
				c = '.'
			}
			rows[y-y0][i] = c
		}
	}
	// Later marks win over earlier ones.
	for i := range o.Occupants {
		put(o.Occupants[i].X, o.Occupants[i].Y, 'o')
	}
	if o.Exits != nil {
		for i := range o.Exits.Warps {
			put(o.Exits.Warps[i].X, o.Exits.Warps[i].Y, 'D')
		}
	}
	put(o.Position.X, o.Position.Y, '@')
	for y := y0; y <= y1; y++ {
		m.Rows = append(m.Rows, string(rows[y-y0][:x1-x0+1]))
	}
	return m
}
