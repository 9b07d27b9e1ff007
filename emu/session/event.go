package session

import (
	"fmt"

	"clankie/emu"
)

// EventType names a semantic event.
type EventType string

// The events of sessions, actions and goals.
const (
	EventSessionStarted      EventType = "environment.session.started"
	EventSessionStopped      EventType = "environment.session.stopped"
	EventSessionDisconnected EventType = "environment.session.disconnected"
	EventLeaseExpired        EventType = "environment.session.lease_expired"
	EventLeaseRenewed        EventType = "environment.session.lease_renewed"

	EventActionRequested EventType = "environment.action.requested"
	EventActionStarted   EventType = "environment.action.started"
	EventActionCompleted EventType = "environment.action.completed"
	EventActionCancelled EventType = "environment.action.cancelled"
	EventActionFailed    EventType = "environment.action.failed"

	EventGoalVerified EventType = "environment.goal.verified"
	EventGoalFailed   EventType = "environment.goal.failed"
)

// Reasons of a disconnected session.
const (
	ReasonStartFailed    = "adapter_start_failed"
	ReasonSessionMissing = "adapter_session_missing"
)

// Event is something that happened, told so that it can be understood without
// the state it happened in.
type Event struct {
	SchemaVersion int       `json:"schemaVersion"` // 1
	Plane         string    `json:"plane"`         // semantic
	ID            string    `json:"id"`
	Type          EventType `json:"type"`
	OccurredAt    Instant   `json:"occurredAt"`
	CorrelationID string    `json:"correlationId"`
	CausationID   string    `json:"causationId,omitzero"`
	SessionID     string    `json:"sessionId,omitzero"`
	MissionID     string    `json:"missionId,omitzero"`
	TaskID        string    `json:"taskId,omitzero"`
	Data          EventData `json:"data"`
}

// EventData is what an event tells. Which members it has follows from the
// event's type; ParseEvent refuses others.
type EventData struct {
	// Of a session.
	EnvironmentKind string `json:"environmentKind,omitzero"`
	CharacterID     string `json:"characterId,omitzero"`
	WorldID         string `json:"worldId,omitzero"`
	Phase           Phase  `json:"phase,omitzero"`

	// Of an action.
	ActionID   string         `json:"actionId,omitzero"`
	ActionKind emu.ActionKind `json:"actionKind,omitzero"`
	Status     Status         `json:"status,omitzero"`
	ErrorCode  string         `json:"errorCode,omitzero"`

	// Of a goal.
	GoalID  string `json:"goalId,omitzero"`
	Summary string `json:"summary,omitzero"`

	// Why, where there is a why.
	Reason string `json:"reason,omitzero"`
}

// Validate checks the event against its strict schema.
func (e Event) Validate() error {
	switch {
	case e.SchemaVersion != 1:
		return fmt.Errorf("event: schemaVersion: %d is not 1", e.SchemaVersion)
	case e.Plane != "semantic":
		return fmt.Errorf("event: plane: %q is not semantic", e.Plane)
	case e.ID == "" || e.CorrelationID == "":
		return fmt.Errorf("event: id and correlationId must not be empty")
	case !e.OccurredAt.Valid():
		return fmt.Errorf("event: occurredAt: no UTC time")
	}
	return e.Data.validate(e.Type)
}

func (d EventData) validate(t EventType) error {
	session := d.EnvironmentKind != "" || d.CharacterID != "" || d.WorldID != "" || d.Phase != ""
	action := d.ActionID != "" || d.ActionKind != "" || d.Status != "" || d.ErrorCode != ""
	goal := d.GoalID != "" || d.Summary != ""
	var fits bool
	switch t {
	case EventSessionStarted, EventSessionStopped, EventSessionDisconnected, EventLeaseExpired, EventLeaseRenewed:
		fits = d.CharacterID != "" && d.WorldID != "" && d.Phase.valid() && !action && !goal
	case EventActionRequested, EventActionStarted, EventActionCompleted, EventActionCancelled, EventActionFailed:
		fits = validID(d.ActionID) && d.Status != "" && !session && !goal
	case EventGoalVerified, EventGoalFailed:
		fits = d.GoalID != "" && !session && !action
	default:
		return fmt.Errorf("event: type: %q is none", t)
	}
	if !fits {
		return fmt.Errorf("event: data: not the members of %s", t)
	}
	return nil
}

// ParseEvent reads an event strictly.
func ParseEvent(data []byte) (Event, error) {
	var e Event
	if err := emu.UnmarshalStrict(data, &e); err != nil {
		return Event{}, fmt.Errorf("event: %w", err)
	}
	return e, e.Validate()
}

// statusEvent is the event that tells that an action reached a status.
func statusEvent(s Status) EventType {
	switch s {
	case StatusQueued:
		return EventActionRequested
	case StatusRunning:
		return EventActionStarted
	case StatusCompleted:
		return EventActionCompleted
	case StatusCancelled:
		return EventActionCancelled
	}
	return EventActionFailed
}
