package gen3

import (
	"strconv"

	"clankie/emu"
)

// Values of sCursorArea.
const (
	areaBox = iota
	areaParty
	areaTitle
	areaButtons

	boxColumns   = 6
	boxRowsShown = 2 // a third row would be more than the wire shows
	partyClose   = 6 // place of the party's own button
)

// storageCursor says where the storage screen's cursor is; nil when it is
// nowhere.
func (d *decoder) storageCursor() *emu.StorageCursor {
	at := d.p.RAM.StorageCursor
	area, slot := int(d.u8(at)), int(d.u8(at+1))
	places := [...]int{areaBox: boxSlots, areaParty: partySlots + 1, areaTitle: 1, areaButtons: 2}
	if area >= len(places) || slot >= places[area] {
		return nil
	}
	return &emu.StorageCursor{Area: [...]string{"box", "party", "title", "buttons"}[area], Slot: slot}
}

// storageInput reports whether the boxes take input: a task says so or, in Ruby
// and Sapphire, the function that gSharedMem begins with.
func (d *decoder) storageInput() bool {
	shared := d.p.RAM.SharedMem
	return d.now.hasTask(roleStorageInput) || shared != 0 && d.p.codeAt(d.u32(shared)).role == roleStorageInput
}

// storageMenu lists the places of the box that are near the cursor, the party,
// or what else the cursor is on.
func (d *decoder) storageMenu() *emu.Menu {
	s := d.st.Storage
	if s == nil || s.Cursor == nil || !d.storageInput() {
		d.absent(partMenu, "the storage screen's boxes do not take input")
		return nil
	}
	box := &s.Boxes[s.Current]
	switch s.Cursor.Area {
	case "party":
		return d.storageParty(s.Cursor.Slot)
	case "title":
		return &emu.Menu{ID: "storage-title", Entries: []emu.MenuEntry{{ID: "box-" + strconv.Itoa(s.Current+1), Label: label(box.Name, "Box")}}}
	case "buttons":
		return &emu.Menu{ID: "storage-buttons", Cursor: s.Cursor.Slot, Columns: 2, Entries: entries("party", "Party", "close", "Close box")}
	}
	return boxMenu(box, s.Cursor.Slot)
}

// boxMenu shows the cursor's row of a box and the one below it; of the last
// row the one above.
func boxMenu(box *emu.Box, slot int) *emu.Menu {
	first := min(slot/boxColumns, boxSlots/boxColumns-boxRowsShown) * boxColumns
	m := &emu.Menu{ID: "storage-box", Cursor: slot - first, Columns: boxColumns}
	for i := range boxRowsShown * boxColumns {
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "place-" + strconv.Itoa(first+i), Label: "-"})
	}
	for i := range box.Members {
		c := &box.Members[i]
		if at := c.Slot - first; at >= 0 && at < len(m.Entries) {
			m.Entries[at].Label = label(c.Nickname, c.SpeciesName)
		}
	}
	return m
}

// storageParty lists the six places of the party and its button.
func (d *decoder) storageParty(slot int) *emu.Menu {
	m := &emu.Menu{ID: "storage-party", Cursor: slot}
	for i := range partySlots {
		e := emu.MenuEntry{ID: "party-slot-" + strconv.Itoa(i), Label: "-"}
		if d.st.Party != nil && i < len(d.st.Party.Members) {
			c := &d.st.Party.Members[i]
			e.Label = label(c.Nickname, c.SpeciesName, c.SpeciesID)
		}
		m.Entries = append(m.Entries, e)
	}
	m.Entries = append(m.Entries, emu.MenuEntry{ID: "close", Label: "Close party"})
	return m
}
