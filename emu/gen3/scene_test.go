package gen3

import (
	"testing"

	"clankie/emu"
)

// sceneOf summarises a scene for comparison.
type sceneOf struct {
	Mode         emu.Mode
	Screen       emu.Screen
	Ready, Waits bool
	Dialog, Menu string
	Battle       bool
}

func summary(st *emu.State) sceneOf {
	s := sceneOf{
		Mode: st.Scene.Mode, Screen: st.Scene.Screen,
		Ready: st.Scene.InputReady, Waits: st.Scene.WaitingForDialogAdvance, Battle: st.Battle != nil,
	}
	if st.Dialog != nil {
		s.Dialog = "(empty)"
		if len(st.Dialog.Lines) > 0 {
			s.Dialog = st.Dialog.Lines[0]
		}
	}
	if st.Menu != nil {
		s.Menu = st.Menu.ID
	}
	return s
}

// printing makes the message box's printer stand at an offset of a text.
func (m *machine) printing(text uint32, offset, state int) { m.printingIn(0, text, offset, state) }

// printingIn does the same in another window.
func (m *machine) printingIn(window int, text uint32, offset, state int) {
	at := fireRedRAM.TextPrinters + uint32(window*printerStride)
	m.set32(at+printerChar, text+uint32(offset))
	m.set8(at+printerActive, 1)
	m.set8(at+printerState, state)
}

// native parks the global script context on a native function.
func (m *machine) native(fn uint32) {
	m.set8(fireRedRAM.ScriptStatus, 0)
	m.set8(fireRedRAM.ScriptContext+1, scriptModeNative)
	m.set32(fireRedRAM.ScriptContext+4, fn)
}

func TestScenes(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	ram := p.RAM
	own := battler{species: 25, level: 12, hp: 27, maxHP: 35, moves: [4]int{33, 45, 0, 0}, pp: [4]int{35, 40}, nickname: "PIKA"}
	wild := battler{species: 16, level: 7, hp: 18, maxHP: 21, moves: [4]int{33}, pp: [4]int{30}, nickname: "PIDGEY"}

	free := sceneOf{Mode: emu.ModeOverworld, Screen: "overworld", Ready: true}
	held := sceneOf{Mode: emu.ModeCutscene, Screen: "overworld"}
	tests := map[string]struct {
		set  func(m *machine)
		want sceneOf
	}{
		"free field": {func(m *machine) {}, free},
		"old text of a closed box": {func(m *machine) {
			m.text(ram.StringVar4, "Bye!")
			m.set32(ram.ScriptContext+4, function(t, p, "WaitForAorBPress")) // stale: the mode is not native
		}, free},
		"a box is drawn and prints": {func(m *machine) {
			m.text(ram.StringVar4, "Hello there")
			m.set8(ram.LockFieldControls, 1)
			m.task(3, function(t, p, "Task_DrawFieldMessageBox"))
			m.printing(ram.StringVar4, 4, 0)
		}, sceneOf{Mode: emu.ModeDialog, Screen: "dialog", Dialog: "Hello there"}},
		"a box waits for a button": {func(m *machine) {
			m.text(ram.StringVar4, "Hello there")
			m.set8(ram.LockFieldControls, 1)
			m.task(3, function(t, p, "Task_DrawFieldMessageBox"))
			m.printing(ram.StringVar4, 4, 2)
		}, sceneOf{Mode: emu.ModeDialog, Screen: "dialog", Dialog: "Hello there", Waits: true}},
		"text that scrolls by itself waits for nobody": {func(m *machine) {
			m.text(ram.StringVar4, "Hello there")
			m.set8(ram.TextFlags, textFlagAutoScroll)
			m.task(3, function(t, p, "Task_DrawFieldMessageBox"))
			m.printing(ram.StringVar4, 4, 2)
			m.set8(ram.LockFieldControls, 1)
		}, sceneOf{Mode: emu.ModeDialog, Screen: "dialog", Dialog: "Hello there"}},
		"a script is parked on the button": {func(m *machine) {
			m.text(ram.StringVar4, "H")
			m.set8(ram.LockFieldControls, 1)
			m.native(function(t, p, "WaitForAorBPress"))
		}, sceneOf{Mode: emu.ModeDialog, Screen: "dialog", Dialog: "H", Waits: true}},
		"an open box without text": {func(m *machine) {
			m.set8(ram.StringVar4, charEnd)
			m.set8(ram.LockFieldControls, 1)
			m.native(function(t, p, "WaitForAorBPress"))
		}, sceneOf{Mode: emu.ModeDialog, Screen: "dialog", Dialog: "(empty)", Waits: true}},
		"controls are locked": {func(m *machine) { m.set8(ram.LockFieldControls, 1) }, held},
		"a script runs":       {func(m *machine) { m.set8(ram.ScriptStatus, 0) }, held},
		"the picture fades under a lock": {func(m *machine) {
			m.set8(ram.LockFieldControls, 1)
			m.set8(ram.PaletteFade+7, 0x80)
		}, held},
		"a step is under way": {func(m *machine) {
			m.set32(ram.ObjectEvents, objActive|objHeldActive|objIsPlayer)
		}, sceneOf{Mode: emu.ModeOverworld, Screen: "overworld"}},
		"a map loads": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_LoadMap"))
		}, sceneOf{Mode: emu.ModeCutscene, Screen: "transition"}},
		"title": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_TitleScreenRun"))
		}, sceneOf{Mode: emu.ModeUnknown, Screen: "title"}},
		"opening": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_NewGameScene"))
		}, sceneOf{Mode: emu.ModeUnknown, Screen: "new_game"}},
		"a screen nobody knows": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, 0x08123457)
		}, sceneOf{Mode: emu.ModeUnknown, Screen: "unknown"}},
		"main menu": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_MainMenu"))
			m.set16(m.task(0, function(t, p, "Task_HandleMenuInput")), 1)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "main_menu", Ready: true, Menu: "main-menu"}},
		"help": {
			func(m *machine) { m.set8(ram.HelpOpen, 1) },
			sceneOf{Mode: emu.ModeMenu, Screen: "help", Ready: true, Menu: "help-system"},
		},
		"start menu": {func(m *machine) {
			m.set8(ram.LockFieldControls, 1)
			m.task(4, function(t, p, "Task_StartMenuHandleInput"))
			m.set32(ram.StartMenuCallback, function(t, p, "StartCB_HandleInput"))
			m.set8(ram.StartMenuCount, 2)
			m.set8(ram.StartMenuOrder, 1)
			m.set8(ram.StartMenuOrder+1, 6)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "start_menu", Ready: true, Menu: "start-menu"}},
		"a start menu left behind": {func(m *machine) {
			m.set32(ram.StartMenuCallback, function(t, p, "StartCB_HandleInput"))
			m.set8(ram.StartMenuCount, 2)
		}, free},
		"save dialogue": {func(m *machine) {
			m.set8(ram.LockFieldControls, 1)
			m.task(4, function(t, p, "Task_StartMenuHandleInput"))
			m.set32(ram.SaveDialog, function(t, p, "SaveDialogCB_AskSaveHandleInput"))
			m.set8(ram.Menu+menuMax, 1)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "yes_no", Ready: true, Menu: "yes-no"}},
		"yes or no": {func(m *machine) {
			m.text(ram.StringVar4, "Is that right?")
			m.set8(ram.LockFieldControls, 1)
			m.task(4, function(t, p, "Task_YesNoMenu_HandleInput"))
			m.set8(ram.Menu+menuMax, 1)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "yes_no", Ready: true, Menu: "yes-no"}},
		"multichoice": {func(m *machine) {
			m.set8(ram.LockFieldControls, 1)
			m.task(4, function(t, p, "Task_MultichoiceMenu_HandleInput"))
			m.set8(ram.Menu+menuMax, 3)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "multichoice", Ready: true, Menu: "multichoice"}},
		"shop": {func(m *machine) {
			m.set8(ram.LockFieldControls, 1)
			m.task(4, function(t, p, "Task_ShopMenu"))
			m.set8(ram.Menu+menuMax, 2)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "shop", Ready: true, Menu: "shop-menu"}},
		"party": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_UpdatePartyMenu"))
			m.task(0, function(t, p, "Task_HandleChooseMonInput"))
		}, sceneOf{Mode: emu.ModeMenu, Screen: "party", Ready: true, Menu: "party-menu"}},
		"bag": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.set8(ram.BagState+p.Layout.Bag.open, 1)
			m.task(0, function(t, p, "Task_BagMenu_HandleInput"))
		}, sceneOf{Mode: emu.ModeMenu, Screen: "bag", Ready: true, Menu: "bag-items"}},
		"the bag fades in": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.set8(ram.BagState+p.Layout.Bag.open, 1)
			m.task(0, function(t, p, "Task_BagMenu_HandleInput"))
			m.set8(ram.PaletteFade+7, 0x80)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "bag", Menu: "bag-items"}},
		"a box lies over the bag": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.set8(ram.BagState+p.Layout.Bag.open, 1)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "bag"}},
		"what to do with an item": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.task(0, function(t, p, "Task_FieldItemContextMenuHandleInput"))
			m.set8(ram.Menu+menuMax, 3)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "bag", Ready: true, Menu: "item-actions"}},
		"what to do with a party member": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_UpdatePartyMenu"))
			m.task(0, function(t, p, "Task_HandleSelectionMenuInput"))
			m.set32(ram.PartyMenuInternal, 0x02010000)
			m.set8(0x02010000+partyActionsN, 3)
			m.set8(ram.Menu+menuMax, 2)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "party", Ready: true, Menu: "party-actions"}},
		"options have no decoder": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_OptionMenu"))
		}, sceneOf{Mode: emu.ModeMenu, Screen: "options"}},
		"naming loads": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_LoadNamingScreen"))
		}, sceneOf{Mode: emu.ModeNaming, Screen: "naming", Menu: "naming-screen"}},
		"battle asks for an action": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.asks(p, 0, "HandleInputChooseAction")
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Ready: true, Battle: true, Menu: "battle-action-menu"}},
		"battle asks for a move": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.asks(p, 0, "HandleInputChooseMove")
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Ready: true, Battle: true, Menu: "battle-move-menu"}},
		"a buffered command is not a prompt yet": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.set32(ram.ExecFlags, 1)
			m.set8(ram.BattleBufferA, commandChoose)
			m.set32(ram.ControllerFuncs, 0x08032B95) // the menu is still drawn
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Battle: true}},
		"the first battle, through Oak's controller": {func(m *machine) {
			m.battle(p, battleTrainer|battleFirst, own, wild)
			m.set32(ram.ExecFlags, 1)
			m.set32(ram.ControllerFuncs, 0x080E763D)
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Ready: true, Battle: true, Menu: "battle-action-menu"}},
		"the first battle's moves": {func(m *machine) {
			m.battle(p, battleTrainer|battleFirst, own, wild)
			m.asks(p, 0, "OakOldManHandleInputChooseMove")
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Ready: true, Battle: true, Menu: "battle-move-menu"}},
		"Oak talks into the first battle": {func(m *machine) {
			m.battle(p, battleTrainer|battleFirst, own, wild)
			m.text(ram.DisplayedString, "OAK: Inflicting damage")
			m.printingIn(24, ram.DisplayedString, 3, 2)
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Battle: true, Dialog: "OAK: Inflicting damage", Waits: true}},
		"a message in the bag": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.text(ram.StringVar4, "There is a time and place")
			m.printingIn(5, ram.StringVar4, 2, 2)
		}, sceneOf{Mode: emu.ModeDialog, Screen: "bag", Dialog: "There is a time and place", Waits: true}},
		"old text in the bag": {func(m *machine) {
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.text(ram.StringVar4, "There is a time and place")
			m.set32(ram.TextPrinters+5*printerStride, ram.StringVar4+2)
		}, sceneOf{Mode: emu.ModeMenu, Screen: "bag"}},
		"the quest log plays": {func(m *machine) {
			m.set8(ram.QuestLog, questLogPlayback)
		}, sceneOf{Mode: emu.ModeCutscene, Screen: "quest_log"}},
		"the quest log records": {func(m *machine) { m.set8(ram.QuestLog, 1) }, free},
		"a message in a battle's bag": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_BagMenuRun"))
			m.text(ram.StringVar4, "It will have no effect.")
			m.printingIn(5, ram.StringVar4, 2, 0)
		}, sceneOf{Mode: emu.ModeDialog, Screen: "bag", Battle: true, Dialog: "It will have no effect."}},
		"battle prints": {func(m *machine) {
			m.battle(p, 8, own, wild)
			m.text(ram.DisplayedString, "PIKA used TACKLE!")
			m.printing(ram.DisplayedString, 3, 0)
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Battle: true, Dialog: "PIKA used TACKLE!"}},
		"battle waits for a button": {func(m *machine) {
			m.battle(p, 8, own, wild)
			m.text(ram.DisplayedString, "PIKA gained EXP!")
			m.printing(ram.DisplayedString, 3, 2)
		}, sceneOf{Mode: emu.ModeBattle, Screen: "battle", Battle: true, Dialog: "PIKA gained EXP!", Waits: true}},
		"battle is won": {func(m *machine) {
			m.battle(p, 8, own, wild)
			m.set8(ram.BattleOutcome, 1)
		}, sceneOf{Mode: emu.ModeBattleWon, Screen: "battle", Battle: true}},
		"battle is lost": {func(m *machine) {
			m.battle(p, 8, own, wild)
			m.set8(ram.BattleOutcome, 2)
		}, sceneOf{Mode: emu.ModeBattleLost, Screen: "battle", Battle: true}},
		"the party opened from a battle": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_UpdatePartyMenu"))
			m.task(0, function(t, p, "Task_HandleChooseMonInput"))
		}, sceneOf{Mode: emu.ModeMenu, Screen: "party", Ready: true, Battle: true, Menu: "party-menu"}},
		"a script's yes or no in battle": {func(m *machine) {
			m.battle(p, 8, own, wild)
			m.set32(ram.BattleScript, 0x08200000)
			m.set8(0x08200000, scriptYesNo)
			m.set8(ram.BattleCommunication, 1)
		}, sceneOf{Mode: emu.ModeBattle, Screen: "yes_no", Ready: true, Battle: true, Menu: "yes-no"}},
		"the battle before, still in memory": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_Overworld"))
			m.set8(ram.Main+p.Layout.InBattle, 0)
		}, free},
		"evolution after a battle": {func(m *machine) {
			m.battle(p, 4, own, wild)
			m.set32(ram.Main+mainCallback2, function(t, p, "CB2_EvolutionSceneUpdate"))
		}, sceneOf{Mode: emu.ModeCutscene, Screen: "evolution"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.field(p, 20, 12, 13, 13)
			m.party(p, creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33}, nickname: "PIKA"})
			tt.set(m)
			st := m.decode(p)
			equal(t, "scene", summary(&st), tt.want)
		})
	}
}

func TestFieldAroundPlayer(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	m.object(1, 4, 38, 14, 13, 1)
	m.object(2, 5, 38, 3, 3, 1)
	m.set8(p.RAM.ObjectEvents+2*objectStride+objMapNumber, 9) // of a neighbouring map
	m.set16(testMap+uint32(2*(12*35+13)), 1<<10|2)
	m.set16(testMap+uint32(2*(13*35+12)), int(emu.BlockUndefined))
	m.set8(testEvents+eventWarps, 1)
	m.set32(testEvents+eventWarpsPtr, testEvents+0x40)
	m.set16(testEvents+0x40, 6)
	m.set16(testEvents+0x42, 7)
	m.set8(testEvents+0x40+warpMapGroup, 4)
	st := m.decode(p)
	o := st.Overworld
	if o == nil || o.Minimap == nil || o.Exits == nil {
		t.Fatalf("the field did not decode: %v", st.Undecoded)
	}
	equal(t, "position", o.Position, emu.Position{MapID: "route-1", X: 13, Y: 13})
	equal(t, "occupants", len(o.Occupants), 1)
	equal(t, "north", o.Surroundings.North.Passable, false)
	equal(t, "east (somebody stands there)", o.Surroundings.East.Passable, false)
	equal(t, "west (no metatile)", o.Surroundings.West.Passable, false)
	equal(t, "south", o.Surroundings.South.Passable, true)
	equal(t, "warps", o.Exits.Warps, []emu.Warp{{X: 13, Y: 14, DestinationID: "pallet-town/players-house-1f"}})
	equal(t, "top left", o.Minimap.TopLeft, emu.Point{X: 7, Y: 7})
	row := func(y int) string { return o.Minimap.Rows[y-7] }
	equal(t, "row 12", row(12), "......#............")
	equal(t, "row 13", row(13), ".....#@o...........")
	equal(t, "row 14", row(14), "......D............")
}

// In battle only where the player stands is kept; the map around him is what
// it looked like before.
func TestBattleKeepsPositionOnly(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	b := battler{species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A"}
	m.battle(p, 4, b, b)
	st := m.decode(p)
	o := st.Overworld
	if o == nil || o.Position.X != 13 || o.Facing != emu.North {
		t.Fatalf("overworld is %+v", o)
	}
	if o.Grid != nil || o.Surroundings != nil || o.Minimap != nil || o.Exits != nil || o.Occupants != nil {
		t.Error("what lies around is kept in battle")
	}
	if st.Undecoded[partOccupants] == "" {
		t.Error("no reason is given")
	}
}

func TestScreenProfile(t *testing.T) {
	m := newMachine(t)
	for _, p := range []*Profile{Screen, ProfileFor("ZZZZ", 0), nil} {
		st := m.decode(p)
		equal(t, "mode", st.Scene.Mode, emu.ModeUnknown)
	}
}

func TestShortMemory(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	st := Decode(emu.Memory{EWRAM: make([]byte, 10)}, p)
	checkState(t, &st, p)
	equal(t, "mode", st.Scene.Mode, emu.ModeUnknown)
}

// A map whose live size is not its layout's is half way through a warp.
func TestTornMap(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	m.set32(testLayout+layoutWidth, 30)
	st := m.decode(p)
	if !st.Torn || st.Overworld == nil || st.Overworld.Grid != nil || st.Undecoded[partMap] == "" {
		t.Errorf("torn %v, overworld %+v, undecoded %v", st.Torn, st.Overworld, st.Undecoded)
	}
}

// A floor of the Battle Pyramid is four by four times its layout, and no other
// map is.
func TestMapOfSquares(t *testing.T) {
	p := ProfileFor("BPEE", 0)
	m := newMachineOf(t, p, romOf)
	m.field(p, 32, 32, 13, 13)
	m.set32(testLayout+layoutWidth, 8)
	m.set32(testLayout+layoutHeight, 8)
	equal(t, "another map", m.decode(p).Torn, true)
	m.set16(p.RAM.MapHeader+headerLayoutID, 361)
	st := m.decode(p)
	equal(t, "torn", st.Torn, false)
	equal(t, "size", *st.Overworld.Size, emu.MapSize{Width: 32, Height: 32})
	m.set32(testLayout+layoutWidth, 9)
	equal(t, "of another size", m.decode(p).Torn, true)
}

// TestTornHeader: where the location is that of a map and the header that of
// another, nothing around the player is read. A header that no map has is a
// map's that was added.
func TestTornHeader(t *testing.T) {
	for _, p := range Profiles {
		m := newMachineOf(t, p, romOf)
		m.field(p, 20, 12, 13, 13)
		save1, _ := m.saveBlocks(p)
		m.set8(save1+save1Location, 1)
		m.set8(save1+save1Location+1, 0)
		for events, torn := range map[uint32]bool{0x08000104: false, 0x08000100: true, testEvents: false} {
			m.set32(p.RAM.MapHeader+headerEvents, events)
			st := m.decode(p)
			if st.Overworld == nil || st.Torn != torn || (st.Overworld.Grid == nil) != torn || (st.Overworld.Occupants == nil) != torn {
				t.Errorf("%s, events %08X: torn %v, %+v, %v", p.Name, events, st.Torn, st.Overworld, st.Undecoded)
			}
		}
	}
}

func TestNaming(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	const data = 0x02010000
	m := newMachine(t)
	m.set32(p.RAM.Main+mainCallback2, function(t, p, "CB2_NamingScreen"))
	st := m.decode(p)
	if st.Naming != nil || !st.Torn || st.Scene.Mode != emu.ModeNaming {
		t.Errorf("a naming screen without data is %+v", st.Naming)
	}
	m.set32(p.RAM.Naming, data)
	m.text(data+heapNaming.text, "A b")
	m.set8(data+heapNaming.page, 2)
	m.set8(data+heapNaming.cursor, 3)
	m.set8(data+heapNaming.templateID, 4)
	m.set16(p.RAM.Sprites+3*spriteStride+spriteData, 5)
	m.set16(p.RAM.Sprites+3*spriteStride+spriteData+2, 2)
	st = m.decode(p)
	equal(t, "naming", st.Naming, &emu.Naming{Text: "A b", Page: "lower", Column: 5, Row: 2, Template: 4, Limit: 7})
	equal(t, "menu", st.Menu.Entries[0], emu.MenuEntry{ID: "typed-text", Label: "A b"})
	m.set32(data+heapNaming.template, 0x08200000)
	m.set8(0x08200000+templateMaxChars, 5)
	st = m.decode(p)
	equal(t, "limit from the template", st.Naming.Limit, 5)
	m.set8(p.RAM.PaletteFade+7, 0x80)
	st = m.decode(p)
	equal(t, "loading", st.Naming.Loading, true)
	m.set16(p.RAM.Sprites+3*spriteStride+spriteData, 9)
	if st = m.decode(p); st.Naming != nil {
		t.Error("a cursor off the keyboard is shown")
	}
}
