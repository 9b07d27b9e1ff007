package gen3

import (
	"strings"
	"unicode/utf8"
)

// Bounds of decoded text, as the wire format has them.
const (
	maxLines     = 8
	maxLineRunes = 512
	maxTextBytes = 4096 // no text of these games is longer
	nameBytes    = 16   // most names are shorter
)

// Control bytes of the western charmap.
const (
	charEnd         = 0xFF
	charNewline     = 0xFE
	charPlaceholder = 0xFD // one byte follows
	charControl     = 0xFC // a code and its arguments follow
	charParagraph   = 0xFB // waits for a button, then clears the box
	charScroll      = 0xFA // waits for a button, then scrolls one line
	charSymbol      = 0xF9 // one byte follows
	charKeypad      = 0xF8 // one byte follows
	charDynamic     = 0xF7 // one byte follows
)

// controlLength[n] is how many bytes follow 0xFC for code n, the code included.
var controlLength = [...]int{1, 2, 2, 2, 4, 2, 2, 1, 2, 1, 1, 3, 2, 2, 2, 1, 3, 2, 2, 2, 2, 1, 1, 1, 1}

// charmap is the western character set; "" where it has no glyph.
var charmap = func() (m [256]string) {
	runs := []struct {
		first  byte
		glyphs string // one character each; a space leaves the code empty
	}{
		{0x01, "ÀÁÂÇÈÉÊËÌ ÎÏÒÓÔŒÙÚÛÑßàá çèéêëì îïòóôœùúûñºª &+"},
		{0x35, "=;"},
		{0x51, "¿¡"},
		{0x5A, "Í%()"},
		{0x68, "â"},
		{0x6F, "í"},
		{0x79, "↑↓←→"},
		{0x84, "e<>"},
		{0xA1, "0123456789!?.-·…“”‘’♂♀₽,×/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz▶:ÄÖÜäöü"},
	}
	for _, r := range runs {
		code := int(r.first)
		for _, g := range r.glyphs {
			if g != ' ' {
				m[code] = string(g)
			}
			code++
		}
	}
	// Codes whose glyph is more than one letter.
	for code, s := range map[byte]string{
		0x00: " ", 0x2C: "er", 0x34: "Lv", 0x53: "PK", 0x54: "MN", 0x55: "PO",
		0x56: "Ké", 0x57: "BL", 0x58: "OC", 0x59: "K", 0xA0: "re",
	} {
		m[code] = s
	}
	return m
}()

// textStep reads what stands at b[i]: the glyph to add, whether the text ends
// here, and where the next one begins.
func textStep(b []byte, i int) (glyph string, end bool, next int) {
	switch c := b[i]; c {
	case charEnd:
		return "", true, i + 1
	case charNewline, charScroll, charParagraph:
		return "\n", false, i + 1
	case charPlaceholder, charSymbol, charKeypad, charDynamic:
		return "", false, i + 2
	case charControl:
		return controlStep(b, i)
	default:
		if g := charmap[c]; g != "" {
			return g, false, i + 1
		}
		return string(utf8.RuneError), false, i + 1
	}
}

// controlStep skips a control code. An unknown one ends the text: how many
// bytes follow it is not known.
func controlStep(b []byte, i int) (glyph string, end bool, next int) {
	if i+1 >= len(b) || int(b[i+1]) >= len(controlLength) {
		return "", true, i + 1
	}
	next = i + 1 + controlLength[b[i+1]]
	if b[i+1] == 0x0C && i+2 < len(b) && b[i+2] == charParagraph {
		return "+", false, next // an escaped code that draws a tall plus sign
	}
	return "", false, next
}

// name decodes a name or a typed text: blanks are kept, and it ends at the end
// byte or with the bytes.
func name(b []byte) string {
	var sb strings.Builder
	sb.Grow(nameBytes)
	for i := 0; i < len(b); {
		glyph, end, next := textStep(b, i)
		if end {
			break
		}
		if glyph != "\n" {
			sb.WriteString(glyph)
		}
		i = next
	}
	return sb.String()
}

// page is what a box shows before it clears.
type page struct {
	lines []string
	start int // offset of its first byte
}

// lines decodes the text of a box: trimmed, blanks collapsed, empty lines
// left out, at most eight lines. When there are more, whole pages before the
// one that holds offset at are left out first.
func lines(b []byte, at int) []string { return pageLines(textPages(b), at) }

// wholeText is a text as [lines] has it, with all its lines.
func wholeText(pages []page) []string {
	out := []string{}
	for _, p := range pages {
		out = append(out, p.lines...)
	}
	return out
}

// pageLines leaves out what [lines] does.
func pageLines(pages []page, at int) []string {
	total, current := 0, 0
	for i, p := range pages {
		total += len(p.lines)
		if p.start <= at {
			current = i
		}
	}
	first := 0
	for ; first < current && total > maxLines; first++ {
		total -= len(pages[first].lines)
	}
	out := make([]string, 0, min(total, maxLines))
	for _, p := range pages[first:] {
		for _, l := range p.lines {
			if len(out) < maxLines {
				out = append(out, l)
			}
		}
	}
	return out
}

// textPages splits a text at the codes that clear the box.
func textPages(b []byte) []page {
	if len(b) > maxTextBytes {
		b = b[:maxTextBytes]
	}
	pages := make([]page, 1, 4)
	var line strings.Builder
	flush := func() {
		p := &pages[len(pages)-1]
		if l := cleanLine(line.String()); l != "" {
			p.lines = append(p.lines, l)
		}
		line.Reset()
	}
	for i := 0; i < len(b); {
		glyph, end, next := textStep(b, i)
		if end {
			break
		}
		if glyph == "\n" {
			flush()
			if b[i] == charParagraph {
				pages = append(pages, page{start: next})
			}
		} else {
			line.WriteString(glyph)
		}
		i = next
	}
	flush()
	return pages
}

// cleanLine trims a line, collapses blanks and bounds its length.
func cleanLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > maxLineRunes {
		s = string([]rune(s)[:maxLineRunes])
	}
	return s
}
