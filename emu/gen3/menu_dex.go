package gen3

import (
	"strconv"

	"clankie/emu"
)

// Shape of struct PokedexView (Emerald, Ruby, Sapphire); FireRed and LeafGreen
// show the Pokédex in a list like any other.
const (
	dexViewEntry    = 4 // u16 national number, then bits
	dexViewSeen     = 1 << 0
	dexViewCount    = 0x60C // u16
	dexViewSelected = 0x60E // u16
)

// dexMenu reads the Pokédex's list. A species that was not met has no name in
// it.
func (d *decoder) dexMenu() *emu.Menu {
	view := d.u32(d.p.RAM.Pokedex)
	b := d.bytes(view, dexViewSelected+2)
	if !d.now.hasTask(roleDexInput) || !inEWRAM(view) || b == nil {
		d.absent(partMenu, "the Pokédex's list does not take input")
		return nil
	}
	total := le16(b, dexViewCount)
	if total < 1 || total > dexSpecies {
		d.torn(partMenu, "the Pokédex is being set up")
		return nil
	}
	first, last, at := window(total, le16(b, dexViewSelected))
	m := &emu.Menu{ID: menuDex, Cursor: at}
	for i := first; i < last; i++ {
		m.Entries = append(m.Entries, d.dexEntry(b[i*dexViewEntry:], i))
	}
	return m
}

// dexEntry is one line, at place i of the list.
func (d *decoder) dexEntry(b []byte, i int) emu.MenuEntry {
	number := le16(b, 0)
	e := emu.MenuEntry{ID: "line-" + strconv.Itoa(i), Label: strconv.Itoa(number)}
	if b[2]&dexViewSeen != 0 {
		e.Label = label(d.speciesName(d.speciesOf(number)), e.Label)
	}
	return e
}

// speciesOf is the species with a national number; 0 where none is read.
func (d *decoder) speciesOf(number int) int {
	n := d.p.Layout.SpeciesMax
	if d.tables.DexNumbers == 0 {
		return 0
	}
	b := d.bytes(d.tables.DexNumbers, 2*n)
	for i := 0; i+1 < len(b); i += 2 {
		if le16(b, i) == number {
			return i/2 + 1
		}
	}
	return 0
}
