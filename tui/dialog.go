package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"clankie/play"
)

// dialog is something that lies over the panes and takes the keys. It never
// acts itself: it answers a key with an action, which the model carries out.
type dialog interface {
	key(k tea.Key) action
	// draw returns rows of equal width that fit in w × h cells.
	draw(p *palette, w, h int) []string
}

// action is what a dialog wants done. The zero value is nothing.
type action struct {
	pop     int            // dialogs to close, from the top, before anything else
	push    dialog         // dialog to open
	send    []play.Command // to the sitting, in order; a failure drops the rest
	list    bool           // read the list of saves again
	preview string         // id of the save whose picture is wanted
	past    bool           // fetch the turn that is wanted
	quit    bool
}

// option is one button of a choice.
type option struct {
	label  string
	danger bool // it destroys: never preselected, drawn as such
	act    action
}

// choice asks one question and offers buttons.
type choice struct {
	title   string
	lines   []string // already clean
	options []option
	at      int // the preselected one, then the chosen one
	cancel  int // what Esc chooses
	grave   bool
	ctrlC   action // what Ctrl+C does; the zero value means as Esc

	// unseen is true when the window had no room for the first line, which
	// says what the question is about. Nothing is destroyed then.
	unseen bool
}

func (c *choice) key(k tea.Key) action {
	n := len(c.options)
	switch k.Keystroke() {
	case "left", "up", "shift+tab":
		c.at = (c.at + n - 1) % n
	case "right", "down", "tab":
		c.at = (c.at + 1) % n
	case "enter":
		if c.unseen && c.options[c.at].danger {
			return action{}
		}
		return c.options[c.at].act
	case "esc":
		return c.options[c.cancel].act
	case "ctrl+c":
		if c.ctrlC.quit {
			return c.ctrlC
		}
		return c.options[c.cancel].act
	}
	return action{}
}

func (c *choice) draw(p *palette, w, h int) []string {
	bw := min(w, 64)
	inner := bw - 4
	var rows []string
	named := 0 // rows of the first line
	for i, l := range c.lines {
		if l == "" {
			rows = append(rows, "")
		}
		for _, line := range wrap(l, inner) {
			rows = append(rows, p.text.Render(line))
		}
		if i == 0 {
			named = len(rows)
		}
	}
	buttons := c.buttons(p, inner)
	room := max(h-2-len(buttons), 0)
	c.unseen = named > room
	switch {
	case c.unseen:
		rows = fill([]string{p.warn.Render(cut("window too small", inner))}, inner, min(room, 1))
	case len(rows) >= room:
		rows = rows[:room]
	default:
		rows = append(rows, "")
	}
	rows = append(rows, buttons...)
	if len(rows) > h-2 {
		rows = rows[len(rows)-max(h-2, 0):]
	}
	ink := p.accent
	if c.grave {
		ink = p.bad
	}
	return p.boxed(bw, len(rows)+2, c.title, "", rows, ink.Bold(true).Render, ink.Render)
}

// buttons are laid in one row, or one below the other where they do not fit.
func (c *choice) buttons(p *palette, w int) []string {
	var cells []string
	total := 0
	for i, o := range c.options {
		ink, text := p.muted, "  "+o.label+"  "
		if i == c.at {
			text = "▸ " + o.label + "  "
			ink = p.chosen
			if o.danger {
				ink = p.danger
			}
		}
		total += width(text) + 1
		cells = append(cells, ink.Render(text))
	}
	if total-1 <= w {
		return []string{strings.Join(cells, " ")}
	}
	for i := range cells {
		cells[i] = cut(cells[i], w)
	}
	return cells
}

// overlay draws box in the middle of rows, which are w cells wide.
func overlay(rows, box []string, w int) {
	if len(box) == 0 || len(rows) == 0 {
		return
	}
	bw := width(box[0])
	x := max((w-bw)/2, 0)
	y := max((len(rows)-len(box))/2, 0)
	for i, line := range box {
		if y+i < len(rows) {
			rows[y+i] = laidOver(rows[y+i], line, x, bw, w)
		}
	}
}

// laidOver replaces bw cells of row from x on.
func laidOver(row, line string, x, bw, w int) string {
	left := fit(ansi.Truncate(row, x, ""), x)
	if x == 0 {
		left = ""
	}
	rest := w - x - bw
	right := ""
	if rest > 0 {
		right = ansi.TruncateLeft(row, x+bw, "")
		if width(right) > rest { // the edge goes through a wide glyph
			right = ansi.TruncateLeft(row, x+bw+1, "")
		}
		right = blanks(rest-width(right)) + right
	}
	return left + "\x1b[m" + line + "\x1b[m" + right
}

// listing is a dialog that shows rows and scrolls: help, a story.
type listing struct {
	title string
	rows  func(p *palette, w int) []string
	top   int
	page  int
	total int
}

// newTelling shows a text that needs more than a line.
func newTelling(title, text string) *listing {
	return &listing{title: title, rows: func(p *palette, w int) []string { return wrapped(p.text.Render, text, w) }}
}

func (l *listing) key(k tea.Key) action {
	switch k.Keystroke() {
	case "up":
		l.top--
	case "down":
		l.top++
	case "pgup":
		l.top -= max(l.page, 1)
	case "pgdown", "space":
		l.top += max(l.page, 1)
	case "home":
		l.top = 0
	case "end":
		l.top = l.total
	case "esc", "enter", "q", "?", "ctrl+c":
		return action{pop: 1}
	}
	l.top = min(max(l.top, 0), max(l.total-l.page, 0))
	return action{}
}

func (l *listing) draw(p *palette, w, h int) []string {
	bw := min(w, 84)
	all := l.rows(p, bw-4)
	l.total, l.page = len(all), max(min(h-2, len(all)), 1)
	l.top = min(max(l.top, 0), max(l.total-l.page, 0))
	note := ""
	if l.total > l.page {
		note = p.muted.Render("↑ ↓ to scroll")
	}
	shown := all[l.top:min(l.top+l.page, len(all))]
	return p.boxed(bw, len(shown)+2, l.title, note, shown, p.accent.Bold(true).Render, p.accent.Render)
}
