package mgba

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"clankie/emu"
)

// Codes with which [ParseSavestate] refuses bytes that are no savestate. Each
// tells a different thing to do about it.
const (
	CodeStatePicture   = "savestate_is_picture"  // a PNG that never was a savestate
	CodeStateStripped  = "savestate_stripped"    // a screen-sized PNG without its state chunk: re-saved by another program
	CodeStateTruncated = "savestate_truncated"   // the file ends early
	CodeStateDamaged   = "savestate_damaged"     // a checksum or length inside does not hold
	CodeStateZip       = "savestate_is_zip"      // a zip archive; unpack it first
	CodeStateArchive   = "savestate_is_archive"  // another archive
	CodeStateROM       = "savestate_is_rom"      // a cartridge image
	CodeStateBattery   = "savestate_is_battery"  // a battery file (.sav), not a state
	CodeStateUnknown   = "savestate_unknown"     // none of the kinds known here
	CodeStateFormat    = emu.CodeCoreStateFormat // a state of a format version not known here
)

// ContainerKind says how a savestate was wrapped.
type ContainerKind string

// The three kinds of container.
const (
	KindPNG      ContainerKind = "png"      // a screenshot with the state in its chunks
	KindRaw      ContainerKind = "raw"      // the plain state, nothing else
	KindLibretro ContainerKind = "libretro" // the plain state followed by a table of extra data, also as the front end wraps it
)

// StateBytes is the size of mGBA's plain state of a Game Boy Advance.
const StateBytes = 0x61000

// StateMagic is the magic and version of the state format that the core
// reads and writes; ParseSavestate reads its older siblings too.
const StateMagic = 0x01000007

const stateMagicMin = 0x01000000

// Offsets within the plain state.
const (
	offMagic    = 0x000
	offBIOSCRC  = 0x004
	offROMCRC   = 0x008
	offTitle    = 0x010
	offGameCode = 0x01C
	offFrames   = 0x1FC
	offIO       = 0x400
	offPalette  = 0x800
	offOAM      = 0xC00
	offVRAM     = 0x1000
	offIWRAM    = 0x19000
	offEWRAM    = 0x21000
)

// Tags of the extra data that matters to a machine.
const (
	tagEnd     = 0
	tagBattery = 2
	tagRTC     = 4
)

// extraMaxBytes bounds one piece of extra data: the largest legal one is a
// screenshot of 150 KiB.
const extraMaxBytes = 1 << 20

// Savestate is an unwrapped mGBA savestate. It owns its bytes; nothing in it
// changes after ParseSavestate returned.
type Savestate struct {
	Kind     ContainerKind
	Magic    uint32 // magic and version as the state carries it
	BIOSCRC  uint32 // checksum of the BIOS the state was made with
	ROMCRC   uint32 // CRC-32 of the ROM the state was made with
	GameCode string // four characters, printable ASCII only
	Title    string // up to twelve characters, printable ASCII only
	Frame    uint32 // the machine's own frame counter

	// State is the plain state, StateBytes long.
	State []byte
	// Battery is the cartridge's battery memory, or nil when the container
	// does not carry it.
	Battery []byte

	extra map[uint32][]byte
}

// ParseSavestate unwraps a savestate of any known kind. It trusts no length
// field. It refuses with an *emu.Error whose code says what the bytes are.
func ParseSavestate(data []byte) (*Savestate, error) {
	switch {
	case bytes.HasPrefix(data, pngSignature):
		return parsePNGState(data)
	case bytes.HasPrefix(data, chunkSignature):
		return parseChunked(data)
	case bytes.HasPrefix(data, blockSignature):
		return parseBlocks(data)
	case isPlainState(data):
		return parsePlainState(data)
	}
	return nil, refuseForeign(data)
}

// isPlainState reports whether data begins as a plain state does, of whatever
// version.
func isPlainState(data []byte) bool {
	if len(data) < 4 {
		return false
	}
	magic := binary.LittleEndian.Uint32(data)
	return magic>>24 == stateMagicMin>>24 && magic&0xFFFF00 == 0
}

// refuseForeign names what data is when it is no savestate.
func refuseForeign(data []byte) error {
	archive := emu.ArchiveName(data)
	_, notROM := emu.ReadROMHeader(data)
	switch {
	case len(data) == 0:
		return refuse(CodeStateTruncated, "the file is empty")
	case bytes.HasPrefix(pngSignature, data):
		return refuse(CodeStateTruncated, fmt.Sprintf("the file ends after %s", emu.Count(len(data), "byte")))
	case archive == "zip":
		return refuse(CodeStateZip, "the file is a zip archive; unpack it and give the savestate inside")
	case archive != "":
		return refuse(CodeStateArchive, fmt.Sprintf("the file is a %s archive, or another emulator's packed state; unpack it and give mGBA's savestate inside", archive))
	case notROM == nil:
		return refuse(CodeStateROM, "the file is a cartridge image, not a savestate")
	case isBatterySize(len(data)):
		return refuse(CodeStateBattery, fmt.Sprintf("the file has %d bytes, the size of battery memory: it is a battery file, not a savestate", len(data)))
	}
	return refuse(CodeStateUnknown, "the file is no mGBA savestate: neither a PNG image nor a plain state begins here")
}

// isBatterySize reports whether n is the size of a battery file: one of the
// five memories, or one of them with a clock's 16 bytes behind it.
func isBatterySize(n int) bool {
	for _, size := range []int{0x200, 0x2000, 0x8000, 0x10000, 0x20000} {
		if n == size || n == size+16 {
			return true
		}
	}
	return false
}

// parsePlainState reads a plain state and the table of extra data that may
// follow it.
func parsePlainState(data []byte) (*Savestate, error) {
	if len(data) < StateBytes {
		return nil, refuse(CodeStateTruncated, fmt.Sprintf("the state has %s of %d", emu.Count(len(data), "byte"), StateBytes))
	}
	kind, extra := KindRaw, map[uint32][]byte(nil)
	if len(data) > StateBytes {
		kind = KindLibretro
		var err error
		if extra, err = parseExtraTable(data); err != nil {
			return nil, err
		}
	}
	return newSavestate(kind, data[:StateBytes], extra)
}

// extraHeaderBytes is the size of one table entry: u32 tag, s32 size, s64
// offset from the start of the file. A zero tag ends the table.
const extraHeaderBytes = 16

func parseExtraTable(data []byte) (map[uint32][]byte, error) {
	extra := map[uint32][]byte{}
	for at := StateBytes; ; at += extraHeaderBytes {
		if at+extraHeaderBytes > len(data) {
			return nil, refuse(CodeStateTruncated, "the table of extra data does not end within the file")
		}
		tag := binary.LittleEndian.Uint32(data[at:])
		size := int64(int32(binary.LittleEndian.Uint32(data[at+4:])))
		offset := int64(binary.LittleEndian.Uint64(data[at+8:]))
		if tag == tagEnd {
			return extra, nil
		}
		if size < 0 || size > extraMaxBytes || offset < StateBytes {
			return nil, refuse(CodeStateDamaged, fmt.Sprintf("extra data %d claims %d bytes at %d", tag, size, offset))
		}
		if offset > int64(len(data))-size {
			return nil, refuse(CodeStateTruncated, fmt.Sprintf("extra data %d lies beyond the end of the file", tag))
		}
		if _, twice := extra[tag]; twice {
			return nil, refuse(CodeStateDamaged, fmt.Sprintf("extra data %d appears twice", tag))
		}
		extra[tag] = data[offset : offset+size]
	}
}

// newSavestate checks the plain state's header and copies what it keeps.
func newSavestate(kind ContainerKind, state []byte, extra map[uint32][]byte) (*Savestate, error) {
	magic := binary.LittleEndian.Uint32(state[offMagic:])
	if magic < stateMagicMin || magic > StateMagic {
		return nil, refuse(CodeStateFormat, fmt.Sprintf("the state has format 0x%08X; the newest known here is 0x%08X", magic, StateMagic))
	}
	s := &Savestate{
		Kind:     kind,
		Magic:    magic,
		BIOSCRC:  binary.LittleEndian.Uint32(state[offBIOSCRC:]),
		ROMCRC:   binary.LittleEndian.Uint32(state[offROMCRC:]),
		GameCode: emu.PrintableASCII(state[offGameCode : offGameCode+4]),
		Title:    emu.PrintableASCII(state[offTitle : offTitle+12]),
		Frame:    binary.LittleEndian.Uint32(state[offFrames:]),
		State:    bytes.Clone(state),
		extra:    map[uint32][]byte{},
	}
	for tag, b := range extra {
		s.extra[tag] = bytes.Clone(b)
	}
	if b := s.extra[tagBattery]; len(b) > 0 {
		if !isBatterySize(len(b)) {
			return nil, refuse(CodeStateDamaged, fmt.Sprintf("the battery memory has %d bytes, the size of no cartridge's", len(b)))
		}
		s.Battery = b
	}
	return s, nil
}

// Memory returns views of the machine's memories as the state holds them. ROM
// is nil: a state does not carry it.
func (s *Savestate) Memory() emu.Memory {
	at := func(off, n int) []byte { return s.State[off : off+n : off+n] }
	return emu.Memory{
		EWRAM:   at(offEWRAM, emu.EWRAMBytes),
		IWRAM:   at(offIWRAM, emu.IWRAMBytes),
		VRAM:    at(offVRAM, 0x18000),
		Palette: at(offPalette, 0x400),
		OAM:     at(offOAM, 0x400),
		IO:      at(offIO, 0x400),
	}
}

// Encode writes the state as the core writes and reads it: plain, followed by battery
// memory and clock where the container carried them. Everything else (a
// screenshot, cheats, who made it and when) stays out, so that it can
// influence nothing.
func (s *Savestate) Encode() []byte {
	var tags []uint32
	for _, tag := range []uint32{tagBattery, tagRTC} {
		if len(s.extra[tag]) > 0 {
			tags = append(tags, tag)
		}
	}
	out := bytes.Clone(s.State)
	offset := StateBytes + extraHeaderBytes*(len(tags)+1)
	for _, tag := range tags {
		out = binary.LittleEndian.AppendUint32(out, tag)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(s.extra[tag])))
		out = binary.LittleEndian.AppendUint64(out, uint64(offset))
		offset += len(s.extra[tag])
	}
	out = append(out, make([]byte, extraHeaderBytes)...)
	for _, tag := range tags {
		out = append(out, s.extra[tag]...)
	}
	return out
}

// refuse makes the error of a refused savestate.
func refuse(code, message string) error {
	return &emu.Error{Code: code, Message: message}
}
