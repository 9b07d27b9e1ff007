package pins_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/play/pins"
)

// asPicture wraps a state as mGBA's own screenshots carry it.
func asPicture(t *testing.T, s *mgba.Savestate) []byte {
	t.Helper()
	var plain bytes.Buffer
	must(t, png.Encode(&plain, image.NewGray(image.Rect(0, 0, 240, 160))))
	const end = 12 // an IEND chunk
	file := bytes.Clone(plain.Bytes()[:plain.Len()-end])
	battery := binary.LittleEndian.AppendUint32([]byte{2, 0, 0, 0}, uint32(len(s.Battery)))
	for kind, data := range map[string][]byte{
		"gbAs": deflated(t, s.State),
		"gbAx": append(battery, deflated(t, s.Battery)...),
	} {
		file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
		body := append([]byte(kind), data...)
		file = append(file, body...)
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(body))
	}
	return append(file, plain.Bytes()[plain.Len()-end:]...)
}

func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func TestAStateIsUnwrappedWithItsBattery(t *testing.T) {
	image, state := bramble(t)
	parsed, err := mgba.ParseSavestate(state)
	must(t, err)
	for _, tt := range []struct {
		source  string
		file    []byte
		battery bool
	}{
		{"libretro", state, true},
		{"png", asPicture(t, parsed), true},
		{"raw", parsed.State, false},
	} {
		core := mgbatest.Boot(t, mgba.BootOptions{ROM: image})
		start, err := pins.Verify(t.Context(), core, tt.file)
		if err != nil {
			t.Fatalf("%s: %v", tt.source, err)
		}
		if start.Source != tt.source || start.Battery != tt.battery {
			t.Errorf("%s: read as %s, battery %v", tt.source, start.Source, start.Battery)
		}
		got, err := mgba.ParseSavestate(start.State)
		must(t, err)
		if !bytes.Equal(got.State, parsed.State) || tt.battery && !bytes.Equal(got.Battery, parsed.Battery) {
			t.Errorf("%s: not the state that was wrapped", tt.source)
		}
	}
}

func TestAStateOfAnotherGameIsRefused(t *testing.T) {
	_, state := bramble(t)
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM()})
	if _, err := pins.Verify(t.Context(), core, state); emu.CodeOf(err) != emu.CodeCoreStateGame {
		t.Errorf("error %v", err)
	}
	core = mgbatest.Boot(t, mgba.BootOptions{ROM: mgba.SelfTestROM()})
	if _, err := pins.Verify(t.Context(), core, []byte("no state")); emu.CodeOf(err) != mgba.CodeStateUnknown {
		t.Errorf("error %v", err)
	}
	if _, err := core.Run(t.Context(), 1, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := pins.Verify(t.Context(), core, nil); err == nil {
		t.Error("a machine that has run was taken for one that was just switched on")
	}
}
