package model

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play"
)

func dialog(p *page, v play.View) {
	d := v.Observed.State.Dialog
	if d == nil || len(d.Lines) == 0 {
		return
	}
	p.line("A text box reads: %s", short(strings.Join(d.Lines, " / "), maxShownText))
}

// menu lists the entries around the cursor with the ids that
// select_menu_entry takes.
func menu(p *page, v play.View) {
	m := v.Observed.State.Menu
	if m == nil {
		return
	}
	p.line("The menu %s is open%s. Entries, as id: label, > at the cursor:", short(m.ID, emu.MaxEntryID), asked(m))
	first := min(max(m.Cursor-maxEntries/2, 0), max(len(m.Entries)-maxEntries, 0))
	last := min(first+maxEntries, len(m.Entries))
	for i := first; i < last; i++ {
		mark := " "
		if i == m.Cursor {
			mark = ">"
		}
		e := m.Entries[i]
		p.line("%s %s: %s", mark, short(e.ID, emu.MaxEntryID), short(e.Label, maxName))
	}
	if hidden := len(m.Entries) - (last - first); hidden > 0 {
		p.line("  (%d more above or below)", hidden)
	}
}

func asked(m *emu.Menu) string {
	if len(m.Prompt) == 0 {
		return ""
	}
	return fmt.Sprintf(" and asks %q", short(strings.Join(m.Prompt, " "), 200))
}

func naming(p *page, v play.View) {
	n := v.Observed.State.Naming
	if n == nil {
		return
	}
	limit := "at most 10"
	if n.Limit > 0 {
		limit = fmt.Sprintf("at most %d", n.Limit)
	}
	p.line("A name is asked for (%s), %s characters; typed so far: %q.", namingSubject(n.Template), limit, short(n.Text, maxName))
}

func namingSubject(template int) string {
	subjects := []string{"your own", "a box's", "that of what you caught", "a nickname", "the rival's"}
	if template < 0 || template >= len(subjects) {
		return "somebody's"
	}
	return subjects[template]
}

func battle(p *page, v play.View) {
	b := v.Observed.State.Battle
	if b == nil {
		return
	}
	p.line("A %s battle; it %s.", either(short(b.Kind, maxName), "wild"), battleAsks(b.Prompt))
	for _, trainer := range []string{b.TrainerName, b.SecondTrainerName} {
		if trainer = short(trainer, maxName); trainer != "" {
			p.line("  against %s", trainer)
		}
	}
	for _, c := range b.Battlers[:min(len(b.Battlers), 4)] {
		p.line("  %s: %s", c.Side, battler(c))
	}
	for _, c := range b.Battlers[:min(len(b.Battlers), 4)] {
		if c.Side == "player" {
			p.line("  moves of %s: %s", name(c.Nickname, c.SpeciesName), moves(c.Moves, b.LegalMoves))
		}
	}
	if len(b.Text) > 0 {
		p.line("  It reads: %s", short(strings.Join(b.Text, " / "), maxShownText))
	}
}

func battleAsks(prompt emu.Prompt) string {
	switch prompt {
	case emu.PromptAction:
		return "asks what to do"
	case emu.PromptMove:
		return "asks for a move"
	case emu.PromptTarget:
		return "asks for a target"
	}
	return "tells what happens"
}

func battler(c emu.Battler) string {
	s := fmt.Sprintf("%s, level %d, HP %d of %d", name(c.Nickname, c.SpeciesName), c.Level, c.HP, c.MaxHP)
	if len(c.Types) > 0 {
		s += ", " + short(strings.Join(c.Types, "/"), maxName)
	}
	if c.Ailment != "" {
		s += ", " + short(c.Ailment, maxName)
	}
	return s
}

// name is a nickname with the species where they differ.
func name(nickname, species string) string {
	nickname, species = short(nickname, maxName), short(species, maxName)
	if nickname == "" || strings.EqualFold(nickname, species) {
		return either(species, "?")
	}
	if species == "" {
		return nickname
	}
	return nickname + " (" + species + ")"
}

// moves lists the slots that hold a move, by slot, with what is known of how
// they work here.
func moves(all []emu.MoveSlot, legal []emu.LegalMove) string {
	var parts []string
	for i, m := range all[:min(len(all), 4)] {
		if m.ID == 0 {
			continue
		}
		s := fmt.Sprintf("%d %s", i+1, short(either(m.Name, m.MoveID), maxName))
		if m.Type != "" {
			s += " " + short(m.Type, maxName)
		}
		s += fmt.Sprintf(", power %d, PP %d of %d", m.Power, m.PP, m.MaxPP)
		for _, l := range legal {
			if l.Slot == i && l.MoveID == m.MoveID && m.Power > 0 && l.Effectiveness != 1 {
				s += fmt.Sprintf(", ×%g here", l.Effectiveness)
			}
		}
		parts = append(parts, s)
	}
	return either(strings.Join(parts, "; "), "none known")
}

func party(p *page, v play.View) {
	s := v.Observed.State
	if s.Party == nil {
		return
	}
	if len(s.Party.Members) == 0 {
		p.line("Your party is empty.")
		return
	}
	p.line("Your party:")
	for _, c := range s.Party.Members[:min(len(s.Party.Members), 6)] {
		p.line("  %d %s", c.Slot+1, member(c, s.Battle == nil))
	}
}

func member(c emu.Creature, withMoves bool) string {
	switch {
	case c.BadEgg:
		return "a bad egg"
	case c.Egg:
		return "an egg"
	}
	s := fmt.Sprintf("%s, level %d, HP %d of %d", name(c.Nickname, c.SpeciesName), c.Level, c.HP, c.MaxHP)
	if c.Fainted() {
		s += ", fainted"
	}
	if c.Ailment != "" {
		s += ", " + short(c.Ailment, maxName)
	}
	if withMoves {
		s += "; moves: " + knownMoves(c.Moves)
	}
	return s
}

func knownMoves(all []emu.MoveSlot) string {
	var parts []string
	for _, m := range all[:min(len(all), 4)] {
		if m.ID != 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", short(either(m.Name, m.MoveID), maxName), m.PP, m.MaxPP))
		}
	}
	return either(strings.Join(parts, ", "), "none known")
}

func bag(p *page, v play.View) {
	s := v.Observed.State
	if s.Trainer != nil {
		badges := 0
		for _, b := range s.Trainer.Badges {
			if b {
				badges++
			}
		}
		p.line("You are %s in the game; money %d, badges %d.", either(short(s.Trainer.Name, maxName), "without a name"), s.Trainer.Money, badges)
	}
	if s.Inventory == nil {
		return
	}
	if len(s.Inventory.Items) == 0 {
		p.line("Your bag is empty.")
		return
	}
	p.line("Your bag: %s.", list(s.Inventory.Items, maxItems, func(i emu.Item) string {
		return fmt.Sprintf("%s ×%d", short(either(i.Name, i.ItemID), maxName), i.Count)
	}))
}
