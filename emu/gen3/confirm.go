package gen3

import (
	"strings"

	"clankie/emu"
)

// A cartridge keeps its profile when its header says so, but a table is read
// only where something of its shape stands: a randomised game fills the tables
// with other values and is read as it is, a hack that moved one loses that one.

// tableCheck is how one table of a profile is recognised.
type tableCheck struct {
	what  string // for people
	table func(t *Tables) *uint32
	fits  func(c *romChecker, at uint32) bool
}

var tableChecks = [...]tableCheck{
	{"species names", func(t *Tables) *uint32 { return &t.SpeciesNames }, namesOf(speciesNameStride, 1, 4, 7, 277, 411)},
	{"move names", func(t *Tables) *uint32 { return &t.MoveNames }, namesOf(moveNameStride, 1, 33, 354)},
	{"moves", func(t *Tables) *uint32 { return &t.Moves }, (*romChecker).moves},
	{"species", func(t *Tables) *uint32 { return &t.SpeciesInfo }, (*romChecker).species},
	{"items", func(t *Tables) *uint32 { return &t.Items }, (*romChecker).items},
	{"type chart", func(t *Tables) *uint32 { return &t.TypeChart }, (*romChecker).typeChart},
	{"type names", func(t *Tables) *uint32 { return &t.TypeNames }, namesOf(typeNameStride, 0, 1, 10, 17)},
	{"ability names", func(t *Tables) *uint32 { return &t.AbilityNames }, namesOf(abilityNameStride, 1, 65, 77)},
	{"map names", func(t *Tables) *uint32 { return &t.MapNames }, (*romChecker).mapNames},
	{"experience", func(t *Tables) *uint32 { return &t.Experience }, (*romChecker).experience},
	{"choices", func(t *Tables) *uint32 { return &t.Multichoice }, (*romChecker).choices},
	{"nature names", func(t *Tables) *uint32 { return &t.NatureNames }, (*romChecker).natures},
	{"maps", func(t *Tables) *uint32 { return &t.MapGroups }, (*romChecker).mapGroups},
	{"trainers", func(t *Tables) *uint32 { return &t.Trainers }, (*romChecker).trainers},
	{"trainer classes", func(t *Tables) *uint32 { return &t.TrainerClasses }, namesOf(classNameStride, 1, 20, 57)},
	{"Pokédex numbers", func(t *Tables) *uint32 { return &t.DexNumbers }, (*romChecker).dexNumbers},
}

// confirmTables keeps the tables that the cartridge has where the profile says.
// Without a cartridge there are none.
func (d *decoder) confirmTables() {
	d.tables = d.p.Tables
	if len(d.mem.ROM) == 0 {
		d.tables = Tables{}
		return
	}
	c := romChecker{d}
	var moved []string
	for i := range tableChecks {
		check := &tableChecks[i]
		at := check.table(&d.tables)
		if *at != 0 && !check.fits(&c, *at) {
			*at = 0
			moved = append(moved, check.what)
		}
	}
	if moved != nil {
		d.absent(partTables, "the cartridge has no table where "+d.p.Title+" has it: "+strings.Join(moved, ", "))
	}
}

// romChecker looks at what stands in a cartridge.
type romChecker struct{ d *decoder }

// namesOf recognises a table of fixed-width names by some of them: printable
// and ended within the width.
func namesOf(stride uint32, samples ...uint32) func(*romChecker, uint32) bool {
	return func(c *romChecker, at uint32) bool {
		for _, i := range samples {
			if !endedName(c.d.bytes(at+i*stride, int(stride))) {
				return false
			}
		}
		return true
	}
}

// endedName reports whether b begins with a printable name and its end byte.
func endedName(b []byte) bool {
	for i, v := range b {
		if v == charEnd {
			return i > 0
		}
		if charmap[v] == "" {
			return false
		}
	}
	return false
}

// moves: types and percentages in range, for the first moves and the last.
func (c *romChecker) moves(at uint32) bool {
	for _, id := range [...]uint32{1, 33, 165, 354} {
		b := c.d.bytes(at+id*moveStride, moveStride)
		if b == nil || b[2] >= typeCount || b[3] > 100 || b[4] == 0 || b[4] > 64 {
			return false
		}
	}
	return true
}

// species: types, growth rates and abilities in range, and stats there.
func (c *romChecker) species(at uint32) bool {
	for _, id := range [...]uint32{1, 4, 7, 151, 277, 411} {
		b := c.d.bytes(at+id*speciesStride, speciesStride)
		if b == nil || b[0] == 0 || b[6] >= typeCount || b[7] >= typeCount ||
			b[0x13] >= growthRates || b[0x16] >= abilityCount || b[0x17] >= abilityCount {
			return false
		}
	}
	return true
}

// items carry their own number at +0xE, or none where there is no such item.
func (c *romChecker) items(at uint32) bool {
	own := 0
	for _, id := range [...]uint32{1, 4, 13} {
		b := c.d.bytes(at+id*itemStride, itemStride)
		if b == nil || !endedName(b[:itemNameBytes]) {
			return false
		}
		switch le16(b, 0xE) {
		case int(id):
			own++
		case 0:
		default:
			return false
		}
	}
	return own > 0
}

// typeChart: rows of two types and a multiplier.
func (c *romChecker) typeChart(at uint32) bool {
	for i := range uint32(3) {
		b := c.d.bytes(at+i*effectivenessRow, effectivenessRow)
		if b == nil || b[0] >= typeCount || b[1] >= typeCount || b[2]%5 != 0 || b[2] > 20 {
			return false
		}
	}
	return true
}

// mapNames: pointers to text, for the first sections.
func (c *romChecker) mapNames(at uint32) bool {
	l := &c.d.p.Layout
	for i := range uint32(3) {
		if !c.pointsToText(at + i*l.MapNameStride + l.MapNamePointer) {
			return false
		}
	}
	return true
}

func (c *romChecker) natures(at uint32) bool {
	return c.pointsToText(at) && c.pointsToText(at+4*24)
}

// mapGroups: there are groups, and what stands there leads to maps. The first of
// a group may be a number that no map has.
func (c *romChecker) mapGroups(at uint32) bool {
	groups := 0
	for i := range uint32(c.d.p.Layout.MapGroups) {
		list := c.d.u32(at + 4*i)
		if list == 0 {
			continue
		}
		header := c.d.u32(list)
		if !inROM(list) || header != 0 && !c.d.isMapHeader(header) {
			return false
		}
		groups++
	}
	return groups > 0
}

// dexNumbers: the number of each species, from the first on.
func (c *romChecker) dexNumbers(at uint32) bool {
	for _, species := range [...]uint32{1, 4, 7, 411} {
		if n := int(c.d.u16(at + (species-1)*2)); n < 1 || n > c.d.p.Layout.SpeciesMax {
			return false
		}
	}
	return true
}

// pointsToText reports whether a word points to a name of up to 32 bytes.
func (c *romChecker) pointsToText(at uint32) bool {
	ptr := c.d.u32(at)
	return inROM(ptr) && endedName(c.d.bytes(ptr, min(32, len(c.d.mem.ROM)-int(ptr-emu.ROMBase))))
}

// experience grows with the level.
func (c *romChecker) experience(at uint32) bool {
	last := uint32(0)
	for _, level := range [...]uint32{2, 50, 99, 100} {
		v := c.d.u32(at + level*4)
		if v <= last || v > 2_000_000 {
			return false
		}
		last = v
	}
	return true
}

// choices: lists of one to sixteen texts.
func (c *romChecker) choices(at uint32) bool {
	row := c.d.bytes(at, 8)
	return row != nil && inROM(le32(row, 0)) && row[4] >= 1 && row[4] <= menuEntriesMax && c.pointsToText(le32(row, 0))
}
