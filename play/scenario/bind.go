package scenario

import (
	"fmt"

	"clankie/emu"
	"clankie/emu/double"
)

// Bind returns the binding of a session to whatever scenario booted its body:
// a fixture, an operator's own, the double's, or the scenario of a save, which
// pins the save's state. The digest of the scenario's bytes covers what it
// pins.
func Bind(info emu.BodyInfo, sessionID string) double.Binding {
	return double.Scenario{
		ScenarioID: info.ScenarioID, ScenarioVersion: info.ScenarioVersion,
		Player: double.Player{CharacterID: info.CharacterID}, WorldID: info.WorldID,
	}.Bind(info.FixtureSHA256, sessionID)
}

// CheckBinding says in what a session is bound to another scenario than the
// plan, or returns nil.
func (p Plan) CheckBinding(b double.Binding) error {
	want := p.bind(b.Environment.EnvironmentSessionID)
	if b != want {
		return fmt.Errorf("scenario: the session is bound to %s version %d (%s) as %s in %s, not to %s version %d (%s) as %s in %s",
			emu.Clean(b.ScenarioID), b.ScenarioVersion, b.FixtureSHA256.Short(), emu.Clean(b.Environment.CharacterID), emu.Clean(b.Environment.WorldID),
			want.ScenarioID, want.ScenarioVersion, want.FixtureSHA256.Short(), want.Environment.CharacterID, want.Environment.WorldID)
	}
	return nil
}

// bind returns the binding that a session of the plan must have.
func (p Plan) bind(sessionID string) double.Binding {
	h := p.pins()
	return Bind(emu.BodyInfo{
		ScenarioID: h.ScenarioID, ScenarioVersion: h.ScenarioVersion, FixtureSHA256: h.FixtureSHA256,
		CharacterID: h.character, WorldID: h.world,
	}, sessionID)
}
