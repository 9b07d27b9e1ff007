package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"clankie/emu"
	"clankie/play"
)

// TestDetailsByKey goes through the pages, their entries and back.
func TestDetailsByKey(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.boxes = fakeBoxes(3)
	d.press("i")
	for range 2 {
		for _, says := range []string{"WREN, a girl", "Party 1/4", "Bag 1/5", "Boxes 1/14", "no battle is on", "15,10: map-4-0", "the field"} {
			d.expect(says)
			d.press("tab")
		}
	}
	d.press("shift+tab", "left", "right", "right")
	d.expect("Trainer card")
	d.press("right", "down")
	d.expect("Party 2/4", "▸ Pebbler", "slot 2")
	d.press("up", "up")
	d.expect("Party 4/4", "What is in it shows when it hatches")
	d.press(",", ",", ",", ".", "space")
	d.expect("Party 2/4")
	d.expectSent(play.CommandPause) // the other keys do what they always do
	d.press("i")
	d.expectNot("Party 2/4")
	d.expect("Field")
	d.press("i")
	d.expect("Party 2/4") // where it was left
	d.press("esc")
	d.expect("Field")
	d.press("tab")
	d.expect("Party 2/4")
}

// TestDetailsScroll: every row can be reached, and another entry begins at its
// top.
func TestDetailsScroll(t *testing.T) {
	d := newDriver(t, Options{})
	d.send(tea.WindowSizeMsg{Width: 60, Height: 14})
	d.typedLine("/party")
	d.expectNot("personal")
	d.press("end")
	d.expect("personal  5d55d8a8")
	d.press("home")
	d.expect("MOSSLING ★ shiny")
	for range 9 {
		d.text()
		d.press("pgdown")
	}
	d.expect("personal  5d55d8a8")
	d.press("down")
	d.expect("Pebbler, PEBBUN")
	d.press("pgdown", "pgup")
	d.expect("Pebbler, PEBBUN")
}

// TestDetailsWithThePadInHand: the arrows are the game's, tab is not.
func TestDetailsWithThePadInHand(t *testing.T) {
	d := newDriver(t, Options{})
	d.press("p")
	d.press("tab")
	d.expect("Trainer card", "BY HAND")
	d.press("tab", ".", "down", "z")
	d.expect("Party 2/4")
	d.expectSent(play.CommandTakePad, play.CommandPress, play.CommandPress)
	d.press("esc")
	d.expect("Party 2/4")
	d.expectSent(play.CommandTakePad, play.CommandPress, play.CommandPress, play.CommandGivePad)
}

func TestDetailsByCommand(t *testing.T) {
	d := newDriver(t, Options{})
	for line, says := range map[string]string{
		"/trainer": "WREN", "/card": "Trainer card", "/party": "Party", "/party 3": "Party 3/4", "/party pebb": "Party 2/4",
		"/bag tm": "TM01", "/bag 2": "Parcel", "/battle": "no battle is on", "/battle 2": "no battle is on", "/map": "at 13,14 north", "/scene": "the field",
		"/party 9": "✗ which one? /party 1 to 4, or a name", "/party nobody": "✗ which one?", "/bag shoes": "✗ which one? /bag 1 to 5",
	} {
		d.typedLine(line)
		d.expect(says)
	}
	d.press("/", "ctrl+u")
	d.typed("/party ")
	d.expect("/party 2", "Pebbler")
	if got := d.m.prompt.offers; len(got) != 4 || got[3] != (suggestion{"/party 4", "Egg"}) {
		t.Errorf("completed to %v", got)
	}
	d.press("esc")
	early := newDriver(t, Options{})
	early.m.snap = nil
	early.typedLine("/party")
	early.expect("the sitting has not started yet")
	early.press("i")
	early.expect("Details", "the sitting has not started yet")
}

// TestABoxIsOpenedThatWasNotReadYet: by number or name, and a wrong one is told
// once the boxes are there.
func TestABoxIsOpenedThatWasNotReadYet(t *testing.T) {
	for line, says := range map[string]string{
		"/boxes 2": "▸ Box 2", "/boxes meadow": "▸ MEADOW", "/boxes 99": "✗ which one? /boxes 1 to 14",
	} {
		d := newDriver(t, Options{})
		d.sitting.boxes = fakeBoxes(3)
		d.typedLine(line)
		d.expect("Boxes", says)
	}
}

// TestBoxesAreReadWhenTheyAreLookedAt: not before, once for each moment, and
// never those of before a load.
func TestBoxesAreReadWhenTheyAreLookedAt(t *testing.T) {
	d := newDriver(t, Options{})
	d.sitting.boxes = fakeBoxes(3)
	looks := func(want int) {
		t.Helper()
		if d.sitting.looks != want {
			t.Fatalf("the boxes were read %d times, want %d", d.sitting.looks, want)
		}
	}
	d.press("i")
	looks(0)
	d.typedLine("/boxes")
	d.expect("MEADOW", "as of turn 3", "Splash")
	d.show(fakeSnapshot(3))
	d.press("down", "up")
	looks(1)
	d.sitting.boxes.Turn = 4
	d.show(fakeSnapshot(4))
	d.expect("as of turn 4")
	looks(2)
	d.sitting.noBoxes = errOnPurpose
	s := fakeSnapshot(4)
	s.LoadEpoch = 1
	d.show(s)
	d.expect("disk_full")
	d.expectNot("Splash")
	looks(3)
	d.sitting.noBoxes, d.sitting.boxes.LoadEpoch = nil, 1
	s = fakeSnapshot(5)
	s.LoadEpoch = 1
	d.show(s)
	d.expect("Splash")
	s = fakeSnapshot(5)
	s.LoadEpoch = 2 // what is read meanwhile is of before the load
	d.show(s)
	d.expect("reading the boxes…")
	d.expectNot("Splash")
	s = fakeSnapshot(6)
	s.State.Storage = &emu.Storage{Boxes: []emu.Box{{Name: "OPEN"}}}
	before := d.sitting.looks
	d.show(s)
	d.expect("OPEN", "as of now")
	looks(before)
	d.press("tab")
	d.show(fakeSnapshot(9))
	looks(before)
}

// TestDetailsNeverShowOldValues: what can no longer be read is gone, and a
// party that shrinks takes the choice with it.
func TestDetailsNeverShowOldValues(t *testing.T) {
	d := newDriver(t, Options{})
	d.typedLine("/party 4")
	s := fakeSnapshot(4)
	s.State.Party.Members = s.State.Party.Members[:2]
	d.show(s)
	d.expect("Party 2/2", "Pebbler, PEBBUN")
	s = fakeSnapshot(5)
	s.State.Party, s.State.Undecoded["party"] = nil, "the party counts 9 members"
	d.show(s)
	d.expect("the party counts 9 members")
	d.expectNot("Pebbler")
	d.typedLine("/map")
	d.expect("@ you")
	d.show(battleSnapshot(6))
	d.expectNot("@ you")
	d.typedLine("/battle")
	d.expect("Thistlet")
	d.show(fakeSnapshot(7))
	d.expectNot("Thistlet")
}

// TestDetailsAtAnySize draws every page at every size, from the smallest
// window on.
func TestDetailsAtAnySize(t *testing.T) {
	for _, size := range [][2]int{{20, 6}, {24, 7}, {40, 12}, {60, 20}, {80, 24}, {100, 30}, {120, 40}, {164, 50}, {284, 92}} {
		for _, picture := range []bool{true, false} {
			d := newDriver(t, Options{})
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if !picture {
				d.press("v")
			}
			s := doubleBattle()
			d.show(s)
			for n := range pages {
				d.typedLine("/" + pages[n].command)
				for range max(len(pages[n].of(seen{Snapshot: s}).names()), 1) {
					if got := d.rows(); len(got) != size[1] {
						t.Fatalf("%d rows in %v", len(got), size)
					}
					for _, row := range d.rows() {
						if width(row) != size[0] {
							t.Fatalf("%s at %v: %q", pages[n].title, size, row)
						}
					}
					d.press("down")
				}
				title := strings.Fields(pages[n].title)[0]
				if !strings.Contains(d.text(), title) {
					t.Errorf("%s is not named at %v:\n%s", title, size, d.text())
				}
			}
		}
	}
}

// TestDetailsHoldAnything: pages of states that nobody made by hand are as wide
// as they are told to be.
func TestDetailsHoldAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		u := anyUpdate(rt)
		if u.Snapshot == nil {
			return
		}
		numbers := rapid.IntRange(-1<<40, 1<<40)
		if p := u.Snapshot.State.Party; p != nil && len(p.Members) > 0 {
			c := &p.Members[0]
			c.Level, c.HP, c.MaxHP, c.Experience, c.Friendship = numbers.Draw(rt, "level"), numbers.Draw(rt, "hp"), numbers.Draw(rt, "max"), numbers.Draw(rt, "exp"), numbers.Draw(rt, "friend")
			c.Stats = emu.Stats{HP: numbers.Draw(rt, "stat"), Speed: numbers.Draw(rt, "speed")}
			c.Moves = c.Moves[:rapid.IntRange(0, 4).Draw(rt, "moves")]
		}
		w, h := rapid.IntRange(minWidth, 120).Draw(rt, "w"), rapid.IntRange(minHeight-2, 60).Draw(rt, "h")
		var d details
		for n := range pages {
			d.show(n)
			d.at[n], d.top = rapid.IntRange(-2, 9).Draw(rt, "at"), rapid.IntRange(-5, 99).Draw(rt, "top")
			rows := d.pane(newPalette(true), seen{Snapshot: u.Snapshot}, rect{w: w, h: h})
			if len(rows) != h {
				rt.Fatalf("%s has %d rows in %d×%d", pages[n].title, len(rows), w, h)
			}
			for _, row := range rows {
				if width(row) != w {
					rt.Fatalf("%s in %d×%d: %q", pages[n].title, w, h, row)
				}
			}
		}
	})
}

// TestTabsFit: the tab of the page that is shown is always in view.
func TestTabsFit(t *testing.T) {
	for w := 1; w < 60; w++ {
		for n := range pages {
			d := details{page: n}
			row := ansi.Strip(d.tabs(newPalette(true), w))
			if width(row) > w {
				t.Errorf("%d cells of tabs in %d", width(row), w)
			}
			if w >= 8 && !strings.Contains(row, pages[n].tab) {
				t.Errorf("%s is not among the tabs in %d cells: %q", pages[n].tab, w, row)
			}
		}
	}
}
