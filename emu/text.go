package emu

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip cuts s to at most limit UTF-16 code units, the unit in which the wire
// formats count, never through a character.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i, r := range s {
		n += utf16Width(r)
		if n > limit {
			return s[:i]
		}
	}
	return s
}

// Length is the length of s in UTF-16 code units.
func Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16Width(r)
	}
	return n
}

func utf16Width(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// Clean makes text from outside (a cartridge, a model, a label) safe to print
// on one line: control characters, escape sequences' introducers, line and
// paragraph separators and direction overrides become blanks, broken UTF-8
// the replacement character.
func Clean(s string) string {
	safe := func(r rune) bool {
		return r != utf8.RuneError && !unicode.IsControl(r) &&
			!unicode.In(r, unicode.Zl, unicode.Zp) && !isDirectionOverride(r)
	}
	if strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || safe(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func isDirectionOverride(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}
