package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View implements tea.Model. Bubble Tea calls it after every message; the
// screen is built again only when a message may have changed it.
func (m *model) View() tea.View {
	if m.dirty {
		m.frame = strings.Join(m.screen(), "\n")
		m.dirty = false
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	v.ReportFocus = true
	v.WindowTitle = "Clankie"
	v.Cursor = m.cursor()
	if m.pad.on && len(m.dialogs) == 0 {
		v.KeyboardEnhancements = tea.KeyboardEnhancements{
			ReportEventTypes: true, ReportAllKeysAsEscapeCodes: true, ReportAssociatedText: true,
		}
	}
	return v
}

// cursor is the terminal's own cursor, on the line that is typed.
func (m *model) cursor() *tea.Cursor {
	if !m.prompt.open || m.layout.tooSmall || len(m.dialogs) > 0 {
		return nil
	}
	_, x := m.prompt.line.view(m.layout.command.w - 2)
	c := tea.NewCursor(m.layout.command.x+2+x, m.layout.command.y)
	c.Shape = tea.CursorBar
	return c
}

// screen builds every row of the window. Each has exactly the window's width.
func (m *model) screen() []string {
	l := m.layout
	if l.w == 0 || l.h == 0 {
		return nil
	}
	if l.tooSmall {
		return tooSmall(l.w, l.h)
	}
	c := canvas{rows: make([][]piece, l.h), w: l.w}
	m.drawPanes(&c)
	rows := c.join()
	m.drawOver(rows)
	return rows
}

// tooSmall is the one line shown where nothing else fits.
func tooSmall(w, h int) []string {
	rows := make([]string, h)
	for i := range rows {
		rows[i] = blanks(w)
	}
	rows[h/2] = fit("window too small: 20×6 at least", w)
	return rows
}

func (m *model) drawPanes(c *canvas) {
	l, p := m.layout, m.pal
	in := m.titleInput()
	c.put(l.title, m.panes.title.get(in, l.title, p, func() []string { return []string{p.title(in, l.title.w)} }))
	m.drawPicture(c)
	m.drawState(c)
	fi := feedInput{m.feed.version}
	c.put(l.feed, m.panes.feed.get(fi, l.feed, p, func() []string { return m.feed.pane(p, l.feed) }))
	c.put(l.command, []string{m.commandRow(l.command.w, l.hints.empty())})
	if !l.hints.empty() {
		hints := m.hints()
		c.put(l.hints, m.panes.hints.get(hints, l.hints, p, func() []string { return []string{p.hintLine(hints, l.hints.w)} }))
	}
}

func (m *model) drawPicture(c *canvas) {
	r := m.layout.picture
	if r.empty() {
		return
	}
	why := "the picture comes with the first frame"
	if m.snap != nil {
		if m.snap.Picture.Stale {
			why = "loaded: the picture comes with the next frame"
		} else if rows, ok := m.picture.render(m.snap.Picture.Pix, m.layout.divisor, m.shades); ok {
			c.put(r, rows)
			return
		}
	}
	rows := fill(nil, r.w, r.h)
	rows[r.h/2] = fit(blanks((r.w-width(why))/2)+m.pal.muted.Render(why), r.w)
	c.put(r, rows)
}

// drawState draws the panes of decoded state.
func (m *model) drawState(c *canvas) {
	l, p := m.layout, m.pal
	if m.snap == nil {
		c.put(l.details, p.framed(l.details, "Details", "", func(w, _ int) []string { return p.absent(m.whyNothingSeen(), w) }))
		return
	}
	s := &m.snap.State
	dialog := dialogOf(s)
	c.put(l.dialog, m.panes.dialog.get(dialog, l.dialog, p, func() []string { return p.dialogPane(dialog, l.dialog) }))
	if !l.details.empty() {
		c.put(l.details, m.details.pane(p, m.seen(), l.details))
		return
	}
	if inBattle(s) {
		battle := battleOf(s)
		c.put(l.field, m.panes.battle.get(battle, l.field, p, func() []string { return p.battlePane(battle, l.field) }))
	} else {
		field := fieldOf(s)
		c.put(l.field, m.panes.field.get(field, l.field, p, func() []string { return p.fieldPane(field, l.field) }))
	}
	mind := mindInput{m.snap.Mind, m.snap.Objective, m.snap.Notes}
	c.put(l.mind, m.panes.mind.get(mind, l.mind, p, func() []string { return p.mindPane(mind, l.mind) }))
	party := partyOf(s)
	c.put(l.party, m.panes.party.get(party, l.party, p, func() []string { return p.partyPane(party, l.party) }))
}

// drawOver draws what lies on top: completions, then dialogs.
func (m *model) drawOver(rows []string) {
	l := m.layout
	if box := m.prompt.offerBox(m.pal, l.w, l.command.y); len(box) > 0 && len(m.dialogs) == 0 {
		y := l.command.y - len(box)
		for i, line := range box {
			rows[y+i] = laidOver(rows[y+i], line, 0, width(line), l.w)
		}
	}
	if b := m.browser(); b != nil {
		b.waiting = m.pending()
	}
	for _, d := range m.dialogs {
		overlay(rows, d.draw(m.pal, l.w, l.h), l.w)
	}
}

// canvas collects the pieces of each row of the window.
type canvas struct {
	rows [][]piece
	w    int
}

type piece struct {
	x, w int
	text string
}

// put places rows, each of r.w cells, at r.
func (c *canvas) put(r rect, rows []string) {
	for i := 0; i < r.h && i < len(rows); i++ {
		y := r.y + i
		if y < 0 || y >= len(c.rows) {
			continue
		}
		at := len(c.rows[y])
		for at > 0 && c.rows[y][at-1].x > r.x {
			at--
		}
		line := append(c.rows[y], piece{})
		copy(line[at+1:], line[at:])
		line[at] = piece{r.x, r.w, rows[i]}
		c.rows[y] = line
	}
}

// join puts the pieces of each row together, with blanks between them.
func (c *canvas) join() []string {
	out := make([]string, len(c.rows))
	var b strings.Builder
	for y, pieces := range c.rows {
		b.Reset()
		x := 0
		for _, p := range pieces {
			b.WriteString(blanks(p.x - x))
			b.WriteString(p.text)
			x = p.x + p.w
		}
		b.WriteString(blanks(c.w - x))
		out[y] = b.String()
	}
	return out
}
