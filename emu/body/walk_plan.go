package body

import (
	"fmt"
	"slices"
	"strings"

	"clankie/emu"
	"clankie/emu/route"
)

// plan is a way to a target, press by press. The last press of a plan that
// leaves takes a warp or goes over the map's edge; no other press does.
type plan struct {
	presses []emu.Direction
	leaves  bool
}

// target is where a walk goes: a tile, a warp, or the tile just beyond an edge
// that can be crossed.
type target struct{ at emu.Point }

// planTo finds the shortest way around everyone who stands about. Tiles bumped
// into before are avoided, unless there is no way but over them.
func planTo(o *emu.Overworld, t target, bumped []emu.Point) (plan, bool) {
	closed := func(from emu.Point, d emu.Direction) bool { return slices.Contains(bumped, neighbour(from, d)) }
	if len(bumped) > 0 {
		if p, ok := t.reach(o, route.Flood(o, closed)); ok {
			return p, true
		}
	}
	return t.reach(o, route.Flood(o, nil))
}

func neighbour(p emu.Point, d emu.Direction) emu.Point {
	dx, dy := d.Delta()
	return emu.Point{X: p.X + dx, Y: p.Y + dy}
}

// reach is the way to t within what can be reached. A target that is a way out
// is taken; it is not enough to stand on it.
func (t target) reach(o *emu.Overworld, r *route.Reach) (plan, bool) {
	if from, d, ok := t.exit(o, r); ok {
		return plan{append(r.Path(from), d), true}, true
	}
	_, ok := r.Steps(t.at)
	return plan{r.Path(t.at), false}, ok
}

// exit is the nearest press that leaves the map by t: onto a warp, on an exit
// mat, or over an edge.
func (t target) exit(o *emu.Overworld, r *route.Reach) (from emu.Point, d emu.Direction, found bool) {
	best := 0
	consider := func(at emu.Point, by emu.Direction) {
		if n, ok := r.Steps(at); ok && (!found || n < best) && t.leavesBy(o, at, by) {
			from, d, best, found = at, by, n, true
		}
	}
	for _, by := range emu.Directions {
		consider(t.at, by)
		consider(neighbour(t.at, by.Opposite()), by)
	}
	return from, d, found
}

// leavesBy reports whether pressing d on at leaves the map by t.
func (t target) leavesBy(o *emu.Overworld, at emu.Point, d emu.Direction) bool {
	to, kind := route.Step(o, at, d)
	switch kind {
	case route.Warp:
		return to == t.at
	case route.ExitMat:
		return at == t.at
	case route.Edge:
		return neighbour(at, d) == t.at
	}
	return false
}

// check refuses a target that nobody could stand on and that leads nowhere.
func (t target) check(o *emu.Overworld) error {
	cell, inside := o.Grid.At(t.at.X, t.at.Y)
	name := fmt.Sprintf("(%d,%d)", t.at.X, t.at.Y)
	switch {
	case !inside && t.beyondEdge(o):
		return nil
	case !inside:
		return refusal(emu.CodeWalkOutside, name+" is not on this map", span(o))
	case o.WarpAt(t.at):
		return nil
	case cell.Collision != 0:
		return refusal(emu.CodeWalkImpassable, name+" is solid", t.nearest(o))
	case o.Occupied(t.at):
		return refusal(emu.CodeWalkImpassable, "somebody or something stands on "+name, t.nearest(o))
	case route.Surfable(cell.Behavior) && !o.Surfing:
		return refusal(emu.CodeWalkImpassable, name+" is water", t.nearest(o))
	}
	return nil
}

// beyondEdge reports whether t is the first tile beyond an edge that is open
// there.
func (t target) beyondEdge(o *emu.Overworld) bool {
	for _, d := range emu.Directions {
		if t.leavesBy(o, neighbour(t.at, d.Opposite()), d) {
			return true
		}
	}
	return false
}

// span says what targets there are, edges that can be crossed included.
func span(o *emu.Overworld) string {
	const first = emu.MapBorder
	s := fmt.Sprintf("the map spans x %d to %d and y %d to %d", first, first+o.Grid.Width-1, first, first+o.Grid.Height-1)
	for _, c := range o.Exits.Connections {
		if len(c.Open) > 0 {
			s += fmt.Sprintf("; to leave %s aim at %s", c.Direction, aim(o.Grid, c))
		}
	}
	return s
}

// aim is a target that crosses a connection: the one in the middle of where it
// is open.
func aim(g *emu.Grid, c emu.Connection) string {
	const before = emu.MapBorder - 1
	along := c.Open[len(c.Open)/2]
	at := map[emu.Direction]emu.Point{
		emu.North: {X: along, Y: before},
		emu.South: {X: along, Y: emu.MapBorder + g.Height},
		emu.West:  {X: before, Y: along},
		emu.East:  {X: emu.MapBorder + g.Width, Y: along},
	}[c.Direction]
	return fmt.Sprintf("(%d,%d)", at.X, at.Y)
}

// nearest says how near to t one can come, counted in tiles across and down.
func (t target) nearest(o *emu.Overworld) string {
	r := route.Flood(o, nil)
	here := emu.Point{X: o.Position.X, Y: o.Position.Y}
	best, bestSteps := here, 0
	for p := range o.Grid.All() {
		steps, ok := r.Steps(p)
		if !ok {
			continue
		}
		d, least := t.distance(p), t.distance(best)
		if d < least || d == least && steps < bestSteps {
			best, bestSteps = p, steps
		}
	}
	if best == here {
		return fmt.Sprintf("nothing that can be reached is nearer to it than (%d,%d), where the player stands", here.X, here.Y)
	}
	return fmt.Sprintf("the nearest tile that can be reached is (%d,%d), %s away", best.X, best.Y, count(bestSteps, "step"))
}

func (t target) distance(p emu.Point) int {
	dx, dy := p.X-t.at.X, p.Y-t.at.Y
	return max(dx, -dx) + max(dy, -dy)
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strings.TrimSpace(fmt.Sprint(n, " ", what))
}
