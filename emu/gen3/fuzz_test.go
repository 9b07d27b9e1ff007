package gen3

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"clankie/emu"
)

// randomMemory fills a machine's memory from a seed; with sparse, only some of
// a working field's bytes are changed.
func randomMemory(t testing.TB, seed uint64, sparse bool) emu.Memory {
	r := rand.New(rand.NewPCG(seed, 7))
	m := newMachine(t)
	if sparse {
		busyMachine(m)
		for range 400 {
			m.mem.EWRAM[r.IntN(len(m.mem.EWRAM))] = byte(r.Uint32())
			m.mem.IWRAM[r.IntN(len(m.mem.IWRAM))] = byte(r.Uint32())
		}
		mutateKnown(m, r)
		return m.mem
	}
	for _, b := range [][]byte{m.mem.EWRAM, m.mem.IWRAM, m.mem.ROM[:1<<16]} {
		for i := 0; i+8 <= len(b); i += 8 {
			binary.LittleEndian.PutUint64(b[i:], r.Uint64())
		}
	}
	return m.mem
}

// busyMachine is a field with a party, people and a battle's variables.
func busyMachine(m *machine) {
	p := ProfileFor("BPRE", 0)
	b := battler{species: 25, level: 12, hp: 27, maxHP: 35, moves: [4]int{33, 45}, pp: [4]int{35, 1}, nickname: "A"}
	m.battle(p, 4, b, b)
	m.set8(p.RAM.Main+p.Layout.InBattle, 0)
	m.field(p, 20, 12, 13, 13)
	m.object(1, 4, 38, 14, 13, 1)
	c := creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33}, nickname: "PIKA"}
	m.party(p, c, c, c)
	m.text(p.RAM.StringVar4, "Hello")
}

// mutateKnown changes the variables that decide what is decoded.
func mutateKnown(m *machine, r *rand.Rand) {
	p := ProfileFor("BPRE", 0)
	functions := make([]uint32, 0, len(fireRedCode))
	for _, row := range fireRedCode {
		functions = append(functions, row.addr[0]|1)
	}
	pick := func() uint32 { return functions[r.IntN(len(functions))] }
	ram := &p.RAM
	m.set32(ram.Main+mainCallback2, pick())
	for i := range 3 {
		m.task(i, pick())
	}
	for _, at := range []uint32{ram.StartMenuCallback, ram.SaveDialog, ram.ScriptContext + 4, ram.ControllerFuncs} {
		m.set32(at, pick())
	}
	for _, at := range []uint32{ram.Naming, ram.PartyMenuInternal, ram.Shop + p.Layout.Shop.items, ram.BattleScript, ram.MapHeader, ram.MapHeader + 4, ram.MapHeader + 0xC, ram.BackupLayout + 8} {
		if r.IntN(3) == 0 {
			m.set32(at, [...]uint32{0, 0x02010000, 0x0203FFF8, 0x08000100, 0x084FFFFE, 0xFFFFFFFF}[r.IntN(6)])
		}
	}
	for _, at := range []uint32{
		ram.Main + p.Layout.InBattle, ram.Menu + menuCursor, ram.Menu + menuMin, ram.Menu + menuMax, ram.ExecFlags,
		ram.PlayerPartyCount, ram.BattlersCount, ram.StartMenuCount, ram.StartMenuOrder, ram.BagState + p.Layout.Bag.pocket,
		ram.BagState + p.Layout.Bag.open, ram.BagState + p.Layout.Bag.cursor, ram.PartyMenu + partySlot, ram.ActionCursor, ram.MoveCursor,
		ram.BackupLayout, ram.BackupLayout + 4, ram.Shop + p.Layout.Shop.count, ram.PlayerAvatar + avatarObject, ram.TextPrinters + printerActive,
	} {
		if r.IntN(3) == 0 {
			m.set8(at, int(r.Uint32()&0xFF))
		}
	}
}

func TestGarbageMemory(t *testing.T) {
	for seed := range uint64(20) {
		for _, p := range Profiles {
			st := Decode(randomMemory(t, seed, false), p)
			checkState(t, &st, p)
		}
	}
	for seed := range uint64(500) {
		st := Decode(randomMemory(t, seed, true), Profiles[0])
		checkState(t, &st, Profiles[0])
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// FuzzDecode changes bytes of a working machine: data is a list of
// {u16 place, u8 value} over the 32 KiB of IWRAM, then EWRAM in steps of eight.
func FuzzDecode(f *testing.F) {
	f.Add(uint64(1), true, []byte{0, 0, 0})
	f.Add(uint64(2), false, []byte{})
	f.Fuzz(func(t *testing.T, seed uint64, sparse bool, data []byte) {
		mem := randomMemory(t, seed, sparse)
		for ; len(data) >= 3; data = data[3:] {
			at := int(binary.LittleEndian.Uint16(data))
			if at < len(mem.IWRAM) {
				mem.IWRAM[at] = data[2]
			} else {
				mem.EWRAM[(at-len(mem.IWRAM))*8] = data[2]
			}
		}
		for _, p := range Profiles {
			st := Decode(mem, p)
			checkState(t, &st, p)
		}
		DecodeStorage(mem, Profiles[0])
	})
}

// BenchmarkDecode decodes a made-up field with a party of three.
func BenchmarkDecode(b *testing.B) {
	m := newMachine(b)
	busyMachine(m)
	p := ProfileFor("BPRE", 0)
	if st := Decode(m.mem, p); st.Overworld == nil || st.Overworld.Grid == nil {
		b.Fatalf("the field does not decode: %v", st.Undecoded)
	}
	b.ReportAllocs()
	for b.Loop() {
		Decode(m.mem, p)
	}
}
