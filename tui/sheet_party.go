package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// partySheet is the party, member by member.
type partySheet struct {
	party *emu.Party
	fight []int // slots of the members that fight now
	why   string
}

func partySheetOf(s seen) sheet {
	t := partySheet{party: s.State.Party, why: absence(&s.State, "party", "the party was not read")}
	if b := s.State.Battle; b != nil {
		for i := range b.Battlers {
			if b.Battlers[i].Side == sidePlayer {
				t.fight = append(t.fight, b.Battlers[i].Slot)
			}
		}
	}
	return t
}

func (t partySheet) names() []string {
	if t.party == nil {
		return nil
	}
	names := make([]string, 0, len(t.party.Members))
	for i := range t.party.Members {
		names = append(names, memberName(&t.party.Members[i]))
	}
	return names
}

// memberName is how a member is called; an egg and a bad egg have no names.
func memberName(c *emu.Creature) string {
	switch {
	case c.BadEgg:
		return "Bad egg"
	case c.Egg:
		return "Egg"
	}
	return or(clean(c.Nickname), or(clean(c.SpeciesName), fmt.Sprintf("number %d", c.Species)))
}

func (t partySheet) entry(p *palette, i, w int) string {
	c := &t.party.Members[i]
	if c.Egg || c.BadEgg {
		return p.muted.Render(memberName(c))
	}
	return p.summaryLine(memberName(c), c.Level, c.HP, c.MaxHP, c.Ailment, w)
}

// summaryLine is one creature in a line: name, level, bar, and what ails it in
// three letters.
func (p *palette) summaryLine(name string, level, hp, maxHP int, ailment string, w int) string {
	if w < narrow {
		return spread(p.text.Render(name), p.healthInk(hp, maxHP).Render(fmt.Sprintf("%d/%d", hp, maxHP)), w)
	}
	code := ailmentCode(ailment)
	if hp == 0 {
		code = "FNT"
	}
	return p.headline(name, level, hp, maxHP, w-4) + p.warn.Render(fit(" "+code, 4))
}

// ailmentCode is how games of the kind abbreviate an ailment.
func ailmentCode(ailment string) string {
	switch ailment {
	case "":
		return ""
	case "sleep":
		return "SLP"
	case "poison":
		return "PSN"
	case "burn":
		return "BRN"
	case "freeze":
		return "FRZ"
	case "paralysis":
		return "PAR"
	case "toxic":
		return "TOX"
	}
	return strings.ToUpper(clean(ailment))
}

func (t partySheet) rows(p *palette, at, w, _ int) []string {
	switch {
	case t.party == nil:
		return p.absent(t.why, w)
	case len(t.party.Members) == 0:
		return p.absent("nobody is in the party", w)
	}
	c := &t.party.Members[at]
	where := fmt.Sprintf("slot %d", c.Slot+1)
	switch {
	case c.BadEgg:
		return append([]string{spread(p.bad.Render("Bad egg"), p.muted.Render(where), w)},
			p.absent("Its record does not hold: the game shows it as a bad egg. It keeps its slot and cannot fight.", w)...)
	case c.Egg:
		return append([]string{spread(p.strong.Render("Egg"), p.muted.Render(where), w)},
			p.absent("What is in it shows when it hatches. It keeps its slot and cannot fight.", w)...)
	}
	for _, slot := range t.fight {
		if slot == c.Slot {
			where += ", fights"
		}
	}
	return p.member(c, where, w)
}

// member tells everything about one creature.
func (p *palette) member(c *emu.Creature, where string, w int) []string {
	rows := []string{
		spread(p.strong.Render(fullName(c)), p.muted.Render(where), w),
		spread(p.traits(c.Types, c.Ailment, c.HP == 0, w-6), p.muted.Render(fmt.Sprintf("Lv %d", c.Level)), w),
		p.hp(c.HP, c.MaxHP, w),
	}
	left, right := w, w
	if w >= 30+3+statTableWidth {
		left, right = w-3-statTableWidth, statTableWidth
	}
	f := facts{p: p, w: left, name: 9}
	f.add("exp", experience(c))
	f.add("nature", or(clean(c.NatureName), fmt.Sprintf("number %d, name not read", c.Nature)))
	f.add("ability", or(clean(c.Ability), fmt.Sprintf("in slot %d, name not read", c.AbilitySlot+1)))
	f.add("holds", heldItem(c))
	g := facts{p: p, w: right, name: 9}
	g.add("friend", fmt.Sprintf("%d of 255", c.Friendship))
	g.add("trainer", fmt.Sprintf("%05d, secret %05d", c.OTID&0xFFFF, c.OTID>>16))
	g.add("personal", fmt.Sprintf("%08x", c.Personality))
	skills := append(append(f.rows, ""), p.moveTable(c.Moves, left)...)
	numbers := append(append(p.statTable(c, right), ""), g.rows...)
	if left < w {
		return append(rows, sideBySide(skills, numbers, left, "   ")...)
	}
	return append(append(append(rows, skills...), ""), numbers...)
}

// sideBySide puts rows of at most w cells to the left of others.
func sideBySide(left, right []string, w int, gap string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		if i < len(left) {
			out[i] = left[i]
		}
		if i < len(right) {
			out[i] = fit(out[i], w) + gap + right[i]
		}
	}
	return out
}

// fullName is the nickname, what it is, and whether it shines.
func fullName(c *emu.Creature) string {
	name, species := memberName(c), clean(c.SpeciesName)
	if species != "" && species != name {
		name += ", " + species
	}
	if c.Shiny {
		name += " ★ shiny"
	}
	return name
}

func experience(c *emu.Creature) string {
	switch {
	case c.Level >= 100:
		return fmt.Sprintf("%d, the highest level", c.Experience)
	case c.ToNextLevel == 0:
		return fmt.Sprintf("%d, next level not read", c.Experience)
	}
	return fmt.Sprintf("%d, %d to level %d", c.Experience, c.ToNextLevel, c.Level+1)
}

func heldItem(c *emu.Creature) string {
	if c.HeldItem == 0 {
		return "nothing"
	}
	return or(clean(c.HeldName), fmt.Sprintf("item %d", c.HeldItem))
}

// moveTable lists the four move slots with type, power and points.
func (p *palette) moveTable(moves []emu.MoveSlot, w int) []string {
	rows := []string{p.accent.Render(spread("Moves", "power  PP   ", w))}
	for _, m := range moves {
		if m.ID == 0 && m.MoveID == "" {
			rows = append(rows, p.faint.Render("–"))
			continue
		}
		rows = append(rows, spread(p.moveWords(m, w-14), p.movePoints(m), w))
	}
	return rows
}

// moveWords are a move's name and type.
func (p *palette) moveWords(m emu.MoveSlot, w int) string {
	name := p.text.Render(or(clean(m.Name), clean(m.MoveID)))
	if kind := clean(m.Type); kind != "" {
		name += " " + p.typeInk(strings.ToLower(kind)).Render(kind)
	}
	return cut(name, w)
}

// movePoints are a move's power and points, in twelve cells.
func (p *palette) movePoints(m emu.MoveSlot) string {
	ink := p.muted
	if m.PP == 0 {
		ink = p.bad
	}
	power := "–"
	switch {
	case m.Power > 0:
		power = fmt.Sprint(m.Power)
	case m.MaxPP == 0:
		power = "?" // what the move is was not read
	}
	return p.muted.Render(fmt.Sprintf("%5s ", power)) + ink.Render(fmt.Sprintf("%6s", points(m)))
}

// statNames are the stats in the order of the game's own summary.
var statNames = [...]string{"HP", "Attack", "Defense", "Sp. Atk", "Sp. Def", "Speed"}

func inOrder(s emu.Stats) [6]int {
	return [...]int{s.HP, s.Attack, s.Defense, s.SpAttack, s.SpDefense, s.Speed}
}

// statTableWidth is how wide a stat table is.
const statTableWidth = 25

// statTable lists stats with their IVs and EVs.
func (p *palette) statTable(c *emu.Creature, w int) []string {
	rows := []string{p.accent.Render(cut(fmt.Sprintf("%-8s %5s %4s %5s", "Stats", "now", "IV", "EV"), w))}
	stats, ivs, evs := inOrder(c.Stats), inOrder(c.IVs), inOrder(c.EVs)
	for i, name := range statNames {
		rows = append(rows, cut(p.muted.Render(fmt.Sprintf("%-8s", name))+p.text.Render(fmt.Sprintf(" %5d", stats[i]))+
			p.muted.Render(fmt.Sprintf(" %4d %5d", ivs[i], evs[i])), w))
	}
	return rows
}
