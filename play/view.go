package play

import (
	"context"

	"clankie/emu"
)

// View is what a mind gets to decide on: everything it may know this turn,
// bounded for any length of play. It is a value of its own; a mind may keep
// it.
type View struct {
	Turn int // number of this turn, from 0

	// Observed is the frame the decision is about: picture, decoded state and
	// frame number belong together.
	Observed emu.Observed

	// RefusedHere lists directions that did not move the player from this
	// very tile while facing that way.
	RefusedHere []emu.Direction
	// KnownHardFailures are refusals that will not change in this state and
	// are not dispatched again.
	KnownHardFailures []HardFailure

	// StalledForTurns, RepeatingForTurns, RecurringForTurns,
	// ObjectiveForTurns and LocaleForTurns are nil below their thresholds.
	StalledForTurns   *int
	RepeatingForTurns *int
	RecurringForTurns *int
	ObjectiveForTurns *int
	LocaleForTurns    *int
	RetiredObjective  string // shown once after an objective was retired
	ObjectiveRecovery bool

	VerifiedInteractions []string
	LearnedTransitions   []Transition

	Notes           string
	Objective       string
	TurnsSinceSpoke *int // nil: never spoke
	Audience        string
	Interjection    string // what a person said, "" when nobody did
	History         []HistoryEntry

	// Checkpoints is true when the three body actions work in this sitting.
	Checkpoints bool
}

// HistoryEntry is one earlier turn as the mind reads it.
type HistoryEntry struct {
	Intent  string
	Action  *emu.Action // nil when no valid action was decided
	Outcome string
	Effect  string // summary and, after "; ", the advice
}

// HardFailure is a remembered refusal.
type HardFailure struct {
	Action    emu.Action
	ErrorCode string
	Effect    string
}

// Transition is a learned way from one map to another.
type Transition struct {
	From   emu.Position
	Facing emu.Direction
	Action emu.Action
	To     string // map id
}

// Decision is what a mind answers. Validate checks it against the strict
// schema.
type Decision struct {
	Monologue string  // 1..600
	Objective *string // nil keeps, blank clears, else at most 160
	Intent    string  // 1..200, about this very action
	Reply     *string // at most 2000
	Speak     *string // at most 400
	Notes     *string // nil keeps, else at most 800
	Action    emu.Action
}

// Mind decides. Decide must return soon after ctx ends; the sitting does not
// wait for one that ignores it.
type Mind interface {
	// Name is the mind's wire name: autopilot, model or operator.
	Name() string
	Decide(ctx context.Context, v View) (Decision, error)
}

// PadHolder is a mind that takes single presses from a person: the operator.
type PadHolder interface {
	Mind
	// Press hands over one press. It never waits; it reports false when so
	// many presses wait already that this one was not taken.
	Press(a emu.Action) bool
}

// Rewinder is a mind that keeps memory of the world beside the view. The
// sitting tells it after a load or restart; what it knew of places may be
// wrong then.
type Rewinder interface {
	Rewound()
}
