package session

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"clankie/emu"
)

// Lease durations.
const (
	DefaultLease = 30 * time.Second
	MaxLease     = 300 * time.Second
)

// adapterPatience is how long an adapter may take over a call that is not an
// action's execution, and over ending an action that was cancelled.
const adapterPatience = time.Second

// What a runtime refuses with, beside the codes of package emu.
var (
	ErrUnknownSession     = errors.New("session: no such session")
	ErrSessionExists      = errors.New("session: a session of that id exists")
	ErrCapabilityRejected = errors.New("session: the token is not this session's")
	ErrLeaseRevoked       = errors.New("session: the lease was revoked")
	ErrBodyHeld           = errors.New("session: another session holds this character in this world")
	ErrUnknownAction      = &emu.Error{Code: emu.CodeUnknownAction, Message: "no action with that id"}
	ErrClosed             = errors.New("session: the runtime is closed")

	errAdapterSlow = fmt.Errorf("session: the adapter did not answer within %v", adapterPatience)
)

// LeaseExpiredError says that the lease ran out. The body is paused and the
// session alive: [Runtime.Renew] continues it. In the design records it is
// called EnvironmentLeaseExpiredError.
type LeaseExpiredError struct {
	SessionID string
	ExpiredAt Instant
}

// Error implements error.
func (e *LeaseExpiredError) Error() string {
	return fmt.Sprintf("session: the lease of %s expired at %s; renew it to go on", emu.Clean(e.SessionID), e.ExpiredAt)
}

// Retention bounds what is kept; 0 keeps everything.
type Retention struct {
	// MaxActionRecords is how many actions a session keeps. The oldest final
	// ones go; an id that is gone is dispatched again if it is asked for again.
	MaxActionRecords int
	// MaxEndedSessionRecords is how many ended sessions stay on disk.
	MaxEndedSessionRecords int
}

// FreePlayRetention is the retention of free play.
var FreePlayRetention = Retention{MaxActionRecords: 128, MaxEndedSessionRecords: 16}

// Options are what a runtime is made of. Root, Adapter, Clock
// and Random are required.
type Options struct {
	Root    string // holds the records; made if missing
	Adapter Adapter
	Clock   Clock
	Random  io.Reader // tokens are made from it; crypto/rand.Reader outside tests

	Retention Retention
	// Events gets every semantic event, in order and never two at once. It may
	// call the runtime.
	Events func(Event)
	// OnRecordFailure makes the runtime go on without its records when they
	// cannot be written, and is told so: see [GovernOptions]. When it is nil, what
	// must be registered first is refused.
	OnRecordFailure func(error)
	// NewID names leases and events; nil counts them.
	NewID func(kind string) string
}

// Runtime governs sessions: see the package comment. Its methods are safe for
// concurrent use.
type Runtime struct {
	adapter   Adapter
	clock     Clock
	random    io.Reader
	retention Retention
	newID     func(kind string) string
	outbox    outbox
	outage    outage

	// index finds a session without the lock below, for whoever cannot wait.
	index sync.Map // session id -> *governed

	// mu guards everything of sessions but their fences. It is held while a
	// record is written and never while an adapter is asked.
	mu       sync.Mutex
	store    *store
	sessions []*governed
	after    []func() // runs when mu is free again
	closing  bool
	closed   bool // the records may be another program's

	background sync.WaitGroup
}

// governed is one session.
type governed struct {
	// aligning is held while the adapter is told to pause or go on.
	aligning sync.Mutex

	fence fence

	record
	redact   redactor
	attached bool
	// savedExpiry is when the lease expires that was saved last.
	savedExpiry Instant
	flights     []*flight // dispatched in order; the first one is at the body
	broken      error     // why the machine is gone and nothing more is dispatched
}

// Open opens the records under o.Root and takes their lock. Call
// [Runtime.Reconcile] next: it settles what an earlier program left.
func Open(o Options) (*Runtime, error) { return open(osFiles{}, o) }

func open(fs fileSystem, o Options) (*Runtime, error) {
	if o.Root == "" || o.Adapter == nil || o.Clock == nil || o.Random == nil {
		return nil, fmt.Errorf("session: Root, Adapter, Clock and Random are required")
	}
	store, records, err := openStore(fs, o.Root)
	if err != nil {
		return nil, err
	}
	r := &Runtime{
		adapter: o.Adapter, clock: o.Clock, random: o.Random, retention: o.Retention,
		newID: o.NewID, store: store, outbox: outbox{sink: o.Events},
		outage: outage{tell: o.OnRecordFailure},
	}
	if r.newID == nil {
		r.newID = counter()
	}
	for _, rec := range records {
		r.adopt(&governed{record: *rec})
	}
	return r, nil
}

// counter names things by how many there were. It is called under mu.
func counter() func(kind string) string {
	n := map[string]int{}
	return func(kind string) string {
		n[kind]++
		return fmt.Sprintf("environment-%s-%d", kind, n[kind])
	}
}

func (r *Runtime) adopt(s *governed) {
	r.sessions = append(r.sessions, s)
	r.index.Store(s.Spec.SessionID, s)
}

func (r *Runtime) forget(s *governed) {
	r.index.Delete(s.Spec.SessionID)
	r.sessions = slices.DeleteFunc(r.sessions, func(o *governed) bool { return o == s })
}

func (r *Runtime) find(sessionID string) (*governed, error) {
	s, ok := r.index.Load(sessionID)
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknownSession, emu.Clean(sessionID))
	}
	return s.(*governed), nil
}

// lock and unlock bracket a change. What was put off until afterwards, and the
// events, happen when the lock is free.
func (r *Runtime) lock() { r.mu.Lock() }

func (r *Runtime) unlock() {
	after := r.after
	r.after = nil
	r.mu.Unlock()
	for _, f := range after {
		f()
	}
	r.outbox.deliver()
}

func (r *Runtime) later(f func()) { r.after = append(r.after, f) }

// change runs f under the lock.
func (r *Runtime) change(f func() error) error {
	r.lock()
	defer r.unlock()
	if r.closing {
		return ErrClosed
	}
	return f()
}

// save writes the record. What a failure means is for the outage to say.
func (r *Runtime) save(s *governed) error {
	if r.closed {
		return ErrClosed
	}
	s.rolled += s.actions.trim(r.retention.MaxActionRecords)
	err := r.outage.take(r.store.save(&s.record), r.later)
	if err == nil {
		s.savedExpiry = s.Lease.ExpiresAt
	}
	return err
}

// ask calls the adapter and gives up on it after a while, so that a machine
// that hangs holds up nobody.
func (r *Runtime) ask(call func(context.Context) error) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- call(ctx) }()
	late := make(chan struct{})
	stop := r.clock.AfterFunc(adapterPatience, func() { close(late) })
	defer stop()
	select {
	case err := <-done:
		return err
	case <-late:
		return errAdapterSlow
	}
}

// holds checks a token in constant time.
func (s *governed) holds(token string) bool {
	return subtle.ConstantTimeCompare([]byte(hashToken(token)), []byte(s.TokenHash)) == 1
}

func (s *governed) attachment() string {
	if s.AdapterSessionID == nil {
		return ""
	}
	return *s.AdapterSessionID
}

// Close lets go of the records. Actions under way are cancelled; sessions are
// not stopped: the next program's Reconcile takes up what is live. It returns
// the first error with which a record was not written, unless OnRecordFailure
// was told.
func (r *Runtime) Close() error {
	if !r.beginClosing() {
		return nil
	}
	r.background.Wait()
	r.lock()
	defer r.unlock()
	r.closed = true
	return errors.Join(r.outage.first, r.store.close())
}

// beginClosing ends what is under way and lets nothing new begin. It returns
// false when that happened before.
func (r *Runtime) beginClosing() bool {
	r.lock()
	defer r.unlock()
	if r.closing {
		return false
	}
	r.closing = true
	for _, s := range r.sessions {
		s.fence.shut(ErrClosed)
		if len(s.flights) > 0 {
			r.cancelAll(s, "the program ended")
			// What a failed write means was settled in save.
			_ = r.save(s)
		}
	}
	return true
}
