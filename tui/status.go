package tui

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// titleInput is what the title line shows.
type titleInput struct {
	game, place, journey, mind, objective string
	double                                bool
	speed                                 play.Speed
	fps                                   int
	turn, maxTurns                        int
	phase                                 play.Phase
	paused, pad, ended                    bool
}

func (m *model) titleInput() titleInput {
	in := titleInput{pad: m.pad.on, ended: m.ended}
	s := m.snap
	if s == nil {
		in.phase = play.PhaseStarting
		return in
	}
	in.game, in.journey, in.mind = clean(s.Info.GameTitle), clean(s.Journey), clean(s.Mind)
	in.objective, in.place = clean(s.Objective), clean(placeOf(&s.State))
	in.double = !s.Info.Real
	in.speed, in.fps = s.Speed, int(s.FramesPerSecond+0.5)
	in.turn, in.maxTurns = s.Turn, s.MaxTurns
	in.phase, in.paused = s.Phase, s.Paused
	in.ended = m.ended || s.Phase == play.PhaseStopped
	if in.ended || in.paused || m.quiet {
		in.fps = 0 // the snapshot has what was measured before
	}
	return in
}

func placeOf(s *emu.State) string {
	switch {
	case s.Overworld == nil:
		return ""
	case s.Overworld.MapName != "":
		return s.Overworld.MapName
	}
	return s.Overworld.Position.MapID
}

// part is one piece of the title; those with the greatest rank go first when
// there is no room.
type part struct {
	text string
	rank int
}

func (p *palette) title(in titleInput, w int) string {
	left := []part{{p.badge.Render(" Clankie "), 6}}
	add := func(list *[]part, text string, rank int) {
		if text != "" {
			*list = append(*list, part{text, rank})
		}
	}
	if in.game != "" {
		add(&left, p.strong.Render(in.game), 3)
	}
	if in.double {
		if in.game != "" {
			add(&left, p.warn.Render("test double"), 2)
		}
	}
	if in.place != "" {
		add(&left, p.text.Render(in.place), 4)
	}
	if in.journey != "" && (w >= 150 || in.objective == "") {
		add(&left, p.muted.Render("journey "+in.journey), 8)
	}
	var right []part
	add(&right, p.paceText(in), 5)
	add(&right, p.turnText(in), 3)
	if in.mind != "" {
		add(&right, p.accent.Render(in.mind), 2)
	}
	add(&right, p.stateText(in), 0)
	gap := p.faint.Render("  ")
	for total(left)+total(right) > w && dropOne(&left, &right) {
	}
	l, r := joinParts(left, gap), joinParts(right, gap)
	if room := w - width(l) - width(r) - 8; in.objective != "" && room >= 16 {
		l += p.faint.Render(" │ ") + p.muted.Render("goal ") + p.quote.Render(cut(in.objective, room-4))
	}
	return spread(l, r, w)
}

func total(parts []part) int {
	n := 0
	for _, p := range parts {
		n += width(p.text) + 2
	}
	return n
}

// dropOne removes the least important part of both lists.
func dropOne(left, right *[]part) bool {
	var list *[]part
	at, worst := -1, 0
	for _, l := range []*[]part{left, right} {
		for i, p := range *l {
			if p.rank > worst {
				list, at, worst = l, i, p.rank
			}
		}
	}
	if at < 0 {
		return false
	}
	*list = append((*list)[:at:at], (*list)[at+1:]...)
	return true
}

func joinParts(parts []part, gap string) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	return strings.Join(texts, gap)
}

func (p *palette) paceText(in titleInput) string {
	if in.turn == 0 && in.fps == 0 {
		return ""
	}
	speed := "×" + in.speed.String()
	if in.speed == play.SpeedMax {
		speed = "max"
	}
	fps := "  –"
	if in.fps > 0 {
		fps = fmt.Sprintf("%3d", in.fps)
	}
	return p.muted.Render(speed + " " + fps + " fps")
}

func (p *palette) turnText(in titleInput) string {
	if in.maxTurns > 0 {
		return p.muted.Render(fmt.Sprintf("turn %d/%d", in.turn, in.maxTurns))
	}
	return p.muted.Render(fmt.Sprintf("turn %d", in.turn))
}

// stateText says what the sitting does, in a word of steady width.
func (p *palette) stateText(in titleInput) string {
	switch {
	case in.ended:
		return p.alert.Render(" ENDED ")
	case in.paused:
		return p.alert.Render(" PAUSED ")
	case in.pad:
		return p.badge.Render(" BY HAND ")
	}
	return p.good.Render(fit("● "+string(in.phase), 11))
}

// commandRow is the line that is typed on. While nothing is typed it shows the
// outcome of the last act, then what is waited for, then what can be done.
func (m *model) commandRow(w int, withHints bool) string {
	switch {
	case m.prompt.open:
		shown, _ := m.prompt.line.view(w - 2)
		return fit(m.pal.accent.Bold(true).Render("› ")+m.pal.strong.Render(shown), w)
	case m.note != "" && m.failed:
		return fit(m.pal.bad.Render("✗ "+m.note), w)
	case m.note != "":
		return fit(m.pal.good.Render("✓ "+m.note), w)
	case m.pending() != "":
		return fit(m.pal.muted.Render("… "+m.pending()), w)
	case withHints:
		return m.pal.hintLine(m.hints(), w)
	case m.snap != nil && m.snap.Paused:
		why := "paused"
		if r := clean(m.snap.PauseReason); r != "" {
			why += ": " + r
		}
		return fit(m.pal.warn.Render(why+" · space goes on"), w)
	case m.pad.on:
		return fit(m.pal.accent.Render("You have the pad. Esc gives it back."), w)
	}
	return fit(m.pal.faint.Render("› type / for a command"), w)
}
