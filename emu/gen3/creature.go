package gen3

import "encoding/binary"

// A record is a creature as memory keeps it: struct Pokemon, 100 bytes, of which
// the first 80 are struct BoxPokemon. The same in all games of the generation.
const (
	boxBytes    = 80
	recordBytes = 100

	recPersonality = 0x00
	recOTID        = 0x04
	recNickname    = 0x08
	recFlags       = 0x13 // bit 0 bad egg, bit 1 has a species, bit 2 egg
	recChecksum    = 0x1C
	recSecure      = 0x20
	recStatus      = 0x50
	recLevel       = 0x54
	recHP          = 0x56
	recMaxHP       = 0x58
	recStats       = 0x5A // attack, defence, speed, special attack, special defence

	nicknameBytes = 10
	secureBytes   = 48
	substructSize = 12
)

// substructOrder[personality%24] gives the physical places of the four
// logical substructures: growth, attacks, EVs, miscellaneous.
var substructOrder = [24]string{
	"0123", "0132", "0213", "0312", "0231", "0321", "1023", "1032",
	"2013", "3012", "2031", "3021", "1203", "1302", "2103", "3102",
	"2301", "3201", "1230", "1320", "2130", "3120", "2310", "3210",
}

// secure is the decrypted part of a record.
type secure struct {
	growth, attacks, evs, misc [substructSize]byte
}

// readSecure decrypts a record of at least boxBytes; ok is false when its
// checksum does not hold. The game decrypts records in place to read them, word
// by word from the front, and encrypts them again the same way, so a frame can
// end with one open or half open.
func readSecure(rec []byte) (s secure, ok bool) {
	want := le16(rec, recChecksum)
	var open, shut [secureBytes]byte // the words as they are, and decrypted
	copy(open[:], rec[recSecure:])
	key := le32(rec, recPersonality) ^ le32(rec, recOTID)
	for i := 0; i < secureBytes; i += 4 {
		binary.LittleEndian.PutUint32(shut[i:], le32(open[:], i)^key)
	}
	for front := 0; front <= secureBytes; front += 4 {
		for _, halves := range [2][2]*[secureBytes]byte{{&open, &shut}, {&shut, &open}} {
			var plain [secureBytes]byte
			copy(plain[:front], halves[0][:front])
			copy(plain[front:], halves[1][front:])
			if checksum(plain[:]) == want {
				return arrange(plain[:], le32(rec, recPersonality)), true
			}
		}
	}
	return secure{}, false
}

// arrange puts the four substructures into their logical order.
func arrange(plain []byte, personality uint32) (s secure) {
	order := substructOrder[personality%24]
	for i, dst := range []*[substructSize]byte{&s.growth, &s.attacks, &s.evs, &s.misc} {
		copy(dst[:], plain[int(order[i]-'0')*substructSize:])
	}
	return s
}

// checksum is the sum of the halfwords, mod 2^16.
func checksum(b []byte) int {
	sum := 0
	for i := 0; i < len(b); i += 2 {
		sum += le16(b, i)
	}
	return sum & 0xFFFF
}

func (s *secure) species() int    { return le16(s.growth[:], 0) }
func (s *secure) heldItem() int   { return le16(s.growth[:], 2) }
func (s *secure) experience() int { return int(le32(s.growth[:], 4)) }
func (s *secure) ppBonuses() byte { return s.growth[8] }
func (s *secure) friendship() int { return int(s.growth[9]) }
func (s *secure) move(i int) int  { return le16(s.attacks[:], 2*i) }
func (s *secure) pp(i int) int    { return int(s.attacks[8+i]) }

// ivWord packs six IVs of five bits, the egg bit and the ability slot.
func (s *secure) ivWord() uint32 { return le32(s.misc[:], 4) }
func (s *secure) egg() bool      { return s.ivWord()>>30&1 != 0 }
func (s *secure) ability() int   { return int(s.ivWord() >> 31) }

// ailment reads a status word: party status and battle status1 share it.
func ailment(status uint32) string {
	switch {
	case status&0x07 != 0:
		return "sleep"
	case status&0x80 != 0:
		return "toxic"
	case status&0x08 != 0:
		return "poison"
	case status&0x10 != 0:
		return "burn"
	case status&0x20 != 0:
		return "freeze"
	case status&0x40 != 0:
		return "paralysis"
	}
	return ""
}

// maxPP is base PP raised by a fifth for each of the slot's PP Ups.
func maxPP(base int, bonuses byte, slot int) int {
	n := int(bonuses >> (2 * slot) & 3)
	return base + base*20*n/100
}

// shiny reports whether ids and personality make a shiny one.
func shiny(personality, otID uint32) bool {
	return (otID>>16 ^ otID&0xFFFF ^ personality>>16 ^ personality&0xFFFF) < 8
}
