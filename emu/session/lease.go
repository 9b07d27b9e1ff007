package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"clankie/emu"
)

// authorize checks a token and, when it holds, renews the lease for its whole
// duration: every use does. The caller saves. An expired lease lapses first.
func (r *Runtime) authorize(s *governed, token string) error {
	if !s.holds(token) {
		return ErrCapabilityRejected
	}
	s.redact.learn(token)
	if s.RevokedAt != nil || !s.Phase.OwnsBody() {
		return ErrLeaseRevoked
	}
	now := r.clock.Now()
	if s.LeaseLapse != nil || !now.Before(s.Lease.ExpiresAt.Time()) {
		expired := &LeaseExpiredError{SessionID: s.Spec.SessionID, ExpiredAt: s.Lease.ExpiresAt}
		if err := r.lapse(s); err != nil {
			return fmt.Errorf("%w (%w)", expired, err)
		}
		return expired
	}
	s.extend(now)
	return nil
}

// refuse returns err, which a call with a good token meets: it has used its lease
// all the same, and that is written.
func (r *Runtime) refuse(s *governed, err error) error {
	if failed := r.save(s); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

func (s *governed) extend(now time.Time) {
	s.Lease.HeartbeatAt = At(now)
	s.Lease.ExpiresAt = At(now.Add(time.Duration(s.LeaseDurationMS) * time.Millisecond))
}

// lapse pauses the body because the lease ran out. Doing it twice changes
// nothing. The session stays alive, and whoever else wants the body may have
// it.
func (r *Runtime) lapse(s *governed) error {
	if s.LeaseLapse != nil {
		return nil
	}
	const why = "the lease expired"
	pausing := s.Phase == PhaseActive || s.Phase == PhaseStarting
	s.LeaseLapse = &Lapse{At: At(r.clock.Now()), PausedBody: pausing}
	r.cancelAll(s, why)
	if pausing {
		s.Phase = PhasePaused
		s.fence.interrupt(errPaused)
		// What the adapter says changes nothing: nothing is dispatched any more.
		r.later(func() { _ = r.align(s, why) })
	}
	err := r.save(s)
	r.tellSession(s, EventLeaseExpired, why)
	return err
}

// Heartbeat renews the lease.
func (r *Runtime) Heartbeat(token, sessionID string) error {
	s, err := r.find(sessionID)
	if err != nil {
		return err
	}
	return r.change(func() error {
		if err := r.authorize(s, token); err != nil {
			return err
		}
		return r.save(s)
	})
}

// Renew continues a session whose lease expired, and is the only way to. The
// body moves again only if it was the lapse that paused it. It is refused when
// somebody else holds the body by now.
func (r *Runtime) Renew(token, sessionID string) error {
	s, err := r.find(sessionID)
	if err != nil {
		return err
	}
	err = r.change(func() error {
		switch {
		case !s.holds(token):
			return ErrCapabilityRejected
		case s.RevokedAt != nil || !s.Phase.OwnsBody():
			return ErrLeaseRevoked
		case r.heldByOther(s):
			return ErrBodyHeld
		}
		s.redact.learn(token)
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.attach(s, nil); err != nil {
		return err
	}
	if err := r.change(func() error { return r.renewed(s) }); err != nil {
		return err
	}
	return r.align(s, "")
}

// align tells the adapter to pause or to go on, whichever the record says
// now. Whoever changed the record calls it afterwards, so the last change wins
// whatever order the calls come in.
func (r *Runtime) align(s *governed, why string) error {
	s.aligning.Lock()
	defer s.aligning.Unlock()
	r.mu.Lock()
	phase, attached, id := s.Phase, s.attached, s.attachment()
	r.mu.Unlock()
	if !attached {
		return nil
	}
	switch phase {
	case PhasePaused:
		return r.ask(func(ctx context.Context) error { return r.adapter.Pause(ctx, id, reason(why)) })
	case PhaseActive:
		return r.ask(func(ctx context.Context) error { return r.adapter.Resume(ctx, id) })
	}
	return nil
}

// renewed writes that the lease runs again, or leaves everything as it was.
func (r *Runtime) renewed(s *governed) error {
	if s.RevokedAt != nil || !s.Phase.OwnsBody() {
		return ErrLeaseRevoked
	}
	if r.heldByOther(s) {
		return ErrBodyHeld
	}
	before := s.recordHead
	if s.LeaseLapse != nil && s.LeaseLapse.PausedBody {
		s.Phase = PhaseActive
	}
	s.LeaseLapse = nil
	s.extend(r.clock.Now())
	if err := r.save(s); err != nil {
		s.recordHead = before
		return err
	}
	r.tellSession(s, EventLeaseRenewed, "")
	return nil
}

// heldByOther reports whether another session has an unexpired claim on the
// same character in the same world.
func (r *Runtime) heldByOther(s *governed) bool {
	now := r.clock.Now()
	for _, o := range r.sessions {
		if o != s && o.Spec.CharacterID == s.Spec.CharacterID && o.Spec.WorldID == s.Spec.WorldID &&
			o.Phase.OwnsBody() && o.LeaseLapse == nil && now.Before(o.Lease.ExpiresAt.Time()) {
			return true
		}
	}
	return false
}

// attach makes sure that the adapter has the session's body.
func (r *Runtime) attach(s *governed, c Connection) error {
	r.mu.Lock()
	attached, spec, id := s.attached, s.Spec, s.attachment()
	r.mu.Unlock()
	if attached {
		return nil
	}
	found := make(chan bool, 1)
	err := r.ask(func(ctx context.Context) error {
		ok, err := r.adapter.Attach(ctx, spec, id, c)
		found <- ok
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("session: attach the body: %w", err)
	case !<-found:
		return errSessionMissing
	}
	return r.change(func() error {
		s.attached = true
		return nil
	})
}

var errSessionMissing = &emu.Error{Code: ReasonSessionMissing, Message: "the adapter no longer has this session's body"}
