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

	// KnownHardFailures are refusals that will be the same as long as this
	// state is; they are not dispatched again.
	KnownHardFailures []HardFailure

	// StalledForTurns, RepeatingForTurns, RecurringForTurns,
	// ObjectiveForTurns and LocaleForTurns are nil below their thresholds.
	StalledForTurns   *int // turns since a new tile was stood on
	RepeatingForTurns *int // turns with one and the same effect
	RecurringForTurns *int // turns within which half the states came back
	ObjectiveForTurns *int // turns with an unchanged objective
	LocaleForTurns    *int // turns on one map

	// LearnedTransitions are ways off this map that worked before.
	LearnedTransitions []Transition

	// VerifiedInteractions say who on this map has answered, and what.
	VerifiedInteractions []string

	RetiredObjective  string // shown once after an objective was given up
	ObjectiveRecovery bool   // he is still in the loop it was given up in

	// Offers say of every action whether it can work here. One that the
	// progress guard withholds is closed, or excepted where only one way of
	// doing it is withheld.
	Offers []Offer

	Notes           string
	Objective       string
	TurnsSinceSpoke *int           // nil: never spoke
	Interjection    string         // what a person said, "" when nobody did
	Audience        string         // who watches, in the operator's words; "" where he does not say
	History         []HistoryEntry // oldest first, at most 8

	// Checkpoints is true when the three body actions work in this sitting.
	Checkpoints bool
}

// HistoryEntry is one earlier turn as the mind reads it.
type HistoryEntry struct {
	Intent  string
	Action  *emu.Action // nil when no valid action was decided
	Outcome string
	Effect  string // what happened and, after "; ", the advice
}

// Transition is a learned way from one map to another.
type Transition struct {
	From   emu.Position
	Facing emu.Direction
	Action emu.Action
	To     string // map id
}

// Mind decides. Decide must return soon after ctx ends; the sitting does not
// wait for one that ignores it, so a call may begin while one that ctx ended
// is still on its way out.
type Mind interface {
	// Name is the mind's wire name: autopilot, model or operator.
	Name() string
	Decide(ctx context.Context, v View) (Decision, error)
}

// PadHolder is a mind that takes single presses from a person: the operator.
// Its Decide returns at once when ctx ends; the sitting does wait for it, so
// that no press is lost.
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
