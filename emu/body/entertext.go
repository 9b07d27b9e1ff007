package body

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// How the naming screen is pressed, in frames.
const (
	keyHold    = 8
	pageSettle = 64  // a page that turns takes no key for as long
	closeWait  = 120 // the screen takes so long to open or to close at most
)

// Why enter_text ended, beside the limits.
const (
	enterConfirmed = "confirmed"
	enterTyped     = "typed"         // typed, and not asked to submit
	enterClosed    = "screen_closed" // by something else than the OK button
	enterLost      = "input_not_registered"
)

// entry is an enter_text under way. Every press is decided on what the screen
// shows, so it begins from whatever was typed before.
type entry struct {
	act       *acting
	text      string
	typed     string
	submitted bool
	confirmed bool
}

// stroke is one press and what must be seen of it.
type stroke struct {
	button emu.Button
	settle int // frames released after it, at least
	took   func(before, after *emu.Naming) bool
}

// enterText types a text on the open naming screen and submits it.
func enterText(act *acting, a emu.Action) (map[string]any, error) {
	n := act.decoded().Naming
	if n == nil {
		return nil, refusal(emu.CodeNamingNotOpen, "no naming screen is open", "")
	}
	if err := checkTyping(a.Text, n); err != nil {
		return nil, err
	}
	e := &entry{act: act, text: a.Text, typed: n.Text}
	ended, err := e.run(a.Submits())
	if err != nil {
		return nil, err
	}
	out := act.closing(map[string]any{
		"text": e.text, "typed": e.typed, "submitted": e.submitted, "confirmed": e.confirmed,
	}, ended)
	addText(out, act.observed().State)
	delete(out, "dialogLines") // the name is what this is about
	return out, nil
}

// checkTyping refuses a text that the screen has no key, or no room, for.
func checkTyping(text string, n *emu.Naming) error {
	if n.Limit > 0 && len(text) > n.Limit {
		return refusal(emu.CodeUnsupportedCharacter,
			fmt.Sprintf("%q is one character too many for this screen", text[n.Limit]),
			fmt.Sprintf("it takes at most %d characters, and %q has %d", n.Limit, text, len(text)))
	}
	for i := range len(text) {
		if _, ok := keyFor(text[i], pageUpper); !ok {
			return refusal(emu.CodeUnsupportedCharacter, fmt.Sprintf("no key types %q", text[i]), "")
		}
	}
	return nil
}

func (e *entry) run(submit bool) (ended string, err error) {
	if err := e.act.await(closeWait, opening); err != nil {
		return "", err
	}
	for ended == "" && err == nil {
		n := e.look()
		switch {
		case n == nil:
			return enterClosed, nil
		case n.Text != e.text:
			ended, err = e.make(e.next(n))
		case !submit:
			return enterTyped, nil
		default:
			return e.submit()
		}
	}
	return ended, err
}

func opening(s emu.State) bool { return s.Naming != nil && s.Naming.Loading }

func (e *entry) look() *emu.Naming {
	n := e.act.decoded().Naming
	if n != nil && !n.Loading {
		e.typed = n.Text
	}
	return n
}

// next is the press that brings the screen one nearer to the text: away with
// what does not belong, then page, column, row, key.
func (e *entry) next(n *emu.Naming) stroke {
	if !strings.HasPrefix(e.text, n.Text) {
		return stroke{emu.ButtonB, 0, func(b, a *emu.Naming) bool { return len(a.Text) < len(b.Text) }}
	}
	k, _ := keyFor(e.text[len(n.Text)], n.Page)
	switch {
	case k.page != n.Page:
		return stroke{emu.ButtonSelect, pageSettle, func(b, a *emu.Naming) bool { return a.Page == turned(b.Page) }}
	case k.column != n.Column:
		return sideways(ring(n.Column, k.column, buttonColumn(n.Page)+1))
	case k.row < n.Row:
		return upward(emu.ButtonUp)
	case k.row > n.Row:
		return upward(emu.ButtonDown)
	}
	want := e.text[:len(n.Text)+1]
	return stroke{emu.ButtonA, 0, func(_, a *emu.Naming) bool { return a.Text == want }}
}

func sideways(way int) stroke {
	button := emu.ButtonRight
	if way < 0 {
		button = emu.ButtonLeft
	}
	return stroke{button, 0, func(b, a *emu.Naming) bool { return a.Column != b.Column }}
}

func upward(button emu.Button) stroke {
	return stroke{button, 0, func(b, a *emu.Naming) bool { return a.Row != b.Row }}
}

// make presses s and looks for what it must show. A press that the screen did
// not take is made once more; one that typed something else is taken back.
func (e *entry) make(s stroke) (ended string, err error) {
	for range 2 {
		before := e.look()
		if ended := e.act.bound(keyHold, 0); ended != "" {
			return ended, nil
		}
		if err := e.press(s); err != nil {
			return "", err
		}
		after := e.look()
		switch {
		case after == nil:
			return enterClosed, nil
		case s.took(before, after):
			return "", nil
		case s.button == emu.ButtonA && len(after.Text) > len(before.Text):
			return e.takeBack()
		}
	}
	return enterLost, nil
}

func (e *entry) press(s stroke) error {
	start := e.act.spent
	if _, err := e.act.press(s.button, keyHold); err != nil {
		return err
	}
	if rest := start + keyHold + s.settle - e.act.spent; rest > 0 {
		return e.act.rest(rest)
	}
	return nil
}

// takeBack erases a character that is not the wanted one.
func (e *entry) takeBack() (ended string, err error) {
	if e.act.bound(keyHold, 0) == "" {
		if err := e.press(stroke{button: emu.ButtonB}); err != nil {
			return "", err
		}
		e.look()
	}
	return enterLost, nil
}

// submit goes to OK and presses it.
func (e *entry) submit() (ended string, err error) {
	atOK := func(_, n *emu.Naming) bool { return n.Column == buttonColumn(n.Page) && n.Row == okRow }
	if !atOK(nil, e.look()) {
		if ended, err := e.make(stroke{emu.ButtonStart, 0, atOK}); ended != "" || err != nil {
			return ended, err
		}
	}
	for range 2 {
		if ended := e.act.bound(keyHold, 0); ended != "" {
			return ended, nil
		}
		e.submitted = true
		if err := e.press(stroke{button: emu.ButtonA}); err != nil {
			return "", err
		}
		if err := e.act.await(closeWait, func(s emu.State) bool { return s.Naming != nil }); err != nil {
			return "", err
		}
		if e.look() == nil {
			e.confirmed = true
			return enterConfirmed, nil
		}
	}
	if e.act.left() == 0 {
		return endedByFrames, nil
	}
	return enterLost, nil
}
