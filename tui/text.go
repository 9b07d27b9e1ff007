package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxClean bounds one piece of foreign text, so that a line of megabytes costs
// no more than a long one.
const maxClean = 8192

// clean makes foreign text safe and measurable: escape sequences, control and
// format characters go, line breaks become blanks, and clusters that
// terminals measure differently are reduced to their first character, so that
// a row never comes out wider than it was counted.
func clean(s string) string {
	if plainASCII(s) {
		return s
	}
	if len(s) > maxClean {
		s = s[:maxClean]
	}
	s = ansi.Strip(strings.ToValidUTF8(s, "\uFFFD"))
	s = steadyClusters(strings.Map(safeRune, s))
	// Between other characters it must still measure as it does alone.
	if among := " " + s + " "; ansi.StringWidth(among) != ansi.StringWidthWc(among) {
		s = strings.Map(onlyASCII, s)
	}
	return s
}

func onlyASCII(r rune) rune {
	if r > 0x7E {
		return '?'
	}
	return r
}

func plainASCII(s string) bool {
	if len(s) > maxClean {
		return false
	}
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7E {
			return false
		}
	}
	return true
}

// safeRune maps what would move the cursor to a blank and drops what would
// change the direction or meaning of its neighbours.
func safeRune(r rune) rune {
	switch {
	case r == '\n', r == '\r', r == '\t', r == '\u2028', r == '\u2029':
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// steadyClusters keeps every cluster that counts the same by grapheme and by
// character. Which of the two a terminal uses is not known in advance.
func steadyClusters(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for s != "" {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if cluster == "" {
			break
		}
		s = s[len(cluster):]
		first, _ := utf8.DecodeRuneInString(cluster)
		if w == ansi.StringWidthWc(cluster) && len(cluster) <= 32 && !unicode.Is(unicode.M, first) {
			b.WriteString(cluster)
			continue
		}
		b.WriteString(steadyRune(cluster))
	}
	return b.String()
}

// steadyRune is the first character of a cluster, or a stand-in when that
// would not measure the same everywhere, or would join what comes before it.
func steadyRune(cluster string) string {
	r, _ := utf8.DecodeRuneInString(cluster)
	first := string(r)
	if unicode.Is(unicode.M, r) || ansi.StringWidth(first) != ansi.StringWidthWc(first) {
		return "\uFFFD"
	}
	return first
}

// width counts the cells of s; styles count nothing.
func width(s string) int { return ansi.StringWidth(s) }

// fit cuts or pads s to exactly w cells.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := width(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = width(s)
	}
	if n < w {
		s += blanks(w - n)
	}
	return s
}

// cut shortens s to at most w cells.
func cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if width(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, "…")
}

// spread puts left and right at the two ends of w cells; left gives way.
func spread(left, right string, w int) string {
	r := width(right)
	if r > w {
		return fit(right, w)
	}
	if r == 0 {
		return fit(left, w)
	}
	if w-r-1 < 1 {
		return blanks(w-r) + right
	}
	return fit(left, w-r-1) + " " + right
}

// wrap breaks s into lines of at most w cells, between words where it can.
func wrap(s string, w int) []string {
	if w <= 0 || s == "" {
		return nil
	}
	// A hyphen is always taken for a place to break at, and ids are full of
	// them: while it is wrapped it is another character of the same width.
	held := strings.ReplaceAll(s, "-", heldHyphen)
	return strings.Split(strings.ReplaceAll(ansi.Wrap(held, w, ""), heldHyphen, "-"), "\n")
}

const heldHyphen = "\u2011" // the hyphen that nothing breaks at

const blankRow = "                                                                                "

func blanks(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blankRow) {
		return blankRow[:n]
	}
	return strings.Repeat(" ", n)
}

// fill makes rows exactly h rows of exactly w cells.
func fill(rows []string, w, h int) []string {
	if h <= 0 || w <= 0 {
		return nil
	}
	out := make([]string, h)
	for i := range out {
		if i < len(rows) {
			out[i] = fit(rows[i], w)
		} else {
			out[i] = blanks(w)
		}
	}
	return out
}
