package session

import (
	"context"
	"time"

	"clankie/emu"
)

// Connection is what an adapter needs to reach a body elsewhere: names and
// secrets. It is never written. A local body takes none.
type Connection map[string]string

// Adapter executes for a [Runtime] on bodies it reaches. In the design records
// it is called EnvironmentAdapter. Its methods are safe for concurrent use.
//
// All but Start and Act return promptly: the runtime waits a second for them
// and then goes on without them.
type Adapter interface {
	// Start gives the session a body and names the attachment. It refuses a
	// spec that does not fit the body.
	Start(ctx context.Context, spec Spec, connection Connection) (adapterSessionID string, err error)

	// Attach takes up an attachment that an earlier program started. found is
	// false when it is gone.
	Attach(ctx context.Context, spec Spec, adapterSessionID string, connection Connection) (found bool, err error)

	// Span is how long the frames of limits last at the body's current pace. It
	// answers from memory: the runtime waits for it with a lock held.
	Span(adapterSessionID string, limits emu.Limits) time.Duration

	// Act executes one action and returns when it has ended. It ends early when
	// ctx does. A refusal is a result with emu.StatusFailed; the error is for a
	// body that is gone or cannot be reached.
	Act(ctx context.Context, adapterSessionID string, cmd Command) (emu.ActionResult, error)

	// Pause keeps the body from moving until Resume.
	Pause(ctx context.Context, adapterSessionID, reason string) error

	// Resume ends a pause.
	Resume(ctx context.Context, adapterSessionID string) error

	// Stop lets go of the body for good.
	Stop(ctx context.Context, adapterSessionID, reason string) error
}
