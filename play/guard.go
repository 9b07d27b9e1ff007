package play

import (
	"fmt"
	"slices"

	"clankie/emu"
)

// Bounds of the progress guard, in turns with the same state, action and effect
// since a state was reached that was not reached lately.
const (
	guardWarns     = 8  // from here the mind is told
	guardWithholds = 16 // from here the action itself is not dispatched
	guardPauses    = 40 // here the sitting is paused

	guardStill  = 400 // so many turns without a new state pause it, whatever is done
	guardStates = 512 // how many states count as reached lately

	guardPeriod = 8    // the same actions again after at most so many are a round
	guardRounds = 1000 // so many turns of equal rounds pause it, whatever comes of them
)

// CodeProgressGuard refuses an action that has changed nothing for too long.
const CodeProgressGuard = "progress_guard"

// guard notices play that gets nowhere, in menus and battles too: the same
// action in the same semantic state with the same effect, over and over, in a
// row or going round between states. Whatever a mind repeats, the sitting does
// not run for ever on it, not even where every picture is a new state.
type guard struct {
	states []emu.Digest // reached lately, oldest first
	tried  []attempt    // since the last new state, oldest first
	still  int          // turns since then
	run    int          // how often the last attempt has come out the same
	what   emu.Action   // which was that
	effect string       // and how

	actions []emu.Digest     // the last guardPeriod of them, oldest first
	rounds  [guardPeriod]int // by period less one: how many turns in a row repeat the one so long before
}

// attempt is an action in a state and what came of it.
type attempt struct {
	state, action emu.Digest
	what          emu.Action // that action, for people
	effect        string
	times         int
}

// after counts a settled turn that led from one state to another. A turn that
// the guard itself refused counts with those that made it refuse.
func (g *guard) after(from, to emu.Digest, what emu.Action, effect string, refusedByGuard bool) {
	if g.still++; !slices.Contains(g.states, to) {
		g.states = append(g.states, to)
		if len(g.states) > guardStates {
			g.states = slices.Delete(g.states, 0, 1)
		}
		g.tried, g.still = nil, 0
	}
	action := actionKey(what)
	g.round(action)
	a := g.attempt(from, action)
	switch {
	case a == nil:
		g.tried = append(g.tried, attempt{from, action, what, effect, 0})
		a = &g.tried[len(g.tried)-1]
	case !refusedByGuard && effect != a.effect:
		a.effect, a.times = effect, 0
	}
	a.times++
	g.run, g.what, g.effect = a.times, a.what, a.effect
}

// round counts the turns in which equal actions come again after equally many.
func (g *guard) round(action emu.Digest) {
	n := len(g.actions)
	for i := range g.rounds {
		if i < n && g.actions[n-1-i] == action {
			g.rounds[i]++
		} else {
			g.rounds[i] = 0
		}
	}
	if g.actions = append(g.actions, action); n == guardPeriod {
		g.actions = slices.Delete(g.actions, 0, 1)
	}
}

func (g *guard) attempt(state, action emu.Digest) *attempt {
	for i := range g.tried {
		if a := &g.tried[i]; a.state == state && a.action == action {
			return a
		}
	}
	return nil
}

// rest forgets everything: the operator has been told and says play on, or has
// put the world elsewhere himself. A mind that goes back goes on being counted.
func (g *guard) rest() { *g = guard{} }

// withholds returns the refusal of an action that is withheld now, or nil.
func (g *guard) withholds(state, action emu.Digest) *emu.Error {
	a := g.attempt(state, action)
	if a == nil || a.times < guardWithholds {
		return nil
	}
	return &emu.Error{
		Code:    CodeProgressGuard,
		Message: fmt.Sprintf("this action has had the same effect in the same place %d times and is not tried again", a.times),
		Detail:  "anything else is open",
	}
}

// offers takes from offers what is withheld in a state.
func (g *guard) offers(state emu.Digest, offers []Offer) []Offer {
	for _, a := range g.tried {
		if a.state == state && a.times >= guardWithholds {
			offers = WithholdAction(offers, a.what, fmt.Sprintf("it has led nowhere new %d times", a.times))
		}
	}
	return offers
}

// advice is what the mind is told while something repeats, or "".
func (g *guard) advice() string {
	if g.run < guardWarns {
		return ""
	}
	return fmt.Sprintf("this has now come out the same %d times; something else is needed", g.run)
}

// exhausted is why play pauses, or "".
func (g *guard) exhausted() string {
	switch {
	case g.run >= guardPauses:
		return fmt.Sprintf("the same action, %s, has had the same effect %d times: %s", DescribeAction(g.what), g.run, emu.Clean(g.effect))
	case g.still >= guardStill:
		return fmt.Sprintf("%d turns have led to nothing new", g.still)
	}
	for i, turns := range g.rounds {
		if turns >= guardRounds {
			return fmt.Sprintf("%d turns have repeated the same %s", turns, emu.Count(i+1, "action"))
		}
	}
	return ""
}

// actionKey identifies an action by what it does. How a save is labelled makes
// no difference to the game.
func actionKey(a emu.Action) emu.Digest {
	if a.Kind == emu.ActionSaveCheckpoint {
		a.Label = ""
	}
	d, err := emu.CanonicalDigest(a)
	if err != nil {
		return "" // only text with broken UTF-8, which Validate refuses
	}
	return d
}
