package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"clankie/emu"
	"clankie/emu/double"
)

// fakeTiles are the letters of drawn maps, by FireRed's behaviours.
var fakeTiles = map[byte]emu.Cell{
	'.': {}, '#': {Collision: 1}, '"': {Behavior: 0x02}, '~': {Behavior: 0x10}, 'w': {Behavior: 0x13},
	'v': {Collision: 1, Behavior: 0x3B}, '>': {Collision: 1, Behavior: 0x38},
	'C': {Behavior: 0x50}, 'S': {Behavior: 0x56}, 'x': {Behavior: 0x58}, 'M': {Behavior: 0x41},
	'*': {Behavior: 0x23}, ':': {Behavior: 0x26}, 'F': {Behavior: 0x32},
	'D': {Collision: 1, Behavior: 0x69}, 'm': {Behavior: 0x65},
}

// drawnWorld is a field made of letters; '@' is the player.
func drawnWorld(rows ...string) *emu.Overworld {
	var cells []emu.Cell
	o := &emu.Overworld{
		Position: emu.Position{MapID: "bramble-map-3-0"}, Facing: emu.East, MapName: "BRAMBLE TOWN",
		Exits: &emu.Exits{Warps: []emu.Warp{}, Connections: []emu.Connection{}}, Occupants: []emu.Occupant{},
	}
	for y, row := range rows {
		for x := range len(row) {
			if row[x] == '@' {
				o.Position.X, o.Position.Y = x+emu.MapBorder, y+emu.MapBorder
			}
			cells = append(cells, fakeTiles[row[x]])
		}
	}
	o.Grid = double.Grid(len(rows[0]), cells)
	return o
}

func shownMap(v mapView, at emu.Point, w, h int) string {
	part, scale := v.cropped(at, fieldEnough, w, h)
	return ansi.Strip(strings.Join(newPalette(true).mapRows(part, scale, w), "\n"))
}

// TestMapShowsWhatTilesDo draws every kind of tile, one and two cells wide.
func TestMapShowsWhatTilesDo(t *testing.T) {
	o := drawnWorld(
		`#D##.@.m.m`,
		`..""~~wC..`,
		`vv.>.SxM..`,
		`**::F.....`,
	)
	at := emu.Point{X: o.Position.X, Y: o.Position.Y}
	o.Exits.Warps = []emu.Warp{{X: 8, Y: 7}, {X: 14, Y: 7}} // the other mat leads nowhere
	o.Exits.Connections = []emu.Connection{
		{Direction: emu.South, Open: []int{7, 8}}, {Direction: emu.East, Open: []int{8}}, {Direction: emu.North}, // not read where
	}
	o.Occupants = []emu.Occupant{{X: 16, Y: 8}}
	o.Signs = []emu.Sign{{X: 16, Y: 9}}
	v := viewMap(o, 20)
	if got, want := shownMap(v, at, 11, 9), strings.Join([]string{
		`▒D▒▒·@·↓·· `,
		`··""~~≈≈·o→`,
		`vv·>·%x=·! `,
		`**::¦····· `,
		`↓↓         `,
	}, "\n"); got != want {
		t.Errorf("narrow:\n%s\nwant\n%s", got, want)
	}
	if got, want := shownMap(v, at, 22, 9), strings.Join([]string{
		`▒▒D ▒▒▒▒· @→· D↓· ·   `,
		`· · """"~~~~≈↓≈→· o → `,
		`vvvv· >>· %↑x =←· !   `,
		`* * : : ¦ · · · · ·   `,
		`↓ ↓                   `,
	}, "\n"); got != want {
		t.Errorf("wide:\n%s\nwant\n%s", got, want)
	}
	if got, want := shownMap(v, at, 5, 3), "▒·@·↓\n\"~~≈≈\n>·%x="; got != want {
		t.Errorf("cropped:\n%s\nwant\n%s", got, want)
	}
	legend := ansi.Strip(strings.Join(newPalette(true).legend(v, 300, 1), ""))
	for _, k := range mapKinds {
		if !strings.Contains(legend, k.glyph+" "+k.name) {
			t.Errorf("the legend %q does not name %q", legend, k.name)
		}
	}
}

// TestLegendNamesWhatIsInView and no more, and gives up what matters least.
func TestLegendNamesWhatIsInView(t *testing.T) {
	o := drawnWorld(`@.""....`)
	v := viewMap(o, 20)
	if got := ansi.Strip(strings.Join(newPalette(true).legend(v, 80, 2), "")); got != `@ you  " grass  · free` {
		t.Errorf("the legend is %q", got)
	}
	if got := ansi.Strip(strings.Join(newPalette(true).legend(v, 16, 1), "")); got != `@ you " grass` {
		t.Errorf("the narrow legend is %q", got)
	}
}

// TestFieldPaneHasTheEssentials: money, badges, time and weather are on the
// main screen, and no map is shown when the player stands outside of it.
func TestFieldPaneHasTheEssentials(t *testing.T) {
	s := emu.State{Overworld: drawnWorld("..@..", "....."), Undecoded: map[string]string{}}
	s.Overworld.Weather, s.Overworld.Surfing = "rain", true
	s.Trainer = &emu.Trainer{Money: 3050, Badges: [8]bool{true, false, true}, PlayTime: emu.PlayTime{Hours: 12, Minutes: 4, Seconds: 59}}
	p := newPalette(true)
	show := func() string { return ansi.Strip(strings.Join(p.fieldPane(fieldOf(&s), rect{w: 40, h: 14}), "\n")) }
	for _, want := range []string{"BRAMBLE TOWN", "¥3050 · 2 badges · 12:04", "rain · on water", "@→", "@ you"} {
		if got := show(); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	s.Trainer.PlayTime.Seconds = 0
	a := fieldOf(&s)
	s.Trainer.PlayTime.Seconds = 30
	if b := fieldOf(&s); a.card != b.card {
		t.Error("a second that passes draws the pane again")
	}
	s.Undecoded["map"] = "the player stands outside the map"
	if got := show(); strings.Contains(got, "@") || !strings.Contains(got, "outside the map") {
		t.Errorf("a map that does not hold is drawn:\n%s", got)
	}
	s.Trainer = nil
	if got := show(); strings.Contains(got, "badge") {
		t.Errorf("a card that was not read is shown:\n%s", got)
	}
}
