package gen3

import (
	"math/bits"
	"sort"

	"clankie/emu"
)

// Offsets in SaveBlock2, the same in all families.
const (
	save2Name      = 0x00
	save2Gender    = 0x08
	save2TrainerID = 0x0A
	save2Hours     = 0x0E
	save2Minutes   = 0x10
	save2Seconds   = 0x11
	save2DexOwned  = 0x28
	save2DexSeen   = 0x5C

	playerNameBytes = 8
	dexBytes        = 0x34
	dexSpecies      = 386
)

// trainer reads the player's card. It needs both save blocks.
func (d *decoder) trainer() *emu.Trainer {
	if d.save1 == 0 || d.save2 == 0 {
		d.absent(partTrainer, "no save block is in memory")
		return nil
	}
	l, s1, s2 := &d.p.Layout, d.save1, d.save2
	id := d.u32(s2 + save2TrainerID)
	t := &emu.Trainer{
		Name:     name(d.bytes(s2+save2Name, playerNameBytes)),
		Gender:   int(d.u8(s2+save2Gender) & 1),
		PublicID: int(id & 0xFFFF),
		SecretID: int(id >> 16),
		Money:    int(d.u32(s1+l.Money) ^ d.key()),
		Coins:    int(d.u16(s1+l.Coins) ^ uint16(d.key())),
		PlayTime: emu.PlayTime{
			Hours:   int(d.u16(s2 + save2Hours)),
			Minutes: int(d.u8(s2 + save2Minutes)),
			Seconds: int(d.u8(s2 + save2Seconds)),
		},
		DexOwned: d.dexCount(s2 + save2DexOwned),
		DexSeen:  d.dexCount(s2 + save2DexSeen),
	}
	for i := range t.Badges {
		t.Badges[i] = d.flag(l.BadgeFlag + i)
	}
	if l.RivalName != 0 {
		t.RivalName = name(d.bytes(s1+l.RivalName, playerNameBytes))
	}
	return t
}

// dexCount counts the bits of a Pokédex list: bit n-1 is national number n.
func (d *decoder) dexCount(addr uint32) int {
	b := d.bytes(addr, dexBytes)
	n := 0
	for i, v := range b {
		if last := dexSpecies - i*8; last < 8 {
			v &= 1<<max(last, 0) - 1
		}
		n += bits.OnesCount8(v)
	}
	return n
}

// flag reads an event flag of SaveBlock1.
func (d *decoder) flag(id int) bool {
	return d.u8(d.save1+d.p.Layout.Flags+uint32(id/8))>>(id%8)&1 != 0
}

// goals lists the goals whose flags are set; nil when there are no flags.
func (d *decoder) goals() []string {
	if d.save1 == 0 {
		return nil
	}
	reached := []string{}
	for _, g := range d.p.Goals {
		if d.flag(g.Flag) {
			reached = append(reached, g.ID)
		}
	}
	sort.Strings(reached)
	return reached
}
