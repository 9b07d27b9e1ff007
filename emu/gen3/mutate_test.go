package gen3

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"
)

// mutate changes random bytes of a machine's memory and points callbacks,
// tasks, scripts and controllers at functions that decoders recognise, so that
// every decoder sees memory that is not its own.
func mutate(m *machine, p *Profile, r *rand.Rand) {
	for range 300 {
		m.mem.EWRAM[r.IntN(len(m.mem.EWRAM))] = byte(r.Uint32())
		m.mem.IWRAM[r.IntN(len(m.mem.IWRAM))] = byte(r.Uint32())
	}
	functions := make([]uint32, 0, len(p.code))
	for addr := range p.code {
		functions = append(functions, addr|1)
	}
	slices.Sort(functions)
	pick := func() uint32 { return functions[r.IntN(len(functions))] }
	ram := &p.RAM
	places := []uint32{
		ram.Main + mainCallback2, ram.Main + mainCallback1, ram.StartMenuCallback, ram.SaveDialog,
		ram.ScriptContext + 4, ram.ControllerFuncs, ram.ControllerFuncs + 8,
	}
	for i := range uint32(4) {
		places = append(places, ram.Tasks+i*taskStride)
		m.set8(ram.Tasks+i*taskStride+taskActive, 1)
	}
	for _, at := range places {
		if r.IntN(2) == 0 {
			m.set32(at, pick())
		}
	}
	for _, at := range []uint32{ram.Naming, ram.PartyMenuInternal, ram.ShopHeap, ram.Summary, ram.Options, ram.FieldWindow, ram.BackupLayout} {
		if at != 0 && r.IntN(3) == 0 {
			m.set32(at+[...]uint32{0, 8, windowText}[r.IntN(3)], [...]uint32{0, 0x02010000, 0x0203FFF0, 0x08000100, 0xFFFFFFFF}[r.IntN(5)])
		}
	}
	m.set8(ram.Main+p.Layout.InBattle, r.IntN(4))
	m.set8(ram.BattlersCount, 2*r.IntN(3))
	m.set8(ram.ExecFlags, r.IntN(16))
	m.set8(ram.PlayerPartyCount, r.IntN(8))
	m.set8(ram.LockFieldControls, r.IntN(2))
}

// decodeAll runs every decoder over a machine and checks what comes out.
func decodeAll(t testing.TB, mem emu.Memory, p *Profile) {
	t.Helper()
	st := Decode(mem, p)
	checkState(t, &st, p)
	if m, reason := DecodeMap(mem, p); reason == "" {
		if _, inside := m.Grid.At(m.Player.X+emu.MapBorder, m.Player.Y+emu.MapBorder); !inside {
			t.Errorf("the player stands outside the map at %v", m.Player)
		}
	}
	if s, ok := DecodeStorage(mem, p); ok && (s.Count > boxCount*boxSlots || s.BadChecksums > s.Count || len(s.Boxes) != boxCount) {
		t.Errorf("storage holds %d creatures, %d of them damaged", s.Count, s.BadChecksums)
	}
}

func TestMutatedMemory(t *testing.T) {
	for _, p := range Profiles {
		for seed := range uint64(60) {
			m := newMachine(t)
			mutate(m, p, rand.New(rand.NewPCG(seed, 11)))
			decodeAll(t, m.mem, p)
			if t.Failed() {
				t.Fatalf("%s, seed %d", p.Name, seed)
			}
		}
	}
}

// TestMutatedStates does the same to savestates of the retail games, whose
// decoders have something to read.
func TestMutatedStates(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data", "states"), "*", "*.s*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no savestates: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := mgba.ParseSavestate(data)
		if err != nil {
			t.Fatal(err)
		}
		p, mem := ProfileForCRC(s.GameCode, s.ROMCRC), s.Memory()
		for seed := range uint64(12) {
			m := &machine{t, emu.Memory{EWRAM: bytes.Clone(mem.EWRAM), IWRAM: bytes.Clone(mem.IWRAM)}, &p.RAM}
			mutate(m, p, rand.New(rand.NewPCG(seed, 13)))
			decodeAll(t, m.mem, p)
			if t.Failed() {
				t.Fatalf("%s, seed %d", path, seed)
			}
		}
	}
}
