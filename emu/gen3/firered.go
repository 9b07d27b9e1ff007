package gen3

import (
	"slices"

	"clankie/emu"
)

// fireRedRAM holds for FireRed and LeafGreen (USA), rev 0 and rev 1 alike.
var fireRedRAM = RAM{
	SaveBlock1Ptr: 0x03005008, SaveBlock2Ptr: 0x0300500C, StoragePtr: 0x03005010,

	PlayerParty: 0x02024284, PlayerPartyCount: 0x02024029, EnemyParty: 0x0202402C,

	BattleMainFunc: 0x03004F84, BattleMons: 0x02023BE4, BattleTypeFlags: 0x02022B4C, BattleOutcome: 0x02023E8A,
	BattlersCount: 0x02023BCC, BattlerPartyIndexes: 0x02023BCE, BattlerPositions: 0x02023BD6,
	ControllerFuncs: 0x03004FE0, ExecFlags: 0x02023BC8, BattleBufferA: 0x02022BC4,
	ActionCursor: 0x02023FF8, MoveCursor: 0x02023FFC, DisplayedString: 0x0202298C,
	DisableStructs: 0x02023E0C, TrainerOpponent: 0x020386AE, AbsentBattlers: 0x02023D70,
	TargetCursor: 0x03004FF4, BattleScript: 0x02023D74, BattleCommunication: 0x02023E82, LearnMoveState: 0x02023FE3,

	ObjectEvents: 0x02036E38, PlayerAvatar: 0x02037078, MapHeader: 0x02036DFC, BackupLayout: 0x03005040,

	Main: 0x030030F0, Tasks: 0x03005090, Sprites: 0x0202063C, PaletteFade: 0x02037AB8,

	StringVar4: 0x02021D18, TextPrinters: 0x02020034, TextFlags: 0x03003E50, Menu: 0x0203ADE4,
	ScriptContext: 0x03000EB0, ScriptStatus: 0x03000EA8, LockFieldControls: 0x03000F9C,
	StartMenuCallback: 0x020370F0, StartMenuCursor: 0x020370F4,
	StartMenuCount: 0x020370F5, StartMenuOrder: 0x020370F6, SaveDialog: 0x03000FA4,
	PartyMenu: 0x0203B0A0, PartyMenuInternal: 0x0203B09C, BagState: 0x0203ACFC, HelpOpen: 0x0203F177,
	Naming: 0x0203998C, Shop: 0x02039934, Summary: 0x0203B140, Options: 0x02039620,
	SummaryMove: 0x0203B16D, StorageCursor: 0x02039820,
	ItemActions: 0x0203AD24, CaseActions: 0x0203B118, PouchActions: 0x0203F384,
	Weather: 0x02037F34, RNG: 0x03005000, QuestLog: 0x0203ADFA,
}

// fireRedLayout holds for FireRed and LeafGreen.
var fireRedLayout = Layout{
	SpeciesMax: 411, MoveMax: 354, ItemMax: 374,
	InBattle: 0x439, BattleFlagsMask: 0xFFFFFFFF, TutorialFlags: 0x200 | 0x10000, StringVar4Bytes: 0x3E8,
	Save1Bytes: 0x3D68, Save2Bytes: 0xF24,
	Pockets: []Pocket{
		{"items", 0x310, 42},
		{"key-items", 0x3B8, 30},
		{"poke-balls", 0x430, 13},
		{"tm-hm", 0x464, 58},
		{"berries", 0x54C, 43},
	},
	Money: 0x290, Coins: 0x294, Flags: 0xEE0, BadgeFlag: 0x820,
	DynamicWarp: 0x14, RivalName: 0x3A4C,
	EncryptionKey: 0xF20,
	BlockX:        15, BlockY: 14,
	PrimaryMetatiles: 640, MetatileAttributes: 0x14, MetatileAttributeSize: 4, BehaviorMask: 0x1FF,
	FirstMapSection: 88, MapSections: 109, MapNameStride: 4, Multichoices: 65, MapGroups: 43,
	// TRAINER_CLASS_RIVAL_EARLY, _RIVAL_LATE and _CHAMPION; battle tower, e-Reader, trainer tower.
	Trainers: 743, TrainerClasses: 107, RivalClasses: []int{81, 89, 90}, OtherTrainerFlags: 0x100 | 0x800 | 0x80000,
	Bag:    bagView{pocket: 0x6, open: 0x5, scroll: 0x8, cursor: 0xE, stride: 2, size: 0x14, order: []string{"items", "key-items", "poke-balls"}},
	Shop:   shopView{items: 0x4, row: 0xC, scroll: 0xE, count: 0x10, size: 2},
	Naming: heapNaming,
	// PSS_MODE_SELECT_MOVE and PSS_MODE_FORGET_MOVE.
	Summary:      summaryView{page: 0x3214, mode: 0x3208, choosing: []int{2, 3}, mon: 0x3290, newMove: 0x3262},
	MenuColumns:  9,
	ItemActions:  actionView{count: 4, names: fireRedItemActions},
	CaseActions:  actionView{nested: true, list: 0xC, count: 0x10, names: entries("use", "Use", "give", "Give", "exit", "Exit")},
	PouchActions: actionView{count: 4, names: entries("use", "Use", "toss", "Toss", "give", "Give", "exit", "Exit")},
	SummaryPages: entries("info", "Info", "skills", "Skills", "moves", "Moves", "move-details", "Move details"),
	StartMenu: entries(
		"pokedex", "Pokédex", "pokemon", "Pokémon", "bag", "Bag", "player", "Player", "save", "Save",
		"option", "Option", "exit", "Exit", "retire", "Retire", "link-player", "Player",
	),
	PartyActions:  fireRedPartyActions,
	SafariActions: entries("ball", "Ball", "bait", "Bait", "rock", "Rock", "run", "Run"),
	MainMenus: [][]emu.MenuEntry{
		entries("new-game", "New game"),
		entries("continue", "Continue", "new-game", "New game"),
		entries("continue", "Continue", "new-game", "New game", "mystery-gift", "Mystery gift"),
	},
	StoragePC: entries(
		"withdraw", "Withdraw Pokémon", "deposit", "Deposit Pokémon", "move", "Move Pokémon",
		"move-items", "Move items", "leave", "See ya!",
	),
	PlayerPC:    entries("item-storage", "Item storage", "mailbox", "Mailbox", "turn-off", "Turn off"),
	ItemStorage: entries("withdraw", "Withdraw item", "deposit", "Deposit item", "cancel", "Cancel"),
}

// fireRedItemActions are the values of ITEMMENUACTION_*.
var fireRedItemActions = slices.Concat(itemActionEntries, entries(
	"open", "Open", "open", "Open", "walk", "Walk", "deselect", "Deselect",
))

// fireRedPartyActions are the values of CURSOR_OPTION_*, field moves last.
var fireRedPartyActions = slices.Concat(partyActionEntries, entries(
	"flash", "Flash", "cut", "Cut", "fly", "Fly", "strength", "Strength", "surf", "Surf",
	"rock-smash", "Rock Smash", "waterfall", "Waterfall", "teleport", "Teleport", "dig", "Dig",
	"milk-drink", "Milk Drink", "soft-boiled", "Soft-Boiled", "sweet-scent", "Sweet Scent",
))

// fireRedTables has one entry per column of fireRedCode.
var fireRedTables = [4]Tables{
	{ // FireRed rev 0
		SpeciesNames: 0x08245EE0, MoveNames: 0x08247094, Moves: 0x08250C04, SpeciesInfo: 0x08254784,
		Items: 0x083DB028, TypeChart: 0x0824F050, TypeNames: 0x0824F1A0, AbilityNames: 0x0824FC40,
		MapNames: 0x083F1CAC, MapGroups: 0x083526A8, Experience: 0x08253AE4, Multichoice: 0x083E04B0,
		NatureNames: 0x08463E60, DexNumbers: 0x08251FEE,
		Trainers: 0x0823EAC8, TrainerClasses: 0x0823E558,
	},
	{ // FireRed rev 1
		SpeciesNames: 0x08245F50, MoveNames: 0x08247104, Moves: 0x08250C74, SpeciesInfo: 0x082547F4,
		Items: 0x083DB098, TypeChart: 0x0824F0C0, TypeNames: 0x0824F210, AbilityNames: 0x0824FCB0,
		MapNames: 0x083F1D1C, MapGroups: 0x08352718, Experience: 0x08253B54, Multichoice: 0x083E0520,
		NatureNames: 0x08463EC0, DexNumbers: 0x0825205E,
		Trainers: 0x0823EB38, TrainerClasses: 0x0823E5C8,
	},
	{ // LeafGreen rev 0
		SpeciesNames: 0x08245EBC, MoveNames: 0x08247070, Moves: 0x08250BE0, SpeciesInfo: 0x08254760,
		Items: 0x083DAE64, TypeChart: 0x0824F02C, TypeNames: 0x0824F17C, AbilityNames: 0x0824FC1C,
		MapNames: 0x083F1AE8, MapGroups: 0x08352688, Experience: 0x08253AC0, Multichoice: 0x083E02EC,
		NatureNames: 0x08463880, DexNumbers: 0x08251FCA,
		Trainers: 0x0823EAA4, TrainerClasses: 0x0823E534,
	},
	{ // LeafGreen rev 1
		SpeciesNames: 0x08245F2C, MoveNames: 0x082470E0, Moves: 0x08250C50, SpeciesInfo: 0x082547D0,
		Items: 0x083DAED4, TypeChart: 0x0824F09C, TypeNames: 0x0824F1EC, AbilityNames: 0x0824FC8C,
		MapNames: 0x083F1B58, MapGroups: 0x083526F8, Experience: 0x08253B30, Multichoice: 0x083E035C,
		NatureNames: 0x084638F0, DexNumbers: 0x0825203A,
		Trainers: 0x0823EB14, TrainerClasses: 0x0823E5A4,
	},
}

// fireRedMaps are the maps that FireRed's ids call by name.
var fireRedMaps = map[MapRef]string{
	{3, 0}:  "pallet-town",
	{3, 19}: "route-1",
	{4, 0}:  "pallet-town/players-house-1f",
	{4, 1}:  "pallet-town/players-house-2f",
	{4, 2}:  "pallet-town/rivals-house",
	{4, 3}:  "pallet-town/professor-oaks-lab",
}

// fireRedGoals are the system flags that mark the way through the game
// (FLAG_SYS_* and the eight badges, FireRed US rev 0).
var fireRedGoals = []Goal{
	{"first-creature", 0x828},
	{"pokedex", 0x829},
	{"badge-1", 0x820},
	{"badge-2", 0x821},
	{"badge-3", 0x822},
	{"badge-4", 0x823},
	{"badge-5", 0x824},
	{"badge-6", 0x825},
	{"badge-7", 0x826},
	{"badge-8", 0x827},
	{"champion", 0x82C},
}

// brambleGoals are the goals of the project's own cartridge.
var brambleGoals = []Goal{
	{"rival-beaten", 0x2A0},
	{"parcel-delivered", 0x2A1},
	{"far-gate", 0x2A2},
}

func fireRed(revision int) *Profile {
	p := fireRedFamily(revision)
	p.Name, p.Prefix, p.Title, p.GameCode = "firered", "firered", "Pokémon FireRed", "BPRE"
	p.ROMCRC = 0xDD88761C
	if revision == 1 {
		p.Name, p.ROMCRC = "firered_rev1", 0x84EE4776
	}
	p.Revision, p.MapNames = revision, fireRedMaps
	return p
}

func leafGreen(revision int) *Profile {
	p := fireRedFamily(2 + revision)
	p.Name, p.Prefix, p.Title, p.GameCode = "leafgreen", "leafgreen", "Pokémon LeafGreen", "BPGE"
	p.ROMCRC = 0xD69C96CC
	if revision == 1 {
		p.Name, p.ROMCRC = "leafgreen_rev1", 0xDAFFECEC
	}
	p.Revision = revision
	return p
}

// bramble is the project's own cartridge, which keeps its state where FireRed
// US rev 0 does.
func bramble() *Profile {
	p := fireRedFamily(0)
	p.Name, p.Prefix, p.Title, p.GameCode = "bramble", "bramble", "Bramble Lane", "BBLE"
	p.Goals = brambleGoals
	p.Tables.Trainers, p.Tables.TrainerClasses = 0, 0 // its one trainer is a script's
	p.Absent = append(p.Absent, "Trainers", "TrainerClasses")
	return p
}

// fireRedFamily is what the games of the family share, with the functions and
// tables of one build.
func fireRedFamily(build int) *Profile {
	return &Profile{
		RAM:    fireRedRAM,
		Tables: fireRedTables[build],
		Layout: fireRedLayout,
		Goals:  fireRedGoals,
		Absent: []string{
			"SaveBlock1", "SaveBlock2", "Storage", "FieldWindow", "BattleWindow",
			"SharedMem", "SummaryData", "PocketScroll", "ShopHeap", "PopupCursor", "PopupCount", "Pokedex", "MenuWindow", "SecondOpponent",
		},
		code: codeOf(fireRedCode, build),
	}
}
