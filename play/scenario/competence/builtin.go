package competence

import (
	"context"

	"clankie/emu"
	"clankie/play"
)

// Builtin is a mind that decides by nothing but what it sees: it shows that
// the benchmark can be passed. It walks to a target, faces whoever is there,
// reads, says yes, and fights with the strongest move.
type Builtin struct {
	Target emu.Position
	Facing emu.Direction // of whoever is talked to; "" where nobody is
}

// Name implements [play.Mind].
func (Builtin) Name() string { return "competence-builtin" }

// Decide implements [play.Mind].
func (b Builtin) Decide(_ context.Context, v play.View) (play.Decision, error) {
	intent, a := b.choose(v.Observed.State)
	return play.Decision{Monologue: intent + ".", Intent: intent, Action: a}, nil
}

func (b Builtin) choose(s emu.State) (intent string, a emu.Action) {
	read := emu.Action{Kind: emu.ActionAdvanceDialog}
	switch {
	case s.Scene.Mode == emu.ModeBattleWon:
		return "wait a moment after the victory", emu.Advance(1)
	case s.Menu != nil:
		return b.chooseEntry(s)
	case s.Battle != nil, s.Dialog != nil, !s.Scene.InputReady:
		return "read the dialog on", read
	case s.Overworld == nil:
		return "wait until something can be seen", emu.Advance(16)
	case s.Overworld.Position != b.Target:
		return "walk to the target", emu.WalkTo(b.Target.X, b.Target.Y)
	case b.Facing != "" && s.Overworld.Facing != b.Facing:
		return "turn to face them", emu.Press(b.Facing.Button(), 3)
	}
	return "talk to whoever is here", emu.Press(emu.ButtonA, 16)
}

// chooseEntry chooses in an open menu.
func (b Builtin) chooseEntry(s emu.State) (intent string, a emu.Action) {
	entry := func(id string) emu.Action { return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: id} }
	switch s.Menu.ID {
	case "battle-action-menu":
		return "choose to fight", entry("fight")
	case "battle-move-menu":
		best := emu.LegalMove{Power: -1}
		for _, m := range s.Battle.LegalMoves {
			if m.Power > best.Power {
				best = m
			}
		}
		return "attack with the strongest move", entry(best.MoveID)
	case "yes-no":
		return "answer yes", entry("yes")
	}
	return "close the menu", emu.Press(emu.ButtonB, 8)
}
