package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// fieldInput is what the field pane shows.
type fieldInput struct {
	world *emu.Overworld // without its grid, which is not drawn
	scene emu.Scene
	why   string // why world, or its map, is absent
}

func fieldOf(s *emu.State) fieldInput {
	in := fieldInput{scene: s.Scene}
	if s.Overworld != nil {
		w := *s.Overworld
		w.Grid, w.Surroundings = nil, nil
		in.world = &w
		in.why = s.Undecoded["map"]
		return in
	}
	in.why = absence(s, "overworld", "not in the field")
	return in
}

// absence says why a part of the state is not there.
func absence(s *emu.State, part, otherwise string) string {
	if why := s.Undecoded[part]; why != "" {
		return clean(why)
	}
	return otherwise
}

func (p *palette) fieldPane(in fieldInput, r rect) []string {
	note := ""
	if in.world != nil && in.world.Surfing {
		note = p.muted.Render("on water")
	}
	return p.framed(r, "Field", note, func(w, h int) []string {
		if in.world == nil {
			return p.absent(in.why, w)
		}
		return p.fieldRows(in, w, h)
	})
}

func (p *palette) absent(why string, w int) []string {
	var rows []string
	for _, line := range wrap(clean(why), w) {
		rows = append(rows, p.muted.Render(line))
	}
	return rows
}

func (p *palette) fieldRows(in fieldInput, w, h int) []string {
	o := in.world
	name := clean(o.MapName)
	if name == "" {
		name = clean(o.Position.MapID)
	}
	at := fmt.Sprintf("%d,%d", o.Position.X, o.Position.Y)
	if o.Facing != "" && w >= 28 {
		at += " " + string(o.Facing)
	}
	rows := []string{spread(p.strong.Render(cut(name, w)), p.muted.Render(at), w)}
	if o.Minimap == nil || in.why != "" {
		why := in.why
		if why == "" {
			why = "map not read"
		}
		return append(rows, p.absent(why, w)...)
	}
	exits := p.exitRows(o, w)
	legend := p.legend(w)
	left := h - 1
	if left < 4 { // too low for a map one could read
		return append(rows, exits...)
	}
	below := min(len(exits), max(left/4, 1))
	if left >= 9 {
		below += len(legend)
	} else {
		legend = nil
	}
	rows = append(rows, p.minimap(o, w, left-below)...)
	rows = append(rows, legend...)
	return append(rows, exits...)
}

func (p *palette) legend(w int) []string {
	if w < 30 {
		return nil
	}
	gap := "  "
	if w < 40 {
		gap = " "
	}
	return []string{cut(strings.Join([]string{
		p.strong.Render("@") + p.muted.Render(" you"),
		p.accent.Render("D") + p.muted.Render(" exit"),
		p.warn.Render("o") + p.muted.Render(" other"),
		p.faint.Render("·") + p.muted.Render(" free"),
		p.faint.Render("▒") + p.muted.Render(" wall"),
	}, gap), w)}
}

// exitRows lists the ways out, connections first, as many to a row as fit.
func (p *palette) exitRows(o *emu.Overworld, w int) []string {
	if o.Exits == nil {
		return []string{p.muted.Render(cut("ways out not read", w))}
	}
	short := func(id string) string { return clean(shortID(o.Position.MapID, id)) }
	var cells []string
	for _, c := range o.Exits.Connections {
		cells = append(cells, p.accent.Render(clean(string(c.Direction)))+p.muted.Render(" "+short(c.DestinationID)))
	}
	for _, d := range o.Exits.Warps {
		cells = append(cells, p.accent.Render(fmt.Sprintf("%d,%d", d.X, d.Y))+p.muted.Render(" "+short(d.DestinationID)))
	}
	if len(cells) == 0 {
		return []string{p.muted.Render(cut("no way out is known", w))}
	}
	return flow(cells, p.faint.Render(" · "), w)
}

// shortID drops the part of a map's id that names the game, which is the same
// for the map one is on.
func shortID(here, id string) string {
	if i := strings.IndexByte(here, '-'); i > 0 && strings.HasPrefix(id, here[:i+1]) {
		return id[i+1:]
	}
	return id
}

// flow puts as many cells on a row as fit in w.
func flow(cells []string, gap string, w int) []string {
	var rows []string
	row, used := "", 0
	for _, c := range cells {
		n := width(c)
		if used > 0 && used+width(gap)+n > w {
			rows = append(rows, row)
			row, used = "", 0
		}
		if used > 0 {
			row, used = row+gap, used+width(gap)
		}
		row, used = row+cut(c, w), used+n
	}
	return append(rows, row)
}

// minimap draws the crop around the player, two cells a tile where that still
// shows enough of it, and centres it.
func (p *palette) minimap(o *emu.Overworld, w, h int) []string {
	tiles := o.Minimap.Rows
	if h <= 0 || len(tiles) == 0 {
		return nil
	}
	across := 0
	for _, t := range tiles {
		across = max(across, len(t))
	}
	scale := 1
	if w >= 2*min(across, 13) {
		scale = 2
	}
	px, py := o.Position.X-o.Minimap.TopLeft.X, o.Position.Y-o.Minimap.TopLeft.Y
	x0, nx := window(across, w/scale, px)
	y0, ny := window(len(tiles), h, py)
	pad := blanks((w - nx*scale) / 2)
	rows := make([]string, 0, ny)
	for y := y0; y < y0+ny; y++ {
		line := tiles[y]
		lo, hi := min(x0, len(line)), min(x0+nx, len(line))
		rows = append(rows, pad+p.tiles(line[lo:hi], scale, o.Facing))
	}
	return rows
}

// window returns the part of n things that fits in room and holds at, in the
// middle where possible.
func window(n, room, at int) (start, count int) {
	if n <= room {
		return 0, n
	}
	room = max(room, 0)
	return min(max(at-room/2, 0), n-room), room
}

// tiles draws one line of the minimap, styling runs of equal tiles at once.
func (p *palette) tiles(line string, scale int, facing emu.Direction) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		j := i + 1
		for j < len(line) && line[j] == line[i] {
			j++
		}
		b.WriteString(p.tileRun(line[i], j-i, scale, facing))
		i = j
	}
	return b.String()
}

func (p *palette) tileRun(tile byte, n, scale int, facing emu.Direction) string {
	gap := blanks(scale - 1)
	switch tile {
	case '@':
		return p.strong.Render(strings.Repeat("@"+arrow(facing, scale), n))
	case 'D':
		return p.accent.Bold(true).Render(strings.Repeat("D"+gap, n))
	case 'o':
		return p.warn.Bold(true).Render(strings.Repeat("o"+gap, n))
	case '#':
		return p.faint.Render(strings.Repeat("▒", n*scale))
	case '.':
		return p.faint.Render(strings.Repeat("·"+gap, n))
	}
	return blanks(n * scale)
}

// arrow shows where the player looks, in the second cell of a wide tile.
func arrow(d emu.Direction, scale int) string {
	if scale < 2 {
		return ""
	}
	switch d {
	case emu.North:
		return "↑"
	case emu.South:
		return "↓"
	case emu.West:
		return "←"
	case emu.East:
		return "→"
	}
	return " "
}
