package mind

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// Ids of the menus a battle shows, as observations name them.
const (
	menuBattleAction = "battle-action-menu"
	menuBattleMove   = "battle-move-menu"
	menuBattleTarget = "battle-target"
	menuParty        = "party-menu"
	menuYesNo        = "yes-no"
	menuMain         = "main-menu"
)

// fleeBelow is the share of HP below which a wild battle is not worth it.
const fleeBelow = 0.25

func (p *Autopilot) fight(v play.View) (thought, emu.Action) {
	s := v.Observed.State
	switch {
	case s.Menu == nil:
		return thought{thinks: battleText(s.Battle), means: "read on in the battle"}, emu.Action{Kind: emu.ActionAdvanceDialog}
	case s.Menu.ID == menuBattleAction:
		return p.chooseBattleAction(s)
	case s.Menu.ID == menuBattleMove:
		return p.chooseMove(s)
	case s.Menu.ID == menuBattleTarget:
		return p.chooseTarget(s)
	}
	return p.menu(v)
}

func battleText(b *emu.Battle) string {
	if text := strings.Join(b.Text, " "); text != "" {
		return "It says: " + emu.Clean(text)
	}
	return "The turn plays out."
}

func (p *Autopilot) chooseBattleAction(s emu.State) (thought, emu.Action) {
	if own := s.Battle.Own(); own != nil && s.Battle.Kind == "wild" && float64(own.HP) < fleeBelow*float64(own.MaxHP) {
		why := fmt.Sprintf("%s has %d of %d HP. Not worth it.", emu.Clean(own.Nickname), own.HP, own.MaxHP)
		return thought{thinks: why, means: "choose run"}, choose("run")
	}
	return thought{thinks: "I fight.", means: "choose fight"}, choose("fight")
}

func choose(id string) emu.Action { return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: id} }

func (p *Autopilot) chooseMove(s emu.State) (thought, emu.Action) {
	best, ok := strongest(s.Battle)
	if !ok || best.Slot >= len(s.Menu.Entries) {
		return thought{thinks: "No move has PP left.", means: "press A on any move"}, emu.Press(emu.ButtonA, 4)
	}
	name := moveName(s.Battle, best)
	return thought{thinks: name + " does the most here.", means: "use " + name}, choose(s.Menu.Entries[best.Slot].ID)
}

func moveName(b *emu.Battle, m emu.LegalMove) string {
	if own := b.Asked(); own != nil && m.Slot < len(own.Moves) && own.Moves[m.Slot].Name != "" {
		return emu.Clean(own.Moves[m.Slot].Name)
	}
	return m.MoveID
}

// chooseTarget aims at the opponent that still stands and on which the move
// does the most.
func (p *Autopilot) chooseTarget(s emu.State) (thought, emu.Action) {
	own, slot := s.Battle.Asked(), s.Battle.MoveCursor
	var target *emu.Battler
	top := -1.0
	for i := range s.Battle.Battlers {
		b := &s.Battle.Battlers[i]
		if b.Side != "opponent" || b.HP == 0 {
			continue
		}
		if effect := effectOn(own, slot, b.Index); effect > top {
			target, top = b, effect
		}
	}
	if target == nil {
		return thought{thinks: "Nobody there still stands.", means: "press A on whoever it is"}, emu.Press(emu.ButtonA, 4)
	}
	name := emu.Clean(target.Nickname)
	return thought{thinks: fmt.Sprintf("On %s it does the most.", name), means: "aim at " + name}, choose(fmt.Sprintf("battler-%d", target.Index))
}

// effectOn is the type effectiveness of a move on one opponent; 1 where it is
// not known.
func effectOn(own *emu.Battler, slot, target int) float64 {
	if own == nil || slot < 0 || slot >= 4 {
		return 1
	}
	for _, m := range own.Matchups {
		if m.Target == target {
			return m.Moves[slot]
		}
	}
	return 1
}

// strongest is the move with the most expected damage; the first wins a tie.
func strongest(b *emu.Battle) (best emu.LegalMove, ok bool) {
	top := -1.0
	for _, m := range b.LegalMoves {
		if worth := worthOf(b, m); worth > top {
			best, top, ok = m, worth, true
		}
	}
	return best, ok
}

// worthOf is what a move does to the opponent that it does the most to.
func worthOf(b *emu.Battle, m emu.LegalMove) float64 {
	effect, known := 0.0, false
	for i := range b.Battlers {
		if o := &b.Battlers[i]; o.Side == "opponent" && o.HP > 0 {
			effect, known = max(effect, effectOn(b.Asked(), m.Slot, o.Index)), true
		}
	}
	if !known {
		effect = m.Effectiveness
	}
	worth := float64(m.Power) * effect
	if m.STAB {
		worth *= 1.5
	}
	if m.Accuracy > 0 {
		worth *= float64(m.Accuracy) / 100
	}
	return worth
}

// menu deals with a menu outside the two battle prompts.
func (p *Autopilot) menu(v play.View) (thought, emu.Action) {
	s := v.Observed.State
	switch {
	case s.Menu.ID == menuYesNo:
		return thought{thinks: "Yes is the answer that leads on.", means: "answer yes"}, choose("yes")
	case s.Menu.ID == menuMain:
		return thought{thinks: "The game waits to begin.", means: "press A to begin"}, emu.Press(emu.ButtonA, 4)
	case s.Menu.ID == menuParty && s.Battle != nil:
		return p.sendOut(s)
	}
	return thought{thinks: "A menu is open that I do not need.", means: "press B to close " + s.Menu.ID}, emu.Press(emu.ButtonB, 4)
}

// sendOut picks the first creature that can fight.
func (p *Autopilot) sendOut(s emu.State) (thought, emu.Action) {
	want := 0
	if s.Party != nil {
		for _, c := range s.Party.Members {
			if c.HP > 0 && !c.Egg && !c.BadEgg && c.Slot != s.Battle.ActivePartySlot {
				want = c.Slot
				break
			}
		}
	}
	return thought{thinks: "Another one must come out.", means: "choose the next who can fight"}, choose(fmt.Sprintf("party-slot-%d", want))
}
