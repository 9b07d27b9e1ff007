package route

import (
	"iter"
	"maps"
	"slices"

	"clankie/emu"
)

// maxExplored bounds a search; the largest map of the games has 10,240 cells.
const maxExplored = 10240

// Exit is a step that leaves the map.
type Exit struct {
	Kind      Kind // Warp, ExitPress or Edge
	From      emu.Point
	Direction emu.Direction
	At        emu.Point // the warp's own tile, or for an edge From
	Steps     int       // from the player to From
}

// Reach is everything the player can walk to without leaving the map.
type Reach struct {
	start emu.Point
	nodes map[emu.Point]node
	Exits []Exit // in order of discovery: nearest first
}

type node struct {
	from  emu.Point
	by    emu.Direction
	steps int
}

// Flood searches breadth first from the player over the tiles he can walk on:
// up, down, left, right. It goes around people and things, never over a warp,
// and never through a step for which closed reports true (closed may be nil).
func Flood(o *emu.Overworld, closed func(from emu.Point, d emu.Direction) bool) *Reach {
	start := emu.Point{X: o.Position.X, Y: o.Position.Y}
	r := &Reach{start: start, nodes: map[emu.Point]node{start: {}}}
	queue := []emu.Point{start}
	for len(queue) > 0 && len(r.nodes) < maxExplored {
		p := queue[0]
		queue = queue[1:]
		for _, d := range emu.Directions {
			if closed != nil && closed(p, d) {
				continue
			}
			to, kind := Step(o, p, d)
			if kind.Leaves() {
				r.addExit(p, to, d, kind)
				continue
			}
			if !kind.Moves() {
				continue
			}
			if _, seen := r.nodes[to]; !seen {
				r.nodes[to] = node{p, d, r.nodes[p].steps + 1}
				queue = append(queue, to)
			}
		}
	}
	return r
}

func (r *Reach) addExit(from, to emu.Point, d emu.Direction, kind Kind) {
	e := Exit{Kind: kind, From: from, Direction: d, At: to, Steps: r.nodes[from].steps}
	if kind != Warp {
		e.At = from
	}
	same := func(k Exit) bool {
		if kind == Edge {
			return k.Kind == Edge && k.Direction == d
		}
		return k.Kind != Edge && k.At == e.At
	}
	if !slices.ContainsFunc(r.Exits, same) {
		r.Exits = append(r.Exits, e)
	}
}

// Steps is how many steps p is away; ok is false when it cannot be reached.
func (r *Reach) Steps(p emu.Point) (n int, ok bool) {
	v, ok := r.nodes[p]
	return v.steps, ok
}

// Path is the way to p, step by step; nil when p is where the player stands
// or cannot be reached.
func (r *Reach) Path(p emu.Point) []emu.Direction {
	v, ok := r.nodes[p]
	if !ok || v.steps == 0 {
		return nil
	}
	path := make([]emu.Direction, v.steps)
	for i := v.steps - 1; i >= 0; i-- {
		v := r.nodes[p]
		path[i], p = v.by, v.from
	}
	return path
}

// Points lists every tile that can be stood on, the player's own included, in
// no particular order.
func (r *Reach) Points() iter.Seq[emu.Point] { return maps.Keys(r.nodes) }
