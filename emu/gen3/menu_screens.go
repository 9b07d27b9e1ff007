package gen3

import (
	"fmt"
	"strconv"

	"clankie/emu"
)

// Offsets in struct PartyMenu and PartyMenuInternal (FireRed, LeafGreen,
// Emerald).
const (
	partySlot     = 0x9 // s8
	partySlot2    = 0xA // s8: where the cursor is while a second one is chosen
	partyAction   = 0xB
	partySwitch   = 8  // PARTY_ACTION_SWITCH
	partySoft     = 10 // PARTY_ACTION_SOFTBOILED
	partyActions  = 0xF
	partyActionsN = 0x17
	partyActsMax  = 8
)

// partyMenu reads the party screen.
func (d *decoder) partyMenu() *emu.Menu {
	if d.now.hasTask(rolePartyActions) {
		return d.partyActions()
	}
	if d.st.Party == nil || !d.now.hasTask(rolePartyInput) {
		d.absent(partMenu, "the party's list does not take input")
		return nil
	}
	return d.partyList()
}

// partyCursor is the slot the cursor stands on. Cancel has slot 7, whatever
// the party's size.
func (d *decoder) partyCursor() int {
	at := d.p.RAM.PartyMenu
	if at == 0 {
		return d.partyCursorSprite()
	}
	if a := d.u8(at + partyAction); a == partySwitch || a == partySoft {
		return d.s8(at + partySlot2)
	}
	return d.s8(at + partySlot)
}

// partyCursorSprite reads the slot where Ruby and Sapphire keep it: in data[0]
// of the sprite whose id is the upper byte of the task's data[3].
func (d *decoder) partyCursorSprite() int {
	data, _ := d.now.task(d, rolePartyInput)
	sprite := uint32(d.u8(data + 3*2 + 1))
	if sprite >= spriteCount {
		return -1
	}
	return d.s16(d.p.RAM.Sprites + sprite*spriteStride + spriteData)
}

// partyList reads the list of members.
func (d *decoder) partyList() *emu.Menu {
	slot := d.partyCursor()
	members := d.st.Party.Members
	m := &emu.Menu{ID: menuParty, Cursor: len(members)}
	if slot >= 0 && slot < len(members) {
		m.Cursor = slot
	}
	for i := range members {
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "party-slot-" + strconv.Itoa(i), Label: memberLabel(members, i)})
	}
	m.Entries = append(m.Entries, entryCancel)
	return m
}

// memberLabel is what a party member is called. Two of one name are told apart
// by their personality, which stays with each wherever it is moved to; an egg
// does not tell its own.
func memberLabel(members []emu.Creature, at int) string {
	called := func(c *emu.Creature) string { return label(c.Nickname, c.SpeciesName, c.SpeciesID) }
	own := &members[at]
	for i := range members {
		if i != at && !own.Egg && called(&members[i]) == called(own) {
			return fmt.Sprintf("%s (%08X)", called(own), own.Personality)
		}
	}
	return called(own)
}

// partyActionEntries begin sPartyMenuInternal's actions in FireRed, LeafGreen
// and Emerald alike.
var partyActionEntries = entries(
	"summary", "Summary", "switch", "Switch", "cancel", "Cancel", "item", "Item", "give", "Give",
	"take", "Take", "mail", "Mail", "take-mail", "Take mail", "read", "Read", "cancel", "Cancel",
	"shift", "Shift", "send-out", "Send out", "enter", "Enter", "no-entry", "No entry", "store", "Store",
	"register", "Register", "trade", "Trade", "trade", "Trade",
)

// partyActions reads the list of what to do with a party member.
func (d *decoder) partyActions() *emu.Menu {
	if d.p.RAM.PartyMenuInternal == 0 {
		return d.numbered(menuPartyActions)
	}
	b := d.bytes(d.u32(d.p.RAM.PartyMenuInternal), partyActionsN+1)
	if b == nil || b[partyActionsN] < 1 || b[partyActionsN] > partyActsMax {
		d.absent(partMenu, "the list of actions is not readable")
		return nil
	}
	m := &emu.Menu{ID: menuPartyActions}
	for _, v := range b[partyActions : partyActions+b[partyActionsN]] {
		e := emu.MenuEntry{ID: "action-" + strconv.Itoa(int(v)), Label: "Action " + strconv.Itoa(int(v))}
		if int(v) < len(d.p.Layout.PartyActions) {
			e = d.p.Layout.PartyActions[v]
		}
		m.Entries = append(m.Entries, e)
	}
	m.Cursor = min(d.cursorBox().cursor, len(m.Entries)-1)
	return m
}

// numbered is a small menu whose lines only the game's own code finds.
func (d *decoder) numbered(id string) *emu.Menu {
	box := d.cursorBox()
	m := &emu.Menu{ID: id, Cursor: box.cursor}
	for i := range box.count {
		n := strconv.Itoa(i + 1)
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "action-" + n, Label: "Action " + n})
	}
	return m
}

// windowed shows at most sixteen entries of a list, from seven above the
// cursor on.
func windowed(id string, entries []emu.MenuEntry, cursor int) *emu.Menu {
	first, last, at := window(len(entries), cursor)
	return &emu.Menu{ID: id, Cursor: at, Entries: entries[first:last]}
}

// window is which part of a list of total entries is shown, and where the
// cursor is in it.
func window(total, cursor int) (first, last, at int) {
	cursor = min(cursor, total-1)
	first = min(max(cursor-7, 0), max(total-menuEntriesMax, 0))
	return first, min(first+menuEntriesMax, total), cursor - first
}
