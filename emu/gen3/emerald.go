package gen3

import (
	"slices"

	"clankie/emu"
)

// emeraldRAM holds for Emerald (USA, Europe).
var emeraldRAM = RAM{
	SaveBlock1Ptr: 0x03005D8C, SaveBlock2Ptr: 0x03005D90, StoragePtr: 0x03005D94,

	PlayerParty: 0x020244EC, PlayerPartyCount: 0x020244E9, EnemyParty: 0x02024744,

	BattleMainFunc: 0x03005D04, BattleMons: 0x02024084, BattleTypeFlags: 0x02022FEC, BattleOutcome: 0x0202433A,
	BattlersCount: 0x0202406C, BattlerPartyIndexes: 0x0202406E, BattlerPositions: 0x02024076,
	ControllerFuncs: 0x03005D60, ExecFlags: 0x02024068, BattleBufferA: 0x02023064,
	ActionCursor: 0x020244AC, MoveCursor: 0x020244B0, DisplayedString: 0x02022E2C,
	DisableStructs: 0x020242BC, TrainerOpponent: 0x02038BCA, SecondOpponent: 0x02038BCC, TargetCursor: 0x03005D74, AbsentBattlers: 0x02024210,
	BattleScript: 0x02024214, BattleCommunication: 0x02024332, LearnMoveState: 0x02024493,

	ObjectEvents: 0x02037350, PlayerAvatar: 0x02037590, MapHeader: 0x02037318, BackupLayout: 0x03005DC0,

	Main: 0x030022C0, Tasks: 0x03005E00, Sprites: 0x02020630, PaletteFade: 0x02037FD4,

	StringVar4: 0x02021FC4, TextPrinters: 0x020201B0, TextFlags: 0x03003014, Menu: 0x0203CD90,
	ScriptContext: 0x03000E40, ScriptStatus: 0x03000E38, LockFieldControls: 0x03000F2C,
	StartMenuCallback: 0x03005DF4, StartMenuCursor: 0x0203760E,
	StartMenuCount: 0x0203760F, StartMenuOrder: 0x02037610, SaveDialog: 0x0203761C,
	PartyMenu: 0x0203CEC8, PartyMenuInternal: 0x0203CEC4, BagState: 0x0203CE58,
	Naming: 0x02039F94, Shop: 0x02039F60, ShopHeap: 0x02039F70, Summary: 0x0203CF1C,
	StorageCursor: 0x02039D78, Pokedex: 0x02039B4C, ItemActions: 0x0203CE54,
	Weather: 0x02038454, RNG: 0x03005D80,
}

// emeraldTables holds for Emerald (USA, Europe).
var emeraldTables = Tables{
	SpeciesNames: 0x083185C8, MoveNames: 0x0831977C, Moves: 0x0831C898, SpeciesInfo: 0x083203CC,
	Items: 0x085839A0, TypeChart: 0x0831ACE8, TypeNames: 0x0831AE38, AbilityNames: 0x0831B6DB,
	MapNames: 0x085A147C, MapGroups: 0x08486578, Experience: 0x0831F72C, Multichoice: 0x0858B760,
	NatureNames: 0x0861CB50, DexNumbers: 0x0831DC82,
	Trainers: 0x08310030, TrainerClasses: 0x0830FCD4,
}

// emeraldLayout holds for Emerald.
var emeraldLayout = Layout{
	SpeciesMax: 411, MoveMax: 354, ItemMax: 376,
	InBattle: 0x439, BattleFlagsMask: 0xFFFFFFFF, TutorialFlags: 0x200, TwoOpponentsFlag: 0x8000, StringVar4Bytes: 0x3E8,
	Save1Bytes: 0x3D88, Save2Bytes: 0xF2C,
	Pockets: []Pocket{
		{"items", 0x560, 30},
		{"key-items", 0x5D8, 30},
		{"poke-balls", 0x650, 16},
		{"tm-hm", 0x690, 64},
		{"berries", 0x790, 46},
	},
	Money: 0x490, Coins: 0x494, Flags: 0x1270, BadgeFlag: 0x867,
	DynamicWarp: 0x14, EncryptionKey: 0xAC,
	BlockX: 15, BlockY: 14,
	PrimaryMetatiles: 512, MetatileAttributes: 0x10, MetatileAttributeSize: 2, BehaviorMask: 0xFF,
	Behaviors:     &hoennBehaviors,
	SquaresLayout: 361, // LAYOUT_BATTLE_FRONTIER_BATTLE_PYRAMID_FLOOR
	MapSections:   213, MapNameStride: 8, MapNamePointer: 4, Multichoices: 114, MapGroups: 34,
	// Battle tower, e-Reader, the other halls of the Battle Frontier, trainer hill, secret bases.
	Trainers: 855, TrainerClasses: 66, OtherTrainerFlags: 0x100 | 0x800 | 0x3F0000 | 0x4000000 | 0x8000000,
	Bag:    bagView{pocket: 0x5, cursor: 0x8, scroll: 0x12, stride: 2, size: 0x1C, order: hoennPockets},
	Shop:   shopView{items: 0x8, count: 0xC, row: 0x2006, scroll: 0x2008, size: 2, kind: 0xF},
	Naming: heapNaming,
	// SUMMARY_MODE_SELECT_MOVE.
	Summary:       summaryView{page: 0x40C0, mode: 0x40BC, choosing: []int{3}, mon: 0xC, newMove: 0x40C4, cursor: 0x40C6},
	MenuColumns:   9,
	ItemActions:   actionView{nested: true, list: 0x820, count: 0x828, columns: 2, names: emeraldItemActions},
	SummaryPages:  hoennSummaryPages,
	SafariActions: hoennSafariActions,
	StartMenu: slices.Concat(hoennStartMenu,
		entries("rest", "Rest", "retire", "Retire", "pyramid-bag", "Bag")),
	PartyActions: emeraldPartyActions,
	MainMenus: [][]emu.MenuEntry{
		entries("new-game", "New game", "option", "Option"),
		entries("continue", "Continue", "new-game", "New game", "option", "Option"),
		entries("continue", "Continue", "new-game", "New game", "mystery-gift", "Mystery gift", "option", "Option"),
		entries("continue", "Continue", "new-game", "New game", "mystery-gift", "Mystery gift",
			"mystery-events", "Mystery events", "option", "Option"),
	},
	StoragePC: fireRedLayout.StoragePC,
	PlayerPC:  hoennPlayerPC, ItemStorage: hoennItemStorage,
}

// emeraldItemActions are the values of ACTION_*.
var emeraldItemActions = slices.Concat(itemActionEntries, entries(
	"walk", "Walk", "deselect", "Deselect", "check-tag", "Check tag", "confirm", "Confirm", "show", "Show",
	"give", "Give", "confirm", "Confirm", "", "",
))

// emeraldPartyActions are the values of MENU_*, field moves last.
var emeraldPartyActions = slices.Concat(partyActionEntries, entries(
	"toss", "Toss",
	"cut", "Cut", "flash", "Flash", "rock-smash", "Rock Smash", "strength", "Strength", "surf", "Surf",
	"fly", "Fly", "dive", "Dive", "waterfall", "Waterfall", "teleport", "Teleport", "dig", "Dig",
	"secret-power", "Secret Power", "milk-drink", "Milk Drink", "soft-boiled", "Soft-Boiled", "sweet-scent", "Sweet Scent",
))

// emeraldGoals are the system flags that mark the way through the game
// (FLAG_SYS_* and the eight badges, Emerald USA, Europe).
var emeraldGoals = goalsFrom(0x860, 0x861, 0x867, 0x864)

func emerald() *Profile {
	return &Profile{
		Name: "emerald", Prefix: "emerald", Title: "Pokémon Emerald", GameCode: "BPEE", ROMCRC: 0x1F1C08FB,
		RAM: emeraldRAM, Tables: emeraldTables, Layout: emeraldLayout,
		Goals: emeraldGoals,
		Absent: []string{
			"SaveBlock1", "SaveBlock2", "Storage", "FieldWindow", "BattleWindow",
			"SharedMem", "SummaryData", "PocketScroll", "Options", "HelpOpen",
			"SummaryMove", "CaseActions", "PouchActions", "PopupCursor", "PopupCount", "MenuWindow", "QuestLog",
		},
		code: codeOf(emeraldCode, 0),
	}
}
