package model

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// MaxPrompt bounds what Prompt returns, in UTF-16 code units, however long
// play has gone on: every list in it has a bound of its own, and these add up
// to less.
const MaxPrompt = 22_500

// Bounds of the lists in a prompt.
const (
	maxPeople      = 16
	maxWarps       = 16
	maxOpenTiles   = 12
	maxSigns       = 10
	maxEntries     = 24
	maxItems       = 30
	maxTransitions = 8
	maxAnswers     = 8
	maxFailures    = 6
	maxUnread      = 4
	maxName        = 32  // a name from the game
	maxReason      = 80  // why something was not read or cannot be done
	maxShownText   = 900 // a text box
	maxShownAnswer = 160 // what somebody answered

	// An effect and its advice in the history, whole: the end of what was read is
	// in the advice, and so is the detail of a refusal.
	maxShownEffect = play.MaxEffect + len("; ") + play.MaxEffectAdvice
)

// Prompt renders a view as the model reads it: what is there, what can be
// done, what was said, what was learned, and what happened lately. It holds
// no observation ids, digests or frames.
func Prompt(v play.View) string {
	p := &page{}
	p.line("Turn %d.", v.Turn)
	for _, section := range sections {
		section(p, v)
	}
	return emu.Clip(p.text.String(), MaxPrompt)
}

// sections in the order in which they are read. The mind's own situation
// comes after the world's, the newest history last.
var sections = []func(*page, play.View){
	scene, field, dialog, menu, naming, battle, party, bag, unread,
	offers, speech, purpose, learned, failures, signals, history, closing,
}

// page is a prompt being written.
type page struct{ text strings.Builder }

func (p *page) line(format string, args ...any) {
	fmt.Fprintf(&p.text, format, args...)
	p.text.WriteByte('\n')
}

// short is text from the game or a model, safe to show and cut to a bound.
func short(s string, most int) string {
	s = strings.TrimSpace(emu.Clean(s))
	if emu.Length(s) <= most {
		return s
	}
	return emu.Clip(s, most-1) + "…"
}

// either is the first of texts that is not empty.
func either(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// list joins at most so many parts and says how many are left out.
func list[T any](all []T, most int, show func(T) string) string {
	var parts []string
	for _, v := range all[:min(len(all), most)] {
		parts = append(parts, show(v))
	}
	s := strings.Join(parts, "; ")
	if rest := len(all) - most; rest > 0 {
		s += fmt.Sprintf("; and %d more", rest)
	}
	return s
}

func scene(p *page, v play.View) {
	s := v.Observed.State
	control := "the game is busy or asks for nothing yet"
	switch {
	case s.Scene.WaitingForDialogAdvance:
		control = "a text waits to be read on"
	case s.Scene.InputReady:
		control = "it waits for you"
	}
	p.line("Scene: %s (%s); %s.", either(short(string(s.Scene.Mode), maxName), "unknown"), either(short(string(s.Scene.Screen), maxName), "unknown screen"), control)
	if advice := screenAdvice(s); advice != "" {
		p.line("%s", advice)
	}
}

// screenAdvice says what the scene means for what can be done, where that is
// not plain to see.
func screenAdvice(s emu.State) string {
	switch {
	case s.Menu != nil:
		return ""
	case s.Scene.Mode == emu.ModeUnknown || s.Scene.Mode == "":
		return "This screen is not decoded: go by the picture, with plain presses and waiting. It is the screen, not the game; others decode again."
	case s.Scene.Mode == emu.ModeBattle && s.Battle == nil:
		return "A battle is on, but it is not decoded: go by the picture."
	case s.Torn:
		return "The game is between two screens; the next look may decode."
	case s.Battle != nil && s.Battle.Prompt == emu.PromptNone:
		return "The battle is not asking yet; read on."
	case s.Overworld != nil && !s.Overworld.InputReady && s.Dialog == nil && s.Battle == nil:
		return "A script or a movement holds the controls."
	}
	return ""
}

func unread(p *page, v play.View) {
	s := v.Observed.State
	shown := 0
	for _, part := range []string{"overworld", "map", "occupants", "exits", "party", "inventory", "battle", "dialog", "menu", "naming"} {
		why, missing := s.Undecoded[part]
		if !missing || shown == maxUnread {
			continue
		}
		p.line("Not read: %s (%s). That says nothing about what is there.", part, short(why, maxReason))
		shown++
	}
}

func offers(p *page, v play.View) {
	var can, cannot []string
	for _, o := range v.Offers {
		switch {
		case o.Open && o.Except != "":
			can = append(can, fmt.Sprintf("%s (but not %s)", o.Kind, short(o.Except, maxReason)))
		case o.Open:
			can = append(can, string(o.Kind))
		default:
			cannot = append(cannot, fmt.Sprintf("%s (%s)", o.Kind, short(o.Why, maxReason)))
		}
	}
	p.line("Can be done now: %s.", strings.Join(can, ", "))
	if len(cannot) > 0 {
		p.line("Cannot now: %s.", strings.Join(cannot, "; "))
	}
}
