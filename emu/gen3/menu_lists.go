package gen3

import (
	"strconv"

	"clankie/emu"
)

// bagView says where a family keeps which pocket is open and where the cursor
// is in it. Offsets are from BagState; those of the lists from PocketScroll
// where the family has it.
type bagView struct {
	pocket, open   uint32 // bytes; open is 0 where nothing says that the list is up
	cursor, scroll uint32 // of the first pocket
	stride         uint32 // from one pocket's number to the next one's
	size           uint32 // bytes of the variable
	order          []string
}

// shopView says where a family keeps a shop's list. Offsets are from Shop;
// those of the cursor from where ShopHeap points, where the family has it.
type shopView struct {
	items, count uint32 // pointer to u16 item ids, and how many
	row, scroll  uint32
	size         uint32 // bytes of count, row and scroll
	kind         uint32 // byte that is not 0 where decoration is sold; 0 without
}

const shopMax = 64

// entries makes menu entries of ids and labels, in turn.
func entries(idsAndLabels ...string) []emu.MenuEntry {
	out := make([]emu.MenuEntry, 0, len(idsAndLabels)/2)
	for i := 0; i+1 < len(idsAndLabels); i += 2 {
		out = append(out, emu.MenuEntry{ID: idsAndLabels[i], Label: idsAndLabels[i+1]})
	}
	return out
}

// number reads a byte or, with size 2, a halfword.
func (d *decoder) number(addr, size uint32) int {
	if size == 2 {
		return int(d.u16(addr))
	}
	return int(d.u8(addr))
}

// bagMenu reads the bag's list, of which it shows a window around the cursor.
func (d *decoder) bagMenu() *emu.Menu {
	if d.now.hasTask(roleItemActions) {
		return d.itemActions()
	}
	v, at := &d.p.Layout.Bag, d.p.RAM.BagState
	pocket := int(d.u8(at + v.pocket))
	if !d.now.hasTask(roleBagInput) || (v.open != 0 && d.u8(at+v.open) == 0) || pocket >= len(v.order) || d.st.Inventory == nil {
		d.absent(partMenu, "the bag's list does not take input")
		return nil
	}
	name := v.order[pocket]
	return windowed(menuBagPrefix+name, append(d.pocketEntries(name), entryCancel), d.bagCursor(pocket))
}

// bagCursor is where the cursor is in the whole list of a pocket.
func (d *decoder) bagCursor(pocket int) int {
	v, lists := &d.p.Layout.Bag, d.p.RAM.BagState
	size := uint32(2)
	if d.p.RAM.PocketScroll != 0 {
		lists, size = d.p.RAM.PocketScroll, 1 // struct BagPocketScrollState is of bytes
	}
	lists += uint32(pocket) * v.stride
	return d.number(lists+v.scroll, size) + d.number(lists+v.cursor, size)
}

// pocketEntries lists the items of a pocket.
func (d *decoder) pocketEntries(pocket string) []emu.MenuEntry {
	var out []emu.MenuEntry
	for _, it := range d.st.Inventory.Items {
		if it.Pocket == pocket {
			out = append(out, emu.MenuEntry{ID: it.ItemID, Label: label(it.Name, it.ItemID)})
		}
	}
	return out
}

// shopList reads the list of what a shop sells.
func (d *decoder) shopList() *emu.Menu {
	v, at := &d.p.Layout.Shop, d.p.RAM.Shop
	n := d.number(at+v.count, v.size)
	items := d.bytes(d.u32(at+v.items), n*2)
	if !d.now.hasTask(roleBuyList) || n > shopMax || items == nil {
		d.absent(partMenu, "the shop's list does not take input")
		return nil
	}
	if v.kind != 0 && d.u8(at+v.kind) != 0 {
		d.absent(partMenu, "this shop sells decoration, whose names are not read")
		return nil
	}
	if d.p.RAM.ShopHeap != 0 {
		at = d.u32(d.p.RAM.ShopHeap)
	}
	var list []emu.MenuEntry
	for i := range n {
		id := le16(items, 2*i)
		list = append(list, emu.MenuEntry{ID: d.p.ItemID(id), Label: label(d.itemName(id), d.p.ItemID(id))})
	}
	return windowed(menuShopList, append(list, entryCancel), d.number(at+v.row, v.size)+d.number(at+v.scroll, v.size))
}

// optionEntries are the lines of the options, the same in all families.
var optionEntries = entries(
	"text-speed", "Text speed", "battle-scene", "Battle scene", "battle-style", "Battle style", "sound", "Sound",
	"button-mode", "Button mode", "frame", "Frame", "cancel", "Cancel",
)

// optionsCursor is the offset of cursorPos in struct OptionMenu (FireRed,
// LeafGreen); the other games keep it in the task's data[0].
const optionsCursor = 0xE

// optionsMenu reads the options.
func (d *decoder) optionsMenu() *emu.Menu {
	data, ok := d.now.task(d, roleOptionsInput)
	cursor := d.s16(data)
	if d.p.RAM.Options != 0 {
		at := d.u32(d.p.RAM.Options) + optionsCursor
		cursor = d.s16(at)
		ok = ok && d.bytes(at, 2) != nil
	}
	if !ok || cursor < 0 || cursor >= len(optionEntries) {
		d.absent(partMenu, "the options do not take input")
		return nil
	}
	return &emu.Menu{ID: menuOptions, Cursor: cursor, Entries: optionEntries}
}

// Offsets in struct ListMenu, which the data of its task is, and in struct
// ListMenuItem (FireRed, LeafGreen, Emerald).
const (
	listItems  = 0x00 // pointer
	listTotal  = 0x0C // u16
	listScroll = 0x18 // u16
	listRow    = 0x1A // u16

	listItemStride = 8 // pointer to the label, then an id
	listMax        = 1024
)

// listMenu reads a scrolling list, whatever it is about; id names it.
func (d *decoder) listMenu(id string) *emu.Menu {
	data, ok := d.now.task(d, roleListMenu)
	total := int(d.u16(data + listTotal))
	items := d.bytes(d.u32(data+listItems), total*listItemStride)
	if !ok || total < 1 || total > listMax || items == nil {
		d.absent(partMenu, "this screen's list is not readable")
		return nil
	}
	first, last, at := window(total, int(d.u16(data+listScroll))+int(d.u16(data+listRow)))
	m := &emu.Menu{ID: id, Cursor: at}
	for i := first; i < last; i++ {
		n := strconv.Itoa(i)
		m.Entries = append(m.Entries, emu.MenuEntry{ID: "line-" + n, Label: label(d.textAt(le32(items, i*listItemStride), 64), "Line "+n)})
	}
	return m
}
