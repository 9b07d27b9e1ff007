package mind

import (
	"fmt"
	"iter"

	"clankie/emu"
	"clankie/play"
)

// targetKind is what sort of thing the autopilot heads for.
type targetKind string

const (
	targetPerson targetKind = "person"
	targetSign   targetKind = "sign"
	targetExit   targetKind = "exit"
	targetEdge   targetKind = "edge"
	targetGround targetKind = "ground" // tiles that have become reachable
)

// placeKey identifies a target across visits.
type placeKey struct {
	mapID string
	kind  targetKind
	id    string
}

// target is something worth heading for: stand there, face it, and either
// press A (people and signs) or walk through (exits and edges).
type target struct {
	key     placeKey
	stand   emu.Point
	face    emu.Direction
	through emu.Point // the tile that leads on, for exits and edges
	dist    int       // steps to stand
	label   string
}

func (t *target) leads() bool { return t.key.kind == targetExit || t.key.kind == targetEdge }

// stepKey is one step that was refused.
type stepKey struct {
	at emu.Position
	d  emu.Direction
}

// refusalTurns is how long a refused step is believed. People walk on.
const refusalTurns = 24

// pursuitTurns is how long one target is followed before something else gets
// its turn.
const pursuitTurns = 8

// places is the autopilot's memory of the world.
type places struct {
	touched map[placeKey]int
	refused map[stepKey]int               // turn of the refusal
	reached map[string]map[emu.Point]bool // tiles known to be reachable, by map
	fresh   map[string]map[emu.Point]bool // of these the ones that were not at first and are not looked at yet

	turningPoints int     // as of when people were last forgotten
	aim           *target // what this turn's press is for, when it touches something
	pursued       placeKey
	turns         int
}

func newPlaces() places {
	return places{
		touched: map[placeKey]int{}, refused: map[stepKey]int{},
		reached: map[string]map[emu.Point]bool{}, fresh: map[string]map[emu.Point]bool{},
	}
}

// forgetPeople makes everyone and everything worth a visit again; the ways
// between places stay known.
func (p *places) forgetPeople() {
	for k := range p.touched {
		if k.kind == targetPerson || k.kind == targetSign {
			delete(p.touched, k)
		}
	}
	clear(p.refused)
}

// opening is how many tiles must become reachable at once to be a place that
// has opened; fewer are where somebody stood.
const opening = 6

// survey compares what can be reached on a map with what could be before. A
// gate that opens or a person who steps aside shows as ground that is fresh.
func (p *places) survey(mapID string, points iter.Seq[emu.Point]) {
	known, seen := p.reached[mapID]
	var more []emu.Point
	if !seen {
		known = map[emu.Point]bool{}
		p.reached[mapID] = known
	}
	for at := range points {
		if !known[at] {
			known[at] = true
			more = append(more, at)
		}
	}
	if !seen || len(more) < opening {
		return
	}
	if p.fresh[mapID] == nil {
		p.fresh[mapID] = map[emu.Point]bool{}
	}
	for _, at := range more {
		p.fresh[mapID][at] = true
	}
}

// looked takes the row of ground beside where he stands off the fresh list:
// what a game puts across a way lies across it in a row.
func (p *places) looked(at emu.Position) {
	const beside = 4
	for q := range p.fresh[at.MapID] {
		if dx := q.X - at.X; q.Y == at.Y && dx >= -beside && dx <= beside {
			delete(p.fresh[at.MapID], q)
		}
	}
}

// learn takes from a view what the last decision led to.
func (p *Autopilot) learn(v play.View) {
	s := v.Observed.State
	if s.Scene.Mode != emu.ModeUnknown && s.Overworld != nil && s.Overworld.InputReady {
		p.waited = 0
	}
	if n := turningPoints(s); n != p.places.turningPoints && n >= 0 {
		p.places.turningPoints = n
		p.places.forgetPeople() // what has changed may have changed what they say
	}
	if s.Overworld != nil {
		p.places.looked(s.Overworld.Position)
		for _, d := range v.RefusedHere {
			p.places.refused[stepKey{s.Overworld.Position, d}] = v.Turn
		}
	}
	if p.before == nil {
		if p.saved == nil { // goals reached before he came are nothing of his to keep
			p.saved = append([]string{}, s.Goals...)
		}
		return
	}
	if s.Scene.Mode == emu.ModeBattleLost && p.before.mode != emu.ModeBattleLost {
		p.places.forgetPeople()
	}
	p.learnTouch(s)
	p.learnWay(s)
}

// turningPoints counts what changes what people have to say: goals reached and
// key items carried. It is -1 where the bag is not read.
func turningPoints(s emu.State) int {
	if s.Inventory == nil {
		return -1
	}
	n := len(s.Goals)
	for _, item := range s.Inventory.Items {
		if item.Pocket == "key-items" {
			n += 16
		}
	}
	return n
}

// learnTouch counts a press of A on a target, answered or not: what does not
// answer is no more worth a second press than what did.
func (p *Autopilot) learnTouch(s emu.State) {
	if t := p.before.target; t != nil && p.before.pressed == emu.ButtonA && !t.leads() {
		p.places.touched[t.key]++
	}
}

// learnWay counts the exit that was taken and the one that leads back.
func (p *Autopilot) learnWay(s emu.State) {
	if s.Overworld == nil || p.before.position.MapID == "" || s.Overworld.Position.MapID == p.before.position.MapID {
		return
	}
	if t := p.before.target; t != nil && t.leads() {
		p.places.touched[t.key]++
	}
	for _, back := range waysBack(s.Overworld, p.before.position.MapID) {
		p.places.touched[back]++
	}
}

// waysBack are the exits of o's map that lead to where he came from and that
// he stands at.
func waysBack(o *emu.Overworld, from string) []placeKey {
	var keys []placeKey
	if o.Exits == nil {
		return nil
	}
	for _, w := range o.Exits.Warps {
		if near(o.Position, w.X, w.Y) {
			keys = append(keys, exitKey(o.Position.MapID, w.X, w.Y))
		}
	}
	for _, c := range o.Exits.Connections {
		if c.DestinationID == from {
			keys = append(keys, edgeKey(o.Position.MapID, c.Direction))
		}
	}
	return keys
}

func near(at emu.Position, x, y int) bool {
	dx, dy := at.X-x, at.Y-y
	return dx*dx+dy*dy <= 1
}

func exitKey(mapID string, x, y int) placeKey {
	return placeKey{mapID, targetExit, fmt.Sprintf("%d,%d", x, y)}
}

func edgeKey(mapID string, d emu.Direction) placeKey {
	return placeKey{mapID, targetEdge, string(d)}
}

func personKey(mapID string, localID int) placeKey {
	return placeKey{mapID, targetPerson, fmt.Sprint(localID)}
}

func signKey(mapID string, x, y int) placeKey {
	return placeKey{mapID, targetSign, fmt.Sprintf("%d,%d", x, y)}
}

// pursue counts turns spent on one target and gives it up when there were too
// many.
func (p *places) pursue(k placeKey) {
	if p.pursued != k {
		p.pursued, p.turns = k, 0
	}
	p.turns++
	if p.turns > pursuitTurns {
		p.touched[k]++
		p.turns = 0
	}
}
