package gen3

import "encoding/binary"

// The readers below return 0 for an address that cannot be read. Addresses in
// a Profile always can, as Decode refuses short memories; an address found in
// memory is checked with bytes first.

func (d *decoder) u8(addr uint32) uint8 {
	v, _ := d.mem.BusRead8(addr)
	return v
}

func (d *decoder) u16(addr uint32) uint16 {
	v, _ := d.mem.BusRead16(addr)
	return v
}

func (d *decoder) u32(addr uint32) uint32 {
	v, _ := d.mem.BusRead32(addr)
	return v
}

func (d *decoder) s8(addr uint32) int  { return int(int8(d.u8(addr))) }
func (d *decoder) s16(addr uint32) int { return int(int16(d.u16(addr))) }

// bytes returns n bytes at addr, or nil when they cannot all be read.
func (d *decoder) bytes(addr uint32, n int) []byte { return d.mem.Slice(addr, n) }

// inROM reports whether addr points into the cartridge.
func inROM(addr uint32) bool { return addr>>24 == 0x08 || addr>>24 == 0x09 }

// inEWRAM reports whether addr points into external work RAM.
func inEWRAM(addr uint32) bool { return addr>>24 == 0x02 }

func le16(b []byte, at int) int    { return int(binary.LittleEndian.Uint16(b[at:])) }
func les16(b []byte, at int) int   { return int(int16(binary.LittleEndian.Uint16(b[at:]))) }
func le32(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// saveBlock returns where a save block of size bytes is, or 0 while there is
// none: at a fixed address, or where the pointer at ptr says. FireRed,
// LeafGreen and Emerald move their blocks when a map is loaded.
func (d *decoder) saveBlock(fixed, ptr uint32, size int) uint32 {
	if fixed != 0 {
		return fixed
	}
	addr := d.u32(ptr)
	if !inEWRAM(addr) || d.bytes(addr, size) == nil {
		return 0
	}
	return addr
}
