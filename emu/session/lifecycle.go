package session

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"clankie/emu"
)

// StartRequest asks for a session.
type StartRequest struct {
	Spec          Spec
	HolderID      string
	CorrelationID string
	Lease         time.Duration // 0 is DefaultLease
	MissionID     string
	TaskID        string
	Connection    Connection
}

// Snapshot is what may be told about a session. It holds no secret.
type Snapshot struct {
	Spec             Spec
	Lease            Lease
	Phase            Phase
	AdapterSessionID string
	RevokedAt        Instant // "" when not revoked
	Lapse            *Lapse
	Actions          []Result // in the order they were registered
	RolledActions    int      // dropped by retention
}

func (s *governed) snapshot() Snapshot {
	out := Snapshot{
		Spec: s.Spec, Lease: s.Lease, Phase: s.Phase, AdapterSessionID: s.attachment(),
		RolledActions: s.rolled, Actions: make([]Result, 0, len(s.actions.order)),
	}
	if s.RevokedAt != nil {
		out.RevokedAt = *s.RevokedAt
	}
	if s.LeaseLapse != nil {
		lapse := *s.LeaseLapse
		out.Lapse = &lapse
	}
	for _, a := range s.actions.order {
		out.Actions = append(out.Actions, a.Result)
	}
	return out
}

const tokenBytes = 32

// Start gives a session a body and returns the token that its holder acts
// with. The token is told once and never written.
func (r *Runtime) Start(ctx context.Context, q StartRequest) (token string, snap Snapshot, err error) {
	if q.Lease == 0 {
		q.Lease = DefaultLease
	}
	if err := q.validate(); err != nil {
		return "", Snapshot{}, fmt.Errorf("session: %w", err)
	}
	if err := r.Sweep(); err != nil {
		return "", Snapshot{}, err
	}
	s, token, err := r.claim(q)
	if err != nil {
		return "", Snapshot{}, err
	}
	id, err := r.adapter.Start(ctx, s.Spec, q.Connection)
	if err != nil {
		return "", Snapshot{}, errors.Join(fmt.Errorf("session: start the body: %w", s.redact.error(err)), r.startFailed(s))
	}
	err = r.change(func() error {
		snap, err = r.started(s, id)
		return err
	})
	if err != nil {
		r.letGo(s, id, "the session did not start")
		return "", Snapshot{}, err
	}
	return token, snap, nil
}

func (q StartRequest) validate() error {
	if err := q.Spec.Validate(); err != nil {
		return err
	}
	if q.Spec.ResourceBounds.Legacy != nil {
		return fmt.Errorf("sessions of the first format cannot be started")
	}
	if q.HolderID == "" || q.CorrelationID == "" {
		return fmt.Errorf("holderId and correlationId must not be empty")
	}
	if q.Lease < time.Millisecond || q.Lease > MaxLease || q.Lease%time.Millisecond != 0 {
		return fmt.Errorf("a lease of %v; whole milliseconds up to %v are allowed", q.Lease, MaxLease)
	}
	return nil
}

// claim writes that a session starts, before the adapter is asked for a body.
func (r *Runtime) claim(q StartRequest) (s *governed, token string, err error) {
	err = r.change(func() error {
		raw := make([]byte, tokenBytes)
		if _, err := io.ReadFull(r.random, raw); err != nil {
			return fmt.Errorf("session: make a token: %w", err)
		}
		token = base64.RawURLEncoding.EncodeToString(raw)
		s = r.newSession(q, token)
		if _, exists := r.index.Load(q.Spec.SessionID); exists {
			return ErrSessionExists
		}
		if r.heldByOther(s) {
			return ErrBodyHeld
		}
		if err := r.save(s); err != nil {
			return err
		}
		r.adopt(s)
		return nil
	})
	return s, token, err
}

func (r *Runtime) newSession(q StartRequest, token string) *governed {
	now := r.clock.Now()
	s := &governed{record: record{recordHead: recordHead{
		SchemaVersion: recordSchema, Spec: q.Spec, LeaseDurationMS: q.Lease.Milliseconds(),
		TokenHash: hashToken(token), Phase: PhaseStarting, CorrelationID: q.CorrelationID,
		Lease: Lease{
			SchemaVersion: recordSchema, LeaseID: r.newID("lease"), SessionID: q.Spec.SessionID,
			HolderID: q.HolderID, MissionID: q.MissionID, TaskID: q.TaskID,
			IssuedAt: At(now), ResourceBounds: q.Spec.ResourceBounds,
		},
	}}}
	s.extend(now)
	s.redact.learn(token)
	for _, secret := range q.Connection {
		s.redact.learn(secret)
	}
	return s
}

func (r *Runtime) started(s *governed, adapterSessionID string) (Snapshot, error) {
	if s.RevokedAt != nil {
		return Snapshot{}, ErrLeaseRevoked
	}
	s.AdapterSessionID, s.attached = &adapterSessionID, true
	if s.Phase == PhaseStarting { // else the lease lapsed meanwhile
		s.Phase = PhaseActive
	}
	if err := r.save(s); err != nil {
		s.Phase, s.RevokedAt = PhaseFailed, r.stamp()
		return Snapshot{}, err
	}
	r.tellSession(s, EventSessionStarted, "")
	return s.snapshot(), nil
}

func (r *Runtime) startFailed(s *governed) error {
	return r.change(func() error {
		s.Phase, s.RevokedAt = PhaseFailed, r.stamp()
		r.tellSession(s, EventSessionDisconnected, ReasonStartFailed)
		return r.save(s)
	})
}

func (r *Runtime) stamp() *Instant {
	now := At(r.clock.Now())
	return &now
}

// letGo asks the adapter to stop. What it answers changes nothing: the fence
// is shut or the session never began.
func (r *Runtime) letGo(s *governed, id, why string) {
	_ = r.ask(func(ctx context.Context) error { return r.adapter.Stop(ctx, id, reason(why)) })
}

// Pause keeps the body from moving. Actions under way are cancelled; the lease
// stays. Pausing what is paused changes nothing.
func (r *Runtime) Pause(token, sessionID, why string) error {
	s, err := r.find(sessionID)
	if err != nil {
		return err
	}
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		switch s.Phase {
		case PhasePaused:
			return r.save(s)
		case PhaseActive:
		default:
			return r.refuse(s, fmt.Errorf("session: cannot pause while %s", s.Phase))
		}
		s.Phase = PhasePaused
		r.cancelAll(s, "paused: "+s.redact.reason(why))
		s.fence.interrupt(errPaused)
		return r.save(s)
	})
	if err != nil {
		return err
	}
	return r.align(s, why)
}

// Resume ends a pause. Resuming what is active changes nothing.
func (r *Runtime) Resume(token, sessionID string) error {
	s, err := r.find(sessionID)
	if err != nil {
		return err
	}
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		switch s.Phase {
		case PhaseActive:
			return r.save(s)
		case PhasePaused:
		default:
			return r.refuse(s, fmt.Errorf("session: cannot resume while %s", s.Phase))
		}
		s.Phase = PhaseActive
		if err := r.save(s); err != nil {
			s.Phase = PhasePaused
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.align(s, "")
}

// Stop ends a session: the lease is revoked and that is written before the
// adapter is asked.
func (r *Runtime) Stop(token, sessionID, why string) error {
	s, err := r.find(sessionID)
	if err != nil {
		return err
	}
	err = r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		return r.revoke(s, why)
	})
	if err != nil {
		return err
	}
	s.fence.shut(errStopped)
	return r.finish(s, why)
}

// EmergencyStop ends a session at once. It needs no token and waits for no
// machine, no adapter and no other operation, but for the moment in which a
// record is written. When it returns, no frame begins any more but the few that
// the machine was asked for in one call, and the record says so. Doing it twice
// changes nothing.
func (r *Runtime) EmergencyStop(sessionID, why string) error {
	s, err := r.find(sessionID)
	if err != nil {
		return err
	}
	s.fence.shut(errStopped)
	r.lock()
	defer r.unlock()
	if s.RevokedAt != nil || r.closed {
		return nil
	}
	err = r.revoke(s, why)
	if r.closing {
		return err // the next program's Reconcile finishes it
	}
	r.background.Go(func() {
		// What a failed write means was settled in save.
		_ = r.finish(s, why)
	})
	return err
}

// revoke takes the lease away. In memory it holds whatever the disk does.
func (r *Runtime) revoke(s *governed, why string) error {
	s.RevokedAt, s.Phase = r.stamp(), PhaseStopping
	r.cancelAll(s, "stopped: "+s.redact.reason(why))
	return r.save(s)
}

// finish lets go of the body of a revoked session.
func (r *Runtime) finish(s *governed, why string) error {
	r.letGo(s, s.attachment(), why)
	r.lock()
	defer r.unlock()
	if s.Phase != PhaseStopping || r.closed {
		return nil
	}
	s.Phase, s.attached = PhaseOff, false
	r.tellSession(s, EventSessionStopped, s.redact.reason(why))
	return r.save(s)
}

// List returns a snapshot of every session, oldest first.
func (r *Runtime) List() []Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Snapshot, 0, len(r.sessions))
	for _, s := range r.sessions {
		out = append(out, s.snapshot())
	}
	slices.SortStableFunc(out, func(a, b Snapshot) int {
		return a.Lease.IssuedAt.Time().Compare(b.Lease.IssuedAt.Time())
	})
	return out
}

// Why calls that move the body are ended from outside.
var (
	errPaused  = &emu.Error{Code: emu.CodeSessionPaused, Message: "the session is paused", Retryable: true}
	errStopped = &emu.Error{Code: emu.CodeSessionStopped, Message: "the session was stopped"}
)
