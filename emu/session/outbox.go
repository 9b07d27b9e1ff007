package session

import (
	"sync"

	"clankie/emu"
)

// outbox hands events over in order, one at a time, and never while a lock of
// the runtime is held, so that whoever gets them may call the runtime.
type outbox struct {
	sink       func(Event)
	mu         sync.Mutex
	queue      []Event
	delivering bool
}

func (o *outbox) put(e Event) {
	if o.sink == nil {
		return
	}
	o.mu.Lock()
	o.queue = append(o.queue, e)
	o.mu.Unlock()
}

// deliver empties the queue. When somebody already does, it leaves it to them.
func (o *outbox) deliver() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.delivering {
		return
	}
	o.delivering = true
	for len(o.queue) > 0 {
		e := o.queue[0]
		o.queue = o.queue[1:]
		o.mu.Unlock()
		o.sink(e)
		o.mu.Lock()
	}
	o.delivering = false
}

// tell puts an event of a session into the outbox.
func (r *Runtime) tell(s *governed, t EventType, data EventData) {
	data.Reason = s.redact.text(data.Reason)
	r.outbox.put(Event{
		SchemaVersion: 1, Plane: "semantic", ID: r.newID("event"), Type: t,
		OccurredAt: At(r.clock.Now()), CorrelationID: s.CorrelationID,
		SessionID: s.Spec.SessionID, MissionID: s.Lease.MissionID, TaskID: s.Lease.TaskID,
		Data: data,
	})
}

// tellSession tells what became of a session, and why.
func (r *Runtime) tellSession(s *governed, t EventType, why string) {
	r.tell(s, t, EventData{
		EnvironmentKind: s.Spec.EnvironmentKind, CharacterID: s.Spec.CharacterID,
		WorldID: s.Spec.WorldID, Phase: s.Phase, Reason: why,
	})
}

// tellAction tells how an action stands.
func (r *Runtime) tellAction(s *governed, a *action, kind emu.ActionKind) {
	r.tell(s, statusEvent(a.Result.Status), EventData{
		ActionID: a.Result.ActionID, ActionKind: kind, Status: a.Result.Status,
		ErrorCode: a.Result.ErrorCode, Reason: a.Result.Reason,
	})
}
