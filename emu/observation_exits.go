package emu

// What an exit's walkTo says.
const (
	WalkSupported   = "supported"   // walking there leaves the map
	WalkUnsupported = "unsupported" // it is only where one arrives, or a script's
)

// Metatile behaviours of tiles that a walk leaves the map by (FireRed and
// LeafGreen): doors, ladders, arrows, holes, pads, escalators and stairs.
const (
	behaviorFirstWarp = 0x60 // MB_CAVE_DOOR
	behaviorLastWarp  = 0x6F // MB_DOWN_LEFT_STAIR_WARP
	behaviorUnionWarp = 0x71 // MB_UNION_ROOM_WARP
)

// walkTo says whether a walk to w takes it: a warp event alone does nothing,
// it takes a tile that makes use of it. "" is not known.
func walkTo(g *Grid, w Warp) string {
	c, inside := g.At(w.X, w.Y)
	switch {
	case !inside || g.Behaviors == nil:
		return ""
	case c.Behavior >= behaviorFirstWarp && c.Behavior <= behaviorLastWarp, c.Behavior == behaviorUnionWarp:
		return WalkSupported
	}
	return WalkUnsupported
}
