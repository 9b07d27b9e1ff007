package gen3

// groupMapsMax bounds how many maps of a group are looked through; the games'
// largest group has 123.
const groupMapsMax = 256

// headerOfAnother reports whether gMapHeader is a map's other than m: location
// and header belong to two sides of a warp. The header is a copy of the
// cartridge's, so the events that it points at tell whose it is. Where the
// cartridge has no such map, as where maps were added, nothing is known.
func (d *decoder) headerOfAnother(m MapRef) bool {
	events := d.u32(d.p.RAM.MapHeader + headerEvents)
	if d.tables.MapGroups == 0 || m.Group >= d.p.Layout.MapGroups || events == 0 {
		return false
	}
	own := d.u32(d.mapGroup(m.Group) + uint32(4*m.Number))
	if !d.isMapHeader(own) || d.u32(own+headerEvents) == events {
		return false
	}
	for group := range d.p.Layout.MapGroups {
		if d.hasEvents(d.mapGroup(group), events) {
			return true
		}
	}
	return false
}

// mapGroup is the address of a group's list of headers.
func (d *decoder) mapGroup(group int) uint32 {
	return d.u32(d.tables.MapGroups + uint32(4*group))
}

// hasEvents reports whether a map of a group has these events. Nothing tells how
// long a list is: it ends where something else begins.
func (d *decoder) hasEvents(list, events uint32) bool {
	if !inROM(list) {
		return false
	}
	for i := range uint32(groupMapsMax) {
		header := d.u32(list + 4*i)
		switch {
		case header == 0: // a number that no map has
		case !d.isMapHeader(header):
			return false
		case d.u32(header+headerEvents) == events:
			return true
		}
	}
	return false
}

// placeName is the name of the place that a map is a part of, by the map's own
// header; "" where the cartridge does not tell.
func (d *decoder) placeName(m MapRef) string {
	if d.tables.MapGroups == 0 || m.Group >= d.p.Layout.MapGroups || !inROM(d.mapGroup(m.Group)) {
		return ""
	}
	header := d.u32(d.mapGroup(m.Group) + uint32(4*m.Number))
	if !d.isMapHeader(header) {
		return ""
	}
	return d.mapName(int(d.u8(header + headerSection)))
}

func (d *decoder) isMapHeader(at uint32) bool { return inROM(at) && inROM(d.u32(at+headerLayout)) }
