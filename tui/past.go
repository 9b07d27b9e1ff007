package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"clankie/emu"
	"clankie/play"
)

// past shows a turn that is over: its picture, and beside it what was thought
// and done and what came of it. From there one goes to its neighbours, across
// the sittings of the journey, or branches.
type past struct {
	want play.PastPlace // the turn that is wanted
	live bool           // it is of the run that is played
	run  string         // id of its run where that is another
	last int            // the newest turn of its run

	shown  *pastTurn // the one that came last, or nil
	why    string    // why the wanted turn cannot be shown, or ""
	nobody string    // why there is no run to go on to, until the next key

	picture pictureView
	shades  bool
}

// pastTurn is a turn as it is shown, its text clean.
type pastTurn struct {
	place play.PastPlace
	event *play.Event // nil where the journal does not say
	at    emu.Observed
	from  string
}

func newPastTurn(t play.PastTurn) *pastTurn {
	p := &pastTurn{place: placeOfPast(t), at: t.Observed, from: clean(t.From)}
	if e := t.Event(); e != nil {
		event := cleanEvent(play.Event{Kind: play.EventTurn, Turn: e})
		p.event = &event
	}
	return p
}

// placeOfPast is where a turn was found. The run that is played needs no name.
func placeOfPast(t play.PastTurn) play.PastPlace {
	if t.Live {
		return play.PastPlace{Turn: t.Turn}
	}
	return play.PastPlace{Run: t.RunID, Turn: t.Turn}
}

// newPast wants a turn while the run that is played has come to the turn last.
func newPast(want play.PastPlace, last int, shades bool) *past {
	return &past{want: want, live: want.Run == "" && want.Back == 0, run: clean(want.Run), last: last, shades: shades}
}

// here reports whether what is shown is what is wanted.
func (d *past) here() bool { return d.shown != nil && d.shown.place == d.want }

// unknown reports whether it is not known yet which turn is wanted.
func (d *past) unknown() bool { return d.want.Back != 0 || d.want.Turn == play.LastTurn }

// wanted reports whether the turn must be fetched.
func (d *past) wanted() bool { return !d.here() && d.why == "" }

// grown takes in that the run that is played has come to another turn.
func (d *past) grown(last int) {
	if d.live {
		d.last = max(d.last, last)
	}
}

// came takes in a turn that was fetched, or why it cannot be shown.
func (d *past) came(msg pastMsg) {
	if msg.want != d.want {
		return // somebody went on meanwhile
	}
	if msg.past.RunID != "" {
		d.want, d.live, d.last = placeOfPast(msg.past), msg.past.Live, msg.past.Last
		d.run = clean(d.want.Run)
	}
	switch {
	case msg.err == nil:
		d.shown = newPastTurn(msg.past)
	case d.want.Back != 0 && d.shown != nil: // there is no run on that side
		d.want, d.nobody = d.shown.place, clean(msg.err.Error())
	default:
		d.why = clean(msg.err.Error())
	}
}

func (d *past) key(k tea.Key) action {
	d.nobody = ""
	switch k.Keystroke() {
	case "left", "up":
		return d.to(d.want.Turn - 1)
	case "right", "down":
		return d.to(d.want.Turn + 1)
	case "pgup":
		return d.to(min(max(d.want.Turn-10, 0), d.want.Turn-1))
	case "pgdown":
		return d.to(max(min(d.want.Turn+10, d.last), d.want.Turn+1))
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

// to goes to a turn of the run. Before its first one lies the last one of the
// run before, and behind its last one the first one of the run behind.
func (d *past) to(turn int) action {
	next := play.PastPlace{Run: d.want.Run, Turn: turn}
	switch {
	case d.unknown(): // on the way to another run
		return action{}
	case turn < 0:
		next.Back, next.Turn = 1, play.LastTurn
	case turn > d.last && d.live:
		return action{}
	case turn > d.last:
		next.Back, next.Turn = -1, 0
	}
	if next == d.want {
		return action{}
	}
	d.want, d.why = next, ""
	return action{past: true}
}

// newBranchDialog asks before play goes on from an earlier turn.
func newBranchDialog(t *pastTurn) *choice {
	what := fmt.Sprintf("Turn %d", t.place.Turn)
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
			{label: "Branch", act: action{pop: 2, send: []play.Command{{Kind: play.CommandBranch, Run: t.place.Run, Turn: t.place.Turn}}}},
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
	if d.nobody != "" {
		rows[len(rows)-1] = p.warn.Render(cut(d.nobody, inner))
	}
	rows = append(rows, d.footer(p, inner))
	title, note := d.title()
	return p.boxed(w, min(len(rows)+2, h), title, p.muted.Render(note), rows, p.accent.Bold(true).Render, p.accent.Render)
}

// title says which turn it is, and of how many.
func (d *past) title() (title, note string) {
	if d.unknown() {
		return "Another sitting", ""
	}
	title, note = fmt.Sprintf("Turn %d", d.want.Turn), fmt.Sprintf("of 0–%d", d.last)
	if !d.live {
		title += " of another sitting"
	}
	return title, note
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
	add("sitting", d.run)
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
