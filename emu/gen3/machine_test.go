package gen3

import (
	"encoding/binary"
	"strings"
	"testing"

	"clankie/emu"
)

// machine is a machine's memory that tests write into.
type machine struct {
	t   testing.TB
	mem emu.Memory
	ram *RAM
}

// newMachine is zeroed memory with a cartridge of 5 MiB that is zeroed but for
// what FireRed's tables are recognised by.
func newMachine(t testing.TB) *machine { return newMachineOf(t, Profiles[0], 5<<20) }

// newMachineOf is the same of another game.
func newMachineOf(t testing.TB, p *Profile, rom int) *machine {
	m := &machine{t, emu.Memory{
		EWRAM: make([]byte, emu.EWRAMBytes),
		IWRAM: make([]byte, emu.IWRAMBytes),
		ROM:   make([]byte, rom),
	}, &p.RAM}
	m.blankTables(p)
	return m
}

// blankTables writes the entries that tables are recognised by, with nothing in
// them: names of one blank, moves of one PP.
func (m *machine) blankTables(p *Profile) {
	tables, names := p.Tables, p.Layout.MapNameStride
	for _, table := range []struct {
		at, stride uint32
		samples    []uint32
		row        []byte
	}{
		{tables.SpeciesNames, speciesNameStride, []uint32{1, 4, 7, 277, 411}, []byte{0, charEnd}},
		{tables.MoveNames, moveNameStride, []uint32{1, 33, 354}, []byte{0, charEnd}},
		{tables.AbilityNames, abilityNameStride, []uint32{1, 65, 77}, []byte{0, charEnd}},
		{tables.TypeNames, typeNameStride, []uint32{0, 1, 10, 17}, []byte{0, charEnd}},
		{tables.Moves, moveStride, []uint32{1, 33, 165, 354}, []byte{0, 0, 0, 0, 1}},
		{tables.SpeciesInfo, speciesStride, []uint32{1, 4, 7, 151, 277, 411}, []byte{1}},
		{tables.Items, itemStride, []uint32{1, 4, 13}, []byte{0, charEnd}},
		{tables.MapNames + p.Layout.MapNamePointer, names, []uint32{0, 1, 2}, []byte{0, 1, 0, 8}},
		{tables.NatureNames, 4, []uint32{0, 24}, []byte{0, 1, 0, 8}},
		{tables.Multichoice, 8, []uint32{0}, []byte{0, 2, 0, 8, 1}},
		{tables.TrainerClasses, classNameStride, []uint32{1, 20, 57}, []byte{0, charEnd}},
		{tables.Trainers + trainerName, trainerStride, []uint32{102, 265}, []byte{0, charEnd}},
		{tables.Trainers + trainerParty, trainerStride, []uint32{102, 265}, []byte{0, 1, 0, 8}},
		{tables.DexNumbers, 2, []uint32{0, 3, 6, 410}, []byte{1, 0}},
	} {
		if table.at < emu.ROMBase {
			continue // the game has no such table
		}
		for _, i := range table.samples {
			m.copy(table.at+i*table.stride, table.row)
			if table.at == tables.Items {
				m.set16(table.at+i*table.stride+0xE, int(i))
			}
		}
	}
	m.copy(0x08000100, []byte{0, charEnd})
	for i := range uint32(2) { // two groups, right before the table, of one map each
		m.set32(tables.MapGroups+4*i, tables.MapGroups-8+4*i)
		m.set32(tables.MapGroups-8+4*i, 0x08000300+0x20*i)
		m.set32(0x08000300+0x20*i+headerLayout, 0x08000100)
		m.set32(0x08000300+0x20*i+headerEvents, 0x08000100+4*i)
	}
	m.set32(0x08000200, 0x08000100)
	for i, level := range []uint32{2, 50, 99, 100} {
		m.set32(tables.Experience+level*4, uint32(i+1))
	}
}

func (m *machine) at(addr uint32, n int) []byte {
	m.t.Helper()
	b := m.mem.Slice(addr, n)
	if b == nil {
		m.t.Fatalf("address %08X is outside memory", addr)
	}
	return b
}

func (m *machine) set8(addr uint32, v int)     { m.at(addr, 1)[0] = byte(v) }
func (m *machine) set16(addr uint32, v int)    { binary.LittleEndian.PutUint16(m.at(addr, 2), uint16(v)) }
func (m *machine) set32(addr uint32, v uint32) { binary.LittleEndian.PutUint32(m.at(addr, 4), v) }
func (m *machine) copy(addr uint32, b []byte)  { copy(m.at(addr, len(b)), b) }

// text writes s in the games' character set.
func (m *machine) text(addr uint32, s string) { m.copy(addr, encode(m.t, s)) }

// encode turns s into the games' character set, with its end byte. "\f" clears
// the box.
func encode(t testing.TB, s string) []byte {
	var out []byte
	for _, r := range s {
		switch r {
		case '\n':
			out = append(out, charNewline)
			continue
		case '\f':
			out = append(out, charParagraph)
			continue
		}
		found := false
		for code, glyph := range charmap {
			if glyph == string(r) && code != 0x59 && code != 0x84 {
				out, found = append(out, byte(code)), true
				break
			}
		}
		if !found {
			t.Fatalf("no code for %q", r)
		}
	}
	return append(out, charEnd)
}

// function returns the stored pointer to a recognised function of profile p;
// of several with one name, "name/screen" means the one of a screen.
func function(t testing.TB, p *Profile, symbol string) uint32 {
	t.Helper()
	symbol, screen, chosen := strings.Cut(symbol, "/")
	for _, rows := range [][]codeRow{fireRedCode, emeraldCode, rubySapphireCode} {
		for _, row := range rows {
			for _, addr := range row.addr {
				if row.symbol == symbol && (!chosen || row.screen == emu.Screen(screen)) && addr != 0 && p.code[addr] == (codeEntry{row.role, row.screen}) {
					return addr | 1
				}
			}
		}
	}
	t.Fatalf("no function %s in %s", symbol, p.Name)
	return 0
}

// task makes task i active with a function.
func (m *machine) task(i int, fn uint32) (data uint32) {
	at := m.ram.Tasks + uint32(i*taskStride)
	m.set32(at, fn)
	m.set8(at+taskActive, 1)
	return at + taskData
}

// Where the scenes below keep their save blocks and their map.
const (
	testSave1  = 0x02025590
	testSave2  = 0x020245EC
	testMap    = 0x02031DFC
	testKey    = 0x12344567
	testLayout = 0x08300000
	testEvents = 0x08300100
)

// field sets up a field of w×h tiles that takes input, with the player on
// border-inclusive (x, y), facing north.
func (m *machine) field(p *Profile, w, h, x, y int) {
	ram := &p.RAM
	m.set32(ram.Main+mainCallback1, function(m.t, p, "CB1_Overworld"))
	m.set32(ram.Main+mainCallback2, function(m.t, p, "CB2_Overworld"))
	m.set8(ram.ScriptStatus, scriptShutDown)
	save1, key := m.saveBlocks(p)
	m.set32(save1+p.Layout.Money, key^3000)
	m.set16(save1+p.Layout.Coins, int(key&0xFFFF))
	m.set8(save1+save1Location, 3)
	m.set8(save1+save1Location+1, 19)
	m.set32(ram.BackupLayout, uint32(w+p.Layout.BlockX))
	m.set32(ram.BackupLayout+4, uint32(h+p.Layout.BlockY))
	m.set32(ram.BackupLayout+8, testMap)
	for i := range (w + p.Layout.BlockX) * (h + p.Layout.BlockY) {
		m.set16(testMap+uint32(2*i), 3<<12|1)
	}
	m.set32(ram.MapHeader+headerLayout, testLayout)
	m.set32(testLayout+layoutWidth, uint32(w))
	m.set32(testLayout+layoutHeight, uint32(h))
	m.set32(ram.MapHeader+headerEvents, testEvents)
	m.object(0, 0xFF, 7, x, y, 2)
	m.set32(ram.ObjectEvents, objActive|objHeldActive|objHeldFinished|objIsPlayer)
}

// saveBlocks sets up the save blocks and returns the first and the key.
func (m *machine) saveBlocks(p *Profile) (save1, key uint32) {
	if p.RAM.SaveBlock1 != 0 {
		return p.RAM.SaveBlock1, 0
	}
	m.set32(p.RAM.SaveBlock1Ptr, testSave1)
	m.set32(p.RAM.SaveBlock2Ptr, testSave2)
	m.set32(testSave2+p.Layout.EncryptionKey, testKey)
	return testSave1, testKey
}

// object makes object event i active on map 3.19.
func (m *machine) object(i, localID, graphics, x, y, facing int) {
	at := m.ram.ObjectEvents + uint32(i*objectStride)
	m.set32(at, objActive)
	m.set8(at+objLocalID, localID)
	m.set8(at+objGraphics, graphics)
	m.set8(at+objMapGroup, 3)
	m.set8(at+objMapNumber, 19)
	m.set8(at+objElevation, 0x33)
	m.set16(at+objCoords, x)
	m.set16(at+objCoords+2, y)
	m.set8(at+objFacing, facing)
}

// creature writes an encrypted party record.
type creature struct {
	personality, otID       uint32
	species, level          int
	hp, maxHP               int
	moves, pp               [4]int
	nickname                string
	egg, badEgg, badSum     bool
	experience, ivs, status uint32
	openFrom, openTo        int // the words left decrypted in memory
}

func (c creature) record(t testing.TB) []byte {
	rec := make([]byte, recordBytes)
	put16 := binary.LittleEndian.PutUint16
	put32 := binary.LittleEndian.PutUint32
	put32(rec[recPersonality:], c.personality)
	put32(rec[recOTID:], c.otID)
	for i := range nicknameBytes {
		rec[recNickname+i] = charEnd
	}
	copy(rec[recNickname:recNickname+nicknameBytes], encode(t, c.nickname))
	rec[recFlags] = 2
	if c.badEgg {
		rec[recFlags] |= 1
	}
	var growth, attacks, evs, misc [substructSize]byte
	put16(growth[0:], uint16(c.species))
	put32(growth[4:], c.experience)
	for i := range 4 {
		put16(attacks[2*i:], uint16(c.moves[i]))
		attacks[8+i] = byte(c.pp[i])
	}
	word := c.ivs & 0x3FFFFFFF
	if c.egg {
		word |= 1 << 30
	}
	put32(misc[4:], word)
	plain := make([]byte, secureBytes)
	order := substructOrder[c.personality%24]
	for i, src := range [][substructSize]byte{growth, attacks, evs, misc} {
		copy(plain[int(order[i]-'0')*substructSize:], src[:])
	}
	sum := checksum(plain)
	if c.badSum {
		sum ^= 1
	}
	put16(rec[recChecksum:], uint16(sum))
	key := c.personality ^ c.otID
	for i := range secureBytes / 4 {
		word := le32(plain, 4*i)
		if i < c.openFrom || i >= c.openTo {
			word ^= key
		}
		put32(rec[recSecure+4*i:], word)
	}
	put32(rec[recStatus:], c.status)
	rec[recLevel] = byte(c.level)
	put16(rec[recHP:], uint16(c.hp))
	put16(rec[recMaxHP:], uint16(c.maxHP))
	return rec
}

// party writes the party.
func (m *machine) party(p *Profile, members ...creature) {
	m.set8(p.RAM.PlayerPartyCount, len(members))
	for i, c := range members {
		m.copy(p.RAM.PlayerParty+uint32(i*recordBytes), c.record(m.t))
	}
}

// battler is one entry of gBattleMons.
type battler struct {
	species, level, hp, maxHP int
	moves, pp                 [4]int
	types                     [2]int
	status2                   uint32
	personality               uint32
	nickname                  string
}

// battle sets up a battle that runs; battler i stands at position i.
func (m *machine) battle(p *Profile, flags uint32, battlers ...battler) {
	ram := &p.RAM
	m.set32(ram.Main+mainCallback2, function(m.t, p, "BattleMainCB2"))
	m.set8(ram.Main+p.Layout.InBattle, 2)
	m.set32(ram.BattleTypeFlags, flags)
	m.set8(ram.BattlersCount, len(battlers))
	for i, b := range battlers {
		m.set8(ram.BattlerPositions+uint32(i), i)
		m.set16(ram.BattlerPartyIndexes+uint32(2*i), i/2)
		at := ram.BattleMons + uint32(i*battlerStride)
		m.set16(at+monSpecies, b.species)
		m.set8(at+monLevel, b.level)
		m.set16(at+monHP, b.hp)
		m.set16(at+monMaxHP, b.maxHP)
		m.set8(at+monType1, b.types[0])
		m.set8(at+monType2, b.types[1])
		m.set32(at+monStatus2, b.status2)
		m.set32(at+monPersonality, b.personality)
		m.text(at+monNickname, b.nickname)
		for s := range uint32(stageCount) {
			m.set8(at+monStages+s, 6)
		}
		for s := range 4 {
			m.set16(at+monMoves+uint32(2*s), b.moves[s])
			m.set8(at+monPP+uint32(s), b.pp[s])
		}
	}
}

// asks makes battler i's controller wait in a function.
func (m *machine) asks(p *Profile, i int, symbol string) {
	m.set32(p.RAM.ExecFlags, 1<<i)
	m.set32(p.RAM.ControllerFuncs+uint32(4*i), function(m.t, p, symbol))
}

func (m *machine) decode(p *Profile) emu.State {
	m.t.Helper()
	st := Decode(m.mem, p)
	checkState(m.t, &st, p)
	return st
}
