package emu

// State is what one frame's memory decodes to: the rich form that panes, the
// view of a mind and the autopilot read. The strict wire shapes of
// observations are made from it. A nil part was not read; Undecoded then says
// why. A part that is there but empty means that there is nothing there.
//
// States are values made fresh for each decode; whoever holds one owns it,
// and nobody changes one after it was handed on.
type State struct {
	Scene     Scene      `json:"scene"`
	Overworld *Overworld `json:"overworld,omitempty"`
	Party     *Party     `json:"party,omitempty"`
	Inventory *Inventory `json:"inventory,omitempty"`
	Battle    *Battle    `json:"battle,omitempty"`
	Dialog    *Dialog    `json:"dialog,omitempty"`
	Menu      *Menu      `json:"menu,omitempty"`
	Naming    *Naming    `json:"naming,omitempty"`
	Trainer   *Trainer   `json:"trainer,omitempty"`

	// Storage is the storage system while its screen is open; nil elsewhere.
	Storage *Storage `json:"storage,omitempty"`

	// Goals lists the goals of the game that its own event flags say are
	// reached, sorted; nil when the flags were not read.
	Goals []string `json:"goals,omitempty"`

	// Undecoded maps a part's name (overworld, party, inventory, battle,
	// dialog, menu, naming, trainer, map, occupants, exits) to the reason it
	// is absent, in words for people.
	Undecoded map[string]string `json:"undecoded,omitempty"`

	// Torn is true when memory was caught between two writes of the game: a
	// map half loaded, a battle half set up. The next frame, or one of the
	// next few, will decode.
	Torn bool `json:"torn,omitempty"`
}

// Mode is the scene mode of the wire format.
type Mode string

// The scene modes.
const (
	ModeUnknown    Mode = "unknown" // title, opening, undecoded game: raw input only
	ModeOverworld  Mode = "overworld"
	ModeDialog     Mode = "dialog"
	ModeMenu       Mode = "menu"
	ModeNaming     Mode = "naming"
	ModeCutscene   Mode = "cutscene"
	ModeBattle     Mode = "battle"
	ModeBattleWon  Mode = "battle_won"
	ModeBattleLost Mode = "battle_lost"
)

// Screen names the screen more finely than Mode does: copyright, intro,
// title, main_menu, new_game, overworld, dialog, battle, start_menu, bag,
// party, summary, naming, yes_no, multichoice, transition, cutscene, help,
// unknown, ...
type Screen string

// Scene says what kind of moment the frame is.
type Scene struct {
	Mode   Mode   `json:"mode"`
	Screen Screen `json:"screen"`
	// InputReady is true when the field controls are not held, or a menu or
	// battle prompt waits for a choice.
	InputReady bool `json:"inputReady"`
	// WaitingForDialogAdvance is true when a press of A or B is what the text
	// waits for.
	WaitingForDialogAdvance bool `json:"waitingForDialogAdvance"`
}

// Position is a tile. Coordinates count the 7-tile border: real tile + 7.
type Position struct {
	MapID string `json:"mapId"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
}

// Tile is one neighbouring tile.
type Tile struct {
	X          int  `json:"x"`
	Y          int  `json:"y"`
	Passable   bool `json:"passable"`
	Elevation  *int `json:"elevation"`  // 0..15, nil off the map
	MetatileID *int `json:"metatileId"` // 0..1023, nil off the map
}

// Surroundings are the four neighbours and, once more, the faced one.
type Surroundings struct {
	North Tile `json:"north"`
	East  Tile `json:"east"`
	South Tile `json:"south"`
	West  Tile `json:"west"`
	Ahead Tile `json:"ahead"`
}

// MapSize is a map's size in tiles, border-inclusive maxima excluded: the
// last real tile is at (Width+6, Height+6).
type MapSize struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Minimap is a crop of the map around the player: '@' player, 'D' warp tile,
// 'o' a person or thing that occupies its tile, '.' open, '#' blocked, in that
// order of precedence.
type Minimap struct {
	TopLeft Point    `json:"topLeft"`
	Rows    []string `json:"rows"`
}

// Point is a tile on the current map, border-inclusive.
type Point struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// Occupant is a person or thing standing on a tile.
type Occupant struct {
	LocalID    int        `json:"localId"`    // 0..255
	GraphicsID int        `json:"graphicsId"` // 0..255
	X          int        `json:"x"`
	Y          int        `json:"y"`
	Facing     *Direction `json:"facing"`
}

// Warp is a tile that leads elsewhere.
type Warp struct {
	X             int    `json:"x"`
	Y             int    `json:"y"`
	DestinationID string `json:"destination"`
	// DestinationName is the game's own name of the place; "" where not read.
	DestinationName string `json:"destinationName,omitempty"`
}

// Connection is a map edge that leads to a neighbouring map.
type Connection struct {
	Direction     Direction `json:"direction"`
	DestinationID string    `json:"destination"`
	// DestinationName is the game's own name of the place; "" where not read.
	DestinationName string `json:"destinationName,omitempty"`
	// Open lists where the edge can be crossed on foot: x of a northern or
	// southern edge, y of an eastern or western one. nil when not read.
	Open []int `json:"open,omitempty"`
}

// Exits are the ways out of a map. Both lists are non-nil.
type Exits struct {
	Warps       []Warp       `json:"warps"`
	Connections []Connection `json:"connections"`
}

// Sign is a background event that answers the A button.
type Sign struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// Overworld is the decoded field. In battle only Position and Facing are
// kept: the rest would be what the field looked like before.
type Overworld struct {
	Position Position  `json:"position"`
	Facing   Direction `json:"facing,omitempty"` // "" when the byte names none

	MapName   string `json:"mapName,omitempty"` // the game's own name of the place
	MapGroup  int    `json:"mapGroup"`
	MapNumber int    `json:"mapNumber"`

	// InputReady is true when a directional press would walk now.
	InputReady bool `json:"inputReady"`
	// Surfing is true when the player rides on water.
	Surfing bool `json:"surfing,omitempty"`
	// Underwater is true when the player dives.
	Underwater bool `json:"underwater,omitempty"`
	// Elevation is the layer the player stands on, 0..15.
	Elevation int `json:"elevation"`
	// Weather is what the field shows: none, sunny, rain, ... "" when the
	// number names none.
	Weather string `json:"weather,omitempty"`

	Grid         *Grid         `json:"-"`
	Surroundings *Surroundings `json:"surroundings,omitempty"`
	Size         *MapSize      `json:"mapSize,omitempty"`
	Minimap      *Minimap      `json:"minimap,omitempty"`
	Occupants    []Occupant    `json:"occupants"` // nil: not decoded; empty: nobody
	Exits        *Exits        `json:"exits,omitempty"`
	Signs        []Sign        `json:"signs,omitempty"`
}

// Occupied reports whether somebody other than the player stands on p.
func (o *Overworld) Occupied(p Point) bool {
	for i := range o.Occupants {
		if o.Occupants[i].X == p.X && o.Occupants[i].Y == p.Y {
			return true
		}
	}
	return false
}

// WarpAt reports whether p is the tile of a warp.
func (o *Overworld) WarpAt(p Point) bool {
	if o.Exits == nil {
		return false
	}
	for i := range o.Exits.Warps {
		if o.Exits.Warps[i].X == p.X && o.Exits.Warps[i].Y == p.Y {
			return true
		}
	}
	return false
}

// Stats are the six stats, or IVs or EVs of the six.
type Stats struct {
	HP        int `json:"hp"`
	Attack    int `json:"attack"`
	Defense   int `json:"defense"`
	Speed     int `json:"speed"`
	SpAttack  int `json:"spAttack"`
	SpDefense int `json:"spDefense"`
}

// MoveSlot is one of a creature's four move slots. ID 0 is an empty slot,
// which keeps its place.
type MoveSlot struct {
	ID     int    `json:"id"`     // 0..354
	MoveID string `json:"moveId"` // prefixed id, "" when empty
	Name   string `json:"name,omitempty"`
	Type   string `json:"type,omitempty"`
	Power  int    `json:"power"`
	PP     int    `json:"pp"`
	MaxPP  int    `json:"maxPp"`
}

// Creature is one party member with everything a pane shows. An egg shows
// nothing that gives its content away: Species is 0 and Moves are empty.
type Creature struct {
	Slot        int        `json:"slot"`    // 0..5
	Species     int        `json:"species"` // internal number, 1..411; 0 for an egg or bad egg
	SpeciesID   string     `json:"speciesId"`
	SpeciesName string     `json:"speciesName,omitempty"`
	Nickname    string     `json:"nickname"`
	Level       int        `json:"level"` // 1..100
	HP          int        `json:"hp"`
	MaxHP       int        `json:"maxHp"`
	Ailment     string     `json:"ailment,omitempty"` // sleep, poison, burn, freeze, paralysis, toxic or ""
	Types       []string   `json:"types,omitempty"`
	Moves       []MoveSlot `json:"moves"`  // four slots, or none for an egg
	Stats       Stats      `json:"stats"`  // HP is MaxHP
	IVs         Stats      `json:"ivs"`    // 0..31
	EVs         Stats      `json:"evs"`    // 0..255
	Nature      int        `json:"nature"` // personality mod 25, 0..24
	NatureName  string     `json:"natureName,omitempty"`
	AbilitySlot int        `json:"abilitySlot"` // 0 or 1
	Ability     string     `json:"ability,omitempty"`
	HeldItem    int        `json:"heldItem"`
	HeldName    string     `json:"heldItemName,omitempty"`
	Experience  int        `json:"experience"`
	ToNextLevel int        `json:"toNextLevel"` // experience missing, 0 at level 100 or not read
	Friendship  int        `json:"friendship"`  // 0..255
	Personality uint32     `json:"personality"`
	OTID        uint32     `json:"otId"`
	Egg         bool       `json:"egg,omitempty"`
	BadEgg      bool       `json:"badEgg,omitempty"`
	Shiny       bool       `json:"shiny,omitempty"`
}

// Fainted reports whether the creature cannot fight.
func (c Creature) Fainted() bool { return !c.Egg && !c.BadEgg && c.HP == 0 }

// Party is the player's party.
type Party struct {
	ActiveSlot int        `json:"activeSlot"` // 0..5
	Members    []Creature `json:"members"`
}

// Storage is what the storage system holds.
type Storage struct {
	Count        int   `json:"count"`        // creatures, damaged ones included
	BadChecksums int   `json:"badChecksums"` // damaged ones
	Current      int   `json:"current"`      // the box that opens first
	Boxes        []Box `json:"boxes"`
	// Cursor is where the cursor is while the boxes are on screen; nil
	// otherwise.
	Cursor *StorageCursor `json:"cursor,omitempty"`
}

// StorageCursor is a place on the storage screen.
type StorageCursor struct {
	Area string `json:"area"` // box, party, title, buttons
	Slot int    `json:"slot"` // box 0..29, party 0..6 with its button last, buttons 0..1
}

// Box is one box of the storage system.
type Box struct {
	Name    string   `json:"name"`
	Members []Stored `json:"members"`
}

// Stored is a creature in a box. An egg and a bad egg tell nothing of
// themselves.
type Stored struct {
	Slot        int    `json:"slot"`    // 0..29
	Species     int    `json:"species"` // 0 for an egg or bad egg
	SpeciesName string `json:"speciesName,omitempty"`
	Nickname    string `json:"nickname"`
	Level       int    `json:"level"` // 0 when not read
	Experience  int    `json:"experience"`
	Shiny       bool   `json:"shiny,omitempty"`
	Egg         bool   `json:"egg,omitempty"`
	BadEgg      bool   `json:"badEgg,omitempty"`
}

// Item is one stack in the bag.
type Item struct {
	Pocket string `json:"pocket"` // items, key-items, poke-balls, tm-hm, berries
	ID     int    `json:"id"`
	ItemID string `json:"itemId"`
	Name   string `json:"name,omitempty"`
	Count  int    `json:"count"`
}

// Inventory is the bag, in pocket order.
type Inventory struct {
	Items []Item `json:"items"`
}

// Battler is one creature in a battle.
type Battler struct {
	Index       int        `json:"index"` // 0..3
	Side        string     `json:"side"`  // player or opponent
	Slot        int        `json:"slot"`  // index into its side's party
	Species     int        `json:"species"`
	SpeciesID   string     `json:"speciesId"`
	SpeciesName string     `json:"speciesName,omitempty"`
	Nickname    string     `json:"nickname"`
	Level       int        `json:"level"`
	HP          int        `json:"hp"`
	MaxHP       int        `json:"maxHp"`
	Ailment     string     `json:"ailment,omitempty"`
	Status      uint32     `json:"status"` // the game's own status word
	TypeIDs     []int      `json:"typeIds"`
	Types       []string   `json:"types"`      // names of TypeIDs, empty when not read
	Moves       []MoveSlot `json:"moves"`      // four slots
	StatStages  [8]int     `json:"statStages"` // hp, atk, def, spe, spa, spd, accuracy, evasion; 6 is neutral
	Transformed bool       `json:"transformed,omitempty"`
	// Origin is the species that a transformed one is of; 0 when it is not
	// transformed or its party record does not hold.
	Origin     int    `json:"origin,omitempty"`
	OriginName string `json:"originName,omitempty"`
	Prompt     Prompt `json:"prompt"` // what is asked about this battler
	// Matchups say how its moves fare against each opposing battler; nil when
	// the type chart was not read.
	Matchups []Matchup `json:"matchups,omitempty"`
	// Absent is true of one that fell with nobody to take its place: its place
	// stays empty.
	Absent bool `json:"absent,omitempty"`
}

// Matchup is the type effectiveness of a battler's moves against one opponent.
type Matchup struct {
	Target int        `json:"target"` // Index of the opponent
	Moves  [4]float64 `json:"moves"`  // by slot, 0 to 4; 1 for a move without power or no move
}

// Prompt says what the battle asks of the player.
type Prompt string

// The prompts.
const (
	PromptNone   Prompt = "resolving"
	PromptAction Prompt = "action"
	PromptMove   Prompt = "move"
	PromptTarget Prompt = "target"
)

// LegalMove is a move with PP left, as the wire's legalMoves list it, with
// what the autopilot needs to choose.
type LegalMove struct {
	Slot          int     // 0..3, the place in the move menu
	MoveID        string  // prefixed id
	Power         int     // 0..999
	Type          string  // type name
	Accuracy      int     // percent; 0 never misses
	Effectiveness float64 // against the first opponent; 1 when not known
	STAB          bool    // same type as its user
}

// Battle is a battle in progress or, with Outcome not 0, one that ended and is
// still on screen.
type Battle struct {
	Kind            string      `json:"kind"` // wild, trainer, two trainers, double, multi, link, safari, tutorial
	TypeFlags       uint32      `json:"typeFlags"`
	Outcome         int         `json:"outcome"` // gBattleOutcome without the link bit
	Prompt          Prompt      `json:"prompt"`
	PromptIndex     int         `json:"-"` // index of the player's place that Prompt is about; nobody stands there in the Safari Zone
	ActivePartySlot int         `json:"activePartySlot"`
	ActionCursor    int         `json:"actionCursor"` // 0 fight, 1 bag, 2 party, 3 run
	MoveCursor      int         `json:"moveCursor"`
	Battlers        []Battler   `json:"battlers"`
	LegalMoves      []LegalMove `json:"legalMoves"`
	TrainerID       int         `json:"trainerId,omitempty"`
	TrainerName     string      `json:"trainerName,omitempty"` // class and name, "" where not read
	// The second of two trainers; 0 and "" where there is none.
	SecondTrainerID   int    `json:"secondTrainerId,omitempty"`
	SecondTrainerName string `json:"secondTrainerName,omitempty"`

	Text []string `json:"text,omitempty"` // the line on screen while resolving

	// ID and Turn are bookkeeping of the body, not decoded: the battle's
	// sequence within the sitting, and how often its HP picture changed.
	ID   string `json:"id,omitempty"`
	Turn int    `json:"turn,omitempty"`
}

// Asked returns the player's battler that the battle is about: the one that
// something is asked about, else the first; nil when he has none.
func (b *Battle) Asked() *Battler {
	for i := range b.Battlers {
		if b.Battlers[i].Prompt != PromptNone && b.Battlers[i].Prompt != "" {
			return &b.Battlers[i]
		}
	}
	return b.Own()
}

// Opponent returns the first opposing battler that still stands, else the first
// one, or nil.
func (b *Battle) Opponent() *Battler { return b.first("opponent") }

// Own returns the player's first battler that still stands, else the first one,
// or nil.
func (b *Battle) Own() *Battler { return b.first("player") }

func (b *Battle) first(side string) (first *Battler) {
	for i := range b.Battlers {
		m := &b.Battlers[i]
		switch {
		case m.Side != side:
		case !m.Absent:
			return m
		case first == nil:
			first = m
		}
	}
	return first
}

// Dialog is an open message box.
type Dialog struct {
	// Lines are at most 8 of at most 512 characters: the box's text, of a longer
	// one the page on screen and what fits after it.
	Lines   []string `json:"lines"`
	Text    []string `json:"-"` // all lines of the box's text
	Waiting bool     `json:"waiting"`
	// Printing is true while letters still appear.
	Printing bool `json:"printing,omitempty"`
	// Progress moves while text is being printed: the printer's current
	// character pointer. It says whether a press did anything.
	Progress uint32 `json:"progress"`
}

// MenuEntry is one line of a menu.
type MenuEntry struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Menu is an open menu. Cursor indexes Entries.
type Menu struct {
	ID      string      `json:"menuId"`
	Cursor  int         `json:"cursor"`
	Entries []MenuEntry `json:"entries"`
	// Columns is how many entries stand side by side, row by row; 0 where they
	// stand one below the other.
	Columns int `json:"columns,omitempty"`
	// Prompt is the question above the menu; nil when there is none.
	Prompt []string `json:"prompt,omitempty"`
}

// Naming is an open naming screen.
type Naming struct {
	Text     string `json:"text"`     // typed so far, blanks kept
	Page     string `json:"page"`     // upper, lower or symbols
	Column   int    `json:"column"`   // cursor column
	Row      int    `json:"row"`      // cursor row 0..3
	Template int    `json:"template"` // 0 player, 1 box, 2 caught, 3 nickname, 4 rival
	Limit    int    `json:"limit"`    // most characters the screen takes; 0 when not known
	Loading  bool   `json:"loading"`  // true before the keyboard answers
}

// Trainer is the player's own card.
type Trainer struct {
	Name      string   `json:"name"`
	Gender    int      `json:"gender"`   // 0 boy, 1 girl
	PublicID  int      `json:"publicId"` // 0..65535
	SecretID  int      `json:"secretId"` // 0..65535
	Money     int      `json:"money"`    // 0..999999 in a game that was not tampered with, 32 bits at most
	Coins     int      `json:"coins"`    // 0..9999 likewise, 16 bits at most
	Badges    [8]bool  `json:"badges"`
	PlayTime  PlayTime `json:"playTime"`
	DexOwned  int      `json:"dexOwned"` // 0..386
	DexSeen   int      `json:"dexSeen"`  // 0..386
	RivalName string   `json:"rivalName,omitempty"`
}

// PlayTime is the game's own clock of play.
type PlayTime struct {
	Hours   int `json:"hours"`   // 0..999, 16 bits at most
	Minutes int `json:"minutes"` // 0..59, 8 bits at most
	Seconds int `json:"seconds"` // 0..59, 8 bits at most
}
