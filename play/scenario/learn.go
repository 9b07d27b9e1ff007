package scenario

import (
	"slices"

	"clankie/emu"
)

// learn returns what is known after a choice was carried out. ok is false when
// what is seen does not follow from what was done: the run is out of step with
// its game and must not press on.
func (k Known) learn(before Sight, c Choice, after Sight) (learned Known, ok bool) {
	switch c.Reason {
	case ReasonPartySeen:
		k.Party = true
	case ReasonBagSeen:
		k.Inventory = true
	case ReasonStep:
		return k.stepped(before.Overworld, directionOf(c.Action.Button), after.Overworld)
	}
	return k, true
}

// stepped judges a step by where the player stands and looks afterwards. He
// may have gone where he was to go, or only have turned. When he looked that
// way already and stands where he stood, the game refused the step, and it is
// not tried again.
func (k Known) stepped(before *emu.OverworldData, d emu.Direction, after *emu.OverworldData) (Known, bool) {
	if after == nil || after.Position.MapID != before.Position.MapID {
		return k, false
	}
	from, to := pointOf(before.Position), beside(pointOf(before.Position), d)
	switch pointOf(after.Position) {
	case to:
		return k, true
	case from:
		if before.Facing == d {
			k.Refused = append(slices.Clone(k.Refused), Edge{from, to})
		}
		return k, after.Facing == d
	}
	return k, false
}

func directionOf(b emu.Button) emu.Direction {
	for _, d := range emu.Directions {
		if d.Button() == b {
			return d
		}
	}
	return ""
}
