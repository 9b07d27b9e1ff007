package scenario

import (
	"slices"

	"clankie/emu"
)

// Menus of a battle.
const (
	menuAction = "battle-action-menu"
	menuMoves  = "battle-move-menu"
)

// decideBattle fights with the strongest move there is. ok is false where no
// battle is seen.
func decideBattle(s Sight) (c Choice, ok bool) {
	b := s.Battle
	switch {
	case b == nil:
		return Choice{}, false
	case b.Phase == emu.PhaseWon:
		return halt(ReasonBattleWon), true
	case b.Phase == emu.PhaseLost:
		return halt(ReasonUncertain), true
	case b.Phase == emu.PhaseResolving:
		return press(ReasonResolve, emu.ButtonA), true
	case s.menu(menuAction):
		return decideAction(s.Menu.Cursor), true
	}
	return decideMove(s), true
}

// decideAction brings the cursor of the battle's two by two menu to Fight,
// which is its first entry.
func decideAction(cursor int) Choice {
	switch {
	case cursor&2 != 0:
		return press(ReasonToFight, emu.ButtonUp)
	case cursor != 0:
		return press(ReasonToFight, emu.ButtonLeft)
	}
	return press(ReasonFight, emu.ButtonA)
}

// decideMove brings the cursor to the strongest move. A move that is not in
// the menu's window is told by its place among the legal ones.
func decideMove(s Sight) Choice {
	best := strongest(s.Battle.LegalMoves)
	cursor, target := s.Battle.MoveCursor, best
	visible := s.menu(menuMoves)
	if visible {
		id := s.Battle.LegalMoves[best].MoveID
		cursor = s.Menu.Cursor
		target = slices.IndexFunc(s.Menu.Entries, func(e emu.MenuEntry) bool { return e.ID == id })
	}
	switch {
	case target < 0:
		return halt(ReasonUncertain)
	case cursor == target:
		return press(ReasonBestMove, emu.ButtonA)
	case visible:
		return press(ReasonToBestMove, gridButton(cursor, target))
	case target > cursor:
		return press(ReasonToBestMove, emu.ButtonDown)
	}
	return press(ReasonToBestMove, emu.ButtonUp)
}

// strongest is the index of the first move of the greatest power.
func strongest(moves []emu.BattleMove) int {
	best := 0
	for i, m := range moves {
		if m.Power > moves[best].Power {
			best = i
		}
	}
	return best
}

// gridButton moves a cursor of a two by two menu towards target, vertically
// first.
func gridButton(cursor, target int) emu.Button {
	switch {
	case target&2 > cursor&2:
		return emu.ButtonDown
	case target&2 < cursor&2:
		return emu.ButtonUp
	case target&1 > cursor&1:
		return emu.ButtonRight
	}
	return emu.ButtonLeft
}
