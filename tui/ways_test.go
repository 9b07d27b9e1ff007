package tui

import (
	"slices"
	"strings"
	"testing"

	"clankie/emu"

	"github.com/charmbracelet/x/ansi"
)

// Ways out are called by the place's name where the game has one.
func TestWaysOutByName(t *testing.T) {
	p := newPalette(true)
	o := fakeWorld()
	o.Exits.Warps[0].DestinationName = "BRAMBLE TOWN"
	o.Exits.Connections[0].DestinationName = "LONG LANE"
	pane := ansi.Strip(strings.Join(p.exitRows(o, 200), " "))
	for _, want := range []string{"15,10 BRAMBLE TOWN", "west LONG LANE", "17,17 map-5-2", "east map-3-2"} {
		if !strings.Contains(pane, want) {
			t.Errorf("%q is not in %q", want, pane)
		}
	}
	s := fakeSnapshot(1)
	s.State.Overworld = o
	sheet := ansi.Strip(strings.Join(mapSheetOf(seen{Snapshot: s}).rows(p, 0, 78, 60), "\n"))
	for _, want := range []string{"15,10: BRAMBLE TOWN (map-4-0)", "17,17: map-5-2"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("%q is not in\n%s", want, sheet)
		}
	}
}

// Trainers are called by class and name where the cartridge tells.
func TestTrainersByName(t *testing.T) {
	b := &emu.Battle{Kind: "two trainers", TrainerID: 1, TrainerName: "TWINS AMY", SecondTrainerID: 2}
	got := []string{owner(b, &emu.Battler{Index: 1, Side: sideOpponent}), owner(b, &emu.Battler{Index: 3, Side: sideOpponent})}
	b.Kind, b.TrainerName = "trainer", "RIVAL BERT"
	got = append(got, owner(b, &emu.Battler{Index: 1, Side: sideOpponent}))
	want := []string{"the first trainer TWINS AMY", "the second trainer (2)", "the trainer RIVAL BERT"}
	if !slices.Equal(got, want) {
		t.Errorf("owners are %q, want %q", got, want)
	}
}
