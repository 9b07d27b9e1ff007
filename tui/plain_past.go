package tui

import (
	"fmt"
	"math"
	"strings"

	"clankie/play"
)

// plainRuns are the commands that show something, as lines.
var plainRuns = map[string]func(p *plain, arg string){
	"goto":   (*plain).goTo,
	"story":  func(p *plain, arg string) { p.tell(or(arg, p.journey)) },
	"recall": func(p *plain, _ string) { p.tell("") },
}

func init() {
	for n := range pages {
		plainRuns[pages[n].command] = func(p *plain, arg string) { p.page(n, arg) }
	}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// goTo words a turn that is over.
func (p *plain) goTo(arg string) {
	at, err := parsePast(arg, math.MaxInt)
	if err != nil {
		p.say("! which turn? /goto and its number, behind a run's id where it is of another sitting")
		return
	}
	if arg == "" {
		at.Turn = play.LastTurn
	}
	past, err := p.sitting.PastTurn(p.ctx, at)
	if err != nil {
		p.say("! that turn cannot be shown: %s", clean(err.Error()))
		return
	}
	t := newPastTurn(past)
	lines := []string{fmt.Sprintf("turn %d: the journal does not tell of it", past.Turn)}
	if t.event != nil {
		lines = plainLines(*t.event)
		lines = append(lines, "  objective: "+or(t.event.Turn.Objective, "none"))
	}
	lines = append(lines, "  place: "+pastPlace(&t.at.State), "  party: "+pastParty(&t.at.State))
	for _, line := range lines {
		p.say("%s", line)
	}
	p.say("/branch %s goes on from there", strings.TrimSpace(fmt.Sprintf("%s %d", clean(t.place.Run), past.Turn)))
}

// tell words the story of a journey, or with "" of the one being played.
func (p *plain) tell(journey string) {
	if p.stories == nil {
		p.say("! there is no record of play here")
		return
	}
	told := tellStory(p.stories, journey, p.journey)
	if told.err != nil {
		p.say("! the story cannot be told: %s", clean(told.err.Error()))
		return
	}
	for _, part := range told.parts() {
		if part.name == "" {
			p.say("  %s", part.text)
		} else {
			p.say("%s: %s", part.name, part.text)
		}
	}
}
