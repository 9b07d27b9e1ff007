package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"clankie/play"
)

// The work done beside Update, by the names that people read when it breaks.
const (
	workNews    = "watching the sitting"
	workSend    = "a command to the sitting"
	workList    = "reading the saves"
	workPreview = "reading a save's picture"
	workPast    = "going back to a turn"
	workStory   = "reading the journals"
	workBoxes   = "reading the boxes"
)

// guarded runs f as a command and turns a panic into a message. Bubble Tea
// would end the program over it.
func guarded(what string, f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = brokenMsg{what, cause}
			}
		}()
		return f()
	}
}

// pump takes news from the sitting, no faster than pictures are drawn. Only
// one command uses it at a time. While it rests, newer pictures replace older
// ones where the sitting keeps them, and the sitting never waits.
type pump struct {
	feed Feed
	due  time.Time
}

// quietAfter is how long no news means that the machine rests.
const quietAfter = 2 * time.Second

// errQuiet is what pump.next returns when there was no news for a while.
var errQuiet = errors.New("no news")

func (p *pump) next(ctx context.Context, every time.Duration) (play.Update, error) {
	if rest := time.Until(p.due); rest > 0 {
		t := time.NewTimer(rest)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return play.Update{}, ctx.Err()
		}
	}
	soon, cancel := context.WithTimeout(ctx, quietAfter)
	defer cancel()
	u, err := p.feed.Next(soon)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = errQuiet
	}
	if now := time.Now(); now.Sub(p.due) > every {
		p.due = now // it was quiet: start the beat anew
	}
	p.due = p.due.Add(every)
	return u, err
}

func (m *model) waitForNews() tea.Cmd {
	ctx, p, every := m.ctx, m.pump, time.Second/time.Duration(m.fps)
	return guarded(workNews, func() tea.Msg {
		u, err := p.next(ctx, every)
		if errors.Is(err, errQuiet) {
			return newsMsg{quiet: true}
		}
		return newsMsg{update: u, err: err}
	})
}

// send puts commands in the outbox. They go out one at a time, in order, each
// after the one before was acknowledged.
func (m *model) send(cmds ...play.Command) tea.Cmd {
	idle := len(m.outbox) == 0
	m.group++
	for _, c := range cmds {
		m.outbox = append(m.outbox, request{c, m.group})
	}
	if !idle {
		return nil
	}
	return m.sendFirst()
}

func (m *model) sendFirst() tea.Cmd {
	if len(m.outbox) == 0 {
		return nil
	}
	ctx, s, r := m.ctx, m.sitting, m.outbox[0]
	return guarded(workSend, func() tea.Msg {
		ack, err := s.Do(ctx, r.cmd)
		return ackMsg{r, ack, err}
	})
}

// pending names the command that the sitting has not acknowledged, or "".
func (m *model) pending() string {
	for _, r := range m.outbox {
		if r.cmd.Kind != play.CommandPress {
			return commandName(r.cmd.Kind) + ": waiting for the turn to end…"
		}
	}
	return ""
}

// commandName is the command as people ask for it.
func commandName(kind play.CommandKind) string {
	switch kind {
	case play.CommandDeleteSave:
		return "delete"
	case play.CommandTakePad, play.CommandGivePad:
		return "pad"
	}
	return string(kind)
}

func (m *model) listSaves() tea.Cmd {
	ctx, s := m.ctx, m.sitting
	return guarded(workList, func() tea.Msg {
		saves, err := s.Saves(ctx)
		return savesMsg{saves, err}
	})
}

// fetchPreview reads the picture of the save under the cursor, one at a time:
// whoever runs down the list does not read them all.
func (m *model) fetchPreview() tea.Cmd {
	b := m.browser()
	if b == nil || m.fetching {
		return nil
	}
	id := b.wanted()
	if id == "" {
		return nil
	}
	m.fetching = true
	ctx, s := m.ctx, m.sitting
	return guarded(workPreview, func() tea.Msg {
		pic, err := s.SavePicture(ctx, id)
		return previewMsg{id, pic, err}
	})
}
