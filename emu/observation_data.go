package emu

import "github.com/go-json-experiment/json"

// Bounds of the observations' fields.
const (
	maxID            = 128
	maxLabel         = 256
	maxSummary       = 1024
	maxCoordinate    = 65535
	maxMapSide       = 1024
	maxMinimapRows   = 32
	maxMinimapColumn = 64
	maxOccupants     = 31
	maxWarps         = 32
	maxConnections   = 8
	maxPartyMembers  = 6
	maxHP            = 9999
	maxItems         = 186
	maxItemCount     = 999
	maxTurn          = 10000
	maxLegalMoves    = 4
	maxPower         = 999
	maxDialogLines   = 8
	maxDialogLine    = 512
	menuWindow       = 16 // entries an observation of a menu lists at most
	menuWindowAbove  = 7  // entries listed above the cursor where there are so many
	maxMenuCursor    = 63
)

// Nullish is a member that the wire format tells apart three ways: absent
// (not read), null (read, and nothing is there) and a value.
type Nullish[T any] struct {
	Present bool
	Value   *T // nil writes null
}

// IsZero reports whether the member is absent; the tag omitzero asks it.
func (n Nullish[T]) IsZero() bool { return !n.Present }

// MarshalJSON writes null or the value.
func (n Nullish[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON reads null or a value.
func (n *Nullish[T]) UnmarshalJSON(data []byte) error {
	n.Present = true
	return UnmarshalStrict(data, &n.Value)
}

// OverworldData is the field around the player. A member that was not read
// is absent; an empty list means that nothing is there; minimap is null when
// the map was read and the player stands outside it.
type OverworldData struct {
	Position       Position         `json:"position"`
	Facing         Direction        `json:"facing"`
	Surroundings   *Surroundings    `json:"surroundings,omitzero"`
	MapSize        *MapSize         `json:"mapSize,omitzero"`
	Minimap        Nullish[Minimap] `json:"minimap,omitzero"`
	Occupants      []Occupant       `json:"occupants,omitzero"`
	Exits          *ExitsData       `json:"exits,omitzero"`
	RAMStateSHA256 Digest           `json:"ramStateSha256"`
}

// ExitsData are the ways out of the map.
type ExitsData struct {
	Warps       []WarpData       `json:"warps"`
	Connections []ConnectionData `json:"connections"`
}

// ConnectionData is a map edge that leads to a neighbouring map.
type ConnectionData struct {
	Direction   Direction `json:"direction"`
	Destination string    `json:"destination"`
}

// WarpData is a tile that leads elsewhere. WalkTo says whether walk_to takes
// it, where the map's tiles tell: supported or unsupported.
type WarpData struct {
	X           int    `json:"x"`
	Y           int    `json:"y"`
	Destination string `json:"destination"`
	WalkTo      string `json:"walkTo,omitzero"`
}

// MenuData is an open menu: at most 16 of its entries, with Cursor counted
// within them.
type MenuData struct {
	MenuID    string      `json:"menuId"`
	Cursor    int         `json:"cursor"`
	Entries   []MenuEntry `json:"entries"`
	Untrusted bool        `json:"untrusted"` // always true: the text is the game's
}

// PartyData is the party as far as the strict shape can tell it: eggs and bad
// eggs have no species to tell and are left out, and their slots with them.
type PartyData struct {
	ActiveSlot int           `json:"activeSlot"`
	Members    []PartyMember `json:"members"`
}

// PartyMember is one creature of the party.
type PartyMember struct {
	Slot      int    `json:"slot"`
	SpeciesID string `json:"speciesId"`
	Level     int    `json:"level"`
	CurrentHP int    `json:"currentHp"`
	MaxHP     int    `json:"maxHp"`
	Status    string `json:"status"` // healthy or fainted
}

// InventoryData is the bag.
type InventoryData struct {
	Items []InventoryItem `json:"items"`
}

// InventoryItem is one stack in the bag.
type InventoryItem struct {
	Pocket string `json:"pocket"`
	ItemID string `json:"itemId"`
	Count  int    `json:"count"`
}

// BattlePhase is how far a battle is.
type BattlePhase string

// The phases.
const (
	PhaseAwaitingInput BattlePhase = "awaiting_input"
	PhaseResolving     BattlePhase = "resolving"
	PhaseWon           BattlePhase = "won"
	PhaseLost          BattlePhase = "lost"
)

// BattleData is a battle that is on, or that ended and is still on screen.
type BattleData struct {
	BattleID        string         `json:"battleId"`
	Turn            int            `json:"turn"`
	Phase           BattlePhase    `json:"phase"`
	Opponent        BattleOpponent `json:"opponent"`
	ActivePartySlot int            `json:"activePartySlot"`
	MoveCursor      int            `json:"moveCursor"` // the move menu's slot, not an index of LegalMoves
	LegalMoves      []BattleMove   `json:"legalMoves"` // moves with PP left
	Untrusted       bool           `json:"untrusted"`  // always true
}

// BattleOpponent is the first opposing creature.
type BattleOpponent struct {
	SpeciesID string `json:"speciesId"`
	Level     int    `json:"level"`
	CurrentHP int    `json:"currentHp"`
	MaxHP     int    `json:"maxHp"`
}

// BattleMove is a move that can be chosen.
type BattleMove struct {
	MoveID string `json:"moveId"`
	Power  int    `json:"power"`
}

// DialogData is an open message box.
type DialogData struct {
	Speaker   string   `json:"speaker"`
	Lines     []string `json:"lines"`
	LineIndex int      `json:"lineIndex"`
	Untrusted bool     `json:"untrusted"` // always true
}

// SceneData says what kind of moment the frame is.
type SceneData struct {
	Mode                    Mode `json:"mode"`
	InputReady              bool `json:"inputReady"`
	WaitingForDialogAdvance bool `json:"waitingForDialogAdvance"`
}

// FrameReferenceData points to the frame by its digests.
type FrameReferenceData struct {
	ArtifactID        string `json:"artifactId"`
	URI               string `json:"uri"`
	FramebufferSHA256 Digest `json:"framebufferSha256"`
	RAMStateSHA256    Digest `json:"ramStateSha256"`
	Summary           string `json:"summary"`
}

// DangerData says whether the session's evidence still holds. It says nothing
// about the game.
type DangerData struct {
	Severity     string `json:"severity"` // low, medium, high, critical
	Code         string `json:"code"`     // uncertain_state, desync_detected, input_bound, policy_boundary
	Summary      string `json:"summary"`
	StateCertain bool   `json:"stateCertain"`
}

// ActionData is how an action stands.
type ActionData struct {
	ActionID string       `json:"actionId"`
	Status   ActionStatus `json:"status"`
	Summary  string       `json:"summary"`
}
