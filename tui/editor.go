package tui

import (
	tea "charm.land/bubbletea/v2"
)

// maxTyped bounds what can be typed or pasted on one line.
const maxTyped = 2000

// editor is a line of text with a cursor.
type editor struct {
	text []rune
	pos  int
}

func (e *editor) value() string { return string(e.text) }

func (e *editor) set(s string) {
	e.text = []rune(clean(s))
	e.pos = len(e.text)
}

// insert adds s, cleaned, at the cursor.
func (e *editor) insert(s string) {
	add := []rune(clean(s))
	if room := maxTyped - len(e.text); len(add) > room {
		add = add[:max(room, 0)]
	}
	rest := append(add, e.text[e.pos:]...)
	e.text = append(e.text[:e.pos:e.pos], rest...)
	e.pos += len(add)
}

// key edits the line and reports whether k was an editing key.
func (e *editor) key(k tea.Key) bool {
	switch k.Keystroke() {
	case "left", "ctrl+b":
		e.pos = max(e.pos-1, 0)
	case "right", "ctrl+f":
		e.pos = min(e.pos+1, len(e.text))
	case "home", "ctrl+a":
		e.pos = 0
	case "end", "ctrl+e":
		e.pos = len(e.text)
	case "ctrl+left", "alt+left", "alt+b":
		e.pos = e.wordStart()
	case "ctrl+right", "alt+right", "alt+f":
		e.pos = e.wordEnd()
	case "backspace", "ctrl+h", "shift+backspace":
		e.remove(e.pos-1, e.pos)
	case "delete":
		e.remove(e.pos, e.pos+1)
	case "ctrl+u":
		e.remove(0, e.pos)
	case "ctrl+k":
		e.remove(e.pos, len(e.text))
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		e.remove(e.wordStart(), e.pos)
	default:
		if k.Text == "" || k.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock) != 0 {
			return false
		}
		e.insert(k.Text)
	}
	return true
}

func (e *editor) remove(from, to int) {
	from, to = max(from, 0), min(to, len(e.text))
	if from >= to {
		return
	}
	e.text = append(e.text[:from:from], e.text[to:]...)
	e.pos = from
}

func (e *editor) wordStart() int {
	i := e.pos
	for i > 0 && e.text[i-1] == ' ' {
		i--
	}
	for i > 0 && e.text[i-1] != ' ' {
		i--
	}
	return i
}

func (e *editor) wordEnd() int {
	i := e.pos
	for i < len(e.text) && e.text[i] == ' ' {
		i++
	}
	for i < len(e.text) && e.text[i] != ' ' {
		i++
	}
	return i
}

// view returns the part of the line around the cursor that fits in w cells,
// and the cursor's cell in it.
func (e *editor) view(w int) (shown string, cursor int) {
	if w <= 0 {
		return "", 0
	}
	start := 0
	for start < e.pos && width(string(e.text[start:e.pos])) > w-1 {
		start++
	}
	before := string(e.text[start:e.pos])
	return cut(before+string(e.text[e.pos:]), w), min(width(before), w-1)
}
