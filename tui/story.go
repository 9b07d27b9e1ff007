package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/journal"
)

// Stories is the read side of the journals. Its methods may be called from any
// goroutine.
type Stories interface {
	// Story tells the story of a journey across its runs.
	Story(journey string) (journal.Card, []journal.Problem, error)
	// Recall tells of the journey live, which is being played.
	Recall(live string) (journal.Recalled, []journal.Problem, error)
}

// storyMsg brings a story.
type storyMsg struct {
	recalled journal.Recalled
	unread   int // files that could not be read
	err      error
}

// story shows a story card.
type story struct {
	listing
	told *storyMsg // nil until it was read
}

func newStory() *story {
	s := &story{}
	s.listing = listing{title: "The story so far", rows: s.lines}
	return s
}

func (s *story) lines(p *palette, w int) []string {
	switch {
	case s.told == nil:
		return []string{p.muted.Render(cut("reading the journals…", w))}
	case s.told.err != nil:
		return wrapped(p.warn.Render, "The story cannot be told: "+clean(s.told.err.Error()), w)
	}
	var rows []string
	for i, part := range s.told.parts() {
		if i > 0 && part.name != "" {
			rows = append(rows, "")
		}
		if part.name != "" {
			rows = append(rows, p.accent.Render(cut(part.name, w)))
		}
		rows = append(rows, wrapped(p.text.Render, part.text, w)...)
	}
	return rows
}

func wrapped(ink func(...string) string, text string, w int) []string {
	rows := wrap(text, w)
	for i := range rows {
		rows[i] = ink(rows[i])
	}
	return rows
}

// storyPart is a piece of a story with its name; "" goes on with the one
// before.
type storyPart struct{ name, text string }

// parts are the story in clean words.
func (m storyMsg) parts() []storyPart {
	var parts []storyPart
	if c := m.recalled.Card; c != nil {
		parts = cardParts(*c, m.recalled)
	} else {
		parts = []storyPart{{"", "Nothing of this journey is on the disk yet."}}
	}
	if m.unread > 0 {
		parts = append(parts, storyPart{"Not read", emu.Count(m.unread, "journal") + " could not be read; clankie journal list says why"})
	}
	return parts
}

func cardParts(c journal.Card, of journal.Recalled) []storyPart {
	played := fmt.Sprintf("%s since %s, %s", journal.Named(clean(c.EnvironmentID), of.JourneyID), storyTime(c.StartedAt), emu.Count(c.TurnsTaken, "turn"))
	switch {
	case of.Active:
		played += ", being played"
	case c.LastTurnAt != nil:
		played += ", the last one " + storyTime(*c.LastTurnAt)
	}
	parts := []storyPart{{"Journey", played}, {"Objective", orNone(c.Objective)}}
	for i, id := range c.Maps {
		parts = append(parts, storyPart{first(i, "Maps, in the order they were found"), clean(id)})
	}
	for i, m := range c.Moments {
		text := storyTime(m.At) + "  " + clean(m.Effect)
		if m.Toward != nil {
			text += " — toward: " + clean(*m.Toward)
		}
		parts = append(parts, storyPart{first(i, "Moments"), text})
	}
	return parts
}

func first(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

func orNone(s *string) string {
	if s == nil || clean(*s) == "" {
		return "none"
	}
	return clean(*s)
}

func storyTime(at string) string {
	if t, ok := emu.ParseMoment(at); ok {
		return t.Local().Format("2006-01-02 15:04")
	}
	return clean(at)
}

// tellStory reads the story of a journey, or with "" recalls the one that is
// being played.
func tellStory(from Stories, journey, live string) storyMsg {
	if journey == "" {
		recalled, problems, err := from.Recall(live)
		return storyMsg{recalled, len(problems), err}
	}
	card, problems, err := from.Story(journey)
	return storyMsg{journal.Recalled{
		Outcome: journal.RecallCard, Active: journey == live, JourneyID: journey, Card: &card,
	}, len(problems), err}
}

func (m *model) whyNoStory() string {
	switch {
	case m.opts.Stories == nil:
		return "there is no record of play here"
	case m.snap == nil:
		return "the sitting has not started yet"
	}
	return ""
}

// runStory tells the story of a journey, of the one being played unless
// another is named.
func runStory(m *model, arg string) tea.Cmd {
	if arg == "" {
		arg = m.snap.Journey
	}
	return m.openStory(arg)
}

func runRecall(m *model, _ string) tea.Cmd { return m.openStory("") }

func (m *model) openStory(journey string) tea.Cmd {
	m.push(newStory())
	from, live := m.opts.Stories, m.snap.Journey
	return guarded(workStory, func() tea.Msg { return tellStory(from, journey, live) })
}

// story returns the open story, or nil.
func (m *model) story() *story {
	for _, d := range m.dialogs {
		if s, ok := d.(*story); ok {
			return s
		}
	}
	return nil
}

func (m *model) toldStory(msg storyMsg) {
	if s := m.story(); s != nil {
		s.told = &msg
	}
}
