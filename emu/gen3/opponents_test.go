package gen3

import "testing"

// trainerOf writes trainer id of a class; the class's own name is "CLASS".
func (m *machine) trainerOf(p *Profile, id, class int, name string) {
	at := p.Tables.Trainers + uint32(id*trainerStride)
	m.set8(at+trainerClass, class)
	m.text(at+trainerName, name)
	m.set32(at+trainerParty, 0x08000100)
	m.text(p.Tables.TrainerClasses+uint32(class*classNameStride), "CLASS")
}

// A trainer is named as the cartridge's own tables name him.
func TestTrainersAreNamed(t *testing.T) {
	b := battler{species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A"}
	for _, p := range Profiles[:len(Profiles)-1] {
		m := namedMachine(t, p)
		m.trainerOf(p, 103, 7, "RICK")
		m.set16(p.RAM.TrainerOpponent, 103)
		named := func(flags uint32) string {
			m.battle(p, flags, b, b)
			return m.decode(p).Battle.TrainerName
		}
		equal(t, p.Name+" trainer", named(battleTrainer), "CLASS RICK")
		equal(t, p.Name+" nobody", named(4), "")
		equal(t, p.Name+" of the tower", named(battleTrainer|0x100), "")
		equal(t, p.Name+" link", named(battleTrainer|battleLink), "")
		m.set16(p.RAM.TrainerOpponent, p.Layout.Trainers)
		equal(t, p.Name+" beyond the table", named(battleTrainer), "")
		m.mem.ROM = nil
		m.set16(p.RAM.TrainerOpponent, 103)
		equal(t, p.Name+" without a cartridge", named(battleTrainer), "")
	}
}

// The cartridge's table does not know what the player called the rival.
func TestRivalIsNamedByThePlayer(t *testing.T) {
	p := ProfileFor("BPGE", 1)
	m := namedMachine(t, p)
	m.trainerOf(p, 326, 81, "TERRY")
	m.text(testSave1+p.Layout.RivalName, "GARY")
	m.set16(p.RAM.TrainerOpponent, 326)
	b := battler{species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A"}
	m.battle(p, battleTrainer, b, b)
	equal(t, "rival", m.decode(p).Battle.TrainerName, "CLASS GARY")
}

func TestSecondTrainerIsNamed(t *testing.T) {
	p := ProfileFor("BPEE", 0)
	m := namedMachine(t, p)
	m.trainerOf(p, 103, 7, "RICK")
	m.trainerOf(p, 104, 7, "ANN")
	m.set16(p.RAM.TrainerOpponent, 103)
	m.set16(p.RAM.SecondOpponent, 104)
	b := battler{species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A"}
	m.battle(p, battleTrainer|battleDouble|p.Layout.TwoOpponentsFlag, b, b, b, b)
	got := m.decode(p).Battle
	equal(t, "trainers", []any{got.TrainerName, got.SecondTrainerID, got.SecondTrainerName}, []any{"CLASS RICK", 104, "CLASS ANN"})
	m.battle(p, battleTrainer, b, b)
	equal(t, "alone", m.decode(p).Battle.SecondTrainerID, 0)
}

// A way out is named as the place it leads to is.
func TestWaysOutAreNamed(t *testing.T) {
	for _, p := range Profiles {
		m := namedMachine(t, p)
		m.set8(testEvents+eventWarps, 2)
		m.set32(testEvents+eventWarpsPtr, testEvents+0x40)
		m.set8(testEvents+0x48+warpMapGroup, 90) // a group that no game has
		links := testEvents + uint32(0x80)
		m.set32(p.RAM.MapHeader+headerLinks, links)
		m.set32(links, 1)
		m.set32(links+4, links+8)
		m.set8(links+8+linkDirection, 2)
		m.set8(links+8+linkMapGroup, 1)
		m.set8(0x08000300+headerSection, p.Layout.FirstMapSection+5)
		m.set8(0x08000320+headerSection, p.Layout.FirstMapSection+6)
		m.text(0x08000140, "OLDALE")
		m.set32(p.Tables.MapNames+6*p.Layout.MapNameStride+p.Layout.MapNamePointer, 0x08000140)
		e := m.decode(p).Overworld.Exits
		equal(t, p.Name, []string{e.Warps[0].DestinationName, e.Warps[1].DestinationName, e.Connections[0].DestinationName},
			[]string{"LITTLEROOT", "", "OLDALE"})
	}
}
