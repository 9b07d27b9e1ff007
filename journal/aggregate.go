package journal

// Aggregate counts verdicts over a run.
type Aggregate struct {
	Turns          int             `json:"turns"`
	Outcomes       map[Outcome]int `json:"outcomes"`
	Timing         Timings         `json:"timing"`
	IntentToAction Tally           `json:"intentToAction"`
	GoalToAction   Tally           `json:"goalToAction"`
	Movement       Tally           `json:"movementEffectiveness"`
	SceneAction    Tally           `json:"sceneActionAppropriateness"`
	Recovery       Tally           `json:"rejectionRecovery"`
	Narration      Tally           `json:"narration"`
	Stalls         Stalls          `json:"stalls"`
	Summary        *Summary        `json:"summary"` // null when there is none
}

// Tally counts verdicts; those that may come up and did not count 0.
type Tally map[Verdict]int

// Timings are how long the two halves of turns took.
type Timings struct {
	Decision Timed `json:"decision"`
	Action   Timed `json:"action"`
}

// Timed sums up durations where they are known.
type Timed struct {
	Known     int      `json:"known"`
	Unknown   int      `json:"unknown"`
	TotalMS   float64  `json:"totalMs"`
	AverageMS *float64 `json:"averageMs"`
}

// Stalls are what the loop told the mind about going nowhere.
type Stalls struct {
	SignalledTurns       int `json:"signalledTurns"`
	MaxTurnsSinceNewTile int `json:"maxTurnsSinceNewTile"`
	MaxRepeatedTurns     int `json:"maxRepeatedTurns"`
	MaxRecurringTurns    int `json:"maxRecurringTurns"`
}

func tally(possible ...Verdict) Tally {
	t := Tally{}
	for _, v := range possible {
		t[v] = 0
	}
	return t
}

func newAggregate() Aggregate {
	return Aggregate{
		Outcomes: map[Outcome]int{
			OutcomeAccepted: 0, OutcomeRejected: 0, OutcomeInvalidDecision: 0, OutcomeMindFailed: 0,
		},
		IntentToAction: tally(Aligned, Misaligned, Unknown),
		GoalToAction:   tally(Aligned, Misaligned, Unknown),
		Movement:       tally(Effective, Ineffective, NotApplicable, Unknown),
		SceneAction:    tally(Appropriate, Inappropriate, Unknown),
		Recovery:       tally(Recovered, ChangedWithoutSuccess, Repeated, NotApplicable, Unknown),
		Narration: tally(NarrationNoAttempt, NarrationNoReceipt, NarrationSuppressed, NarrationSilent,
			NarrationPlayed, NarrationUnspoken, NarrationFailed, NarrationRefused),
	}
}

func (a *Aggregate) add(l TurnLine, v TurnVerdicts) {
	a.Turns++
	a.Outcomes[v.Outcome]++
	a.Timing.Decision.add(v.DecisionMS)
	a.Timing.Action.add(v.ActionMS)
	a.IntentToAction[v.IntentToAction]++
	a.GoalToAction[v.GoalToAction]++
	a.Movement[v.Movement]++
	a.SceneAction[v.SceneAction]++
	a.Recovery[v.Recovery]++
	a.Narration[v.Narration]++
	if l.Evidence != nil {
		a.Stalls.add(*l.Evidence)
	}
}

func (t *Timed) add(ms *float64) {
	if ms == nil {
		t.Unknown++
		return
	}
	t.Known++
	t.TotalMS += *ms
}

func (s *Stalls) add(e Evidence) {
	if e.Signals.StalledForTurns != nil || e.Signals.RepeatingForTurns != nil || e.Signals.RecurringForTurns != nil {
		s.SignalledTurns++
	}
	s.MaxTurnsSinceNewTile = max(s.MaxTurnsSinceNewTile, e.latestProgress().TurnsSinceNewTile)
	s.MaxRepeatedTurns = max(s.MaxRepeatedTurns, orZero(e.Signals.RepeatingForTurns))
	s.MaxRecurringTurns = max(s.MaxRecurringTurns, orZero(e.Signals.RecurringForTurns))
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func (a *Aggregate) conclude() {
	for _, t := range []*Timed{&a.Timing.Decision, &a.Timing.Action} {
		if t.Known > 0 {
			average := t.TotalMS / float64(t.Known)
			t.AverageMS = &average
		}
	}
}
