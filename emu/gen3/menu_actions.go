package gen3

import (
	"strconv"

	"clankie/emu"
)

// actionView says where a family keeps what can be done with the line of a
// list: a pointer to a list of the actions' numbers, and how many there are.
// The offsets are from the profile's variable or, nested, from where it points.
type actionView struct {
	nested      bool
	list, count uint32
	names       []emu.MenuEntry // by number; without an id where nothing can be chosen
	columns     int             // of a list of more than two; 0 for one below the other
	byColumn    bool            // the list goes down the first column, then down the next
}

const itemActionsMax = 8

// itemActionEntries begin the actions of FireRed, LeafGreen and Emerald alike.
var itemActionEntries = entries(
	"use", "Use", "toss", "Toss", "register", "Register", "give", "Give", "cancel", "Cancel", "use", "Use", "check", "Check",
)

// itemActions reads the list of what to do with an item.
func (d *decoder) itemActions() *emu.Menu {
	l, ram := &d.p.Layout, &d.p.RAM
	switch d.now.screen {
	case "tm_case":
		return d.actions(&l.CaseActions, ram.CaseActions)
	case "berry_pouch":
		return d.actions(&l.PouchActions, ram.PouchActions)
	}
	return d.actions(&l.ItemActions, ram.ItemActions)
}

func (d *decoder) actions(v *actionView, at uint32) *emu.Menu {
	if v.nested {
		at = d.u32(at)
	}
	count, cursor := int(d.u8(at+v.count)), d.cursorBox().cursor
	if ram := &d.p.RAM; ram.PopupCount != 0 {
		count, cursor = int(d.u8(ram.PopupCount)), int(d.u8(ram.PopupCursor))
	}
	list := d.bytes(d.u32(at+v.list), count)
	if at == 0 || list == nil || count < 1 || count > itemActionsMax {
		return d.numbered(menuItemActions)
	}
	m := &emu.Menu{ID: menuItemActions, Cursor: min(cursor, count-1)}
	for _, n := range list {
		m.Entries = append(m.Entries, v.entry(int(n), len(m.Entries)))
	}
	if v.columns > 1 && count > 2 && count%v.columns == 0 {
		m.Columns = v.columns
		if v.byColumn {
			transpose(m, count/v.columns)
		}
	}
	return m
}

// entry is the action with a number, at place i of its list.
func (v *actionView) entry(n, i int) emu.MenuEntry {
	switch {
	case n >= len(v.names):
		return emu.MenuEntry{ID: "action-" + strconv.Itoa(n), Label: "Action " + strconv.Itoa(n)}
	case v.names[n].ID == "":
		return emu.MenuEntry{ID: "empty-" + strconv.Itoa(i), Label: "-"}
	}
	return v.names[n]
}

// transpose puts entries that stand column by column row by row.
func transpose(m *emu.Menu, rows int) {
	at := func(i int) int { return i%rows*m.Columns + i/rows }
	out := make([]emu.MenuEntry, len(m.Entries))
	for i, e := range m.Entries {
		out[at(i)] = e
	}
	m.Entries, m.Cursor = out, at(m.Cursor)
}
