package tui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"clankie/emu"
	"clankie/emu/route"
)

// mapView is a part of the map as it is drawn: two bytes a tile, its mark and
// its direction. It is a value of strings, so that it is soon compared.
type mapView struct {
	x, y int // border-inclusive, of the first tile
	rows []string
}

// The marks of tiles. Those that are drawn as themselves are their own glyph.
const (
	markYou     = '@'
	markExit    = 'D'
	markArrow   = 'A' // an exit by a press while standing on it
	markOther   = 'o'
	markSign    = '!'
	markEdge    = 'E' // the map's edge, where it leads on
	markLedge   = 'J'
	markGrass   = '"'
	markWater   = '~'
	markCurrent = 'C'
	markSpinner = '%'
	markStop    = 'x'
	markMover   = '='
	markIce     = '*'
	markThinIce = ':'
	markFence   = 'F'
	markFree    = '.'
	markWall    = '#'
	markNothing = ' ' // beyond the map
)

// mapKind is how tiles of one mark are drawn and what the legend calls them.
type mapKind struct {
	mark   byte
	glyph  string
	name   string
	ink    func(p *palette) lipgloss.Style
	double bool // fills both cells of a wide tile
}

// mapKinds is in the order of the legend: what comes last is left out first.
var mapKinds = []mapKind{
	{markYou, "@", "you", func(p *palette) lipgloss.Style { return p.strong }, false},
	{markExit, "D", "exit", boldAccent, false},
	{markArrow, "D", "exit, by a press that way", boldAccent, false},
	{markOther, "o", "other", func(p *palette) lipgloss.Style { return p.warn.Bold(true) }, false},
	{markEdge, "↑", "map edge", boldAccent, false},
	{markSign, "!", "sign", func(p *palette) lipgloss.Style { return p.accent }, false},
	{markLedge, "v", "ledge", func(p *palette) lipgloss.Style { return p.warn }, true},
	{markGrass, `"`, "grass", func(p *palette) lipgloss.Style { return p.good }, true},
	{markWater, "~", "water", water, true},
	{markCurrent, "≈", "current", water, false},
	{markSpinner, "%", "spinner", func(p *palette) lipgloss.Style { return p.warn }, false},
	{markStop, "x", "stops spins", func(p *palette) lipgloss.Style { return p.text }, false},
	{markMover, "=", "moves you", func(p *palette) lipgloss.Style { return p.warn }, false},
	{markIce, "*", "ice", water, false},
	{markThinIce, ":", "thin ice", water, false},
	{markFence, "¦", "shut on a side", func(p *palette) lipgloss.Style { return p.muted }, false},
	{markFree, "·", "free", func(p *palette) lipgloss.Style { return p.faint }, false},
	{markWall, "▒", "wall", func(p *palette) lipgloss.Style { return p.faint }, true},
}

func boldAccent(p *palette) lipgloss.Style { return p.accent.Bold(true) }
func water(p *palette) lipgloss.Style      { return p.typeInk("water") }

// terrainMarks are the marks of terrain that is no plain ground.
var terrainMarks = map[route.Terrain]byte{
	route.Grass: markGrass, route.Water: markWater, route.Current: markCurrent, route.LedgeTile: markLedge,
	route.Spinner: markSpinner, route.SpinStop: markStop, route.Mover: markMover,
	route.Ice: markIce, route.ThinIce: markThinIce, route.Fence: markFence,
}

// tileLooks holds mark and direction of open tiles by their behaviour, and the
// direction of those that are exits by a press.
var tileLooks = func() (looks [2 * emu.BehaviorForeign][2]byte) {
	for behavior := range looks {
		terrain, d := route.TerrainOf(uint16(behavior))
		mark, ok := terrainMarks[terrain]
		if !ok {
			mark = markFree
		}
		looks[behavior] = [2]byte{mark, directionByte(d)}
	}
	return looks
}()

func directionByte(d emu.Direction) byte {
	if d == "" {
		return ' '
	}
	return d[0] // n, e, s or w
}

func lookOf(behavior uint16) [2]byte {
	if int(behavior) >= len(tileLooks) {
		return [2]byte{markFree, ' '}
	}
	return tileLooks[behavior]
}

// viewMap is the map within reach tiles of the player, with a ring around it
// that shows where its edges lead on.
func viewMap(o *emu.Overworld, reach int) mapView {
	if o.Grid == nil {
		return viewMinimap(o)
	}
	c := newMapCanvas(o, reach)
	for i := range o.Signs {
		c.put(o.Signs[i].X, o.Signs[i].Y, markSign, ' ')
	}
	if o.Exits != nil {
		c.edges(o)
	}
	for i := range o.Occupants {
		c.put(o.Occupants[i].X, o.Occupants[i].Y, markOther, ' ')
	}
	if o.Exits != nil {
		c.warps(o)
	}
	c.put(o.Position.X, o.Position.Y, markYou, directionByte(o.Facing))
	return c.view()
}

// viewMinimap is the crop that comes with a state whose map is not known tile
// by tile.
func viewMinimap(o *emu.Overworld) mapView {
	if o.Minimap == nil {
		return mapView{}
	}
	v := mapView{x: o.Minimap.TopLeft.X, y: o.Minimap.TopLeft.Y}
	var b strings.Builder
	for _, row := range o.Minimap.Rows {
		b.Reset()
		for i := range len(row) {
			d := byte(' ')
			if row[i] == markYou {
				d = directionByte(o.Facing)
			}
			b.WriteByte(row[i])
			b.WriteByte(d)
		}
		v.rows = append(v.rows, b.String())
	}
	return v
}

// mapCanvas is a part of the map while marks are put on it.
type mapCanvas struct {
	x0, y0, w, h int
	cells        []byte // two a tile
}

// newMapCanvas has the map's tiles on it, and a row or column more on a side
// that leads on.
func newMapCanvas(o *emu.Overworld, reach int) *mapCanvas {
	g := o.Grid
	x0, y0 := emu.MapBorder, emu.MapBorder
	x1, y1 := x0+g.Width-1, y0+g.Height-1
	if o.Exits != nil {
		for i := range o.Exits.Connections {
			l := &o.Exits.Connections[i]
			if dx, dy := l.Direction.Delta(); len(l.Open) > 0 {
				x0, y0 = min(x0, emu.MapBorder+dx), min(y0, emu.MapBorder+dy)
				x1, y1 = max(x1, emu.MapBorder+g.Width-1+dx), max(y1, emu.MapBorder+g.Height-1+dy)
			}
		}
	}
	c := &mapCanvas{x0: max(o.Position.X-reach, x0), y0: max(o.Position.Y-reach, y0)}
	c.w = max(min(o.Position.X+reach, x1)-c.x0+1, 0)
	c.h = max(min(o.Position.Y+reach, y1)-c.y0+1, 0)
	c.cells = make([]byte, 2*c.w*c.h)
	for y := range c.h {
		for x := range c.w {
			look := [2]byte{markNothing, ' '}
			if cell, ok := g.At(c.x0+x, c.y0+y); ok {
				look = lookOf(cell.Behavior)
				if cell.Collision != 0 && look[0] != markLedge {
					look = [2]byte{markWall, ' '}
				} else if look[0] == markFree {
					look[1] = ' ' // a door or a mat is one only where there is a warp
				}
			}
			copy(c.cells[2*(y*c.w+x):], look[:])
		}
	}
	return c
}

func (c *mapCanvas) put(x, y int, mark, d byte) {
	x, y = x-c.x0, y-c.y0
	if x >= 0 && y >= 0 && x < c.w && y < c.h {
		c.cells[2*(y*c.w+x)], c.cells[2*(y*c.w+x)+1] = mark, d
	}
}

// warps marks the tiles that lead elsewhere.
func (c *mapCanvas) warps(o *emu.Overworld) {
	for i := range o.Exits.Warps {
		w := &o.Exits.Warps[i]
		mark, d := byte(markExit), byte(' ')
		if cell, ok := o.Grid.At(w.X, w.Y); ok {
			if terrain, way := route.TerrainOf(cell.Behavior); terrain == route.Arrow {
				mark, d = markArrow, directionByte(way)
			}
		}
		c.put(w.X, w.Y, mark, d)
	}
}

// edges marks the places beyond the map that one can walk off to.
func (c *mapCanvas) edges(o *emu.Overworld) {
	for i := range o.Exits.Connections {
		l := &o.Exits.Connections[i]
		for _, along := range l.Open {
			x, y := along, along
			switch l.Direction {
			case emu.North:
				y = emu.MapBorder - 1
			case emu.South:
				y = emu.MapBorder + o.Grid.Height
			case emu.West:
				x = emu.MapBorder - 1
			case emu.East:
				x = emu.MapBorder + o.Grid.Width
			}
			c.put(x, y, markEdge, directionByte(l.Direction))
		}
	}
}

func (c *mapCanvas) view() mapView {
	v := mapView{x: c.x0, y: c.y0, rows: make([]string, 0, c.h)}
	all := string(c.cells)
	for y := range c.h {
		v.rows = append(v.rows, all[2*y*c.w:2*(y+1)*c.w])
	}
	return v
}

// cropped is the part of the view around at that fits in w × h cells, and how
// many cells a tile gets: two where enough tiles, or all of them, still fit.
func (v mapView) cropped(at emu.Point, enough, w, h int) (part mapView, scale int) {
	if h <= 0 || len(v.rows) == 0 {
		return mapView{}, 1
	}
	across := len(v.rows[0]) / 2
	for _, row := range v.rows {
		across = min(across, len(row)/2)
	}
	scale = 1
	if w >= 2*min(across, enough) {
		scale = 2
	}
	x0, nx := window(across, w/scale, at.X-v.x)
	y0, ny := window(len(v.rows), h, at.Y-v.y)
	part = mapView{x: v.x + x0, y: v.y + y0, rows: make([]string, 0, ny)}
	for _, row := range v.rows[y0 : y0+ny] {
		part.rows = append(part.rows, row[2*x0:2*(x0+nx)])
	}
	return part, scale
}

// mapRows draws a view in the middle of w cells.
func (p *palette) mapRows(v mapView, scale, w int) []string {
	rows := make([]string, 0, len(v.rows))
	for _, row := range v.rows {
		rows = append(rows, blanks((w-len(row)/2*scale)/2)+p.tiles(row, scale))
	}
	return rows
}

// tiles draws one row of a view, styling runs of equal tiles at once.
func (p *palette) tiles(row string, scale int) string {
	var b strings.Builder
	for i := 0; i < len(row); {
		j := i + 2
		for j < len(row) && row[j:j+2] == row[i:i+2] {
			j += 2
		}
		b.WriteString(p.tileRun(row[i], row[i+1], (j-i)/2, scale))
		i = j
	}
	return b.String()
}

func (p *palette) tileRun(mark, d byte, n, scale int) string {
	k := kindOf(mark)
	if k == nil {
		return blanks(n * scale)
	}
	return k.ink(p).Render(strings.Repeat(k.cell(d, scale), n))
}

func kindOf(mark byte) *mapKind {
	for i := range mapKinds {
		if mapKinds[i].mark == mark {
			return &mapKinds[i]
		}
	}
	return nil
}

// cell is one tile in scale cells. A direction is in the second one; where
// there is only one it stands for what has no other use than its direction.
func (k *mapKind) cell(d byte, scale int) string {
	glyph, way := k.glyph, arrows[d]
	switch {
	case k.mark == markLedge && way != "":
		glyph = ledges[d]
	case k.mark == markEdge && way != "":
		glyph, way = way, ""
	case k.mark == markArrow && way != "" && scale == 1:
		glyph = way
	}
	switch {
	case scale == 1:
		return glyph
	case k.double:
		return glyph + glyph
	case way == "":
		return glyph + " "
	}
	return glyph + way
}

var (
	arrows = map[byte]string{'n': "↑", 'e': "→", 's': "↓", 'w': "←"}
	ledges = map[byte]string{'n': "^", 'e': ">", 's': "v", 'w': "<"}
)

// legend names the marks that are in view, in at most n rows.
func (p *palette) legend(v mapView, w, n int) []string {
	if n <= 0 {
		return nil
	}
	var seen [256]bool
	for _, row := range v.rows {
		for i := 0; i < len(row); i += 2 {
			seen[row[i]] = true
		}
	}
	var cells []string
	for i := range mapKinds {
		if k := &mapKinds[i]; seen[k.mark] {
			cells = append(cells, k.ink(p).Render(k.glyph)+p.muted.Render(" "+k.name))
		}
	}
	gap := "  "
	if w < 40 {
		gap = " "
	}
	rows := flow(cells, gap, w)
	return rows[:min(n, len(rows))]
}
