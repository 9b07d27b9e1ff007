package scenario

import (
	"slices"

	"clankie/emu"
	"clankie/emu/session/evidence"
	"clankie/fixtures"
)

// What decisions must show to have been derived from what was seen.
const (
	leastReasons = 3 // distinct reasons, on the double
	leastButtons = 2 // distinct buttons, on the real core
)

// checks judges a run by what it left behind: whoever has the decisions and
// the events comes to the same checks.
func (p Plan) checks(halt Halt, d Decisions, t evidence.Trace) Checks {
	h := p.pins()
	c := Checks{
		TargetLocationReached:     d.has(ReasonReached) || d.has(ReasonEngage),
		DecisionsStateDerived:     p.derived(d),
		AuthoritativeStateCertain: halt != HaltUncertain && !d.has(ReasonUncertain),
		EvidenceBounded:           len(t.Events) <= h.maxEvents && len(d.Decisions) <= h.maxDecisions && d.recorded(t, halt),
		InputsWithinBounds:        d.bounded(),
	}
	if h.goal == fixtures.GoalTrainerBattleWon {
		fought := slices.ContainsFunc(d.Decisions, func(one Decision) bool { return one.ObservedKind == emu.ObserveBattle })
		won := halt == HaltBattleWon && d.has(ReasonBattleWon)
		c.TrainerBattleEntered, c.TrainerBattleWon = &fought, &won
	}
	if p.Real == nil {
		return c
	}
	verified := t.Header == h.Header
	c.IdentityVerified = &verified
	if p.Real.Route.Goal.ProvePartyMenu {
		seen := d.has(ReasonPartySeen)
		c.PartyMenuObserved = &seen
	}
	if p.Real.Route.Goal.ProveInventoryMenu {
		seen := d.has(ReasonBagSeen)
		c.InventoryMenuObserved = &seen
	}
	return c
}

func (d Decisions) has(r Reason) bool {
	return slices.ContainsFunc(d.Decisions, func(one Decision) bool { return one.ReasonCode == r })
}

// derived reports whether every decision was about a frame and a memory of its
// own, and they were not all alike.
func (p Plan) derived(d Decisions) bool {
	if len(d.Decisions) < p.pins().minDecisions {
		return false
	}
	reasons, buttons := map[Reason]bool{}, map[emu.Button]bool{}
	for i, one := range d.Decisions {
		if i > 0 {
			before := d.Decisions[i-1]
			if one.ObservedFrame <= before.ObservedFrame || one.ObservedRAMStateSHA256 == before.ObservedRAMStateSHA256 {
				return false
			}
		}
		reasons[one.ReasonCode] = true
		if one.Action != nil && one.Action.Button != "" {
			buttons[one.Action.Button] = true
		}
	}
	if p.Real != nil {
		return len(buttons) >= leastButtons
	}
	return len(reasons) >= leastReasons
}

// bounded reports whether every action stays within the limits of scenarios.
func (d Decisions) bounded() bool {
	limits := emu.ScenarioLimits
	return !slices.ContainsFunc(d.Decisions, func(one Decision) bool {
		a := one.Action
		return a != nil && (a.Presses() > limits.MaxInputs || a.Presses()*a.HoldFrames > limits.MaxFrames || a.Frames > limits.MaxFrames)
	})
}

// recorded reports whether every decided action left the event that belongs to
// it, and what was seen next is what the event says. The last one may have
// failed, and then leaves none.
func (d Decisions) recorded(t evidence.Trace, halt Halt) bool {
	var acted []int
	for i, one := range d.Decisions {
		if one.Action != nil {
			acted = append(acted, i)
		}
	}
	if halt == HaltFailed && len(acted) == len(t.Events)+1 {
		acted = acted[:len(acted)-1]
	}
	if len(acted) != len(t.Events) {
		return false
	}
	for n, i := range acted {
		if t.Events[n].ActionKind != d.Decisions[i].Action.Kind || t.Events[n].ActionID != actionID(i+1) || !d.follows(i+1, t.Events[n]) {
			return false
		}
	}
	return true
}

// follows reports whether decision i, where there is one, saw what e left.
func (d Decisions) follows(i int, e evidence.Event) bool {
	return i >= len(d.Decisions) || d.Decisions[i].ObservedFrame == e.Frame && d.Decisions[i].ObservedRAMStateSHA256 == e.RAMStateSHA256
}
