package play_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/playtest"
)

// seen is a turn on the cartridge and what must be told of it: the beginning
// of the effect as the mind reads it. With up to more than 1 the action is
// taken again until that is told.
type seen struct {
	act  func(s emu.State) emu.Action
	want string
	upTo int
}

func does(a emu.Action) func(emu.State) emu.Action { return func(emu.State) emu.Action { return a } }

func chooses(id string) func(emu.State) emu.Action {
	return does(emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: id})
}

// choosesNo takes the entry of that number of whatever menu is open.
func choosesNo(n int) func(emu.State) emu.Action {
	return func(s emu.State) emu.Action {
		if s.Menu == nil || len(s.Menu.Entries) <= n {
			return emu.Advance(8)
		}
		return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: s.Menu.Entries[n].ID}
	}
}

// script plays turns one by one and holds what is told of each.
type script struct {
	t     *testing.T
	turns []seen
	at    int
	tries int
	told  []string
}

func (p *script) decide(_ context.Context, v play.View) (play.Decision, error) {
	if v.Turn > 0 {
		p.look(v.History[len(v.History)-1].Effect)
	}
	if p.at >= len(p.turns) {
		return play.Decision{}, spent{}
	}
	p.tries++
	return play.Decision{Monologue: "m", Intent: "go on", Action: p.turns[p.at].act(v.Observed.State)}, nil
}

func (p *script) look(effect string) {
	turn := p.turns[p.at]
	p.told = append(p.told, effect)
	if regexp.MustCompile("^(?:" + turn.want + ")").MatchString(effect) {
		p.at, p.tries = p.at+1, 0
		return
	}
	if p.tries >= turn.upTo {
		p.t.Errorf("turn %d tells %q, not %q; before: %q", p.at, effect, turn.want, p.told[max(0, len(p.told)-5):])
		p.at, p.tries = p.at+1, 0
	}
}

func (p *script) play(fixture string) {
	o := withMind(playtest.Options(p.t, fixture), p.decide)
	o.Unattended = true
	playtest.Play(p.t, o)
	for _, told := range p.told {
		p.t.Logf("%s", told)
	}
}

var (
	pressA   = does(emu.Press(emu.ButtonA, 4))
	pressB   = does(emu.Press(emu.ButtonB, 4))
	readOn   = does(emu.Action{Kind: emu.ActionAdvanceDialog})
	typeName = does(emu.Action{Kind: emu.ActionEnterText, Text: "Robin"})
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
			{act: does(emu.Action{Kind: emu.ActionEnterText, Text: "Robin"}), want: `refused: naming_screen_not_open; enter_text works`},
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
			{act: chooses("moon"), want: `refused: menu_entry_not_found; use an id that the menu lists — it lists pokemon`},
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
			(&script{t: t, turns: slices.Clone(turns)}).play(fixture)
		})
	}
}
