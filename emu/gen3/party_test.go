package gen3

import (
	"strings"
	"testing"

	"clankie/emu"
)

func TestSubstructOrders(t *testing.T) {
	// The physical orders of the four substructures in lexicographic order.
	physical := strings.Fields("GAEM GAME GEAM GEMA GMAE GMEA AGEM AGME AEGM AEMG AMGE AMEG " +
		"EGAM EGMA EAGM EAMG EMGA EMAG MGAE MGEA MAGE MAEG MEGA MEAG")
	for i, letters := range physical {
		var want strings.Builder
		for _, logical := range "GAEM" {
			want.WriteByte(byte('0' + strings.IndexRune(letters, logical)))
		}
		equal(t, letters, substructOrder[i], want.String())
	}
}

func TestPartyRecords(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	base := creature{otID: 0x00010002, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33, 0, 45, 0}, pp: [4]int{35, 0, 40, 0}, nickname: "PIKA"}
	with := func(change func(*creature)) creature {
		c := base
		change(&c)
		return c
	}
	decodeOne := func(c creature) (emu.Creature, emu.State) {
		m := newMachine(t)
		m.field(p, 20, 12, 13, 13)
		m.party(p, c)
		st := m.decode(p)
		return st.Party.Members[0], st
	}
	t.Run("every order", func(t *testing.T) {
		for personality := range uint32(48) {
			c, _ := decodeOne(with(func(c *creature) { c.personality = personality }))
			equal(t, "species", c.Species, 25)
			equal(t, "nature", c.Nature, int(personality%25))
			equal(t, "moves", []int{c.Moves[0].ID, c.Moves[1].ID, c.Moves[2].ID, c.Moves[3].ID}, []int{33, 0, 45, 0})
			equal(t, "empty slot", c.Moves[1], emu.MoveSlot{})
		}
	})
	t.Run("egg", func(t *testing.T) {
		c, _ := decodeOne(with(func(c *creature) { c.egg = true }))
		equal(t, "egg", c, emu.Creature{Egg: true, Nickname: "EGG", Level: 12, Moves: []emu.MoveSlot{}})
	})
	t.Run("bad egg by flag", func(t *testing.T) {
		c, _ := decodeOne(with(func(c *creature) { c.badEgg = true }))
		equal(t, "bad egg", c.BadEgg, true)
	})
	t.Run("bad checksum", func(t *testing.T) {
		c, st := decodeOne(with(func(c *creature) { c.badSum = true }))
		equal(t, "bad egg", c.BadEgg, true)
		equal(t, "torn", st.Torn, false)
	})
	t.Run("caught while decrypted or half so", func(t *testing.T) {
		for _, words := range [][2]int{{0, 12}, {0, 5}, {7, 12}} {
			c, _ := decodeOne(with(func(c *creature) { c.personality, c.openFrom, c.openTo = 77, words[0], words[1] }))
			equal(t, "species", c.Species, 25)
			equal(t, "move", c.Moves[2].ID, 45)
		}
	})
	t.Run("unknown species", func(t *testing.T) {
		c, _ := decodeOne(with(func(c *creature) { c.species = 412 }))
		equal(t, "bad egg", c.BadEgg, true)
	})
	t.Run("highest species", func(t *testing.T) {
		c, _ := decodeOne(with(func(c *creature) { c.species = 411 }))
		equal(t, "species", c.SpeciesID, "firered-species-411")
	})
	t.Run("shiny", func(t *testing.T) {
		c, _ := decodeOne(with(func(c *creature) { c.personality = 0x00010002 }))
		equal(t, "shiny", c.Shiny, true)
	})
	t.Run("ailments", func(t *testing.T) {
		for status, want := range map[uint32]string{
			0: "", 3: "sleep", 8: "poison", 0x10: "burn", 0x20: "freeze", 0x40: "paralysis", 0x80: "toxic", 0x380: "toxic",
		} {
			c, _ := decodeOne(with(func(c *creature) { c.status = status }))
			equal(t, "ailment", c.Ailment, want)
		}
	})
	t.Run("names keep every character", func(t *testing.T) {
		c, _ := decodeOne(with(func(c *creature) { c.nickname = "é♂♀…’ Ab-1" }))
		equal(t, "nickname", c.Nickname, "é♂♀…’ Ab-1")
	})
	t.Run("slots keep their places", func(t *testing.T) {
		m := newMachine(t)
		m.field(p, 20, 12, 13, 13)
		m.party(p, with(func(c *creature) { c.egg = true }), with(func(c *creature) { c.badSum = true }), base, base)
		members := m.decode(p).Party.Members
		equal(t, "slots", []int{members[0].Slot, members[1].Slot, members[2].Slot, members[3].Slot}, []int{0, 1, 2, 3})
		equal(t, "third", members[2].Species, 25)
	})
	t.Run("a count that cannot be", func(t *testing.T) {
		m := newMachine(t)
		m.field(p, 20, 12, 13, 13)
		m.set8(p.RAM.PlayerPartyCount, 7)
		st := m.decode(p)
		if st.Party != nil || st.Trainer == nil || st.Overworld == nil {
			t.Errorf("party %v, trainer %v, overworld %v", st.Party, st.Trainer, st.Overworld)
		}
	})
}

func TestNamesFromROM(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	tb := p.Tables
	m.text(tb.SpeciesNames+25*speciesNameStride, "PIKACHU")
	m.text(tb.MoveNames+33*moveNameStride, "TACKLE")
	m.text(tb.TypeNames, "NORMAL")
	m.text(tb.TypeNames+13*typeNameStride, "ELECTR")
	m.text(tb.AbilityNames+9*abilityNameStride, "STATIC")
	m.text(tb.Items+13*itemStride, "POTION")
	m.copy(tb.Moves+33*moveStride, []byte{0, 35, 0, 95, 35})
	m.copy(tb.SpeciesInfo+25*speciesStride+6, []byte{13, 13})
	m.set8(tb.SpeciesInfo+25*speciesStride+0x16, 9)
	m.set32(tb.Experience+(12+1)*4, 2197)
	m.set16(testSave1+0x310, 13)
	m.set16(testSave1+0x312, 7^testKey&0xFFFF)
	m.text(0x08200000, "ROUTE 1")
	m.set32(tb.MapNames+(101-88)*4, 0x08200000)
	m.set8(p.RAM.MapHeader+headerSection, 101)
	m.party(p, creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33}, pp: [4]int{30}, nickname: "PIKA", experience: 2000})
	st := m.decode(p)
	c := st.Party.Members[0]
	equal(t, "species", c.SpeciesName, "PIKACHU")
	equal(t, "types", c.Types, []string{"ELECTR"})
	equal(t, "ability", c.Ability, "STATIC")
	equal(t, "to next", c.ToNextLevel, 197)
	equal(t, "move", c.Moves[0], emu.MoveSlot{ID: 33, MoveID: "firered-move-33", Name: "TACKLE", Type: "NORMAL", Power: 35, PP: 30, MaxPP: 35})
	equal(t, "item", st.Inventory.Items[0], emu.Item{Pocket: "items", ID: 13, ItemID: "firered-item-13", Name: "POTION", Count: 7})
	equal(t, "map", st.Overworld.MapName, "ROUTE 1")

	m.mem.ROM = nil
	st = m.decode(p)
	c = st.Party.Members[0]
	equal(t, "species without the ROM", c.Species, 25)
	equal(t, "name without the ROM", c.SpeciesName+c.Ability+c.Moves[0].Name+st.Overworld.MapName+st.Inventory.Items[0].Name, "")
	equal(t, "types without the ROM", len(c.Types), 0)
}

func TestInventoryRanges(t *testing.T) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	put := func(slot, id, count int) {
		m.set16(testSave1+0x310+uint32(4*slot), id)
		m.set16(testSave1+0x312+uint32(4*slot), count^testKey&0xFFFF)
	}
	put(0, 374, 999)
	put(1, 375, 1)
	put(2, 13, 0)
	st := m.decode(p)
	equal(t, "stacks", len(st.Inventory.Items), 1)
	if !strings.Contains(st.Undecoded[partInventory], "2 stacks") {
		t.Errorf("reason is %q", st.Undecoded[partInventory])
	}
}

func TestGoals(t *testing.T) {
	p := ProfileFor("BBLE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	for _, flag := range []int{0x2A2, 0x2A0} {
		m.set8(testSave1+p.Layout.Flags+uint32(flag/8), int(m.at(testSave1+p.Layout.Flags+uint32(flag/8), 1)[0])|1<<(flag%8))
	}
	st := m.decode(p)
	equal(t, "goals", st.Goals, []string{"far-gate", "rival-beaten"})
	equal(t, "map id", st.Overworld.Position.MapID, "bramble-map-3-19")
}
