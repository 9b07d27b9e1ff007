package emu

func observeOverworld(in ObservationInput) (OverworldData, *Error) {
	o := in.State.Overworld
	if o == nil {
		return OverworldData{}, undecoded(in, "overworld")
	}
	if !validPosition(o.Position) || o.Facing == "" {
		return OverworldData{}, refuse(CodeSemanticUnavailable, "where the player stands or looks was not read")
	}
	return OverworldData{
		Position:       o.Position,
		Facing:         o.Facing,
		Surroundings:   strictSurroundings(o.Surroundings),
		MapSize:        strictMapSize(o.Size),
		Minimap:        strictMinimap(o),
		Occupants:      strictOccupants(o.Occupants),
		Exits:          strictExits(o),
		RAMStateSHA256: in.RAM(),
	}, nil
}

func within(v, low, high int) bool { return v >= low && v <= high }

func validID(s string) bool { return within(Length(s), 1, maxID) }

func validPosition(p Position) bool {
	return validID(p.MapID) && within(p.X, 0, maxCoordinate) && within(p.Y, 0, maxCoordinate)
}

// What does not fit the strict shape whole is left out as not read: a list
// cut short would say that the rest is not there.

func strictSurroundings(s *Surroundings) *Surroundings {
	if s == nil {
		return nil
	}
	for _, t := range []Tile{s.North, s.East, s.South, s.West, s.Ahead} {
		if !within(t.X, -1, maxMapSide) || !within(t.Y, -1, maxMapSide) {
			return nil
		}
	}
	return s
}

func strictMapSize(s *MapSize) *MapSize {
	if s == nil || !within(s.Width, 1, maxMapSide) || !within(s.Height, 1, maxMapSide) {
		return nil
	}
	return s
}

func strictMinimap(o *Overworld) Nullish[Minimap] {
	if o.Minimap == nil {
		return Nullish[Minimap]{Present: o.Grid != nil}
	}
	if !within(len(o.Minimap.Rows), 1, maxMinimapRows) {
		return Nullish[Minimap]{}
	}
	for _, row := range o.Minimap.Rows {
		if !within(Length(row), 1, maxMinimapColumn) {
			return Nullish[Minimap]{}
		}
	}
	return Nullish[Minimap]{Present: true, Value: o.Minimap}
}

func strictOccupants(list []Occupant) []Occupant {
	if len(list) > maxOccupants {
		return nil
	}
	return list
}

func strictExits(o *Overworld) *ExitsData {
	e := o.Exits
	if e == nil || len(e.Warps) > maxWarps || len(e.Connections) > maxConnections {
		return nil
	}
	data := &ExitsData{Warps: make([]WarpData, len(e.Warps)), Connections: make([]ConnectionData, len(e.Connections))}
	for i, w := range e.Warps {
		data.Warps[i] = WarpData{X: w.X, Y: w.Y, Destination: Clip(w.DestinationID, maxID), WalkTo: walkTo(o.Grid, w)}
	}
	for i, c := range e.Connections {
		data.Connections[i] = ConnectionData{Direction: c.Direction, Destination: Clip(c.DestinationID, maxID)}
	}
	return data
}
