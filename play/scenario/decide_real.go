package scenario

import (
	"slices"
	"strings"

	"clankie/emu"
	"clankie/fixtures"
)

// Menus of the field.
const (
	menuStart     = "start-menu"
	menuParty     = "party-menu"
	menuBagPrefix = "bag-"
	menuQuestion  = "yes-no"
)

// Proofs, by the entries of the start menu behind which they lie: as the
// decoders name them, and as older evidence numbered them.
var (
	entryParty = []string{"pokemon", "start-menu-1"}
	entryBag   = []string{"bag", "start-menu-2"}
)

// Known is what a run on the real core has learned so far. It is a value: a
// run that learns more gets another one.
type Known struct {
	Party     bool   // the party was observed in its menu
	Inventory bool   // the bag was
	Refused   []Edge // steps that the game refused
}

// DecideReal decides what is done next in a scenario of the real core. It is
// a pure function of the route, of what the run has learned and of what is
// seen.
func DecideReal(r *fixtures.Route, k Known, seen Sight) Choice {
	if !seen.Danger.StateCertain {
		return halt(ReasonUncertain)
	}
	if r.Goal.Kind == fixtures.GoalReachTarget && seen.at(r.Target) {
		return halt(ReasonReached)
	}
	if c, on := decideRealBattle(seen); on {
		return c
	}
	switch {
	case seen.Dialog != nil:
		return press(ReasonDialog, emu.ButtonA)
	case seen.Menu != nil:
		return decideMenu(r, k, seen)
	case !seen.Scene.InputReady || seen.Overworld == nil:
		return wait(ReasonTransition)
	case k.missing(r) != nil:
		return press(ReasonOpenStart, emu.ButtonStart)
	case !seen.at(r.Target):
		return decideStep(r, k, seen.Overworld.Position)
	case seen.Overworld.Facing != r.Goal.InteractionFacing:
		return hold(ReasonFace, r.Goal.InteractionFacing.Button(), tapHold)
	}
	return press(ReasonEngage, emu.ButtonA)
}

// decideRealBattle is decideBattle for a game that shows more than its battle
// tells: before the first prompt nothing can be observed yet, and a prompt
// that is none of the two menus is nothing to press into blindly.
func decideRealBattle(s Sight) (Choice, bool) {
	switch {
	case s.Battle == nil && s.Scene.Mode.InBattle():
		return wait(ReasonResolve), true
	case s.Battle != nil && s.Battle.Phase == emu.PhaseAwaitingInput && !s.menu(menuAction) && !s.menu(menuMoves):
		return halt(ReasonUncertain), true
	}
	return decideBattle(s)
}

// missing names the start menu's entry behind which the next proof lies; nil
// when all are there.
func (k Known) missing(r *fixtures.Route) []string {
	switch {
	case r.Goal.ProvePartyMenu && !k.Party:
		return entryParty
	case r.Goal.ProveInventoryMenu && !k.Inventory:
		return entryBag
	}
	return nil
}

func decideMenu(r *fixtures.Route, k Known, s Sight) Choice {
	switch {
	case s.menu(menuParty) && s.Party != nil:
		return press(ReasonPartySeen, emu.ButtonB)
	case strings.HasPrefix(s.Menu.MenuID, menuBagPrefix) && s.Inventory != nil:
		return press(ReasonBagSeen, emu.ButtonB)
	case s.menu(menuQuestion):
		return decideQuestion(s.Menu.Cursor)
	case s.menu(menuStart):
		return decideStartMenu(k.missing(r), s.Menu)
	}
	return press(ReasonCloseMenu, emu.ButtonB)
}

// decideQuestion says yes, the first entry: a trainer may ask before a match.
func decideQuestion(cursor int) Choice {
	if cursor != 0 {
		return press(ReasonAnswer, emu.ButtonUp)
	}
	return press(ReasonAnswer, emu.ButtonA)
}

func decideStartMenu(wanted []string, m *emu.MenuData) Choice {
	target := slices.IndexFunc(m.Entries, func(e emu.MenuEntry) bool { return slices.Contains(wanted, e.ID) })
	switch {
	case target < 0:
		return press(ReasonStartClosed, emu.ButtonB)
	case target > m.Cursor:
		return press(ReasonToStart, emu.ButtonDown)
	case target < m.Cursor:
		return press(ReasonToStart, emu.ButtonUp)
	}
	return press(ReasonOpenProof, emu.ButtonA)
}

func decideStep(r *fixtures.Route, k Known, at emu.Position) Choice {
	if at.MapID != r.MapID {
		return halt(ReasonUnreachable)
	}
	d, ok := realGround(r, k).firstStep(pointOf(at), pointOf(r.Target))
	if !ok {
		return halt(ReasonUnreachable)
	}
	return hold(ReasonStep, d.Button(), r.HoldFramesPerStep)
}

func realGround(r *fixtures.Route, k Known) ground {
	b := r.Bounds
	return ground{refused: k.Refused, open: func(p emu.Point) bool {
		return p.X >= b.MinX && p.X <= b.MaxX && p.Y >= b.MinY && p.Y <= b.MaxY && !slices.Contains(r.Blocked, p)
	}}
}
