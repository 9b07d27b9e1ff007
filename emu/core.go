package emu

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// The screen and the clock of the machine.
const (
	ScreenWidth  = 240 // pixels
	ScreenHeight = 160 // pixels

	// PictureBytes is the size of one picture, row-packed RGB565.
	PictureBytes = ScreenWidth * ScreenHeight * 2

	// FrameRate is frames per second at the machine's own speed: 16,777,216
	// cycles a second, 280,896 cycles a frame.
	FrameRate = 16777216.0 / 280896.0

	EWRAMBytes = 0x40000 // external work RAM at 0x02000000
	IWRAMBytes = 0x8000  // internal work RAM at 0x03000000

	EWRAMBase = 0x02000000
	IWRAMBase = 0x03000000
	ROMBase   = 0x08000000

	// ROMMaxBytes is the largest cartridge image: 32 MiB.
	ROMMaxBytes = 32 << 20
)

// FrameDuration is how long one frame lasts at the machine's own speed.
const FrameDuration = time.Second * 280896 / 16777216

// Digest is a SHA-256 in 64 lower-case hexadecimal digits.
type Digest string

// DigestOf returns the SHA-256 of the concatenation of parts.
func DigestOf(parts ...[]byte) Digest {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return Digest(hex.EncodeToString(h.Sum(nil)))
}

// Valid reports whether d is 64 lower-case hexadecimal digits.
func (d Digest) Valid() bool {
	if len(d) != sha256.Size*2 {
		return false
	}
	for _, c := range d {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Short returns the first twelve digits, for people to read.
func (d Digest) Short() string {
	if len(d) <= 12 {
		return string(d)
	}
	return string(d[:12])
}

// CoreIdentity names what runs: every digest that a save, a scenario or a
// tape is pinned to. Two machines with equal identities and equal inputs go
// through equal RAM and pictures.
type CoreIdentity struct {
	CoreID       string `json:"coreId"`       // for example "mgba-wasm/0.10.5"
	ModuleSHA256 Digest `json:"moduleSha256"` // the WebAssembly module
	// Equivalents lists the digests of modules proven to behave the same
	// (same source, state format and self-test digests), this one included,
	// sorted. A save minted under any of them loads under every one.
	Equivalents []Digest `json:"equivalents,omitempty"`
	ROMSHA256   Digest   `json:"romSha256"`
	GameCode    string   `json:"gameCode"` // four characters at ROM+0xAC
	Revision    int      `json:"revision"` // byte at ROM+0xBC
	Title       string   `json:"title"`    // up to twelve characters at ROM+0xA0, printable ASCII only
}

// Accepts reports whether a save minted under module loads on this core.
func (id CoreIdentity) Accepts(module Digest) bool {
	if module == id.ModuleSHA256 {
		return true
	}
	for _, d := range id.Equivalents {
		if d == module {
			return true
		}
	}
	return false
}

// Memory is a read-only view of one machine's memories. The slices alias the
// machine: they are valid until the next call that runs, loads or closes it,
// and must not be written to or kept. Copy what must last.
type Memory struct {
	EWRAM   []byte // 0x02000000, 256 KiB
	IWRAM   []byte // 0x03000000, 32 KiB
	ROM     []byte // 0x08000000, as the machine sees it; may be longer than the image handed in
	VRAM    []byte // 0x06000000, 96 KiB
	Palette []byte // 0x05000000, 1 KiB
	OAM     []byte // 0x07000000, 1 KiB
	IO      []byte // 0x04000000, 1 KiB
}

// RAMDigest is the SHA-256 of EWRAM followed by IWRAM. It costs more than
// decoding a full set of observations; ask for it only when someone needs it.
func (m Memory) RAMDigest() Digest { return DigestOf(m.EWRAM, m.IWRAM) }

// Picture is one frame of the screen.
type Picture struct {
	// Pix is row-packed RGB565, little-endian, 240×160. Whoever made the
	// picture owns it: a picture from a Core aliases the machine and is valid
	// until its next call, a picture in a Snapshot is immutable.
	Pix []byte
	// Frame is the logical frame the picture was drawn in.
	Frame uint64
	// Stale is true between a load and the first frame after it: the pixels
	// then still show the machine before the load and must not be shown or
	// hashed as the new present.
	Stale bool
	// Restored is true when the pixels are the ones kept with a save that was
	// just loaded: a true picture of the state, not drawn by this machine.
	Restored bool
}

// Digest is the SHA-256 of the picture's RGB565 bytes.
func (p Picture) Digest() Digest { return DigestOf(p.Pix) }

// Clone returns a picture that owns its pixels.
func (p Picture) Clone() Picture {
	p.Pix = append([]byte(nil), p.Pix...)
	return p
}

// Core is one emulated machine with a cartridge in it. It is not safe for
// concurrent use: exactly one goroutine owns it. After an error whose
// CoreFailed reports true the machine is gone: every later call but Close
// fails the same way, and a new machine can be booted from the last good
// state.
type Core interface {
	// Identity names what runs. It does not change while the core lives.
	Identity() CoreIdentity

	// Run runs n frames (n ≥ 0) with held held down throughout and returns
	// how many frames ran. It stops early, between frames, when ctx ends, and
	// then returns ctx's error; the machine stays usable.
	Run(ctx context.Context, n int, held Keys) (ran int, err error)

	// Frame counts the frames this machine has run since it was booted. A
	// load does not rewind it: it orders evidence, not game time.
	Frame() uint64

	// Picture returns the last drawn frame; see Picture.Stale for loads.
	Picture() Picture

	// Memory returns views of the machine's memories.
	Memory() Memory

	// Save returns the complete state, battery memory included. The bytes
	// belong to the caller.
	Save(ctx context.Context) ([]byte, error)

	// Load replaces the complete state. When it fails, RAM, picture and
	// counters are exactly as they were. It runs no frames.
	Load(ctx context.Context, state []byte) error

	// Close frees the machine. Closing twice is fine.
	Close() error
}

// BusRead8 and its siblings read a bus address from EWRAM, IWRAM or ROM,
// little-endian. ok is false when the address range lies in none of them; a
// decoder then reports the field as not read instead of guessing.
func (m Memory) BusRead8(addr uint32) (v uint8, ok bool) {
	b := m.Slice(addr, 1)
	if b == nil {
		return 0, false
	}
	return b[0], true
}

// BusRead16 reads a little-endian halfword; see BusRead8.
func (m Memory) BusRead16(addr uint32) (v uint16, ok bool) {
	b := m.Slice(addr, 2)
	if b == nil {
		return 0, false
	}
	return uint16(b[0]) | uint16(b[1])<<8, true
}

// BusRead32 reads a little-endian word; see BusRead8.
func (m Memory) BusRead32(addr uint32) (v uint32, ok bool) {
	b := m.Slice(addr, 4)
	if b == nil {
		return 0, false
	}
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24, true
}

// Slice returns the n bytes at bus address addr when they lie wholly within
// EWRAM, IWRAM or ROM, else nil. The slice aliases the machine.
func (m Memory) Slice(addr uint32, n int) []byte {
	mem, base := m.ROM, uint32(ROMBase)
	switch addr >> 24 {
	case 0x02:
		mem, base = m.EWRAM, EWRAMBase
	case 0x03:
		mem, base = m.IWRAM, IWRAMBase
	case 0x08, 0x09:
	default:
		return nil
	}
	if at := int(addr - base); n >= 0 && at <= len(mem) && n <= len(mem)-at {
		return mem[at : at+n : at+n]
	}
	return nil
}

// ROMHeader is what the program needs from a cartridge header.
type ROMHeader struct {
	Title    string // ROM+0xA0, up to 12 printable ASCII characters
	GameCode string // ROM+0xAC, 4 printable ASCII characters
	Revision int    // ROM+0xBC
}

// ReadROMHeader reads the header of a cartridge image. It refuses an image
// that is too short, longer than 32 MiB, without the fixed byte 0x96 at 0xB2,
// or whose header checksum at 0xBD does not match.
func ReadROMHeader(rom []byte) (ROMHeader, error) {
	if len(rom) < 0xC0 {
		return ROMHeader{}, fmt.Errorf("the file has %s, less than a cartridge header (192)", Count(len(rom), "byte"))
	}
	if len(rom) > ROMMaxBytes {
		return ROMHeader{}, fmt.Errorf("the file has %d bytes, more than the largest cartridge (%d)", len(rom), ROMMaxBytes)
	}
	if rom[0xB2] != 0x96 {
		return ROMHeader{}, fmt.Errorf("byte 0xB2 is 0x%02X, not 0x96: this is no Game Boy Advance cartridge image", rom[0xB2])
	}
	var sum byte
	for _, b := range rom[0xA0:0xBD] {
		sum += b
	}
	if want := -sum - 0x19; rom[0xBD] != want {
		return ROMHeader{}, fmt.Errorf("header checksum is 0x%02X, computed 0x%02X", rom[0xBD], want)
	}
	return ROMHeader{
		Title:    PrintableASCII(rom[0xA0:0xAC]),
		GameCode: PrintableASCII(rom[0xAC:0xB0]),
		Revision: int(rom[0xBC]),
	}, nil
}

// PrintableASCII keeps the printable ASCII of b up to its first NUL, so that a
// hostile header or state cannot carry control sequences into a terminal.
func PrintableASCII(b []byte) string {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if c == 0 {
			break
		}
		if c >= 0x20 && c < 0x7F {
			out = append(out, c)
		}
	}
	return string(out)
}
