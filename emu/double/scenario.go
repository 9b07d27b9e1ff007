package double

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"clankie/emu"
)

// Scenario is a frozen scenario of the double, schema version 1.
type Scenario struct {
	SchemaVersion     int         `json:"schemaVersion"`
	ScenarioID        string      `json:"scenarioId"`
	ScenarioVersion   int         `json:"scenarioVersion"`
	CoreID            string      `json:"coreId"`
	SavestateID       string      `json:"savestateId"`
	SavestateSHA256   emu.Digest  `json:"savestateSha256"` // StateDigest(SavestateID)
	RNGSeed           uint32      `json:"rngSeed"`
	WorldID           string      `json:"worldId"`
	MaxEvidenceEvents int         `json:"maxEvidenceEvents"`
	MaxDecisions      int         `json:"maxDecisions"`
	Map               Map         `json:"map"`
	Player            Player      `json:"player"`
	Trainer           Trainer     `json:"trainer"`
	TargetLocation    emu.Point   `json:"targetLocation"`
	Expected          Expectation `json:"expected"`
}

// Map is the one map.
type Map struct {
	MapID   string      `json:"mapId"`
	Width   int         `json:"width"`
	Height  int         `json:"height"`
	Blocked []emu.Point `json:"blocked"`
}

// Player is who is played.
type Player struct {
	CharacterID string    `json:"characterId"`
	Start       emu.Point `json:"start"`
	Party       []Member  `json:"party"`
}

// Member is one creature of the player's.
type Member struct {
	Slot      int    `json:"slot"`
	SpeciesID string `json:"speciesId"`
	Level     int    `json:"level"`
	MaxHP     int    `json:"maxHp"`
	Moves     []Move `json:"moves"`
}

// Move is one thing a creature can do.
type Move struct {
	MoveID string `json:"moveId"`
	Power  int    `json:"power"`
}

// Trainer is who is met.
type Trainer struct {
	TrainerID           string    `json:"trainerId"`
	Position            emu.Point `json:"position"`
	InteractionDistance int       `json:"interactionDistance"`
	Dialog              []string  `json:"dialog"`
	Opponent            Opponent  `json:"opponent"`
}

// Opponent is the trainer's creature.
type Opponent struct {
	SpeciesID         string `json:"speciesId"`
	Level             int    `json:"level"`
	MaxHP             int    `json:"maxHp"`
	RetaliationDamage int    `json:"retaliationDamage"`
}

// Expectation is what a run of the scenario must come to.
type Expectation struct {
	BattleResult     string `json:"battleResult"` // won
	MinimumDecisions int    `json:"minimumDecisions"`
}

// StateDigest is the digest of the state that a savestate id stands for: the
// double has no bytes to hash.
func StateDigest(savestateID string) emu.Digest {
	return emu.DigestOf([]byte("clankie-gba-core-double:" + savestateID))
}

// ParseScenario reads a scenario strictly.
func ParseScenario(data []byte) (Scenario, error) {
	var s Scenario
	if err := emu.UnmarshalWhole(data, &s); err != nil {
		return Scenario{}, fmt.Errorf("scenario: %w", err)
	}
	if err := s.Validate(); err != nil {
		return Scenario{}, fmt.Errorf("scenario: %w", err)
	}
	return s, nil
}

// Names of a scenario's files.
const (
	scenarioFile = "scenario.json"
	sidecarFile  = "scenario.sha256"
)

// Load reads a scenario and its sidecar from a folder, and returns the digest
// of the scenario's bytes. There is no scenario to fall back on: what is
// missing or does not match is an error that names its file.
func Load(files fs.FS, folder string) (Scenario, emu.Digest, error) {
	name := path.Join(folder, scenarioFile)
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return Scenario{}, "", fmt.Errorf("double: %w", err)
	}
	digest := emu.DigestOf(data)
	sidecar := path.Join(folder, sidecarFile)
	pinned, err := fs.ReadFile(files, sidecar)
	if err != nil {
		return Scenario{}, "", fmt.Errorf("double: %w", err)
	}
	if strings.TrimSuffix(string(pinned), "\n") != string(digest)+"  "+scenarioFile {
		return Scenario{}, "", fmt.Errorf("double: %s does not pin %s, whose digest is %s", sidecar, name, digest)
	}
	s, err := ParseScenario(data)
	if err != nil {
		return Scenario{}, "", fmt.Errorf("double: %s: %w", name, err)
	}
	return s, digest, nil
}
