package gen3

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"
)

// mutate changes random bytes of a machine's memory and then torments it, so
// that every decoder sees memory that is not its own.
func mutate(m *machine, p *Profile, r *rand.Rand) {
	for range 300 {
		m.mem.EWRAM[r.IntN(len(m.mem.EWRAM))] = byte(r.Uint32())
		m.mem.IWRAM[r.IntN(len(m.mem.IWRAM))] = byte(r.Uint32())
	}
	torment(m, p, r)
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
	if s, ok := DecodeStorage(mem, p); ok {
		checkStorage(t, &s, p)
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
