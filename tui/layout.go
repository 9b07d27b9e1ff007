package tui

// rect is a rectangle of cells.
type rect struct{ x, y, w, h int }

func (r rect) empty() bool { return r.w <= 0 || r.h <= 0 }

// The smallest window the program draws itself in.
const (
	minWidth  = 20
	minHeight = 6
)

// layout says where everything goes in a window of one size. An empty
// rectangle is not drawn. The rectangles never overlap, and all lie inside
// the window.
type layout struct {
	w, h     int
	tooSmall bool

	divisor int // of the picture; 0 when there is no room for one

	title   rect
	picture rect
	field   rect // in battle: the battle
	details rect // in place of the panes of state, while it is open
	party   rect
	dialog  rect
	mind    rect // objective and notes
	feed    rect
	command rect // the line that is typed on, and outcomes
	hints   rect // empty in low windows: the command line shows them
}

// pictureSteps lists the windows from which the picture is drawn at which
// size. The side beside it is wide enough for its panes there, and there is
// room for the feed below.
var pictureSteps = []struct{ divisor, w, h int }{
	{1, 284, 92},
	{2, 164, 50},
	{3, 120, 40},
	{4, 96, 28},
	{5, 68, 22},
	{6, 58, 20},
	{8, 44, 16},
	{10, 38, 12},
}

// pictureCells returns how many cells the picture covers at a divisor. A last
// row of boxes may be partly empty: 160 is no multiple of 3.
func pictureCells(divisor int) (w, h int) {
	if divisor <= 0 {
		return 0, 0
	}
	pw, ph := shrunk(divisor)
	return pw, (ph + 1) / 2
}

// newLayout computes the layout of a window. bigFeed leaves the picture out,
// details puts everything about one thing in place of something about many.
func newLayout(w, h int, bigFeed, details bool) layout {
	l := layout{w: max(w, 0), h: max(h, 0)}
	if w < minWidth || h < minHeight {
		l.tooSmall = true
		return l
	}
	l.title = rect{0, 0, w, 1}
	body := rect{0, 1, w, h - 2}
	l.command = rect{0, h - 1, w, 1}
	if h >= 30 {
		l.hints = rect{0, h - 1, w, 1}
		l.command = rect{0, h - 2, w, 1}
		body.h--
	}
	if details {
		l.withDetails(body, bigFeed)
		return l
	}
	if !bigFeed {
		l.divisor = divisorFor(w, h)
	}
	if l.divisor == 0 {
		l.withoutPicture(body)
		return l
	}
	l.withPicture(body)
	return l
}

func divisorFor(w, h int) int {
	for _, s := range pictureSteps {
		if w >= s.w && h >= s.h {
			return s.divisor
		}
	}
	return 0
}

func (l *layout) withPicture(body rect) {
	pw, ph := pictureCells(l.divisor)
	l.picture = rect{0, body.y, pw, ph}
	side := rect{pw, body.y, body.w - pw, ph}
	below := rect{0, body.y + ph, body.w, body.h - ph}
	if side.w >= 36 {
		side.h = body.h
		below.w = pw
	}
	if side.w >= 120 && below.h < 8 {
		// A low, wide window: the feed gets a column of its own.
		l.feed = rect{side.x + 40, side.y, side.w - 40, side.h}
		side.w = 40
		l.dialog = below
		l.column(side, false)
		return
	}
	l.feed = below
	l.sides(side)
}

// detailsWidth is what the pane of details wants: where the window is so narrow
// that this and a picture worth looking at do not fit, there is no picture.
const (
	detailsWidth      = 40
	detailsMaxDivisor = 6
)

func (l *layout) withDetails(body rect, bigFeed bool) {
	for _, s := range pictureSteps {
		pw, ph := pictureCells(s.divisor)
		if bigFeed || s.divisor > detailsMaxDivisor || body.w-pw < detailsWidth || body.h-ph < 4 {
			continue
		}
		l.divisor = s.divisor
		l.picture = rect{0, body.y, pw, ph}
		l.feed = rect{0, body.y + ph, pw, body.h - ph}
		l.details = rect{pw, body.y, body.w - pw, body.h}
		if body.h >= 30 {
			l.details.h, l.dialog = splitLower(l.details, 6)
		}
		return
	}
	l.details = body
	switch {
	case body.w >= 110:
		l.feed = rect{0, body.y, 44, body.h}
		l.details = rect{44, body.y, body.w - 44, body.h}
	case body.h >= 24:
		l.details.h, l.feed = splitLower(body, 6)
	}
}

// sides places the panes of state in the space beside the picture.
func (l *layout) sides(side rect) {
	if side.w < 72 || side.h < 16 {
		l.column(side, side.h >= 12)
		return
	}
	left := side.w / 2
	a := rect{side.x, side.y, left, side.h}
	b := rect{side.x + left, side.y, side.w - left, side.h}
	a.h, l.dialog = splitLower(a, max(side.h/4, side.h-32))
	b.h, l.mind = splitLower(b, max(side.h/4, side.h-34))
	l.field, l.party = a, b
}

// column stacks field or battle, party, and dialogue.
func (l *layout) column(side rect, withDialog bool) {
	if withDialog {
		n := 3
		switch {
		case side.h >= 30:
			n = 7
		case side.h >= 24:
			n = 6
		}
		side.h, l.dialog = splitLower(side, n)
	}
	fieldRows := min(max(side.h*8/15, 3), 20)
	top := rect{side.x, side.y, side.w, min(fieldRows, side.h)}
	l.field = top
	l.party = rect{side.x, side.y + top.h, side.w, side.h - top.h}
}

func (l *layout) withoutPicture(body rect) {
	if body.w >= 80 && body.h >= 12 {
		side := rect{body.w - 40, body.y, 40, body.h}
		l.feed = rect{0, body.y, body.w - 40, body.h}
		l.column(side, true)
		return
	}
	if body.h >= 10 {
		n := min(5, body.h/3)
		l.field = rect{0, body.y, body.w / 2, n}
		l.party = rect{body.w / 2, body.y, body.w - body.w/2, n}
		body.y, body.h = body.y+n, body.h-n
	}
	l.feed = body
}

// splitLower takes n rows off the lower end of r and returns the height that
// is left and the rectangle that was taken.
func splitLower(r rect, n int) (rest int, lower rect) {
	n = min(max(n, 0), r.h)
	return r.h - n, rect{r.x, r.y + r.h - n, r.w, n}
}
