package journal

import (
	"slices"

	"clankie/emu"
)

// Why a screenshot is kept.
const (
	ShotInitial         = "initial"          // the first turn
	ShotInterval        = "interval"         // every ShotEvery turns
	ShotSceneChange     = "scene_change"     // other kinds of observation than before
	ShotMapChange       = "map_change"       // another map than before
	ShotObjectiveChange = "objective_change" // an objective given up or replaced
	ShotNoteworthy      = "noteworthy"       // the mind wanted to speak
	ShotFailure         = "failure"          // the turn was not accepted
	ShotTerminal        = "terminal"         // the run's end
)

// ShotEvery is after how many turns one is kept whatever happens.
const ShotEvery = 25

// ShotReasons says for which reasons the turn deserves a screenshot, in the
// order of their declaration; none means that it deserves none. It depends on
// nothing but the line.
func ShotReasons(l TurnLine) []string {
	var reasons []string
	because := func(why string, holds bool) {
		if holds {
			reasons = append(reasons, why)
		}
	}
	because(ShotInitial, l.Turn.Turn == 0)
	because(ShotInterval, l.Turn.Turn > 0 && l.Turn.Turn%ShotEvery == 0)
	if e := l.Evidence; e != nil {
		because(ShotSceneChange, e.sceneChanged())
		because(ShotMapChange, e.mapChanged())
		because(ShotObjectiveChange, objectiveChanged(l))
	}
	because(ShotNoteworthy, l.Turn.SpeakWanted)
	because(ShotFailure, l.Turn.Outcome != OutcomeAccepted)
	return reasons
}

// before is what was observed right before the action.
func (e *Evidence) before() Observation {
	if e.ImmediatePreAction != nil {
		return *e.ImmediatePreAction
	}
	return e.Decision
}

func (e *Evidence) sceneChanged() bool {
	return e.PostAction != nil && !slices.Equal(e.before().kinds(), e.PostAction.kinds())
}

func (o Observation) kinds() []emu.ObservationKind {
	kinds := make([]emu.ObservationKind, len(o.Observations))
	for i, e := range o.Observations {
		kinds[i] = e.Kind
	}
	slices.Sort(kinds)
	return kinds
}

func (e *Evidence) mapChanged() bool {
	return e.ProgressAfter != nil && e.ProgressBefore.place() != e.ProgressAfter.place()
}

// place is the map that was entered last, "" before the first.
func (p Progress) place() string {
	if len(p.Maps) == 0 {
		return ""
	}
	return p.Maps[len(p.Maps)-1]
}

func objectiveChanged(l TurnLine) bool {
	if l.Turn.ObjectiveRetired != nil {
		return true
	}
	previous := l.Evidence.Signals.PreviousObjective
	return previous != nil && (l.Turn.Objective == nil || *l.Turn.Objective != *previous)
}
