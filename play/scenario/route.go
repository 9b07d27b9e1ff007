package scenario

import (
	"slices"

	"clankie/emu"
)

// Edge is a step that a game refused: from one tile to its neighbour, and not
// back.
type Edge struct{ From, To emu.Point }

// stepOrder is the order in which routes are searched.
var stepOrder = []emu.Direction{emu.East, emu.South, emu.West, emu.North}

// ground is what a route leads over.
type ground struct {
	open    func(emu.Point) bool
	refused []Edge
}

// firstStep is the first step of a shortest route, by breadth-first search.
// ok is false when there is none; from and to must differ.
func (g ground) firstStep(from, to emu.Point) (first emu.Direction, ok bool) {
	seen := map[emu.Point]emu.Direction{from: ""}
	queue := []emu.Point{from}
	for len(queue) > 0 {
		here := queue[0]
		queue = queue[1:]
		for _, d := range stepOrder {
			next := beside(here, d)
			if _, known := seen[next]; known || !g.open(next) || slices.Contains(g.refused, Edge{here, next}) {
				continue
			}
			if seen[next] = seen[here]; here == from {
				seen[next] = d
			}
			if next == to {
				return seen[next], true
			}
			queue = append(queue, next)
		}
	}
	return "", false
}

func beside(p emu.Point, d emu.Direction) emu.Point {
	dx, dy := d.Delta()
	return emu.Point{X: p.X + dx, Y: p.Y + dy}
}

func pointOf(p emu.Position) emu.Point { return emu.Point{X: p.X, Y: p.Y} }
