package body

import "clankie/emu"

// pressButton presses a button, once or in a burst. Nothing is checked between
// the presses of a burst, but each settles, so that the next is a press of its
// own. A burst whose frames run out stops before the first press that could
// not be held in full; the outcome then tells the presses that were made.
func pressButton(act *acting, a emu.Action) (map[string]any, error) {
	if held := a.HoldFrames * a.Presses(); held > act.limits.MaxFrames {
		return nil, frameBound(held, act.limits)
	}
	if a.Presses() > act.limits.MaxInputs {
		return nil, inputBound(a.Presses(), act.limits)
	}
	before := act.state()
	settled := true
	for act.pressed < a.Presses() && a.HoldFrames <= act.left() {
		var err error
		if settled, err = act.press(a.Button, a.HoldFrames); err != nil {
			return nil, err
		}
	}
	out := pressOutcome(act, a, before)
	if act.pressed < a.Presses() || !settled {
		out["endedBecause"] = endedByFrames
	}
	return out, nil
}

func pressOutcome(act *acting, a emu.Action, before emu.State) map[string]any {
	after := act.observed()
	out := map[string]any{
		"button":         string(a.Button),
		"holdFrames":     a.HoldFrames,
		"repeat":         act.pressed,
		"frame":          after.Frame,
		"mode":           string(after.State.Scene.Mode),
		"ramStateSha256": after.RAM(),
	}
	if !decodes(after.State) {
		return out
	}
	addPlace(out, after.State)
	addChange(out, before, after.State)
	addSurroundings(out, after.State)
	addText(out, after.State)
	return out
}

// press holds button for hold frames, lets go and settles. settled is false
// when the action's frames ran out before the press had settled.
func (act *acting) press(button emu.Button, hold int) (settled bool, err error) {
	act.battles.press()
	act.now.observed = nil // it may have shown a battle that is now forgotten
	calm := newStillness(act.decoded(), act.core)
	act.watch = calm.note
	defer func() { act.watch = nil }()
	before := act.spent
	err = act.runFrames(hold, button.Keys())
	if act.spent > before { // a press that never reached the machine is none
		act.pressed++
		act.Body.inputs++
	}
	if err != nil {
		return false, err
	}
	return act.settle(calm)
}
