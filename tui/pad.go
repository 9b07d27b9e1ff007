package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/play"
)

// pressesAhead is how many presses may wait for the game. More would go on
// playing after the fingers have stopped.
const pressesAhead = 2

// pad is the operator's hold on the game.
type pad struct {
	on   bool // the operator's keys are buttons
	seen bool // a snapshot has said so since it was taken

	releases bool         // the terminal reports that keys go up
	held     []emu.Button // down now, oldest first; only where releases are reported
	waiting  int          // presses sent whose turns have not settled
	turn     int          // turns settled when last looked
}

// padButton is the button a key stands for.
func padButton(k tea.Key) (emu.Button, bool) {
	switch k.Code {
	case tea.KeyUp:
		return emu.ButtonUp, true
	case tea.KeyDown:
		return emu.ButtonDown, true
	case tea.KeyLeft:
		return emu.ButtonLeft, true
	case tea.KeyRight:
		return emu.ButtonRight, true
	case tea.KeyEnter:
		return emu.ButtonStart, true
	case tea.KeyBackspace:
		return emu.ButtonSelect, true
	case 'z', 'Z':
		return emu.ButtonA, true
	case 'x', 'X':
		return emu.ButtonB, true
	case 'a', 'A':
		return emu.ButtonL, true
	case 's', 'S':
		return emu.ButtonR, true
	}
	return "", false
}

func (m *model) takePad() tea.Cmd {
	return m.send(play.Command{Kind: play.CommandTakePad})
}

func (m *model) padTaken() {
	m.pad = pad{on: true, turn: m.turns(), releases: m.pad.releases}
	m.feed.toEnd()
}

func (m *model) givePad() tea.Cmd {
	m.pad = pad{releases: m.pad.releases}
	if m.ended {
		return nil
	}
	return m.send(play.Command{Kind: play.CommandGivePad})
}

func (m *model) turns() int {
	if m.snap == nil {
		return 0
	}
	return m.snap.Turn
}

// padKey handles a key while the operator has the pad.
func (m *model) padKey(k tea.Key) tea.Cmd {
	if m.details.open && m.detailsKey(k.Keystroke()) {
		return nil
	}
	switch k.Keystroke() {
	case "esc":
		return m.givePad()
	case "ctrl+c":
		return m.quit()
	case "space":
		return m.togglePause()
	case "?", "f1", "shift+?":
		m.push(newHelp(m.minds()))
		return nil
	case "pgup", "pgdown":
		m.scrollFeed(k)
		return nil
	case detailsKeyName, "tab":
		m.toggleDetails()
		return nil
	}
	b, ok := padButton(k)
	if !ok || k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModSuper) != 0 {
		return nil
	}
	if m.pad.releases {
		if k.IsRepeat {
			return nil
		}
		m.pad.hold(b)
	}
	return m.tap(b)
}

func (p *pad) hold(b emu.Button) {
	p.release(b)
	p.held = append(p.held, b)
}

func (p *pad) release(b emu.Button) {
	kept := p.held[:0]
	for _, h := range p.held {
		if h != b {
			kept = append(kept, h)
		}
	}
	p.held = kept
}

// padRelease handles a key that goes up.
func (m *model) padRelease(k tea.Key) {
	m.pad.releases = true
	if b, ok := padButton(k); ok {
		m.pad.release(b)
	}
}

// tap presses b once, unless the game has not caught up with earlier ones.
func (m *model) tap(b emu.Button) tea.Cmd {
	if m.pad.waiting >= pressesAhead {
		if m.snap != nil && m.snap.Paused {
			m.fail("the game is paused: space goes on")
		}
		return nil
	}
	m.pad.waiting++
	return m.send(play.Command{Kind: play.CommandPress, Button: b})
}

// padNews looks at a snapshot: what settled, what is held on, and whether the
// pad is still ours.
func (m *model) padNews(s *play.Snapshot) tea.Cmd {
	if !m.pad.on {
		return nil
	}
	if s.PadTaken {
		m.pad.seen = true
	} else if m.pad.seen {
		m.pad = pad{releases: m.pad.releases}
		m.say(fmt.Sprintf("the pad went back to %s", clean(s.Mind)))
		return nil
	}
	if settled := s.Turn - m.pad.turn; settled > 0 {
		m.pad.waiting = max(m.pad.waiting-settled, 0)
	}
	m.pad.turn = s.Turn
	if n := len(m.pad.held); n > 0 && m.pad.waiting == 0 && !s.Paused {
		return m.tap(m.pad.held[n-1])
	}
	return nil
}
