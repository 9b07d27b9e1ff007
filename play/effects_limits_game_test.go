package play_test

import (
	"testing"

	"clankie/emu"
)

// TestEffectsOfLimitsOnTheCartridge shows what is told when the presses or the
// frames of one action run out, on the real machine.
func TestEffectsOfLimitsOnTheCartridge(t *testing.T) {
	t.Run("walking", func(t *testing.T) {
		beside := func(s emu.State) emu.Action { return emu.WalkTo(s.Overworld.Position.X-4, s.Overworld.Position.Y) }
		playScript(t, "bramble-bedroom", []seen{
			{act: beside, within: limits(64, 15), want: `refused: frame_bound_exceeded; too many frames for one action`},
			{act: beside, within: limits(3, 1800), want: `walked 3 steps to \(10,11\), part of the way; the presses for one action are used up; the same walk_to goes on from there`},
			{act: walksTo(6, 4), want: `arrived at \(13,11\)`},
			{act: beside, within: limits(64, 40), want: `walked \d steps? to \(1\d,11\), part of the way; the frames for one action are used up; the same walk_to goes on`},
			{act: besideExit(0), want: `arrived at`},
			{act: takesExit(0), within: limits(64, 44), want: `entered BRIAR HOLLOW`},
			{act: readOn, within: limits(64, 6), want: `the game still holds the controls and shows no text; wait, then look again`},
			{act: readOn, want: `the controls are free again`},
		})
	})
	t.Run("pressing", func(t *testing.T) {
		often, long := emu.Press(emu.ButtonB, 4), emu.Press(emu.ButtonB, emu.MaxHoldFrames)
		often.Repeat, long.Repeat = 3, emu.MaxRepeat
		playScript(t, "bramble-bedroom", []seen{
			{act: does(long), want: `refused: frame_bound_exceeded; too many frames for one action; hold for less or repeat less`},
			{act: does(emu.Advance(emu.MaxFrameAdvance)), want: `refused: frame_bound_exceeded`},
			{act: does(often), within: limits(2, 1800), want: `refused: input_bound_exceeded; too many presses for one action; use a smaller repeat`},
		})
	})
	t.Run("reading and choosing", func(t *testing.T) {
		playScript(t, "bramble-bedroom", []seen{
			{act: walksTo(1, 2), want: `arrived at`},
			{act: does(emu.Press(emu.ButtonUp, 3)), want: `turned|the way north`},
			{act: pressA, want: `reads: A letter`},
			{act: readOn, within: limits(64, 1), want: `read as far as the frames allow: A letter lies.*advance_dialog reads on`},
			{act: readOn, within: limits(1, 1800), want: `read as far as the presses allow: .*advance_dialog reads on`},
			{act: readOn, want: `read to the end: `},
			{act: does(emu.Press(emu.ButtonStart, 4)), want: `opened start-menu`},
			{act: chooses("exit"), within: limits(64, 20), want: `did not choose .+: the frames for one action are used up; the same select_menu_entry goes on from there`},
			{act: chooses("exit"), within: limits(2, 1800), want: `did not choose .+: the presses for one action are used up; the same select_menu_entry goes on from there`},
			{act: chooses("exit"), want: `chose .+ of start-menu`},
		})
	})
	t.Run("typing", func(t *testing.T) {
		no := false
		playScript(t, "bramble-title", []seen{
			{act: pressA, want: `opened naming-screen`, upTo: 60},
			{act: chooses("typed-text"), want: `refused: menu_not_navigable; this menu is no list — enter_text types on it`},
			{act: types("Clankies"), want: `refused: enter_text_unsupported_character; .+ is one character too many for this screen — it takes at most 7`},
			{act: typeName, within: limits(8, 1800), want: `partially typed: "R?o?b?"; the presses for one action are used up; the same enter_text types on from there`},
			{act: typeName, within: limits(64, 60), want: `partially typed: "R?o?b?i?"; the frames for one action are used up; the same enter_text types on from there`},
			{act: does(emu.Action{Kind: emu.ActionEnterText, Text: "Robin", Submit: &no}), want: `typed "Robin" without confirming it; enter_text with submit confirms it`},
			{act: typeName, want: `named "Robin"`},
		})
	})
}
