package body

import (
	"clankie/emu"
	"clankie/emu/route"
)

// stepHold is how long a direction is held for one step at most. It is longer
// than a turn on the spot, so that a press from any facing steps; the key is
// let go once the tile has changed, so that no press steps twice.
const stepHold = 16

// Why a step was not made.
const (
	blockedByBattle     = "battle"
	blockedByTransition = "transition" // the controls are held
	blockedByObstacle   = "npc"        // something stands there, seen or not
)

// walk is a walk_to under way. Every step is planned on what was observed just
// before it and verified by what is observed after it.
type walk struct {
	act  *acting
	to   target
	plan plan

	planned, steps int
	warped         bool
	blockedAt      *emu.Point
	because        string
	ended          string // which limit cut it short, or ""
}

// walkTo walks to a tile, through a warp, or over the map's edge, as far as
// the limits allow.
func walkTo(act *acting, a emu.Action) (map[string]any, error) {
	w := &walk{act: act, to: target{emu.Point{X: *a.X, Y: *a.Y}}}
	o, err := walkable(act.decoded())
	if err == nil {
		err = w.begin(o)
	}
	if err != nil {
		return nil, err
	}
	if err := w.run(); err != nil {
		return nil, err
	}
	return w.outcome(), nil
}

// walkable returns the field when a press of a direction would walk on it.
func walkable(s emu.State) (*emu.Overworld, error) {
	o := s.Overworld
	if reason := notWalking(s); reason != "" {
		return nil, refusal(emu.CodeWalkNeedsOverworld, "the player cannot walk now", reason)
	}
	if o.Grid == nil {
		return nil, refusal(emu.CodeMapGridUnavailable, "the map was not read", s.Undecoded["map"])
	}
	if o.Exits == nil {
		return nil, refusal(emu.CodeMapGridUnavailable, "the ways out were not read, and a walk could take one by mistake", s.Undecoded["exits"])
	}
	return o, nil
}

// notWalking says why a direction would not walk, or "". A battle comes before
// a map that was not read: in a battle the map is not looked at.
func notWalking(s emu.State) string {
	switch {
	case s.Menu != nil:
		return "the menu " + s.Menu.ID + " is open"
	case s.Battle != nil:
		return "a battle is on"
	case s.Dialog != nil:
		return "a text box is open"
	case s.Scene.Mode != emu.ModeOverworld:
		return "the scene is " + string(s.Scene.Mode)
	case s.Overworld == nil:
		return "where the player stands was not read"
	case !s.Overworld.InputReady || !s.Scene.InputReady:
		return "the game holds the controls"
	}
	return ""
}

// begin plans the walk or refuses it.
func (w *walk) begin(o *emu.Overworld) error {
	if err := w.to.check(o); err != nil {
		return err
	}
	if !w.replan(o) {
		return refusal(emu.CodeNoPath, "there is no way there", w.to.nearest(o))
	}
	w.planned = len(w.plan.presses)
	if w.planned > 0 && stepHold > w.act.limits.MaxFrames {
		return frameBound(stepHold, w.act.limits)
	}
	return nil
}

func (w *walk) replan(o *emu.Overworld) (ok bool) {
	w.plan, ok = planTo(o, w.to, w.act.bumped.on(o.Position.MapID))
	return ok
}

// run makes the plan's presses until the last one or until something stops it.
func (w *walk) run() error {
	for len(w.plan.presses) > 0 {
		if w.ended = w.act.bound(stepHold, 0); w.ended != "" {
			return nil
		}
		before := w.act.decoded().Overworld
		d, ok := w.next(before)
		if !ok {
			w.stop(neighbour(tile(before), d), blockedByObstacle)
			return nil
		}
		goesOn, err := w.step(before, d)
		if err != nil || !goesOn {
			return err
		}
	}
	return nil
}

// next is the press to make now. People walk about: when somebody has come
// into the way since the plan was made, there is another plan or none.
func (w *walk) next(o *emu.Overworld) (d emu.Direction, ok bool) {
	d = w.plan.presses[0]
	if w.fits(o, d) {
		return d, true
	}
	if !w.replan(o) || len(w.plan.presses) == 0 {
		return d, false
	}
	return w.plan.presses[0], true
}

// fits reports whether pressing d does what the plan is to do with it.
func (w *walk) fits(o *emu.Overworld, d emu.Direction) bool {
	if w.plan.leaves && len(w.plan.presses) == 1 {
		return w.to.leavesBy(o, tile(o), d)
	}
	_, kind := route.Step(o, tile(o), d)
	return kind.Moves()
}

func tile(o *emu.Overworld) emu.Point { return emu.Point{X: o.Position.X, Y: o.Position.Y} }

// step makes one step and looks at what became of it. When the frames ran out
// in the middle of something, that is what ended the walk.
func (w *walk) step(before *emu.Overworld, d emu.Direction) (goesOn bool, err error) {
	if err := w.press(before, d); err != nil {
		return false, err
	}
	s := w.act.decoded()
	after := s.Overworld
	expected, kind := route.Step(before, tile(before), d)
	cut := w.act.left() == 0 && passing(s)
	switch {
	case cut && (after == nil || after.Position == before.Position):
		w.ended = endedByFrames
		return false, nil
	case after == nil:
		w.stop(w.ahead(before, d, kind), blockedByTransition)
		return false, nil
	case after.Position == before.Position:
		w.bump(before, d, kind, s)
		return false, nil
	}
	w.steps++
	w.plan.presses = w.plan.presses[1:]
	if after.Position.MapID != before.Position.MapID || kind.Leaves() && tile(after) != expected {
		w.warped = true
		return false, nil
	}
	if cut && len(w.plan.presses) > 0 {
		w.ended = endedByFrames
		return false, nil
	}
	return w.stillWalking(s, tile(after) == expected), nil
}

// press presses d for one step and waits until the step is over. A press that
// only turned is made once more.
func (w *walk) press(before *emu.Overworld, d emu.Direction) error {
	left := func(s emu.State) bool { return s.Overworld == nil || s.Overworld.Position != before.Position }
	facing := before.Facing
	for range 2 {
		if _, err := w.act.pressUntil(d.Button(), stepHold, left); err != nil {
			return err
		}
		if err := w.act.await(awaitFrames, passing); err != nil {
			return err
		}
		s := w.act.decoded()
		onlyTurned := notWalking(s) == "" && !left(s) && facing != d && s.Overworld.Facing == d
		if !onlyTurned || w.act.bound(stepHold, 0) != "" {
			return nil
		}
		facing = d
	}
	return nil
}

// stillWalking looks at the field after a step that moved: whether the walk
// can go on, and on which plan. It is asked with presses left or none.
func (w *walk) stillWalking(s emu.State, asPlanned bool) bool {
	o := s.Overworld
	if _, err := walkable(s); err != nil {
		if len(w.plan.presses) > 0 {
			w.stop(neighbour(tile(o), w.plan.presses[0]), heldBecause(s))
		}
		return false
	}
	if !asPlanned && !w.replan(o) {
		w.stop(w.to.at, blockedByObstacle)
		return false
	}
	return true
}

// bump takes in a press that did not move the player. Only what stood in the
// way of free controls is worth remembering.
func (w *walk) bump(before *emu.Overworld, d emu.Direction, kind route.Kind, s emu.State) {
	at := w.ahead(before, d, kind)
	because := heldBecause(s)
	if because == blockedByObstacle {
		w.act.bumped.note(before.Position.MapID, at)
	}
	w.stop(at, because)
}

// ahead is the tile that a step was to: for a way out, the target.
func (w *walk) ahead(before *emu.Overworld, d emu.Direction, kind route.Kind) emu.Point {
	if kind.Leaves() {
		return w.to.at
	}
	return neighbour(tile(before), d)
}

// heldBecause is what keeps the player from walking on.
func heldBecause(s emu.State) string {
	_, err := walkable(s)
	switch {
	case s.Battle != nil:
		return blockedByBattle
	case err != nil:
		return blockedByTransition
	}
	return blockedByObstacle
}

func (w *walk) stop(at emu.Point, because string) { w.blockedAt, w.because = &at, because }

// arrived reports whether the walk did what it was asked to.
func (w *walk) arrived(s emu.State) bool {
	if w.blockedAt != nil || w.ended != "" {
		return false
	}
	if w.warped {
		return w.plan.leaves && len(w.plan.presses) == 0
	}
	return s.Overworld != nil && tile(s.Overworld) == w.to.at
}

func (w *walk) outcome() map[string]any {
	after := w.act.observed()
	out := map[string]any{
		"target":         w.to.at,
		"plannedSteps":   w.planned,
		"steps":          w.steps,
		"arrived":        w.arrived(after.State),
		"blockedAt":      w.blockedAt,
		"warped":         w.warped,
		"frame":          after.Frame,
		"mode":           string(after.State.Scene.Mode),
		"inputReady":     after.State.Scene.InputReady,
		"ramStateSha256": after.RAM(),
	}
	if w.because != "" {
		out["blockedBecause"] = w.because
	}
	if w.ended != "" {
		out["endedBecause"] = w.ended
	}
	addPlace(out, after.State)
	addSurroundings(out, after.State)
	return out
}
