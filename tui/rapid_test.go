package tui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"clankie/emu"
	"clankie/play"
)

var anyKey = []string{
	"enter", "enter", "enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "pgup", "pgdown", "home", "end",
	"delete", "delete", "backspace", "space", "ctrl+c", "ctrl+u", "ctrl+d", "ctrl+r", "ctrl+w", "f1",
	"i", "i", "tab", ",", ".", "/", "?", "s", "S", "l", "l", "p", "n", "r", "t", "v", "m", "1", "0", "z", "x", "a", "é", "日", "q",
}

// TestAnything gives the program any sequence of keys, sizes and news. It
// never panics, never draws a row that is not as wide as the window, and
// deletes a save only when the last question named that save and its button
// was chosen.
func TestAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDriver(t, Options{})
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(0, 300).Draw(rt, "w"), Height: rapid.IntRange(0, 100).Draw(rt, "h")})
			case 1:
				d.send(newsMsg{update: anyUpdate(rt)})
			case 2:
				d.send(tea.PasteMsg{Content: anyText(rt)})
			case 3:
				k := keyNamed(rapid.SampledFrom(anyKey).Draw(rt, "released"))
				d.send(tea.KeyReleaseMsg(k))
			default:
				pressChecked(rt, d, rapid.SampledFrom(anyKey).Draw(rt, "key"))
			}
			checkScreen(rt, d)
		}
	})
}

// pressChecked presses a key and checks that what was deleted was confirmed.
func pressChecked(rt *rapid.T, d *driver, name string) {
	before := len(d.sitting.sent())
	named := ""
	if n := len(d.m.dialogs); n > 0 && name == "enter" {
		if c, ok := d.m.dialogs[n-1].(*choice); ok && c.title == "Delete for good" && c.at != 0 && c.options[c.at].danger {
			named = c.lines[0]
		}
	}
	d.press(name)
	for _, c := range d.sitting.sent()[before:] {
		if c.Kind == play.CommandDeleteSave && (named == "" || c.ID != named || c.Confirm != named) {
			rt.Fatalf("deleted %q; the question named %q", c.ID, named)
		}
	}
}

// checkScreen checks what every screen must be.
func checkScreen(rt *rapid.T, d *driver) {
	v := d.m.View()
	l := d.m.layout
	if l.w == 0 || l.h == 0 {
		if v.Content != "" {
			rt.Fatalf("a window without cells shows %q", v.Content)
		}
		return
	}
	rows := strings.Split(v.Content, "\n")
	if len(rows) != l.h {
		rt.Fatalf("%d rows in a window of %d", len(rows), l.h)
	}
	for y, row := range rows {
		if n := ansi.StringWidth(row); n != l.w {
			rt.Fatalf("row %d of %d×%d is %d wide: %q", y, l.w, l.h, n, ansi.Strip(row))
		}
		if n := ansi.StringWidthWc(row); n != l.w {
			rt.Fatalf("row %d of %d×%d is %d wide by characters: %q", y, l.w, l.h, n, ansi.Strip(row))
		}
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= l.w || c.Y >= l.h) {
		rt.Fatalf("the cursor is at %d,%d in %d×%d", c.X, c.Y, l.w, l.h)
	}
}

var nastyText = []string{
	"", "plain", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "a\nb\r\tc", "日本語テキスト", "👩‍👩‍👧‍👦 family", "🇩🇪 flag", "e\u0301\u0302\u0303\u0304",
	"\u202Eevil\u202C", "♂♀é’…", "\xff\xfe broken", "\u2028line", "1️⃣", "नमस्ते", strings.Repeat("long ", 200), "ﷺ", "\u0000nul", "\x9b31m",
}

func anyText(rt *rapid.T) string {
	if rapid.Bool().Draw(rt, "nasty") {
		return rapid.SampledFrom(nastyText).Draw(rt, "text")
	}
	return rapid.String().Draw(rt, "text")
}

func anyUpdate(rt *rapid.T) play.Update {
	s := fakeSnapshot(rapid.IntRange(0, 9).Draw(rt, "turn"))
	s.Paused, s.PadTaken = rapid.Bool().Draw(rt, "paused"), rapid.Bool().Draw(rt, "taken")
	s.Objective, s.Notes, s.PauseReason, s.Mind = anyText(rt), anyText(rt), anyText(rt), anyText(rt)
	s.State.Overworld.MapName = anyText(rt)
	s.State.Party.Members[1].Nickname = anyText(rt)
	s.State.Party.Members[1].Moves[0].Name = anyText(rt)
	c := &s.State.Party.Members[0]
	c.SpeciesName, c.NatureName, c.Ability, c.HeldName, c.Ailment = anyText(rt), anyText(rt), anyText(rt), anyText(rt), anyText(rt)
	s.State.Trainer.Name, s.State.Trainer.RivalName, s.State.Goals = anyText(rt), anyText(rt), []string{anyText(rt)}
	s.State.Inventory.Items[1].Name, s.State.Inventory.Items[1].Pocket = anyText(rt), anyText(rt)
	s.State.Scene.Screen = emu.Screen(anyText(rt))
	switch rapid.IntRange(0, 6).Draw(rt, "scene") {
	case 0:
		s.State = emu.State{Undecoded: map[string]string{"party": anyText(rt), "overworld": anyText(rt)}}
	case 1:
		s.State.Battle = fakeBattle()
		b := &s.State.Battle.Battlers[1]
		b.Nickname, b.OriginName, b.Transformed = anyText(rt), anyText(rt), true
		s.State.Battle.Kind = anyText(rt)
		s.State.Battle.Battlers[0].Matchups = []emu.Matchup{{Target: rapid.IntRange(-1, 4).Draw(rt, "target"), Moves: [4]float64{0, 0.25, 2, 4}}}
		s.State.Battle.Prompt = rapid.SampledFrom([]emu.Prompt{emu.PromptAction, emu.PromptMove, emu.PromptNone}).Draw(rt, "prompt")
	case 2:
		s.State.Dialog = &emu.Dialog{Lines: []string{anyText(rt), anyText(rt)}}
	case 3:
		s.State.Menu = &emu.Menu{Cursor: rapid.IntRange(-1, 5).Draw(rt, "cursor"), Entries: []emu.MenuEntry{{ID: "a", Label: anyText(rt)}}, Prompt: []string{anyText(rt)}}
	case 4:
		s.State.Naming = &emu.Naming{Text: anyText(rt), Page: "upper"}
	case 5:
		s.Picture = emu.Picture{Pix: s.Picture.Pix, Stale: true}
	}
	e := fakeTurn(rapid.IntRange(0, 9).Draw(rt, "event"))
	e.Turn.Thought, e.Turn.Effect = anyText(rt), anyText(rt)
	u := play.Update{Events: []play.Event{e, {Kind: play.EventNotice, Text: anyText(rt)}}}
	if rapid.IntRange(0, 9).Draw(rt, "snapshot") > 0 {
		u.Snapshot = s
	}
	return u
}

// TestEnterNeverDeletes: whatever was typed before, any number of Enter
// presses after Delete keeps every save.
func TestEnterNeverDeletes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDriver(t, Options{})
		d.press("l")
		for range rapid.IntRange(0, 5).Draw(rt, "moves") {
			d.press(rapid.SampledFrom([]string{"down", "up", "pgdown", "end", "b", "backspace"}).Draw(rt, "move"))
		}
		d.press("delete")
		for range rapid.IntRange(1, 12).Draw(rt, "enters") {
			d.press("enter")
		}
		for _, c := range d.sitting.sent() {
			if c.Kind == play.CommandDeleteSave {
				rt.Fatalf("a run of Enter deleted %s", c.ID)
			}
		}
	})
}

// TestClean: nothing that moves the cursor survives, both ways of measuring
// agree, and cleaning twice changes nothing.
func TestClean(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := clean(anyText(rt))
		for _, r := range s {
			if r < 0x20 || r >= 0x7F && r < 0xA0 || r == '\u202E' || r == '\u2028' {
				rt.Fatalf("%q keeps %U", s, r)
			}
		}
		if a, b := ansi.StringWidth(s), ansi.StringWidthWc(s); a != b {
			rt.Fatalf("%q is %d or %d wide", s, a, b)
		}
		if again := clean(s); again != s {
			rt.Fatalf("cleaned again %q becomes %q", s, again)
		}
		w := rapid.IntRange(0, 40).Draw(rt, "w")
		if n := width(fit(s, w)); n != w {
			rt.Fatalf("fit(%q, %d) is %d wide", s, w, n)
		}
	})
}

// TestLayoutHolds: rectangles lie inside the window and do not overlap.
func TestLayoutHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(-5, 400).Draw(rt, "w"), rapid.IntRange(-5, 150).Draw(rt, "h")
		details := rapid.Bool().Draw(rt, "details")
		l := newLayout(w, h, rapid.Bool().Draw(rt, "bigFeed"), details)
		rects := []rect{l.title, l.picture, l.field, l.details, l.party, l.dialog, l.mind, l.feed, l.command, l.hints}
		for i, a := range rects {
			if a.empty() {
				continue
			}
			if a.x < 0 || a.y < 0 || a.x+a.w > w || a.y+a.h > h {
				rt.Fatalf("%+v lies outside %d×%d", a, w, h)
			}
			for _, b := range rects[:i] {
				if !b.empty() && a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
					rt.Fatalf("%+v and %+v overlap in %d×%d", a, b, w, h)
				}
			}
		}
		if !l.tooSmall && l.feed.empty() && l.details.empty() {
			rt.Fatalf("neither feed nor details in %d×%d", w, h)
		}
		if !l.tooSmall && details == l.details.empty() {
			rt.Fatalf("details wanted: %v, in %+v", details, l.details)
		}
	})
}

var errOnPurpose = errors.New("disk_full: no space left — 0 bytes free")
