package tui

import (
	"fmt"

	"clankie/emu"
)

// mapReach is how many tiles around the player the map's page knows: all of
// them on most maps.
const mapReach = 60

// mapSheet is the map with its ways out, its people and its signs.
type mapSheet struct {
	noEntries
	field fieldInput
	signs []emu.Sign
	size  *emu.MapSize

	noExits, noOthers string // why they were not read
}

func mapSheetOf(s seen) sheet {
	t := mapSheet{
		field:   fieldOf(&s.State),
		noExits: absence(&s.State, "exits", "no reason was given"), noOthers: absence(&s.State, "occupants", "no reason was given"),
	}
	if o := s.State.Overworld; o != nil {
		t.field.tiles = viewMap(o, mapReach)
		t.signs, t.size = o.Signs, o.Size
	}
	return t
}

func (t mapSheet) rows(p *palette, _, w, h int) []string {
	o := t.field.world
	if o == nil {
		return p.absent(t.field.why, w)
	}
	name := p.strong.Render(or(clean(o.MapName), clean(o.Position.MapID)))
	at := fmt.Sprintf("%d,%d", o.Position.X, o.Position.Y)
	rows := []string{spread(name, p.muted.Render(at), w)}
	if h >= 8 {
		at += " " + string(o.Facing)
		rows = []string{cut(name, w), p.muted.Render(cut(clean(o.Position.MapID)+" at "+at, w))}
	}
	if len(t.field.tiles.rows) == 0 || t.field.why != "" {
		return append(rows, p.absent(or(t.field.why, "map not read"), w)...)
	}
	facts := t.facts(p, w)
	if p.spoken {
		return append(rows, facts...)
	}
	here := emu.Point{X: o.Position.X, Y: o.Position.Y}
	part, scale := t.field.tiles.cropped(here, 2*mapReach+1, w, max(h-len(rows)-min(len(facts)+3, h/3), min(h-len(rows), 5)))
	rows = append(rows, p.mapRows(part, scale, w)...)
	rows = append(rows, p.legend(part, w, 4)...)
	return append(append(rows, ""), facts...)
}

// facts list what is on the map in words.
func (t mapSheet) facts(p *palette, w int) []string {
	o := t.field.world
	f := facts{p: p, w: w, name: 8}
	if note := fieldNote(o); note != "" {
		f.add("weather", note)
	}
	if t.size != nil {
		f.add("size", fmt.Sprintf("%d × %d tiles, first is 7,7", t.size.Width, t.size.Height))
	}
	f.add("stands", fmt.Sprintf("on layer %d%s", o.Elevation, held(o)))
	t.exits(&f)
	t.people(&f)
	for i, s := range t.signs {
		f.add(first(i, "signs"), fmt.Sprintf("%d,%d", s.X, s.Y))
	}
	return f.rows
}

func held(o *emu.Overworld) string {
	if o.InputReady {
		return ""
	}
	return ", cannot walk now"
}

func (t mapSheet) exits(f *facts) {
	o := t.field.world
	if o.Exits == nil {
		f.add("exits", "not read: "+t.noExits)
		return
	}
	n := 0
	add := func(text string) { f.add(first(n, "exits"), text); n++ }
	for _, c := range o.Exits.Connections {
		add(fmt.Sprintf("%s edge%s: %s", c.Direction, openAt(c), t.wayTo(c.DestinationName, c.DestinationID)))
	}
	for _, d := range o.Exits.Warps {
		add(fmt.Sprintf("%d,%d: %s", d.X, d.Y, t.wayTo(d.DestinationName, d.DestinationID)))
	}
	if n == 0 {
		add("no way out is known")
	}
}

// wayTo is where a way leads: the place's name and which of its maps, as several
// houses of a town have the town's name.
func (t mapSheet) wayTo(name, id string) string {
	short := clean(shortID(t.field.world.Position.MapID, id))
	if name = clean(name); name == "" {
		return short
	}
	return name + " (" + short + ")"
}

// openAt says where an edge can be crossed.
func openAt(c emu.Connection) string {
	axis := "x"
	if c.Direction == emu.East || c.Direction == emu.West {
		axis = "y"
	}
	switch n := len(c.Open); {
	case c.Open == nil:
		return ""
	case n == 0:
		return " (nowhere open)"
	case n == 1:
		return fmt.Sprintf(" at %s %d", axis, c.Open[0])
	default:
		return fmt.Sprintf(" at %s %d–%d", axis, c.Open[0], c.Open[n-1])
	}
}

func (t mapSheet) people(f *facts) {
	occupants := t.field.world.Occupants
	if occupants == nil {
		f.add("others", "not read: "+t.noOthers)
		return
	}
	for i, o := range occupants {
		text := fmt.Sprintf("%d,%d", o.X, o.Y)
		if o.Facing != nil {
			text += " faces " + string(*o.Facing)
		}
		f.add(first(i, "others"), fmt.Sprintf("%s (number %d)", text, o.LocalID))
	}
	if len(occupants) == 0 {
		f.add("others", "nobody")
	}
}
