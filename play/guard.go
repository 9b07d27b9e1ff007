package play

import (
	"fmt"

	"clankie/emu"
)

// Bounds of the progress guard, in turns with the same state and effect.
const (
	guardWarns     = 8  // from here the mind is told
	guardWithholds = 16 // from here the action itself is not dispatched
	guardPauses    = 40 // here the sitting is paused
)

// CodeProgressGuard refuses an action that has changed nothing for too long.
const CodeProgressGuard = "progress_guard"

// guard notices play that gets nowhere, in menus and battles too: the same
// semantic state after the same action with the same effect, turn after turn.
// Whatever a mind repeats, the sitting does not run for ever on it.
type guard struct {
	state  emu.Digest
	action emu.Digest
	what   emu.Action // that action, for people
	effect string
	run    int
}

// after counts a settled turn. A turn that the guard itself refused counts
// with the run that made it refuse.
func (g *guard) after(state emu.Digest, what emu.Action, effect string, refusedByGuard bool) {
	action := actionKey(what)
	same := state == g.state && action == g.action
	if same && (refusedByGuard || effect == g.effect) {
		g.run++
		return
	}
	*g = guard{state: state, action: action, what: what, effect: effect, run: 1}
}

// rest forgets the run: the operator has been told and says play on, or the
// world has been changed by a rewind.
func (g *guard) rest() { *g = guard{} }

// withholds returns the refusal of an action that is withheld now, or nil.
func (g *guard) withholds(state, action emu.Digest) *emu.Error {
	if g.run < guardWithholds || state != g.state || action != g.action {
		return nil
	}
	return &emu.Error{
		Code:    CodeProgressGuard,
		Message: fmt.Sprintf("this action has had the same effect in the same place %d times and is not tried again", g.run),
		Detail:  "anything else is open",
	}
}

// offers closes among offers what is withheld in a state.
func (g *guard) offers(state emu.Digest, offers []Offer) []Offer {
	if g.withholds(state, g.action) == nil {
		return offers
	}
	return WithholdAction(offers, g.what, fmt.Sprintf("it has changed nothing here %d times", g.run))
}

// advice is what the mind is told while the run is long, or "".
func (g *guard) advice() string {
	if g.run < guardWarns {
		return ""
	}
	return fmt.Sprintf("this has now come out the same %d times in a row; something else is needed", g.run)
}

func (g *guard) exhausted() bool { return g.run >= guardPauses }

// actionKey identifies an action by what it does.
func actionKey(a emu.Action) emu.Digest {
	d, err := emu.CanonicalDigest(a)
	if err != nil {
		return "" // only text with broken UTF-8, which Validate refuses
	}
	return d
}
