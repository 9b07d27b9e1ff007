package tui

import (
	"fmt"

	"clankie/emu"
)

// dialogInput is what the dialogue pane shows: a message box, a menu or the
// naming screen, whichever is open.
type dialogInput struct {
	dialog *emu.Dialog
	menu   *emu.Menu
	naming *emu.Naming
	mode   emu.Mode
	why    string
}

func dialogOf(s *emu.State) dialogInput {
	in := dialogInput{menu: s.Menu, naming: s.Naming, mode: s.Scene.Mode}
	if s.Dialog != nil {
		d := *s.Dialog
		d.Progress = 0 // moves with every printed letter and is not shown
		in.dialog = &d
	}
	in.why = absence(s, "dialog", "nobody is speaking")
	if s.Scene.Mode == emu.ModeCutscene {
		in.why = "a scene plays: the controls are held"
	}
	return in
}

func (p *palette) dialogPane(in dialogInput, r rect) []string {
	name, note := "Dialogue", ""
	switch {
	case in.naming != nil:
		name = "Naming"
	case in.menu != nil && in.dialog == nil:
		name = "Menu"
	}
	if in.dialog != nil && in.dialog.Waiting {
		note = p.accent.Render("waits for A")
	}
	return p.framed(r, name, note, func(w, h int) []string { return p.dialogRows(in, w, h) })
}

func (p *palette) dialogRows(in dialogInput, w, h int) []string {
	var rows []string
	if in.naming != nil {
		typed := p.strong.Render(clean(in.naming.Text)) + p.accent.Render("▏")
		rows = append(rows, cut(typed, w), p.muted.Render(cut(fmt.Sprintf("keyboard: %s, row %d, column %d", clean(in.naming.Page), in.naming.Row, in.naming.Column), w)))
	}
	if in.dialog != nil {
		rows = append(rows, p.spoken(in.dialog.Lines, w, h)...)
	} else if in.menu != nil {
		rows = append(rows, p.spoken(in.menu.Prompt, w, h/2)...)
	}
	if in.menu != nil {
		rows = append(rows, p.menuRows(in.menu, w, h-len(rows))...)
	}
	if len(rows) == 0 {
		return p.absent(in.why, w)
	}
	return rows
}

// spoken shows the last h rows of what is said: the end is what is on screen.
func (p *palette) spoken(lines []string, w, h int) []string {
	var rows []string
	for _, l := range lines {
		for _, line := range wrap(clean(l), w) {
			rows = append(rows, p.text.Render(line))
		}
	}
	if len(rows) > h {
		rows = rows[len(rows)-max(h, 0):]
	}
	return rows
}

func (p *palette) menuRows(m *emu.Menu, w, h int) []string {
	start, n := window(len(m.Entries), h, m.Cursor)
	var rows []string
	for i := start; i < start+n; i++ {
		label := clean(m.Entries[i].Label)
		if i == m.Cursor {
			rows = append(rows, p.accent.Render(cut("▸ "+label, w)))
		} else {
			rows = append(rows, p.muted.Render(cut("  "+label, w)))
		}
	}
	return rows
}

// mindInput is what the mind pane shows.
type mindInput struct{ mind, objective, notes string }

func (p *palette) mindPane(in mindInput, r rect) []string {
	return p.framed(r, "Mind", p.muted.Render(clean(in.mind)), func(w, h int) []string {
		rows := p.absent("no objective", w)
		if in.objective != "" {
			rows = nil
			for _, line := range wrap(clean(in.objective), w) {
				rows = append(rows, p.text.Render(line))
			}
		}
		for _, line := range wrap(clean(in.notes), w) {
			rows = append(rows, p.quote.Render(line))
		}
		return rows
	})
}
