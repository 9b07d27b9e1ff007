package play_test

import (
	"fmt"
	"testing"

	"clankie/emu"
)

// on is a look that changes a state where it applies.
func on(applies func(emu.State) bool, change func(*emu.State)) func(emu.State) emu.State {
	return func(s emu.State) emu.State {
		if !applies(s) {
			return s
		}
		if s.Overworld != nil {
			o := *s.Overworld
			s.Overworld = &o
		}
		if s.Naming != nil {
			n := *s.Naming
			s.Naming = &n
		}
		change(&s)
		return s
	}
}

func inTheField(s emu.State) bool { return s.Overworld != nil && s.Scene.Mode == emu.ModeOverworld }

func atTheKeyboard(s emu.State) bool { return s.Naming != nil }

// clear is a look at everything there is.
func clear(s emu.State) emu.State { return s }

// TestEffectsOfWhatIsNotReadOnTheCartridge shows what is told where less is
// decoded than there is, as on a cartridge that is not known as well: the
// machine and what it answers are real.
func TestEffectsOfWhatIsNotReadOnTheCartridge(t *testing.T) {
	t.Run("in the room", func(t *testing.T) {
		noMap := on(inTheField, func(s *emu.State) { s.Overworld.Grid = nil })
		noExits := on(inTheField, func(s *emu.State) { s.Overworld.Exits = nil })
		asks := on(inTheField, func(s *emu.State) {
			s.Scene = emu.Scene{Mode: emu.ModeDialog, Screen: "dialog", WaitingForDialogAdvance: true}
			s.Dialog = &emu.Dialog{Lines: []string{"How many?"}, Waiting: true, Progress: 7}
		})
		held := on(inTheField, func(s *emu.State) { s.Scene = emu.Scene{Mode: emu.ModeCutscene, Screen: "cutscene"} })
		longBag := on(func(s emu.State) bool { return s.Menu != nil }, func(s *emu.State) {
			m := emu.Menu{ID: "bag-items", Cursor: 7}
			for i := range 16 {
				m.Entries = append(m.Entries, emu.MenuEntry{ID: fmt.Sprintf("item-%d", i)})
			}
			s.Menu = &m
		})
		closing := on(func(s emu.State) bool { return s.Menu != nil && s.Menu.Cursor > 0 }, func(s *emu.State) { s.Menu = nil })
		playScript(t, "bramble-bedroom", []seen{
			{act: waitABit, look: noMap, want: `.`},
			{act: walksTo(1, 2), want: `refused: map_grid_unavailable; the map is not known here; walk by button presses`},
			{act: waitABit, look: noExits, want: `.`},
			{act: walksTo(1, 2), want: `refused: map_grid_unavailable; the map is not known here`},
			{act: waitABit, look: asks, want: `reads: How many\?`},
			{act: readOn, want: `A changes nothing here: How many\?; something is asked that is not listed; look at the picture and use buttons`},
			{act: waitABit, look: held, want: `.`},
			{act: readOn, want: `the game still holds the controls and shows no text; wait, then look again`},
			{act: waitABit, look: clear, want: `.`},
			{act: chooses("bag"), want: `refused: menu_not_open; open a menu first; START opens the game's own`},
			{act: does(emu.Press(emu.ButtonStart, 4)), want: `opened start-menu`},
			{act: waitABit, look: longBag, want: `went from start-menu to bag-items`},
			{act: chooses("item-20"), want: `refused: menu_window_scrolled; move the cursor up or down until the entry is listed — it lists item-0`},
			{act: waitABit, look: closing, want: `went from bag-items to start-menu`},
			{act: chooses("exit"), want: `did not choose .+: start-menu closed; look what is open now`},
		})
	})
	t.Run("at the keyboard", func(t *testing.T) {
		deaf := on(atTheKeyboard, func(s *emu.State) { s.Naming.Text, s.Naming.Page, s.Naming.Column, s.Naming.Row = "", "upper", 0, 0 })
		gone := on(func(s emu.State) bool { return s.Naming != nil && s.Naming.Text == "Ro" }, func(s *emu.State) { s.Naming, s.Menu = nil, nil })
		playScript(t, "bramble-title", []seen{
			{act: pressA, want: `opened naming-screen`, upTo: 60},
			{act: waitABit, look: deaf, want: `.`},
			{act: typeName, want: `the screen did not take the keys; it reads ""; look at the picture and use buttons`},
			{act: waitABit, look: gone, want: `.`},
			{act: typeName, want: `the naming screen closed at "R"`},
		})
	})
	t.Run("in the lane", func(t *testing.T) {
		nobody := on(inTheField, func(s *emu.State) { s.Overworld.Occupants = []emu.Occupant{} })
		playScript(t, "bramble-before-rival", []seen{
			{act: walksTo(12, 16), want: `arrived at`},
			{act: waitABit, look: nobody, want: `.`},
			{act: walksTo(15, 16), want: `walked 1 step and stopped at \(20,23\): somebody or something is in the way on \(21,23\); the next walk_to goes around it where it can`},
			{act: walksTo(14, 16), want: `walked 0 steps and stopped|arrived`},
		})
	})
}
