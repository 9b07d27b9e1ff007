package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// PlainOptions are the choices for Plain. The zero value serves.
type PlainOptions struct {
	// Resume is as in Options. Without Input play goes on from it unasked.
	Resume *play.SaveEntry
	// Input brings slash commands, one a line; nil for none. A read that is
	// under way when Plain returns goes on until the input gives way.
	Input io.Reader
	// Minds are the names that /help lists for /mind.
	Minds []string
	// Absent is as in Options.
	Absent map[string]error
	// Stories is as in Options.
	Stories Stories
}

// Plain shows a sitting as lines: every event, and what changed in the world,
// without moving the cursor and without colours, so that it works in a pipe
// and with a screen reader. It returns when the sitting has ended, on /quit,
// or when ctx ends or w fails. It does not stop the sitting.
func Plain(ctx context.Context, s Sitting, w io.Writer, o PlainOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feed := s.Watch()
	defer feed.Close()
	p := &plain{ctx: ctx, sitting: s, w: w, minds: mindNames{o.Minds, o.Absent}, stories: o.Stories}
	news := p.watch(feed)
	var lines <-chan inputLine
	if o.Input != nil {
		lines = p.read(o.Input)
	}
	if o.Resume != nil && p.offer(*o.Resume, lines) {
		return p.err
	}
	return p.loop(news, lines)
}

// plain is the state of one Plain.
type plain struct {
	ctx     context.Context
	sitting Sitting
	w       io.Writer
	err     error // of the last write
	world   worldLines
	minds   mindNames
	stories Stories
	journey string           // that is being played
	snap    *play.Snapshot   // the newest one, or nil
	done    play.CommandKind // the last command that was carried out
}

// say prints one line.
func (p *plain) say(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}

// plainNews is one update, or why there are no more.
type plainNews struct {
	update play.Update
	err    error
}

// watch hands over updates one at a time; while one is printed, newer
// snapshots replace older ones where the sitting keeps them.
func (p *plain) watch(feed Feed) <-chan plainNews {
	out := make(chan plainNews)
	go func() {
		defer close(out)
		for {
			n := nextNews(p.ctx, feed)
			select {
			case out <- n:
			case <-p.ctx.Done():
				return
			}
			if n.err != nil {
				return
			}
		}
	}()
	return out
}

// nextNews turns a panic of the feed into an error.
func nextNews(ctx context.Context, feed Feed) (n plainNews) {
	defer func() {
		if cause := recover(); cause != nil {
			n = plainNews{err: fmt.Errorf("%s broke: %v", workNews, cause)}
		}
	}()
	n.update, n.err = feed.Next(ctx)
	return n
}

// maxInputLine bounds a line of input, in bytes.
const maxInputLine = 64 << 10

// inputLine is one line that was typed, or why there is none.
type inputLine struct{ text, trouble string }

func (p *plain) read(r io.Reader) <-chan inputLine {
	out := make(chan inputLine)
	go func() {
		defer close(out)
		in := bufio.NewReaderSize(r, maxInputLine)
		for {
			line, err := nextLine(in)
			if line != (inputLine{}) || err == nil {
				select {
				case out <- line:
				case <-p.ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

// nextLine reads one line. One that is too long is skipped to its end.
func nextLine(in *bufio.Reader) (inputLine, error) {
	b, err := in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		return inputLine{trouble: fmt.Sprintf("a line of more than %d bytes was not read", maxInputLine)}, err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return inputLine{trouble: "the input can no longer be read: " + err.Error()}, err
	}
	return inputLine{text: string(b)}, err
}

// offer asks whether to resume, and reports whether to leave. Anything but a
// no resumes; a command is carried out first, and may settle the question.
func (p *plain) offer(e play.SaveEntry, lines <-chan inputLine) (leave bool) {
	p.say("There is a save to resume: %s, %s, %s (%s)", clean(e.Game), saveName(e), savedAt(e), clean(e.ID))
	answer := ""
	for lines != nil {
		p.say("Resume it? [Y/n]")
		var line inputLine
		select {
		case line = <-lines:
		case <-p.ctx.Done():
			return false
		}
		answer = strings.TrimSpace(line.text)
		if line.trouble == "" && !strings.HasPrefix(answer, "/") {
			break
		}
		if p.took(line) || p.err != nil {
			return true
		}
		switch p.done {
		case play.CommandResume, play.CommandStep:
			return false
		case play.CommandLoad, play.CommandRestart:
			p.say("The sitting is paused there; /resume goes on.")
			return false
		}
	}
	if strings.HasPrefix(strings.ToLower(answer), "n") {
		p.say("Starting fresh; every save stays where it is.")
		if !p.do(play.Command{Kind: play.CommandRestart}) {
			p.say("The sitting is paused where the save left it; /resume goes on from there.")
			return false
		}
	}
	p.do(play.Command{Kind: play.CommandResume})
	return false
}

func (p *plain) loop(news <-chan plainNews, lines <-chan inputLine) error {
	for p.err == nil {
		select {
		case <-p.ctx.Done():
			return p.ctx.Err()
		case n := <-news:
			p.show(n.update)
			if n.err == nil {
				continue
			}
			if errors.Is(n.err, play.ErrWatchClosed) {
				p.say("The sitting has ended.")
				return p.err
			}
			return n.err
		case line, ok := <-lines:
			if !ok {
				lines = nil // the input ended; go on watching
				continue
			}
			if p.took(line) {
				return p.err
			}
		}
	}
	return p.err
}

// do sends a command and prints what it came to.
func (p *plain) do(c play.Command) bool {
	ack, err := p.sitting.Do(p.ctx, c)
	if err != nil {
		p.say("! %s: %s", c.Kind, clean(err.Error()))
		return false
	}
	text := clean(ack.Text)
	if text == "" {
		text = "done"
	}
	p.done = c.Kind
	p.say("= %s: %s", c.Kind, text)
	return true
}

// took carries out one line of input, or says why there is none, and reports
// whether to leave.
func (p *plain) took(line inputLine) (leave bool) {
	if line.trouble != "" {
		p.say("! %s", clean(line.trouble))
		return false
	}
	return p.typed(line.text)
}

// typed carries out what was typed and reports whether to leave.
func (p *plain) typed(line string) (leave bool) {
	name, arg := splitLine(line)
	if strings.TrimSpace(line) == "" {
		return false
	}
	c := findSlash(name)
	switch {
	case c == nil:
		p.say("! /%s is no command; /help lists them", clean(name))
	case c.names[0] == "quit":
		return true
	case c.names[0] == "help":
		p.help()
	case c.names[0] == "saves", c.names[0] == "load" && arg == "":
		p.list()
	case c.names[0] == "load":
		p.do(play.Command{Kind: play.CommandLoad, ID: arg})
	case plainRuns[c.names[0]] != nil:
		plainRuns[c.names[0]](p, arg)
	case c.parse != nil:
		cmd, err := c.parse(arg)
		if err != nil {
			p.say("! %s", clean(err.Error()))
			return false
		}
		p.do(cmd)
	default:
		p.say("! /%s needs the full-screen program", c.names[0])
	}
	return false
}

func (p *plain) help() {
	for _, c := range slashes {
		if c.parse != nil || plainRuns[c.names[0]] != nil || c.names[0] == "load" || c.names[0] == "saves" || c.names[0] == "quit" || c.names[0] == "help" {
			p.say("%-18s %s", strings.TrimSpace("/"+c.names[0]+" "+c.args), or(c.lines, c.about(p.minds)))
		}
	}
}

func (p *plain) list() {
	saves, err := p.sitting.Saves(p.ctx)
	if err != nil {
		p.say("! the saves could not be read: %s", clean(err.Error()))
		return
	}
	if len(saves) == 0 {
		p.say("There are no saves yet; /save makes one.")
	}
	for _, e := range saves {
		state := healthWord(e.Health)
		if !e.Loadable() {
			state += " (" + whyNot(e) + ")"
		}
		p.say("%s  %s  %s  %s  %s", clean(e.ID), clean(e.Game), saveName(e), savedAt(e), state)
	}
}

func (p *plain) show(u play.Update) {
	for _, e := range u.Events {
		for _, line := range plainLines(cleanEvent(e)) {
			p.say("%s", line)
		}
	}
	if u.Snapshot != nil {
		p.journey, p.snap = u.Snapshot.Journey, u.Snapshot
		for _, line := range p.world.changes(u.Snapshot) {
			p.say("%s", line)
		}
	}
}

// plainLines words one cleaned event.
func plainLines(e play.Event) []string {
	t := e.Turn
	if t == nil {
		return []string{fmt.Sprintf("[%s] %s", e.Kind, e.Text)}
	}
	out := []string{fmt.Sprintf("turn %d: %s: %s", t.Turn, t.Action, strings.TrimLeft(outcomeWord(t.Outcome), "✓✗ "))}
	for _, part := range []struct{ name, text string }{
		{"thought", t.Thought}, {"says", t.Speak}, {"answers", t.Reply}, {"effect", t.Effect}, {"advice", t.Advice},
	} {
		if part.text != "" {
			out = append(out, "  "+part.name+": "+part.text)
		}
	}
	return out
}

// worldLines remembers what was last said about the world, so that only
// changes are printed.
type worldLines struct {
	started                          bool
	place, dialog, battle, objective string
	paused                           string
}

// changes words what is new in s.
func (w *worldLines) changes(s *play.Snapshot) []string {
	var out []string
	if !w.started {
		w.started = true
		out = append(out, fmt.Sprintf("Clankie plays %s; %s decides.", clean(s.Info.GameTitle), clean(s.Mind)))
		if !s.Info.Real {
			out = append(out, "This is the deterministic test double, not a real machine.")
		}
	}
	note := func(last *string, now, format string) {
		if now != *last {
			*last = now
			if now != "" {
				out = append(out, fmt.Sprintf(format, now))
			}
		}
	}
	note(&w.place, clean(placeOf(&s.State)), "place: %s")
	note(&w.dialog, dialogText(&s.State), "text: %s")
	note(&w.battle, battleText(s.State.Battle), "battle: %s")
	note(&w.objective, clean(s.Objective), "objective: %s")
	paused := ""
	if s.Paused {
		paused = strings.TrimSpace("paused " + clean(s.PauseReason))
	} else if w.paused != "" {
		out = append(out, "playing")
	}
	note(&w.paused, paused, "%s")
	return out
}

func dialogText(s *emu.State) string {
	if s.Dialog == nil {
		return ""
	}
	return clean(strings.Join(s.Dialog.Lines, " "))
}

func battleText(b *emu.Battle) string {
	if b == nil {
		return ""
	}
	var parts []string
	for _, c := range b.Battlers {
		name := clean(c.Nickname)
		if name == "" {
			name = clean(c.SpeciesName)
		}
		parts = append(parts, fmt.Sprintf("%s %s level %d, %d of %d HP", clean(c.Side), name, c.Level, c.HP, c.MaxHP))
	}
	return strings.Join(parts, "; ")
}
