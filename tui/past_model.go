package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/play"
)

// pastMsg brings a turn that is over.
type pastMsg struct {
	want play.PastPlace
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

// parsePast reads which turn is meant: nothing for the last one, a number for
// one of this sitting, or the id of a run of the journey, or its beginning,
// with a number or without. last is the newest turn of this sitting, or -1.
func parsePast(arg string, last int) (play.PastPlace, error) {
	words := strings.Fields(arg)
	at := play.PastPlace{Turn: play.LastTurn}
	switch {
	case len(words) == 0 && last >= 0:
		return play.PastPlace{Turn: last}, nil
	case len(words) == 0:
		at.Back = 1
		return at, nil
	}
	turn, err := strconv.Atoi(words[len(words)-1])
	switch {
	case len(words) == 1 && err != nil:
		at.Run = words[0]
		return at, nil
	case len(words) > 2 || err != nil || turn < 0 || len(words) == 1 && turn > last:
		return at, whichTurn(last)
	case len(words) == 2:
		at.Run = words[0]
	}
	at.Turn = turn
	return at, nil
}

func whichTurn(last int) error {
	if last < 0 {
		return errors.New("no turn of this sitting is over yet; /goto alone shows the last one before it")
	}
	return fmt.Errorf("which turn? /goto 0 to %d, or /goto run turn for another sitting of the journey", last)
}

func runGoto(m *model, arg string) tea.Cmd {
	at, err := parsePast(arg, m.lastTurn())
	if err != nil {
		m.refuse("goto", err.Error())
		return nil
	}
	m.push(newPast(at, m.lastTurn(), m.shades))
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
	ctx, s, want := m.ctx, m.sitting, d.want
	return guarded(workPast, func() tea.Msg {
		p, err := s.PastTurn(ctx, want)
		return pastMsg{want, p, err}
	})
}

func (m *model) visited(msg pastMsg) tea.Cmd {
	m.visiting = false
	if d := m.past(); d != nil {
		d.came(msg)
	}
	return m.fetchPast()
}
