package model

import (
	"fmt"
	"strings"
)

// mend corrects what models get wrong in JSON and whose meaning is beyond
// doubt: commas before a closing bracket, comments, line ends inside strings,
// the words of other languages for null and the truths, and numbers that are
// none, which mean that there is no number.
func mend(text string) string {
	m := mender{in: text}
	for m.at < len(m.in) {
		m.step()
	}
	return m.out.String()
}

type mender struct {
	in  string
	at  int
	out strings.Builder
}

// words that stand outside of strings and what they are in JSON.
var words = map[string]string{
	"NaN": "null", "nan": "null", "Infinity": "null", "-Infinity": "null", "undefined": "null",
	"None": "null", "nil": "null", "NULL": "null", "Null": "null",
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
}

func (m *mender) step() {
	rest := m.in[m.at:]
	switch c := rest[0]; {
	case c == '"':
		m.quoted()
	case c == ',' && closesNext(rest[1:]):
		m.at++
	case strings.HasPrefix(rest, "//"):
		m.skip(strings.IndexByte(rest, '\n'))
	case strings.HasPrefix(rest, "/*"):
		m.skip(strings.Index(rest, "*/") + 2)
	case c == '+' && len(rest) > 1 && isDigit(rest[1]):
		m.at++
	case c == '-' || isLetter(c):
		m.word()
	default:
		m.out.WriteByte(c)
		m.at++
	}
}

// skip leaves out n bytes, or all the rest when the end was not found.
func (m *mender) skip(n int) {
	if n < 2 {
		n = len(m.in) - m.at
	}
	m.at += n
}

func (m *mender) word() {
	end := m.at + 1
	for end < len(m.in) && isLetter(m.in[end]) {
		end++
	}
	word := m.in[m.at:end]
	if known, ok := words[word]; ok {
		word = known
	}
	m.out.WriteString(word)
	m.at = end
}

// quoted copies a string and escapes control characters in it.
func (m *mender) quoted() {
	m.out.WriteByte('"')
	m.at++
	for m.at < len(m.in) {
		c := m.in[m.at]
		m.at++
		switch {
		case c == '"':
			m.out.WriteByte(c)
			return
		case c == '\\' && m.at < len(m.in):
			m.out.WriteByte(c)
			m.out.WriteByte(m.in[m.at])
			m.at++
		case c < ' ':
			fmt.Fprintf(&m.out, `\u%04x`, c)
		default:
			m.out.WriteByte(c)
		}
	}
}

// closesNext reports whether a closing bracket is what comes after blanks and
// further commas.
func closesNext(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n,")
	return rest != "" && (rest[0] == '}' || rest[0] == ']')
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
