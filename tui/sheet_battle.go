package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// The sides of a battle.
const (
	sidePlayer   = "player"
	sideOpponent = "opponent"
)

// battleSheet is the battle, battler by battler, the opponents first.
type battleSheet struct{ battleInput }

func battleSheetOf(s seen) sheet {
	in := battleOf(&s.State)
	in.why = absence(&s.State, "battle", "no battle is on")
	return battleSheet{in}
}

// order is the battlers as they are listed.
func (t battleSheet) order() (out []*emu.Battler) {
	if t.battle == nil {
		return nil
	}
	for _, side := range []string{sideOpponent, sidePlayer} {
		for i := range t.battle.Battlers {
			if b := &t.battle.Battlers[i]; b.Side == side {
				out = append(out, b)
			}
		}
	}
	return out
}

func (t battleSheet) names() []string {
	var names []string
	for _, b := range t.order() {
		names = append(names, battlerName(b))
	}
	return names
}

func battlerName(b *emu.Battler) string {
	return or(clean(b.Nickname), or(clean(b.SpeciesName), fmt.Sprintf("number %d", b.Species)))
}

func (t battleSheet) entry(p *palette, i, w int) string {
	b := t.order()[i]
	return p.sideMark(b) + p.summaryLine(battlerName(b), b.Level, b.HP, b.MaxHP, b.Ailment, w-2)
}

// sideMark tells the sides apart without colour.
func (p *palette) sideMark(b *emu.Battler) string {
	if b.Side == sideOpponent {
		return p.bad.Render("▼ ")
	}
	return p.good.Render("▲ ")
}

func (t battleSheet) rows(p *palette, at, w, _ int) []string {
	if t.battle == nil {
		return p.absent(t.why, w)
	}
	b := t.battle
	head := clean(b.Kind) + " battle"
	if b.Turn > 0 {
		head += fmt.Sprintf(", turn %d", b.Turn)
	}
	var rows []string
	if order := t.order(); len(order) > 0 {
		rows = t.fighter(p, order[at], w)
	}
	rows = append(rows, "")
	rows = append(rows, flow([]string{p.text.Render(head), p.promptNote(t.battleInput)}, p.faint.Render(" · "), w)...)
	if row := p.actionRow(b, t.menu, w); row != "" {
		rows = append(rows, row)
	}
	if len(b.Text) > 0 {
		rows = append(rows, wrapped(p.text.Render, clean(strings.Join(b.Text, " ")), w)...)
	}
	return rows
}

// fighter tells everything about one battler.
func (t battleSheet) fighter(p *palette, b *emu.Battler, w int) []string {
	name := battlerName(b)
	if species := clean(b.SpeciesName); species != "" && species != name {
		name += ", " + species
	}
	rows := []string{
		spread(p.sideMark(b)+p.strong.Render(name), p.muted.Render(fmt.Sprintf("Lv %d", b.Level)), w),
		p.hp(b.HP, b.MaxHP, w),
		cut(p.traits(b.Types, b.Ailment, b.HP == 0, w), w),
	}
	f := facts{p: p, w: w, name: 9}
	f.add("owner", fmt.Sprintf("%s, slot %d", owner(t.battle, b), b.Slot+1))
	if b.Transformed {
		f.add("form", "transformed; really "+origin(b))
	}
	f.add("stages", or(stages(b.StatStages, stageNames, ", "), "nothing raised or lowered"))
	rows = append(append(rows, f.rows...), "")
	return append(rows, t.fightingMoves(p, b, w)...)
}

// origin is what a transformed battler is.
func origin(b *emu.Battler) string {
	switch {
	case b.OriginName != "":
		return clean(b.OriginName)
	case b.Origin > 0:
		return fmt.Sprintf("species %d", b.Origin)
	}
	return "something that was not read"
}

// owner is whose a battler is. In a battle of two on each side the first of a
// side stands at 0 or 1, the second at 2 or 3.
func owner(battle *emu.Battle, b *emu.Battler) string {
	second := b.Index >= 2
	if b.Side == sidePlayer {
		switch {
		case battle.Kind == "tutorial":
			return "whoever shows how it is done"
		case battle.Kind == "multi" && second:
			return "your partner"
		}
		return "you"
	}
	switch battle.Kind {
	case "link":
		return "the other player"
	case "two trainers", "multi":
		if second {
			return trainerNamed("the second trainer", battle.SecondTrainerName, battle.SecondTrainerID)
		}
		return trainerNamed("the first trainer", battle.TrainerName, battle.TrainerID)
	}
	if battle.TrainerID != 0 {
		return trainerNamed("the trainer", battle.TrainerName, battle.TrainerID)
	}
	return "wild"
}

// trainerNamed is a trainer by class and name, else by the number where there
// is one.
func trainerNamed(who, name string, id int) string {
	switch {
	case name != "":
		return who + " " + clean(name)
	case id != 0:
		return fmt.Sprintf("%s (%d)", who, id)
	}
	return who
}

// stageNames and stageCodes are in the order of StatStages. That of HP is never
// used.
var (
	stageNames = [8]string{"HP", "Attack ", "Defense ", "Speed ", "Sp. Atk ", "Sp. Def ", "accuracy ", "evasion "}
	stageCodes = [8]string{"HP", "Atk", "Def", "Spe", "SpA", "SpD", "acc", "eva"}
)

// neutralStage is a stat that was neither raised nor lowered.
const neutralStage = 6

// stages words what was raised and lowered, "" for nothing.
func stages(s [8]int, names [8]string, gap string) string {
	var parts []string
	for i, v := range s {
		if v != neutralStage && i > 0 {
			parts = append(parts, fmt.Sprintf("%s%+d", names[i], v-neutralStage))
		}
	}
	return strings.Join(parts, gap)
}

// effectColumn is how wide what a type does to one opponent is.
const effectColumn = 11

// fightingMoves lists a battler's moves with what their type does to each
// opponent: beside them where there is room, else below.
func (t battleSheet) fightingMoves(p *palette, b *emu.Battler, w int) []string {
	n := len(b.Matchups)
	if n == 0 {
		return append(p.moveTable(b.Moves, w), p.muted.Render(cut("type effects not read", w)))
	}
	left := w - n*effectColumn
	if left < 32 {
		return append(append(p.moveTable(b.Moves, w), ""), t.effectRows(p, b, w)...)
	}
	rows := p.moveTable(b.Moves, left)
	columns := make([]string, len(rows))
	for i := range b.Matchups {
		m := &b.Matchups[i]
		columns[0] += "  " + p.accent.Render(fit(nameOf(t.battle, m.Target), effectColumn-2))
		for slot := 1; slot <= min(len(b.Moves), len(m.Moves)); slot++ {
			columns[slot] += "  " + fit(p.effect(b.Moves[slot-1], m.Moves[slot-1]), effectColumn-2)
		}
	}
	return sideBySide(rows, columns, left, "")
}

// effectRows say below the moves what their types do.
func (t battleSheet) effectRows(p *palette, b *emu.Battler, w int) []string {
	var rows []string
	for i := range b.Matchups {
		m := &b.Matchups[i]
		rows = append(rows, p.accent.Render(cut("Against "+nameOf(t.battle, m.Target), w)))
		var cells []string
		for slot, move := range b.Moves {
			if slot < len(m.Moves) && move.ID != 0 {
				cells = append(cells, p.text.Render(or(clean(move.Name), clean(move.MoveID)))+" "+p.effect(move, m.Moves[slot]))
			}
		}
		rows = append(rows, flow(cells, p.faint.Render(" · "), w)...)
	}
	return rows
}

func nameOf(battle *emu.Battle, index int) string {
	for i := range battle.Battlers {
		if b := &battle.Battlers[i]; b.Index == index {
			return battlerName(b)
		}
	}
	return fmt.Sprintf("battler %d", index)
}

// effect is what a move's type does, where that matters.
func (p *palette) effect(m emu.MoveSlot, effect float64) string {
	switch {
	case m.ID == 0:
		return ""
	case m.Power == 0:
		return p.muted.Render("–")
	case effect > 1:
		return p.good.Bold(true).Render(effectWord(effect))
	case effect == 0:
		return p.bad.Render(effectWord(effect))
	case effect < 1:
		return p.warn.Render(effectWord(effect))
	}
	return p.muted.Render(effectWord(effect))
}

// effectWord is a factor as people write it.
func effectWord(effect float64) string {
	switch effect {
	case 0:
		return "no effect"
	case 0.25:
		return "×¼"
	case 0.5:
		return "×½"
	}
	return fmt.Sprintf("×%g", effect)
}
