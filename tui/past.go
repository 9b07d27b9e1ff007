package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/play"
)

// past shows a turn that is over: its picture, and beside it what was thought
// and done and what came of it. From there one goes to its neighbours, or
// branches.
type past struct {
	turn int // the one that is wanted
	last int // the newest that is over

	shown *pastTurn // the one that came last, or nil
	why   string    // why turn cannot be shown, or ""

	picture pictureView
	shades  bool
}

// pastTurn is a turn as it is shown, its text clean.
type pastTurn struct {
	turn  int
	event *play.Event // nil where the journal does not say
	at    emu.Observed
	from  string
}

func newPastTurn(t play.PastTurn) *pastTurn {
	p := &pastTurn{turn: t.Turn, at: t.Observed, from: clean(t.From)}
	if e := t.Event(); e != nil {
		event := cleanEvent(play.Event{Kind: play.EventTurn, Turn: e})
		p.event = &event
	}
	return p
}

func newPast(turn, last int, shades bool) *past {
	return &past{turn: min(max(turn, 0), last), last: last, shades: shades}
}

// here reports whether what is shown is what is wanted.
func (d *past) here() bool { return d.shown != nil && d.shown.turn == d.turn }

// wanted reports whether the turn must be fetched.
func (d *past) wanted() bool { return !d.here() && d.why == "" }

// came takes in a turn that was fetched, or why it cannot be shown.
func (d *past) came(msg pastMsg) {
	switch {
	case msg.turn != d.turn: // somebody went on meanwhile
	case msg.err != nil:
		d.why = clean(msg.err.Error())
	default:
		d.shown = newPastTurn(msg.past)
	}
}

func (d *past) key(k tea.Key) action {
	switch k.Keystroke() {
	case "left", "up":
		return d.to(d.turn - 1)
	case "right", "down":
		return d.to(d.turn + 1)
	case "pgup":
		return d.to(d.turn - 10)
	case "pgdown":
		return d.to(d.turn + 10)
	case "home":
		return d.to(0)
	case "end":
		return d.to(d.last)
	case "b":
		if d.here() {
			return action{push: newBranchDialog(d.shown)}
		}
	case "esc", "enter", "q", "ctrl+c":
		return action{pop: 1}
	}
	return action{}
}

func (d *past) to(turn int) action {
	turn = min(max(turn, 0), d.last)
	if turn == d.turn {
		return action{}
	}
	d.turn, d.why = turn, ""
	return action{past: true}
}

// newBranchDialog asks before play goes on from an earlier turn.
func newBranchDialog(t *pastTurn) *choice {
	what := fmt.Sprintf("Turn %d", t.turn)
	if t.event != nil && t.event.Turn.Action != "" {
		what += ": " + t.event.Turn.Action
	}
	return &choice{
		title: "Go on from this turn?",
		lines: []string{
			what, "",
			"The present is kept as a save first, and every later save stays, so nothing is lost. " +
				"The mind, its notes and the journal go on; only the world goes back.",
		},
		options: []option{
			{label: "Cancel", act: action{pop: 1}},
			{label: "Branch", act: action{pop: 2, send: []play.Command{{Kind: play.CommandBranch, Turn: t.turn}}}},
		},
	}
}

func (d *past) draw(p *palette, w, h int) []string {
	w = min(w, 150)
	inner, bodyH := w-4, max(h-3, 1)
	var rows []string
	switch {
	case d.why != "":
		for _, line := range wrap("This turn cannot be shown: "+d.why, inner) {
			rows = append(rows, p.warn.Render(line))
		}
	case !d.here():
		rows = []string{p.muted.Render(cut("playing the way there again…", inner))}
	case inner >= 72:
		rows = d.beside(p, inner, bodyH)
	default:
		rows = append(d.pictureRows(p, inner, bodyH/2), d.words(p, inner)...)
	}
	if len(rows) > bodyH {
		rows = rows[:bodyH]
	}
	rows = append(rows, d.footer(p, inner))
	note := p.muted.Render(fmt.Sprintf("of 0–%d", d.last))
	return p.boxed(w, min(len(rows)+2, h), fmt.Sprintf("Turn %d", d.turn), note, rows, p.accent.Bold(true).Render, p.accent.Render)
}

// beside puts the picture to the left of the words.
func (d *past) beside(p *palette, w, h int) []string {
	pic := d.pictureRows(p, w/2, h)
	left := 0
	for _, row := range pic {
		left = max(left, width(row))
	}
	right := w - left - 3
	words := d.words(p, right)
	n := max(len(pic), min(len(words), h))
	pic, words = fill(pic, left, n), fill(words, right, n)
	rows := make([]string, n)
	for i := range rows {
		rows[i] = pic[i] + p.faint.Render(" │ ") + words[i]
	}
	return rows
}

func (d *past) pictureRows(p *palette, w, h int) []string {
	pic := d.shown.at.Picture
	if pic.Stale {
		return []string{p.muted.Render(cut("nothing had been drawn here", w))}
	}
	rows, _ := d.picture.fitted(pic.Pix, w, h, d.shades)
	return rows
}

// words tell what was thought and done, and how things stood afterwards.
func (d *past) words(p *palette, w int) []string {
	t := d.shown
	var rows []string
	if t.event == nil {
		rows = append(rows, p.muted.Render(cut("the journal does not tell of this turn", w)))
	} else {
		for _, l := range turnLines(t.event, w) {
			rows = append(rows, p.feedRow(l, w))
		}
	}
	rows = append(rows, "")
	add := func(name, value string) {
		for i, line := range wrap(value, w-10) {
			if i > 0 {
				name = ""
			}
			rows = append(rows, p.muted.Render(fit(name, 10))+p.text.Render(line))
		}
	}
	if t.event != nil {
		add("objective", t.event.Turn.Objective)
	}
	add("place", pastPlace(&t.at.State))
	add("party", pastParty(&t.at.State))
	add("frame", fmt.Sprintf("%d · RAM %s", t.at.Frame, t.at.RAM().Short()))
	add("save", t.from)
	return rows
}

// pastPlace is where the player stood.
func pastPlace(s *emu.State) string {
	if s.Overworld == nil {
		return clean(string(s.Scene.Mode)) + ": " + absence(s, "overworld", "not in the field")
	}
	at := s.Overworld.Position
	return fmt.Sprintf("%s (%d,%d) facing %s", clean(placeOf(s)), at.X, at.Y, s.Overworld.Facing)
}

// pastParty is the party in one line.
func pastParty(s *emu.State) string {
	if s.Party == nil {
		return absence(s, "party", "")
	}
	var members []string
	for _, c := range s.Party.Members {
		if c.Egg || c.BadEgg {
			members = append(members, "an egg")
			continue
		}
		members = append(members, fmt.Sprintf("%s Lv%d %d/%d", clean(c.Nickname), c.Level, c.HP, c.MaxHP))
	}
	return strings.Join(members, ", ")
}

func (d *past) footer(p *palette, w int) string {
	why := ""
	if !d.here() {
		why = "the turn is not shown yet"
	}
	return p.hintLine([]hint{{"← →", "turn before, after", ""}, {"b", "branch from here", why}, {"esc", "back", ""}}, w)
}
