package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/play"
)

// binding is one key of the program while nothing is typed and no dialog is
// open. A binding whose why answers is disabled; pressing it says so.
type binding struct {
	keys []string
	show string // how hints and help name the key
	word string // for the hint line; "" leaves it out
	help string
	why  func(m *model) string
	run  func(m *model) tea.Cmd
}

// detailsKeyName is the key that opens and closes the details.
const detailsKeyName = "i"

// bindings lists every key, the most useful first: the hint line shows as
// many as fit.
var bindings []binding

func init() {
	send := func(kind play.CommandKind) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.send(play.Command{Kind: kind}) }
	}
	speed := func(s play.Speed) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.send(play.Command{Kind: play.CommandSpeed, Speed: s}) }
	}
	typing := func(text string) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.prompt.start(text); return m.offer() }
	}
	bindings = []binding{
		{[]string{"space"}, "space", "pause", "pause, or go on", (*model).whyEnded, (*model).togglePause},
		{[]string{"p"}, "p", "pad", "take the pad and play by hand", (*model).whyEnded, (*model).takePad},
		{[]string{"s"}, "s", "save", "make a save", (*model).whyEnded, send(play.CommandSave)},
		{[]string{"l"}, "l", "saves", "look through the saves, load or delete one", (*model).whyEnded, (*model).openBrowser},
		{[]string{detailsKeyName}, detailsKeyName, "details", "trainer, party, bag, boxes, battle, map and scene in full", nil, func(m *model) tea.Cmd { m.toggleDetails(); return nil }},
		{[]string{"/"}, "/", "command", "type a command", nil, typing("/")},
		{[]string{"?", "f1", "h"}, "?", "help", "this help", nil, func(m *model) tea.Cmd { m.push(newHelp(m.minds())); return nil }},
		{[]string{"t"}, "t", "say", "say something to the mind", (*model).whyEnded, typing("/say ")},
		{[]string{"n"}, "n", "step", "play one turn, then pause again", (*model).whyNoStep, send(play.CommandStep)},
		{[]string{"q"}, "q", "quit", "leave", nil, (*model).quit},
		{[]string{"v"}, "v", "view", "show or hide the picture", nil, func(m *model) tea.Cmd { m.toggleView(); return nil }},
		{[]string{"S"}, "S", "", "make a save with a label", (*model).whyEnded, typing("/save ")},
		{[]string{"r"}, "r", "", "restart the game (asks first)", (*model).whyEnded, func(m *model) tea.Cmd { m.push(newRestartDialog()); return nil }},
		{[]string{"m"}, "m", "", "choose who decides", (*model).whyEnded, typing("/mind ")},
		{[]string{"1"}, "1", "", "the machine's own speed", (*model).whyEnded, speed(play.Speed1)},
		{[]string{"2"}, "2", "", "double speed", (*model).whyEnded, speed(play.Speed2)},
		{[]string{"4"}, "4", "", "four times the speed", (*model).whyEnded, speed(play.Speed4)},
		{[]string{"0"}, "0", "", "as fast as it goes", (*model).whyEnded, speed(play.SpeedMax)},
		{[]string{"ctrl+l"}, "ctrl+l", "", "draw the screen again", nil, func(*model) tea.Cmd { return tea.ClearScreen }},
		{[]string{"ctrl+z"}, "ctrl+z", "", "put the program in the background", nil, func(*model) tea.Cmd { return tea.Suspend }},
	}
}

// watchKey handles a key while the operator only watches.
func (m *model) watchKey(k tea.Key) tea.Cmd {
	name := k.Keystroke()
	if k.Text != "" && k.Text != " " {
		name = k.Text // what was typed, however the keyboard makes it
	}
	if m.details.open && m.detailsKey(name) {
		return nil
	}
	switch name {
	case "pgup", "pgdown", "up", "down", "home", "end", "shift+up", "shift+down":
		m.scrollFeed(k)
		return nil
	case "ctrl+c":
		return m.quit()
	case "esc":
		m.feed.toEnd()
		return nil
	case "tab":
		m.toggleDetails()
		return nil
	}
	for _, b := range bindings {
		for _, key := range b.keys {
			if key == name {
				return m.press(b)
			}
		}
	}
	return nil
}

func (m *model) press(b binding) tea.Cmd {
	if b.why != nil {
		if why := b.why(m); why != "" {
			m.fail(b.show + ": " + why)
			return nil
		}
	}
	return b.run(m)
}

// scrollFeed moves through the feed. Terminals turn the wheel into up and
// down while nobody captures the mouse, so those scroll too.
func (m *model) scrollFeed(k tea.Key) {
	w, h := inside(m.layout.feed)
	switch k.Keystroke() {
	case "pgup":
		m.feed.scroll(-max(h-1, 1), w, h)
	case "pgdown":
		m.feed.scroll(max(h-1, 1), w, h)
	case "up", "shift+up":
		m.feed.scroll(-1, w, h)
	case "down", "shift+down":
		m.feed.scroll(1, w, h)
	case "home":
		m.feed.toStart(w, h)
	case "end":
		m.feed.toEnd()
	}
}

// The reasons why something cannot be done now.

func (m *model) whyEnded() string {
	switch {
	case m.ended:
		return "the sitting has ended"
	case m.snap == nil:
		return "the sitting has not started yet"
	}
	return ""
}

func (m *model) whyNoStep() string {
	if why := m.whyEnded(); why != "" {
		return why
	}
	if !m.snap.Paused {
		return "step works while paused; space pauses"
	}
	return ""
}

// hint is a key and what it does; why dims it.
type hint struct{ key, word, why string }

// hints are the keys worth showing now.
func (m *model) hints() []hint {
	if m.pad.on {
		out := []hint{
			{"arrows", "move", ""},
			{"z", "A", ""},
			{"x", "B", ""},
			{"enter", "Start", ""},
			{"bksp", "Select", ""},
			{"a", "L", ""},
			{"s", "R", ""},
			{"space", m.pauseWord(), ""},
			{"esc", "give the pad back", ""},
		}
		return append(out, hint{"tab", "details", ""})
	}
	if m.prompt.open {
		return []hint{{"enter", "do it", ""}, {"tab", "complete", ""}, {"↑ ↓", "history", ""}, {"esc", "leave the line", ""}}
	}
	var out []hint
	if m.details.open {
		out = []hint{{"tab", "next page", ""}, {"↑ ↓", m.details.arrowWord(), ""}, {"pgdn", "scroll", ""}, {"esc", "close", ""}}
	}
	for _, b := range bindings {
		if b.word == "" || m.details.open && b.show == detailsKeyName {
			continue
		}
		h := hint{key: b.show, word: b.word}
		if b.show == "space" {
			h.word = m.pauseWord()
		}
		if b.why != nil {
			h.why = b.why(m)
		}
		out = append(out, h)
	}
	return out
}

func (m *model) pauseWord() string {
	if m.snap != nil && m.snap.Paused {
		return "go on"
	}
	return "pause"
}

// hintLine shows as many hints as fit in w cells.
func (p *palette) hintLine(hints []hint, w int) string {
	var b strings.Builder
	used := 0
	for _, h := range hints {
		n := width(h.key) + 1 + width(h.word)
		if used > 0 {
			n += 3
		}
		if used+n > w {
			break
		}
		if used > 0 {
			b.WriteString(p.faint.Render(" · "))
		}
		used += n
		if h.why != "" {
			b.WriteString(p.faint.Render(h.key + " " + h.word))
			continue
		}
		b.WriteString(p.key.Render(h.key) + " " + p.muted.Render(h.word))
	}
	return fit(b.String(), w)
}

// newHelp lists keys and commands.
func newHelp(minds mindNames) dialog {
	return &listing{title: "Keys and commands", rows: func(p *palette, w int) []string { return helpRows(p, w, minds) }}
}

func helpRows(p *palette, w int, minds mindNames) []string {
	h := help{p: p, w: w}
	h.head("While watching")
	for _, b := range bindings {
		h.row(b.show, b.help)
	}
	h.row("↑ ↓ PgUp PgDn wheel", "read back in the decisions")
	h.row("Home End", "the oldest and the newest decision")
	h.head("With the details open")
	h.row("tab  shift+tab  ← →", "the next page, the one before")
	h.row("↑ ↓   ,  .", "choose a member, a pocket, a battler; else scroll")
	h.row("PgUp PgDn", "scroll; Home and End too")
	h.row("v", "more room for them: hide the picture")
	h.row("esc  i", "close them; every other key does what it always does")
	h.note("With the pad in hand: tab, comma, full stop, PgUp, PgDn.")
	h.head("With the pad in hand")
	h.row("arrows", "the directional pad")
	h.row("z  x", "A and B")
	h.row("enter  backspace", "Start and Select")
	h.row("a  s", "the shoulder buttons L and R")
	h.row("space", "pause, or go on")
	h.row("esc", "give the pad back to the mind")
	h.note("A tap holds a button for a fixed time. Where the terminal reports key releases, a button that stays down is pressed again turn after turn.")
	h.head("On the map")
	h.row("@  D  o  !", "you, a tile that leads elsewhere, a person or thing, a sign")
	h.row("·  ▒  ¦", "a free tile, one that cannot be walked on, one shut on a side")
	h.row("v ^ < >", "a ledge, and the way it is jumped")
	h.row("↑ ↓ ← →", "beside D: press that way to leave; alone: the map leads on there")
	h.row(`"  ~  ≈`, "tall grass, water, water that carries you on")
	h.row("%  x  =  *  :", "a spinner, what stops it, a tile that moves you, ice, thin ice")
	h.head("Commands, typed after /")
	for _, c := range slashes {
		h.row(strings.TrimSpace("/"+c.names[0]+" "+c.args), c.about(minds))
	}
	h.rows = append(h.rows, "")
	h.note("A line without a slash is said to the mind.")
	return h.rows
}

// help gathers rows of w cells. Nothing in them is cut: what does not fit goes
// on below.
type help struct {
	p    *palette
	w    int
	rows []string
}

// The columns of help, and the width from which there are two.
const (
	helpKeys     = 20
	helpTwoWide  = 48
	helpIndented = 2
)

func (h *help) head(name string) {
	if len(h.rows) > 0 {
		h.rows = append(h.rows, "")
	}
	h.rows = append(h.rows, wrapped(h.p.accent.Render, name, h.w)...)
}

func (h *help) note(text string) {
	h.rows = append(h.rows, wrapped(h.p.muted.Render, text, h.w)...)
}

func (h *help) row(key, what string) {
	if h.w < helpTwoWide {
		h.rows = append(h.rows, wrapped(h.p.key.Render, key, h.w)...)
		for _, line := range wrap(what, h.w-helpIndented) {
			h.rows = append(h.rows, blanks(helpIndented)+h.p.text.Render(line))
		}
		return
	}
	for i, line := range wrap(what, h.w-helpKeys-1) {
		if i > 0 {
			key = ""
		}
		h.rows = append(h.rows, h.p.key.Render(fit(key, helpKeys))+" "+h.p.text.Render(line))
	}
}
