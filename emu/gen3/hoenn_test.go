package gen3

import (
	"slices"
	"strings"
	"testing"

	"clankie/emu"
)

// hoennBuilds are the builds of Emerald, Ruby and Sapphire.
func hoennBuilds() []*Profile {
	return slices.DeleteFunc(slices.Clone(Profiles), func(p *Profile) bool { return p.Layout.Behaviors == nil })
}

// romOf holds the tables of any game.
const romOf = 7 << 20

// bagOf puts items into a pocket of the bag.
func (m *machine) bagOf(p *Profile, pocket string, ids ...int) {
	save1, key := m.saveBlocks(p)
	for _, at := range p.Layout.Pockets {
		if at.Name != pocket {
			continue
		}
		for i, id := range ids {
			m.set16(save1+at.Offset+uint32(i*itemSlotBytes), id)
			m.set16(save1+at.Offset+uint32(i*itemSlotBytes)+2, 1^int(key&0xFFFF))
		}
	}
}

// symbolOf picks a symbol by family.
func symbolOf(p *Profile, emerald, ruby string) string {
	if p.RAM.FieldWindow != 0 {
		return ruby
	}
	return emerald
}

// menuText is a menu in one line: its id, its entries, and the one the cursor
// is on in brackets.
func menuText(m *emu.Menu) string {
	if m == nil {
		return ""
	}
	parts := []string{m.ID + ":"}
	for i, e := range m.Entries {
		if i == m.Cursor {
			e.ID = "[" + e.ID + "]"
		}
		parts = append(parts, e.ID)
	}
	return strings.Join(parts, " ")
}

// hoennScene sets up a moment of a game and says what it should decode to.
type hoennScene struct {
	set    func(m *machine, p *Profile)
	mode   emu.Mode
	screen emu.Screen
	menu   string // in RS where it differs, after "|"
}

// callback sets callback 2 and a task.
func (m *machine) callback(p *Profile, callback, task string) (data uint32) {
	m.set32(p.RAM.Main+mainCallback2, function(m.t, p, callback))
	if task == "" {
		return 0
	}
	return m.task(0, function(m.t, p, task))
}

func hoennScenes() map[string]hoennScene {
	return map[string]hoennScene{
		"field": {func(*machine, *Profile) {}, emu.ModeOverworld, "overworld", ""},
		"start menu": {func(m *machine, p *Profile) {
			m.set8(p.RAM.LockFieldControls, 1)
			m.task(0, function(m.t, p, symbolOf(p, "Task_ShowStartMenu", "sub_80712B4")))
			m.set32(p.RAM.StartMenuCallback, function(m.t, p, symbolOf(p, "HandleStartMenuInput", "StartMenu_InputProcessCallback")))
			m.set8(p.RAM.StartMenuCount, 3)
			m.copy(p.RAM.StartMenuOrder, []byte{0, 3, 7})
			m.set8(p.RAM.StartMenuCursor, 1)
		}, emu.ModeMenu, "start_menu", "start-menu: pokedex [pokenav] exit"},
		"save asks": {func(m *machine, p *Profile) {
			m.set8(p.RAM.LockFieldControls, 1)
			m.task(0, function(m.t, p, symbolOf(p, "Task_ShowStartMenu", "sub_80712B4")))
			m.set32(p.RAM.SaveDialog, function(m.t, p, symbolOf(p, "SaveConfirmInputCallback", "SaveDialogCB_ProcessConfirmYesNoMenu")))
			m.set8(p.RAM.Menu+menuMax, 1)
		}, emu.ModeMenu, "yes_no", "yes-no: [yes] no"},
		"yes or no": {func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, "Task_HandleYesNoInput"))
			m.set8(p.RAM.Menu+menuMax, 1)
			m.set8(p.RAM.Menu+menuCursor, 1)
		}, emu.ModeMenu, "yes_no", "yes-no: yes [no]"},
		"grid of choices": {func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, "Task_HandleMultichoiceGridInput"))
			m.set8(p.RAM.Menu+menuMax, 3)
			m.set8(p.RAM.Menu+menuCursor, 2)
		}, emu.ModeMenu, "multichoice", "multichoice: choice-0 choice-1 [choice-2] choice-3"},
		"clerk": {func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, symbolOf(p, "Task_ShopMenu", "Task_DoBuySellMenu")))
			m.set8(p.RAM.Menu+menuMax, 2)
			m.set8(p.RAM.Menu+menuCursor, 1)
		}, emu.ModeMenu, "shop", "shop-menu: buy [sell] leave"},
		"storage clerk": {func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, symbolOf(p, "Task_PCMainMenu", "Task_PokemonStorageSystem")))
			m.set8(p.RAM.Menu+menuMax, 3)
		}, emu.ModeMenu, "pc", "storage-pc: [withdraw] deposit move move-items leave|storage-pc: [withdraw] deposit move leave"},
		"PC in a Pokémon Center": {func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, "PlayerPCProcessMenuInput"))
			m.set8(p.RAM.Menu+menuMax, 2)
		}, emu.ModeMenu, "pc", "player-pc: [item-storage] mailbox turn-off"},
		"PC at home": {func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, "PlayerPCProcessMenuInput"))
			m.set8(p.RAM.Menu+menuMax, 3)
		}, emu.ModeMenu, "pc", "player-pc: [item-storage] mailbox decoration turn-off"},
		"bag": {func(m *machine, p *Profile) {
			m.callback(p, symbolOf(p, "CB2_BagMenuRun", "sub_80A3118"), symbolOf(p, "Task_BagMenu_HandleInput", "sub_80A50C8"))
			m.bagOf(p, "poke-balls", 4, 3, 2)
			v := &p.Layout.Bag
			m.set8(p.RAM.BagState+v.pocket, 1)
			lists := max(p.RAM.BagState*min(v.pocket, 1), p.RAM.PocketScroll)
			m.set8(lists+v.cursor+v.stride, 1)
			m.set8(lists+v.scroll+v.stride, 1)
		}, emu.ModeMenu, "bag", "bag-poke-balls: X-item-4 X-item-3 [X-item-2] cancel"},
		"shop": {func(m *machine, p *Profile) {
			m.callback(p, symbolOf(p, "CB2_BuyMenu", "MainCB2/shop"), symbolOf(p, "Task_BuyMenu", "Shop_DoCursorAction"))
			v, cursor := &p.Layout.Shop, p.RAM.Shop
			m.set32(p.RAM.Shop+v.items, 0x08000300)
			m.copy(0x08000300, []byte{13, 0, 4, 0})
			m.set8(p.RAM.Shop+v.count, 2)
			if p.RAM.ShopHeap != 0 {
				cursor = 0x02010000
				m.set32(p.RAM.ShopHeap, cursor)
			}
			m.set8(cursor+v.row, 1)
		}, emu.ModeMenu, "shop", "shop-list: X-item-13 [X-item-4] cancel"},
		"decoration shop": {func(m *machine, p *Profile) {
			m.callback(p, symbolOf(p, "CB2_BuyMenu", "MainCB2/shop"), symbolOf(p, "Task_BuyMenu", "Shop_DoCursorAction"))
			m.set32(p.RAM.Shop+p.Layout.Shop.items, 0x08000300)
			m.set8(p.RAM.Shop+p.Layout.Shop.kind, 1)
		}, emu.ModeMenu, "shop", ""},
		"summary": {func(m *machine, p *Profile) {
			m.callback(p, symbolOf(p, "MainCB2_SummaryScreen", "sub_809D844"), "")
			data := p.RAM.SummaryData
			if data == 0 {
				data = 0x02010000
				m.set32(p.RAM.Summary, data)
			}
			m.set8(data+p.Layout.Summary.page, 2)
		}, emu.ModeMenu, "summary", "summary: info skills [moves] contest-moves"},
		"options": {func(m *machine, p *Profile) {
			m.set16(m.callback(p, symbolOf(p, "MainCB2_OptionMenu", "MainCB/options"), "Task_OptionMenuProcessInput"), 6)
		}, emu.ModeMenu, "options", "options: text-speed battle-scene battle-style sound button-mode frame [cancel]"},
		"party": {func(m *machine, p *Profile) {
			data := m.callback(p, symbolOf(p, "CB2_UpdatePartyMenu", "CB2_PartyMenuMain"), symbolOf(p, "Task_HandleChooseMonInput", "HandleDefaultPartyMenu"))
			c := creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33}, nickname: "A"}
			m.party(p, c, c)
			if p.RAM.PartyMenu != 0 {
				m.set8(p.RAM.PartyMenu+partySlot, 1)
				return
			}
			m.set16(data+6, 5<<8)
			m.set16(p.RAM.Sprites+5*spriteStride+spriteData, 1)
		}, emu.ModeMenu, "party", "party-menu: party-slot-0 [party-slot-1] cancel"},
		"naming": {func(m *machine, p *Profile) {
			m.callback(p, symbolOf(p, "CB2_NamingScreen", "C2_NamingScreen"), "")
			v, data := &p.Layout.Naming, p.RAM.SharedMem
			if data == 0 {
				data = 0x02010000
				m.set32(p.RAM.Naming, data)
			}
			m.text(data+v.text, "AB")
			m.set8(data+v.page, 2)
			m.set8(data+v.cursor, 3)
			m.set8(data+v.templateID, 3)
			m.set16(p.RAM.Sprites+3*spriteStride+spriteData, 5)
			m.set16(p.RAM.Sprites+3*spriteStride+spriteData+2, 2)
		}, emu.ModeNaming, "naming", "naming-screen: [typed-text] keyboard-page naming"},
		"main menu": {func(m *machine, p *Profile) {
			data := m.callback(p, "CB2_MainMenu", symbolOf(p, "Task_HandleMainMenuInput", "Task_MainMenuProcessKeyInput"))
			m.set16(data, 1)
			m.set16(data+2, 2)
		}, emu.ModeMenu, "main_menu", "main-menu: continue new-game [option]"},
		"speech": {func(m *machine, p *Profile) {
			m.callback(p, "CB2_MainMenu", symbolOf(p, "Task_NewGameBirchSpeech_BoyOrGirl", "Task_NewGameSpeech12"))
		}, emu.ModeUnknown, "new_game", ""},
		"title": {func(m *machine, p *Profile) {
			m.callback(p, "MainCB2/title", "")
		}, emu.ModeUnknown, "title", ""},
		"storage": {func(m *machine, p *Profile) {
			m.callback(p, symbolOf(p, "CB2_PokeStorage", "sub_8096B38"), "")
		}, emu.ModeMenu, "pc_storage", ""},
		"Pokédex": {func(m *machine, p *Profile) {
			m.set32(p.RAM.Main+mainCallback2, function(m.t, p, symbolOf(p, "CB2_Pokedex", "CB2_InitPokedex")))
		}, emu.ModeMenu, "pokedex", ""},
		"evolution": {func(m *machine, p *Profile) {
			m.callback(p, "CB2_EvolutionSceneUpdate", "")
		}, emu.ModeCutscene, "evolution", ""},
		"map load": {func(m *machine, p *Profile) { m.callback(p, "CB2_LoadMap2", "") }, emu.ModeCutscene, "transition", ""},
	}
}

func TestHoennScenes(t *testing.T) {
	for _, p := range hoennBuilds() {
		for name, scene := range hoennScenes() {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				m := newMachineOf(t, p, romOf)
				m.field(p, 20, 12, 13, 13)
				scene.set(m, p)
				st := Decode(m.mem, p)
				checkState(t, &st, p)
				equal(t, "mode", st.Scene.Mode, scene.mode)
				equal(t, "screen", st.Scene.Screen, scene.screen)
				emerald, ruby, differs := strings.Cut(scene.menu, "|")
				if !differs {
					ruby = emerald
				}
				equal(t, "menu", strings.ReplaceAll(menuText(st.Menu), p.Prefix, "X"), symbolOf(p, emerald, ruby))
			})
		}
	}
}

// TestWindowDialogs: Ruby and Sapphire print into windows of their own.
func TestWindowDialogs(t *testing.T) {
	p := ProfileFor("AXVE", 2)
	ram := &p.RAM
	for name, tt := range map[string]struct {
		state, index   int
		task, parked   bool
		open, wait     bool
		printing, text bool
	}{
		"old text":           {text: true},
		"done, box stays":    {text: true, task: true, open: true},
		"letters appear":     {text: true, task: true, state: 2, index: 1, open: true, printing: true},
		"waits to clear":     {text: true, task: true, state: 8, index: 3, open: true, wait: true},
		"waits to scroll":    {text: true, task: true, state: 9, index: 3, open: true, wait: true},
		"waits for A":        {text: true, task: true, state: 5, index: 3, open: true, wait: true},
		"script waits for A": {text: true, parked: true, open: true, wait: true},
		"window elsewhere":   {state: 2, index: 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			m.text(ram.StringVar4, "Hello there")
			m.set16(ram.FieldWindow+windowState, tt.state)
			m.set16(ram.FieldWindow+windowIndex, tt.index)
			if tt.text {
				m.set32(ram.FieldWindow+windowText, ram.StringVar4)
			}
			if tt.task {
				m.task(0, function(t, p, "Task_FieldMessageBox"))
			}
			if tt.parked {
				m.set8(ram.ScriptStatus, 1)
				m.set8(ram.ScriptContext+1, scriptModeNative)
				m.set32(ram.ScriptContext+4, function(t, p, "WaitForAorBPress"))
			}
			st := Decode(m.mem, p)
			checkState(t, &st, p)
			equal(t, "open", st.Dialog != nil, tt.open)
			equal(t, "waits", st.Scene.WaitingForDialogAdvance, tt.wait)
			if st.Dialog != nil {
				equal(t, "lines", st.Dialog.Lines, []string{"Hello there"})
				equal(t, "printing", st.Dialog.Printing, tt.printing)
			}
		})
	}
}

// TestWindowOfABattleThatIsOver: what the battle's window still waits for in
// memory is no box of the field, but one of the evolution that follows.
func TestWindowOfABattleThatIsOver(t *testing.T) {
	p := ProfileFor("AXVE", 2)
	m := newMachineOf(t, p, romOf)
	m.field(p, 20, 12, 13, 13)
	m.text(p.RAM.DisplayedString, "Got away safely!")
	m.set16(p.RAM.BattleWindow+windowState, windowWaitButton)
	m.set32(p.RAM.BattleWindow+windowText, p.RAM.DisplayedString)
	st := m.decode(p)
	equal(t, "on the field", []any{st.Dialog == nil, st.Scene.Mode}, []any{true, emu.ModeOverworld})
	m.callback(p, "CB2_EvolutionSceneUpdate", "")
	st = m.decode(p)
	equal(t, "in an evolution", []any{st.Dialog != nil, st.Scene.Mode}, []any{true, emu.ModeDialog})
}

// TestWindowDialogsInScreens: a message within a whole screen of Ruby and
// Sapphire is printed into the menus' window; it is open while that prints or
// waits, and old text is none.
func TestWindowDialogsInScreens(t *testing.T) {
	for _, p := range hoennBuilds() {
		if p.RAM.MenuWindow == 0 {
			continue
		}
		for name, tt := range map[string]struct {
			state, index        int
			text                bool
			open, wait, letters bool
			mode                emu.Mode
		}{
			"old text":       {text: true, mode: emu.ModeMenu},
			"letters appear": {text: true, state: 2, index: 1, open: true, letters: true, mode: emu.ModeDialog},
			"waits for A":    {text: true, state: 5, index: 3, open: true, wait: true, mode: emu.ModeDialog},
			"text elsewhere": {state: 2, index: 1, mode: emu.ModeMenu},
		} {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				m := newMachineOf(t, p, romOf)
				m.field(p, 20, 12, 13, 13)
				m.callback(p, "sub_80A3118", "")
				m.text(p.RAM.StringVar4, "Threw it away")
				m.set16(p.RAM.MenuWindow+windowState, tt.state)
				m.set16(p.RAM.MenuWindow+windowIndex, tt.index)
				if tt.text {
					m.set32(p.RAM.MenuWindow+windowText, p.RAM.StringVar4)
				}
				st := m.decode(p)
				equal(t, "open", st.Dialog != nil, tt.open)
				equal(t, "scene", st.Scene, emu.Scene{Mode: tt.mode, Screen: "bag", InputReady: false, WaitingForDialogAdvance: tt.wait})
				if st.Dialog != nil {
					equal(t, "lines", st.Dialog.Lines, []string{"Threw it away"})
					equal(t, "printing", st.Dialog.Printing, tt.letters)
				}
			})
		}
	}
}

func TestHoennBattle(t *testing.T) {
	for _, p := range hoennBuilds() {
		m := newMachineOf(t, p, romOf)
		m.field(p, 20, 12, 13, 13)
		b := battler{species: 280, level: 5, hp: 19, maxHP: 20, moves: [4]int{10}, pp: [4]int{35}, types: [2]int{10, 10}, nickname: "A"}
		m.battle(p, 4, b, b)
		m.set32(p.RAM.ControllerFuncs, function(t, p, symbolOf(p, "HandleInputChooseAction", "sub_802C098")))
		m.set32(p.RAM.ExecFlags, 1)
		st := Decode(m.mem, p)
		checkState(t, &st, p)
		equal(t, p.Name+" screen", string(st.Scene.Screen), "battle")
		equal(t, p.Name+" menu", menuText(st.Menu), "battle-action-menu: [fight] bag pokemon run")
		equal(t, p.Name+" kind", st.Battle.Kind, "wild")
	}
	for flags, want := range map[uint32]string{0x8008: "two trainers", 0x8049: "multi", 0x200: "tutorial", 0x80: "safari", 0x1: "double", 0x10008: "trainer"} {
		equal(t, "kind", emeraldLayout.battleKind(flags), want)
	}
}

func TestHoennBehaviors(t *testing.T) {
	for raw, want := range map[uint8]uint16{
		0x00: 0, 0x02: 0x02, 0x20: 0x23, 0x22: 0x12, 0x38: 0x38, 0x62: 0x62, 0x69: 0x69, 0x71: foreign(0x71), 0x6C: 0x60,
		0x54: foreign(0x54), 0xD0: 0x43, 0xD1: foreign(0xD1), 0xEA: foreign(0xEA),
	} {
		equal(t, "behaviour", hoennBehaviors[raw], want)
	}
}
