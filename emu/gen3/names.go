package gen3

import "strings"

// Shapes of the ROM tables (FireRed, LeafGreen; the same in the other
// third-generation games).
const (
	speciesNameStride = 11
	moveNameStride    = 13
	abilityNameStride = 13
	typeNameStride    = 7
	itemStride        = 44
	itemNameBytes     = 14
	moveStride        = 12
	speciesStride     = 28
	typeCount         = 18
	abilityCount      = 78
)

// tableName reads entry i of a table of fixed-width names; "" without the ROM.
func (d *decoder) tableName(table uint32, stride, width, i int) string {
	if table == 0 || i < 0 {
		return ""
	}
	return strings.TrimSpace(name(d.bytes(table+uint32(i*stride), width)))
}

func (d *decoder) speciesName(i int) string {
	if i > d.p.Layout.SpeciesMax {
		return ""
	}
	return d.tableName(d.tables.SpeciesNames, speciesNameStride, speciesNameStride, i)
}

func (d *decoder) moveName(i int) string {
	if i <= 0 || i > d.p.Layout.MoveMax {
		return ""
	}
	return d.tableName(d.tables.MoveNames, moveNameStride, moveNameStride, i)
}

func (d *decoder) itemName(i int) string {
	if i <= 0 || i > d.p.Layout.ItemMax {
		return ""
	}
	return d.tableName(d.tables.Items, itemStride, itemNameBytes, i)
}

func (d *decoder) abilityName(i int) string {
	if i <= 0 || i >= abilityCount {
		return ""
	}
	return d.tableName(d.tables.AbilityNames, abilityNameStride, abilityNameStride, i)
}

func (d *decoder) typeName(i int) string {
	if i < 0 || i >= typeCount {
		return ""
	}
	return d.tableName(d.tables.TypeNames, typeNameStride, typeNameStride, i)
}

// typeNames returns the names of one or two types; nil without the ROM.
func (d *decoder) typeNames(ids []int) []string {
	var out []string
	for _, id := range ids {
		if n := d.typeName(id); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// distinctTypes drops the second of two equal types and what is no type.
func distinctTypes(a, b int) []int {
	out := make([]int, 0, 2)
	if a < typeCount {
		out = append(out, a)
	}
	if b != a && b < typeCount {
		out = append(out, b)
	}
	return out
}

// mapName reads the name of a map section: sMapNames or gRegionMapEntries.
func (d *decoder) mapName(section int) string {
	l := &d.p.Layout
	i := section - l.FirstMapSection
	if d.tables.MapNames == 0 || i < 0 || i >= l.MapSections {
		return ""
	}
	ptr := d.u32(d.tables.MapNames + uint32(i)*l.MapNameStride + l.MapNamePointer)
	if !inROM(ptr) {
		return ""
	}
	return strings.TrimSpace(d.textAt(ptr, 32))
}

// natureName reads gNatureNamePointers.
func (d *decoder) natureName(i int) string {
	if d.tables.NatureNames == 0 {
		return ""
	}
	ptr := d.u32(d.tables.NatureNames + uint32(i*4))
	if !inROM(ptr) {
		return ""
	}
	return d.textAt(ptr, 16)
}

// textAt reads a text of at most limit bytes at an address in memory.
func (d *decoder) textAt(ptr uint32, limit int) string {
	for n := limit; n > 0; n /= 2 {
		if b := d.bytes(ptr, n); b != nil {
			return name(b)
		}
	}
	return ""
}

// moveData is an entry of gBattleMoves.
type moveData struct {
	power, typ, accuracy, pp int
	known                    bool
}

func (d *decoder) moveData(id int) moveData {
	if id <= 0 || id > d.p.Layout.MoveMax || d.tables.Moves == 0 {
		return moveData{}
	}
	b := d.bytes(d.tables.Moves+uint32(id*moveStride), moveStride)
	if b == nil {
		return moveData{}
	}
	return moveData{power: int(b[1]), typ: int(b[2]), accuracy: int(b[3]), pp: int(b[4]), known: true}
}

// speciesData is what is used of an entry of gSpeciesInfo.
type speciesData struct {
	types     []int
	growth    int
	abilities [2]int
	known     bool
}

func (d *decoder) speciesData(id int) speciesData {
	if id <= 0 || id > d.p.Layout.SpeciesMax || d.tables.SpeciesInfo == 0 {
		return speciesData{}
	}
	b := d.bytes(d.tables.SpeciesInfo+uint32(id*speciesStride), speciesStride)
	if b == nil {
		return speciesData{}
	}
	return speciesData{
		types:     distinctTypes(int(b[6]), int(b[7])),
		growth:    int(b[0x13]),
		abilities: [2]int{int(b[0x16]), int(b[0x17])},
		known:     true,
	}
}

// Shape of gExperienceTables: u32[8][101].
const (
	growthRates   = 8
	levelsPerRate = 101
	levelMax      = 100
)

// toNextLevel is the experience that is missing for the next level; 0 at the
// highest and without the ROM.
func (d *decoder) toNextLevel(growth, level, experience int) int {
	if level >= levelMax || growth >= growthRates || d.tables.Experience == 0 {
		return 0
	}
	need, ok := d.mem.BusRead32(d.tables.Experience + uint32(growth*levelsPerRate+level+1)*4)
	if !ok || int(need) <= experience {
		return 0
	}
	return int(need) - experience
}
