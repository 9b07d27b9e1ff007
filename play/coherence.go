package play

import (
	"clankie/emu"
	"clankie/journal"
)

// coherence is the share of turns whose intent speaks of the very action they
// take. Only turns that had an effect worth scoring count.
type coherence struct{ matched, scored int }

func (c *coherence) note(intent string, a emu.Action, judged bool) {
	if !judged {
		return
	}
	c.scored++
	if journal.IntentMatches(intent, a) {
		c.matched++
	}
}

// share is nil when no turn was scored.
func (c coherence) share() *float64 {
	if c.scored == 0 {
		return nil
	}
	v := float64(c.matched) / float64(c.scored)
	return &v
}
