package tui

import (
	"reflect"
	"strings"
)

// framed draws a pane: a rounded border with its name where there is room for
// one, else a rule with the name above the rows, else the rows alone. note is
// shown at the border's right end. The result has exactly r.h rows of r.w
// cells.
func (p *palette) framed(r rect, name, note string, body func(w, h int) []string) []string {
	w, h := inside(r)
	switch {
	case r.empty():
		return nil
	case bordered(r):
		return p.boxed(r.w, r.h, name, note, body(w, h), p.accent.Render, p.faint.Render)
	case r.h >= 3:
		rows := append([]string{p.rule(name, note, r.w)}, fill(body(w, h), w, h)...)
		for i := 1; i < len(rows); i++ {
			rows[i] = " " + rows[i]
		}
		return rows
	}
	return fill(body(r.w, r.h), r.w, r.h)
}

// bordered reports whether there is room for a border: it must not take as much
// as what is in it.
func bordered(r rect) bool { return r.w >= 24 && r.h >= 7 }

// inside returns the size of what a frame around r leaves for its pane.
func inside(r rect) (w, h int) {
	switch {
	case bordered(r):
		return r.w - 4, r.h - 2
	case r.h >= 3:
		return r.w - 1, r.h - 1
	}
	return r.w, r.h
}

// boxed draws a rounded border around rows.
func (p *palette) boxed(w, h int, name, note string, rows []string, ink, line func(...string) string) []string {
	inner := w - 4
	out := make([]string, 0, h)
	head := ""
	used := 0
	if name != "" {
		name = cut(name, inner-2)
		head, used = line("─ ")+ink(name)+" ", width(name)+3
	}
	tail, tailUsed := "", 0
	if note != "" {
		if note = cut(note, inner-used-2); width(note) > 2 {
			tail, tailUsed = " "+note+line(" ─"), width(note)+3
		}
	}
	out = append(out, line("╭")+head+line(strings.Repeat("─", max(w-2-used-tailUsed, 0)))+tail+line("╮"))
	side, sideR := line("│ "), line(" │")
	for _, r := range fill(rows, inner, h-2) {
		out = append(out, side+r+sideR)
	}
	return append(out, line("╰"+strings.Repeat("─", w-2)+"╯"))
}

// rule is the head of a pane without a border.
func (p *palette) rule(name, note string, w int) string {
	head := p.faint.Render("─ ") + p.accent.Render(cut(name, w-3)) + " "
	left := w - width(head)
	if note != "" && width(note)+3 <= left {
		return head + p.faint.Render(strings.Repeat("─", left-width(note)-1)) + " " + note
	}
	return fit(head+p.faint.Render(strings.Repeat("─", max(left, 0))), w)
}

// cached keeps a pane's rows until what it shows, its size or the colours
// change. Snapshots bring fresh values with equal content most of the time.
type cached struct {
	in   any
	r    rect
	pal  *palette
	rows []string
}

func (c *cached) get(in any, r rect, pal *palette, render func() []string) []string {
	if c.rows != nil && c.r == r && c.pal == pal && reflect.DeepEqual(c.in, in) {
		return c.rows
	}
	c.in, c.r, c.pal, c.rows = in, r, pal, render()
	return c.rows
}
