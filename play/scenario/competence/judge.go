package competence

// Metrics are what a run is judged by.
type Metrics struct {
	TurnsTaken                 int       `json:"turnsTaken"`
	TurnBudget                 int       `json:"turnBudget"`
	AcceptedActions            int       `json:"acceptedActions"`
	AcceptedActionRate         float64   `json:"acceptedActionRate"`
	DistinctAcceptedActionKeys int       `json:"distinctAcceptedActionKeys"`
	LongestRepeatedInputRun    int       `json:"longestRepeatedInputRun"`
	TargetReached              bool      `json:"targetReached"`
	MilestonesReached          []Reached `json:"milestonesReached"`
	ActionsPerMilestone        *float64  `json:"actionsPerMilestone"`
	DistinctTiles              int       `json:"distinctTiles"`
	Maps                       []string  `json:"maps"`
	TurnsSinceNewTile          int       `json:"turnsSinceNewTile"`
	ActionsPerNewTile          *float64  `json:"actionsPerNewTile"`
	LongestStallTurns          int       `json:"longestStallTurns"`
	ResolvedStallWindows       int       `json:"resolvedStallWindows"`
	UnresolvedStallTurns       int       `json:"unresolvedStallTurns"`
	Coherence                  *float64  `json:"coherence"`
}

// Checks must all hold.
type Checks struct {
	TargetMilestoneReached        bool `json:"targetMilestoneReached"`
	AllObjectiveMilestonesReached bool `json:"allObjectiveMilestonesReached"`
	WithinTurnBudget              bool `json:"withinTurnBudget"`
	AcceptedActionEfficient       bool `json:"acceptedActionEfficient"`
	NoUnresolvedStallWindow       bool `json:"noUnresolvedStallWindow"`
	StallRecoveredWhenOpened      bool `json:"stallRecoveredWhenOpened"`
	NotRepeatOnly                 bool `json:"notRepeatOnly"`
	ControlStateDerived           bool `json:"controlStateDerived"`
}

// All reports whether all checks hold.
func (c Checks) All() bool { return len(c.Failing()) == 0 }

// Failing names the checks that do not hold, in their order.
func (c Checks) Failing() (names []string) {
	for _, check := range []struct {
		holds bool
		name  string
	}{
		{c.TargetMilestoneReached, "targetMilestoneReached"},
		{c.AllObjectiveMilestonesReached, "allObjectiveMilestonesReached"},
		{c.WithinTurnBudget, "withinTurnBudget"},
		{c.AcceptedActionEfficient, "acceptedActionEfficient"},
		{c.NoUnresolvedStallWindow, "noUnresolvedStallWindow"},
		{c.StallRecoveredWhenOpened, "stallRecoveredWhenOpened"},
		{c.NotRepeatOnly, "notRepeatOnly"},
		{c.ControlStateDerived, "controlStateDerived"},
	} {
		if !check.holds {
			names = append(names, check.name)
		}
	}
	return names
}

// Control is how a mind answered when it was asked each thing twice.
type Control struct {
	Decisions int `json:"decisions"`
	Changed   int `json:"changed"` // one and the same view was answered in two ways
}

// Result is one state's run.
type Result struct {
	RunID   string  `json:"runId"`
	StateID string  `json:"stateId"`
	Metrics Metrics `json:"metrics"`
	Control Control `json:"control"`
	Checks  Checks  `json:"checks"`
	Passed  bool    `json:"passed"`
}

// judge judges a run by what was counted in it: whoever has the counts comes to
// the same result.
func (d Definition) judge(s State, m Metrics, control Control) Result {
	distinct := s.MinimumDistinctAcceptedActions
	if distinct == 0 {
		distinct = d.MinimumDistinctAcceptedActions
	}
	c := Checks{
		TargetMilestoneReached:        m.TargetReached,
		AllObjectiveMilestonesReached: len(m.MilestonesReached) == len(s.Milestones),
		WithinTurnBudget:              m.TurnsTaken <= m.TurnBudget,
		AcceptedActionEfficient:       m.AcceptedActionRate >= d.MinimumAcceptedActionRate,
		NoUnresolvedStallWindow:       m.UnresolvedStallTurns == 0,
		// A window that is still open counts as not recovered from only when no
		// other was.
		StallRecoveredWhenOpened: m.UnresolvedStallTurns == 0 || m.ResolvedStallWindows > 0,
		NotRepeatOnly: m.TargetReached && m.DistinctAcceptedActionKeys >= distinct &&
			m.LongestRepeatedInputRun < d.RepeatedInputLimit,
		// Who answers by what is seen answers the same view the same way, and
		// different views in more ways than one.
		ControlStateDerived: control.Changed == 0 && (m.AcceptedActions == 1 || m.DistinctAcceptedActionKeys > 1),
	}
	return Result{RunID: runID(s), StateID: s.StateID, Metrics: m, Control: control, Checks: c, Passed: c.All()}
}

func runID(s State) string { return "competence-" + s.StateID }

func (t *tracker) metrics(budget int) Metrics {
	m := Metrics{
		TurnsTaken: t.turns, TurnBudget: budget, AcceptedActions: t.accepted,
		DistinctAcceptedActionKeys: len(t.keys), LongestRepeatedInputRun: t.longestRun,
		TargetReached: t.done(), MilestonesReached: t.reached,
		DistinctTiles: len(t.tiles), Maps: t.maps, TurnsSinceNewTile: t.sinceNewTile,
		LongestStallTurns: t.longestStall, ResolvedStallWindows: t.resolved,
		ActionsPerMilestone: per(t.accepted, len(t.reached)), ActionsPerNewTile: per(t.accepted, len(t.tiles)-1),
	}
	if t.turns > 0 {
		m.AcceptedActionRate = float64(t.accepted) / float64(t.turns)
	}
	if t.stalled {
		m.UnresolvedStallTurns = t.sinceNewTile
	}
	return m
}

func per(actions, things int) *float64 {
	if things < 1 {
		return nil
	}
	v := float64(actions) / float64(things)
	return &v
}
