package tui

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"clankie/play"
)

// pastMsg brings a turn that is over.
type pastMsg struct {
	turn int
	past play.PastTurn
	err  error
}

// past returns the open dialog of a turn that is over, or nil.
func (m *model) past() *past {
	for _, d := range m.dialogs {
		if d, ok := d.(*past); ok {
			return d
		}
	}
	return nil
}

// lastTurn is the newest turn that is over, or -1.
func (m *model) lastTurn() int {
	if m.snap == nil {
		return -1
	}
	return m.snap.Turn - 1
}

func (m *model) whyNoPast() string {
	if m.lastTurn() < 0 {
		return "no turn is over yet"
	}
	return ""
}

func runGoto(m *model, arg string) tea.Cmd {
	turn, err := m.lastTurn(), error(nil)
	if arg != "" {
		turn, err = strconv.Atoi(arg)
	}
	if err != nil || turn < 0 || turn > m.lastTurn() {
		m.fail(fmt.Sprintf("which turn? /goto 0 to %d", m.lastTurn()))
		return nil
	}
	m.push(newPast(turn, m.lastTurn(), m.shades))
	return m.fetchPast()
}

// gotoSuggestions are the newest turns, with what was done in them.
func (m *model) gotoSuggestions() []suggestion {
	const shown = 30
	var out []suggestion
	for i := len(m.feed.entries) - 1; i >= 0 && len(out) < shown; i-- {
		if t := m.feed.entries[i].Turn; t != nil {
			out = append(out, suggestion{strconv.Itoa(t.Turn), t.Action})
		}
	}
	return out
}

// fetchPast fetches the turn that the dialog wants, one at a time: whoever
// runs along the turns does not play them all again.
func (m *model) fetchPast() tea.Cmd {
	d := m.past()
	if d == nil || m.visiting || !d.wanted() {
		return nil
	}
	m.visiting = true
	ctx, s, turn := m.ctx, m.sitting, d.turn
	return guarded(workPast, func() tea.Msg {
		p, err := s.PastTurn(ctx, turn)
		return pastMsg{turn, p, err}
	})
}

func (m *model) visited(msg pastMsg) tea.Cmd {
	m.visiting = false
	if d := m.past(); d != nil {
		d.came(msg)
	}
	return m.fetchPast()
}
