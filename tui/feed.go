package tui

import (
	"fmt"
	"strings"

	"clankie/play"
)

// feedLimit bounds the lines of the feed that can be scrolled back to; the
// journal has the rest. feedSlack is how many more are kept before the oldest
// are dropped, so that dropping costs nothing per line.
const (
	feedLimit = 5000
	feedSlack = 1000
)

// feed holds what happened, oldest first, and where in it the operator reads.
// Only the entries in view are wrapped, so its length costs nothing per frame.
type feed struct {
	entries []play.Event
	dropped int // entries that went off the old end

	// The last row in view is row rows-above of entry at (counted with the
	// dropped ones). It stays put while new entries arrive, unless follow.
	follow bool
	at     int
	below  int // rows of entry at that lie below the view
	unseen int // entries since the operator scrolled away

	version int // changes whenever what is drawn may change
}

func newFeed() *feed { return &feed{follow: true} }

// add appends events, cleaned once so that drawing need not.
func (f *feed) add(events []play.Event) {
	if len(events) == 0 {
		return
	}
	for _, e := range events {
		f.entries = append(f.entries, cleanEvent(e))
	}
	if !f.follow {
		f.unseen += len(events)
	}
	if over := len(f.entries) - feedLimit; over > feedSlack {
		f.entries = append(f.entries[:0:0], f.entries[over:]...)
		f.dropped += over
	}
	f.version++
}

func cleanEvent(e play.Event) play.Event {
	e.Text = clean(e.Text)
	if e.Turn != nil {
		t := *e.Turn
		for _, s := range []*string{&t.Mind, &t.Thought, &t.Intent, &t.Action, &t.Outcome, &t.Effect, &t.Advice, &t.Objective, &t.Speak, &t.Reply} {
			*s = clean(*s)
		}
		e.Turn = &t
	}
	return e
}

// first is the number of the oldest entry that is kept.
func (f *feed) first() int { return f.dropped }

// end is the number after the newest entry.
func (f *feed) end() int { return f.dropped + len(f.entries) }

// toEnd follows the newest entry again.
func (f *feed) toEnd() {
	f.follow, f.below, f.unseen = true, 0, 0
	f.version++
}

// toStart goes to the oldest entry that is kept.
func (f *feed) toStart(w, h int) {
	f.scroll(-(1 << 30), w, h)
}

// scroll moves the view n rows down, or up when n is negative. w and h are
// the size of the view.
func (f *feed) scroll(n, w, h int) {
	if len(f.entries) == 0 || w <= 0 || h <= 0 {
		return
	}
	f.version++
	if f.follow {
		if n >= 0 {
			return
		}
		f.follow, f.at, f.below = false, f.end()-1, 0
	}
	f.clampOld()
	if n < 0 {
		f.up(-n, w, h)
	} else {
		f.down(n, w)
	}
}

// clampOld moves the view to the oldest kept entry when its own was dropped.
func (f *feed) clampOld() {
	if f.at < f.first() {
		f.at, f.below = f.first(), 0
	}
}

func (f *feed) up(n, w, h int) {
	for n > 0 {
		rows := len(f.lines(f.at, w))
		step := min(n, rows-1-f.below)
		f.below += step
		n -= step
		if n > 0 {
			if f.at == f.first() {
				break
			}
			f.at--
			f.below = 0
			n--
		}
	}
	f.keepFull(w, h)
}

// keepFull moves down until the rows above fill the view: scrolling up ends
// with the oldest row on top, not alone at the bottom.
func (f *feed) keepFull(w, h int) {
	have := len(f.lines(f.at, w)) - f.below
	for i := f.at - 1; i >= f.first() && have < h; i-- {
		have += len(f.lines(i, w))
	}
	if have < h {
		f.down(h-have, w)
	}
}

func (f *feed) down(n, w int) {
	for n > 0 {
		step := min(n, f.below)
		f.below -= step
		n -= step
		if n > 0 {
			if f.at >= f.end()-1 {
				break
			}
			f.at++
			f.below = len(f.lines(f.at, w)) - 1
			n--
		}
	}
	if f.at >= f.end()-1 && f.below == 0 {
		f.toEnd()
	}
}

// feedLine is one row of an entry before it is styled.
type feedLine struct {
	kind lineKind
	head string // for the first row of a turn: the number
	text string
	tail string // at the right end: the outcome in a word
}

type lineKind int

const (
	lineTurn lineKind = iota
	lineThought
	lineSpeech
	lineGood
	lineRefused
	lineAdvice
	lineSteer
	lineSave
	lineNotice
	lineError
)

// lines wraps entry number i to w cells. There is always at least one row.
func (f *feed) lines(i, w int) []feedLine {
	e := &f.entries[i-f.dropped]
	if e.Turn != nil {
		return turnLines(e, w)
	}
	kind, mark := lineNotice, "· "
	switch e.Kind {
	case play.EventSteer:
		kind, mark = lineSteer, "▸ "
	case play.EventSave:
		kind, mark = lineSave, "◆ "
	case play.EventError, play.EventPaused:
		kind, mark = lineError, "✗ "
	}
	text := e.Text
	if !e.At.IsZero() && w >= 60 {
		text = e.At.Local().Format("15:04 ") + text
	}
	return indented(kind, mark, text, w)
}

func indented(kind lineKind, mark, text string, w int) []feedLine {
	rows := wrap(text, w-width(mark))
	if len(rows) == 0 {
		return []feedLine{{kind: kind, text: mark}}
	}
	out := make([]feedLine, len(rows))
	for i, r := range rows {
		if i > 0 {
			mark = blanks(width(mark))
		}
		out[i] = feedLine{kind: kind, text: mark + r}
	}
	return out
}

// turnLines shows thought, action and outcome of one turn.
func turnLines(e *play.Event, w int) []feedLine {
	t := e.Turn
	word := outcomeWord(t.Outcome)
	action := t.Action
	if action == "" {
		action = "no action"
	}
	out := []feedLine{{kind: lineTurn, head: fmt.Sprintf("#%d ", t.Turn), text: action, tail: word}}
	if t.Thought != "" {
		out = append(out, indented(lineThought, "  ", t.Thought, w)...)
	}
	if t.Speak != "" {
		out = append(out, indented(lineSpeech, "  says: ", t.Speak, w)...)
	}
	if t.Reply != "" {
		out = append(out, indented(lineSpeech, "  answers: ", t.Reply, w)...)
	}
	kind, effect := lineGood, t.Effect
	if effect == "" {
		effect = e.Text
	}
	if t.Outcome != outcomeAccepted {
		kind = lineRefused
	}
	if effect != "" {
		out = append(out, indented(kind, "  → ", effect, w)...)
	}
	if t.Advice != "" {
		out = append(out, indented(lineAdvice, "  ! ", t.Advice, w)...)
	}
	return out
}

const outcomeAccepted = "accepted"

// outcomeWord says an outcome in a mark and a word, so that its colour is not
// the only cue.
func outcomeWord(outcome string) string {
	switch outcome {
	case outcomeAccepted:
		return "✓ done"
	case "rejected_by_adapter":
		return "✗ refused"
	case "invalid_decision":
		return "✗ invalid"
	case "mind_failed":
		return "✗ mind failed"
	}
	return strings.ReplaceAll(outcome, "_", " ")
}

// render draws the view in exactly h rows of w cells, the newest row last.
func (f *feed) render(p *palette, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	out := make([]string, h)
	row := h
	i, skip := f.end()-1, 0
	if !f.follow {
		f.clampOld()
		i, skip = f.at, f.below
	}
	for ; i >= f.first() && row > 0; i-- {
		lines := f.lines(i, w)
		for j := len(lines) - 1 - skip; j >= 0 && row > 0; j-- {
			row--
			out[row] = p.feedRow(lines[j], w)
		}
		skip = 0
	}
	if row > 0 { // fewer rows than the view: start at its top
		out = append(out[row:], make([]string, row)...)
	}
	return fill(out, w, h)
}

func (p *palette) feedRow(l feedLine, w int) string {
	switch l.kind {
	case lineTurn:
		tail := p.good.Render(l.tail)
		if l.tail != "✓ done" {
			tail = p.bad.Render(l.tail)
		}
		return spread(p.accent.Render(l.head)+p.strong.Render(l.text), tail, w)
	case lineThought:
		return p.quote.Render(l.text)
	case lineSpeech:
		return p.accent.Render(l.text)
	case lineGood:
		return p.text.Render(l.text)
	case lineRefused, lineError:
		return p.bad.Render(l.text)
	case lineAdvice:
		return p.warn.Render(l.text)
	case lineSteer, lineSave:
		return p.accent.Render(l.text)
	}
	return p.muted.Render(l.text)
}

// feedInput is what the feed pane's cache compares.
type feedInput struct{ version int }

func (f *feed) pane(p *palette, r rect) []string {
	note := ""
	if !f.follow {
		note = p.warn.Render("reading back · End for the newest")
		if f.unseen > 0 {
			note = p.warn.Render(fmt.Sprintf("%d new below · End", f.unseen))
		}
	}
	return p.framed(r, "Decisions", note, func(w, h int) []string {
		if len(f.entries) == 0 {
			return p.absent("nothing was decided yet", w)
		}
		return f.render(p, w, h)
	})
}
