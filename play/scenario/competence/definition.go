package competence

import (
	"fmt"
	"slices"

	"clankie/emu"
	"clankie/play/scenario"
)

// Kinds of states.
const (
	KindDouble = "deterministic_double"
	KindROM    = "rom_gated" // of the real core
)

// Kinds of milestones.
const (
	ReachedPosition = "reached_position"
	EnteredMap      = "entered_map"
	DialogOpened    = "dialog_opened"
	BattleStarted   = "battle_started"
	BattleWon       = "battle_won"
	MenuObserved    = "menu_observed"
	DistinctTiles   = "distinct_tiles"
)

// Definition is a benchmark.
type Definition struct {
	SchemaVersion                  int     `json:"schemaVersion"`
	BenchmarkID                    string  `json:"benchmarkId"`
	BenchmarkVersion               int     `json:"benchmarkVersion"`
	DefaultTurnBudget              int     `json:"defaultTurnBudget"`
	StallThresholdTurns            int     `json:"stallThresholdTurns"`
	RepeatedInputLimit             int     `json:"repeatedInputLimit"`
	MinimumAcceptedActionRate      float64 `json:"minimumAcceptedActionRate"`
	MinimumDistinctAcceptedActions int     `json:"minimumDistinctAcceptedActions"`
	States                         []State `json:"states"`
}

// State is where one run begins, and what it is about.
type State struct {
	StateID                        string      `json:"stateId"`
	Kind                           string      `json:"kind"`
	ScenarioPath                   string      `json:"scenarioPath"` // relative to the benchmark's file
	Pinned                         Pinned      `json:"pinned"`
	RNGSeed                        *uint32     `json:"rngSeed,omitzero"` // required for the double
	TurnBudget                     int         `json:"turnBudget,omitzero"`
	MinimumDistinctAcceptedActions int         `json:"minimumDistinctAcceptedActions,omitzero"`
	TargetMilestoneID              string      `json:"targetMilestoneId"`
	Milestones                     []Milestone `json:"milestones"`
}

// Pinned is what the state's scenario must pin.
type Pinned struct {
	ScenarioID      string     `json:"scenarioId"`
	ScenarioVersion int        `json:"scenarioVersion"`
	CoreID          string     `json:"coreId"`
	SavestateID     string     `json:"savestateId"`
	SavestateSHA256 emu.Digest `json:"savestateSha256"`
}

// Milestone is something that a run must come to.
type Milestone struct {
	MilestoneID string        `json:"milestoneId"`
	Kind        string        `json:"kind"`
	Position    *emu.Position `json:"position,omitzero"` // of reached_position
	MapID       string        `json:"mapId,omitzero"`    // of entered_map
	MenuID      string        `json:"menuId,omitzero"`   // of menu_observed; any menu without it
	Tiles       int           `json:"tiles,omitzero"`    // of distinct_tiles
	// Goal, of battle_won, is the goal that the game's own flags show once the
	// battle is won: reading on may leave the battle's screen within the turn.
	Goal string `json:"goal,omitzero"`
}

// Bounds of a definition.
const (
	maxStates     = 16
	maxMilestones = 32
	maxTurns      = 256
)

// Parse reads a definition strictly.
func Parse(data []byte) (Definition, error) {
	var d Definition
	if err := emu.UnmarshalComplete(data, &d); err != nil {
		return Definition{}, fmt.Errorf("competence: %w", err)
	}
	switch {
	case d.SchemaVersion != 1 || d.BenchmarkVersion < 1 || d.BenchmarkID == "":
		return Definition{}, fmt.Errorf("competence: schemaVersion, benchmarkId or benchmarkVersion is none")
	case d.DefaultTurnBudget < 1 || d.DefaultTurnBudget > maxTurns || d.StallThresholdTurns < 1 || d.RepeatedInputLimit < 2:
		return Definition{}, fmt.Errorf("competence: defaultTurnBudget, stallThresholdTurns or repeatedInputLimit is out of bounds")
	case d.MinimumAcceptedActionRate < 0 || d.MinimumAcceptedActionRate > 1 || d.MinimumDistinctAcceptedActions < 1:
		return Definition{}, fmt.Errorf("competence: minimumAcceptedActionRate or minimumDistinctAcceptedActions is out of bounds")
	case len(d.States) > maxStates:
		return Definition{}, fmt.Errorf("competence: %d states, at most %d", len(d.States), maxStates)
	}
	for _, s := range d.States {
		if err := s.validate(); err != nil {
			return Definition{}, fmt.Errorf("competence: %s: %w", emu.Clean(s.StateID), err)
		}
	}
	return d, nil
}

func (s State) validate() error {
	switch {
	case s.StateID == "" || s.ScenarioPath == "":
		return fmt.Errorf("stateId or scenarioPath is none")
	case s.Kind != KindDouble && s.Kind != KindROM:
		return fmt.Errorf("kind: %q is none", emu.Clean(s.Kind))
	case (s.Kind == KindDouble) != (s.RNGSeed != nil):
		return fmt.Errorf("rngSeed: the double's states have one, and no others")
	case s.TurnBudget < 0 || s.TurnBudget > maxTurns:
		return fmt.Errorf("turnBudget: %d must be 1 to %d", s.TurnBudget, maxTurns)
	case len(s.Milestones) < 1 || len(s.Milestones) > maxMilestones:
		return fmt.Errorf("milestones: %d, must be 1 to %d", len(s.Milestones), maxMilestones)
	case !slices.ContainsFunc(s.Milestones, func(m Milestone) bool { return m.MilestoneID == s.TargetMilestoneID }):
		return fmt.Errorf("targetMilestoneId: %q is no milestone", emu.Clean(s.TargetMilestoneID))
	}
	for _, m := range s.Milestones {
		if err := m.validate(); err != nil {
			return fmt.Errorf("milestone %s: %w", emu.Clean(m.MilestoneID), err)
		}
	}
	return nil
}

func (m Milestone) validate() error {
	switch m.Kind {
	case DialogOpened, BattleStarted, BattleWon, MenuObserved:
		return nil
	case ReachedPosition:
		if m.Position == nil {
			return fmt.Errorf("position: missing")
		}
		return nil
	case EnteredMap:
		if m.MapID == "" {
			return fmt.Errorf("mapId: missing")
		}
		return nil
	case DistinctTiles:
		if m.Tiles < 1 {
			return fmt.Errorf("tiles: %d must be at least 1", m.Tiles)
		}
		return nil
	}
	return fmt.Errorf("kind: %q is none", emu.Clean(m.Kind))
}

// Of returns the states of a kind, or of all kinds with "". To have none is an
// error: a benchmark of nothing is passed by everybody.
func (d Definition) Of(kind string) ([]State, error) {
	list := slices.DeleteFunc(slices.Clone(d.States), func(s State) bool { return kind != "" && s.Kind != kind })
	if len(list) == 0 {
		return nil, fmt.Errorf("free_play_competence_no_states:%s", kind)
	}
	return list, nil
}

// Plan returns the state's scenario, with the state's seed, once what it pins
// was compared.
func (s State) Plan(scenarioJSON []byte) (scenario.Plan, error) {
	p, err := scenario.ParsePlan(scenarioJSON)
	if err != nil {
		return scenario.Plan{}, err
	}
	if (p.Double != nil) != (s.Kind == KindDouble) || pinsOf(p) != s.Pinned {
		return scenario.Plan{}, fmt.Errorf("free_play_competence_state_pin_mismatch:%s", s.StateID)
	}
	if p.Double != nil {
		seeded := *p.Double
		seeded.RNGSeed = *s.RNGSeed
		p.Double = &seeded
	}
	return p, nil
}

func pinsOf(p scenario.Plan) Pinned {
	if d := p.Double; d != nil {
		return Pinned{d.ScenarioID, d.ScenarioVersion, d.CoreID, d.SavestateID, d.SavestateSHA256}
	}
	r := p.Real
	return Pinned{r.ScenarioID, r.ScenarioVersion, r.CoreID, r.SavestateID, r.SavestateSHA256}
}
