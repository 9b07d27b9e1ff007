package gen3

import "clankie/emu"

// Bits of a map block and bounds of a live map (gBackupMapLayout, gBackupMapData).
const (
	blockMetatile   = 0x03FF
	blockUndefined  = 0x03FF // the whole block: no metatile was ever set
	blockCollision  = 10     // two bits
	blockElevation  = 12     // four bits
	liveMapCellsMax = 0x2800
	metatileCount   = 1024

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
func (m *liveMap) block(x, y int) int { return le16(m.cells, (y*m.width+x)*2) }

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
		if int(int32(le32(b, layoutWidth))) != g.Width || int(int32(le32(b, layoutHeight))) != g.Height {
			d.torn(partMap, "the live map and its layout differ in size")
			return nil
		}
	}
	behaviors := d.metatileBehaviors(layout)
	g.Cells = make([]emu.Cell, g.Width*g.Height)
	for y := range g.Height {
		blocks := m.cells[((y+emu.MapBorder)*m.width+emu.MapBorder)*2:]
		row := g.Cells[y*g.Width : (y+1)*g.Width]
		for x := range row {
			row[x] = cellOf(int(blocks[2*x])|int(blocks[2*x+1])<<8, behaviors)
		}
	}
	return g
}

// cellOf takes a block apart. An undefined block draws the border and cannot
// be walked on, whatever its collision bits say.
func cellOf(block int, behaviors *behaviorTable) emu.Cell {
	c := emu.Cell{
		Collision:  uint8(block >> blockCollision & 3),
		Elevation:  uint8(block >> blockElevation & 15),
		MetatileID: uint16(block & blockMetatile),
		Behavior:   behaviors[block&blockMetatile],
	}
	if block == blockUndefined {
		c.Collision = 1
	}
	return c
}

// openBlock reports whether a block can be stood on.
func openBlock(block int) bool { return block != blockUndefined && block>>blockCollision&3 == 0 }

// behaviorTable holds the behaviour of every metatile of a map's two tilesets;
// 0 where it is not read.
type behaviorTable [metatileCount]uint16

// metatileBehaviors reads the attributes of the tilesets of a layout.
func (d *decoder) metatileBehaviors(layout uint32) *behaviorTable {
	t := new(behaviorTable)
	if !inROM(layout) {
		return t
	}
	split := d.p.Layout.PrimaryMetatiles
	d.readBehaviors(t[:split], d.u32(layout+layoutPrimary))
	d.readBehaviors(t[split:], d.u32(layout+layoutSecondary))
	return t
}

// readBehaviors reads a tileset's behaviours; one near the end of the cartridge
// may have fewer than there is room for.
func (d *decoder) readBehaviors(into []uint16, tileset uint32) {
	l := &d.p.Layout
	if !inROM(tileset) {
		return
	}
	ptr := d.u32(tileset + l.MetatileAttributes)
	if !inROM(ptr) {
		return
	}
	size := l.MetatileAttributeSize
	b := d.bytes(ptr, min(len(into)*size, len(d.mem.ROM)-int(ptr-emu.ROMBase)))
	for i := range min(len(into), len(b)/size) {
		attribute := uint32(le16(b, i*size))
		if size == 4 {
			attribute = le32(b, i*size)
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
		for x := x0; x <= x1; x++ {
			c := byte('#')
			if cell, _ := o.Grid.At(x, y); cell.Collision == 0 {
				c = '.'
			}
			rows[y-y0][x-x0] = c
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
