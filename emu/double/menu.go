package double

import (
	"fmt"

	"clankie/emu"
)

// Ids of the menus and of the entries that do something.
const (
	startMenuID  = "start-menu"
	partyMenuID  = "party-menu"
	bagMenuID    = "bag-items"
	battleMenuID = "battle-move-menu"

	entryParty  = "start-menu-1"
	entryBag    = "start-menu-2"
	entryExit   = "start-menu-6"
	entryCancel = "cancel"
)

var cancel = emu.MenuEntry{ID: entryCancel, Label: "CANCEL"}

func startMenu() *menu {
	return &menu{MenuID: startMenuID, Entries: []emu.MenuEntry{
		{ID: entryParty, Label: "POKéMON"}, {ID: entryBag, Label: "BAG"}, {ID: entryExit, Label: "EXIT"},
	}}
}

func moveMenu(moves []Move) *menu {
	m := &menu{MenuID: battleMenuID}
	for _, move := range moves {
		m.Entries = append(m.Entries, emu.MenuEntry{ID: move.MoveID, Label: move.MoveID})
	}
	return m
}

func (m *machine) partyMenu() *menu {
	out := &menu{MenuID: partyMenuID}
	for _, p := range m.party {
		out.Entries = append(out.Entries, emu.MenuEntry{ID: fmt.Sprintf("party-slot-%d", p.Slot), Label: p.SpeciesID})
	}
	out.Entries = append(out.Entries, cancel)
	return out
}

func (m *machine) bagMenu() *menu {
	out := &menu{MenuID: bagMenuID}
	for _, i := range m.items {
		out.Entries = append(out.Entries, emu.MenuEntry{ID: i.ItemID, Label: i.ItemID})
	}
	out.Entries = append(out.Entries, cancel)
	return out
}

func (m *machine) pressInMenu(b emu.Button) {
	switch b {
	case emu.ButtonUp:
		m.menu.Cursor = max(m.menu.Cursor-1, 0)
	case emu.ButtonDown:
		m.menu.Cursor = min(m.menu.Cursor+1, len(m.menu.Entries)-1)
	case emu.ButtonB:
		if m.menu.MenuID == startMenuID {
			m.menu = nil
		} else {
			m.menu = startMenu()
		}
	case emu.ButtonA:
		if m.menu.MenuID == startMenuID {
			m.choose(m.menu.Entries[m.menu.Cursor].ID)
		}
	}
}

func (m *machine) choose(entry string) {
	switch entry {
	case entryParty:
		m.menu = m.partyMenu()
	case entryBag:
		m.menu = m.bagMenu()
	case entryExit:
		m.menu = nil
	}
}
