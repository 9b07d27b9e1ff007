package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// plainWidth is how wide pages are in lines, in cells: so narrow that nothing
// stands side by side, which would be read out mixed.
const plainWidth = 56

// mostTold is of how many entries everything is told unasked.
const mostTold = 6

// squeezed is a row without styles and without the blanks that line it up.
func squeezed(row string) string { return strings.Join(strings.Fields(ansi.Strip(row)), " ") }

// page words a page of details: of one entry when arg names one, else of all.
func (p *plain) page(n int, arg string) {
	if p.snap == nil {
		p.say("! /%s: the sitting has not started yet", pages[n].command)
		return
	}
	in := seen{Snapshot: p.snap}
	if n == pageBoxes {
		got, err := p.sitting.Boxes(p.ctx)
		if in.boxes.got = &got; err != nil {
			in.boxes = readBoxes{why: clean(err.Error())}
		}
	}
	of := pages[n].of(in)
	names := of.names()
	at, ok := findEntry(names, arg)
	switch {
	case len(names) == 0 || arg != "" && ok:
		p.rows(of, at)
	case !ok:
		p.say("! %s", whichEntry(n, names))
	case len(names) > mostTold:
		for i := range names {
			p.say("%s %d of %d: %s", pages[n].title, i+1, len(names), squeezed(of.entry(newPalette(true), i, plainWidth)))
		}
		p.say("/%s and a number tells of one", pages[n].command)
	default:
		for i, name := range names {
			p.say("%s %d of %d: %s", pages[n].title, i+1, len(names), name)
			p.rows(of, i)
		}
	}
}

// rows prints what a page tells of an entry. Screen readers spell drawings
// out, so there are none.
func (p *plain) rows(of sheet, at int) {
	pal := newPalette(true)
	pal.spoken = true
	for _, row := range of.rows(pal, at, plainWidth, plainWidth) {
		if row = strings.TrimSpace(ansi.Strip(row)); row != "" {
			p.say("  %s", row)
		}
	}
}
