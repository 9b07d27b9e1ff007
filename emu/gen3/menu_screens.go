package gen3

import (
	"strconv"

	"clankie/emu"
)

// Offsets in struct PartyMenu, PartyMenuInternal, BagMenuState and ShopData
// (FireRed, LeafGreen).
const (
	partySlot     = 0x9 // s8
	partySlot2    = 0xA // s8: where the cursor is while a second one is chosen
	partyAction   = 0xB
	partySwitch   = 8  // PARTY_ACTION_SWITCH
	partySoft     = 10 // PARTY_ACTION_SOFTBOILED
	partyActions  = 0xF
	partyActionsN = 0x17
	partyActsMax  = 8

	bagOpen     = 0x5
	bagPocket   = 0x6 // u16
	bagAbove    = 0x8 // u16[3]: how far the list is scrolled
	bagCursor   = 0xE // u16[3]
	bagPocketsN = 3

	shopItems  = 0x4 // pointer to u16 item ids
	shopRow    = 0xC // u16
	shopScroll = 0xE // u16
	shopCount  = 0x10
	shopMax    = 64
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

// partyList reads the list of members. Cancel has slot 7, whatever the party's
// size.
func (d *decoder) partyList() *emu.Menu {
	at := d.p.RAM.PartyMenu
	slot := d.s8(at + partySlot)
	if a := d.u8(at + partyAction); a == partySwitch || a == partySoft {
		slot = d.s8(at + partySlot2)
	}
	members := d.st.Party.Members
	m := &emu.Menu{ID: menuParty, Cursor: len(members)}
	if slot >= 0 && slot < len(members) {
		m.Cursor = slot
	}
	for i := range members {
		c := &members[i]
		m.Entries = append(m.Entries, emu.MenuEntry{
			ID: "party-slot-" + strconv.Itoa(i), Label: label(c.Nickname, c.SpeciesName, c.SpeciesID),
		})
	}
	m.Entries = append(m.Entries, entryCancel)
	return m
}

// partyActionEntries are the values of sPartyMenuInternal's actions
// (CURSOR_OPTION_*, FireRed, LeafGreen), field moves last.
var partyActionEntries = [...]emu.MenuEntry{
	{ID: "summary", Label: "Summary"},
	{ID: "switch", Label: "Switch"},
	{ID: "cancel", Label: "Cancel"},
	{ID: "item", Label: "Item"},
	{ID: "give", Label: "Give"},
	{ID: "take", Label: "Take"},
	{ID: "mail", Label: "Mail"},
	{ID: "take-mail", Label: "Take mail"},
	{ID: "read", Label: "Read"},
	{ID: "cancel", Label: "Cancel"},
	{ID: "shift", Label: "Shift"},
	{ID: "send-out", Label: "Send out"},
	{ID: "enter", Label: "Enter"},
	{ID: "no-entry", Label: "No entry"},
	{ID: "store", Label: "Store"},
	{ID: "register", Label: "Register"},
	{ID: "trade", Label: "Trade"},
	{ID: "trade", Label: "Trade"},
	{ID: "flash", Label: "Flash"},
	{ID: "cut", Label: "Cut"},
	{ID: "fly", Label: "Fly"},
	{ID: "strength", Label: "Strength"},
	{ID: "surf", Label: "Surf"},
	{ID: "rock-smash", Label: "Rock Smash"},
	{ID: "waterfall", Label: "Waterfall"},
	{ID: "teleport", Label: "Teleport"},
	{ID: "dig", Label: "Dig"},
	{ID: "milk-drink", Label: "Milk Drink"},
	{ID: "soft-boiled", Label: "Soft-Boiled"},
	{ID: "sweet-scent", Label: "Sweet Scent"},
}

// partyActions reads the list of what to do with a party member.
func (d *decoder) partyActions() *emu.Menu {
	at := d.u32(d.p.RAM.PartyMenuInternal)
	b := d.bytes(at, partyActionsN+1)
	if b == nil || b[partyActionsN] < 1 || b[partyActionsN] > partyActsMax {
		d.absent(partMenu, "the list of actions is not readable")
		return nil
	}
	m := &emu.Menu{ID: menuPartyActions}
	for _, v := range b[partyActions : partyActions+b[partyActionsN]] {
		e := emu.MenuEntry{ID: "action-" + strconv.Itoa(int(v)), Label: "Action " + strconv.Itoa(int(v))}
		if int(v) < len(partyActionEntries) {
			e = partyActionEntries[v]
		}
		m.Entries = append(m.Entries, e)
	}
	m.Cursor = min(d.cursorBox().cursor, len(m.Entries)-1)
	return m
}

// bagMenu reads the bag's list, of which it shows a window around the cursor.
func (d *decoder) bagMenu() *emu.Menu {
	if d.now.hasTask(roleItemActions) {
		return d.itemActions()
	}
	at := d.p.RAM.BagState
	pocket := int(d.u16(at + bagPocket))
	if !d.now.hasTask(roleBagInput) || d.u8(at+bagOpen) == 0 || pocket >= bagPocketsN || d.st.Inventory == nil {
		d.absent(partMenu, "the bag's list does not take input")
		return nil
	}
	name := d.p.Layout.Pockets[pocket].Name
	var entries []emu.MenuEntry
	for _, it := range d.st.Inventory.Items {
		if it.Pocket == name {
			entries = append(entries, emu.MenuEntry{ID: it.ItemID, Label: label(it.Name, it.ItemID)})
		}
	}
	cursor := int(d.u16(at+bagAbove+uint32(2*pocket))) + int(d.u16(at+bagCursor+uint32(2*pocket)))
	return windowed(menuBagPrefix+name, append(entries, entryCancel), cursor)
}

// itemActions reads the list of what to do with an item; the game keeps the
// actions' names where only its own code finds them.
func (d *decoder) itemActions() *emu.Menu {
	box := d.cursorBox()
	m := &emu.Menu{ID: menuItemActions, Cursor: box.cursor}
	for i := range box.count {
		n := strconv.Itoa(i + 1)
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "action-" + n, Label: "Action " + n})
	}
	return m
}

// shopList reads the list of what a shop sells.
func (d *decoder) shopList() *emu.Menu {
	at := d.p.RAM.Shop
	n := int(d.u16(at + shopCount))
	items := d.bytes(d.u32(at+shopItems), n*2)
	if !d.now.hasTask(roleBuyList) || n > shopMax || items == nil {
		d.absent(partMenu, "the shop's list does not take input")
		return nil
	}
	var entries []emu.MenuEntry
	for i := range n {
		id := le16(items, 2*i)
		entries = append(entries, emu.MenuEntry{ID: d.p.ItemID(id), Label: label(d.itemName(id), d.p.ItemID(id))})
	}
	return windowed(menuShopList, append(entries, entryCancel), int(d.u16(at+shopRow))+int(d.u16(at+shopScroll)))
}

// windowed shows at most sixteen entries of a list, from seven above the
// cursor on.
func windowed(id string, entries []emu.MenuEntry, cursor int) *emu.Menu {
	cursor = min(cursor, len(entries)-1)
	first := min(max(cursor-7, 0), max(len(entries)-menuEntriesMax, 0))
	last := min(first+menuEntriesMax, len(entries))
	return &emu.Menu{ID: id, Cursor: cursor - first, Entries: entries[first:last]}
}
