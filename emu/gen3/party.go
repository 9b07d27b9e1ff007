package gen3

import (
	"clankie/emu"
)

const partySlots = 6

// DecodeParty reads the party as its own records hold it, nil where a decode has
// none. In a battle the party of [Decode] is brought up to what fights; the
// records follow a moment later.
func DecodeParty(mem emu.Memory, p *Profile) *emu.Party {
	if Decode(mem, p).Party == nil {
		return nil
	}
	return newDecoder(mem, p).party()
}

// party reads gPlayerParty. A record that does not hold is a bad egg in its
// slot; the others keep theirs.
func (d *decoder) party() *emu.Party {
	n := int(d.u8(d.p.RAM.PlayerPartyCount))
	if n > partySlots {
		d.torn(partParty, "the party counts "+emu.Count(n, "member"))
		return nil
	}
	party := &emu.Party{Members: make([]emu.Creature, 0, n)}
	for i := range n {
		rec := d.bytes(d.p.RAM.PlayerParty+uint32(i*recordBytes), recordBytes)
		if rec == nil {
			d.absent(partParty, "the party lies outside memory")
			return nil
		}
		party.Members = append(party.Members, d.creature(i, rec))
	}
	return party
}

// creature reads one party record.
func (d *decoder) creature(slot int, rec []byte) emu.Creature {
	c := emu.Creature{
		Slot:        slot,
		Nickname:    name(rec[recNickname : recNickname+nicknameBytes]),
		Personality: le32(rec, recPersonality),
		OTID:        le32(rec, recOTID),
		Moves:       []emu.MoveSlot{},
	}
	s, ok := readSecure(rec)
	if !ok || rec[recFlags]&1 != 0 || !d.plausible(&s, rec) {
		c.BadEgg, c.Nickname = true, "BAD EGG"
		return c
	}
	if s.egg() || rec[recFlags]&4 != 0 {
		// Everything about an egg tells what is in it, its numbers too.
		return emu.Creature{Slot: slot, Egg: true, Nickname: "EGG", Level: int(rec[recLevel]), Moves: c.Moves}
	}
	d.fillCreature(&c, &s, rec)
	return c
}

// plausible reports whether a record's numbers are ones the game can have.
func (d *decoder) plausible(s *secure, rec []byte) bool {
	level, maxHP := int(rec[recLevel]), le16(rec, recMaxHP)
	return s.species() >= 1 && s.species() <= d.p.Layout.SpeciesMax &&
		level >= 1 && level <= levelMax && maxHP >= 1 && maxHP <= 9999
}

func (d *decoder) fillCreature(c *emu.Creature, s *secure, rec []byte) {
	c.Species = s.species()
	c.SpeciesID = d.p.SpeciesID(c.Species)
	c.SpeciesName = d.speciesName(c.Species)
	c.Level = int(rec[recLevel])
	c.MaxHP = le16(rec, recMaxHP)
	c.HP = min(le16(rec, recHP), c.MaxHP) // an edited one may have more
	c.Ailment = ailment(le32(rec, recStatus))
	c.Moves = d.moveSlots(func(i int) (int, int) { return s.move(i), s.pp(i) }, s.ppBonuses())
	c.Stats = emu.Stats{
		HP: c.MaxHP, Attack: le16(rec, recStats), Defense: le16(rec, recStats+2),
		Speed: le16(rec, recStats+4), SpAttack: le16(rec, recStats+6), SpDefense: le16(rec, recStats+8),
	}
	c.IVs = ivs(s.ivWord())
	e := &s.evs
	c.EVs = emu.Stats{
		HP: int(e[0]), Attack: int(e[1]), Defense: int(e[2]),
		Speed: int(e[3]), SpAttack: int(e[4]), SpDefense: int(e[5]),
	}
	c.Nature = int(c.Personality % 25)
	c.NatureName = d.natureName(c.Nature)
	c.AbilitySlot = s.ability()
	c.HeldItem = s.heldItem()
	c.HeldName = d.itemName(c.HeldItem)
	c.Experience = s.experience()
	c.Friendship = s.friendship()
	c.Shiny = shiny(c.Personality, c.OTID)
	if info := d.speciesData(c.Species); info.known {
		c.Types = d.typeNames(info.types)
		c.ToNextLevel = d.toNextLevel(info.growth, c.Level, c.Experience)
		c.Ability = d.abilityName(abilityOf(info.abilities, c.AbilitySlot))
	}
}

// abilityOf is the ability in a slot; species with one ability have it in both.
func abilityOf(abilities [2]int, slot int) int {
	if a := abilities[slot&1]; a != 0 {
		return a
	}
	return abilities[0]
}

// ivs unpacks six times five bits.
func ivs(word uint32) emu.Stats {
	at := func(i int) int { return int(word >> (5 * i) & 31) }
	return emu.Stats{HP: at(0), Attack: at(1), Defense: at(2), Speed: at(3), SpAttack: at(4), SpDefense: at(5)}
}

// moveSlots makes the four slots from what at returns for each: id and PP.
func (d *decoder) moveSlots(at func(i int) (id, pp int), bonuses byte) []emu.MoveSlot {
	slots := make([]emu.MoveSlot, 4)
	for i := range slots {
		id, pp := at(i)
		slots[i] = d.moveSlot(i, id, pp, bonuses)
	}
	return slots
}

func (d *decoder) moveSlot(i, id, pp int, bonuses byte) emu.MoveSlot {
	if id < 1 || id > d.p.Layout.MoveMax {
		return emu.MoveSlot{}
	}
	m := emu.MoveSlot{ID: id, MoveID: d.p.MoveID(id), Name: d.moveName(id), PP: pp}
	if data := d.moveData(id); data.known {
		m.Power, m.Type, m.MaxPP = data.power, d.typeName(data.typ), maxPP(data.pp, bonuses, i)
	}
	return m
}
