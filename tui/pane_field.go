package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// fieldInput is what the field pane shows.
type fieldInput struct {
	world *emu.Overworld // without its map, which tiles have
	tiles mapView
	card  string // money, badges and time
	scene emu.Scene
	why   string // why world, or its map, is absent
}

func fieldOf(s *emu.State) fieldInput {
	in := fieldInput{scene: s.Scene, card: cardLine(s.Trainer)}
	if s.Overworld != nil {
		w := *s.Overworld
		in.tiles = viewMap(&w, fieldReach)
		w.Grid, w.Minimap, w.Surroundings, w.Signs = nil, nil, nil, nil
		in.world = &w
		in.why = s.Undecoded["map"]
		return in
	}
	in.why = absence(s, "overworld", "not in the field")
	return in
}

// fieldReach is how many tiles around the player the field pane knows.
const fieldReach = 12

// fieldEnough is how many tiles across show enough of the map.
const fieldEnough = 13

// cardLine is the trainer's card in a line. It counts no seconds: the pane is
// drawn again when it changes.
func cardLine(t *emu.Trainer) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("¥%d · %s · %d:%02d", t.Money, emu.Count(badges(t), "badge"), t.PlayTime.Hours, t.PlayTime.Minutes)
}

// shortCard is cardLine where there is little room.
func shortCard(card string) string {
	return strings.NewReplacer(" badges", "★", " badge", "★", " · ", " ").Replace(card)
}

func badges(t *emu.Trainer) (n int) {
	for _, has := range t.Badges {
		if has {
			n++
		}
	}
	return n
}

// absence says why a part of the state is not there.
func absence(s *emu.State, part, otherwise string) string {
	if why := s.Undecoded[part]; why != "" {
		return clean(why)
	}
	return otherwise
}

func (p *palette) fieldPane(in fieldInput, r rect) []string {
	return p.framed(r, "Field", p.muted.Render(fieldNote(in.world)), func(w, h int) []string {
		if in.world == nil {
			return p.absent(in.why, w)
		}
		return p.fieldRows(in, w, h)
	})
}

// fieldNote is the weather, and how the player gets about when not on foot.
func fieldNote(o *emu.Overworld) string {
	if o == nil {
		return ""
	}
	var parts []string
	if o.Weather != "" && o.Weather != "none" {
		parts = append(parts, clean(o.Weather))
	}
	switch {
	case o.Underwater:
		parts = append(parts, "diving")
	case o.Surfing:
		parts = append(parts, "on water")
	}
	return strings.Join(parts, " · ")
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
	if in.card != "" && h >= 6 {
		card := in.card
		if width(card) > w {
			card = shortCard(card)
		}
		rows = append(rows, p.muted.Render(cut(card, w)))
	}
	if len(in.tiles.rows) == 0 || in.why != "" {
		why := in.why
		if why == "" {
			why = "map not read"
		}
		return append(rows, p.absent(why, w)...)
	}
	exits := p.exitRows(o, w)
	left := h - len(rows)
	if left < 4 { // too low for a map one could read
		return append(rows, exits...)
	}
	exits = exits[:min(len(exits), max(left/4, 1))]
	named := legendRows(w, left)
	here := emu.Point{X: o.Position.X, Y: o.Position.Y}
	part, scale := in.tiles.cropped(here, fieldEnough, w, left-named-len(exits))
	rows = append(rows, p.mapRows(part, scale, w)...)
	rows = append(rows, p.legend(part, w, named)...)
	return append(rows, exits...)
}

// legendRows is how many rows of a pane with h left the legend gets.
func legendRows(w, h int) int {
	switch {
	case w < 30 || h < 9:
		return 0
	case h < 12:
		return 1
	}
	return 2
}

// exitRows lists the ways out, connections first, as many to a row as fit.
func (p *palette) exitRows(o *emu.Overworld, w int) []string {
	if o.Exits == nil {
		return []string{p.muted.Render(cut("ways out not read", w))}
	}
	var cells []string
	for _, c := range o.Exits.Connections {
		cells = append(cells, p.accent.Render(clean(string(c.Direction)))+p.muted.Render(" "+wayTo(o, c.DestinationName, c.DestinationID)))
	}
	for _, d := range o.Exits.Warps {
		cells = append(cells, p.accent.Render(fmt.Sprintf("%d,%d", d.X, d.Y))+p.muted.Render(" "+wayTo(o, d.DestinationName, d.DestinationID)))
	}
	if len(cells) == 0 {
		return []string{p.muted.Render(cut("no way out is known", w))}
	}
	return flow(cells, p.faint.Render(" · "), w)
}

// wayTo is where a way leads: the place's name, else the map's id.
func wayTo(o *emu.Overworld, name, id string) string {
	return or(clean(name), clean(shortID(o.Position.MapID, id)))
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

// window returns the part of n things that fits in room and holds at, in the
// middle where possible.
func window(n, room, at int) (start, count int) {
	if n <= room {
		return 0, n
	}
	room = max(room, 0)
	return min(max(at-room/2, 0), n-room), room
}
