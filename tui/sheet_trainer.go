package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// noEntries is a sheet that is all rows.
type noEntries struct{}

func (noEntries) names() []string                 { return nil }
func (noEntries) entry(*palette, int, int) string { return "" }

// trainerSheet is the player's card.
type trainerSheet struct {
	noEntries
	card  *emu.Trainer
	goals []string // nil when they were not read
	why   string
}

func trainerOf(s seen) sheet {
	return trainerSheet{card: s.State.Trainer, goals: s.State.Goals, why: absence(&s.State, "trainer", "the trainer's card was not read")}
}

func (t trainerSheet) rows(p *palette, _, w, _ int) []string {
	c := t.card
	if c == nil {
		return p.absent(t.why, w)
	}
	f := facts{p: p, w: w, name: 8}
	f.add("name", or(clean(c.Name), "none yet")+", "+[2]string{"a boy", "a girl"}[c.Gender&1])
	f.add("id", fmt.Sprintf("%05d (secret %05d)", c.PublicID, c.SecretID))
	f.add("money", fmt.Sprintf("¥%d", c.Money))
	f.add("coins", fmt.Sprint(c.Coins))
	f.add("badges", badgeWords(c))
	f.add("dex", fmt.Sprintf("%d owned, %d seen", c.DexOwned, c.DexSeen))
	f.add("played", fmt.Sprintf("%d:%02d:%02d", c.PlayTime.Hours, c.PlayTime.Minutes, c.PlayTime.Seconds))
	if c.RivalName != "" {
		f.add("rival", clean(c.RivalName))
	}
	if t.goals != nil {
		f.add("goals", or(clean(strings.Join(t.goals, ", ")), "none reached yet"))
	}
	return f.rows
}

// badgeWords are how many badges there are, and which.
func badgeWords(t *emu.Trainer) string {
	var which []string
	for i, has := range t.Badges {
		if has {
			which = append(which, fmt.Sprint(i+1))
		}
	}
	text := fmt.Sprintf("%d of %d", len(which), len(t.Badges))
	if len(which) > 0 {
		text += ": " + strings.Join(which, ", ")
	}
	return text
}

// facts are rows of a name and a value each, the value wrapped.
type facts struct {
	p       *palette
	w, name int // the row's width and that of the names
	rows    []string
	last    string // the name that a value without one belongs to
}

// add adds a value. Without a name it is one more of those before; read out it
// gets their name again.
func (f *facts) add(name, value string) {
	if name != "" {
		f.last = name
	} else if f.p.spoken {
		name = f.last
	}
	for _, line := range wrap(value, f.w-f.name-1) {
		f.rows = append(f.rows, f.p.muted.Render(fit(name, f.name))+" "+f.p.text.Render(line))
		name = ""
	}
}

// head is a line of its own between facts.
func (f *facts) head(text string) {
	if len(f.rows) > 0 {
		f.rows = append(f.rows, "")
	}
	f.rows = append(f.rows, f.p.accent.Render(cut(text, f.w)))
}
