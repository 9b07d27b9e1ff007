package gen3

import (
	"slices"
	"strconv"
	"strings"

	"clankie/emu"
)

// Ids of the menus.
const (
	menuHelp         = "help-system"
	menuNaming       = "naming-screen"
	menuYesNo        = "yes-no"
	menuMultichoice  = "multichoice"
	menuParty        = "party-menu"
	menuPartyActions = "party-actions"
	menuBagPrefix    = "bag-"
	menuItemActions  = "item-actions"
	menuBattleAction = "battle-action-menu"
	menuBattleMove   = "battle-move-menu"
	menuBattleTarget = "battle-target"
	menuBattleSwap   = "battle-move-swap"
	menuSafari       = "safari-action-menu"
	menuStart        = "start-menu"
	menuMain         = "main-menu"
	menuShop         = "shop-menu"
	menuShopList     = "shop-list"
	menuList         = "list-window"
	menuOptions      = "options"
	menuSummary      = "summary"
	menuForget       = "forget-move"
	menuDex          = "pokedex-list"
	menuStoragePC    = "storage-pc"
	menuPlayerPC     = "player-pc"
	menuItemStorage  = "item-storage"
	menuMailOptions  = "mail-actions"
)

// entryCancel leaves a menu.
var entryCancel = emu.MenuEntry{ID: "cancel", Label: "Cancel"}

// Offsets in struct Menu (sMenu).
const (
	menuCursor = 2
	menuMin    = 3
	menuMax    = 4

	menuEntriesMax = 16 // what the wire format shows of a list
)

// menu reads the open menu, the one that lies on top.
func (d *decoder) menu() *emu.Menu {
	if d.now.help {
		return &emu.Menu{ID: menuHelp, Entries: []emu.MenuEntry{{ID: "close-help", Label: "Close help"}}}
	}
	if m := d.boxMenu(); m != nil {
		return m
	}
	if m := d.screenMenu(); m != nil {
		return m
	}
	if _, said := d.st.Undecoded[partMenu]; !said {
		d.absent(partMenu, "no menu is open")
	}
	return nil
}

// screenMenu reads the menu that is the screen itself.
func (d *decoder) screenMenu() *emu.Menu {
	switch d.now.role {
	case roleNaming, roleNamingLoading:
		return namingMenu(d.st.Naming)
	case roleParty:
		return d.partyMenu()
	case roleBag:
		return d.bagMenu()
	case roleBuyMenu:
		return d.shopList()
	case roleSummary:
		return d.summaryMenu()
	case roleOptions:
		return d.optionsMenu()
	case roleMainMenu:
		return d.mainMenu()
	case roleStorage:
		return d.storageMenu()
	case roleScreen:
		return d.otherScreenMenu()
	case roleBattle:
		return d.battleMenu(d.st.Battle)
	case roleField:
		if d.now.hasTask(roleListWindow) {
			return d.listMenu(menuList)
		}
		return d.startMenu()
	}
	return nil
}

// otherScreenMenu reads what is common to screens without a decoder of their
// own: the list they scroll over, or what to do with its line.
func (d *decoder) otherScreenMenu() *emu.Menu {
	switch {
	case d.now.hasTask(roleItemActions):
		return d.itemActions()
	case d.now.screen == "pokedex" && d.p.RAM.Pokedex != 0:
		return d.dexMenu()
	case d.now.hasTask(roleListMenu):
		return d.listMenu(strings.ReplaceAll(string(d.now.screen), "_", "-") + "-list")
	}
	d.absent(partMenu, "this screen's menu is not decoded")
	return nil
}

// boxMenu reads the small menus that lie over a screen.
func (d *decoder) boxMenu() *emu.Menu {
	if d.now.hasTask(roleYesNo) || d.saveDialogAsks() {
		return d.yesNo(d.cursorBox().cursor)
	}
	if cursor, ok := d.battleYesNo(); ok {
		return d.yesNo(cursor)
	}
	if data, ok := d.now.task(d, roleMultichoice); ok {
		return d.multichoice(d.s16(data + multichoiceID))
	}
	if d.now.hasTask(roleMultichoiceGrid) {
		m := d.multichoice(noMultichoice)
		m.Columns = d.gridColumns(len(m.Entries))
		return m
	}
	if d.now.role == roleField {
		return d.fieldBoxMenu()
	}
	return nil
}

// fieldBoxMenu reads the small menus that only the field opens.
func (d *decoder) fieldBoxMenu() *emu.Menu {
	l := &d.p.Layout
	switch {
	case d.now.hasTask(roleShopMenu):
		return d.listed(menuShop, shopEntries)
	case d.now.hasTask(roleStoragePC):
		return d.listed(menuStoragePC, l.StoragePC)
	case d.now.hasTask(rolePlayerPC):
		return d.playerPC(l.PlayerPC)
	case d.now.hasTask(roleItemStorage):
		return d.listed(menuItemStorage, l.ItemStorage)
	case d.now.hasTask(roleMailOptions):
		return d.listed(menuMailOptions, mailEntries)
	}
	return nil
}

// mailEntries is what can be done with a letter.
var mailEntries = entries("read", "Read", "move-to-bag", "Move to bag", "give", "Give", "cancel", "Cancel")

// shopEntries is what a shop's clerk offers.
var shopEntries = entries("buy", "Buy", "sell", "Sell", "leave", "See ya!")

// playerPC leaves out decoration where the open list is shorter by one: only
// the PC in the player's own room offers it.
func (d *decoder) playerPC(all []emu.MenuEntry) *emu.Menu {
	if len(all) == 4 && d.cursorBox().count == 3 {
		all = append(slices.Clone(all[:2]), all[3])
	}
	return d.listed(menuPlayerPC, all)
}

// cursorBox is sMenu, brought into order.
type cursorBox struct{ cursor, count int }

func (d *decoder) cursorBox() cursorBox {
	at := d.p.RAM.Menu
	first, last := d.s8(at+menuMin), d.s8(at+menuMax)
	count := min(max(last-first+1, 1), menuEntriesMax)
	cursor := min(max(d.s8(at+menuCursor)-first, 0), count-1)
	return cursorBox{cursor, count}
}

// listed is a menu with known entries whose cursor sMenu holds.
func (d *decoder) listed(id string, entries []emu.MenuEntry) *emu.Menu {
	return &emu.Menu{
		ID: id, Cursor: min(d.cursorBox().cursor, len(entries)-1), Entries: slices.Clone(entries), Prompt: d.question(),
	}
}

func (d *decoder) yesNo(cursor int) *emu.Menu {
	return &emu.Menu{
		ID: menuYesNo, Cursor: min(cursor, 1), Prompt: d.question(),
		Entries: []emu.MenuEntry{{ID: "yes", Label: "Yes"}, {ID: "no", Label: "No"}},
	}
}

// question is the text of the box that a small menu lies over.
func (d *decoder) question() []string {
	text, n := d.p.RAM.StringVar4, d.p.Layout.StringVar4Bytes
	if d.now.inBattle && d.now.role == roleBattle || d.now.screen == "evolution" {
		text, n = d.p.RAM.DisplayedString, battleStringBytes
	}
	return lines(d.bytes(text, n), n)
}

// saveDialogAsks reports whether the save dialogue's yes/no box takes input.
func (d *decoder) saveDialogAsks() bool {
	return d.now.hasTask(roleStartMenu) &&
		d.p.codeAt(d.u32(d.p.RAM.StartMenuCallback)).role != roleStartInput &&
		d.p.codeAt(d.u32(d.p.RAM.SaveDialog)).role == roleSaveYesNo
}

// Battle script commands that ask yes or no themselves, with learnMoveState or
// gBattleCommunication[0] at 1 while they do.
const (
	scriptYesNo          = 0x67
	scriptLearnYesNo     = 0x5A
	scriptStopLearnYesNo = 0x5B
	scriptNicknameYesNo  = 0xF3

	communicationCursor = 1
)

// battleYesNo finds the yes/no box of a battle script, or of a controller: of
// Emerald's Battle Frontier, where one is asked whether to give up.
func (d *decoder) battleYesNo() (cursor int, ok bool) {
	ram := &d.p.RAM
	if d.now.role != roleBattle || !d.now.inBattle {
		return 0, false
	}
	if _, asks := d.controllerIn(roleChooseYesNo); asks {
		return int(d.u8(ram.TargetCursor) & 1), true // gMultiUsePlayerCursor
	}
	at := d.u32(ram.BattleScript)
	if !inROM(at) {
		return 0, false
	}
	state := d.u8(ram.BattleCommunication)
	switch d.u8(at) {
	case scriptYesNo, scriptNicknameYesNo:
	case scriptLearnYesNo, scriptStopLearnYesNo:
		state = d.u8(ram.LearnMoveState)
	default:
		return 0, false
	}
	return int(d.u8(ram.BattleCommunication+communicationCursor) & 1), state == 1
}

// The multichoice task keeps its list's id in data[7].
const multichoiceID = 7 * 2

// noMultichoice is the id of no list: a grid's task does not keep it.
const noMultichoice = -1

// multichoice reads a script's list of choices. Labels come from the game's
// own lists; where the task names none they are numbers.
func (d *decoder) multichoice(list int) *emu.Menu {
	box := d.cursorBox()
	m := &emu.Menu{ID: menuMultichoice, Cursor: box.cursor, Prompt: d.question()}
	for i := range box.count {
		label := d.multichoiceLabel(list, i, box.count)
		if label == "" {
			label = "Choice " + strconv.Itoa(i+1)
		}
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "choice-" + strconv.Itoa(i), Label: label})
	}
	return m
}

// gridColumns is how many columns a grid of n choices has.
func (d *decoder) gridColumns(n int) int {
	return min(max(int(d.u8(d.p.RAM.Menu+d.p.Layout.MenuColumns)), 1), n)
}

// multichoiceLabel reads entry i of a list of sMultichoiceLists, whose rows are
// {pointer, u8 count} and point to {text pointer, unused} rows. A list of
// another length than the open box is not the one that is open.
func (d *decoder) multichoiceLabel(list, i, count int) string {
	if d.tables.Multichoice == 0 || list < 0 || list >= d.p.Layout.Multichoices {
		return ""
	}
	row := d.bytes(d.tables.Multichoice+uint32(list*8), 8)
	if row == nil || int(row[4]) != count || !inROM(le32(row, 0)) {
		return ""
	}
	text := d.u32(le32(row, 0) + uint32(i*8))
	if !inROM(text) {
		return ""
	}
	return cleanLine(d.textAt(text, 64))
}

// battleMenu is the menu of what the battle asks.
func (d *decoder) battleMenu(b *emu.Battle) *emu.Menu {
	if b == nil {
		return nil
	}
	if i, swaps := d.controllerIn(roleSwapMove); swaps {
		return d.swapMenu(battlerAt(b, i))
	}
	switch b.Prompt {
	case emu.PromptAction:
		if b.Kind == "safari" {
			return &emu.Menu{ID: menuSafari, Cursor: b.ActionCursor, Entries: slices.Clone(d.p.Layout.SafariActions)}
		}
		return &emu.Menu{ID: menuBattleAction, Cursor: b.ActionCursor, Entries: []emu.MenuEntry{
			{ID: "fight", Label: "Fight"}, {ID: "bag", Label: "Bag"}, {ID: "pokemon", Label: "Pokémon"}, {ID: "run", Label: "Run"},
		}}
	case emu.PromptMove:
		return moveMenu(menuBattleMove, b.Asked(), b.MoveCursor)
	case emu.PromptTarget:
		return d.targetMenu(b)
	}
	return nil
}

// moveMenu lists all four slots, so that the cursor indexes the entries; a
// slot without a move is empty-N.
func moveMenu(id string, own *emu.Battler, cursor int) *emu.Menu {
	m := &emu.Menu{ID: id, Cursor: cursor}
	for i := range 4 {
		e := emu.MenuEntry{ID: "empty-" + strconv.Itoa(i), Label: "-"}
		if own != nil && i < len(own.Moves) && own.Moves[i].ID != 0 {
			e = emu.MenuEntry{ID: own.Moves[i].MoveID, Label: label(own.Moves[i].Name, own.Moves[i].MoveID)}
		}
		m.Entries = append(m.Entries, e)
	}
	return m
}

// swapMenu lists the moves of which one is to change places with the one that
// was chosen before.
func (d *decoder) swapMenu(own *emu.Battler) *emu.Menu {
	m := moveMenu(menuBattleSwap, own, min(int(d.u8(d.p.RAM.TargetCursor)), cursorMax)) // gMultiUsePlayerCursor
	m.Columns = 2
	return m
}

// targetMenu lists the battlers that still stand; the cursor is
// gMultiUsePlayerCursor's.
func (d *decoder) targetMenu(b *emu.Battle) *emu.Menu {
	m := &emu.Menu{ID: menuBattleTarget}
	cursor := int(d.u8(d.p.RAM.TargetCursor))
	for i := range b.Battlers {
		t := &b.Battlers[i]
		if t.Absent && t.Index != cursor {
			continue
		}
		if t.Index == cursor {
			m.Cursor = len(m.Entries)
		}
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "battler-" + strconv.Itoa(t.Index), Label: label(t.Nickname, t.SpeciesName, t.SpeciesID)})
	}
	if len(m.Entries) == 0 {
		d.torn(partMenu, "nobody stands who could be aimed at")
		return nil
	}
	return m
}

// label is the first of its arguments that is not blank.
func label(candidates ...string) string {
	for _, c := range candidates {
		if c = cleanLine(c); c != "" {
			return c
		}
	}
	return "-"
}

const startMenuMax = 9

// startMenu reads the start menu while it takes input.
func (d *decoder) startMenu() *emu.Menu {
	ram := &d.p.RAM
	if !d.now.hasTask(roleStartMenu) || d.p.codeAt(d.u32(ram.StartMenuCallback)).role != roleStartInput {
		return nil
	}
	n := int(d.u8(ram.StartMenuCount))
	if n < 1 || n > startMenuMax {
		d.torn(partMenu, "the start menu is being set up")
		return nil
	}
	m := &emu.Menu{ID: menuStart, Cursor: min(int(d.u8(ram.StartMenuCursor)), n-1)}
	for i := range n {
		v := int(d.u8(ram.StartMenuOrder + uint32(i)))
		if v >= len(d.p.Layout.StartMenu) {
			d.torn(partMenu, "the start menu is being set up")
			return nil
		}
		m.Entries = append(m.Entries, d.p.Layout.StartMenu[v])
	}
	return m
}

// namingMenu tells a reader of menus that a keyboard is open.
func namingMenu(n *emu.Naming) *emu.Menu {
	m := &emu.Menu{ID: menuNaming}
	if n == nil {
		return nil
	}
	if n.Loading {
		m.Entries = []emu.MenuEntry{{ID: "loading", Label: "The keyboard is opening"}}
		return m
	}
	m.Entries = []emu.MenuEntry{
		{ID: "typed-text", Label: label(n.Text)},
		{ID: "keyboard-page", Label: n.Page},
		{ID: "naming", Label: namingSubjects[n.Template]},
	}
	return m
}

// namingSubjects are what the templates name.
var namingSubjects = [...]string{"player", "storage box", "caught Pokémon", "nickname", "rival"}

// mainMenu reads the menu before the game: without a save only a new game,
// with one what else is unlocked. Its task keeps the menu's kind in data[0] and
// the cursor in data[1].
func (d *decoder) mainMenu() *emu.Menu {
	data, ok := d.now.task(d, roleMainMenuInput)
	kind, cursor := d.s16(data), d.s16(data+2)
	menus := d.p.Layout.MainMenus
	if !ok || kind < 0 || kind >= len(menus) {
		return nil
	}
	return &emu.Menu{ID: menuMain, Cursor: min(max(cursor, 0), len(menus[kind])-1), Entries: slices.Clone(menus[kind])}
}
