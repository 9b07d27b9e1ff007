package pins

import (
	"cmp"
	"fmt"
	"slices"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/fixtures"
)

// Subject is a savestate that a scenario is to be made of.
type Subject struct {
	ScenarioID  string
	SavestateID string
	WorldID     string
	Identity    emu.CoreIdentity // of the core that the savestate is for
	ROM         []byte
	State       []byte
}

// What a scenario that nobody tuned allows for its driver.
const (
	characterID       = "clankie"
	maxEvidenceEvents = 256
	maxDecisions      = 128
	holdFramesPerStep = 16
	maxBlocked        = 256
)

// Described is a savestate with the scenario that pins it.
type Described struct {
	Scenario fixtures.Scenario
	Profile  *gen3.Profile
	Decoded  emu.State // what the savestate's memory decodes to
}

// Describe makes the scenario that pins a savestate: a route within the map
// where the field decodes, else the form for games that are played from their
// picture. The same savestate gives the same bytes.
func Describe(s Subject) (Described, error) {
	parsed, err := mgba.ParseSavestate(s.State)
	if err != nil {
		return Described{}, err
	}
	mem := parsed.Memory()
	mem.ROM = s.ROM
	d := Described{Profile: gen3.ProfileOf(s.Identity)}
	d.Decoded = gen3.Decode(mem, d.Profile)
	made := fixtures.Scenario{
		ScenarioID: s.ScenarioID, ScenarioVersion: 1, CoreID: s.Identity.CoreID,
		SavestateID: s.SavestateID, SavestateSHA256: emu.DigestOf(s.State),
		ROMSHA256: emu.DigestOf(s.ROM), CoreWasmSHA256: s.Identity.ModuleSHA256,
		RNGSeed: d.Profile.RNG(mem), WorldID: s.WorldID, CharacterID: characterID,
		MaxEvidenceEvents: maxEvidenceEvents, MaxDecisions: maxDecisions,
		Route: routeOf(d.Decoded.Overworld),
	}
	if d.Scenario, err = made.Encode(); err != nil {
		return Described{}, fmt.Errorf("describe the savestate: %w", err)
	}
	return d, nil
}

// routeOf is a short walk: to the nearest open tile around a corner from the
// start. It is nil where the map was not read.
func routeOf(o *emu.Overworld) *fixtures.Route {
	if o == nil || o.Grid == nil {
		return nil
	}
	const first = emu.MapBorder
	r := &fixtures.Route{
		HoldFramesPerStep: holdFramesPerStep, MapID: o.Position.MapID,
		Bounds: fixtures.Bounds{
			MinX: first, MaxX: first + o.Grid.Width - 1,
			MinY: first, MaxY: first + o.Grid.Height - 1,
		},
		Start: o.Position, Target: o.Position,
		Goal: fixtures.Goal{Kind: fixtures.GoalReachTarget}, MinimumDecisions: 1,
	}
	if _, inside := o.Grid.At(o.Position.X, o.Position.Y); !inside {
		return nil // between two maps
	}
	open, blocked := tiles(o)
	if at, ok := aroundACorner(emu.Point{X: r.Start.X, Y: r.Start.Y}, open, blocked); ok {
		r.Target.X, r.Target.Y = at.X, at.Y
	}
	// The nearest ones, where the format does not take all: the driver finds
	// the others by walking into them.
	r.Blocked = blocked[:min(len(blocked), maxBlocked)]
	slices.SortFunc(r.Blocked, byRow)
	return r
}

// aroundACorner is the nearest open tile to which one walks in two directions:
// one press says nothing of whether steps follow from what is seen. Where there
// is none it is the nearest open tile. A corner that leads elsewhere, or where
// somebody stands, is no way.
func aroundACorner(start emu.Point, open, blocked []emu.Point) (at emu.Point, ok bool) {
	for _, p := range open {
		one, other := emu.Point{X: p.X, Y: start.Y}, emu.Point{X: start.X, Y: p.Y}
		free := func(corner emu.Point) bool { return slices.Contains(open, corner) }
		known := func(corner emu.Point) bool { return free(corner) || slices.Contains(blocked, corner) }
		if p.X != start.X && p.Y != start.Y && (free(one) || free(other)) && known(one) && known(other) {
			return p, true
		}
	}
	if len(open) == 0 {
		return emu.Point{}, false
	}
	return open[0], true
}

// tiles lists the open and the blocked tiles of a map but the start, nearest
// first. A tile that leads elsewhere, or that somebody stands on, is neither.
func tiles(o *emu.Overworld) (open, blocked []emu.Point) {
	start := emu.Point{X: o.Position.X, Y: o.Position.Y}
	for p, c := range o.Grid.All() {
		switch {
		case p == start:
		case c.Collision != 0:
			blocked = append(blocked, p)
		case !o.WarpAt(p) && !o.Occupied(p):
			open = append(open, p)
		}
	}
	nearest := func(a, b emu.Point) int {
		return cmp.Or(cmp.Compare(steps(start, a), steps(start, b)), byRow(a, b))
	}
	slices.SortFunc(open, nearest)
	slices.SortFunc(blocked, nearest)
	return open, blocked
}

func steps(a, b emu.Point) int { return max(a.X-b.X, b.X-a.X) + max(a.Y-b.Y, b.Y-a.Y) }

func byRow(a, b emu.Point) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) }
