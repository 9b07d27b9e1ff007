package session

import (
	"errors"
	"slices"

	"clankie/emu"
)

// Sweep lets leases and actions expire whose time has passed, and drops the
// records of sessions that ended long ago. Nothing calls it by itself but
// [Runtime.Start].
func (r *Runtime) Sweep() error {
	return r.change(func() error {
		now := r.clock.Now()
		var failed error
		for _, s := range r.sessions {
			if !s.Phase.OwnsBody() || s.RevokedAt != nil {
				continue
			}
			switch overdue := r.endOverdue(s); {
			case s.LeaseLapse == nil && !now.Before(s.Lease.ExpiresAt.Time()):
				failed = errors.Join(failed, r.lapse(s))
			case overdue:
				failed = errors.Join(failed, r.save(s))
			}
		}
		return errors.Join(failed, r.prune())
	})
}

// prune drops the oldest ended sessions beyond what retention keeps.
func (r *Runtime) prune() error {
	most := r.retention.MaxEndedSessionRecords
	if most <= 0 {
		return nil
	}
	var ended []*governed
	for _, s := range r.sessions {
		if !s.Phase.OwnsBody() && len(s.flights) == 0 {
			ended = append(ended, s)
		}
	}
	slices.SortStableFunc(ended, func(a, b *governed) int {
		return a.Lease.IssuedAt.Time().Compare(b.Lease.IssuedAt.Time())
	})
	var failed error
	for len(ended) > most {
		if err := r.store.remove(ended[0].Spec.SessionID); err != nil {
			failed = errors.Join(failed, err)
		} else {
			r.forget(ended[0])
		}
		ended = ended[1:]
	}
	return failed
}

// Reconciliation is what became of a live session of an earlier program.
type Reconciliation string

// What Reconcile can find.
const (
	ReconciledRetained Reconciliation = "retained" // this program has its body
	ReconciledAttached Reconciliation = "attached" // the adapter found its body
	ReconciledExpired  Reconciliation = "expired"  // its lease ran out; it is paused
	ReconciledFailed   Reconciliation = "failed"   // its body is gone
	ReconciledStopped  Reconciliation = "stopped"  // it was being stopped, and is
)

// Reconcile takes up the sessions that an earlier program left live.
// connections are by session id. An action that was under way then is failed
// with uncertain_state: it may have run, so it must not run again.
func (r *Runtime) Reconcile(connections map[string]Connection) (map[string]Reconciliation, error) {
	found := map[string]Reconciliation{}
	var failed error
	for _, s := range r.live() {
		what, err := r.reconcile(s, connections[s.Spec.SessionID])
		found[s.Spec.SessionID] = what
		failed = errors.Join(failed, err)
	}
	return found, failed
}

func (r *Runtime) live() []*governed {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*governed
	for _, s := range r.sessions {
		if s.Phase.OwnsBody() {
			out = append(out, s)
		}
	}
	return out
}

func (r *Runtime) reconcile(s *governed, c Connection) (Reconciliation, error) {
	r.mu.Lock()
	attached, revoked := s.attached, s.RevokedAt != nil
	expired := s.LeaseLapse != nil || !r.clock.Now().Before(s.Lease.ExpiresAt.Time())
	for _, secret := range c {
		s.redact.learn(secret)
	}
	r.mu.Unlock()
	if err := r.change(func() error { return r.settleOrphans(s) }); err != nil {
		return ReconciledFailed, err
	}
	if revoked {
		return ReconciledStopped, r.finishStopping(s)
	}
	attachErr := r.attach(s, c)
	switch {
	case expired:
		// Whether or not its body is there, the session lives: Renew asks again.
		if err := r.change(func() error { return r.lapse(s) }); err != nil {
			return ReconciledExpired, err
		}
		return ReconciledExpired, r.align(s, "the lease expired")
	case attached:
		return ReconciledRetained, nil
	case attachErr != nil:
		return ReconciledFailed, r.change(func() error { return r.missing(s) })
	}
	if err := r.change(func() error { return r.reattached(s) }); err != nil {
		return ReconciledAttached, err
	}
	return ReconciledAttached, r.align(s, "it was paused before")
}

// finishStopping ends a session whose program was killed while it stopped it.
func (r *Runtime) finishStopping(s *governed) error {
	s.fence.shut(errStopped)
	if err := r.attach(s, nil); err == nil {
		return r.finish(s, "stopped")
	}
	return r.change(func() error {
		s.Phase = PhaseOff
		r.tellSession(s, EventSessionStopped, "stopped")
		return r.save(s)
	})
}

// settleOrphans ends the actions that nobody here is executing.
func (r *Runtime) settleOrphans(s *governed) error {
	settled := false
	for _, a := range s.actions.order {
		if a.Result.Status.Terminal() || s.flight(a.Result.ActionID) != nil {
			continue
		}
		a.Result.fail(errOrphan, &s.redact)
		a.Result.UpdatedAt = At(r.clock.Now())
		r.tellAction(s, a, "")
		settled = true
	}
	if !settled {
		return nil
	}
	return r.save(s)
}

var errOrphan = &emu.Error{
	Code:    emu.CodeUncertainState,
	Message: "the program ended while this action was under way; it may have run",
}

func (r *Runtime) missing(s *governed) error {
	s.Phase, s.RevokedAt = PhaseFailed, r.stamp()
	s.fence.shut(errStopped)
	r.tellSession(s, EventSessionDisconnected, ReasonSessionMissing)
	return r.save(s)
}

// reattached completes a start that was cut off after the adapter had given
// the body.
func (r *Runtime) reattached(s *governed) error {
	if s.Phase != PhaseStarting {
		return nil
	}
	s.Phase = PhaseActive
	r.tellSession(s, EventSessionStarted, "")
	return r.save(s)
}
