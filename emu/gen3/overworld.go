package gen3

import "clankie/emu"

// Offsets in struct ObjectEvent (16 × 0x24) and struct PlayerAvatar.
const (
	objectCount  = 16
	objectStride = 0x24

	objFlags     = 0x00 // u32
	objGraphics  = 0x05
	objLocalID   = 0x08
	objMapNumber = 0x09
	objMapGroup  = 0x0A
	objElevation = 0x0B // low nibble: where it stands now
	objCoords    = 0x10 // two s16, border-inclusive
	objFacing    = 0x18 // low nibble; 0x20 is the previous one and lags a turn

	objActive         = 1 << 0
	objHeldActive     = 1 << 6
	objHeldFinished   = 1 << 7
	objIsPlayer       = 1 << 16
	coordMin          = -64 // an object of a neighbouring map lies this far out at most
	coordMax          = 4096
	avatarFlags       = 0x00
	avatarTransition  = 0x03
	avatarObject      = 0x05
	avatarSurfing     = 0x08
	avatarUnderwater  = 0x10
	avatarForced      = 0x40
	tileTransitioning = 1
)

// Offsets in SaveBlock1 and struct MapHeader.
const (
	save1Location   = 0x04 // struct WarpData
	headerLayout    = 0x00
	headerEvents    = 0x04
	headerLinks     = 0x0C // connections
	headerLayoutID  = 0x12 // u16
	headerSection   = 0x14
	warpDataGroup   = 0
	warpDataNumber  = 1
	dynamicMapGroup = 0x7F
)

// object is one decoded object event.
type object struct {
	flags                uint32
	localID, graphicsID  int
	mapNumber, mapGroup  int
	x, y, elevation      int
	facing               emu.Direction
	coordinatesPlausible bool
}

func (o *object) active() bool { return o.flags&objActive != 0 }

// facings maps the games' direction numbers.
var facings = [5]emu.Direction{"", emu.South, emu.North, emu.West, emu.East}

func direction(n int) emu.Direction {
	if n < 0 || n >= len(facings) {
		return ""
	}
	return facings[n]
}

// object reads slot i of gObjectEvents.
func (d *decoder) object(i int) (o object, ok bool) {
	b := d.bytes(d.p.RAM.ObjectEvents+uint32(i*objectStride), objectStride)
	if b == nil {
		return object{}, false
	}
	o = object{
		flags:      le32(b, objFlags),
		localID:    int(b[objLocalID]),
		graphicsID: int(b[objGraphics]),
		mapNumber:  int(b[objMapNumber]),
		mapGroup:   int(b[objMapGroup]),
		x:          les16(b, objCoords),
		y:          les16(b, objCoords+2),
		elevation:  int(b[objElevation] & 0xF),
		facing:     direction(int(b[objFacing] & 0xF)),
	}
	o.coordinatesPlausible = o.x >= coordMin && o.x <= coordMax && o.y >= coordMin && o.y <= coordMax
	return o, true
}

// playerSlot is the object slot of the player, by gPlayerAvatar.
func (d *decoder) playerSlot() int {
	if i := int(d.u8(d.p.RAM.PlayerAvatar + avatarObject)); i < objectCount {
		return i
	}
	return 0
}

// playerMoving reports whether a step, a turn or a forced move is under way.
func (d *decoder) playerMoving() bool {
	o, ok := d.object(d.playerSlot())
	if !ok {
		return true
	}
	avatar := d.p.RAM.PlayerAvatar
	return o.flags&(objHeldActive|objHeldFinished) == objHeldActive ||
		d.u8(avatar+avatarTransition) == tileTransitioning ||
		d.u8(avatar+avatarFlags)&avatarForced != 0
}

// mapRef is the map the player is on, by SaveBlock1.location: the player
// object's own map number stays behind when it walks over a connection.
func (d *decoder) mapRef() (m MapRef, ok bool) {
	if d.save1 == 0 {
		return MapRef{}, false
	}
	return MapRef{
		Group:  int(d.u8(d.save1 + save1Location + warpDataGroup)),
		Number: int(d.u8(d.save1 + save1Location + warpDataNumber)),
	}, true
}

// overworld reads the field. Off the field only where the player stands is
// kept; what lies around would be what it looked like before.
func (d *decoder) overworld() *emu.Overworld {
	switch {
	case d.now.role == roleLoading:
		d.absent(partOverworld, "the map is being loaded")
		return nil
	case d.now.role == roleMainMenu || d.now.role == roleNone:
		d.absent(partOverworld, "no field is behind this screen")
		return nil
	}
	player, ok := d.object(d.playerSlot())
	if !ok || !player.active() || player.flags&objIsPlayer == 0 {
		d.absent(partOverworld, "no field is loaded")
		return nil
	}
	return d.field(player)
}

// field decodes the overworld for a given player object.
func (d *decoder) field(player object) *emu.Overworld {
	m, ok := d.mapRef()
	if !ok {
		d.absent(partOverworld, "no save block is in memory")
		return nil
	}
	if player.x < 0 || player.y < 0 || !player.coordinatesPlausible {
		d.torn(partOverworld, "the player stands outside any map")
		return nil
	}
	flags := d.u8(d.p.RAM.PlayerAvatar + avatarFlags)
	o := &emu.Overworld{
		Position:  emu.Position{MapID: d.p.MapID(m), X: player.x, Y: player.y},
		Facing:    player.facing,
		MapGroup:  m.Group,
		MapNumber: m.Number,
		MapName:   d.mapName(int(d.u8(d.p.RAM.MapHeader + headerSection))),
		Elevation: player.elevation,
		Surfing:   flags&avatarSurfing != 0,
		Weather:   d.weather(),

		Underwater: flags&avatarUnderwater != 0,
	}
	if !d.fieldLive() {
		const reason = "the field is not on screen"
		d.absent(partMap, reason)
		d.absent(partOccupants, reason)
		d.absent(partExits, reason)
		return o
	}
	o.InputReady = d.fieldReady()
	d.surround(o, m)
	return o
}

// surround adds what lies around the player.
func (d *decoder) surround(o *emu.Overworld, m MapRef) {
	if d.headerOfAnother(m) {
		const reason = "the map's header is still that of another map"
		d.torn(partMap, reason)
		d.absent(partOccupants, reason)
		d.absent(partExits, reason)
		return
	}
	o.Occupants = d.occupants(m)
	o.Grid = d.grid()
	if o.Grid == nil {
		d.absent(partExits, "the map did not decode")
		return
	}
	o.Size = &emu.MapSize{Width: o.Grid.Width, Height: o.Grid.Height}
	o.Exits = d.exits(o.Grid)
	o.Signs = d.signs(o.Grid)
	if _, inside := o.Grid.At(o.Position.X, o.Position.Y); !inside {
		// One of the two belongs to the map before.
		d.torn(partMap, "the player stands outside the map")
		return
	}
	o.Surroundings = surroundings(o)
	o.Minimap = minimap(o)
}

// occupants lists who stands on the current map besides the player.
func (d *decoder) occupants(m MapRef) []emu.Occupant {
	out := make([]emu.Occupant, 0, 8)
	player := d.playerSlot()
	for i := range objectCount {
		o, ok := d.object(i)
		if !ok || i == player || !o.active() || o.flags&objIsPlayer != 0 {
			continue
		}
		if o.mapNumber != m.Number || o.mapGroup != m.Group || !o.coordinatesPlausible {
			continue // left over from a neighbouring map
		}
		occupant := emu.Occupant{LocalID: o.localID, GraphicsID: o.graphicsID, X: o.x, Y: o.y}
		if o.facing != "" {
			facing := o.facing
			occupant.Facing = &facing
		}
		out = append(out, occupant)
	}
	return out
}

// weatherCurrent is the offset of currWeather in gWeather.
const weatherCurrent = 0x6D0

// weathers are the values of WEATHER_*, the same in all families.
var weathers = [...]string{
	"none", "sunny clouds", "sunny", "rain", "snow", "thunderstorm", "fog", "ash", "sandstorm", "fog",
	"underwater", "shade", "drought", "downpour", "bubbles", "abnormal",
}

// weather names the weather that the field shows.
func (d *decoder) weather() string {
	if w := int(d.u8(d.p.RAM.Weather + weatherCurrent)); w < len(weathers) {
		return weathers[w]
	}
	return ""
}
