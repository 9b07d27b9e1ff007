package journal

import (
	"math"
	"slices"

	"clankie/emu"
)

// fit cuts the packet to its bounds without changing what the caller holds.
// at stands in for moments that are none.
func (e Evidence) fit(at string) Evidence {
	e.Decision = e.Decision.fit()
	e.ImmediatePreAction = fitted(e.ImmediatePreAction, Observation.fit)
	e.PostAction = fitted(e.PostAction, Observation.fit)
	e.ActionResult = fitted(e.ActionResult, ActionResult.fit)
	if e.ActionResult != nil && e.ActionResult.validate() != nil {
		e.ActionResult = nil
	}
	e.ProgressBefore = e.ProgressBefore.fit()
	e.ProgressAfter = fitted(e.ProgressAfter, Progress.fit)
	e.Signals = e.Signals.fit()
	e.Timing = e.Timing.fit(at)
	return e
}

// reduced keeps of the packet what is short.
func (e Evidence) reduced() Evidence {
	e.Decision.Observations = nil
	e.ImmediatePreAction, e.PostAction, e.ActionResult = nil, nil, nil
	e.ProgressBefore.Maps = last(e.ProgressBefore.Maps, reducedMaps)
	e.ProgressAfter = fitted(e.ProgressAfter, func(p Progress) Progress {
		p.Maps = last(p.Maps, reducedMaps)
		return p
	})
	e.Signals.KnownHardFailures, e.Signals.VerifiedInteractions = nil, nil
	return e
}

// reducedMaps is how many maps a reduced record keeps.
const reducedMaps = 8

// fitted applies f to a value that may be null.
func fitted[T any](v *T, f func(T) T) *T {
	if v == nil {
		return nil
	}
	out := f(*v)
	return &out
}

func (o Observation) fit() Observation {
	o.Observations = first(slices.DeleteFunc(slices.Clone(o.Observations), func(e emu.Envelope) bool {
		return !e.Kind.Valid()
	}), MaxObservations)
	o.Provenance = fitted(o.Provenance, func(p Provenance) Provenance {
		if p.Body != VenueWorld {
			p.Body = VenueLocal
		}
		return p
	})
	return o
}

func (p Progress) fit() Progress {
	clamp(&p.DistinctTiles)
	clamp(&p.TurnsSinceNewTile)
	p.Maps = slices.Clone(last(p.Maps, MaxProgressMaps))
	for i, id := range p.Maps {
		p.Maps[i] = emu.Clip(id, MaxProgressMapID)
	}
	p.ActionsPerNewTile = finite(p.ActionsPerNewTile)
	return p
}

// finite is nil for what JSON cannot write.
func finite(f *float64) *float64 {
	if f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
		return nil
	}
	return f
}

func (s Signals) fit() Signals {
	s.RefusedHere = first(s.RefusedHere, MaxRefusedHere)
	s.KnownHardFailures = last(s.KnownHardFailures, MaxKnownHardFailures)
	s.VerifiedInteractions = slices.Clone(last(s.VerifiedInteractions, MaxVerifiedInteractions))
	for i, text := range s.VerifiedInteractions {
		s.VerifiedInteractions[i] = emu.Clip(text, MaxVerifiedInteraction)
	}
	s.StalledForTurns = clampOrNull(s.StalledForTurns)
	s.RepeatingForTurns = clampOrNull(s.RepeatingForTurns)
	s.RecurringForTurns = clampOrNull(s.RecurringForTurns)
	s.ObjectiveForTurns = clampOrNull(s.ObjectiveForTurns)
	s.LocaleForTurns = clampOrNull(s.LocaleForTurns)
	s.PreviousObjective = clip(s.PreviousObjective, MaxObjective)
	s.PreviousNotes = clip(s.PreviousNotes, MaxNotes)
	s.RetiredObjective = clip(s.RetiredObjective, MaxObjective)
	clamp(&s.DecisionPreemptions)
	return s
}

func (t Timing) fit(at string) Timing {
	mend := func(s string) string {
		if _, ok := emu.ParseMoment(s); ok {
			return s
		}
		return at
	}
	t.DecisionStartedAt = mend(t.DecisionStartedAt)
	t.DecisionSettledAt = mend(t.DecisionSettledAt)
	t.ActionStartedAt = fitted(t.ActionStartedAt, mend)
	t.ActionSettledAt = fitted(t.ActionSettledAt, mend)
	return t
}
