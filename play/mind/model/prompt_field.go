package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// field says where he stands and what is around him.
func field(p *page, v play.View) {
	o := v.Observed.State.Overworld
	if o == nil {
		return
	}
	where := short(play.PlaceName(o), maxName)
	p.line("You stand at (%d,%d) in %s%s%s.", o.Position.X, o.Position.Y, where, facing(o), riding(o))
	if v.Observed.State.Battle != nil {
		return // what else is known of the field is from before the battle
	}
	neighbours(p, o)
	minimap(p, o)
	people(p, o)
	ways(p, o)
	if len(o.Signs) > 0 {
		p.line("Things that answer A when faced: %s.", list(nearest(o, o.Signs, func(s emu.Sign) emu.Point { return emu.Point(s) }), maxSigns,
			func(s emu.Sign) string { return fmt.Sprintf("(%d,%d)", s.X, s.Y) }))
	}
}

func facing(o *emu.Overworld) string {
	if o.Facing == "" {
		return ""
	}
	return ", facing " + string(o.Facing)
}

func riding(o *emu.Overworld) string {
	var s string
	if o.Surfing {
		s += ", surfing"
	}
	if o.Underwater {
		s += ", under water"
	}
	if o.Weather != "" && o.Weather != "none" {
		s += ", weather " + short(o.Weather, maxName)
	}
	return s
}

func neighbours(p *page, o *emu.Overworld) {
	n := o.Surroundings
	if n == nil {
		return
	}
	way := func(name string, t emu.Tile) string {
		if t.Passable {
			return name + " open"
		}
		return name + " blocked"
	}
	p.line("Next to you: %s, %s, %s, %s.", way("north", n.North), way("east", n.East), way("south", n.South), way("west", n.West))
}

func minimap(p *page, o *emu.Overworld) {
	m := o.Minimap
	if m == nil || len(m.Rows) == 0 {
		return
	}
	size := ""
	if o.Size != nil {
		size = fmt.Sprintf("; the whole map is x %d to %d, y %d to %d",
			emu.MapBorder, o.Size.Width+emu.MapBorder-1, emu.MapBorder, o.Size.Height+emu.MapBorder-1)
	}
	p.line("Map from x %d (each row begins with its y)%s:", m.TopLeft.X, size)
	for i, row := range m.Rows {
		p.line("%4d %s", m.TopLeft.Y+i, row)
	}
}

func people(p *page, o *emu.Overworld) {
	switch {
	case o.Occupants == nil:
	case len(o.Occupants) == 0:
		p.line("Nobody else is here.")
	default:
		all := nearest(o, o.Occupants, func(c emu.Occupant) emu.Point { return emu.Point{X: c.X, Y: c.Y} })
		p.line("People and things on the map, nearest first: %s.", list(all, maxPeople, func(c emu.Occupant) string {
			s := fmt.Sprintf("no. %d at (%d,%d), sprite %d", c.LocalID, c.X, c.Y, c.GraphicsID)
			if c.Facing != nil {
				s += ", facing " + string(*c.Facing)
			}
			return s
		}))
	}
}

func ways(p *page, o *emu.Overworld) {
	if o.Exits == nil {
		return
	}
	if len(o.Exits.Warps)+len(o.Exits.Connections) == 0 {
		p.line("No way out of this map is listed.")
	}
	if len(o.Exits.Warps) > 0 {
		all := nearest(o, o.Exits.Warps, func(w emu.Warp) emu.Point { return emu.Point{X: w.X, Y: w.Y} })
		p.line("Doors and warps, nearest first: %s.", list(all, maxWarps, func(w emu.Warp) string {
			return fmt.Sprintf("(%d,%d) to %s", w.X, w.Y, wayTo(w.DestinationName, w.DestinationID))
		}))
	}
	for _, c := range o.Exits.Connections[:min(len(o.Exits.Connections), 8)] {
		p.line("The %s edge leads to %s%s%s.", c.Direction, wayTo(c.DestinationName, c.DestinationID), openings(c), beyond(o, c))
	}
}

// wayTo is where a way leads: the map's id, with the place's name where there is
// one.
func wayTo(name, id string) string {
	id = short(id, maxName)
	if name = short(name, maxName); name == "" {
		return id
	}
	return name + " (" + id + ")"
}

// openings says where an edge can be crossed, as ranges.
func openings(c emu.Connection) string {
	if len(c.Open) == 0 {
		return ""
	}
	axis := "x"
	if c.Direction == emu.East || c.Direction == emu.West {
		axis = "y"
	}
	open := slices.Sorted(slices.Values(c.Open))
	var ranges []string
	for from := 0; from < len(open); {
		to := from
		for to+1 < len(open) && open[to+1] <= open[to]+1 {
			to++
		}
		r := fmt.Sprint(open[from])
		if to > from {
			r += fmt.Sprintf(" to %d", open[to])
		}
		ranges, from = append(ranges, r), to+1
	}
	return ", open at " + axis + " " + strings.Join(ranges[:min(len(ranges), maxOpenTiles)], ", ")
}

// beyond says what to aim at to leave by an edge.
func beyond(o *emu.Overworld, c emu.Connection) string {
	if len(c.Open) == 0 || o.Grid == nil {
		return ""
	}
	const first = emu.MapBorder
	switch c.Direction {
	case emu.North:
		return fmt.Sprintf("; walk_to y %d there leaves by it", first-1)
	case emu.South:
		return fmt.Sprintf("; walk_to y %d there leaves by it", first+o.Grid.Height)
	case emu.West:
		return fmt.Sprintf("; walk_to x %d there leaves by it", first-1)
	case emu.East:
		return fmt.Sprintf("; walk_to x %d there leaves by it", first+o.Grid.Width)
	}
	return ""
}

// nearest sorts things by how far they are from the player, ties as listed.
func nearest[T any](o *emu.Overworld, all []T, at func(T) emu.Point) []T {
	distance := func(v T) int {
		q := at(v)
		return max(q.X-o.Position.X, o.Position.X-q.X) + max(q.Y-o.Position.Y, o.Position.Y-q.Y)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(distance(a), distance(b)) })
	return sorted
}
