package gen3

import (
	"strconv"

	"clankie/emu"
)

// Profile is everything that differs from one game build to the next. It is
// data: profiles are made once, at init, and never change.
type Profile struct {
	Name     string // stable name, for example "firered"
	Prefix   string // what ids begin with, for example "firered"
	Title    string // for people
	GameCode string // header code at ROM+0xAC
	Revision int    // header byte at ROM+0xBC
	ROMCRC   uint32 // CRC-32 of the published dump, as savestates carry it; 0 where there is none

	RAM    RAM
	Tables Tables
	Layout Layout

	// MapNames names the maps that have an id of their own; all others are
	// called by group and number.
	MapNames map[MapRef]string
	// Goals are the game's goals, each an event flag of its own.
	Goals []Goal

	// Absent names the fields of RAM and Tables that the build has no variable
	// or table for. All others are there.
	Absent []string

	code map[uint32]codeEntry // even function address -> what it tells
	ids  struct{ species, moves, items idList }
}

// MapRef names a map as the game does.
type MapRef struct{ Group, Number int }

// Goal is a goal of the game and the event flag that says it is reached.
type Goal struct {
	ID   string
	Flag int
}

// RAM holds bus addresses of variables, by their public symbol names.
type RAM struct {
	SaveBlock1Ptr, SaveBlock2Ptr, StoragePtr uint32 // gSaveBlock1Ptr, gSaveBlock2Ptr, gPokemonStoragePtr
	SaveBlock1, SaveBlock2, Storage          uint32 // gSaveBlock1, gSaveBlock2, gPokemonStorage, where they do not move

	PlayerParty, PlayerPartyCount, EnemyParty uint32 // gPlayerParty, gPlayerPartyCount, gEnemyParty

	BattleMainFunc                                       uint32 // gBattleMainFunc
	BattleMons, BattleTypeFlags, BattleOutcome           uint32 // gBattleMons, gBattleTypeFlags, gBattleOutcome
	BattlersCount, BattlerPartyIndexes, BattlerPositions uint32 // gBattlersCount, gBattlerPartyIndexes, gBattlerPositions
	ControllerFuncs, ExecFlags, BattleBufferA            uint32 // gBattlerControllerFuncs, gBattleControllerExecFlags, gBattleBufferA
	ActionCursor, MoveCursor, DisplayedString            uint32 // gActionSelectionCursor, gMoveSelectionCursor, gDisplayedStringBattle
	DisableStructs, TrainerOpponent, AbsentBattlers      uint32 // gDisableStructs, gTrainerBattleOpponent_A, gAbsentBattlerFlags
	SecondOpponent                                       uint32 // gTrainerBattleOpponent_B (Emerald)
	BattleScript, BattleCommunication, LearnMoveState    uint32 // gBattlescriptCurrInstr, gBattleCommunication, gBattleScripting.learnMoveState
	TargetCursor                                         uint32 // gMultiUsePlayerCursor

	ObjectEvents, PlayerAvatar, MapHeader, BackupLayout uint32 // gObjectEvents, gPlayerAvatar, gMapHeader, gBackupMapLayout (VMap)

	Main, Tasks, Sprites, PaletteFade uint32 // gMain, gTasks, gSprites, gPaletteFade

	StringVar4, TextPrinters, TextFlags, Menu        uint32 // gStringVar4, sTextPrinters, gTextFlags, sMenu
	ScriptContext, ScriptStatus, LockFieldControls   uint32 // sGlobalScriptContext, sGlobalScriptContextStatus, sLockFieldControls
	StartMenuCallback, StartMenuCursor               uint32 // sStartMenuCallback, sStartMenuCursorPos
	StartMenuCount, StartMenuOrder, SaveDialog       uint32 // sNumStartMenuItems, sStartMenuOrder, sSaveDialogCB
	PartyMenu, PartyMenuInternal, BagState, HelpOpen uint32 // gPartyMenu, sPartyMenuInternal, gBagMenuState, sInHelpSystem
	Naming, Shop, Summary, Options                   uint32 // sNamingScreen, sShopData or sMartInfo, sMonSummaryScreen, sOptionMenuPtr
	SummaryMove, StorageCursor, Pokedex              uint32 // sMoveSelectionCursorPos, sCursorArea and sCursorPosition, sPokedexView
	ItemActions, CaseActions, PouchActions           uint32 // sContextMenuItemsPtr, gBagMenu or sPopupMenuActionList; sTMCaseDynamicResources; sContextMenuOptions

	FieldWindow, BattleWindow uint32 // gFieldMessageBoxWindow, gWindowTemplate_Contest_MoveDescription (Ruby, Sapphire)
	SharedMem, SummaryData    uint32 // gSharedMem, where a screen's data lies that is on the heap elsewhere (Ruby, Sapphire)
	PocketScroll, ShopHeap    uint32 // gBagPocketScrollStates (Ruby, Sapphire), sShopData (Emerald)
	PopupCursor, PopupCount   uint32 // sPopupMenuSelection, gUnknown_02038564 (Ruby, Sapphire)
	MenuWindow, QuestLog      uint32 // gMenuWindow (Ruby, Sapphire), gQuestLogState (FireRed, LeafGreen)
	Weather                   uint32 // gWeather
	RNG                       uint32 // gRngValue
}

// Tables holds bus addresses of ROM tables, by their public symbol names; 0
// where a build has none.
type Tables struct {
	SpeciesNames, MoveNames, Moves, SpeciesInfo uint32 // gSpeciesNames, gMoveNames, gBattleMoves, gSpeciesInfo
	Items, TypeChart, TypeNames, AbilityNames   uint32 // gItems, gTypeEffectiveness, gTypeNames, gAbilityNames
	MapNames, Experience, Multichoice           uint32 // sMapNames or gRegionMapEntries, gExperienceTables, sMultichoiceLists
	NatureNames, DexNumbers, MapGroups          uint32 // gNatureNamePointers, sSpeciesToNationalPokedexNum, gMapGroups
	Trainers, TrainerClasses                    uint32 // gTrainers, gTrainerClassNames
}

// Layout holds what differs between families in the shape of structures and in
// the lists that their menus number.
type Layout struct {
	SpeciesMax, MoveMax, ItemMax int // highest ids that exist

	InBattle         uint32 // offset in gMain of the byte whose bit 1 is inBattle
	BattleFlagsMask  uint32 // what of the word at gBattleTypeFlags is the flags
	TutorialFlags    uint32 // bits of them that say that somebody else fights
	TwoOpponentsFlag uint32 // bit of them that says that two trainers fight; 0 where there is none
	StringVar4Bytes  int    // size of gStringVar4

	Save1Bytes, Save2Bytes int // sizes of the save blocks
	Pockets                []Pocket
	Money, Coins           uint32 // in SaveBlock1
	Flags                  uint32 // in SaveBlock1
	BadgeFlag              int    // id of the first of eight badge flags
	DynamicWarp            uint32 // in SaveBlock1
	RivalName              uint32 // in SaveBlock1; 0 where the save has none
	EncryptionKey          uint32 // in SaveBlock2; 0 where nothing is encrypted

	BlockX, BlockY        int    // what a live map is larger than its layout by
	PrimaryMetatiles      int    // metatile ids below this belong to the primary tileset
	MetatileAttributes    uint32 // offset in Tileset of the attributes pointer
	MetatileAttributeSize int    // bytes per metatile
	BehaviorMask          uint32 // bits of an attribute that are the behaviour
	Behaviors             *behaviorMap
	SquaresLayout         int // id of the layout that is one of sixteen squares of its map; 0 where there is none

	FirstMapSection int    // section id of the first entry of MapNames
	MapSections     int    // entries of MapNames
	MapNameStride   uint32 // bytes of an entry
	MapNamePointer  uint32 // offset in an entry of the name's pointer
	Multichoices    int    // entries of Multichoice
	MapGroups       int    // entries of MapGroups

	Trainers, TrainerClasses int    // entries of Trainers and TrainerClasses
	RivalClasses             []int  // classes of trainers that the player has named
	OtherTrainerFlags        uint32 // bits of gBattleTypeFlags of battles whose trainers are not in Trainers

	Bag     bagView
	Shop    shopView
	Naming  namingView
	Summary summaryView
	// What can be done with a line of the bag, of the TM case and of the berry
	// pouch.
	ItemActions, CaseActions, PouchActions actionView
	MenuColumns                            uint32 // in struct Menu: how many columns a grid has
	// The names that the values of the games' own lists stand for.
	SummaryPages  []emu.MenuEntry
	SafariActions []emu.MenuEntry   // what can be done in a battle of the Safari Zone
	StartMenu     []emu.MenuEntry   // sCurrentStartMenuActions
	PartyActions  []emu.MenuEntry   // sPartyMenuInternal's actions
	MainMenus     [][]emu.MenuEntry // by the kind of the main menu
	StoragePC     []emu.MenuEntry   // what the storage system's clerk offers
	PlayerPC      []emu.MenuEntry   // what the player's own PC offers, the longest list
	ItemStorage   []emu.MenuEntry   // what its item storage offers
}

// Pocket is one bag pocket in SaveBlock1.
type Pocket struct {
	Name     string
	Offset   uint32
	Capacity int
}

// Decodes reports whether the profile decodes anything at all.
func (p *Profile) Decodes() bool { return p != nil && p.RAM.Main != 0 }

// RNG is the state of the game's random number generator; 0 for a game that is
// not decoded.
func (p *Profile) RNG(mem emu.Memory) uint32 {
	seed, _ := mem.BusRead32(p.RAM.RNG)
	return seed
}

// SpeciesID is the prefixed id of species n, as the wire format has it.
func (p *Profile) SpeciesID(n int) string { return p.ids.species.of(p.Prefix+"-species-", n) }

// MoveID is the prefixed id of move n; "" for the empty slot.
func (p *Profile) MoveID(n int) string {
	if n == 0 {
		return ""
	}
	return p.ids.moves.of(p.Prefix+"-move-", n)
}

// ItemID is the prefixed id of item n.
func (p *Profile) ItemID(n int) string { return p.ids.items.of(p.Prefix+"-item-", n) }

// idList holds ids that are made once, since every decode needs a few hundred.
type idList []string

func (l idList) of(prefix string, n int) string {
	if n >= 0 && n < len(l) {
		return l[n]
	}
	return prefix + strconv.Itoa(n)
}

func newIDList(prefix string, last int) idList {
	l := make(idList, last+1)
	for n := range l {
		l[n] = prefix + strconv.Itoa(n)
	}
	return l
}

// makeIDs makes the ids of everything that the game has.
func (p *Profile) makeIDs() {
	p.ids.species = newIDList(p.Prefix+"-species-", p.Layout.SpeciesMax)
	p.ids.moves = newIDList(p.Prefix+"-move-", p.Layout.MoveMax)
	p.ids.items = newIDList(p.Prefix+"-item-", p.Layout.ItemMax)
}

// MapID is the id of a map: its own name, or prefix, group and number.
func (p *Profile) MapID(m MapRef) string {
	if name, ok := p.MapNames[m]; ok {
		return name
	}
	return p.Prefix + "-map-" + strconv.Itoa(m.Group) + "-" + strconv.Itoa(m.Number)
}

// Screen is the profile of a game that is not decoded: its picture and its
// pad are all there is.
var Screen = &Profile{Name: "screen", Prefix: "screen", Title: "a game that is not decoded"}

// Profiles lists every profile that decodes, in a fixed order.
var Profiles = checked(
	fireRed(0), fireRed(1), leafGreen(0), leafGreen(1),
	emerald(),
	ruby(0), ruby(1), ruby(2), sapphire(0), sapphire(1), sapphire(2),
	bramble(),
)

// ProfileFor returns the profile of a cartridge by its header's game code and
// revision (see [emu.ROMHeader] and [emu.CoreIdentity]), or [Screen].
func ProfileFor(gameCode string, revision int) *Profile {
	for _, p := range Profiles {
		if p.GameCode == gameCode && p.Revision == revision {
			return p
		}
	}
	return Screen
}

// ProfileForCRC returns the profile of a game by the CRC-32 of its ROM, which
// is all that a savestate says about the build, or [Screen].
func ProfileForCRC(gameCode string, crc uint32) *Profile {
	for _, p := range Profiles {
		if p.GameCode == gameCode && p.ROMCRC == crc && crc != 0 {
			return p
		}
	}
	return Screen
}

// ProfileForMemory returns the profile of a game of which nothing but its code
// and its memory is known, as after a randomiser has changed the ROM: the
// revision whose functions the game is found running. It returns [Screen] when
// the code is unknown or no revision fits.
func ProfileForMemory(gameCode string, mem emu.Memory) *Profile {
	for _, p := range Profiles {
		if p.GameCode != gameCode {
			continue
		}
		if ptr, _ := mem.BusRead32(p.RAM.Main + mainCallback2); p.codeAt(ptr).role != roleNone {
			return p
		}
	}
	return Screen
}

// ProfileNamed returns the profile with a name, or nil.
func ProfileNamed(name string) *Profile {
	for _, p := range Profiles {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// ProfileOf is [ProfileFor] for a booted machine.
func ProfileOf(id emu.CoreIdentity) *Profile { return ProfileFor(id.GameCode, id.Revision) }
