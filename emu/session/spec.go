package session

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// recordSchema is the version that specs, leases and records are written in.
const recordSchema = 2

// Principal is who stands behind a request.
type Principal struct {
	Kind string `json:"kind"` // captain, human or system
	ID   string `json:"id"`
}

// Requester is a principal and how far it is trusted.
type Requester struct {
	Principal Principal `json:"principal"`
	Tier      string    `json:"tier"` // authenticated, ambient, autonomous or system
}

func (r Requester) validate() error {
	switch r.Principal.Kind {
	case "captain", "human", "system":
	default:
		return fmt.Errorf("principal.kind: %q is none of captain, human, system", r.Principal.Kind)
	}
	switch r.Tier {
	case "authenticated", "ambient", "autonomous", "system":
	default:
		return fmt.Errorf("tier: %q is none of authenticated, ambient, autonomous, system", r.Tier)
	}
	if !validID(r.Principal.ID) {
		return fmt.Errorf("principal.id: must have 1 to %d characters", maxID)
	}
	return nil
}

// Spec says what a session is for.
type Spec struct {
	SchemaVersion      int       `json:"schemaVersion"` // 2
	SessionID          string    `json:"sessionId"`
	EnvironmentKind    string    `json:"environmentKind"` // gba_emulator
	CharacterID        string    `json:"characterId"`
	WorldID            string    `json:"worldId"`
	RequestedBy        Requester `json:"requestedBy"`
	InitialGoalVersion int       `json:"initialGoalVersion"`
	ResourceBounds     Bounds    `json:"resourceBounds"`
}

// Validate checks the spec against its strict schema.
func (s Spec) Validate() error {
	switch {
	case s.SchemaVersion != recordSchema:
		return fmt.Errorf("schemaVersion: %d is not %d", s.SchemaVersion, recordSchema)
	case s.SessionID == "":
		return fmt.Errorf("sessionId: must not be empty")
	case s.EnvironmentKind != s.ResourceBounds.Profile:
		return fmt.Errorf("environmentKind: %q is not the profile %q of its bounds", s.EnvironmentKind, s.ResourceBounds.Profile)
	case s.CharacterID != s.ResourceBounds.CharacterID || s.WorldID != s.ResourceBounds.WorldID:
		return fmt.Errorf("characterId and worldId: not those of resourceBounds")
	case s.InitialGoalVersion < 0:
		return fmt.Errorf("initialGoalVersion: %d must not be negative", s.InitialGoalVersion)
	}
	if err := s.RequestedBy.validate(); err != nil {
		return fmt.Errorf("requestedBy: %w", err)
	}
	if err := s.ResourceBounds.Validate(); err != nil {
		return fmt.Errorf("resourceBounds: %w", err)
	}
	return nil
}

// Lease is one holder's claim on a body for a while.
type Lease struct {
	SchemaVersion  int     `json:"schemaVersion"` // 2
	LeaseID        string  `json:"leaseId"`
	SessionID      string  `json:"sessionId"`
	HolderID       string  `json:"holderId"`
	MissionID      string  `json:"missionId,omitzero"`
	TaskID         string  `json:"taskId,omitzero"`
	IssuedAt       Instant `json:"issuedAt"`
	HeartbeatAt    Instant `json:"heartbeatAt"`
	ExpiresAt      Instant `json:"expiresAt"`
	ResourceBounds Bounds  `json:"resourceBounds"`
}

func (l Lease) validate(of Spec) error {
	switch {
	case l.SchemaVersion != recordSchema:
		return fmt.Errorf("lease.schemaVersion: %d is not %d", l.SchemaVersion, recordSchema)
	case l.LeaseID == "" || l.HolderID == "":
		return fmt.Errorf("lease: leaseId and holderId must not be empty")
	case l.SessionID != of.SessionID:
		return fmt.Errorf("lease.sessionId: not the session's")
	case !l.IssuedAt.Valid() || !l.HeartbeatAt.Valid() || !l.ExpiresAt.Valid():
		return fmt.Errorf("lease: a time is no UTC time")
	case l.HeartbeatAt.Time().Before(l.IssuedAt.Time()):
		return fmt.Errorf("lease.heartbeatAt: before issuedAt")
	case !l.ExpiresAt.Time().After(l.HeartbeatAt.Time()):
		return fmt.Errorf("lease.expiresAt: not after heartbeatAt")
	}
	own, err := json.Marshal(l.ResourceBounds)
	if err != nil {
		return err
	}
	theirs, err := json.Marshal(of.ResourceBounds)
	if err != nil {
		return err
	}
	if !bytes.Equal(own, theirs) {
		return fmt.Errorf("lease.resourceBounds: not the session's")
	}
	return nil
}

// Instant is a UTC time as the wire formats write it: ISO 8601, ending in Z.
type Instant string

// At writes t as an Instant, to the millisecond.
func At(t time.Time) Instant { return Instant(emu.Moment(t)) }

// Time returns the time, or the zero time when i is not valid.
func (i Instant) Time() time.Time {
	if !strings.HasSuffix(string(i), "Z") {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, string(i))
	if err != nil {
		return time.Time{}
	}
	return t
}

// Valid reports whether i is a time in UTC.
func (i Instant) Valid() bool { return !i.Time().IsZero() }

// schemaVersion reads nothing but the version.
func schemaVersion(data []byte) (int, error) {
	var head struct {
		SchemaVersion int `json:"schemaVersion"`
	}
	if err := emu.UnmarshalPart(data, &head); err != nil {
		return 0, err
	}
	if head.SchemaVersion < 1 || head.SchemaVersion > recordSchema {
		return 0, fmt.Errorf("schemaVersion: %d is not supported", head.SchemaVersion)
	}
	return head.SchemaVersion, nil
}
