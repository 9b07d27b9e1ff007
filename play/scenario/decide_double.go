package scenario

import (
	"slices"

	"clankie/emu"
	"clankie/emu/double"
)

// DecideDouble decides what is done next in a scenario of the deterministic
// double. It is a pure function of the scenario and of what is seen.
func DecideDouble(s double.Scenario, seen Sight) Choice {
	if !seen.Danger.StateCertain || seen.Overworld == nil {
		return halt(ReasonUncertain)
	}
	if c, on := decideBattle(seen); on {
		return c
	}
	at := pointOf(seen.Overworld.Position)
	switch {
	case seen.Dialog != nil:
		return press(ReasonDialog, emu.ButtonA)
	case seen.Menu != nil:
		return press(ReasonCloseMenu, emu.ButtonB)
	case at == s.TargetLocation:
		return press(ReasonEngage, emu.ButtonA)
	}
	d, ok := doubleGround(s).firstStep(at, s.TargetLocation)
	if !ok {
		return halt(ReasonUnreachable)
	}
	return press(ReasonStep, d.Button())
}

func doubleGround(s double.Scenario) ground {
	return ground{open: func(p emu.Point) bool {
		return p.X >= 0 && p.Y >= 0 && p.X < s.Map.Width && p.Y < s.Map.Height &&
			p != s.Trainer.Position && !slices.Contains(s.Map.Blocked, p)
	}}
}
