package play

import (
	"time"

	"clankie/emu"
)

// Phase is where in a turn the sitting is.
type Phase string

// The phases of a turn, and the two states between turns.
const (
	PhaseStarting  Phase = "starting"
	PhaseObserving Phase = "observing"
	PhaseThinking  Phase = "thinking"
	PhaseActing    Phase = "acting"
	PhaseSettling  Phase = "settling"
	PhaseRecording Phase = "recording"
	PhasePaused    Phase = "paused"
	PhaseStopped   Phase = "stopped"
)

// Snapshot is one moment of a sitting. It is immutable: picture, state and
// counters belong to the same frame, and nobody writes to what it holds.
type Snapshot struct {
	Seq uint64 // grows with every snapshot of the sitting

	Info    emu.BodyInfo
	RunID   string
	Journey string

	Frame     uint64 // logical frame of Picture and State
	LoadEpoch uint64 // changes with every load and restart
	Picture   emu.Picture
	State     emu.State

	Phase       Phase
	Turn        int // turns settled so far
	MaxTurns    int // cap that stops play; 0 for none
	Accepted    int // turns whose action was accepted
	Paused      bool
	PauseReason string // why, in words, when Paused
	Outcome     string // why the sitting ended, when PhaseStopped

	Mind      string // who decides: autopilot, model, operator
	PadTaken  bool   // the operator has taken the pad
	Objective string
	Notes     string

	Speed           Speed
	FramesPerSecond float64 // measured over the last second
	DistinctTiles   int
	Maps            []string // maps entered, newest last, bounded

	LastSave *SaveEntry // newest save of this sitting, or nil
}

// EventKind says what an Event is about.
type EventKind string

// The kinds of events.
const (
	EventTurn   EventKind = "turn"   // a turn settled
	EventSteer  EventKind = "steer"  // a command was applied
	EventSave   EventKind = "save"   // a save, load, restart or deletion happened
	EventNotice EventKind = "notice" // something the operator should know
	EventError  EventKind = "error"  // something failed or was not kept; play goes on
	EventPaused EventKind = "paused" // play waits for the operator, and why
)

// Event is one line of the feed. Events are never dropped: a watcher that
// falls more than the backlog behind is told how many it missed.
type Event struct {
	Seq  uint64
	At   time.Time
	Kind EventKind
	Text string     // one line for people; for turns the effect
	Turn *TurnEvent // set for EventTurn
}

// TurnEvent is what one settled turn shows.
type TurnEvent struct {
	Turn      int
	Mind      string
	Thought   string // monologue
	Intent    string
	Action    string // rendered for people, for example "press up 16"
	Outcome   string // accepted, rejected_by_adapter, invalid_decision, mind_failed
	Effect    string
	Advice    string
	Objective string
	Speak     string
	Reply     string
}

// SaveHealth says whether a save can be loaded here.
type SaveHealth string

// The states of health of a save.
const (
	SaveValid      SaveHealth = "valid"
	SaveDamaged    SaveHealth = "damaged"
	SaveForeign    SaveHealth = "foreign"    // another cartridge
	SaveOtherCore  SaveHealth = "other-core" // minted by a core not proven equal to this one
	SaveUnreadable SaveHealth = "unreadable"
)

// SaveEntry is one save as lists show it. Text that came from outside has
// been cleaned of control characters.
type SaveEntry struct {
	ID         string        `json:"checkpointId"`
	Label      string        `json:"label"`
	Game       string        `json:"game"` // and its journey's profile, where that is not main
	MapID      string        `json:"mapId"`
	Place      string        `json:"place"` // readable, with coordinates, or "unknown"
	Position   *emu.Position `json:"position"`
	CapturedAt time.Time     `json:"capturedAt"` // zero when it is not known
	Sequence   int           `json:"sequence"`
	Reason     string        `json:"reason"` // explicit, autosave, before-rewind, stop, operator or ""
	Parent     string        `json:"parentCheckpointId"`
	Health     SaveHealth    `json:"health"`
	HealthNote string        `json:"healthNote"` // why it is not valid, or what is wrong with one that loads
	Stray      bool          `json:"stray"`      // not taken for a save: it neither loads nor can be deleted here
	Bytes      int64         `json:"bytes"`
	Notes      string        `json:"notes"`
	Objective  string        `json:"objective"`
	Journey    string        `json:"journeyId"`
	ROMSHA256  emu.Digest    `json:"romSha256"`
	CoreSHA256 emu.Digest    `json:"coreWasmSha256"`
	StateSHA   emu.Digest    `json:"savestateSha256"`
	Turn       *int          `json:"turn"`
	RunID      string        `json:"runId"`
}

// Loadable reports whether the save can be loaded in this sitting.
func (e SaveEntry) Loadable() bool { return e.Health == SaveValid }
