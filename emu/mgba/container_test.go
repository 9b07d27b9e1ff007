package mgba_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
)

// plainState is a state with the given game and a recognisable byte in each
// memory.
func plainState(title, code string) []byte {
	s := make([]byte, mgba.StateBytes)
	binary.LittleEndian.PutUint32(s, mgba.StateMagic)
	binary.LittleEndian.PutUint32(s[8:], 0xCAFEF00D)
	copy(s[0x10:0x1C], title)
	copy(s[0x1C:0x20], code)
	s[0x400], s[0x800], s[0xC00], s[0x1000], s[0x19000], s[0x21000] = 1, 2, 3, 4, 5, 6
	return s
}

func deflate(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}

func extraChunk(tag, claim uint32, data []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, tag)
	b = binary.LittleEndian.AppendUint32(b, claim)
	return chunk("gbAx", append(b, deflate(data)...))
}

func header(width, height uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, width)
	b = binary.BigEndian.AppendUint32(b, height)
	return chunk("IHDR", append(b, 8, 2, 0, 0, 0))
}

func pngFile(chunks ...[]byte) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Join(chunks, nil)...)
}

func TestParseSavestateKinds(t *testing.T) {
	state := plainState("TESTGAME", "ABCD")
	battery := bytes.Repeat([]byte{7}, 0x8000)
	table := binary.LittleEndian.AppendUint32(nil, 2)
	table = binary.LittleEndian.AppendUint32(table, uint32(len(battery)))
	table = binary.LittleEndian.AppendUint64(table, uint64(len(state)+32))
	libretro := bytes.Join([][]byte{state, table, make([]byte, 16), battery}, nil)

	head, end := header(240, 160), chunk("IEND", nil)
	pixels := chunk("IDAT", deflate(make([]byte, 64)))
	st, ex := chunk("gbAs", deflate(state)), extraChunk(2, 0x8000, battery)
	cases := []struct {
		name    string
		file    []byte
		kind    mgba.ContainerKind
		battery bool
	}{
		{"plain", state, mgba.KindRaw, false},
		{"plain with a table", libretro, mgba.KindLibretro, true},
		{"state before the pixels", pngFile(head, st, ex, pixels, end), mgba.KindPNG, true},
		{"state after the pixels", pngFile(head, pixels, ex, st, end), mgba.KindPNG, true},
		{"split pixels and bytes behind the end", append(pngFile(head, pixels, st, pixels, end), "tail"...), mgba.KindPNG, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := mgba.ParseSavestate(c.file)
			if err != nil {
				t.Fatal(err)
			}
			if s.Kind != c.kind || s.GameCode != "ABCD" || s.Title != "TESTGAME" || s.ROMCRC != 0xCAFEF00D {
				t.Errorf("read %+v", s)
			}
			if c.battery != (s.Battery != nil) || c.battery && !bytes.Equal(s.Battery, battery) {
				t.Errorf("battery memory has %d bytes", len(s.Battery))
			}
			m := s.Memory()
			firsts := []byte{m.IO[0], m.Palette[0], m.OAM[0], m.VRAM[0], m.IWRAM[0], m.EWRAM[0]}
			if !bytes.Equal(firsts, []byte{1, 2, 3, 4, 5, 6}) {
				t.Errorf("memories begin with %v", firsts)
			}
			if len(m.EWRAM) != emu.EWRAMBytes || len(m.IWRAM) != emu.IWRAMBytes || len(m.VRAM) != 0x18000 {
				t.Errorf("memories have the wrong sizes")
			}
		})
	}
}

func TestParseSavestateRefusals(t *testing.T) {
	state := plainState("TESTGAME", "ABCD")
	newer := bytes.Clone(state)
	newer[0] = 8
	head, end := header(240, 160), chunk("IEND", nil)
	st := chunk("gbAs", deflate(state))
	damaged := pngFile(head, st, end)
	damaged[len(damaged)/2] ^= 1
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, _ := z.Create("a.ss1")
	w.Write(state)
	z.Close()
	hugeOffset := append(bytes.Clone(state), 2, 0, 0, 0, 0, 0x80, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F)
	negative := append(bytes.Clone(state), 2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0x10, 6, 0, 0, 0, 0, 0)
	cases := []struct {
		name string
		file []byte
		code string
	}{
		{"empty", nil, mgba.CodeStateTruncated},
		{"picture", pngFile(header(64, 64), chunk("IDAT", deflate(nil)), end), mgba.CodeStatePicture},
		{"stripped", pngFile(head, chunk("IDAT", deflate(nil)), end), mgba.CodeStateStripped},
		{"zip", archive.Bytes(), mgba.CodeStateZip},
		{"battery 128 KiB", make([]byte, 0x20000), mgba.CodeStateBattery},
		{"battery 32 KiB", bytes.Repeat([]byte{0xFF}, 0x8000), mgba.CodeStateBattery},
		{"text", []byte("hello, this is no state"), mgba.CodeStateUnknown},
		{"newer format", newer, mgba.CodeStateFormat},
		{"plain, cut short", state[:1000], mgba.CodeStateTruncated},
		{"plain, table cut short", append(bytes.Clone(state), 2, 0, 0, 0), mgba.CodeStateTruncated},
		{"table points beyond the end", hugeOffset, mgba.CodeStateTruncated},
		{"table with a negative size", negative, mgba.CodeStateDamaged},
		{"png, signature only", pngFile(), mgba.CodeStateTruncated},
		{"png, half a signature", pngFile()[:4], mgba.CodeStateTruncated},
		{"png, no end", pngFile(head, st), mgba.CodeStateTruncated},
		{"png, cut in the state", pngFile(head, st)[:200], mgba.CodeStateTruncated},
		{"png, a bit flipped", damaged, mgba.CodeStateDamaged},
		{"png, state cut before it was packed", pngFile(head, chunk("gbAs", deflate(state[:500])), end), mgba.CodeStateDamaged},
		{"png, packed state cut", pngFile(head, chunk("gbAs", deflate(state)[:100]), end), mgba.CodeStateTruncated},
		{"png, state too long", pngFile(head, chunk("gbAs", deflate(make([]byte, 64<<20))), end), mgba.CodeStateDamaged},
		{"png, two states", pngFile(head, st, st, end), mgba.CodeStateDamaged},
		{"png, extra claims too much", pngFile(head, st, extraChunk(2, 0x20000, make([]byte, 0x8000)), end), mgba.CodeStateDamaged},
		{"png, extra claims gigabytes", pngFile(head, st, extraChunk(2, 0xFFFFFFFF, nil), end), mgba.CodeStateDamaged},
		{"png, no header", pngFile(st, end), mgba.CodeStateDamaged},
		{"png, battery of no cartridge", pngFile(head, st, extraChunk(2, 100, make([]byte, 100)), end), mgba.CodeStateDamaged},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := mgba.ParseSavestate(c.file)
			if s != nil || emu.CodeOf(err) != c.code {
				t.Errorf("got %v, want code %s", err, c.code)
			}
		})
	}
}

func TestParseSavestateDropsControlCharacters(t *testing.T) {
	s, err := mgba.ParseSavestate(plainState("A\x1b[2JB", "X\x07YZ"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Title != "A[2JB" || s.GameCode != "XYZ" {
		t.Errorf("title %q, code %q", s.Title, s.GameCode)
	}
}

// TestParseSharedStates reads states that mGBA itself wrote on other people's
// machines.
func TestParseSharedStates(t *testing.T) {
	root := os.Getenv("CLANKIE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	codes := map[string]string{"firered": "BPRE", "emerald": "BPEE", "emerald_extra": "BPEE", "ruby": "AXVE"}
	for dir, code := range codes {
		files, _ := filepath.Glob(filepath.Join(root, "data", "states", dir, "*"))
		if len(files) == 0 {
			t.Skipf("no states in %s; set CLANKIE_SHARED to a folder with data/states in it", root)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := mgba.ParseSavestate(data)
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(f), err)
				continue
			}
			if s.GameCode != code {
				t.Errorf("%s: game %q, want %q", filepath.Base(f), s.GameCode, code)
			}
		}
	}
}

func FuzzParseSavestate(f *testing.F) {
	state := plainState("TESTGAME", "ABCD")
	f.Add(state)
	f.Add(pngFile(header(240, 160), chunk("gbAs", deflate(state)), chunk("IEND", nil)))
	f.Add(append(state, make([]byte, 16)...))
	f.Add(blocks(block("ACHV", nil), block("MEM ", state), block("END ", nil)))
	f.Add(packed(state, 0x20000))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := mgba.ParseSavestate(data)
		if err == nil && len(s.State) != mgba.StateBytes {
			t.Errorf("state of %d bytes", len(s.State))
		}
		if err != nil && emu.CodeOf(err) == "" {
			t.Errorf("no code: %v", err)
		}
	})
}
