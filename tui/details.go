package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/play"
)

// sheet is what a page of details shows of one snapshot: things to choose from
// and everything about the chosen one. It is a value; its methods are pure.
type sheet interface {
	// names are those of the entries; a page without any is all rows.
	names() []string
	// entry is one of them in a line of at most w cells.
	entry(p *palette, i, w int) string
	// rows tell everything about an entry, or of the page where there are none.
	// They are as many as it takes; h is how many can be seen at once.
	rows(p *palette, at, w, h int) []string
}

// page is one page of details.
type page struct {
	command string // its slash command
	tab     string
	title   string
	args    string
	help    string
	of      func(in seen) sheet
}

// seen is what pages are made of: a snapshot, and what is read only when it is
// looked at.
type seen struct {
	*play.Snapshot
	boxes readBoxes
}

// The pages, in the order of their tabs.
const (
	pageTrainer = iota
	pageParty
	pageBag
	pageBoxes
	pageBattle
	pageMap
	pageScene
	pageCount
)

var pages = [pageCount]page{
	pageTrainer: {"trainer", "Card", "Trainer card", "", "the trainer: money, badges, dex, time played", trainerOf},
	pageParty:   {"party", "Party", "Party", "[member]", "everything about the party's members", partySheetOf},
	pageBag:     {"bag", "Bag", "Bag", "[pocket]", "what is in the bag, by pocket", bagOf},
	pageBoxes:   {"boxes", "Box", "Boxes", "[box]", "what is in the storage boxes", boxesOf},
	pageBattle:  {"battle", "Battle", "Battle", "[battler]", "everything about who fights", battleSheetOf},
	pageMap:     {"map", "Map", "Map", "", "the map, its ways out, people and signs", mapSheetOf},
	pageScene:   {"scene", "Scene", "Scene", "", "what the game shows: text, menus, keyboard", sceneOf},
}

// details is the pane that tells one part of what is known in full.
type details struct {
	open bool
	page int
	at   [pageCount]int // the chosen entry of each page
	top  int            // first row that is shown

	// wanted is what was asked for of the page before its entries were read.
	wanted string

	// As they were when last drawn.
	entries, total, view int

	cache cached
}

// drawnDetails is what the rows of the pane depend on.
type drawnDetails struct {
	page, at, top int
	of            sheet
}

// pane draws the page of a snapshot.
func (d *details) pane(p *palette, in seen, r rect) []string {
	of := pages[d.page].of(in)
	d.entries = len(of.names())
	d.at[d.page] = min(max(d.at[d.page], 0), max(d.entries-1, 0))
	return d.cache.get(drawnDetails{d.page, d.at[d.page], d.top, of}, r, p, func() []string {
		name := pages[d.page].title
		if d.entries > 1 {
			name = fmt.Sprintf("%s %d/%d", name, d.at[d.page]+1, d.entries)
		}
		w, h := inside(r)
		body := d.body(p, of, w, h) // first: the note says how much of it is shown
		return p.framed(r, name, d.scrollNote(p), func(int, int) []string { return body })
	})
}

// scrollNote says which of the rows are shown when not all are.
func (d *details) scrollNote(p *palette) string {
	if d.total <= d.view {
		return ""
	}
	return p.muted.Render(fmt.Sprintf("%d–%d of %d", d.top+1, min(d.top+d.view, d.total), d.total))
}

// body lays out tabs, entries and rows in w × h cells.
func (d *details) body(p *palette, of sheet, w, h int) []string {
	var out []string
	if h >= 7 {
		out = append(out, d.tabs(p, w))
		h--
	}
	switch {
	case d.entries > 0 && w >= 76 && h >= 4:
		return append(out, d.beside(p, of, w, h)...)
	case d.entries > 1 && h >= 9:
		list := d.list(p, of, w, min(d.entries, max(h/3, 3)))
		out = append(append(out, list...), p.faint.Render(strings.Repeat("─", w)))
		h -= len(list) + 1
	}
	return append(out, d.scrolled(of.rows(p, d.at[d.page], w, h), h)...)
}

// beside puts the entries to the left of the rows.
func (d *details) beside(p *palette, of sheet, w, h int) []string {
	listW := min(36, w*2/5)
	list := fill(d.list(p, of, listW, h), listW, h)
	rows := d.scrolled(of.rows(p, d.at[d.page], w-listW-3, h), h)
	out := make([]string, h)
	for i := range out {
		out[i] = list[i] + p.faint.Render(" │ ")
		if i < len(rows) {
			out[i] += rows[i]
		}
	}
	return out
}

// list shows the entries around the chosen one in at most n rows.
func (d *details) list(p *palette, of sheet, w, n int) []string {
	at := d.at[d.page]
	start, n := window(d.entries, n, at)
	rows := make([]string, 0, n)
	for i := start; i < start+n; i++ {
		mark := "  "
		if i == at {
			mark = p.accent.Bold(true).Render("▸ ")
		}
		rows = append(rows, mark+cut(of.entry(p, i, w-2), w-2))
	}
	return rows
}

// scrolled is the part of rows that is shown in h.
func (d *details) scrolled(rows []string, h int) []string {
	d.total, d.view = len(rows), max(h, 1)
	d.top = min(max(d.top, 0), max(d.total-d.view, 0))
	return rows[d.top:min(d.top+d.view, d.total)]
}

// tabs names the pages around the one that is shown.
func (d *details) tabs(p *palette, w int) string {
	first, last := d.page, d.page
	used := len(pages[d.page].tab)
	for grown := true; grown; {
		grown = false
		if last+1 < pageCount && used+1+len(pages[last+1].tab) <= w-2*btoi(first > 0 || last+2 < pageCount) {
			last++
			used += 1 + len(pages[last].tab)
			grown = true
		}
		if first > 0 && used+1+len(pages[first-1].tab) <= w-2*btoi(first > 1 || last+1 < pageCount) {
			first--
			used += 1 + len(pages[first].tab)
			grown = true
		}
	}
	cells := make([]string, 0, last-first+1)
	for i := first; i <= last; i++ {
		ink := p.muted
		if i == d.page {
			ink = p.chosen
		}
		cells = append(cells, ink.Render(pages[i].tab))
	}
	row := strings.Join(cells, " ")
	if first > 0 {
		row = p.faint.Render("‹") + row
	}
	if last+1 < pageCount {
		row += p.faint.Render("›")
	}
	return cut(row, w)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// show turns to a page.
func (d *details) show(page int) {
	d.open = true
	d.page, d.top = (page+pageCount)%pageCount, 0
}

// choose moves among the entries, or through the rows where there are none.
func (d *details) choose(by int) {
	if d.entries < 2 {
		d.top += by
		return
	}
	d.at[d.page] = (d.at[d.page] + by + d.entries) % d.entries
	d.top = 0
}

// arrowWord is what up and down do on the page.
func (d *details) arrowWord() string {
	if d.entries > 1 {
		return "choose"
	}
	return "scroll"
}

// key handles a key that is the pane's, and reports whether it was. While the
// pad is in hand the arrows are the game's.
func (d *details) key(name string, pad bool) bool {
	switch name {
	case "tab":
		d.show(d.page + 1)
	case "shift+tab":
		d.show(d.page - 1)
	case ",":
		d.choose(-1)
	case ".":
		d.choose(1)
	case "pgup":
		d.top -= max(d.view-1, 1)
	case "pgdown":
		d.top += max(d.view-1, 1)
	default:
		return !pad && d.arrow(name)
	}
	d.top = min(max(d.top, 0), max(d.total-d.view, 0))
	return true
}

func (d *details) arrow(name string) bool {
	switch name {
	case "right":
		d.show(d.page + 1)
	case "left":
		d.show(d.page - 1)
	case "up":
		d.choose(-1)
	case "down":
		d.choose(1)
	case "home":
		d.top = 0
	case "end":
		d.top = max(d.total-d.view, 0)
	default:
		return false
	}
	return true
}

// detailsKey handles a key while the pane is open, and reports whether it was
// one of the pane's.
func (m *model) detailsKey(name string) bool {
	if name == "esc" && !m.pad.on {
		m.toggleDetails()
		return true
	}
	if m.snap != nil { // keys may come faster than the pane is drawn
		m.details.entries = len(pages[m.details.page].of(m.seen()).names())
	}
	return m.details.key(name, m.pad.on)
}

// toggleDetails opens the pane where it was left, or closes it.
func (m *model) toggleDetails() {
	m.details.open = !m.details.open
	m.resize(m.layout.w, m.layout.h)
}

func (m *model) showPage(page int) {
	m.details.show(page)
	m.resize(m.layout.w, m.layout.h)
}

// runPage turns to a page, and to the entry that arg numbers or names.
func runPage(page int) func(m *model, arg string) tea.Cmd {
	return func(m *model, arg string) tea.Cmd {
		names := pages[page].of(m.seen()).names()
		at, ok := findEntry(names, arg)
		if !ok && len(names) > 0 {
			m.refuse(pages[page].command, whichEntry(page, names))
			return nil
		}
		m.showPage(page)
		m.details.wanted = ""
		switch {
		case len(names) == 0:
			m.details.wanted = arg
		case arg != "":
			m.details.at[page] = at
		}
		return nil
	}
}

// findEntry is the entry that arg numbers, from 1, or names.
func findEntry(names []string, arg string) (at int, ok bool) {
	if arg == "" {
		return 0, true
	}
	for i := range names {
		if arg == fmt.Sprint(i+1) {
			return i, true
		}
	}
	for i, n := range names {
		if strings.Contains(strings.ToLower(n), strings.ToLower(arg)) {
			return i, true
		}
	}
	return 0, false
}

func whichEntry(page int, names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("which one? there is only /%s 1, %s", pages[page].command, names[0])
	}
	return fmt.Sprintf("which one? /%s 1 to %d, or a name", pages[page].command, len(names))
}

// entrySuggestions completes the command of a page.
func entrySuggestions(page int) func(m *model) []suggestion {
	return func(m *model) []suggestion {
		if m.snap == nil {
			return nil
		}
		var out []suggestion
		for i, n := range pages[page].of(m.seen()).names() {
			out = append(out, suggestion{fmt.Sprint(i + 1), n})
		}
		return out
	}
}

// seen is what there is to see now. Boxes that were read before a load are of
// another past.
func (m *model) seen() seen {
	in := seen{m.snap, m.boxes}
	if got := m.boxes.got; got != nil && m.snap != nil && got.LoadEpoch != m.snap.LoadEpoch {
		in.boxes = readBoxes{}
	}
	return in
}

func (m *model) whyNothingSeen() string {
	if m.snap == nil {
		return "the sitting has not started yet"
	}
	return ""
}
