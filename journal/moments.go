package journal

import (
	"slices"

	"clankie/emu"
)

// momentsKept is how many moments are remembered unread: more than are told,
// in case some turn out to be unreadable.
const momentsKept = 4 * MaxStoryMoments

// moments remembers the newest moments of a story. Reading one takes far
// longer than passing over it, and of thousands only the last few are told,
// so they are kept as they are written and read at the end.
type moments struct {
	kept  [momentsKept]keptMoment
	count int // of all that were there
}

type keptMoment struct {
	known      StoryMoment // where it was read before
	at, record []byte      // else
}

func (m *moments) next() *keptMoment {
	k := &m.kept[m.count%momentsKept]
	m.count++
	return k
}

// keep remembers a turn that is not read yet.
func (m *moments) keep(q quickTurn) {
	k := m.next()
	k.known, k.at, k.record = StoryMoment{}, append(k.at[:0], q.at...), append(k.record[:0], q.record...)
}

// add remembers a turn if it is a moment.
func (m *moments) add(at string, r TurnRecord) {
	if !r.SpeakWanted || blank(r.Effect) {
		return
	}
	m.next().known = StoryMoment{
		At: at, Effect: emu.Clip(*r.Effect, MaxEffect), Toward: said(r.Objective, MaxObjective),
	}
}

// last are the newest moments, oldest first. whole is false when fewer could
// be read than there might have been.
func (m *moments) last() (told []StoryMoment, whole bool) {
	told = []StoryMoment{}
	there := min(m.count, momentsKept)
	for back := 1; back <= there && len(told) < MaxStoryMoments; back++ {
		if moment, ok := m.kept[(m.count-back)%momentsKept].read(); ok {
			told = append(told, moment)
		}
	}
	slices.Reverse(told)
	return told, len(told) == MaxStoryMoments || there == m.count
}

func (k keptMoment) read() (StoryMoment, bool) {
	if k.known.Effect != "" {
		return k.known, true
	}
	at, record, ok := quickTurn{k.at, k.record}.read()
	var one moments
	if ok {
		one.add(at, record)
	}
	return one.kept[0].known, one.count == 1
}
