package gen3

import (
	"strings"
	"testing"

	"clankie/emu"
)

// namedMachine is a field of a game whose cartridge has names.
func namedMachine(t *testing.T, p *Profile) *machine {
	m := newMachineOf(t, p, romOf)
	m.field(p, 20, 12, 13, 13)
	m.party(p, creature{
		personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33}, pp: [4]int{30}, nickname: "A",
	})
	m.text(p.Tables.SpeciesNames+25*speciesNameStride, "SPARK")
	m.text(p.Tables.MoveNames+33*moveNameStride, "SHOVE")
	m.copy(p.Tables.Moves+33*moveStride, []byte{0, 40, 10, 95, 35})
	m.text(p.Tables.TypeNames+10*typeNameStride, "FIRE")
	m.set8(p.Tables.SpeciesInfo+25*speciesStride+6, 10)
	m.set8(p.Tables.SpeciesInfo+25*speciesStride+7, 10)
	m.text(0x08000110, "TIMID")
	m.set32(p.Tables.NatureNames+8*4, 0x08000110)
	m.text(0x08000120, "LITTLEROOT")
	m.set32(p.Tables.MapNames+5*p.Layout.MapNameStride+p.Layout.MapNamePointer, 0x08000120)
	m.set8(p.RAM.MapHeader+headerSection, p.Layout.FirstMapSection+5)
	return m
}

// A cartridge's own tables are read, whatever they hold.
func TestNamesComeFromTheCartridge(t *testing.T) {
	for _, p := range Profiles {
		m := namedMachine(t, p)
		st := Decode(m.mem, p)
		c := &st.Party.Members[0]
		equal(t, p.Name+" species", c.SpeciesName, "SPARK")
		equal(t, p.Name+" move", c.Moves[0], emu.MoveSlot{
			ID: 33, MoveID: p.MoveID(33), Name: "SHOVE", Type: "FIRE", Power: 40, PP: 30, MaxPP: 35,
		})
		equal(t, p.Name+" types", c.Types, []string{"FIRE"})
		equal(t, p.Name+" nature", c.NatureName, "TIMID")
		equal(t, p.Name+" map", st.Overworld.MapName, "LITTLEROOT")
		equal(t, p.Name+" tables", st.Undecoded[partTables], "")
	}
}

// Without a cartridge there are numbers and no names.
func TestNoNamesWithoutACartridge(t *testing.T) {
	p := ProfileFor("BPEE", 0)
	m := namedMachine(t, p)
	m.mem.ROM = nil
	st := Decode(m.mem, p)
	c := &st.Party.Members[0]
	equal(t, "species", []any{c.Species, c.SpeciesName}, []any{25, ""})
	equal(t, "move", c.Moves[0], emu.MoveSlot{ID: 33, MoveID: p.MoveID(33), PP: 30})
	equal(t, "map", st.Overworld.MapName, "")
	equal(t, "tables", st.Undecoded[partTables], "")
}

// A table that was moved is lost, and said to be; the others stay.
func TestMovedTable(t *testing.T) {
	p := ProfileFor("AXVE", 0)
	for i, check := range tableChecks {
		m := namedMachine(t, p)
		at := *check.table(&p.Tables)
		if at == 0 {
			continue // the game has none
		}
		junk := make([]byte, 0x40)
		for j := range junk {
			junk[j] = 0xF7
		}
		for offset := uint32(0); offset < 0x4100; offset += uint32(len(junk)) {
			m.copy(at+offset, junk)
		}
		st := Decode(m.mem, p)
		checkState(t, &st, p)
		if !strings.Contains(st.Undecoded[partTables], check.what) {
			t.Errorf("%s is moved, but what is said is %q", tableChecks[i].what, st.Undecoded[partTables])
		}
	}
	m := namedMachine(t, p)
	for i := range uint32(14) {
		m.copy(p.Tables.Items+i*itemStride, make([]byte, itemStride))
	}
	st := Decode(m.mem, p)
	equal(t, "tables", st.Undecoded[partTables], "the cartridge has no table where Pokémon Ruby has it: items")
	equal(t, "species", st.Party.Members[0].SpeciesName, "SPARK")
}

// Of a ROM that nobody knows the revision is found by what the game runs.
func TestProfileForMemory(t *testing.T) {
	for _, code := range []string{"BPRE", "BPEE", "AXVE"} {
		for _, p := range Profiles {
			if p.GameCode != code || p.Revision == 2 {
				continue // rev 1 and rev 2 are the same code
			}
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			equal(t, p.Name, ProfileForMemory(code, m.mem).Name, p.Name)
		}
	}
	m := newMachine(t)
	equal(t, "nothing runs", ProfileForMemory("BPRE", m.mem).Name, "screen")
	equal(t, "another language", ProfileForMemory("BPRD", m.mem).Name, "screen")
	equal(t, "by name", ProfileNamed("emerald").GameCode, "BPEE")
	if ProfileNamed("screen") != nil {
		t.Error("screen has a profile that decodes")
	}
}

func TestTransformOrigin(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	own := battler{species: 25, level: 12, hp: 27, maxHP: 35, moves: [4]int{33}, pp: [4]int{35}, nickname: "A", personality: 8}
	foe := battler{species: 25, level: 9, hp: 20, maxHP: 22, status2: status2Transformed, nickname: "B", personality: 9}
	m.battle(p, 4, own, foe)
	m.party(p, creature{personality: 8, species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A"})
	m.copy(p.RAM.EnemyParty, creature{personality: 9, species: 132, level: 9, hp: 20, maxHP: 22, nickname: "B"}.record(t))
	st := Decode(m.mem, p)
	b := st.Battle.Opponent()
	equal(t, "shown", b.Species, 25)
	equal(t, "origin", b.Origin, 132)
	equal(t, "own origin", st.Battle.Own().Origin, 0)
}

// FireRed's screens that scroll over a list are read from the list's own task.
func TestListScreens(t *testing.T) {
	p := ProfileFor("BPRE", 1)
	for screen, callback := range map[string]string{
		"tm-case": "CB2_Idle", "berry-pouch": "CB2_BerryPouchIdle", "pc-items": "ItemPc_MainCB", "window": "CB2_Overworld",
	} {
		t.Run(screen, func(t *testing.T) {
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			m.set32(p.RAM.Main+mainCallback2, function(t, p, callback))
			data := m.task(0, function(t, p, "ListMenuDummyTask"))
			m.task(1, function(t, p, "Task_ListMenuHandleInput"))
			m.set32(data+listItems, 0x02010000)
			m.set16(data+listTotal, 30)
			m.set16(data+listScroll, 20)
			m.set16(data+listRow, 2)
			m.text(0x02011000, "LINE")
			for i := range uint32(30) {
				m.set32(0x02010000+i*listItemStride, 0x02011000)
			}
			st := Decode(m.mem, p)
			checkState(t, &st, p)
			want := screen + "-list"
			if screen == "window" {
				want = menuList
			}
			equal(t, "menu", st.Menu.ID, want)
			equal(t, "line", st.Menu.Entries[st.Menu.Cursor], emu.MenuEntry{ID: "line-22", Label: "LINE"})
			equal(t, "lines", len(st.Menu.Entries), menuEntriesMax)
		})
	}
}

func TestStorageBoxes(t *testing.T) {
	for _, p := range []*Profile{ProfileFor("BPRE", 0), ProfileFor("AXPE", 2)} {
		m := newMachineOf(t, p, romOf)
		at := p.RAM.Storage
		if at == 0 {
			at = 0x02029314
			m.set32(p.RAM.StoragePtr, at)
		}
		m.set8(at, 1)
		put := func(box, slot int, c creature) {
			m.copy(at+storageBoxes+uint32((box*boxSlots+slot)*boxBytes), c.record(t)[:boxBytes])
		}
		put(0, 4, creature{personality: 8, species: 25, nickname: "A", experience: 3})
		put(0, 5, creature{personality: 8, species: 25, nickname: "B", egg: true})
		put(13, 29, creature{personality: 8, species: 25, nickname: "C", badSum: true})
		m.text(at+storageNames+13*boxNameBytes, "LAST")
		m.text(p.Tables.SpeciesNames+25*speciesNameStride, "SPARK")
		m.set8(p.Tables.SpeciesInfo+25*speciesStride, 1)
		for level := range uint32(levelsPerRate) {
			m.set32(p.Tables.Experience+level*4, level)
		}
		_, ok := DecodeStorage(m.mem, p)
		equal(t, "before a game runs", ok, false)
		m.callback(p, "CB2_Overworld", "")
		s, ok := DecodeStorage(m.mem, p)
		equal(t, "read", ok, true)
		equal(t, "off its screen", Decode(m.mem, p).Storage == nil, true)
		m.callback(p, symbolOf(p, "CB2_PokeStorage", "sub_8096B38"), "")
		shown := *Decode(m.mem, p).Storage
		equal(t, "cursor", *shown.Cursor, emu.StorageCursor{Area: "box"})
		shown.Cursor = nil
		equal(t, "on its screen", shown, s)
		equal(t, "counts", []int{s.Count, s.BadChecksums, s.Current}, []int{3, 1, 1})
		equal(t, "first box", s.Boxes[0].Members, []emu.Stored{
			{Slot: 4, Species: 25, SpeciesName: "SPARK", Nickname: "A", Level: 3, Experience: 3},
			{Slot: 5, Nickname: "EGG", Egg: true},
		})
		equal(t, "last box", s.Boxes[13], emu.Box{Name: "LAST", Members: []emu.Stored{{Slot: 29, Nickname: "BAD EGG", BadEgg: true}}})
	}
}
