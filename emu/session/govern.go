package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"clankie/emu"
	"clankie/emu/session/evidence"
)

// GovernOptions say how a body is governed. Root, Clock and Random are
// required; what else is not set is that of free play.
type GovernOptions struct {
	// Root is the folder under which a folder of this session's own is made, and
	// removed when it closes. What killed programs left there is removed too.
	Root   string
	Clock  Clock
	Random io.Reader

	SessionID     string // the body's own, else made of the scenario and RunID
	RunID         string // required when neither has a session id
	HolderID      string // "gba-free-play"
	CorrelationID string // "free-play:" and the scenario's id
	CommandPrefix string // "free-play-command"
	Lease         time.Duration

	SavestateID string // the scenario's id unless set
	RNGSeed     uint32
	Limits      emu.Limits      // emu.FreePlayLimits; bounds every action
	Policy      evidence.Policy // evidence.Rolling
	Window      int             // evidence.MaxEvents
	Retention   Retention       // FreePlayRetention; negative numbers keep everything
	Events      func(Event)

	// OnRecordFailure says what a record means that cannot be written, on a full
	// disk for one. When it is nil, what must be registered before it happens is
	// refused with CodeRecordNotWritten. When it is set, play goes on: an action
	// is still dispatched at most once by this program, and the failure is told
	// here, once until a write succeeds again. It is called from whichever
	// goroutine found out, and may use the body's session but not its machine.
	OnRecordFailure func(error)
}

func (o *GovernOptions) complete(info emu.BodyInfo) error {
	if o.Root == "" || o.Clock == nil || o.Random == nil {
		return fmt.Errorf("session: Root, Clock and Random are required")
	}
	setDefault(&o.SessionID, info.SessionID)
	if o.SessionID == "" && o.RunID == "" {
		return fmt.Errorf("session: SessionID or RunID is required")
	}
	setDefault(&o.SessionID, fmt.Sprintf("gba-free-play:%s:v%d:%s", info.ScenarioID, info.ScenarioVersion, o.RunID))
	setDefault(&o.HolderID, "gba-free-play")
	setDefault(&o.CorrelationID, "free-play:"+info.ScenarioID)
	setDefault(&o.CommandPrefix, "free-play-command")
	setDefault(&o.Lease, MaxLease)
	setDefault(&o.SavestateID, info.ScenarioID)
	setDefault(&o.Limits, emu.FreePlayLimits)
	setDefault(&o.Policy, evidence.Rolling)
	setDefault(&o.Retention, FreePlayRetention)
	return nil
}

func setDefault[T comparable](v *T, otherwise T) {
	var none T
	if *v == none {
		*v = otherwise
	}
}

// Body is a governed body: it implements [emu.Body], and everything that moves
// the machine goes through a session with a lease of its own. Like any body it
// has one owner; Pause, Resume, CancelAction, EmergencyStop and what only looks
// at the session may be called from anywhere.
type Body struct {
	runtime *Runtime
	adapter *BodyAdapter
	clock   Clock
	root    string
	prefix  string
	session string
	token   string

	commands int
	watch    watch

	closing  sync.Once
	closeErr error
}

var _ emu.Body = (*Body)(nil)

// Govern puts body under a session of its own. It owns body from now on, also
// when it fails.
func Govern(ctx context.Context, body emu.Body, o GovernOptions) (*Body, error) {
	if err := o.complete(body.Info()); err != nil {
		return nil, errors.Join(err, body.Close())
	}
	adapter, err := NewBodyAdapter(body, BodyOptions{
		Clock: o.Clock, SavestateID: o.SavestateID, RNGSeed: o.RNGSeed, Policy: o.Policy, Window: o.Window,
	})
	if err != nil {
		return nil, errors.Join(err, body.Close())
	}
	b := &Body{adapter: adapter, clock: o.Clock, prefix: o.CommandPrefix, session: o.SessionID}
	b.WatchEvery(1)
	if err := b.start(ctx, o); err != nil {
		return nil, errors.Join(err, b.letGo())
	}
	return b, nil
}

func (b *Body) start(ctx context.Context, o GovernOptions) (err error) {
	if err := os.MkdirAll(o.Root, 0o700); err != nil {
		return fmt.Errorf("session: make the runtime's folder: %w", err)
	}
	if b.root, err = os.MkdirTemp(o.Root, runtimePrefix); err != nil {
		return fmt.Errorf("session: make the runtime's folder: %w", err)
	}
	b.runtime, err = Open(Options{
		Root: b.root, Adapter: b.adapter, Clock: o.Clock, Random: o.Random,
		Retention: o.Retention, Events: o.Events, OnRecordFailure: o.OnRecordFailure,
	})
	if err != nil {
		return err
	}
	sweepRuntimes(o.Root, b.root)
	info := b.adapter.info
	b.token, _, err = b.runtime.Start(ctx, StartRequest{
		HolderID: o.HolderID, CorrelationID: o.CorrelationID, Lease: o.Lease,
		Spec: Spec{
			SchemaVersion: recordSchema, SessionID: o.SessionID, EnvironmentKind: ProfileGBA,
			CharacterID: info.CharacterID, WorldID: info.WorldID,
			RequestedBy: autonomous(info), ResourceBounds: b.adapter.Bounds(o.Limits),
		},
	})
	return err
}

func autonomous(info emu.BodyInfo) Requester {
	return Requester{Principal: Principal{Kind: "captain", ID: info.CharacterID}, Tier: laneTiers[LaneGameplay]}
}

// Close stops the session, removes its records and closes the machine. It
// returns the first error with which a record was not written, also when
// everything was cleaned up, unless OnRecordFailure was told. Closing twice is
// fine.
func (b *Body) Close() error {
	b.closing.Do(func() { b.closeErr = b.letGo() })
	return b.closeErr
}

func (b *Body) letGo() error {
	var failed error
	if b.runtime != nil {
		// It fails when there is no session yet, or when its record is not written,
		// which Close returns.
		_ = b.runtime.EmergencyStop(b.session, "closed")
		failed = b.runtime.Close()
	}
	if b.root != "" {
		failed = errors.Join(failed, os.RemoveAll(b.root))
	}
	return errors.Join(failed, b.adapter.Close())
}
