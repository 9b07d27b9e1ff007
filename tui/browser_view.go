package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// draw shows the list, and beside or below it the details of one save.
func (b *browser) draw(p *palette, w, h int) []string {
	w = min(w, 150)
	inner := w - 4
	detailW := 0
	if inner >= 96 {
		detailW = min(64, max(46, inner*2/5))
	}
	listW := inner
	if detailW > 0 {
		listW = inner - detailW - 3
	}
	foot := b.footer(p, inner, max((h-2)/3, 1))
	bodyH := max(h-2-1-len(foot), 1) // border; filter above, outcome or keys below
	listH := bodyH
	below := 0
	if detailW == 0 && bodyH >= 18 {
		below = min(bodyH-13, 9)
		listH = bodyH - below
	}
	rows := []string{b.filterRow(p, inner)}
	list := b.list(p, listW, listH)
	if detailW > 0 {
		details := fill(b.details(p, detailW, bodyH, true), detailW, bodyH)
		for i := range list {
			rows = append(rows, list[i]+p.faint.Render(" │ ")+details[i])
		}
	} else {
		rows = append(rows, list...)
		rows = append(rows, fill(b.details(p, inner, below, false), inner, below)...)
	}
	if room := max(h-2-len(foot), 0); len(rows) > room {
		rows = rows[:room]
	}
	rows = append(rows, foot...)
	return p.boxed(w, len(rows)+2, "Saves", b.count(p), rows, p.accent.Bold(true).Render, p.accent.Render)
}

// count says which part of the list is in view.
func (b *browser) count(p *palette) string {
	switch {
	case b.loading:
		return p.muted.Render("reading…")
	case len(b.shown) == 0:
		return p.muted.Render(fmt.Sprintf("0 of %d", len(b.all)))
	}
	start, n := window(len(b.shown), b.page, b.at)
	s := fmt.Sprintf("%d–%d of %d", start+1, start+n, len(b.shown))
	if len(b.shown) != len(b.all) {
		s += fmt.Sprintf(" (%d in all)", len(b.all))
	}
	return p.muted.Render(s)
}

func (b *browser) filterRow(p *palette, w int) string {
	if b.filter.value() == "" {
		return p.muted.Render(cut("type to filter by game, label, place, time or id", w))
	}
	shown, _ := b.filter.view(w - 9)
	return p.accent.Render("filter: ") + p.strong.Render(shown) + p.accent.Render("▏")
}

// footer holds the outcome of the last act until the next key, then what is
// waited for, then the keys, in at most h rows of w cells.
func (b *browser) footer(p *palette, w, h int) []string {
	switch {
	case b.outcome != "" && b.failed:
		return toldRows(p.bad.Render, "✗ "+b.outcome, w, h)
	case b.outcome != "":
		return toldRows(p.good.Render, "✓ "+b.outcome, w, h)
	case b.waiting != "":
		return toldRows(p.muted.Render, "… "+b.waiting, w, h)
	case b.err != "":
		return toldRows(p.bad.Render, "✗ the list could not be read: "+b.err, w, h)
	}
	esc := "back"
	if b.filter.value() != "" {
		esc = "clear the filter"
	}
	return []string{p.hintLine([]hint{{"enter", "load", ""}, {"del", "delete", ""}, {"esc", esc, ""}, {"ctrl+r", "read again", ""}}, w)}
}

// toldRows wraps a text into at most h rows of w cells; what does not fit is cut.
func toldRows(ink func(...string) string, text string, w, h int) []string {
	rows := wrap(text, w)
	if len(rows) > h {
		rows = append(rows[:h-1], cut(strings.Join(rows[h-1:], " "), w))
	}
	for i := range rows {
		rows[i] = ink(rows[i])
	}
	return rows
}

// list draws the rows around the cursor in exactly h rows of w cells.
func (b *browser) list(p *palette, w, h int) []string {
	head := h >= 4
	if head {
		h--
	}
	b.page = max(h, 1)
	start, n := window(len(b.shown), h, b.at)
	var rows []string
	cols := saveColumns(w)
	if head {
		rows = append(rows, p.muted.Render(cols.line("  "+cols.head(), "place", "captured", "reason", "state")))
	}
	for i := start; i < start+n; i++ {
		rows = append(rows, b.listRow(p, cols, b.all[b.shown[i]], i == b.at))
	}
	if n == 0 {
		rows = append(rows, p.muted.Render(cut(b.emptyWhy(), w)))
	}
	if head {
		h++
	}
	return fill(rows, w, h)
}

func (b *browser) emptyWhy() string {
	switch {
	case b.loading:
		return "reading the saves…"
	case b.err != "":
		return "the saves could not be read"
	case len(b.all) == 0:
		return "there are no saves yet; s makes one"
	}
	return "no save matches; ctrl+u clears the filter"
}

func (b *browser) listRow(p *palette, cols columnWidths, e play.SaveEntry, chosen bool) string {
	label := clean(e.Label)
	if label == "" && cols.reason == 0 {
		label = clean(e.Reason)
	}
	if label == "" {
		label = "checkpoint"
	}
	mark := "  "
	if chosen {
		mark = "▸ "
	}
	reason := clean(e.Reason)
	if reason == "" {
		reason = "–"
	}
	line := cols.line(mark+cols.of(e, label), savePlace(e), capturedAt(e, listTime), reason, healthWord(e.Health))
	switch {
	case chosen && e.Loadable():
		return p.chosen.Render(line)
	case chosen:
		return p.muted.Reverse(true).Render(line)
	case !e.Loadable():
		return p.muted.Faint(true).Render(line)
	}
	return p.text.Render(line)
}

func healthWord(h play.SaveHealth) string {
	if h == play.SaveValid {
		return "ok"
	}
	return clean(string(h))
}

// columnWidths are the widths of the list's columns; 0 leaves one out.
type columnWidths struct {
	name, place, time, reason, health int
	game                              bool // there is room for the game's name
}

func saveColumns(w int) columnWidths {
	c := columnWidths{health: 9}
	rest := w - c.health
	if rest >= 26 {
		c.time = len(listTime) + 1
		rest -= c.time
	}
	if rest >= 62 {
		c.reason = 14
		rest -= c.reason
	}
	if rest >= 34 {
		c.place = min(rest*2/5, 26)
		rest -= c.place
	}
	if rest < 14 { // a very narrow list keeps the names
		rest, c.health = w, 0
	}
	c.name = rest
	c.game = rest >= 24
	return c
}

// of names a save in the first column. What tells saves apart comes before the
// game, which is mostly the same for all of them.
func (c columnWidths) of(e play.SaveEntry, label string) string {
	switch {
	case c.game:
		return clean(e.Game) + " · " + label
	case c.time == 0:
		return capturedAt(e, listTime) + " " + label
	}
	return label
}

func (c columnWidths) head() string {
	switch {
	case c.game:
		return "game · label"
	case c.time == 0:
		return "captured · label"
	}
	return "label"
}

func (c columnWidths) line(name, place, at, reason, health string) string {
	var b strings.Builder
	for _, col := range []struct {
		text string
		w    int
	}{{name, c.name}, {place, c.place}, {at, c.time}, {reason, c.reason}, {health, c.health}} {
		if col.w > 1 {
			b.WriteString(fit(col.text, col.w-1))
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// detailName is how wide the names in the details are.
const detailName = 10

// details describe the save under the cursor in at most h rows.
func (b *browser) details(p *palette, w, h int, tall bool) []string {
	e, ok := b.selected()
	if !ok || h <= 0 {
		return nil
	}
	var rows []string
	if tall {
		rows = append(rows, b.previewRows(p, e, w, h-14)...)
		rows = append(rows, "")
	}
	add := func(name, value string) {
		for _, line := range wrap(value, w-detailName) {
			rows = append(rows, p.muted.Render(fit(name, detailName))+p.text.Render(line))
			name = ""
		}
	}
	if n := clean(e.HealthNote); n != "" && e.Loadable() {
		for _, line := range wrap("It loads, but "+n, w) {
			rows = append(rows, p.warn.Render(line))
		}
	}
	if !e.Loadable() {
		for _, line := range wrap("Cannot be loaded here: "+whyNot(e), w) {
			rows = append(rows, p.warn.Render(line))
		}
	}
	add("place", savePlace(e))
	add("captured", capturedAt(e, fullTime)+turnNote(e))
	add("objective", clean(e.Objective))
	add("id", clean(e.ID))
	add("journey", clean(e.Journey))
	add("parent", clean(e.Parent))
	add("digests", digests(e))
	for _, line := range wrap(clean(e.Notes), w) {
		rows = append(rows, p.quote.Render(line))
	}
	return rows
}

func turnNote(e play.SaveEntry) string {
	if e.Turn == nil {
		return ""
	}
	return fmt.Sprintf(", turn %d", *e.Turn)
}

func digests(e play.SaveEntry) string {
	var parts []string
	for _, d := range []struct {
		name string
		v    emu.Digest
	}{{"state", e.StateSHA}, {"rom", e.ROMSHA256}, {"core", e.CoreSHA256}} {
		if d.v != "" {
			parts = append(parts, d.name+" "+clean(d.v.Short()))
		}
	}
	return strings.Join(parts, "  ")
}

// previewRows draw the kept picture as large as it fits in w × h cells.
func (b *browser) previewRows(p *palette, e play.SaveEntry, w, h int) []string {
	pic, have := b.pictures[e.ID]
	switch {
	case !have:
		return []string{p.muted.Render(cut("reading the picture…", w))}
	case pic.why != "":
		return []string{p.muted.Render(cut("no picture: "+pic.why, w))}
	}
	rows, ok := b.picture.fitted(pic.picture.Pix, w, h, b.shades)
	if !ok {
		return []string{p.muted.Render(cut("no picture was kept with this save", w))}
	}
	return rows
}
