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
	menuParty        = "party-menu"
	menuYesNo        = "yes-no"
	menuMain         = "main-menu"
)

const (
	actionFight = 0 // places in the battle's 2×2 action menu
	actionRun   = 3
)

// fleeBelow is the share of HP below which a wild battle is not worth it.
const fleeBelow = 0.25

func (p *Autopilot) fight(v play.View) (thought, emu.Action) {
	s := v.Observed.State
	if s.Menu == nil || (s.Menu.ID != menuBattleAction && s.Menu.ID != menuBattleMove) {
		if s.Menu != nil {
			return p.menu(v)
		}
		return thought{thinks: battleText(s.Battle), means: "press A to let the battle run"}, emu.Press(emu.ButtonA, 8)
	}
	if s.Menu.ID == menuBattleAction {
		return p.chooseBattleAction(s)
	}
	return p.chooseMove(s)
}

func battleText(b *emu.Battle) string {
	if text := strings.Join(b.Text, " "); text != "" {
		return "It says: " + emu.Clean(text)
	}
	return "The turn plays out."
}

func (p *Autopilot) chooseBattleAction(s emu.State) (thought, emu.Action) {
	want, why := actionFight, "I fight."
	if own := s.Battle.Own(); own != nil && s.Battle.Kind == "wild" && float64(own.HP) < fleeBelow*float64(own.MaxHP) {
		want, why = actionRun, fmt.Sprintf("%s has %d of %d HP. Not worth it.", emu.Clean(own.Nickname), own.HP, own.MaxHP)
	}
	label := "fight"
	if want == actionRun {
		label = "run"
	}
	if b, ok := gridStep(s.Menu.Cursor, want); ok {
		return thought{thinks: why, means: "move the cursor to " + label}, emu.Press(b, 4)
	}
	return thought{thinks: why, means: "choose " + label}, emu.Press(emu.ButtonA, 4)
}

func (p *Autopilot) chooseMove(s emu.State) (thought, emu.Action) {
	best, ok := strongest(s.Battle.LegalMoves)
	if !ok {
		return thought{thinks: "No move has PP left.", means: "choose any move"}, emu.Press(emu.ButtonA, 4)
	}
	name := moveName(s.Battle, best)
	why := fmt.Sprintf("%s does the most here.", name)
	if b, step := gridStep(s.Menu.Cursor, best.Slot); step {
		return thought{thinks: why, means: "move the cursor to " + name}, emu.Press(b, 4)
	}
	return thought{thinks: why, means: "use " + name}, emu.Press(emu.ButtonA, 4)
}

func moveName(b *emu.Battle, m emu.LegalMove) string {
	if own := b.Own(); own != nil && m.Slot < len(own.Moves) && own.Moves[m.Slot].Name != "" {
		return emu.Clean(own.Moves[m.Slot].Name)
	}
	return m.MoveID
}

// strongest is the move with the most expected damage; the first wins a tie.
func strongest(moves []emu.LegalMove) (best emu.LegalMove, ok bool) {
	top := -1.0
	for _, m := range moves {
		if worth := worthOf(m); worth > top {
			best, top, ok = m, worth, true
		}
	}
	return best, ok
}

func worthOf(m emu.LegalMove) float64 {
	worth := float64(m.Power) * m.Effectiveness
	if m.STAB {
		worth *= 1.5
	}
	if m.Accuracy > 0 {
		worth *= float64(m.Accuracy) / 100
	}
	return worth
}

// gridStep is the press that brings a 2×2 cursor closer: left and right flip
// bit 0, up and down bit 1. ok is false when it is there already.
func gridStep(cursor, want int) (b emu.Button, ok bool) {
	switch {
	case cursor&1 != want&1:
		if want&1 == 1 {
			return emu.ButtonRight, true
		}
		return emu.ButtonLeft, true
	case cursor&2 != want&2:
		if want&2 == 2 {
			return emu.ButtonDown, true
		}
		return emu.ButtonUp, true
	}
	return "", false
}

// menu deals with a menu outside the two battle prompts.
func (p *Autopilot) menu(v play.View) (thought, emu.Action) {
	s := v.Observed.State
	switch {
	case s.Menu.ID == menuYesNo:
		return p.sayYes(s.Menu)
	case s.Menu.ID == menuMain:
		return thought{thinks: "The game waits to begin.", means: "press A to begin"}, emu.Press(emu.ButtonA, 4)
	case s.Menu.ID == menuParty && s.Battle != nil:
		return p.sendOut(s)
	}
	return thought{thinks: "A menu is open that I do not need.", means: "press B to close " + s.Menu.ID}, emu.Press(emu.ButtonB, 4)
}

func (p *Autopilot) sayYes(m *emu.Menu) (thought, emu.Action) {
	if m.Cursor != 0 {
		return thought{thinks: "Yes is the answer that leads on.", means: "move the cursor to yes"}, emu.Press(emu.ButtonUp, 4)
	}
	return thought{thinks: "Yes is the answer that leads on.", means: "answer yes"}, emu.Press(emu.ButtonA, 4)
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
	if s.Menu.Cursor != want {
		return thought{thinks: "Another one must come out.", means: "move down the party"}, emu.Press(emu.ButtonDown, 4)
	}
	return thought{thinks: "This one can fight.", means: "send it out"}, emu.Press(emu.ButtonA, 4)
}
