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
	return act.pressUntil(button, hold, nil)
}

// pressUntil is press, but lets go as soon as a polled frame shows what the
// press is for.
func (act *acting) pressUntil(button emu.Button, hold int, shown func(emu.State) bool) (settled bool, err error) {
	act.battles.press()
	act.now.observed = nil // it may have shown a battle that is now forgotten
	calm := newStillness(act.decoded(), act.core)
	defer act.lookWith(calm.note)()
	before := act.spent
	err = act.hold(button, hold, shown)
	if act.spent > before { // a press that never reached the machine is none
		act.pressed++
		act.Body.inputs++
	}
	if err != nil {
		return false, err
	}
	return act.settle(calm)
}

// hold holds button for n frames, or until shown reports true of a polled
// frame.
func (act *acting) hold(button emu.Button, n int, shown func(emu.State) bool) error {
	for end := act.spent + min(n, act.left()); act.spent < end; {
		step := end - act.spent
		if shown != nil {
			step = min(step, act.untilPoll())
		}
		if err := act.runFrames(step, button.Keys()); err != nil {
			return err
		}
		if shown != nil && shown(act.decoded()) {
			return nil
		}
	}
	return nil
}
