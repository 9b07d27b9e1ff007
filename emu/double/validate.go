package double

import (
	"fmt"

	"clankie/emu"
)

// Bounds of the scenario schema.
const (
	maxID        = 128
	maxBlocked   = 256
	maxSteps     = 256 // evidence events and decisions
	maxMapSide   = 1024
	maxParty     = 6
	maxMoves     = 4
	maxPower     = 999
	maxHP        = 9999
	maxLines     = 8
	maxLine      = 512
	maxDistance  = 16
	wonBattle    = "won"
	schemaNumber = 1
)

// Validate checks the scenario against its schema and holds its parts
// together.
func (s Scenario) Validate() error {
	if s.SchemaVersion != schemaNumber {
		return fmt.Errorf("schemaVersion: %d is not %d", s.SchemaVersion, schemaNumber)
	}
	checks := []error{
		ids(map[string]string{"scenarioId": s.ScenarioID, "coreId": s.CoreID, "savestateId": s.SavestateID, "worldId": s.WorldID}),
		inRange("scenarioVersion", s.ScenarioVersion, 1, 1<<31-1),
		inRange("maxEvidenceEvents", s.MaxEvidenceEvents, 1, maxSteps),
		inRange("maxDecisions", s.MaxDecisions, 1, maxSteps),
		s.Map.validate(),
		s.Player.validate(),
		s.Trainer.validate(),
		inRange("expected.minimumDecisions", s.Expected.MinimumDecisions, 1, maxSteps),
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	if want := StateDigest(s.SavestateID); s.SavestateSHA256 != want {
		return fmt.Errorf("savestateSha256: of %q it is %s", s.SavestateID, want)
	}
	if s.Expected.BattleResult != wonBattle {
		return fmt.Errorf("expected.battleResult: %q is not %q", s.Expected.BattleResult, wonBattle)
	}
	return s.fitsTogether()
}

func (s Scenario) fitsTogether() error {
	for name, at := range map[string]emu.Point{
		"player.start": s.Player.Start, "trainer.position": s.Trainer.Position, "targetLocation": s.TargetLocation,
	} {
		if !s.Map.has(at) {
			return fmt.Errorf("%s: (%d, %d) is not on the map", name, at.X, at.Y)
		}
	}
	if d := distance(s.TargetLocation, s.Trainer.Position); d > s.Trainer.InteractionDistance {
		return fmt.Errorf("targetLocation: %s from the trainer, who answers within %d", emu.Count(d, "tile"), s.Trainer.InteractionDistance)
	}
	return nil
}

func (m Map) validate() error {
	if err := ids(map[string]string{"map.mapId": m.MapID}); err != nil {
		return err
	}
	if err := inRange("map.width", m.Width, 1, maxMapSide); err != nil {
		return err
	}
	if err := inRange("map.height", m.Height, 1, maxMapSide); err != nil {
		return err
	}
	return inRange("map.blocked length", len(m.Blocked), 0, maxBlocked)
}

func (m Map) has(p emu.Point) bool {
	return p.X >= 0 && p.Y >= 0 && p.X < m.Width && p.Y < m.Height
}

func (p Player) validate() error {
	if err := ids(map[string]string{"player.characterId": p.CharacterID}); err != nil {
		return err
	}
	if err := inRange("player.party length", len(p.Party), 1, maxParty); err != nil {
		return err
	}
	taken := map[int]bool{}
	for _, m := range p.Party {
		if taken[m.Slot] {
			return fmt.Errorf("player.party: slot %d twice", m.Slot)
		}
		taken[m.Slot] = true
		if err := m.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (m Member) validate() error {
	if err := inRange("party.slot", m.Slot, 0, maxParty-1); err != nil {
		return err
	}
	if err := creature("party", m.SpeciesID, m.Level, m.MaxHP); err != nil {
		return err
	}
	if err := inRange("party.moves length", len(m.Moves), 1, maxMoves); err != nil {
		return err
	}
	for _, move := range m.Moves {
		if err := ids(map[string]string{"moveId": move.MoveID}); err != nil {
			return err
		}
		if err := inRange("power", move.Power, 1, maxPower); err != nil {
			return err
		}
	}
	return nil
}

func (t Trainer) validate() error {
	if err := ids(map[string]string{"trainer.trainerId": t.TrainerID}); err != nil {
		return err
	}
	if err := inRange("trainer.interactionDistance", t.InteractionDistance, 1, maxDistance); err != nil {
		return err
	}
	if err := inRange("trainer.dialog length", len(t.Dialog), 1, maxLines); err != nil {
		return err
	}
	for _, line := range t.Dialog {
		if err := inRange("trainer.dialog line length", emu.Length(line), 1, maxLine); err != nil {
			return err
		}
	}
	if err := creature("trainer.opponent", t.Opponent.SpeciesID, t.Opponent.Level, t.Opponent.MaxHP); err != nil {
		return err
	}
	return inRange("trainer.opponent.retaliationDamage", t.Opponent.RetaliationDamage, 0, maxHP)
}

func creature(where, speciesID string, level, hp int) error {
	if err := ids(map[string]string{where + ".speciesId": speciesID}); err != nil {
		return err
	}
	if err := inRange(where+".level", level, 1, 100); err != nil {
		return err
	}
	return inRange(where+".maxHp", hp, 1, maxHP)
}

func ids(named map[string]string) error {
	for name, id := range named {
		if err := inRange(name+" length", emu.Length(id), 1, maxID); err != nil {
			return err
		}
	}
	return nil
}

func inRange(name string, v, low, high int) error {
	if v < low || v > high {
		return fmt.Errorf("%s: %d must be %d to %d", name, v, low, high)
	}
	return nil
}

func distance(a, b emu.Point) int { return max(a.X-b.X, b.X-a.X) + max(a.Y-b.Y, b.Y-a.Y) }
