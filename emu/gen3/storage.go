package gen3

import "clankie/emu"

// Shape of struct PokemonStorage: the current box, then 14 boxes of 30
// records.
const (
	storageBoxes   = 0x4
	storageRecords = 14 * 30
)

// Storage is what the storage system holds.
type Storage struct {
	Count        int // records with a creature, bad ones included
	BadChecksums int // records that do not hold
}

// DecodeStorage counts what the storage system holds. It reads 420 records, so
// it is asked for when needed and is no part of a decode. ok is false when no
// storage is in memory.
func DecodeStorage(mem emu.Memory, p *Profile) (s Storage, ok bool) {
	if !p.Decodes() {
		return Storage{}, false
	}
	ptr := p.RAM.Storage
	if ptr == 0 {
		ptr, _ = mem.BusRead32(p.RAM.StoragePtr)
	}
	if !inEWRAM(ptr) {
		return Storage{}, false
	}
	boxes := mem.Slice(ptr+storageBoxes, storageRecords*boxBytes)
	if boxes == nil {
		return Storage{}, false
	}
	for i := range storageRecords {
		rec := boxes[i*boxBytes : (i+1)*boxBytes]
		if rec[recFlags]&2 == 0 {
			continue // no species: an empty place
		}
		s.Count++
		if _, ok := readSecure(rec); !ok {
			s.BadChecksums++
		}
	}
	return s, true
}
