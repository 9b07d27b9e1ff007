package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// partyInput is what the party pane shows.
type partyInput struct {
	party *emu.Party
	why   string
}

func partyOf(s *emu.State) partyInput {
	return partyInput{s.Party, absence(s, "party", "no party yet")}
}

func (p *palette) partyPane(in partyInput, r rect) []string {
	note := ""
	if in.party != nil {
		note = p.muted.Render(fmt.Sprintf("%d of 6", len(in.party.Members)))
	}
	return p.framed(r, "Party", note, func(w, h int) []string {
		switch {
		case in.party == nil:
			return p.absent(in.why, w)
		case len(in.party.Members) == 0:
			return p.absent("nobody is in the party", w)
		}
		return p.partyRows(in.party, w, h)
	})
}

// partyRows gives every member the same number of rows, as many as fit.
func (p *palette) partyRows(party *emu.Party, w, h int) []string {
	n := len(party.Members)
	each := min(max(h/n, 1), 5)
	var rows []string
	for i, c := range party.Members {
		card := p.card(c, w, each, i == party.ActiveSlot)
		rows = append(rows, card...)
		if len(card) < each && each >= 3 {
			rows = append(rows, "")
		}
	}
	if len(rows) > h && h > 0 {
		rows = append(rows[:h-1], p.muted.Render(cut("… more than fit here", w)))
	}
	return rows
}

// card draws one member in at most n rows.
func (p *palette) card(c emu.Creature, w, n int, active bool) []string {
	mark := "  "
	if active {
		mark = p.accent.Render("▸ ")
	}
	if w < narrow {
		mark = ""
	}
	if c.Egg || c.BadEgg {
		return []string{mark + p.muted.Render(cut(eggName(c, w-width(mark)), w))}
	}
	if w < narrow {
		return p.narrowCard(clean(c.Nickname), c.Level, c.HP, c.MaxHP, c.Ailment, w, n)
	}
	rows := []string{mark + p.headline(clean(c.Nickname), c.Level, c.HP, c.MaxHP, w-width(mark))}
	if n >= 2 {
		rows = append(rows, blanks(width(mark))+p.traits(c.Types, c.Ailment, c.HP == 0, w-width(mark)))
	}
	if n >= 3 {
		rows = append(rows, p.moves(c.Moves, width(mark), w, n-2)...)
	}
	return rows
}

// narrow is the width below which a card has no room for a bar beside a name.
const narrow = 24

// narrowCard is a card for the side of a small window.
func (p *palette) narrowCard(name string, level, hp, maxHP int, ailment string, w, n int) []string {
	if n < 2 {
		return []string{spread(p.text.Bold(true).Render(name), p.healthInk(hp, maxHP).Render(fmt.Sprintf("%d/%d", hp, maxHP)), w)}
	}
	tail := p.muted.Render(fmt.Sprintf("Lv%d", level))
	switch {
	case hp == 0:
		tail = p.bad.Render("fainted")
	case ailment != "":
		tail = p.warn.Render(clean(ailment)) + " " + tail
	}
	return []string{spread(p.text.Bold(true).Render(name), tail, w), p.hp(hp, maxHP, w)}
}

// eggName is an egg in w cells.
func eggName(c emu.Creature, w int) string {
	if why := " (its record is broken)"; c.BadEgg && w > len(why)+7 {
		return memberName(&c) + why
	}
	return memberName(&c)
}

// headline is name, level, bar and numbers in w cells.
func (p *palette) headline(name string, level, hp, maxHP, w int) string {
	lv := fmt.Sprintf("%3d", level)
	if w >= 30 {
		lv = fmt.Sprintf("Lv%3d", level)
	}
	nameW := min(max(w/3, 6), 10)
	bar := w - nameW - len(lv) - 2
	return p.text.Bold(true).Render(fit(name, nameW)) + " " + p.muted.Render(lv) + " " + p.hp(hp, maxHP, bar)
}

// traits are types and ailment.
func (p *palette) traits(types []string, ailment string, fainted bool, w int) string {
	var parts []string
	for i, t := range types {
		t = clean(t)
		if i > 0 && t == clean(types[i-1]) {
			continue
		}
		parts = append(parts, p.typeInk(strings.ToLower(t)).Render(t))
	}
	if len(parts) == 0 {
		parts = append(parts, p.muted.Render("types not read"))
	}
	line := strings.Join(parts, p.muted.Render(" / "))
	switch {
	case fainted:
		line += p.bad.Render("  fainted")
	case ailment != "":
		line += p.warn.Render("  " + clean(ailment))
	}
	return cut(line, w)
}

// moves lists moves with their points in two columns, in at most n rows.
func (p *palette) moves(moves []emu.MoveSlot, indent, w, n int) []string {
	var cells []string
	col := (w - indent - 2) / 2
	if col < 14 {
		col = w - indent
	}
	for _, m := range moves {
		if m.ID == 0 && m.MoveID == "" {
			continue
		}
		cells = append(cells, p.moveCell(m, col, false))
	}
	return columns(cells, indent, col, w, n)
}

// points are a move's PP, and how many it can have where that is known.
func points(m emu.MoveSlot) string {
	if m.MaxPP == 0 {
		return fmt.Sprint(m.PP)
	}
	return fmt.Sprintf("%d/%d", m.PP, m.MaxPP)
}

func (p *palette) moveCell(m emu.MoveSlot, w int, chosen bool) string {
	name := clean(m.Name)
	if name == "" {
		name = clean(m.MoveID)
	}
	pp := points(m)
	ink := p.muted
	if m.PP == 0 {
		ink = p.bad
	}
	if chosen {
		return p.chosen.Render(spread(name, pp, w))
	}
	return spread(p.text.Render(cut(name, w-len(pp)-1)), ink.Render(pp), w)
}

// columns lays cells of col columns side by side.
func columns(cells []string, indent, col, w, n int) []string {
	per := 1
	if 2*col+2 <= w-indent {
		per = 2
	}
	var rows []string
	for i := 0; i < len(cells) && len(rows) < n; i += per {
		line := blanks(indent) + fit(cells[i], col)
		if per == 2 && i+1 < len(cells) {
			line += "  " + cells[i+1]
		}
		rows = append(rows, line)
	}
	return rows
}
