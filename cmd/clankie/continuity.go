package main

import (
	"fmt"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
)

// earlierPlay is what the journals know of a journey's mind.
type earlierPlay struct {
	last     *journal.Continuity // nil where it has none
	problems []journal.Problem
	err      error
}

// lookBack begins to look for it in the journals in dir, which may be many, and
// goes on while the game boots. What it returns waits for what was found.
func lookBack(dir, journey string) func() earlierPlay {
	found := make(chan earlierPlay, 1)
	go func() {
		var e earlierPlay
		e.last, e.problems, e.err = journal.LastContinuity(dir, journey)
		found <- e
	}()
	return func() earlierPlay { return <-found }
}

// toldProblems is how many unreadable journals are named at the start.
const toldProblems = 3

// continuity is what the mind of the journey last had in mind: what the save
// says that is gone on from, and where there is none or it says nothing, what
// the journals say. The world may begin again; its mind does not.
func (s *seat) continuity(save *checkpoint.Loaded, earlier func() earlierPlay) (notes, objective string) {
	if save != nil && save.Receipt.Continuity != nil {
		c := save.Receipt.Continuity
		notes, objective = text(c.Notes), text(c.Objective)
	}
	if notes != "" || objective != "" {
		return notes, objective
	}
	e := earlier()
	if e.err != nil {
		s.notices = append(s.notices, fmt.Sprintf("the earlier journals could not be read: %v", e.err))
	}
	for i, p := range e.problems {
		if i == toldProblems {
			s.notices = append(s.notices, emu.CountOf(len(e.problems)-i, "more journal", "more journals")+" could not be read; clankie journal list names them")
			break
		}
		s.notices = append(s.notices, fmt.Sprintf("journal %s: %s", p.Path, p.Reason))
	}
	if e.last == nil {
		return "", ""
	}
	return text(e.last.Notes), text(e.last.Objective)
}
