package double

import (
	"context"
	"fmt"

	"clankie/emu"
)

// Frames that the presses of actions made of several presses are held.
const (
	stepHold = 16
	menuHold = 8
	textHold = 4
)

// Why an action stopped.
const (
	endedByFrames = "frame_bound_reached"
	endedByInputs = "input_bound_reached"
)

// acting is one action under way.
type acting struct {
	*Body
	ctx    context.Context
	limits emu.Limits
	frames int
	inputs int
}

// Act implements [emu.Body].
func (b *Body) Act(ctx context.Context, id string, a emu.Action, limits emu.Limits) (emu.ActionResult, error) {
	if b.closed {
		return emu.ActionResult{Status: emu.StatusFailed}, errClosed
	}
	act := &acting{Body: b, ctx: ctx, limits: limits}
	outcome, refusal := act.execute(id, a)
	result := emu.ActionResult{Frames: act.frames, Inputs: act.inputs, RAMSHA256: b.observed().RAM()}
	switch {
	case refusal != nil:
		result.Status, result.Err = emu.StatusFailed, refusal
	case ctx.Err() != nil:
		result.Status, result.Reason = emu.StatusCancelled, "cancelled by the caller"
	default:
		result.Status, result.Outcome = emu.StatusCompleted, outcome
	}
	return result, nil
}

func (act *acting) execute(id string, a emu.Action) (map[string]any, *emu.Error) {
	if err := check(id, a, act.limits); err != nil {
		return nil, refuse(emu.CodeInvalidCommand, err.Error())
	}
	if act.ctx.Err() != nil {
		return nil, nil
	}
	switch a.Kind {
	case emu.ActionButtonPress:
		return act.buttonPress(a)
	case emu.ActionFrameAdvance:
		return act.frameAdvance(a)
	case emu.ActionWalkTo:
		return act.walkTo(emu.Point{X: *a.X, Y: *a.Y})
	case emu.ActionAdvanceDialog:
		return act.advanceDialog()
	case emu.ActionSelectMenuEntry:
		return act.selectEntry(a.EntryID)
	}
	return nil, refuse(emu.CodeNamingNotOpen, "the deterministic double has no naming screen")
}

func check(id string, a emu.Action, l emu.Limits) error {
	if err := inRange("actionId length", emu.Length(id), 1, maxID); err != nil {
		return err
	}
	if a.IsBodyAction() {
		return fmt.Errorf("kind: %s goes to the checkpoint port, not to a body", a.Kind)
	}
	if err := a.Validate(); err != nil {
		return err
	}
	if err := inRange("maxInputs", l.MaxInputs, 1, emu.MaxInputsLimit); err != nil {
		return err
	}
	if err := inRange("maxFrames", l.MaxFrames, 1, emu.MaxFramesLimit); err != nil {
		return err
	}
	if l.TimeoutMS < 1 {
		return fmt.Errorf("timeoutMs: %d must be at least 1", l.TimeoutMS)
	}
	return nil
}

func refuse(code, message string) *emu.Error { return &emu.Error{Code: code, Message: message} }

// left is how many frames the action may still run.
func (act *acting) left() int { return act.limits.MaxFrames - act.frames }

// bound says what keeps the action from another press of hold frames, or "".
func (act *acting) bound(hold int) string {
	switch {
	case act.inputs >= act.limits.MaxInputs:
		return endedByInputs
	case hold > act.left():
		return endedByFrames
	}
	return ""
}

// press holds a button and lets go of it. The frame in which it is let go runs
// only when it is within the limits.
func (act *acting) press(b emu.Button, hold int) {
	act.inputs++
	released := min(1, act.left()-hold)
	act.advance(hold, b.Keys())
	act.advance(released, 0)
	act.frames += hold + released
	act.machine.press(b)
	act.now = nil
}

func (act *acting) buttonPress(a emu.Action) (map[string]any, *emu.Error) {
	if held := a.HoldFrames * a.Presses(); held > act.limits.MaxFrames {
		return nil, refuse(emu.CodeFrameBound, fmt.Sprintf("needs %s, allowed are %d", emu.Count(held, "frame"), act.limits.MaxFrames))
	}
	if a.Presses() > act.limits.MaxInputs {
		return nil, refuse(emu.CodeInputBound, fmt.Sprintf("needs %s, allowed are %d", emu.CountOf(a.Presses(), "press", "presses"), act.limits.MaxInputs))
	}
	at, facing := act.machine.at, act.machine.facing
	for act.inputs < a.Presses() && act.bound(a.HoldFrames) == "" && act.ctx.Err() == nil {
		act.press(a.Button, a.HoldFrames)
	}
	out := act.outcome()
	out["button"], out["holdFrames"], out["repeat"] = string(a.Button), a.HoldFrames, act.inputs
	out["moved"], out["turned"] = act.machine.at != at, act.machine.facing != facing
	act.addSurroundings(out)
	if act.inputs < a.Presses() {
		out["endedBecause"] = endedByFrames
	}
	return out, nil
}

func (act *acting) frameAdvance(a emu.Action) (map[string]any, *emu.Error) {
	if a.Frames > act.limits.MaxFrames {
		return nil, refuse(emu.CodeFrameBound, fmt.Sprintf("needs %s, allowed are %d", emu.Count(a.Frames, "frame"), act.limits.MaxFrames))
	}
	act.advance(a.Frames, 0)
	act.frames += a.Frames
	out := act.outcome()
	out["frames"] = a.Frames
	delete(out, "dialogLines")
	delete(out, "menu")
	return out, nil
}

// outcome tells what every outcome tells, as it is observed now.
func (act *acting) outcome() map[string]any {
	o := act.observed()
	out := map[string]any{
		"frame": o.Frame, "mode": string(o.State.Scene.Mode), "position": o.State.Overworld.Position,
		"facing": string(o.State.Overworld.Facing), "ramStateSha256": o.RAM(),
	}
	if o.State.Dialog != nil {
		out["dialogLines"] = o.State.Dialog.StrictLines()
	}
	if o.State.Menu != nil {
		if menu, ok := o.State.Menu.Observation(); ok {
			out["menu"] = menu
		}
	}
	return out
}

func (act *acting) addSurroundings(out map[string]any) {
	out["surroundings"] = nil
	if s := act.observed().State.Overworld.Surroundings; s != nil {
		out["surroundings"] = s
	}
}
