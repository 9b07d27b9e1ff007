package gen3

import "clankie/emu"

// rubySapphireRAM holds for Ruby and Sapphire (USA, Europe), rev 0, 1 and 2
// alike.
var rubySapphireRAM = RAM{
	SaveBlock1: 0x02025734, SaveBlock2: 0x02024EA4, Storage: 0x020300A0,

	PlayerParty: 0x03004360, PlayerPartyCount: 0x03004350, EnemyParty: 0x030045C0,

	BattleMainFunc: 0x030042D4, BattleMons: 0x02024A80, BattleTypeFlags: 0x020239F8, BattleOutcome: 0x02024D26,
	BattlersCount: 0x02024A68, BattlerPartyIndexes: 0x02024A6A, BattlerPositions: 0x02024A72,
	ControllerFuncs: 0x03004330, ExecFlags: 0x02024A64, BattleBufferA: 0x02023A60,
	ActionCursor: 0x02024E60, MoveCursor: 0x02024E64, DisplayedString: 0x020238CC,
	DisableStructs: 0x02024CA8, TrainerOpponent: 0x0202FF5E, TargetCursor: 0x03004344, AbsentBattlers: 0x02024C0C,
	BattleScript: 0x02024C10, BattleCommunication: 0x02024D1E, LearnMoveState: 0x0201601A,

	ObjectEvents: 0x030048A0, PlayerAvatar: 0x0202E858, MapHeader: 0x0202E828, BackupLayout: 0x03004870,

	Main: 0x03001770, Tasks: 0x03004B20, Sprites: 0x02020004, PaletteFade: 0x0202F388,

	StringVar4: 0x020234CC, Menu: 0x030006B0,
	ScriptContext: 0x030005B8, ScriptStatus: 0x030005B0, LockFieldControls: 0x030006A4,
	StartMenuCallback: 0x03004AE8, StartMenuCursor: 0x0202E8FC,
	StartMenuCount: 0x0202E8FD, StartMenuOrder: 0x0202E8FE, SaveDialog: 0x030006A8,
	BagState: 0x02038559, PocketScroll: 0x03005D10, Shop: 0x03000708,

	FieldWindow: 0x0202E87C, BattleWindow: 0x03004210, MenuWindow: 0x0202E908,
	SharedMem: 0x02000000, SummaryData: 0x02018000,
	StorageCursor: 0x020384E4, Pokedex: 0x0202FFB4,
	ItemActions: 0x03000704, PopupCursor: 0x03000700, PopupCount: 0x02038564,
	Weather: 0x0202F7E8, RNG: 0x03004818,
}

// rubySapphireTables has one entry per column of rubySapphireCode.
var rubySapphireTables = [4]Tables{
	{ // Ruby rev 0
		SpeciesNames: 0x081F716C, MoveNames: 0x081F8320, Moves: 0x081FB12C, SpeciesInfo: 0x081FEC18,
		Items: 0x083C5564, TypeChart: 0x081F9720, TypeNames: 0x081F9870, AbilityNames: 0x081FA248,
		MapNames: 0x083E73C4, MapGroups: 0x08308588, Experience: 0x081FDF78, NatureNames: 0x083C1004, DexNumbers: 0x081FC516,
		Trainers: 0x081F04FC, TrainerClasses: 0x081F0208,
	},
	{ // Ruby rev 1, rev 2
		SpeciesNames: 0x081F7184, MoveNames: 0x081F8338, Moves: 0x081FB144, SpeciesInfo: 0x081FEC30,
		Items: 0x083C5580, TypeChart: 0x081F9738, TypeNames: 0x081F9888, AbilityNames: 0x081FA260,
		MapNames: 0x083E73E0, MapGroups: 0x083085A0, Experience: 0x081FDF90, NatureNames: 0x083C1020, DexNumbers: 0x081FC52E,
		Trainers: 0x081F0514, TrainerClasses: 0x081F0220,
	},
	{ // Sapphire rev 0
		SpeciesNames: 0x081F70FC, MoveNames: 0x081F82B0, Moves: 0x081FB0BC, SpeciesInfo: 0x081FEBA8,
		Items: 0x083C55BC, TypeChart: 0x081F96B0, TypeNames: 0x081F9800, AbilityNames: 0x081FA1D8,
		MapNames: 0x083E741C, MapGroups: 0x08308518, Experience: 0x081FDF08, NatureNames: 0x083C105C, DexNumbers: 0x081FC4A6,
		Trainers: 0x081F048C, TrainerClasses: 0x081F0198,
	},
	{ // Sapphire rev 1, rev 2
		SpeciesNames: 0x081F7114, MoveNames: 0x081F82C8, Moves: 0x081FB0D4, SpeciesInfo: 0x081FEBC0,
		Items: 0x083C55DC, TypeChart: 0x081F96C8, TypeNames: 0x081F9818, AbilityNames: 0x081FA1F0,
		MapNames: 0x083E743C, MapGroups: 0x08308530, Experience: 0x081FDF20, NatureNames: 0x083C107C, DexNumbers: 0x081FC4BE,
		Trainers: 0x081F04A4, TrainerClasses: 0x081F01B0,
	},
}

// rubySapphireLayout holds for Ruby and Sapphire. gStringVar4 is declared with
// 0x100 bytes, but longer texts run on into what follows it.
var rubySapphireLayout = Layout{
	SpeciesMax: 411, MoveMax: 354, ItemMax: 348,
	InBattle: 0x43D, BattleFlagsMask: 0xFFFF, TutorialFlags: 0x200, StringVar4Bytes: 0x400,
	Save1Bytes: 0x3AC0, Save2Bytes: 0x890,
	Pockets: []Pocket{
		{"items", 0x560, 20},
		{"key-items", 0x5B0, 20},
		{"poke-balls", 0x600, 16},
		{"tm-hm", 0x640, 64},
		{"berries", 0x740, 46},
	},
	Money: 0x490, Coins: 0x494, Flags: 0x1220, BadgeFlag: 0x807,
	DynamicWarp: 0x14,
	BlockX:      15, BlockY: 14,
	PrimaryMetatiles: 512, MetatileAttributes: 0x10, MetatileAttributeSize: 2, BehaviorMask: 0xFF,
	Behaviors:   &hoennBehaviors,
	MapSections: 88, MapNameStride: 8, MapNamePointer: 4, MapGroups: 34,
	Trainers: 694, TrainerClasses: 58, OtherTrainerFlags: 0x100 | 0x800, // battle tower, e-Reader
	Bag:    bagView{cursor: 0, scroll: 1, stride: 4, size: 1, order: hoennPockets},
	Shop:   shopView{items: 0x4, count: 0x8, row: 0x9, scroll: 0xB, size: 1, kind: 0xC},
	Naming: namingView{text: 0x11, page: 0xE, cursor: 0xF, templateID: 0x1, size: 0x38},
	// PSS_MODE_SELECT_MOVE.
	Summary:       summaryView{page: 0xB, mode: 0x8, choosing: []int{2}, mon: 0x10, newMove: 0x7C, cursor: 0x79},
	MenuColumns:   5, // gMenu.width, which a grid counts its columns by
	ItemActions:   actionView{columns: 2, byColumn: true, names: rubySapphireItemActions},
	SummaryPages:  hoennSummaryPages,
	SafariActions: hoennSafariActions,
	StartMenu:     hoennStartMenu,
	MainMenus: [][]emu.MenuEntry{
		entries("new-game", "New game", "option", "Option"),
		entries("continue", "Continue", "new-game", "New game", "option", "Option"),
		entries("continue", "Continue", "new-game", "New game", "mystery-events", "Mystery events", "option", "Option"),
	},
	StoragePC: entries(
		"withdraw", "Withdraw Pokémon", "deposit", "Deposit Pokémon", "move", "Move Pokémon", "leave", "See ya!",
	),
	PlayerPC: hoennPlayerPC, ItemStorage: hoennItemStorage,
}

// rubySapphireItemActions are the places of sItemPopupMenuActions.
var rubySapphireItemActions = entries(
	"use", "Use", "toss", "Toss", "cancel", "Cancel", "register", "Register", "use", "Use", "cancel", "Cancel",
	"give", "Give", "check-tag", "Check tag", "", "", "confirm", "Confirm",
)

// rubySapphireGoals are the system flags that mark the way through the game
// (FLAG_SYS_* and the eight badges, Ruby and Sapphire).
var rubySapphireGoals = goalsFrom(0x800, 0x801, 0x807, 0x804)

func ruby(revision int) *Profile {
	p := rubySapphire(min(revision, 1), revision)
	p.Name, p.Prefix, p.Title, p.GameCode = "ruby"+revisionSuffix(revision), "ruby", "Pokémon Ruby", "AXVE"
	p.ROMCRC = [...]uint32{0xF0815EE7, 0x61641576, 0xAEAC73E6}[revision]
	return p
}

func sapphire(revision int) *Profile {
	p := rubySapphire(2+min(revision, 1), revision)
	p.Name, p.Prefix, p.Title, p.GameCode = "sapphire"+revisionSuffix(revision), "sapphire", "Pokémon Sapphire", "AXPE"
	p.ROMCRC = [...]uint32{0x554DEDC4, 0xBAFEDAE5, 0x9CC4410E}[revision]
	return p
}

func revisionSuffix(revision int) string { return [...]string{"", "_rev1", "_rev2"}[revision] }

// rubySapphire is what the games of the family share, with the functions and
// tables of one build. Rev 1 and rev 2 are the same code.
func rubySapphire(build, revision int) *Profile {
	return &Profile{
		Revision: revision,
		RAM:      rubySapphireRAM,
		Tables:   rubySapphireTables[build],
		Layout:   rubySapphireLayout,
		Goals:    rubySapphireGoals,
		Absent: []string{
			"SaveBlock1Ptr", "SaveBlock2Ptr", "StoragePtr", "TextPrinters", "TextFlags", "PartyMenu", "PartyMenuInternal",
			"HelpOpen", "Naming", "Summary", "Options", "ShopHeap", "Multichoice",
			"SummaryMove", "CaseActions", "PouchActions", "QuestLog", "SecondOpponent",
		},
		code: codeOf(rubySapphireCode, build),
	}
}
