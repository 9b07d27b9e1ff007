package gen3

import (
	"slices"
	"strconv"

	"clankie/emu"
)

// summaryView holds offsets in the summary screen's data.
type summaryView struct {
	page     uint32
	mode     uint32
	choosing []int  // modes in which a move is chosen to make room for another
	mon      uint32 // struct Pokemon: who is shown
	newMove  uint32 // u16: the other move; 0 where a move is only forgotten
	cursor   uint32 // byte: the move the cursor is on; 0 where SummaryMove has it
}

// summaryMenu tells which page of the summary screen is open, or lists the
// moves of which one is to be forgotten.
func (d *decoder) summaryMenu() *emu.Menu {
	data, v := d.p.RAM.SummaryData, &d.p.Layout.Summary
	if data == 0 {
		data = d.u32(d.p.RAM.Summary)
	}
	pages := d.p.Layout.SummaryPages
	page := int(d.u8(data + v.page))
	switch {
	case !inEWRAM(data) || d.bytes(data, int(max(v.page, v.mon+recordBytes))) == nil:
	case slices.Contains(v.choosing, int(d.u8(data+v.mode))):
		return d.movesToForget(data)
	case page < len(pages):
		return &emu.Menu{ID: menuSummary, Cursor: page, Entries: pages}
	}
	d.torn(partMenu, "the summary screen is being set up")
	return nil
}

// movesToForget lists the four moves and, last, what lets go of none.
func (d *decoder) movesToForget(data uint32) *emu.Menu {
	v := &d.p.Layout.Summary
	s, ok := readSecure(d.bytes(data+v.mon, recordBytes))
	if !ok {
		d.torn(partMenu, "the summary screen is being set up")
		return nil
	}
	cursor := int(d.u8(d.p.RAM.SummaryMove))
	if v.cursor != 0 {
		cursor = int(d.u8(data + v.cursor))
	}
	m := &emu.Menu{ID: menuForget}
	for i := range 4 {
		m.Entries = append(m.Entries, d.moveEntry(s.move(i), i))
	}
	last := entryCancel
	if id := int(d.u16(data + v.newMove)); id >= 1 && id <= d.p.Layout.MoveMax {
		last = emu.MenuEntry{ID: "give-up", Label: "Give up on " + label(d.moveName(id), d.p.MoveID(id))}
	}
	m.Entries = append(m.Entries, last)
	m.Cursor = min(cursor, len(m.Entries)-1)
	return m
}

// moveEntry is slot i of four moves; one without a move keeps its place.
func (d *decoder) moveEntry(id, i int) emu.MenuEntry {
	if id < 1 || id > d.p.Layout.MoveMax {
		return emu.MenuEntry{ID: "empty-" + strconv.Itoa(i), Label: "-"}
	}
	return emu.MenuEntry{ID: d.p.MoveID(id), Label: label(d.moveName(id), d.p.MoveID(id))}
}
