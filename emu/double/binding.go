package double

import (
	"fmt"

	"clankie/emu"
)

// Binding ties a scenario to the environment it is played in.
type Binding struct {
	SchemaVersion   int         `json:"schemaVersion"` // 1
	Environment     Environment `json:"environment"`
	ScenarioID      string      `json:"scenarioId"`
	ScenarioVersion int         `json:"scenarioVersion"`
	FixtureSHA256   emu.Digest  `json:"fixtureSha256"` // of the scenario file's bytes
}

// Environment names where a scenario is played.
type Environment struct {
	SchemaVersion        int    `json:"schemaVersion"`   // 1
	EnvironmentKind      string `json:"environmentKind"` // gba_emulator
	CharacterID          string `json:"characterId"`
	WorldID              string `json:"worldId"`
	Lane                 string `json:"lane"` // gameplay
	EnvironmentSessionID string `json:"environmentSessionId,omitzero"`
}

const (
	environmentKind = "gba_emulator"
	gameplayLane    = "gameplay"
)

// Bind returns the binding of s, whose file has the digest fixture, to a
// session; sessionID may be empty.
func (s Scenario) Bind(fixture emu.Digest, sessionID string) Binding {
	return Binding{
		SchemaVersion: schemaNumber, ScenarioID: s.ScenarioID, ScenarioVersion: s.ScenarioVersion, FixtureSHA256: fixture,
		Environment: Environment{
			SchemaVersion: schemaNumber, EnvironmentKind: environmentKind, Lane: gameplayLane,
			CharacterID: s.Player.CharacterID, WorldID: s.WorldID, EnvironmentSessionID: sessionID,
		},
	}
}

// ParseBinding reads a binding strictly.
func ParseBinding(data []byte) (Binding, error) {
	var b Binding
	if err := emu.UnmarshalWhole(data, &b); err != nil {
		return Binding{}, fmt.Errorf("binding: %w", err)
	}
	e := b.Environment
	switch {
	case b.SchemaVersion != schemaNumber || e.SchemaVersion != schemaNumber:
		return Binding{}, fmt.Errorf("binding: schemaVersion: not %d", schemaNumber)
	case e.EnvironmentKind != environmentKind || e.Lane != gameplayLane:
		return Binding{}, fmt.Errorf("binding: environment: not %s in lane %s", environmentKind, gameplayLane)
	case b.ScenarioVersion < 1 || !b.FixtureSHA256.Valid():
		return Binding{}, fmt.Errorf("binding: scenarioVersion or fixtureSha256 is none")
	}
	return b, ids(map[string]string{
		"binding: scenarioId": b.ScenarioID, "binding: characterId": e.CharacterID, "binding: worldId": e.WorldID,
	})
}

// Check says in what the binding is of another scenario, or returns nil.
func (b Binding) Check(s Scenario, fixture emu.Digest) error {
	want := s.Bind(fixture, b.Environment.EnvironmentSessionID)
	if b != want {
		return fmt.Errorf("binding: of scenario %s version %d (%s) for %s in %s, not of %s version %d (%s) for %s in %s",
			b.ScenarioID, b.ScenarioVersion, b.FixtureSHA256.Short(), b.Environment.CharacterID, b.Environment.WorldID,
			want.ScenarioID, want.ScenarioVersion, want.FixtureSHA256.Short(), want.Environment.CharacterID, want.Environment.WorldID)
	}
	return nil
}
