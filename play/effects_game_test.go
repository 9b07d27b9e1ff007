package play_test

import (
	"strings"
	"testing"

	"clankie/emu"
)

// walksTo is a walk to a tile of the map as it is drawn, without its border.
func walksTo(x, y int) func(emu.State) emu.Action {
	return does(emu.WalkTo(x+emu.MapBorder, y+emu.MapBorder))
}

// takesExit walks to a warp.
func takesExit(n int) func(emu.State) emu.Action {
	return func(s emu.State) emu.Action {
		w := s.Overworld.Exits.Warps[n]
		return emu.WalkTo(w.X, w.Y)
	}
}

// walksSouth leaves the map over its lower edge.
func walksSouth(s emu.State) emu.Action {
	return emu.WalkTo(10+emu.MapBorder, emu.MapBorder+s.Overworld.Grid.Height)
}

// walksAbout goes from tile to tile, never twice at the same moment; where
// that led into a battle it begins again.
func walksAbout(tiles ...emu.Point) func(emu.State) emu.Action {
	n := 0
	return func(s emu.State) emu.Action {
		if n++; s.Battle != nil || s.Overworld == nil || !s.Overworld.InputReady {
			return emu.Action{Kind: emu.ActionRestartGame}
		}
		if n%5 == 0 {
			return emu.Advance(7 + n)
		}
		to := tiles[n%len(tiles)]
		return emu.WalkTo(to.X+emu.MapBorder, to.Y+emu.MapBorder)
	}
}

// walksAfter walks to the people of the map by turns, to a tile beside each.
func walksAfter() func(emu.State) emu.Action {
	n := 0
	return func(s emu.State) emu.Action {
		n++
		who := s.Overworld.Occupants[n%len(s.Overworld.Occupants)]
		dx, dy := emu.Directions[n/3%4].Delta()
		return emu.WalkTo(who.X+dx, who.Y+dy)
	}
}

// besideExit walks to the tile below a warp.
func besideExit(n int) func(emu.State) emu.Action {
	return func(s emu.State) emu.Action {
		w := s.Overworld.Exits.Warps[n]
		return emu.WalkTo(w.X, w.Y+1)
	}
}

// TestEffectsOnTheCartridge shows what is told of each kind of turn, on the
// real machine.
func TestEffectsOnTheCartridge(t *testing.T) {
	up, down := emu.ButtonUp, emu.ButtonDown
	for name, turns := range map[string][]seen{
		"bramble-bedroom/in the room": {
			{act: does(emu.Action{Kind: emu.ActionLoadCheckpoint}), want: `there is no save to load yet`},
			{act: typeName, want: `refused: naming_screen_not_open; enter_text works`},
			{act: walksTo(900, 900), want: `refused: walk_target_outside_map; aim at a tile of this map`},
			{act: walksTo(1, 2), want: `arrived at \(8,9\) after \d+ steps`},
			{act: walksTo(1, 2), want: `already there, at \(8,9\)`},
			{act: does(emu.Press(down, 3)), want: `turned south without a step; the same press again walks`},
			{act: pressA, want: `nothing answered; face a person`},
			{act: does(emu.Press(down, 16)), want: `moved 1 tile to \(8,10\)`},
			{act: does(emu.Press(up, 16)), want: `moved|turned`},
			{act: does(emu.Press(up, 16)), want: `the way north is blocked at \(8,9\)|moved`},
			{act: does(emu.Press(up, 16)), want: `the way north is blocked at \(8,9\)`},
			{act: pressA, want: `reads: A letter lies on the desk:`},
			{act: does(emu.Press(emu.ButtonLeft, 4)), want: `the game holds the controls`},
			{act: readOn, want: `read to the end: A letter lies`},
			{act: readOn, want: `refused: dialog_not_open; nothing is there to read`},
			{act: does(emu.Press(emu.ButtonStart, 4)), want: `opened start-menu at `},
			{act: does(emu.Press(down, 8)), want: `moved the cursor of start-menu at `},
			{act: does(emu.Press(emu.ButtonLeft, 8)), want: `nothing changed|only the picture`},
			{act: walksTo(1, 2), want: `refused: walk_requires_overworld; walking needs free controls`},
			{act: chooses("moon"), want: `refused: menu_entry_not_found; use an id that the menu lists — it lists pokedex, pokemon`},
			{act: chooses("bag"), want: `chose .+ of start-menu; bag-items opened`},
			{act: pressB, want: `went from bag-items to start-menu|closed bag-items`},
			{act: pressB, want: `closed start-menu`},
			{act: does(emu.Advance(1)), want: `nothing changed; the picture is the same`},
			{act: does(emu.Action{Kind: emu.ActionSaveCheckpoint, Label: "desk"}), want: `saved as .+-desk-`},
			{act: does(emu.Action{Kind: emu.ActionLoadCheckpoint}), want: `saves, newest first: .+-desk-`},
			{act: does(emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: "nowhere"}), want: `refused: checkpoint_not_found`},
			{act: besideExit(0), want: `arrived at`},
			{act: does(emu.Press(up, 16)), want: `moved 1 tile to`},
			{act: does(emu.Press(emu.ButtonRight, 16)), want: `entered BRIAR HOLLOW`, upTo: 3},
			{act: does(emu.Action{Kind: emu.ActionRestartGame}), want: `went back to the beginning; the present is kept as `},
			{act: takesExit(0), want: `entered `},
			{act: does(emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: thatSave}), want: `went back to .+-desk-.+ \(BRIAR HOLLOW \(8,9\)\); the present is kept as .+-before-rewind-`},
			{act: takesExit(0), want: `entered `},
			{act: walksTo(7, 6), want: `arrived at`},
			{act: does(emu.Press(up, 3)), want: `turned north|the way north`},
			{act: pressA, want: `reads: MOTHER`},
			{act: readOn, want: `read up to a choice: MOTHER: .*select_menu_entry answers it`},
			{act: chooses("no"), want: `chose No of yes-no`},
			{act: readOn, want: `read to the end: All right\.`},
		},
		"bramble-title/until the name": {
			{act: typeName, want: `refused: semantic_state_unavailable; this screen is not decoded`},
			{act: typeName, want: `refused: known_non_retryable:semantic_state_unavailable`},
			{act: pressA, want: `the screen changed; it is not decoded`, upTo: 10},
			{act: pressA, want: `opened naming-screen`, upTo: 60},
			{act: does(emu.Press(emu.ButtonRight, 4)), want: `.`},
			{act: pressA, want: `the name reads "`, upTo: 4},
			{act: typeName, want: `named "Robin"`},
		},
		"bramble-before-rival/with composite actions": {
			{act: walksTo(10, 14), want: `arrived at`},
			{act: does(emu.Press(up, 3)), want: `turned north|the way north`},
			{act: pressA, want: `reads: SORREL`},
			{act: readOn, want: `read up to a choice: `},
			{act: chooses("yes"), want: `chose Yes of yes-no`},
			{act: readOn, want: `a battle began: .*CINDRIL`},
			{act: choosesNo(0), want: `chose .+ of battle-action-menu; battle-move-menu opened`},
			{act: choosesNo(0), want: `chose .+ of battle-move-menu`},
			{act: pressA, want: `.+ has \d+ of \d+ HP`, upTo: 20},
			{act: pressA, want: `opened battle-action-menu`, upTo: 20},
		},
		"bramble-before-rival/with the A button": {
			{act: walksTo(10, 14), want: `arrived at`},
			{act: does(emu.Press(up, 3)), want: `turned north`},
			{act: pressA, want: `reads: SORREL`},
			{act: pressA, want: `a battle began`, upTo: 30},
			{act: pressA, want: `the battle is won`, upTo: 120},
		},
		"bramble-before-rival/in the grass": {
			{
				act:  walksAbout(emu.Point{X: 2, Y: 17}, emu.Point{X: 7, Y: 19}, emu.Point{X: 2, Y: 20}, emu.Point{X: 7, Y: 17}),
				want: `walked \d+ steps? and stopped at \(\d+,\d+\): a battle began`, upTo: 120,
			},
		},
		"bramble-before-rival/among people": {
			{act: walksSouth, want: `entered BRIAR HOLLOW`},
			{act: does(emu.Advance(48)), want: `only the picture changed`, upTo: 20},
			{
				act:  walksAfter(),
				want: `walked \d+ steps? and stopped at .+: somebody or something is in the way on .+; the next walk_to goes around it`, upTo: 60,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			fixture, _, _ := strings.Cut(name, "/")
			playScript(t, fixture, turns)
		})
	}
}

// fights answers whatever a battle and the talk around it ask, with the first
// entry, and reads on.
func fights(s emu.State) emu.Action {
	if s.Menu != nil {
		return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: s.Menu.Entries[0].ID}
	}
	return emu.Action{Kind: emu.ActionAdvanceDialog}
}

// TestEffectsOfTheWholeWayOnTheCartridge goes from the rival to the far gate,
// where the game stops a walk.
func TestEffectsOfTheWholeWayOnTheCartridge(t *testing.T) {
	up := does(emu.Press(emu.ButtonUp, 3))
	playScript(t, "bramble-before-rival", []seen{
		{act: walksTo(10, 12), want: `refused: no_path_to_target; no way leads there from here — .*\(17,21\)`},
		{act: walksTo(10, 13), want: `refused: walk_target_impassable; aim at a tile one can stand on, beside it — `},
		{act: walksTo(10, 14), want: `arrived at`},
		{act: up, want: `turned north|the way north`},
		{act: pressA, want: `reads: SORREL`},
		{act: fights, want: `a battle began: .*CINDRIL`, upTo: 8},
		{act: fights, want: `read up to a choice: .*select_menu_entry answers it`, upTo: 4},
		{act: fights, want: `the battle is over: .*The gap is yours`, upTo: 40},
		{act: walksSouth, want: `entered BRIAR HOLLOW`},
		{act: walksTo(18, 6), want: `entered BRIAR HOLLOW`},
		{act: walksTo(6, 4), want: `arrived at`},
		{act: up, want: `turned north|the way north`},
		{act: pressA, want: `reads: MARJORAM: You won`},
		{act: readOn, want: `read to the end: MARJORAM`, upTo: 3},
		{act: takesExit(0), want: `entered BRIAR HOLLOW`},
		{act: walksTo(12, -1), want: `entered BRAMBLE LANE`},
		{act: walksTo(12, 5), want: `arrived at`},
		{act: up, want: `turned north|the way north`},
		{act: pressA, want: `reads: GATEKEEPER`},
		{act: readOn, want: `read to the end: GATEKEEPER`, upTo: 3},
		{act: walksTo(10, 3), want: `arrived at`},
		{act: walksTo(10, 0), want: `walked 2 steps and stopped at \(17,8\): the game took the controls; someone speaks; advance_dialog reads or waits until they are free`},
		{act: readOn, want: `read to the end: .*far gate`},
	})
}

// fromTheCupboard takes a party of the cupboard's in the bedroom and goes into
// the grass of the lane, until a battle begins.
func fromTheCupboard(entry int) []seen {
	return []seen{
		{act: walksTo(8, 3), want: `arrived at`},
		{act: does(emu.Press(emu.ButtonUp, 3)), want: `turned north|the way north`},
		{act: pressA, want: `reads: Boxes`},
		{act: readOn, want: `read up to a choice`},
		{act: choosesNo(entry), want: `chose .+ of multichoice`},
		{act: readOn, want: `read to the end: `},
		{act: takesExit(0), want: `entered`},
		{act: takesExit(0), want: `entered`},
		{act: walksTo(12, -1), want: `entered BRAMBLE LANE`},
		{act: wadesThrough(emu.Point{X: 5, Y: 27}, emu.Point{X: 6, Y: 27}), want: `.*a battle began`, upTo: 200},
	}
}

// wadesThrough walks to a tile and then to and fro with another one.
func wadesThrough(one, other emu.Point) func(emu.State) emu.Action {
	return func(s emu.State) emu.Action {
		if s.Overworld == nil || !s.Overworld.InputReady {
			return emu.Advance(8)
		}
		at := s.Overworld.Position
		if at.X == one.X+emu.MapBorder && at.Y == one.Y+emu.MapBorder {
			return emu.Press(emu.ButtonRight, 16)
		}
		if at.X == other.X+emu.MapBorder && at.Y == other.Y+emu.MapBorder {
			return emu.Press(emu.ButtonLeft, 16)
		}
		return walksTo(one.X, one.Y)(s)
	}
}

// losesTime fights with a move that does no harm.
func losesTime(s emu.State) emu.Action {
	if s.Menu != nil && s.Battle != nil && s.Battle.Prompt == emu.PromptMove {
		for i, m := range s.Battle.Battlers[0].Moves {
			if m.Power == 0 && m.PP > 0 {
				return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: s.Menu.Entries[i].ID}
			}
		}
	}
	return fights(s)
}

// TestEffectsOfLosingOnTheCartridge looks for a battle with everybody tired,
// and loses it.
func TestEffectsOfLosingOnTheCartridge(t *testing.T) {
	const tired = 6
	for name, how := range map[string]seen{
		"reading":  {act: losesTime, want: `the battle is over: .*no creature left that can fight`, upTo: 60},
		"pressing": {act: pressA, want: `the battle is lost`, upTo: 60},
	} {
		t.Run(name, func(t *testing.T) {
			playScript(t, "bramble-bedroom", append(fromTheCupboard(tired),
				seen{act: losesTime, want: `chose .+ of battle-move-menu`, upTo: 8},
				how,
			))
		})
	}
}

// TestEffectsOfRunningOnTheCartridge sends out one who knows few moves, and
// runs away.
func TestEffectsOfRunningOnTheCartridge(t *testing.T) {
	const nextFive = 2
	playScript(t, "bramble-bedroom", append(fromTheCupboard(nextFive),
		seen{act: readOn, want: `read up to a choice`},
		seen{act: chooses("pokemon"), want: `chose .+ of battle-action-menu; party-menu opened`},
		seen{act: choosesNo(1), want: `chose .+ of party-menu`},
		seen{act: choosesNo(0), want: `chose .+ of party-actions`},
		seen{act: readOn, want: `read up to a choice`},
		seen{act: chooses("fight"), want: `chose .+ of battle-action-menu; battle-move-menu opened`},
		seen{act: chooses("empty-3"), want: `did not choose .+: the cursor does not get there; it may be empty; choose another entry or use buttons`},
		seen{act: pressB, want: `went from battle-move-menu to battle-action-menu`},
		seen{act: chooses("run"), want: `chose Run of battle-action-menu; the battle is over`},
		seen{act: wadesThrough(emu.Point{X: 5, Y: 27}, emu.Point{X: 6, Y: 27}), want: `.*a battle began`, upTo: 200},
		seen{act: readOn, want: `read up to a choice`},
		seen{act: does(emu.Press(emu.ButtonDown, 8)), want: `moved the cursor of battle-action-menu`},
		seen{act: does(emu.Press(emu.ButtonRight, 8)), want: `moved the cursor of battle-action-menu at Run`},
		seen{act: pressA, want: `the battle is over`, upTo: 4},
	))
}
