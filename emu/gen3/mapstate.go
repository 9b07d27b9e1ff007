package gen3

import "clankie/emu"

// MapState is the map in memory, with everything counted without the border.
type MapState struct {
	MapRef
	Name   string // "" without the cartridge
	Player emu.Point
	Grid   *emu.Grid
}

// DecodeMap reads the map that the field works on, or would go back to from a
// battle or a menu. It is no part of a decode, in which a map is live only while
// it is on screen. Without a map the reason says why.
func DecodeMap(mem emu.Memory, p *Profile) (m MapState, reason string) {
	if !p.Decodes() {
		return MapState{}, "this game is not decoded"
	}
	if len(mem.EWRAM) < emu.EWRAMBytes || len(mem.IWRAM) < emu.IWRAMBytes {
		return MapState{}, "the machine's memory is not all there"
	}
	d := newDecoder(mem, p)
	d.now = d.readMoment()
	switch d.now.role {
	case roleOpening, roleMainMenu, roleNone:
		return MapState{}, "no field is behind this screen"
	case roleLoading:
		return MapState{}, "the map is being loaded"
	}
	player, ok := d.object(d.playerSlot())
	ref, saved := d.mapRef()
	if !ok || !saved || !player.active() || player.flags&objIsPlayer == 0 {
		return MapState{}, "no field is loaded"
	}
	grid := d.grid()
	if grid == nil {
		return MapState{}, d.st.Undecoded[partMap]
	}
	at := emu.Point{X: d.s16(d.save1), Y: d.s16(d.save1 + 2)} // SaveBlock1.pos
	if _, inside := grid.At(at.X+emu.MapBorder, at.Y+emu.MapBorder); !inside {
		return MapState{}, "the player stands outside the map"
	}
	return MapState{ref, d.mapName(int(d.u8(p.RAM.MapHeader + headerSection))), at, grid}, ""
}
