package gen3

import (
	"strings"
	"testing"

	"clankie/emu"
)

// menuCase is a menu of some builds: how it comes about and how it reads.
type menuCase struct {
	builds string // names of profiles, "" for all
	set    func(m *machine, p *Profile)
	want   string // as menuText has it, without the game's prefix
	grid   int    // its columns
}

// familySymbol picks a symbol by family.
func familySymbol(p *Profile, fireRed, emerald, ruby string) string {
	if p.Layout.Behaviors == nil {
		return fireRed
	}
	return symbolOf(p, emerald, ruby)
}

// openBag brings the bag's list of actions up, with the actions of a list.
func (m *machine) openBag(p *Profile, task string, cursor int, actions ...byte) {
	m.callback(p, familySymbol(p, "CB2_BagMenuRun", "CB2_BagMenuRun", "sub_80A3118"), task)
	m.actionList(p.RAM.ItemActions, &p.Layout.ItemActions, actions)
	m.set8(p.RAM.Menu+menuMax, len(actions)-1)
	m.set8(p.RAM.Menu+menuCursor, cursor)
	if p.RAM.PopupCount != 0 {
		m.set8(p.RAM.PopupCount, len(actions))
		m.set8(p.RAM.PopupCursor, cursor)
	}
}

// actionList puts a list of actions where a family keeps it.
func (m *machine) actionList(at uint32, v *actionView, actions []byte) {
	const list, heap = 0x02011000, 0x02012000
	m.copy(list, actions)
	if v.nested {
		m.set32(at, heap)
		at = heap
	}
	m.set32(at+v.list, list)
	if v.count != 0 {
		m.set8(at+v.count, len(actions))
	}
}

// summary opens the summary screen of a creature with two moves in a mode.
func (m *machine) summary(p *Profile, mode, newMove, cursor int) {
	m.callback(p, familySymbol(p, "CB2_RunPokemonSummaryScreen", "MainCB2_SummaryScreen", "sub_809D844"), "")
	data, v := p.RAM.SummaryData, &p.Layout.Summary
	if data == 0 {
		data = 0x02010000
		m.set32(p.RAM.Summary, data)
	}
	c := creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33, 45}, nickname: "A"}
	m.copy(data+v.mon, c.record(m.t))
	m.set8(data+v.mode, mode)
	m.set16(data+v.newMove, newMove)
	if v.cursor != 0 {
		m.set8(data+v.cursor, cursor)
	} else {
		m.set8(p.RAM.SummaryMove, cursor)
	}
}

// openBoxes brings the storage boxes up with a creature in place 7 of box 2.
func (m *machine) openBoxes(p *Profile, area, slot int) {
	m.callback(p, familySymbol(p, "CB2_PokeStorage", "CB2_PokeStorage", "sub_8096B38"), "")
	if p.RAM.SharedMem != 0 {
		m.set32(p.RAM.SharedMem, function(m.t, p, "sub_8097078"))
	} else {
		m.task(0, function(m.t, p, "Task_PokeStorageMain"))
	}
	at := p.RAM.Storage
	if at == 0 {
		at = 0x02029314
		m.set32(p.RAM.StoragePtr, at)
	}
	m.set8(at, 1)
	m.text(at+storageNames+boxNameBytes, "BOX 2")
	c := creature{personality: 8, species: 25, nickname: "AMY"}
	m.copy(at+storageBoxes+uint32((boxSlots+7)*boxBytes), c.record(m.t)[:boxBytes])
	m.set8(p.RAM.StorageCursor, area)
	m.set8(p.RAM.StorageCursor+1, slot)
}

// openDex brings up a Pokédex of three lines, of which the second is not seen.
func (m *machine) openDex(p *Profile, selected int) {
	const view = 0x02010000
	m.callback(p, symbolOf(p, "CB2_Pokedex", "MainCB/pokedex"), symbolOf(p, "Task_HandlePokedexInput", "Task_PokedexMainScreen"))
	m.set32(p.RAM.Pokedex, view)
	for i, number := range []int{25, 26, 252} {
		m.set16(view+uint32(i*dexViewEntry), number)
		m.set8(view+uint32(i*dexViewEntry)+2, 1-i%2)
	}
	m.set16(view+dexViewCount, 3)
	m.set16(view+dexViewSelected, selected)
	m.set16(p.Tables.DexNumbers+2*(25-1), 25)
	m.set16(p.Tables.DexNumbers+2*(277-1), 252)
	m.text(p.Tables.SpeciesNames+25*speciesNameStride, "SPARK")
	m.text(p.Tables.SpeciesNames+277*speciesNameStride, "LEAF")
}

const (
	hoennOnly   = "emerald ruby sapphire_rev2"
	fireRedOnly = "firered leafgreen_rev1 bramble"
)

func menuCases() map[string]menuCase {
	return map[string]menuCase{
		"FireRed's bag": {fireRedOnly, func(m *machine, p *Profile) {
			m.openBag(p, "Task_FieldItemContextMenuHandleInput", 2, 0, 3, 1, 4)
		}, "item-actions: use give [toss] cancel", 0},
		"FireRed's case": {fireRedOnly, func(m *machine, p *Profile) {
			m.callback(p, "CB2_Idle", "Task_ContextMenu_HandleInput")
			m.actionList(p.RAM.CaseActions, &p.Layout.CaseActions, []byte{0, 1, 2})
			m.set8(p.RAM.Menu+menuMax, 2)
		}, "item-actions: [use] give exit", 0},
		"FireRed's pouch": {fireRedOnly, func(m *machine, p *Profile) {
			m.callback(p, "CB2_BerryPouchIdle", "Task_NormalContextMenu_HandleInput")
			m.actionList(p.RAM.PouchActions, &p.Layout.PouchActions, []byte{0, 2, 1, 3})
			m.set8(p.RAM.Menu+menuMax, 3)
			m.set8(p.RAM.Menu+menuCursor, 3)
		}, "item-actions: use give toss [exit]", 0},
		"Emerald's bag, two actions": {"emerald", func(m *machine, p *Profile) {
			m.openBag(p, "Task_ItemContext_SingleRow", 1, 3, 4)
		}, "item-actions: give [cancel]", 0},
		"Emerald's bag, a grid": {"emerald", func(m *machine, p *Profile) {
			m.openBag(p, "Task_ItemContext_MultipleRows", 3, 9, 14, 0, 3, 1, 4)
		}, "item-actions: check-tag empty-1 use [give] toss cancel", 2},
		"Ruby's bag goes by columns": {"ruby sapphire_rev2", func(m *machine, p *Profile) {
			m.openBag(p, "sub_80A5414", 2, 0, 6, 1, 2)
		}, "item-actions: use [toss] give cancel", 2},
		"Ruby's berries": {"ruby", func(m *machine, p *Profile) {
			m.openBag(p, "sub_80A5600", 4, 7, 0, 6, 1, 2, 8)
		}, "item-actions: check-tag toss use [cancel] give empty-5", 2},
		"actions that are not there": {"emerald", func(m *machine, p *Profile) {
			m.openBag(p, "Task_ItemContext_SingleRow", 0, 0, 4)
			m.set32(p.RAM.ItemActions, 0)
		}, "item-actions: [action-1] action-2", 0},
		"an action nobody knows": {"firered", func(m *machine, p *Profile) {
			m.openBag(p, "Task_FieldItemContextMenuHandleInput", 1, 200, 4)
		}, "item-actions: action-200 [cancel]", 0},
		"a move for another": {"", func(m *machine, p *Profile) {
			m.summary(p, p.Layout.Summary.choosing[0], 99, 1)
		}, "forget-move: X-move-33 [X-move-45] empty-2 empty-3 give-up", 0},
		"a move for none": {"", func(m *machine, p *Profile) {
			choosing := p.Layout.Summary.choosing
			m.summary(p, choosing[len(choosing)-1], 0, 4)
		}, "forget-move: X-move-33 X-move-45 empty-2 empty-3 [cancel]", 0},
		"a cursor beyond the moves": {"", func(m *machine, p *Profile) {
			m.summary(p, p.Layout.Summary.choosing[0], 99, 200)
		}, "forget-move: X-move-33 X-move-45 empty-2 empty-3 [give-up]", 0},
		"Pokédex": {hoennOnly, func(m *machine, p *Profile) { m.openDex(p, 2) }, "pokedex-list: line-0 line-1 [line-2]", 0},
		"a box": {"", func(m *machine, p *Profile) {
			m.openBoxes(p, areaBox, 8)
		}, "storage-box: place-6 place-7 [place-8] place-9 place-10 place-11 place-12 place-13 place-14 place-15 place-16 place-17", boxColumns},
		"a box's last row": {"", func(m *machine, p *Profile) {
			m.openBoxes(p, areaBox, 29)
		}, "storage-box: place-18 place-19 place-20 place-21 place-22 place-23 place-24 place-25 place-26 place-27 place-28 [place-29]", boxColumns},
		"the party beside the boxes": {"", func(m *machine, p *Profile) {
			m.openBoxes(p, areaParty, partyClose)
		}, "storage-party: party-slot-0 party-slot-1 party-slot-2 party-slot-3 party-slot-4 party-slot-5 [close]", 0},
		"a box's title":        {"", func(m *machine, p *Profile) { m.openBoxes(p, areaTitle, 0) }, "storage-title: [box-2]", 0},
		"buttons of the boxes": {"", func(m *machine, p *Profile) { m.openBoxes(p, areaButtons, 1) }, "storage-buttons: party [close]", 2},
		"a cursor in no box":   {"", func(m *machine, p *Profile) { m.openBoxes(p, areaBox, boxSlots) }, "", 0},
		"boxes that are busy": {"", func(m *machine, p *Profile) {
			m.callback(p, familySymbol(p, "CB2_PokeStorage", "CB2_PokeStorage", "sub_8096B38"), "")
		}, "", 0},
		"item storage": {"firered emerald ruby", func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, familySymbol(p, "Task_TopMenu_ItemStorageSubmenu_HandleInput", "ItemStorageMenuProcessInput", "ItemStorageMenuProcessInput")))
			m.set8(p.RAM.Menu+menuMax, 3)
			m.set8(p.RAM.Menu+menuCursor, 1)
		}, "item-storage: withdraw [deposit] cancel|item-storage: withdraw [deposit] toss cancel", 0},
		"a letter": {"leafgreen emerald sapphire", func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, familySymbol(p, "Task_MailSubmenuHandleInput", "Mailbox_MailOptionsProcessInput", "Mailbox_MailOptionsProcessInput")))
			m.set8(p.RAM.Menu+menuMax, 3)
		}, "mail-actions: [read] move-to-bag give cancel", 0},
		"choices side by side": {"firered emerald ruby sapphire_rev2", func(m *machine, p *Profile) {
			m.task(0, function(m.t, p, familySymbol(p, "Hask_MultichoiceGridMenu_HandleInput", "Task_HandleMultichoiceGridInput", "Task_HandleMultichoiceGridInput")))
			m.set8(p.RAM.Menu+menuMax, 5)
			m.set8(p.RAM.Menu+p.Layout.MenuColumns, 3)
		}, "multichoice: [choice-0] choice-1 choice-2 choice-3 choice-4 choice-5", 3},
	}
}

func TestMenus(t *testing.T) {
	for name, tt := range menuCases() {
		for _, p := range Profiles {
			if tt.builds != "" && !strings.Contains(" "+tt.builds+" ", " "+p.Name+" ") {
				continue
			}
			t.Run(name+"/"+p.Name, func(t *testing.T) {
				m := newMachineOf(t, p, romOf)
				m.field(p, 20, 12, 13, 13)
				tt.set(m, p)
				st := Decode(m.mem, p)
				checkState(t, &st, p)
				want := tt.want
				if fireRed, hoenn, differ := strings.Cut(want, "|"); differ {
					want = familySymbol(p, fireRed, hoenn, hoenn)
				}
				equal(t, "menu", strings.ReplaceAll(menuText(st.Menu), p.Prefix, "X"), want)
				if st.Menu != nil {
					equal(t, "columns", st.Menu.Columns, tt.grid)
				}
			})
		}
	}
}

func TestMenuLabels(t *testing.T) {
	p := ProfileFor("BPEE", 0)
	m := newMachineOf(t, p, romOf)
	m.field(p, 20, 12, 13, 13)
	m.openDex(p, 0)
	m.text(p.Tables.MoveNames+45*moveNameStride, "GROWL")
	m.text(p.Tables.MoveNames+99*moveNameStride, "RAGE")
	labels := func() (out []string) {
		t.Helper()
		st := Decode(m.mem, p)
		for _, e := range st.Menu.Entries {
			out = append(out, e.Label)
		}
		return out
	}
	equal(t, "Pokédex", labels(), []string{"SPARK", "26", "LEAF"})
	m.set16(p.Tables.DexNumbers, 500) // a cartridge that moved the table
	equal(t, "Pokédex without numbers", labels(), []string{"25", "26", "252"})
	m.summary(p, 3, 99, 0)
	equal(t, "moves", labels()[1:], []string{"GROWL", "-", "-", "Give up on RAGE"})
	m.openBoxes(p, areaBox, 0)
	equal(t, "box", labels()[6:9], []string{"-", "AMY", "-"})
}

// Who fell and is not replaced stays in the list, is no target, and is not the
// one whom moves are measured against.
func TestEmptyPlace(t *testing.T) {
	fallen := foe()
	fallen.hp, fallen.types = 0, [2]int{12, 12}
	second := foe()
	second.types = [2]int{10, 10}
	m, p := battleMachine(t, battleDouble|battleTrainer, own(), fallen, own(), second)
	m.copy(p.Tables.TypeChart, []byte{10, 12, 20, 10, 10, 5, 13, 12, 20, 0xFF, 0xFF, 0})
	m.copy(p.Tables.Moves+52*moveStride, []byte{0, 40, 10, 100, 25})
	m.set8(p.RAM.AbsentBattlers, 1<<1)
	m.set8(p.RAM.TargetCursor, 3)
	m.asks(p, 0, "HandleInputChooseTarget")
	st := m.decode(p)
	equal(t, "absent", []bool{st.Battle.Battlers[0].Absent, st.Battle.Battlers[1].Absent, st.Battle.Battlers[3].Absent}, []bool{false, true, false})
	equal(t, "opponent", st.Battle.Opponent().Index, 3)
	equal(t, "targets", menuText(st.Menu), "battle-target: battler-0 battler-2 [battler-3]")
	equal(t, "against who stands", st.Battle.LegalMoves[0].Effectiveness, 0.5)
	m.set8(p.RAM.AbsentBattlers, 1<<1|1<<3)
	equal(t, "none stands", m.decode(p).Battle.Opponent().Index, 1)
	own := emu.Battle{Battlers: []emu.Battler{{Index: 0, Side: "player", Absent: true}, {Index: 2, Side: "player"}}}
	equal(t, "own", own.Own().Index, 2)
}

// Two members of one name are told apart, but an egg tells nothing of itself.
func TestPartyOfOneName(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	m.callback(p, "CB2_UpdatePartyMenu", "Task_HandleChooseMonInput")
	amy := creature{personality: 8, species: 25, level: 12, hp: 31, maxHP: 35, nickname: "AMY"}
	other, egg := amy, amy
	other.personality, egg.egg = 0x1F0009, true
	bert := amy
	bert.nickname = "BERT"
	m.party(p, amy, egg, other, egg, bert)
	var labels []string
	for _, e := range m.decode(p).Menu.Entries {
		labels = append(labels, e.Label)
	}
	equal(t, "labels", labels, []string{"AMY (00000008)", "EGG", "AMY (001F0009)", "EGG", "BERT", "Cancel"})
}
