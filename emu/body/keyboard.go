package body

import "strings"

// Pages of the naming screen's keyboard, in the order SELECT turns them.
const (
	pageUpper   = "upper"
	pageLower   = "lower"
	pageSymbols = "symbols"
)

var pages = []string{pageUpper, pageLower, pageSymbols}

// keyboard holds what each page's keys type, row by row. Beyond a page's last
// column stand the buttons, in rows of their own. NUL is a key that is never
// aimed at.
var keyboard = map[string][]string{
	pageUpper:   {"ABCDEF .", "GHIJKL\x00,", "MNOPQRS\x00", "TUVWXYZ\x00"},
	pageLower:   {"abcdef .", "ghijkl\x00,", "mnopqrs\x00", "tuvwxyz\x00"},
	pageSymbols: {"01234\x00", "56789\x00", "!?\x00\x00/-"},
}

// okRow is the row of the button that ends typing.
const okRow = 2

// buttonColumn is the column of a page's buttons, and its last.
func buttonColumn(page string) int { return len(keyboard[page][0]) }

// turned is the page that SELECT turns to.
func turned(page string) string {
	for i := range pages {
		if pages[i] == page {
			return pages[(i+1)%len(pages)]
		}
	}
	return page
}

// key is where a character is typed.
type key struct {
	page        string
	column, row int
}

// keyFor finds the key of c, on the given page if it is there, else on the
// first page that has it as SELECT turns them.
func keyFor(c byte, page string) (key, bool) {
	for range pages {
		for row, keys := range keyboard[page] {
			if column := strings.IndexByte(keys, c); column >= 0 {
				return key{page, column, row}, true
			}
		}
		page = turned(page)
	}
	return key{}, false
}

// ring is the way from one column to another the shorter way round: negative
// to the left.
func ring(from, to, columns int) int {
	right := ((to-from)%columns + columns) % columns
	if right > columns/2 {
		return right - columns
	}
	return right
}
