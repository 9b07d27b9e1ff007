package body

import (
	"context"
	"fmt"
	"time"

	"clankie/emu"
)

// maxActionID is the longest id of an action, in UTF-16 code units.
const maxActionID = 128

// maxCause is how much of an untyped failure's text a refusal carries.
const maxCause = 400

// reasonDeadline is why an action that its deadline ended was cancelled.
const reasonDeadline = "action timeout"

// executor executes one kind of action and returns its outcome. A refusal is
// an *emu.Error and comes before the first frame runs.
type executor func(*acting, emu.Action) (map[string]any, error)

// executors holds every kind of the catalogue; each has a file of its own.
var executors = map[emu.ActionKind]executor{
	emu.ActionButtonPress:     pressButton,
	emu.ActionFrameAdvance:    advanceFrames,
	emu.ActionWalkTo:          walkTo,
	emu.ActionAdvanceDialog:   advanceDialog,
	emu.ActionEnterText:       enterText,
	emu.ActionSelectMenuEntry: selectMenuEntry,
}

// acting is one action under way.
type acting struct {
	*Body
	ctx     context.Context
	limits  emu.Limits
	spent   int // frames run so far
	pressed int // presses that reached the machine so far

	reader func(emu.State) // sees every polled frame of the action, or nil
}

// Act implements [emu.Body]. Whether an id was seen before is the session's
// to know: Act executes whatever it is given.
func (b *Body) Act(ctx context.Context, id string, a emu.Action, limits emu.Limits) (emu.ActionResult, error) {
	if b.dead != nil {
		return emu.ActionResult{Status: emu.StatusFailed}, b.dead
	}
	execute, refusal := b.admit(id, a, limits)
	if refusal != nil {
		return b.answer(&acting{}, emu.ActionResult{Status: emu.StatusFailed, Err: refusal})
	}
	timed, cancel := b.pacer.clock.WithTimeout(ctx, b.timeout(limits))
	defer cancel()
	act := &acting{Body: b, ctx: timed, limits: limits}
	outcome, err := execute(act, a)
	return b.answer(act, conclude(ctx, timed, outcome, err))
}

// admit checks an action in the order that refusals take precedence.
func (b *Body) admit(id string, a emu.Action, limits emu.Limits) (executor, *emu.Error) {
	if err := checkCommand(id, a, limits); err != nil {
		return nil, &emu.Error{Code: emu.CodeInvalidCommand, Message: err.Error()}
	}
	raw := a.Kind == emu.ActionButtonPress || a.Kind == emu.ActionFrameAdvance
	if !raw && !decodes(b.state()) {
		return nil, &emu.Error{Code: emu.CodeSemanticUnavailable, Message: fmt.Sprintf("%s needs a scene that decodes; button_press and frame_advance do not", a.Kind)}
	}
	return executors[a.Kind], nil
}

func checkCommand(id string, a emu.Action, limits emu.Limits) error {
	if n := emu.Length(id); n < 1 || n > maxActionID {
		return fmt.Errorf("actionId length: %d must be 1 to %d", n, maxActionID)
	}
	if a.IsBodyAction() {
		return fmt.Errorf("kind: %s goes to the checkpoint port, not to a body", a.Kind)
	}
	if err := a.Validate(); err != nil {
		return err
	}
	if limits.MaxInputs < 1 || limits.MaxInputs > emu.MaxInputsLimit {
		return fmt.Errorf("maxInputs: %d must be 1 to %d", limits.MaxInputs, emu.MaxInputsLimit)
	}
	if limits.MaxFrames < 1 || limits.MaxFrames > emu.MaxFramesLimit {
		return fmt.Errorf("maxFrames: %d must be 1 to %d", limits.MaxFrames, emu.MaxFramesLimit)
	}
	if limits.TimeoutMS < 1 {
		return fmt.Errorf("timeoutMs: %d must be at least 1", limits.TimeoutMS)
	}
	return nil
}

// timeout is the time an action has: what its limits grant, and as long as its
// frames last at the current pace.
func (b *Body) timeout(limits emu.Limits) time.Duration {
	return time.Duration(limits.TimeoutMS)*time.Millisecond + b.pacer.span(int64(limits.MaxFrames))
}

// conclude says how an action ended. given is the caller's context and timed
// the one that also ends at the deadline.
func conclude(given, timed context.Context, outcome map[string]any, err error) emu.ActionResult {
	var refusal *emu.Error
	switch {
	case err == nil:
		return emu.ActionResult{Status: emu.StatusCompleted, Outcome: outcome}
	case given.Err() != nil:
		return emu.ActionResult{Status: emu.StatusCancelled, Reason: "cancelled by the caller"}
	case timed.Err() != nil:
		return emu.ActionResult{Status: emu.StatusCancelled, Reason: reasonDeadline}
	case asRefusal(err, &refusal):
		return emu.ActionResult{Status: emu.StatusFailed, Err: refusal}
	}
	return emu.ActionResult{Status: emu.StatusFailed, Err: &emu.Error{
		Code: emu.CodeEmulatorRejected, Message: emu.Clip(emu.Clean(err.Error()), maxCause), Err: err,
	}}
}

// asRefusal reports whether err itself is a refusal with a code.
func asRefusal(err error, to **emu.Error) bool {
	e, ok := err.(*emu.Error)
	*to = e
	return ok
}

// answer completes a result with what the action cost and left behind.
func (b *Body) answer(act *acting, r emu.ActionResult) (emu.ActionResult, error) {
	r.Frames, r.Inputs = act.spent, act.pressed
	if b.dead != nil {
		r.Status, r.Outcome = emu.StatusFailed, nil
		return r, b.dead
	}
	r.RAMSHA256 = b.ram().get()
	return r, nil
}

// left is how many frames the action may still run.
func (act *acting) left() int { return act.limits.MaxFrames - act.spent }

// runFrames runs up to n frames within the action's limits.
func (act *acting) runFrames(n int, held emu.Keys) error {
	ran, err := act.run(act.ctx, min(n, act.left()), held)
	act.spent += ran
	return err
}
