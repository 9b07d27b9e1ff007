package tui

import (
	"strings"

	"clankie/emu"
)

// battleInput is what the battle pane shows.
type battleInput struct {
	battle *emu.Battle
	mode   emu.Mode
	menu   *emu.Menu // of actions, or nil
	why    string
}

// inBattle reports whether the battle pane takes the field's place: also when
// the battle could not be read, which the pane then says.
func inBattle(s *emu.State) bool {
	switch s.Scene.Mode {
	case emu.ModeBattle, emu.ModeBattleWon, emu.ModeBattleLost:
		return true
	}
	return s.Battle != nil
}

func battleOf(s *emu.State) battleInput {
	in := battleInput{battle: s.Battle, mode: s.Scene.Mode, why: absence(s, "battle", "the battle was not read")}
	if s.Battle != nil && s.Battle.Prompt == emu.PromptAction && s.Scene.Screen == "battle" {
		in.menu = s.Menu
	}
	return in
}

func (p *palette) battlePane(in battleInput, r rect) []string {
	name := "Battle"
	if in.battle != nil && in.battle.Kind != "" {
		name += " · " + clean(in.battle.Kind)
	}
	return p.framed(r, name, p.promptNote(in), func(w, h int) []string {
		if in.battle == nil {
			return p.absent(in.why, w)
		}
		return p.battleRows(in.battle, in.menu, w, h)
	})
}

// promptNote says in words what the battle waits for.
func (p *palette) promptNote(in battleInput) string {
	switch {
	case in.battle == nil:
		return ""
	case in.mode == emu.ModeBattleWon:
		return p.good.Render("won")
	case in.mode == emu.ModeBattleLost:
		return p.bad.Render("lost")
	case in.battle.Outcome != 0:
		return p.muted.Render("over")
	}
	switch in.battle.Prompt {
	case emu.PromptAction:
		return p.accent.Render("choose an action")
	case emu.PromptMove:
		return p.accent.Render("choose a move")
	case emu.PromptTarget:
		return p.accent.Render("choose a target")
	}
	return p.muted.Render("resolving")
}

func (p *palette) battleRows(b *emu.Battle, menu *emu.Menu, w, h int) []string {
	perBattler := 2
	if h < 2*len(b.Battlers)+2 {
		perBattler = 1
	}
	var rows []string
	for _, side := range []string{sideOpponent, sidePlayer} {
		for i := range b.Battlers {
			if b.Battlers[i].Side == side {
				rows = append(rows, p.battler(&b.Battlers[i], w, perBattler)...)
			}
		}
		if side == sideOpponent && h >= 8 {
			rows = append(rows, "")
		}
	}
	if len(rows) < h && len(b.Text) > 0 {
		for _, line := range wrap(clean(strings.Join(b.Text, " ")), w) {
			rows = append(rows, p.text.Render(line))
		}
	}
	if row := p.actionRow(b, menu, w); row != "" {
		rows = append(rows, row)
	}
	if own := b.Asked(); own != nil {
		rows = append(rows, p.choices(b, own, w, h-len(rows))...)
		if row := p.chosenEffect(b, own); row != "" && len(rows) < h {
			rows = append(rows, cut(row, w))
		}
	}
	return rows
}

// chosenEffect is what the type of the move under the cursor does to each
// opponent, while a move is asked for.
func (p *palette) chosenEffect(b *emu.Battle, own *emu.Battler) string {
	at := b.MoveCursor
	if b.Prompt != emu.PromptMove || at < 0 || at >= len(own.Moves) || own.Moves[at].Power == 0 {
		return ""
	}
	var parts []string
	for i := range own.Matchups {
		if m := &own.Matchups[i]; at < len(m.Moves) {
			parts = append(parts, p.effect(own.Moves[at], m.Moves[at])+p.muted.Render(" on "+nameOf(b, m.Target)))
		}
	}
	return strings.Join(parts, p.faint.Render(" · "))
}

func (p *palette) battler(b *emu.Battler, w, n int) []string {
	name := battlerName(b)
	if w < narrow {
		return p.narrowCard(name, b.Level, b.HP, b.MaxHP, b.Ailment, w, n)
	}
	rows := []string{p.sideMark(b) + p.headline(name, b.Level, b.HP, b.MaxHP, w-2)}
	if n >= 2 {
		line := p.traits(b.Types, b.Ailment, b.HP == 0, w-2)
		if changed := stages(b.StatStages, stageCodes, " "); changed != "" {
			line = cut(line+p.accent.Render("  "+changed), w-2)
		}
		if b.Transformed {
			line = cut(line+p.muted.Render("  really "+origin(b)), w-2)
		}
		rows = append(rows, "  "+line)
	}
	return rows
}

// actionRow is the menu of actions with what the cursor is on, while one is
// asked for: in the Safari Zone there are others.
func (p *palette) actionRow(b *emu.Battle, menu *emu.Menu, w int) string {
	if menu == nil || b.Prompt != emu.PromptAction || b.Outcome != 0 {
		return ""
	}
	var parts []string
	for i, e := range menu.Entries {
		if name := clean(e.Label); i == menu.Cursor {
			parts = append(parts, p.chosen.Render("▸"+name+" "))
		} else {
			parts = append(parts, p.muted.Render(" "+name+" "))
		}
	}
	return cut(strings.Join(parts, ""), w)
}

// choices shows the moves with what the cursor is on.
func (p *palette) choices(b *emu.Battle, own *emu.Battler, w, n int) []string {
	if n <= 0 {
		return nil
	}
	col := (w - 2) / 2
	if col < 14 {
		col = w
	}
	var cells []string
	for i, m := range own.Moves {
		if m.ID == 0 && m.MoveID == "" {
			cells = append(cells, p.faint.Render("–"))
			continue
		}
		cells = append(cells, p.moveCell(m, col, b.Prompt == emu.PromptMove && i == b.MoveCursor))
	}
	return columns(cells, 0, col, w, n)
}
