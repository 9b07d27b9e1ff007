package body

import (
	"fmt"

	"clankie/emu"
)

// advanceFrames lets time pass with nothing held. Exactly the frames asked for
// run: there is no press whose effect to wait for.
func advanceFrames(act *acting, a emu.Action) (map[string]any, error) {
	if a.Frames > act.limits.MaxFrames {
		return nil, frameBound(a.Frames, act.limits)
	}
	if err := act.runFrames(a.Frames, 0); err != nil {
		return nil, err
	}
	after := act.observed()
	out := map[string]any{
		"frames": a.Frames,
		"frame":  after.Frame,
		"mode":   string(after.State.Scene.Mode),
	}
	if decodes(after.State) {
		addPlace(out, after.State)
	}
	out["ramStateSha256"] = after.RAM()
	return out, nil
}

func frameBound(needed int, limits emu.Limits) error {
	return &emu.Error{Code: emu.CodeFrameBound, Message: fmt.Sprintf("needs %s, allowed are %d", emu.Count(needed, "frame"), limits.MaxFrames)}
}

func inputBound(needed int, limits emu.Limits) error {
	return &emu.Error{Code: emu.CodeInputBound, Message: fmt.Sprintf("needs %s, allowed are %d", emu.CountOf(needed, "press", "presses"), limits.MaxInputs)}
}
