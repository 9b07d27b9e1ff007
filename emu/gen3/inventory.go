package gen3

import (
	"clankie/emu"
)

const (
	itemSlotBytes = 4 // struct ItemSlot: u16 item, u16 quantity
	itemCountMax  = 999
)

// inventory reads the bag from SaveBlock1. Its quantities are masked with the
// low half of SaveBlock2's key, so it needs both blocks.
func (d *decoder) inventory() *emu.Inventory {
	inv := &emu.Inventory{Items: []emu.Item{}}
	if d.save1 == 0 && d.save2 == 0 && d.u32(d.p.RAM.SaveBlock1Ptr) == 0 && d.u32(d.p.RAM.SaveBlock2Ptr) == 0 {
		return inv // no save block yet: there is no bag
	}
	if d.save1 == 0 || d.save2 == 0 {
		d.absent(partInventory, "one of the save blocks is not there")
		return nil
	}
	inv.Items = make([]emu.Item, 0, d.stacks())
	bad, key := 0, int(d.key()&0xFFFF)
	for _, pocket := range d.p.Layout.Pockets {
		b := d.bytes(d.save1+pocket.Offset, pocket.Capacity*itemSlotBytes)
		if b == nil {
			d.absent(partInventory, "the bag lies outside memory")
			return nil
		}
		for i := range pocket.Capacity {
			id := le16(b, i*itemSlotBytes)
			if id == 0 {
				continue
			}
			count := le16(b, i*itemSlotBytes+2) ^ key
			if id > d.p.Layout.ItemMax || count < 1 || count > itemCountMax {
				bad++
				continue
			}
			inv.Items = append(inv.Items, emu.Item{
				Pocket: pocket.Name, ID: id, ItemID: d.p.ItemID(id), Name: d.itemName(id), Count: count,
			})
		}
	}
	if bad > 0 {
		// The stacks that do decode are shown; these cannot be.
		d.absent(partInventory, emu.CountOf(bad, "stack holds", "stacks hold")+" no item the game has; the others are shown")
	}
	return inv
}

// stacks counts the places of the bag that are taken.
func (d *decoder) stacks() (n int) {
	for _, pocket := range d.p.Layout.Pockets {
		b := d.bytes(d.save1+pocket.Offset, pocket.Capacity*itemSlotBytes)
		for i := 0; i < len(b); i += itemSlotBytes {
			if le16(b, i) != 0 {
				n++
			}
		}
	}
	return n
}

// key is SaveBlock2.encryptionKey; 0 in families that do not encrypt.
func (d *decoder) key() uint32 {
	if d.p.Layout.EncryptionKey == 0 || d.save2 == 0 {
		return 0
	}
	return d.u32(d.save2 + d.p.Layout.EncryptionKey)
}
