package competence

import (
	"context"
	"fmt"

	"clankie/emu"
	"clankie/play"
	"clankie/play/scenario"
)

// The controllers: who decides in a benchmark's runs.
const (
	ControllerBuiltin = "builtin"
	ControllerRepeat  = "repeat-only"
)

// CheckController refuses the name of a controller that there is not.
func CheckController(name string) error {
	if name == ControllerBuiltin || name == ControllerRepeat {
		return nil
	}
	return fmt.Errorf("there is no controller %q; there are %s and %s", emu.Clean(name), ControllerBuiltin, ControllerRepeat)
}

// controller makes the mind of that name for a state's scenario.
func controller(name string, p scenario.Plan) (play.Mind, error) {
	if err := CheckController(name); err != nil {
		return nil, err
	}
	if name == ControllerRepeat {
		return RepeatOnly{Button: emu.ButtonA}, nil
	}
	return aimed(p), nil
}

// aimed is the built-in mind with the target of a scenario.
func aimed(p scenario.Plan) Builtin {
	if d := p.Double; d != nil {
		return Builtin{Target: emu.Position{MapID: d.Map.MapID, X: d.TargetLocation.X, Y: d.TargetLocation.Y}}
	}
	return Builtin{Target: p.Real.Route.Target, Facing: p.Real.Route.Goal.InteractionFacing}
}

// RepeatOnly is a mind that presses one button, whatever it sees. It shows that
// the benchmark cannot be passed that way.
type RepeatOnly struct{ Button emu.Button }

// Name implements [play.Mind].
func (RepeatOnly) Name() string { return "competence-repeat-only" }

// Decide implements [play.Mind].
func (r RepeatOnly) Decide(context.Context, play.View) (play.Decision, error) {
	return play.Decision{Monologue: "Again.", Intent: "press " + string(r.Button) + " again", Action: emu.Press(r.Button, repeatHold)}, nil
}

const repeatHold = 16 // frames
