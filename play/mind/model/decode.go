package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
	"clankie/play"
)

// decode reads the one decision of a reply and takes the key out, which an
// endpoint may repeat: of each text as it was read, because in JSON it can be
// spelt so that the reply does not hold it, and before any is cut, because half
// a key is still one. The error is a *ReplyError.
func decode(text string, key Key) (play.Decision, error) {
	o, err := findObject(key.scrub(text))
	if err != nil {
		return play.Decision{}, err
	}
	f := flat{key: key}
	f.take(o)
	d := f.decision()
	if len(f.problems) > 0 {
		return play.Decision{}, &ReplyError{f.problems}
	}
	return d, nil
}

// flat is a reply's object by the schema's names, and what is wrong with it.
type flat struct {
	key      Key
	values   map[string]jsontext.Value
	problems []Problem
}

func (f *flat) wrong(name, legal, format string, args ...any) {
	f.problems = append(f.problems, Problem{Field: name, Wrong: fmt.Sprintf(format, args...), Legal: legal})
}

// take sorts the keys to the schema's names. An action's fields may stand in
// an object of their own. Keys that mean nothing here are left out.
func (f *flat) take(o object) {
	if f.values == nil {
		f.values = make(map[string]jsontext.Value, len(o))
	}
	for key, value := range o {
		name := canonical[squash(key)]
		switch {
		case name == "":
		case name == fieldNestedAction:
			f.takeAction(value)
		case value.Kind() == 'n':
		case f.values[name] != nil:
			f.wrong(name, "", "it stands there twice")
		default:
			f.values[name] = value
		}
	}
}

// takeAction reads a nested action: an object, or just the name of a kind.
func (f *flat) takeAction(value jsontext.Value) {
	switch value.Kind() {
	case '{':
		var inner object
		if err := json.Unmarshal(value, &inner); err == nil {
			delete(inner, fieldNestedAction) // one level is enough
			f.take(inner)
		}
	case '"':
		f.take(object{fieldKind: value})
	case 'n':
	default:
		f.wrong(fieldNestedAction, "an object or nothing", "it is no object")
	}
}

func (f *flat) decision() play.Decision {
	d := play.Decision{
		Monologue: f.said(fieldMonologue, play.MaxMonologue),
		Intent:    f.said(fieldIntent, play.MaxIntent),
		Notes:     f.prose(fieldNotes, play.MaxNotes),
		Objective: f.prose(fieldObjective, play.MaxObjective),
		Reply:     f.prose(fieldReply, play.MaxReply),
		Speak:     f.prose(fieldSpeak, play.MaxSpeak),
	}
	d.Action = f.action()
	return d
}

// said is a text that must be there.
func (f *flat) said(name string, most int) string {
	if s := f.prose(name, most); s != nil && *s != "" {
		return *s
	}
	if !f.hasProblem(name) {
		f.wrong(name, fmt.Sprintf("1 to %d characters", most), "it is missing or empty")
	}
	return ""
}

func (f *flat) hasProblem(name string) bool {
	for _, p := range f.problems {
		if p.Field == name {
			return true
		}
	}
	return false
}

// prose is a text made safe to show and cut to its bound: that the end of a
// thought is missing is no reason to lose the turn.
func (f *flat) prose(name string, most int) *string {
	s := f.str(name)
	if s == nil || strings.EqualFold(strings.TrimSpace(*s), "null") {
		return nil
	}
	clipped := emu.Clip(strings.TrimSpace(emu.Clean(*s)), most)
	return &clipped
}

// str is a text without the key.
func (f *flat) str(name string) *string {
	value := f.values[name]
	if value == nil {
		return nil
	}
	var s string
	if value.Kind() != '"' || json.Unmarshal(value, &s) != nil {
		f.wrong(name, "a text or null", "it is no text")
		return nil
	}
	s = f.key.scrub(s)
	return &s
}

// word is a text of a fixed set, without regard to case and blanks.
func (f *flat) word(name string, legal []string) string {
	s := f.str(name)
	if s == nil {
		if !f.hasProblem(name) {
			f.wrong(name, strings.Join(legal, ", "), "it is missing")
		}
		return ""
	}
	given := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(*s)))
	for _, l := range legal {
		if given == l {
			return l
		}
	}
	f.wrong(name, strings.Join(legal, ", "), "%q is not one", emu.Clip(emu.Clean(*s), 40))
	return ""
}

// number is a whole number, which may be written as 12.0 or "12".
func (f *flat) number(name string) *int {
	value := f.values[name]
	if value == nil {
		return nil
	}
	text := string(value)
	if value.Kind() == '"' {
		text = ""
		if s := f.str(name); s != nil {
			text = strings.TrimSpace(*s)
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
		f.wrong(name, "a whole number or null", "it is no whole number")
		return nil
	}
	n := int(v)
	return &n
}
