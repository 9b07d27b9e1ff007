package play

import (
	"slices"

	"clankie/emu"
)

// objective is what the mind is after, and how long it has been.
type objective struct {
	text string
	held int // turns in a row

	warned  bool         // it was stale at the last decision
	retired string       // shown in the views of one turn
	loop    []emu.Digest // states of the loop it was retired in; nil when he is out of it
	count   int          // objectives retired in this sitting
}

// set takes over what a decision says: nil keeps, blank clears. While he is
// still in the loop in which an objective was retired, that very objective is
// not taken up again; dropped is then true. Any other is his to choose.
func (o *objective) set(proposed *string, last string) (dropped bool) {
	if proposed == nil {
		o.age()
		return false
	}
	next := trimmed(*proposed)
	if o.loop != nil && next == last && next != "" {
		o.text, o.held = "", 0
		return true
	}
	if next != o.text {
		o.text, o.held = next, 0
	}
	o.age()
	return false
}

func (o *objective) age() {
	if o.text == "" {
		o.held = 0
		return
	}
	o.held++
}

// review retires an objective that was stale at this decision and the one
// before and was not changed: the mind is walking in circles for it. It
// returns the retired text, or "".
func (o *objective) review(stale, unchanged bool, states []emu.Digest) string {
	if !stale || !unchanged || o.text == "" {
		o.warned = false
		return ""
	}
	if !o.warned {
		o.warned = true
		return ""
	}
	gone := o.text
	o.text, o.held, o.warned = "", 0, false
	o.retired, o.loop = gone, slices.Clone(states)
	o.count++
	return gone
}

// sees ends the recovery when a state outside the loop is reached.
func (o *objective) sees(state emu.Digest) {
	if o.loop != nil && !slices.Contains(o.loop, state) {
		o.loop = nil
	}
}
