package body

import (
	"fmt"

	"clankie/emu"
)

// Values of the game's battle outcome that end a battle for the mode. Others
// (fled, caught, drawn) leave the mode at battle until it leaves the screen.
const (
	outcomeWon     = 1
	outcomeLost    = 2
	outcomeForfeit = 9
)

// battles numbers battles, counts their turns, and keeps one that was won or
// lost in view until the next press, so that whoever looks only between
// actions learns how it ended. It is a plain value: a copy can be asked what
// would be without anything being so.
type battles struct {
	prefix string
	seq    int
	on     bool
	turn   int
	hp     [4]int
	ended  int // outcome of the battle that is on, or 0
	kept   *emu.Battle
}

// note takes in the decoded state of one frame.
func (t *battles) note(s emu.State) {
	b := s.Battle
	if b == nil {
		// A torn frame without a battle does not say that it is over.
		t.on = t.on && s.Torn
		return
	}
	hp := hitPoints(b)
	switch {
	case !t.on || t.ended != 0 && b.Outcome == 0:
		t.seq++
		t.on, t.turn = true, 1
	case hp != t.hp:
		t.turn++
	}
	t.hp, t.ended, t.kept = hp, b.Outcome, nil
	if terminalMode(b.Outcome) != "" {
		t.kept = t.named(b)
	}
}

// press forgets the battle that is only kept in view.
func (t *battles) press() { t.kept = nil }

// forget drops everything but the numbering: a battle after a load is
// another one than the battle before it.
func (t *battles) forget() { *t = battles{prefix: t.prefix, seq: t.seq} }

// shown returns s with the battle's number, turn and mode in it. It does not
// change t.
func (t battles) shown(s emu.State) emu.State {
	t.note(s)
	switch {
	case s.Battle != nil:
		s.Battle = t.named(s.Battle)
		s.Scene.Mode = emu.ModeBattle
	case t.kept != nil:
		s.Battle = t.kept
	default:
		return s
	}
	if mode := terminalMode(s.Battle.Outcome); mode != "" {
		s.Scene.Mode = mode
	}
	return s
}

func (t *battles) named(b *emu.Battle) *emu.Battle {
	named := *b
	named.ID = fmt.Sprintf("%s-%d", t.prefix, t.seq)
	named.Turn = t.turn
	return &named
}

func hitPoints(b *emu.Battle) (hp [4]int) {
	for _, x := range b.Battlers {
		if x.Index >= 0 && x.Index < len(hp) {
			hp[x.Index] = x.HP
		}
	}
	return hp
}

func terminalMode(outcome int) emu.Mode {
	switch outcome {
	case outcomeWon:
		return emu.ModeBattleWon
	case outcomeLost, outcomeForfeit:
		return emu.ModeBattleLost
	}
	return ""
}
