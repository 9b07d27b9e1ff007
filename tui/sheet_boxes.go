package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/play"
)

// readBoxes is what is known of the storage system away from its own screen:
// it is read when it is looked at.
type readBoxes struct {
	got *play.Boxes
	why string // why it could not be read
}

// boxesSheet is the storage system, box by box.
type boxesSheet struct {
	storage *emu.Storage
	asOf    string
	why     string
}

func boxesOf(in seen) sheet {
	got := in.boxes.got
	switch {
	case in.State.Storage != nil:
		return boxesSheet{storage: in.State.Storage, asOf: "now"}
	case got != nil:
		return boxesSheet{storage: &got.Storage, asOf: fmt.Sprintf("turn %d", got.Turn)}
	case in.boxes.why != "":
		return boxesSheet{why: in.boxes.why}
	}
	return boxesSheet{why: "reading the boxes…"}
}

func (t boxesSheet) names() []string {
	if t.storage == nil {
		return nil
	}
	names := make([]string, len(t.storage.Boxes))
	for i := range names {
		names[i] = or(clean(t.storage.Boxes[i].Name), fmt.Sprintf("Box %d", i+1))
	}
	return names
}

func (t boxesSheet) entry(p *palette, i, w int) string {
	n := len(t.storage.Boxes[i].Members)
	ink := p.text
	if n == 0 {
		ink = p.muted
	}
	name := t.names()[i]
	if i == t.storage.Current {
		name += " (opens first)"
	}
	return spread(ink.Render(name), ink.Render(fmt.Sprint(n)), w)
}

func (t boxesSheet) rows(p *palette, at, w, _ int) []string {
	switch {
	case t.storage == nil:
		return p.absent(t.why, w)
	case len(t.storage.Boxes) == 0:
		return p.absent("there are no boxes", w)
	}
	all := fmt.Sprintf("%d in all boxes", t.storage.Count)
	if n := t.storage.BadChecksums; n > 0 {
		all += fmt.Sprintf(", %d damaged", n)
	}
	rows := []string{
		spread(p.accent.Render(t.names()[at]), p.muted.Render("as of "+t.asOf), w),
		p.muted.Render(cut(all, w)),
	}
	members := t.storage.Boxes[at].Members
	if len(members) == 0 {
		return append(rows, p.muted.Render(cut("nobody is in this box", w)))
	}
	for i := range members {
		rows = append(rows, p.stored(&members[i], w))
	}
	return rows
}

// stored is one creature in a box, in a line. An egg tells nothing of itself.
func (p *palette) stored(c *emu.Stored, w int) string {
	slot := p.muted.Render(fmt.Sprintf("%2d ", c.Slot+1))
	switch {
	case c.BadEgg:
		return cut(slot+p.bad.Render("Bad egg"), w)
	case c.Egg:
		return cut(slot+p.muted.Render("Egg"), w)
	}
	name := or(clean(c.Nickname), fmt.Sprintf("number %d", c.Species))
	if species := clean(c.SpeciesName); species != "" && species != name {
		name += ", " + species
	}
	if c.Shiny {
		name += " ★"
	}
	level := "level not read"
	if c.Level > 0 {
		level = fmt.Sprintf("Lv %d", c.Level)
	}
	return spread(slot+p.text.Render(name), p.muted.Render(level), w)
}

// boxesMsg brings the boxes.
type boxesMsg struct {
	got play.Boxes
	err error
}

// boxesAsked is the moment for which the boxes were asked for last. What they
// hold changes with turns, loads and battles at most.
type boxesAsked struct {
	turn  int
	epoch uint64
	mode  emu.Mode
}

// fetchBoxes reads the boxes while they are looked at, one read at a time and
// one for each moment at most.
func (m *model) fetchBoxes() tea.Cmd {
	if !m.details.open || m.details.page != pageBoxes || m.reading || m.ended || m.snap == nil || m.snap.State.Storage != nil {
		return nil
	}
	now := boxesAsked{m.snap.Turn, m.snap.LoadEpoch, m.snap.State.Scene.Mode}
	if m.asked == now {
		return nil
	}
	m.asked, m.reading = now, true
	ctx, s := m.ctx, m.sitting
	return guarded(workBoxes, func() tea.Msg {
		got, err := s.Boxes(ctx)
		return boxesMsg{got, err}
	})
}

func (m *model) boxesCame(msg boxesMsg) tea.Cmd {
	m.reading = false
	m.boxes = readBoxes{got: &msg.got}
	if msg.err != nil {
		m.boxes = readBoxes{why: clean(msg.err.Error())}
	}
	m.openWanted()
	return m.fetchBoxes()
}

// openWanted opens the box that was asked for before the boxes were read.
func (m *model) openWanted() {
	d := &m.details
	names := pages[pageBoxes].of(m.seen()).names()
	if d.wanted == "" || d.page != pageBoxes || len(names) == 0 {
		return
	}
	at, ok := findEntry(names, d.wanted)
	if ok {
		d.at[pageBoxes] = at
	} else {
		m.refuse(pages[pageBoxes].command, whichEntry(pageBoxes, names))
	}
	d.wanted = ""
}
