package play

import (
	"time"

	"clankie/emu"
	"clankie/journal"
)

// DefaultAutosaveTurns is how many turns lie between two autosaves.
const DefaultAutosaveTurns = 50

// DefaultClosingTime is what the final save and summary may take after a stop.
const DefaultClosingTime = 15 * time.Second

// Options are what a sitting is made of. Body, Minds and Mind are required.
type Options struct {
	Body emu.Body

	// Port takes the three body actions; nil for a body that cannot save.
	Port FreePlayCheckpointPort

	// Journal records the sitting; nil plays unrecorded.
	Journal *journal.Writer

	// Tape is told of the borders between turns; nil where none is recorded.
	Tape Tape

	// Past shows the turns that are over; nil where they are not recorded.
	Past Past

	// Screenshots keeps pictures beside the journal; nil keeps none.
	Screenshots *journal.Screenshots

	// Minds makes each mind that the operator may switch to, by wire name.
	Minds map[string]func() Mind
	// Mind is the one that begins.
	Mind string
	// Absent says of minds that are known and cannot decide here what they
	// lack, and how to give it to them.
	Absent map[string]error

	Speed Speed
	// MaxTurns stops play after so many turns; 0 has no cap.
	MaxTurns int
	// MaxDuration stops play after so much time; 0 has no cap.
	MaxDuration time.Duration
	// AutosaveTurns is the distance between autosaves; 0 turns them off.
	AutosaveTurns int
	// ClosingTime is how long the final save and the summary may take; 0 means
	// DefaultClosingTime.
	ClosingTime time.Duration
	// DecisionDeadline is how long a mind may take over one answer before its
	// turn has failed; 0 waits for ever. A person at the pad takes his time.
	DecisionDeadline time.Duration

	RunID     string
	JourneyID string
	// Notes and Objective continue a mind from an earlier sitting.
	Notes     string
	Objective string
	// Audience says who watches, in a sentence for the mind; "" says nothing.
	Audience string
	// LastSave is the save that the sitting was resumed from, or nil.
	LastSave *SaveEntry

	// Unattended ends the sitting where it would pause: nobody is there to go
	// on.
	Unattended bool

	// StartPaused waits for the operator before the first turn.
	StartPaused bool
	// PicturesPerSecond bounds how often watchers get a new snapshot while
	// frames run; 0 means 30.
	PicturesPerSecond int

	Clock emu.Clock // nil is the system's
}

// systemClock is the clock above the body.
type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

// Tape records everything that reaches the machine. It sees that by itself;
// this is what it cannot see from there.
type Tape interface {
	// Loading says what the state is that is loaded next: the save id, or where
	// that is empty the pin, or where that is empty too the boot savestate.
	Loading(checkpointID, pin string)

	// Steered says that a command of the operator's was carried out, and what
	// came of it.
	Steered(command, text string)

	// Border marks that turn has settled at the frame that o shows. The error
	// says once that the tape cannot be written; play goes on.
	Border(turn int, o emu.Observed) error
}
