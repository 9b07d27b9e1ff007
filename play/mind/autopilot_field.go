package mind

import (
	"cmp"
	"fmt"
	"slices"

	"clankie/emu"
	"clankie/emu/route"
	"clankie/play"
)

// What a known target costs, in steps, each time it was touched before. The
// ways between places are taken again sooner than people are bothered again.
const (
	personAgain = 400
	exitAgain   = 30
)

// explore heads for the nearest target that is least known.
func (p *Autopilot) explore(v play.View) (thought, emu.Action) {
	o := v.Observed.State.Overworld
	if o.Grid == nil {
		return p.wander(v)
	}
	reach := route.Flood(o, p.closed(v))
	p.places.survey(o.Position.MapID, reach.Points())
	targets := p.targets(o, reach)
	if len(targets) == 0 {
		return p.wander(v)
	}
	best := slices.MinFunc(targets, p.compare)
	p.places.pursue(best.key)
	return p.approach(o, reach, best)
}

// closed tells the route search which steps were refused lately.
func (p *Autopilot) closed(v play.View) func(from emu.Point, d emu.Direction) bool {
	mapID := v.Observed.State.Overworld.Position.MapID
	return func(from emu.Point, d emu.Direction) bool {
		turn, ok := p.places.refused[stepKey{emu.Position{MapID: mapID, X: from.X, Y: from.Y}, d}]
		return ok && v.Turn-turn < refusalTurns
	}
}

func (p *Autopilot) compare(a, b target) int {
	return cmp.Or(
		cmp.Compare(p.cost(a), p.cost(b)),
		cmp.Compare(a.key.kind, b.key.kind),
		cmp.Compare(a.key.id, b.key.id),
		cmp.Compare(a.dist, b.dist),
	)
}

func (p *Autopilot) cost(t target) int {
	again := personAgain
	if t.leads() {
		again = exitAgain
	}
	return t.dist + again*p.places.touched[t.key]
}

// targets lists everything on the map that can be reached and answered to.
func (p *Autopilot) targets(o *emu.Overworld, reach *route.Reach) []target {
	var all []target
	for _, n := range o.Occupants {
		key := personKey(o.Position.MapID, n.LocalID)
		all = append(all, beside(reach, key, n.X, n.Y, "whoever stands at")...)
	}
	for _, s := range o.Signs {
		key := signKey(o.Position.MapID, s.X, s.Y)
		all = append(all, beside(reach, key, s.X, s.Y, "what is written at")...)
	}
	for _, e := range reach.Exits {
		t := target{stand: e.From, face: e.Direction, dist: e.Steps}
		if e.Kind == route.Edge {
			t.key, t.label = edgeKey(o.Position.MapID, e.Direction), "the way "+string(e.Direction)
			dx, dy := e.Direction.Delta()
			t.through = emu.Point{X: e.From.X + dx, Y: e.From.Y + dy}
		} else {
			t.key = exitKey(o.Position.MapID, e.At.X, e.At.Y)
			t.label = fmt.Sprintf("the exit at (%d,%d)", e.At.X, e.At.Y)
			t.through = e.At
		}
		all = append(all, t)
	}
	return append(all, p.ground(o, reach)...)
}

// ground lists the fresh tiles that can be reached.
func (p *Autopilot) ground(o *emu.Overworld, reach *route.Reach) (all []target) {
	for at := range p.places.fresh[o.Position.MapID] {
		if n, ok := reach.Steps(at); ok && n > 0 {
			key := placeKey{o.Position.MapID, targetGround, fmt.Sprintf("%d,%d", at.X, at.Y)}
			all = append(all, target{key: key, stand: at, dist: n, label: fmt.Sprintf("the ground at (%d,%d)", at.X, at.Y)})
		}
	}
	return all
}

// beside lists the tiles from which (x, y) can be faced.
func beside(reach *route.Reach, key placeKey, x, y int, label string) []target {
	var all []target
	for _, d := range emu.Directions {
		dx, dy := d.Delta()
		stand := emu.Point{X: x - dx, Y: y - dy}
		if n, ok := reach.Steps(stand); ok {
			all = append(all, target{key: key, stand: stand, face: d, dist: n, label: fmt.Sprintf("%s (%d,%d)", label, x, y)})
		}
	}
	return all
}

// approach takes the next action toward t.
func (p *Autopilot) approach(o *emu.Overworld, reach *route.Reach, t target) (thought, emu.Action) {
	say := thought{thinks: "I do not know " + t.label + " yet.", objective: "See " + t.label + " in " + play.PlaceName(o)}
	if p.places.touched[t.key] > 0 {
		say.thinks = "I have seen what is near. I try " + t.label + " again."
	}
	p.places.aim = &t
	switch n, _ := reach.Steps(t.stand); {
	case t.leads():
		say.means = "walk through " + t.label
		return say, emu.WalkTo(t.through.X, t.through.Y)
	case n > 0:
		say.means = "walk to " + t.label
		return say, emu.WalkTo(t.stand.X, t.stand.Y)
	case o.Facing != t.face:
		say.means = fmt.Sprintf("turn %s to %s", t.face, t.label)
		return say, emu.Press(t.face.Button(), 4)
	}
	say.means = "press A on " + t.label
	return say, emu.Press(emu.ButtonA, 4)
}

// wander is for a map that does not decode or offers nothing: try the four
// directions in turn, by the turn's number, so that nothing is left to chance.
func (p *Autopilot) wander(v play.View) (thought, emu.Action) {
	p.places.forgetPeople()
	d := emu.Directions[v.Turn%len(emu.Directions)]
	return thought{thinks: "I see nowhere to go from here.", means: "try a step " + string(d)}, emu.Press(d.Button(), emu.DefaultHold)
}
