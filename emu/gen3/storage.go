package gen3

import "clankie/emu"

// Shape of struct PokemonStorage: the current box, then 14 boxes of 30
// records, then the boxes' names.
const (
	storageBoxes = 0x4
	storageNames = 0x8344
	storageBytes = 0x83D0
	boxCount     = 14
	boxSlots     = 30
	boxNameBytes = 9
)

// DecodeStorage reads the storage system. It has 420 records, so it is asked
// for when needed and is no part of a decode. ok is false when no storage is in
// memory, or no game is running yet.
func DecodeStorage(mem emu.Memory, p *Profile) (s emu.Storage, ok bool) {
	if !p.Decodes() {
		return emu.Storage{}, false
	}
	d := newDecoder(mem, p)
	if d.readMoment().role == roleOpening {
		return emu.Storage{}, false
	}
	return d.storage()
}

func (d *decoder) storage() (s emu.Storage, ok bool) {
	at := d.p.RAM.Storage
	if at == 0 {
		at = d.u32(d.p.RAM.StoragePtr)
	}
	b := d.bytes(at, storageBytes)
	if !inEWRAM(at) || b == nil {
		return emu.Storage{}, false
	}
	s = emu.Storage{Current: min(int(b[0]), boxCount-1), Boxes: make([]emu.Box, boxCount)}
	for i := range s.Boxes {
		box := &s.Boxes[i]
		box.Name = name(b[storageNames+i*boxNameBytes : storageNames+(i+1)*boxNameBytes])
		for slot := range boxSlots {
			rec := b[storageBoxes+(i*boxSlots+slot)*boxBytes:][:boxBytes]
			if rec[recFlags]&2 == 0 {
				continue // no species: an empty place
			}
			m, holds := d.stored(slot, rec)
			box.Members = append(box.Members, m)
			s.Count++
			if !holds {
				s.BadChecksums++
			}
		}
	}
	return s, true
}

// stored reads one record of a box; holds is false when its checksum does not.
func (d *decoder) stored(slot int, rec []byte) (m emu.Stored, holds bool) {
	s, holds := readSecure(rec)
	switch {
	case !holds || rec[recFlags]&1 != 0 || s.species() < 1 || s.species() > d.p.Layout.SpeciesMax:
		return emu.Stored{Slot: slot, Nickname: "BAD EGG", BadEgg: true}, holds
	case s.egg() || rec[recFlags]&4 != 0:
		return emu.Stored{Slot: slot, Nickname: "EGG", Egg: true}, true
	}
	return emu.Stored{
		Slot: slot, Species: s.species(), SpeciesName: d.speciesName(s.species()),
		Nickname:   name(rec[recNickname : recNickname+nicknameBytes]),
		Level:      d.levelOf(s.species(), s.experience()),
		Experience: s.experience(),
		Shiny:      shiny(le32(rec, recPersonality), le32(rec, recOTID)),
	}, true
}

// levelOf is the level that experience makes: a box does not keep it.
func (d *decoder) levelOf(species, experience int) int {
	info := d.speciesData(species)
	if !info.known || info.growth >= growthRates || d.tables.Experience == 0 {
		return 0
	}
	level := 1
	for level < levelMax && int(d.u32(d.tables.Experience+uint32(info.growth*levelsPerRate+level+1)*4)) <= experience {
		level++
	}
	return level
}
