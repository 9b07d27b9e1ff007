package gen3

import "slices"

// Shapes of gTrainers (struct Trainer) and of gTrainerClassNames, the same in
// all families.
const (
	trainerStride        = 0x28
	trainerClass         = 0x01
	trainerName          = 0x04
	trainerNameBytes     = 12
	trainerPartySize     = 0x20
	trainerParty         = 0x24
	classNameStride      = 13
	trainerSampleNames   = 2 // of the samples that a table is known by
	trainerTablePartyMax = partySlots
)

// trainerName is the class and name of a trainer of gTrainers, "" where he is
// none of them: those of the Battle Tower and its like count on their own, and
// the cartridge may not be there.
func (d *decoder) trainerName(flags uint32, id int) string {
	l := &d.p.Layout
	if flags&battleTrainer == 0 || flags&(battleLink|l.OtherTrainerFlags) != 0 || id < 1 || id >= l.Trainers ||
		d.tables.Trainers == 0 || d.tables.TrainerClasses == 0 {
		return ""
	}
	t := d.bytes(d.tables.Trainers+uint32(id*trainerStride), trainerStride)
	if t == nil || int(t[trainerClass]) >= l.TrainerClasses {
		return ""
	}
	class := int(t[trainerClass])
	own := cleanLine(name(t[trainerName : trainerName+trainerNameBytes]))
	if slices.Contains(l.RivalClasses, class) && d.save1 != 0 {
		// The table's name of the rival is one of the developers'.
		own = cleanLine(name(d.bytes(d.save1+l.RivalName, playerNameBytes)))
	}
	return cleanLine(d.tableName(d.tables.TrainerClasses, classNameStride, classNameStride, class) + " " + own)
}

// trainers: classes, party sizes and parties in range, and names among them.
func (c *romChecker) trainers(at uint32) bool {
	l, named := &c.d.p.Layout, 0
	for _, id := range [...]uint32{102, 265, 414, 600} {
		t := c.d.bytes(at+id*trainerStride, trainerStride)
		if t == nil || int(t[trainerClass]) >= l.TrainerClasses || t[trainerPartySize] > trainerTablePartyMax {
			return false
		}
		if endedName(t[trainerName:trainerName+trainerNameBytes]) && inROM(le32(t, trainerParty)) {
			named++
		}
	}
	return named >= trainerSampleNames
}
