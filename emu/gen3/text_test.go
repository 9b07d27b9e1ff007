package gen3

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	tests := map[string]struct {
		bytes []byte
		want  []string
	}{
		"three colours and a pause": {[]byte{0xFC, 0x04, 1, 2, 3, 0xBB, 0xFC, 0x08, 0x20, 0xBC, 0xFF}, []string{"AB"}},
		"music takes two bytes":     {[]byte{0xFC, 0x0B, 0xBB, 0xBB, 0xBC, 0xFC, 0x10, 0xBB, 0xBB, 0xBD, 0xFF}, []string{"BC"}},
		"fill takes none":           {[]byte{0xFC, 0x0F, 0xBB, 0xFF}, []string{"A"}},
		"tall plus":                 {[]byte{0xBB, 0xFC, 0x0C, 0xFB, 0xBC, 0xFF}, []string{"A+B"}},
		"keypad and symbols":        {[]byte{0xF8, 0x00, 0xF9, 0x05, 0xF7, 0x01, 0xBB, 0xFF}, []string{"A"}},
		"digraphs":                  {[]byte{0x53, 0x54, 0x00, 0x34, 0xA2, 0xFF}, []string{"PKMN Lv1"}},
		"money and quotes":          {[]byte{0xB7, 0xA1, 0xB1, 0xBB, 0xB2, 0xB3, 0xB4, 0xFF}, []string{"₽0“A”‘’"}},
		"blanks collapse":           {[]byte{0, 0xBB, 0, 0, 0xBC, 0, 0xFE, 0, 0xFF}, []string{"A B"}},
		"control cut short":         {[]byte{0xBB, 0xFC}, []string{"A"}},
		"placeholder cut short":     {[]byte{0xBB, 0xFD}, []string{"A"}},
		"nothing":                   {[]byte{0xFF}, []string{}},
		"no end byte":               {[]byte{0xBB}, []string{"A"}},
	}
	for name, tt := range tests {
		equal(t, name, lines(tt.bytes, 0), tt.want)
	}
}

// A text longer than a box keeps the page that is on screen.
func TestLongTextKeepsThePageOnScreen(t *testing.T) {
	var text string
	for page := range 6 {
		text += "page " + string(rune('A'+page)) + "\nsecond\f"
	}
	b := encode(t, text)
	first := lines(b, 0)
	equal(t, "lines", len(first), maxLines)
	equal(t, "from the start", first[0], "page A")
	last := lines(b, len(b)-4)
	equal(t, "the page on screen", strings.Contains(strings.Join(last, "|"), "page F"), true)
	equal(t, "lines", len(last), maxLines)
}

func TestLongLinesAreCut(t *testing.T) {
	b := make([]byte, 3000)
	for i := range b {
		b[i] = 0xBB
	}
	equal(t, "length", len(lines(b, 0)[0]), maxLineRunes)
}

// A box that waits and that nothing prints into any more shows its end, and a
// box keeps its whole text apart.
func TestBoxPrintedToItsEnd(t *testing.T) {
	p := ProfileFor("BPEE", 0)
	m := newMachineOf(t, p, romOf)
	m.field(p, 20, 12, 13, 13)
	var text string
	for page := range 6 {
		text += "page " + string(rune('A'+page)) + "\nsecond\f"
	}
	m.text(p.RAM.StringVar4, text+"Bye!")
	m.set8(p.RAM.ScriptStatus, 1)
	m.set8(p.RAM.ScriptContext+1, scriptModeNative)
	m.set32(p.RAM.ScriptContext+4, function(t, p, "WaitForAorBPress"))
	d := m.decode(p).Dialog
	equal(t, "last line", d.Lines[len(d.Lines)-1], "Bye!")
	equal(t, "whole text", []any{len(d.Text), d.Text[0], d.Text[12]}, []any{13, "page A", "Bye!"})
}
