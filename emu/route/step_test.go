package route

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/emu/double"
)

// legend maps the letters of drawn maps to tiles.
var legend = map[rune]emu.Cell{
	'.': {Elevation: 3},
	'#': {Collision: 1, Elevation: 3},
	'v': {Collision: 1, Behavior: behaviorJumpSouth},
	'^': {Collision: 1, Behavior: behaviorJumpNorth},
	'<': {Collision: 1, Behavior: behaviorJumpWest},
	'>': {Collision: 1, Behavior: behaviorJumpEast},
	'~': {Elevation: 1, Behavior: behaviorPond},
	'w': {Elevation: 1, Behavior: behaviorWaterfall},
	'4': {Elevation: 4},
	'0': {Elevation: 0},
	'f': {Elevation: 15},
	'D': {Collision: 1, Elevation: 3, Behavior: behaviorDoor},
	'C': {Elevation: 3, Behavior: behaviorCaveDoor},
	'm': {Elevation: 3, Behavior: behaviorArrowSouth},
	's': {Elevation: 3, Behavior: behaviorStairUpRight},
	'n': {Elevation: 3, Behavior: behaviorImpassableNorth},
	'q': {Elevation: 3, Behavior: behaviorImpassableSE},
	'R': {Elevation: 3, Behavior: behaviorSpinEast},
	'U': {Elevation: 3, Behavior: behaviorSpinEast + 2},
	'L': {Elevation: 3, Behavior: behaviorSpinEast + 1},
	'o': {Elevation: 3, Behavior: behaviorStopSpinning},
	'i': {Elevation: 3, Behavior: behaviorIce},
	'b': {Elevation: 3, Behavior: behaviorBumpySlope},
	'r': {Elevation: 3, Behavior: behaviorRailLast},
	'=': {Elevation: 3, Behavior: behaviorSouthNorthShut},
	'M': {Elevation: 3, Behavior: behaviorWalkEast + 3},
	'P': {Elevation: 3}, // a person stands here
	'@': {Elevation: 3}, // where the step begins
}

// draw makes an overworld from rows; the player stands on '@', or on the first
// tile. Doors, mats, stairs and cave mouths have warps.
func draw(rows ...string) (o *emu.Overworld, from emu.Point) {
	var cells []emu.Cell
	o = &emu.Overworld{Exits: &emu.Exits{}, Elevation: 3, Occupants: []emu.Occupant{}}
	from = emu.Point{X: emu.MapBorder, Y: emu.MapBorder}
	for y, row := range rows {
		for x, r := range []rune(row) {
			c, ok := legend[r]
			if !ok {
				panic("no tile " + string(r))
			}
			cells = append(cells, c)
			p := emu.Point{X: x + emu.MapBorder, Y: y + emu.MapBorder}
			switch r {
			case '@':
				from = p
			case 'P':
				o.Occupants = append(o.Occupants, emu.Occupant{X: p.X, Y: p.Y})
			case 'D', 'C', 'm', 's':
				o.Exits.Warps = append(o.Exits.Warps, emu.Warp{X: p.X, Y: p.Y})
			}
		}
	}
	o.Grid = double.Grid(len([]rune(rows[0])), cells)
	o.Position.X, o.Position.Y = from.X, from.Y
	return o, from
}

func TestStep(t *testing.T) {
	tests := []struct {
		name   string
		rows   []string
		d      emu.Direction
		want   Kind
		dx, dy int // where it ends, from where it began
	}{
		{"open", []string{"@."}, emu.East, Walk, 1, 0},
		{"wall", []string{"@#"}, emu.East, Blocked, 0, 0},
		{"person", []string{"@P"}, emu.East, Blocked, 0, 0},
		{"off the map", []string{"@."}, emu.West, Blocked, 0, 0},
		{"no direction", []string{"@."}, "", Blocked, 0, 0},
		{"ledge down", []string{"@", "v", "."}, emu.South, Ledge, 0, 2},
		{"ledge is a wall from below", []string{".", "v", "@"}, emu.North, Blocked, 0, 0},
		{"ledge is a wall from the side", []string{"@v"}, emu.East, Blocked, 0, 0},
		{"ledge onto a person", []string{"@", "v", "P"}, emu.South, Blocked, 0, 0},
		{"ledge at the map's end", []string{"@", "v"}, emu.South, Blocked, 0, 0},
		{"ledge east", []string{"@>."}, emu.East, Ledge, 2, 0},
		{"ledge west", []string{".<@"}, emu.West, Ledge, -2, 0},
		{"ledge north", []string{".", "^", "@"}, emu.North, Ledge, 0, -2},
		{"door", []string{"D", "@"}, emu.North, Warp, 0, -1},
		{"door from the side", []string{"@D"}, emu.East, Blocked, 0, 0},
		{"cave mouth", []string{"@C"}, emu.East, Warp, 1, 0},
		{"onto a mat", []string{"@", "m"}, emu.South, Walk, 0, 1},
		{"water on foot", []string{"@~"}, emu.East, Blocked, 0, 0},
		{"another layer", []string{"@4"}, emu.East, Blocked, 0, 0},
		{"transition", []string{"@0"}, emu.East, Walk, 1, 0},
		{"bridge", []string{"@f"}, emu.East, Walk, 1, 0},
		{"closed side", []string{"n", "@"}, emu.North, Walk, 0, -1},
		{"closed side from above", []string{"@", "n"}, emu.South, Blocked, 0, 0},
		{"closed corner", []string{".q@"}, emu.West, Blocked, 0, 0},
		{"spinner to a stop", []string{"@R..o."}, emu.East, Slide, 4, 0},
		{"spinner to a wall", []string{"@R..#"}, emu.East, Slide, 3, 0},
		{"spinner turns", []string{"..o", "...", "@RU"}, emu.East, Slide, 2, -2},
		{"spinner against a wall", []string{"@R#"}, emu.East, Walk, 1, 0},
		{"spinner back", []string{"@L"}, emu.East, Blocked, 0, 0},
		{"ice", []string{"@ii.."}, emu.East, Slide, 3, 0},
		{"bumpy slope", []string{"b", "@"}, emu.North, Blocked, 0, 0},
		{"rail", []string{"@r"}, emu.East, Blocked, 0, 0},
		{"shut to the north and south", []string{"=", "@"}, emu.North, Blocked, 0, 0},
		{"shut to the north and south, from the side", []string{"@="}, emu.East, Walk, 1, 0},
		{"up a muddy slope", []string{"M", "@"}, emu.North, Blocked, 0, 0},
		{"down a muddy slope", []string{"@", "M", "M", "."}, emu.South, Slide, 0, 3},
		{"ring of spinners", []string{"@RL"}, emu.East, Slide, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, from := draw(tt.rows...)
			to, kind := Step(o, from, tt.d)
			if kind != tt.want {
				t.Errorf("step is %v, want %v", kind, tt.want)
			}
			if tt.name == "ring of spinners" {
				return // wherever the bound falls
			}
			equal(t, "end", to, emu.Point{X: from.X + tt.dx, Y: from.Y + tt.dy})
		})
	}
}

func TestExitMats(t *testing.T) {
	o, _ := draw("...", ".m.")
	mat := emu.Point{X: 8, Y: 8}
	to, kind := Step(o, mat, emu.South)
	equal(t, "south", kind, ExitMat)
	equal(t, "end", to, mat)
	_, kind = Step(o, mat, emu.North)
	equal(t, "north", kind, Walk)
	o.Exits.Warps = nil
	_, kind = Step(o, mat, emu.South)
	equal(t, "a mat without a warp", kind, Blocked)

	o, _ = draw("s#")
	_, kind = Step(o, emu.Point{X: 7, Y: 7}, emu.East)
	equal(t, "stairs", kind, ExitMat)
}

func TestWater(t *testing.T) {
	o, from := draw("~~.")
	o.Surfing, o.Elevation = true, 1
	_, kind := Step(o, from, emu.East)
	equal(t, "swim", kind, Walk)
	_, kind = Step(o, emu.Point{X: from.X + 1, Y: from.Y}, emu.East)
	equal(t, "land", kind, Walk)
	o, from = draw("~4")
	o.Surfing = true
	_, kind = Step(o, from, emu.East)
	equal(t, "a higher shore", kind, Blocked)
	o, _ = draw("w", "~")
	_, kind = Step(o, emu.Point{X: 7, Y: 8}, emu.North)
	equal(t, "up a waterfall", kind, Blocked)
}

func TestEdges(t *testing.T) {
	o, from := draw("@.", "..")
	o.Exits.Connections = []emu.Connection{{Direction: emu.North, Open: []int{8}}, {Direction: emu.West}}
	_, kind := Step(o, from, emu.North)
	equal(t, "a closed stretch", kind, Blocked)
	to, kind := Step(o, emu.Point{X: 8, Y: 7}, emu.North)
	equal(t, "an open stretch", kind, Edge)
	equal(t, "end", to, emu.Point{X: 8, Y: 7})
	_, kind = Step(o, from, emu.West)
	equal(t, "an edge that was not read", kind, Edge)
	_, kind = Step(o, emu.Point{X: 8, Y: 7}, emu.East)
	equal(t, "no neighbour", kind, Blocked)
}

func TestBridgeLayer(t *testing.T) {
	o, _ := draw("f4")
	from := emu.Point{X: 7, Y: 7}
	o.Position.X, o.Position.Y = 7, 7
	o.Elevation = 4
	_, kind := Step(o, from, emu.East)
	equal(t, "on the bridge", kind, Walk)
	o.Elevation = 3
	_, kind = Step(o, from, emu.East)
	equal(t, "under the bridge", kind, Blocked)
}

func TestStepWithoutMap(t *testing.T) {
	for _, o := range []*emu.Overworld{nil, {}} {
		_, kind := Step(o, emu.Point{}, emu.North)
		equal(t, "kind", kind, Blocked)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
