package gen3

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
)

// randomMemory fills a machine's memory from a seed; with sparse, only some of
// a working field's bytes are changed.
func randomMemory(t testing.TB, seed uint64, sparse bool) emu.Memory {
	r := rand.New(rand.NewPCG(seed, 7))
	if sparse {
		p := Profiles[0]
		m := newMachine(t)
		busyMachine(m, p)
		for range 400 {
			m.mem.EWRAM[r.IntN(len(m.mem.EWRAM))] = byte(r.Uint32())
			m.mem.IWRAM[r.IntN(len(m.mem.IWRAM))] = byte(r.Uint32())
		}
		torment(m, p, r)
		return m.mem
	}
	m := newMachine(t)
	for _, b := range [][]byte{m.mem.EWRAM, m.mem.IWRAM, m.mem.ROM[:1<<16]} {
		for i := 0; i+8 <= len(b); i += 8 {
			binary.LittleEndian.PutUint64(b[i:], r.Uint64())
		}
	}
	return m.mem
}

// busyMachine is a field with a party, people and a battle's variables.
func busyMachine(m *machine, p *Profile) {
	b := battler{species: 25, level: 12, hp: 27, maxHP: 35, moves: [4]int{33, 45}, pp: [4]int{35, 1}, nickname: "A"}
	m.battle(p, 4, b, b)
	m.set8(p.RAM.Main+p.Layout.InBattle, 0)
	m.field(p, 20, 12, 13, 13)
	m.object(1, 4, 38, 14, 13, 1)
	c := creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33}, nickname: "PIKA"}
	m.party(p, c, c, c)
	m.text(p.RAM.StringVar4, "Hello")
}

// torment changes what decides over what is decoded: functions that run become
// others that are known, variables and what lies behind them other numbers, and
// pointers other places.
func torment(m *machine, p *Profile, r *rand.Rand) {
	functions := slices.Sorted(maps.Keys(p.code))
	pick := func() uint32 { return functions[r.IntN(len(functions))] | 1 }
	ram := &p.RAM
	for i := range 3 {
		if r.IntN(4) == 0 {
			m.task(i, pick())
		}
	}
	for _, at := range []uint32{
		ram.Main + mainCallback2, ram.Main + mainCallback1, ram.StartMenuCallback, ram.SaveDialog,
		ram.ScriptContext + 4, ram.ControllerFuncs, ram.ControllerFuncs + 8,
	} {
		if at != 0 && r.IntN(4) == 0 {
			m.set32(at, pick())
		}
	}
	for _, small := range []struct {
		at     uint32
		values int
	}{
		{ram.Main + p.Layout.InBattle, 4},
		{ram.BattlersCount, 5},
		{ram.ExecFlags, 16},
		{ram.PlayerPartyCount, 8},
		{ram.LockFieldControls, 2},
	} {
		if r.IntN(3) == 0 {
			m.set8(small.at, r.IntN(small.values))
		}
	}
	fields := reflect.ValueOf(*ram)
	for i := range fields.NumField() {
		if at := uint32(fields.Field(i).Uint()); at != 0 && r.IntN(4) == 0 {
			poke(m.mem, at, r)
		}
	}
	for _, at := range []uint32{0x02010000, 0x02011000, 0x02012000, testSave1, testMap} {
		for range r.IntN(8) {
			poke(m.mem, at, r)
		}
	}
}

// poke changes a few bytes at or shortly behind an address, where memory is.
func poke(mem emu.Memory, at uint32, r *rand.Rand) {
	pointers := []uint32{0, 0x02010000, 0x0203FFF8, 0x03007FFE, 0x08000100, 0x084FFFFE, 0x09FFFFFF, 0xFFFFFFFF}
	switch b := mem.Slice(at, 64); {
	case b == nil:
	case r.IntN(3) == 0:
		binary.LittleEndian.PutUint32(b[4*r.IntN(4):], pointers[r.IntN(len(pointers))])
	case r.IntN(2) == 0:
		b[r.IntN(4)] = byte(r.IntN(12))
	default:
		b[r.IntN(len(b))] = byte(r.Uint32())
	}
}

func TestGarbageMemory(t *testing.T) {
	for seed := range uint64(20) {
		for _, p := range Profiles {
			decodeAll(t, randomMemory(t, seed, false), p)
		}
	}
}

// TestTormentedScenes starts from every menu's scene, and from a field with a
// battle's variables, of every build that has it.
func TestTormentedScenes(t *testing.T) {
	scenes := menuCases()
	scenes["a field"] = menuCase{set: busyMachine}
	decoded, menus := 0, 0
	for name, scene := range scenes {
		for _, p := range Profiles {
			if scene.builds != "" && !slices.Contains(strings.Fields(scene.builds), p.Name) {
				continue
			}
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			scene.set(m, p)
			ewram, iwram := slices.Clone(m.mem.EWRAM), slices.Clone(m.mem.IWRAM)
			for seed := range uint64(40) {
				torment(m, p, rand.New(rand.NewPCG(seed, 9)))
				decodeAll(t, m.mem, p)
				decoded++
				if st := Decode(m.mem, p); st.Menu != nil {
					menus++
				}
				if t.Failed() {
					t.Fatalf("%s, %s, seed %d", name, p.Name, seed)
				}
				if seed%4 == 3 { // a few on top of each other
					copy(m.mem.EWRAM, ewram)
					copy(m.mem.IWRAM, iwram)
				}
			}
		}
	}
	t.Logf("%d tormented scenes, %d with a menu", decoded, menus)
	if menus*20 < decoded {
		t.Error("the scenes are tormented so much that hardly one has a menu left")
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
			decodeAll(t, mem, p)
		}
	})
}

// BenchmarkDecode decodes a made-up field with a party of three.
func BenchmarkDecode(b *testing.B) {
	m := newMachine(b)
	p := ProfileFor("BPRE", 0)
	busyMachine(m, p)
	if st := Decode(m.mem, p); st.Overworld == nil || st.Overworld.Grid == nil {
		b.Fatalf("the field does not decode: %v", st.Undecoded)
	}
	b.ReportAllocs()
	for b.Loop() {
		Decode(m.mem, p)
	}
}

// BenchmarkDecodeLargestMap decodes a field as large as any may be, with the
// behaviours of both tilesets.
func BenchmarkDecodeLargestMap(b *testing.B) {
	m := newMachine(b)
	p := ProfileFor("BPRE", 0)
	m.field(p, 113, 66, 60, 40)
	for i, at := range [...]uint32{layoutPrimary, layoutSecondary} {
		tileset := testEvents + uint32(0x100*(i+1))
		m.set32(testLayout+at, tileset)
		m.set32(tileset+p.Layout.MetatileAttributes, testEvents+0x1000)
	}
	if st := Decode(m.mem, p); st.Overworld == nil || st.Overworld.Grid == nil || st.Overworld.Grid.Behaviors == nil {
		b.Fatalf("the field does not decode: %v", st.Undecoded)
	}
	b.ReportAllocs()
	for b.Loop() {
		Decode(m.mem, p)
	}
}
