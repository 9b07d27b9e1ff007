package session

import (
	"fmt"

	"clankie/emu"
)

// profileLegacy is the profile that bounds without one are read as.
const profileLegacy = "legacy_v1"

// LegacyBounds are the bounds of the first format, from before environments had
// profiles.
type LegacyBounds struct {
	Profile                  string   `json:"profile"`
	LegacyEnvironmentKind    string   `json:"legacyEnvironmentKind"`
	ServerID                 string   `json:"serverId,omitzero"`
	WorldID                  string   `json:"worldId"`
	CharacterID              string   `json:"characterId"`
	AllowedDimensions        []string `json:"allowedDimensions,omitzero"`
	MaxDistanceFromOrigin    float64  `json:"maxDistanceFromOrigin,omitzero"`
	MaxActionDurationMS      int      `json:"maxActionDurationMs"`
	MaxBlockChangesPerAction int      `json:"maxBlockChangesPerAction,omitzero"`
	Capabilities             []string `json:"capabilities"`
}

// bounds puts the fields every profile has where they are looked for.
func (l *LegacyBounds) bounds() Bounds {
	return Bounds{
		Profile: profileLegacy, WorldID: l.WorldID, CharacterID: l.CharacterID,
		MaxActionDurationMS: l.MaxActionDurationMS, Legacy: l,
	}
}

// legacyBoundsV1 are legacy bounds as the first format wrote them.
type legacyBoundsV1 struct {
	ServerID                 string   `json:"serverId,omitzero"`
	WorldID                  string   `json:"worldId"`
	CharacterID              string   `json:"characterId"`
	AllowedDimensions        []string `json:"allowedDimensions,omitzero"`
	MaxDistanceFromOrigin    float64  `json:"maxDistanceFromOrigin,omitzero"`
	MaxActionDurationMS      int      `json:"maxActionDurationMs"`
	MaxBlockChangesPerAction int      `json:"maxBlockChangesPerAction,omitzero"`
	Capabilities             []string `json:"capabilities"`
}

func (l legacyBoundsV1) bounds(kind string) Bounds {
	return (&LegacyBounds{
		Profile: profileLegacy, LegacyEnvironmentKind: kind,
		ServerID: l.ServerID, WorldID: l.WorldID, CharacterID: l.CharacterID,
		AllowedDimensions: l.AllowedDimensions, MaxDistanceFromOrigin: l.MaxDistanceFromOrigin,
		MaxActionDurationMS:      l.MaxActionDurationMS,
		MaxBlockChangesPerAction: l.MaxBlockChangesPerAction, Capabilities: l.Capabilities,
	}).bounds()
}

type specV1 struct {
	SchemaVersion      int            `json:"schemaVersion"`
	SessionID          string         `json:"sessionId"`
	EnvironmentKind    string         `json:"environmentKind"`
	CharacterID        string         `json:"characterId"`
	WorldID            string         `json:"worldId"`
	RequestedBy        Requester      `json:"requestedBy"`
	InitialGoalVersion int            `json:"initialGoalVersion"`
	ResourceBounds     legacyBoundsV1 `json:"resourceBounds"`
}

type leaseV1 struct {
	SchemaVersion  int            `json:"schemaVersion"`
	LeaseID        string         `json:"leaseId"`
	SessionID      string         `json:"sessionId"`
	HolderID       string         `json:"holderId"`
	MissionID      string         `json:"missionId,omitzero"`
	TaskID         string         `json:"taskId,omitzero"`
	IssuedAt       Instant        `json:"issuedAt"`
	HeartbeatAt    Instant        `json:"heartbeatAt"`
	ExpiresAt      Instant        `json:"expiresAt"`
	ResourceBounds legacyBoundsV1 `json:"resourceBounds"`
}

// readSpec reads a spec of either version.
func readSpec(data []byte) (Spec, error) {
	version, err := schemaVersion(data)
	if err != nil {
		return Spec{}, err
	}
	if version != 1 {
		var s Spec
		if err := emu.UnmarshalWhole(data, &s); err != nil {
			return Spec{}, err
		}
		return s, s.Validate()
	}
	var old specV1
	if err := emu.UnmarshalStrict(data, &old); err != nil {
		return Spec{}, err
	}
	s := Spec{
		SchemaVersion: recordSchema, SessionID: old.SessionID, EnvironmentKind: profileLegacy,
		CharacterID: old.CharacterID, WorldID: old.WorldID, RequestedBy: old.RequestedBy,
		InitialGoalVersion: old.InitialGoalVersion, ResourceBounds: old.ResourceBounds.bounds(old.EnvironmentKind),
	}
	return s, s.Validate()
}

// readLease reads a lease of either version, for a session of spec.
func readLease(data []byte, spec Spec) (Lease, error) {
	version, err := schemaVersion(data)
	if err != nil {
		return Lease{}, err
	}
	if version != 1 {
		var l Lease
		if err := emu.UnmarshalWhole(data, &l); err != nil {
			return Lease{}, err
		}
		return l, l.validate(spec)
	}
	if spec.ResourceBounds.Legacy == nil {
		return Lease{}, fmt.Errorf("a lease of the first format on a session of the second")
	}
	var old leaseV1
	if err := emu.UnmarshalStrict(data, &old); err != nil {
		return Lease{}, err
	}
	l := Lease{
		SchemaVersion: recordSchema, LeaseID: old.LeaseID, SessionID: old.SessionID, HolderID: old.HolderID,
		MissionID: old.MissionID, TaskID: old.TaskID,
		IssuedAt: old.IssuedAt, HeartbeatAt: old.HeartbeatAt, ExpiresAt: old.ExpiresAt,
		ResourceBounds: old.ResourceBounds.bounds(spec.ResourceBounds.Legacy.LegacyEnvironmentKind),
	}
	return l, l.validate(spec)
}
