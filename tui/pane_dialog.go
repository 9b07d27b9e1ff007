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
	scene  emu.Scene
	why    string
}

func dialogOf(s *emu.State) dialogInput {
	in := dialogInput{menu: s.Menu, naming: s.Naming, scene: s.Scene}
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
	return p.framed(r, in.name(), p.dialogNote(in.dialog), func(w, h int) []string { return p.dialogRows(in, w, h) })
}

// name is what is open, or else which screen the game shows when that is not
// the field.
func (in dialogInput) name() string {
	screen := screenName(in.scene.Screen)
	switch {
	case in.naming != nil:
		return "Naming"
	case in.menu != nil && in.dialog == nil && overField(in.scene.Screen):
		return "Menu"
	case in.menu != nil && in.dialog == nil:
		return "Menu · " + screen
	case in.dialog == nil && !overField(in.scene.Screen):
		return "Scene · " + screen
	}
	return "Dialogue"
}

// overField reports whether a screen needs no name: it is the field, or the
// panes show what it is.
func overField(s emu.Screen) bool {
	switch s {
	case "", "unknown", "overworld", "dialog", "battle", "transition", "cutscene":
		return true
	}
	return false
}

// dialogNote says how much of a text is on screen, while it is not all of it
// or something is waited for.
func (p *palette) dialogNote(d *emu.Dialog) string {
	switch {
	case d == nil:
		return ""
	case d.Waiting:
		return p.accent.Render(reveal(d))
	case d.Printing:
		return p.muted.Render(reveal(d))
	}
	return ""
}

// namedThings are what the naming screen names, by its template.
var namedThings = [...]string{"your own name", "a box's name", "the caught one's name", "a nickname", "the rival's name"}

// keyboard is the naming screen in rows.
func (p *palette) keyboard(n *emu.Naming, w int) []string {
	rows := []string{
		cut(p.strong.Render(clean(n.Text))+p.accent.Render("▏"), w),
		p.muted.Render(cut(fmt.Sprintf("keyboard: %s, row %d, column %d", clean(n.Page), n.Row+1, n.Column+1), w)),
	}
	what := "a name"
	if n.Template >= 0 && n.Template < len(namedThings) {
		what = namedThings[n.Template]
	}
	if n.Limit > 0 {
		what += fmt.Sprintf(", at most %d letters", n.Limit)
	}
	if n.Loading {
		what += ", the keyboard does not answer yet"
	}
	return append(rows, wrapped(p.muted.Render, what, w)...)
}

func (p *palette) dialogRows(in dialogInput, w, h int) []string {
	var rows []string
	if in.naming != nil {
		rows = append(rows, p.keyboard(in.naming, w)...)
	}
	if in.dialog != nil {
		rows = append(rows, p.speech(in.dialog.Lines, w, h)...)
	} else if in.menu != nil {
		rows = append(rows, p.speech(in.menu.Prompt, w, h/2)...)
	}
	if in.menu != nil {
		rows = append(rows, p.menuRows(in.menu, w, h-len(rows))...)
	}
	if len(rows) == 0 {
		return p.absent(in.why, w)
	}
	return rows
}

// speech shows the last h rows of what is said: the end is what is on screen.
func (p *palette) speech(lines []string, w, h int) []string {
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
