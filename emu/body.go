package emu

import (
	"context"
	"time"
)

// BodyInfo names a body: what is booted, from what, and whether the machine
// is the real one.
type BodyInfo struct {
	SessionID       string       `json:"sessionId"`
	ScenarioID      string       `json:"scenarioId"`
	ScenarioVersion int          `json:"scenarioVersion"`
	FixtureSHA256   Digest       `json:"fixtureSha256"` // of the scenario file's bytes
	EnvironmentID   string       `json:"environmentId"` // for example "bramble-lane"
	GameTitle       string       `json:"gameTitle"`     // for people
	Profile         string       `json:"profile"`       // decoder profile, or "screen"
	WorldID         string       `json:"worldId"`
	CharacterID     string       `json:"characterId"`
	Identity        CoreIdentity `json:"identity"`
	BootSHA256      Digest       `json:"bootSha256"` // of the boot savestate
	Real            bool         `json:"real"`       // false for the deterministic double
}

// Observed is one frame of a body: picture, RAM and scene belong to the same
// frame. It owns everything it holds and is never changed.
type Observed struct {
	Frame     uint64
	LoadEpoch uint64 // how many loads this body has been through
	State     State
	Picture   Picture
	// RAM and PictureSHA256 return digests computed at most once, when first
	// asked for; both are valid for ever and safe for concurrent use. A stale
	// picture shows nothing of this frame and has no digest: "".
	RAM           func() Digest
	PictureSHA256 func() Digest
}

// ActionStatus is how a dispatched action ended.
type ActionStatus string

// The statuses an action ends with.
const (
	StatusCompleted ActionStatus = "completed"
	StatusCancelled ActionStatus = "cancelled"
	StatusFailed    ActionStatus = "failed"
)

// ActionResult is the answer to one action. Outcome holds the kind's outcome
// object when completed; Err holds the refusal when failed.
type ActionResult struct {
	Status  ActionStatus
	Outcome map[string]any
	Err     *Error
	// Reason says why, when cancelled.
	Reason string
	// Frames and Inputs are what the action really cost, settling included.
	Frames int
	Inputs int
	// RAMSHA256 is the digest of EWRAM‖IWRAM after the action.
	RAMSHA256 Digest
}

// Pace is how fast frames run.
type Pace struct {
	// FramesPerSecond is the target; 0 runs as fast as the machine can.
	FramesPerSecond float64
}

// Unpaced reports whether frames run as fast as they can.
func (p Pace) Unpaced() bool { return p.FramesPerSecond <= 0 }

// Body is a machine whose state can be observed and that acts under limits.
// One goroutine owns it; it is not safe for concurrent use.
type Body interface {
	// Info names the body. It does not change while it lives.
	Info() BodyInfo

	// Observe decodes the current frame. It fails only when the machine is
	// gone: what does not decode is absent in the state and says so.
	Observe(ctx context.Context) (Observed, error)

	// Act executes one catalogued action under limits, settles and answers.
	// A refusal is a result with StatusFailed; the error is for a machine
	// that is gone.
	Act(ctx context.Context, id string, a Action, limits Limits) (ActionResult, error)

	// Idle runs n frames with nothing held, outside any action.
	Idle(ctx context.Context, n int) error

	// SetPace changes how fast later frames run.
	SetPace(Pace)

	// OnFrame registers the one observer called on the owner's goroutine
	// after each frame that ran. The observer calls sample for a full
	// observation of that frame when it wants one; sample is valid only during
	// the call. nil removes the observer.
	OnFrame(observer func(frame uint64, sample func() Observed))

	// CaptureState returns the machine's complete state.
	CaptureState(ctx context.Context) ([]byte, error)

	// RestoreState replaces the machine's complete state; preview is the
	// picture kept with it, or nil. It forgets everything cached about the
	// replaced timeline and advances the load epoch. When it fails nothing
	// has changed.
	RestoreState(ctx context.Context, state []byte, preview []byte) error

	// Counters are the frames and inputs that reached the machine so far.
	// Loads do not rewind them.
	Counters() (frames, inputs uint64)

	// Close stops the body and frees the machine.
	Close() error
}

// Storekeeper is a body that tells what the storage system holds. That is no
// part of an observation: it has hundreds of records, and few ever ask.
type Storekeeper interface {
	// Storage decodes the storage system as it is now. Like Observe it runs no
	// frames.
	Storage(ctx context.Context) (Storage, error)
}

// Clock tells time above the body; tests inject their own.
type Clock interface {
	Now() time.Time
}
