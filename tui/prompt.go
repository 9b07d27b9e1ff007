package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// keptHistory bounds the lines that up and down go through.
const keptHistory = 200

// prompt is the line that commands are typed on, with its history and what
// the line could be completed to.
type prompt struct {
	open bool
	line editor

	history []string // oldest first
	back    int      // 0: the line itself, 1: the newest of history, ...
	draft   string   // what was typed before going back

	offers []suggestion
	offer  int // the one Tab took last, or -1
}

func (p *prompt) start(text string) {
	p.open = true
	p.line.set(text)
	p.back, p.draft = 0, ""
	p.offer = -1
}

func (p *prompt) stop() {
	p.open = false
	p.line.set("")
	p.offers = nil
}

// remember adds a line to the history, once when it is repeated.
func (p *prompt) remember(line string) {
	if line == "" || len(p.history) > 0 && p.history[len(p.history)-1] == line {
		return
	}
	p.history = append(p.history, line)
	if len(p.history) > keptHistory {
		p.history = append(p.history[:0:0], p.history[1:]...)
	}
}

// recall goes d lines back in history, or forward when d is negative.
func (p *prompt) recall(d int) {
	to := min(max(p.back+d, 0), len(p.history))
	if to == p.back {
		return
	}
	if p.back == 0 {
		p.draft = p.line.value()
	}
	p.back = to
	if to == 0 {
		p.line.set(p.draft)
	} else {
		p.line.set(p.history[len(p.history)-to])
	}
}

// complete takes the next offer; the first Tab takes as much as all offers
// have in common when that is more than was typed.
func (p *prompt) complete(d int) {
	n := len(p.offers)
	if n == 0 {
		return
	}
	if p.offer < 0 && n > 1 {
		if c := commonPrefix(p.offers); len(c) > len(p.line.value()) && strings.HasPrefix(c, p.line.value()) {
			p.line.set(c)
			return
		}
	}
	switch {
	case p.offer >= 0:
		p.offer = (p.offer + d + n) % n
	case d < 0:
		p.offer = n - 1
	default:
		p.offer = 0
	}
	p.line.set(p.offers[p.offer].text)
}

func commonPrefix(s []suggestion) string {
	c := s[0].text
	for _, o := range s[1:] {
		for !strings.HasPrefix(o.text, c) {
			c = c[:len(c)-1]
		}
	}
	return c
}

// promptKey handles a key while a line is typed.
func (m *model) promptKey(k tea.Key) tea.Cmd {
	p := &m.prompt
	switch k.Keystroke() {
	case "esc", "ctrl+c":
		p.stop()
	case "enter":
		return m.submit()
	case "up", "ctrl+p":
		p.recall(1)
		return m.offer()
	case "down", "ctrl+n":
		p.recall(-1)
		return m.offer()
	case "tab":
		p.complete(1)
		if len(p.offers) == 1 {
			return m.offer()
		}
	case "shift+tab":
		p.complete(-1)
	case "pgup", "pgdown":
		m.scrollFeed(k)
	case "backspace":
		if p.line.value() == "" {
			p.stop()
			return nil
		}
		fallthrough
	default:
		if p.line.key(k) {
			p.back = 0
			return m.offer()
		}
	}
	return nil
}

// offer finds completions for the line as it is now. The list of saves is
// read once when a line comes to need it.
func (m *model) offer() tea.Cmd {
	p := &m.prompt
	p.offers, p.offer = m.suggestionsFor(p.line.value()), -1
	if strings.HasPrefix(p.line.value(), "/load ") && !m.savesRead {
		m.savesRead = true
		return m.listSaves()
	}
	return nil
}

func (m *model) submit() tea.Cmd {
	line := strings.TrimSpace(m.prompt.line.value())
	m.prompt.stop()
	if line == "" || line == "/" {
		return nil
	}
	m.prompt.remember(line)
	return m.runLine(line)
}

// offerBox draws the completions above the line.
func (p *prompt) offerBox(pal *palette, w, h int) []string {
	n := min(len(p.offers), h-2, 8)
	if n <= 0 || !p.open || w < 24 {
		return nil
	}
	bw := min(w, 72)
	textW := 0
	for _, o := range p.offers {
		textW = max(textW, width(o.text))
	}
	textW = min(textW+2, (bw-6)*3/5)
	start, n := window(len(p.offers), n, max(p.offer, 0))
	var rows []string
	for i := start; i < start+n; i++ {
		o := p.offers[i]
		if i == p.offer {
			rows = append(rows, pal.chosen.Render(fit("▸ "+fit(o.text, textW)+o.note, bw-4)))
			continue
		}
		rows = append(rows, "  "+pal.text.Render(fit(o.text, textW))+pal.muted.Render(o.note))
	}
	note := ""
	if n < len(p.offers) {
		note = pal.muted.Render(fmt.Sprintf("%d–%d of %d", start+1, start+n, len(p.offers)))
	}
	return pal.boxed(bw, n+2, "Tab completes", note, rows, pal.muted.Render, pal.faint.Render)
}
