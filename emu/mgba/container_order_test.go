package mgba_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
)

// TestEveryLegalChunkOrder puts the chunks of a savestate's picture into every
// order that the format of pictures allows: the header first, the end last, the
// pixels without anything between them.
func TestEveryLegalChunkOrder(t *testing.T) {
	battery := bytes.Repeat([]byte{7}, 0x8000)
	pixels := deflate(make([]byte, 64))
	movable := [][]byte{
		chunk("gbAs", deflate(plainState("TESTGAME", "ABCD"))),
		extraChunk(2, 0x8000, battery),
		extraChunk(6, 4, []byte("note")),
		chunk("tEXt", []byte("Software\x00mGBA")),
		append(chunk("IDAT", pixels[:8]), chunk("IDAT", pixels[8:])...),
		chunk("gAMA", []byte{0, 0, 0xB1, 0x8F}),
	}
	orders := 0
	permute(movable, func(order [][]byte) {
		orders++
		file := pngFile(append(append([][]byte{header(240, 160)}, order...), chunk("IEND", nil))...)
		s, err := mgba.ParseSavestate(file)
		if err != nil || s.Kind != mgba.KindPNG || s.GameCode != "ABCD" || !bytes.Equal(s.Battery, battery) {
			t.Fatalf("order %d: %+v, %v", orders, s, err)
		}
	})
	if orders != 720 {
		t.Errorf("tried %d orders", orders)
	}
}

// permute calls f with every order of parts.
func permute(parts [][]byte, f func([][]byte)) {
	var rec func(k int)
	rec = func(k int) {
		if k == len(parts) {
			f(parts)
			return
		}
		for i := k; i < len(parts); i++ {
			parts[k], parts[i] = parts[i], parts[k]
			rec(k + 1)
			parts[k], parts[i] = parts[i], parts[k]
		}
	}
	rec(0)
}

// block is a block of the front end's file.
func block(kind string, data []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(data)))
	out = append(out, data...)
	return append(out, make([]byte, -len(data)&7)...)
}

func blocks(parts ...[]byte) []byte {
	return append([]byte("RASTATE\x01"), bytes.Join(parts, nil)...)
}

// packed is data in the front end's packed form, in chunks of size bytes.
func packed(data []byte, size int) []byte {
	out := binary.LittleEndian.AppendUint32([]byte("#RZIPv\x01#"), uint32(size))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(data)))
	for len(data) > 0 {
		n := min(size, len(data))
		part := deflate(data[:n])
		out = binary.LittleEndian.AppendUint32(out, uint32(len(part)))
		out, data = append(out, part...), data[n:]
	}
	return out
}

func TestTheFrontEndsWrappings(t *testing.T) {
	state := append(plainState("TESTGAME", "ABCD"), make([]byte, 16)...)
	inBlocks := blocks(block("ACHV", []byte("12345")), block("MEM ", state), block("END ", nil))
	good := map[string][]byte{
		"blocks":                 inBlocks,
		"packed":                 packed(state, 0x20000),
		"packed blocks":          packed(inBlocks, 0x20000),
		"packed blocks, tiny":    packed(inBlocks, 999),
		"blocks without an end":  blocks(block("MEM ", state)),
		"a plain state in there": blocks(block("MEM ", state[:mgba.StateBytes])),
	}
	for name, file := range good {
		s, err := mgba.ParseSavestate(file)
		if err != nil || s.Kind != mgba.KindLibretro || s.GameCode != "ABCD" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	claim := packed(state, 0x20000)
	binary.LittleEndian.PutUint64(claim[12:], 1<<60)
	empty := binary.LittleEndian.AppendUint64([]byte("#RZIPv\x01#\x00\x00\x02\x00"), 8)
	empty = append(binary.LittleEndian.AppendUint32(empty, uint32(len(deflate(nil)))), deflate(nil)...)
	bad := map[string]struct {
		file []byte
		code string
	}{
		"packed, header cut":   {packed(state, 0x20000)[:15], mgba.CodeStateTruncated},
		"packed, chunk cut":    {packed(state, 0x20000)[:100], mgba.CodeStateTruncated},
		"packed, chunk gone":   {packed(state, 0x20000)[:20], mgba.CodeStateTruncated},
		"packed, empty chunk":  {empty, mgba.CodeStateDamaged},
		"packed, huge claim":   {claim, mgba.CodeStateDamaged},
		"packed twice":         {packed(packed(state, 0x20000), 0x20000), mgba.CodeStateDamaged},
		"packed, nothing in":   {packed(nil, 0x20000), mgba.CodeStateTruncated},
		"packed picture":       {packed(pngFile(header(240, 160), chunk("IEND", nil)), 999), mgba.CodeStateStripped},
		"blocks, cut":          {inBlocks[:5000], mgba.CodeStateTruncated},
		"blocks, none":         {blocks(), mgba.CodeStateTruncated},
		"blocks without state": {blocks(block("END ", nil)), mgba.CodeStateDamaged},
		"another core's state": {blocks(block("MEM ", []byte("something else"))), mgba.CodeStateUnknown},
	}
	for name, c := range bad {
		s, err := mgba.ParseSavestate(c.file)
		if s != nil || emu.CodeOf(err) != c.code {
			t.Errorf("%s: got %v, want code %s", name, err, c.code)
		}
	}
}

// TestWhatIsTakenForASavestate: other files each have their own message,
// whatever they are called.
func TestWhatIsTakenForASavestate(t *testing.T) {
	rom := mgba.SelfTestROM()
	messages := map[string]string{}
	for name, c := range map[string]struct {
		file []byte
		code string
	}{
		"zip":            {[]byte("PK\x03\x04"), mgba.CodeStateZip},
		"empty zip":      {append([]byte("PK\x05\x06"), make([]byte, 18)...), mgba.CodeStateZip},
		"split zip":      {[]byte("PK\x07\x08PK\x03\x04"), mgba.CodeStateZip},
		"7z":             {[]byte("7z\xBC\xAF\x27\x1C\x00\x04"), mgba.CodeStateArchive},
		"gzip":           {[]byte("\x1F\x8B\x08\x00"), mgba.CodeStateArchive},
		"a zip's length": {append([]byte("PK\x03\x04"), make([]byte, 0x20000-4)...), mgba.CodeStateZip},
		"cartridge":      {rom, mgba.CodeStateROM},
		"battery":        {make([]byte, 0x20000), mgba.CodeStateBattery},
		"with a clock":   {make([]byte, 0x20010), mgba.CodeStateBattery},
		"text":           {[]byte("hello\n"), mgba.CodeStateUnknown},
		"empty":          {[]byte{}, mgba.CodeStateTruncated},
	} {
		s, err := mgba.ParseSavestate(c.file)
		if s != nil || emu.CodeOf(err) != c.code {
			t.Errorf("%s: got %v, want code %s", name, err, c.code)
			continue
		}
		messages[err.Error()] = name
	}
	if len(messages) < 8 {
		t.Errorf("messages are shared: %v", messages)
	}
}
