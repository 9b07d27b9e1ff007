package gen3

import "clankie/emu"

// Shapes of struct MapEvents, WarpEvent, BgEvent, MapConnections and
// MapConnection.
const (
	eventsSize    = 0x14
	eventWarps    = 0x01 // count
	eventSigns    = 0x03 // count of background events
	eventWarpsPtr = 0x08
	eventSignsPtr = 0x10

	warpStride     = 8
	warpMapNumber  = 6
	warpMapGroup   = 7
	signStride     = 12
	signKind       = 5
	signKindFacing = 4 // kinds up to this answer the A button
	linkStride     = 12
	linkDirection  = 0
	linkMapGroup   = 8
	linkMapNumber  = 9
	linksMax       = 8
)

// mapEvents returns struct MapEvents of the current map, or nil.
func (d *decoder) mapEvents() []byte {
	ptr := d.u32(d.p.RAM.MapHeader + headerEvents)
	if !inROM(ptr) {
		return nil
	}
	return d.bytes(ptr, eventsSize)
}

// exits reads the warps and connections of the current map. A warp outside the
// map means that the events belong to another one.
func (d *decoder) exits(g *emu.Grid) *emu.Exits {
	events := d.mapEvents()
	if events == nil {
		d.absent(partExits, "the map's events are not readable")
		return nil
	}
	warps, ok := d.warps(events, g)
	if !ok {
		d.absent(partExits, "the map's warps do not fit the map")
		return nil
	}
	links, ok := d.connections(g)
	if !ok {
		d.absent(partExits, "the map's connections are not readable")
		return nil
	}
	return &emu.Exits{Warps: warps, Connections: links}
}

func (d *decoder) warps(events []byte, g *emu.Grid) ([]emu.Warp, bool) {
	n := int(events[eventWarps])
	out := make([]emu.Warp, 0, n)
	b := d.bytes(le32(events, eventWarpsPtr), n*warpStride)
	if n > 0 && b == nil {
		return nil, false
	}
	for i := range n {
		w := b[i*warpStride:]
		x, y := les16(w, 0)+emu.MapBorder, les16(w, 2)+emu.MapBorder
		if _, inside := g.At(x, y); !inside {
			return nil, false
		}
		to := d.destination(w)
		out = append(out, emu.Warp{X: x, Y: y, DestinationID: d.p.MapID(to), DestinationName: d.placeName(to)})
	}
	return out, true
}

// destination is where a warp leads. The dynamic one leads to wherever the
// game noted last (SaveBlock1.dynamicWarp).
func (d *decoder) destination(warp []byte) MapRef {
	m := MapRef{Group: int(warp[warpMapGroup]), Number: int(warp[warpMapNumber])}
	if m.Group == dynamicMapGroup && m.Number == dynamicMapGroup && d.save1 != 0 {
		at := d.save1 + d.p.Layout.DynamicWarp
		m = MapRef{Group: int(d.u8(at + warpDataGroup)), Number: int(d.u8(at + warpDataNumber))}
	}
	return m
}

func (d *decoder) connections(g *emu.Grid) ([]emu.Connection, bool) {
	out := []emu.Connection{}
	ptr := d.u32(d.p.RAM.MapHeader + headerLinks)
	if ptr == 0 {
		return out, true
	}
	head := d.bytes(ptr, 8)
	if !inROM(ptr) || head == nil {
		return nil, false
	}
	n := int(int32(le32(head, 0)))
	b := d.bytes(le32(head, 4), max(n, 0)*linkStride)
	if n < 0 || n > linksMax || (n > 0 && b == nil) {
		return nil, false
	}
	for i := range n {
		c := b[i*linkStride:]
		dir := direction(int(c[linkDirection]))
		if dir == "" {
			continue // dive and emerge
		}
		to := MapRef{Group: int(c[linkMapGroup]), Number: int(c[linkMapNumber])}
		out = append(out, emu.Connection{
			Direction: dir, DestinationID: d.p.MapID(to), DestinationName: d.placeName(to), Open: d.openEdge(g, dir),
		})
	}
	return out, true
}

// openEdge lists where an edge can be crossed: both the last tile of the map
// and the first one beyond, which the live map holds in its border, are open.
func (d *decoder) openEdge(g *emu.Grid, dir emu.Direction) []int {
	m, reason := d.liveMap()
	if reason != "" {
		return nil
	}
	out := []int{}
	const border = emu.MapBorder
	try := func(along, x, y int) {
		dx, dy := dir.Delta()
		inside, ok := g.At(x, y)
		if ok && inside.Collision == 0 && m.block(x+dx, y+dy).Collision() == 0 {
			out = append(out, along)
		}
	}
	switch dir {
	case emu.North, emu.South:
		y := border
		if dir == emu.South {
			y = border + g.Height - 1
		}
		for x := border; x < border+g.Width; x++ {
			try(x, x, y)
		}
	case emu.East, emu.West:
		x := border
		if dir == emu.East {
			x = border + g.Width - 1
		}
		for y := border; y < border+g.Height; y++ {
			try(y, x, y)
		}
	}
	return out
}

// signs lists the background events that answer A; hidden items stay hidden.
func (d *decoder) signs(g *emu.Grid) []emu.Sign {
	events := d.mapEvents()
	if events == nil {
		return nil
	}
	n := int(events[eventSigns])
	b := d.bytes(le32(events, eventSignsPtr), n*signStride)
	if b == nil {
		return nil
	}
	out := make([]emu.Sign, 0, n)
	for i := range n {
		s := b[i*signStride:]
		x, y := les16(s, 0)+emu.MapBorder, les16(s, 2)+emu.MapBorder
		if _, inside := g.At(x, y); inside && s[signKind] <= signKindFacing {
			out = append(out, emu.Sign{X: x, Y: y})
		}
	}
	return out
}
