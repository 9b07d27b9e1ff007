package tui

import (
	"strings"

	"clankie/emu"
)

// sceneSheet is what the game shows: which screen, what is said, what can be
// chosen, what is typed.
type sceneSheet struct {
	noEntries
	scene  emu.Scene
	dialog dialogInput
	absent []string // parts that were not read, and why
}

func sceneOf(s seen) sheet {
	t := sceneSheet{scene: s.State.Scene, dialog: dialogOf(&s.State)}
	for _, part := range []string{"dialog", "menu", "naming"} {
		if why := s.State.Undecoded[part]; why != "" {
			t.absent = append(t.absent, part+": "+clean(why))
		}
	}
	return t
}

func (t sceneSheet) rows(p *palette, _, w, _ int) []string {
	f := facts{p: p, w: w, name: 8}
	f.add("screen", screenName(t.scene.Screen))
	f.add("moment", strings.ReplaceAll(clean(string(t.scene.Mode)), "_", " "))
	f.add("input", t.input())
	if d := t.dialog.dialog; d != nil {
		f.head("Text, " + reveal(d))
		f.rows = append(f.rows, p.speech(d.Lines, w, len(d.Lines)*maxClean)...)
	}
	if n := t.dialog.naming; n != nil {
		f.head("Keyboard")
		f.rows = append(f.rows, p.keyboard(n, w)...)
	}
	if m := t.dialog.menu; m != nil {
		f.head("Menu " + clean(m.ID))
		if t.dialog.dialog == nil {
			f.rows = append(f.rows, p.speech(m.Prompt, w, len(m.Prompt)*maxClean)...)
		}
		f.rows = append(f.rows, p.menuRows(m, w, len(m.Entries))...)
	}
	if len(t.absent) > 0 {
		f.rows = append(f.rows, "")
		for _, why := range t.absent {
			f.rows = append(f.rows, wrapped(p.muted.Render, why, w)...)
		}
	}
	return f.rows
}

func (t sceneSheet) input() string {
	switch {
	case t.scene.WaitingForDialogAdvance:
		return "A or B reads on"
	case t.scene.InputReady:
		return "taken now"
	}
	return "not taken now"
}

// reveal says how much of a text is on screen.
func reveal(d *emu.Dialog) string {
	switch {
	case d.Waiting:
		return "waits for A"
	case d.Printing:
		return "letters still appear"
	}
	return "all of it shown"
}

// screenNames are those that do not read well as they are.
var screenNames = map[emu.Screen]string{
	"overworld": "the field", "dialog": "text in the field", "yes_no": "yes or no", "multichoice": "a choice", "list": "a list",
	"tm_case": "TM case", "pc": "PC", "pc_storage": "storage", "pc_items": "PC items", "pokedex": "Pokédex", "title": "title screen",
	"intro": "opening", "naming": "naming screen", "summary": "summary screen", "pokeblocks": "Pokéblocks", "unknown": "not known",
}

// screenName is a screen in words.
func screenName(s emu.Screen) string {
	if name := screenNames[s]; name != "" {
		return name
	}
	return or(clean(strings.ReplaceAll(string(s), "_", " ")), "not known")
}
