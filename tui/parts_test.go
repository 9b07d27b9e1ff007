package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"clankie/emu"
	"clankie/play"
)

func TestPictureSizes(t *testing.T) {
	for _, c := range []struct{ w, h, divisor, cellsW, cellsH int }{
		{80, 24, 5, 48, 16}, {96, 28, 4, 60, 20}, {120, 40, 3, 80, 27}, {164, 50, 2, 120, 40}, {163, 50, 3, 80, 27}, {284, 92, 1, 240, 80}, {30, 10, 0, 0, 0},
	} {
		l := newLayout(c.w, c.h, false, false)
		if l.divisor != c.divisor || l.picture.w != c.cellsW || l.picture.h != c.cellsH {
			t.Errorf("%d×%d: divisor %d, %d×%d cells; want %d, %d×%d", c.w, c.h, l.divisor, l.picture.w, l.picture.h, c.divisor, c.cellsW, c.cellsH)
		}
	}
}

// TestIdsAreWrappedWhole: they are full of hyphens, and nobody reads one that is
// broken at each.
func TestIdsAreWrappedWhole(t *testing.T) {
	const id = "2026-11-30T18-20-58-146Z-before-rewind-f9a8d46260f1"
	got := wrap("the present is kept as "+id+" now", 60)
	if len(got) != 2 || got[1] != id+" now" {
		t.Errorf("%q", got)
	}
	for _, row := range wrap(id, 20) { // what is longer than a row must be broken
		if width(row) > 20 {
			t.Errorf("%q is wider than 20 cells", row)
		}
	}
	if got := strings.Join(wrap(id, 20), ""); got != id {
		t.Errorf("%q is left of it", got)
	}
}

// TestBoxFilter compares every box with the mean of its pixels, the partly
// empty ones at the edge included.
func TestBoxFilter(t *testing.T) {
	pix := fakePicture(60, 1)
	for _, d := range []int{1, 2, 3, 4, 8} {
		w, h := shrunk(d)
		got := make([]rgb, w*h)
		shrink(got, pix, d)
		for y := range h {
			for x := range w {
				if want := meanOf(pix, x*d, y*d, d); got[y*w+x] != want {
					t.Fatalf("divisor %d at %d,%d: %v, want %v", d, x, y, got[y*w+x], want)
				}
			}
		}
	}
}

func meanOf(pix []byte, x0, y0, d int) rgb {
	var r, g, b, n int
	for y := y0; y < min(y0+d, emu.ScreenHeight); y++ {
		for x := x0; x < min(x0+d, emu.ScreenWidth); x++ {
			p := int(pix[(y*emu.ScreenWidth+x)*2]) | int(pix[(y*emu.ScreenWidth+x)*2+1])<<8
			r, g, b, n = r+p>>11, g+p>>5&63, b+p&31, n+1
		}
	}
	return rgb{uint8(r * 255 / 31 / n), uint8(g * 255 / 63 / n), uint8(b * 255 / 31 / n)}
}

func TestPictureRowsAreKept(t *testing.T) {
	var v pictureView
	a, _ := v.render(fakePicture(60, 1), 3, false)
	first := append([]string(nil), a...)
	b, _ := v.render(fakePicture(63, 1), 3, false)
	changed := 0
	for i := range b {
		if b[i] != first[i] {
			changed++
		}
		if w := ansi.StringWidth(b[i]); w != 80 {
			t.Fatalf("row %d is %d wide", i, w)
		}
	}
	if changed == 0 || changed > 6 {
		t.Errorf("a walking sprite changed %d of %d rows", changed, len(b))
	}
	var fresh pictureView
	c, _ := fresh.render(fakePicture(63, 1), 3, false)
	if strings.Join(b, "\n") != strings.Join(c, "\n") {
		t.Error("kept rows differ from fresh ones")
	}
	if _, ok := v.render(make([]byte, 5), 3, false); ok {
		t.Error("five bytes are a picture")
	}
}

func TestPictureWithoutColours(t *testing.T) {
	var v pictureView
	rows, _ := v.render(fakePicture(60, 1), 4, true)
	if s := strings.Join(rows, ""); strings.Contains(s, "\x1b") || !strings.ContainsAny(s, "#%@+") {
		t.Error("without colours the picture is not drawn in shades")
	}
}

func TestFeedDoesNotJump(t *testing.T) {
	d := newDriver(t, Options{})
	for i := range 200 {
		d.show(fakeSnapshot(i), fakeTurn(i))
	}
	d.press("pgup", "pgup", "up")
	view := func() string {
		var out []string
		r := d.m.layout.feed
		for _, row := range d.rows()[r.y+1 : r.y+r.h-1] {
			out = append(out, ansi.Truncate(row, r.w, ""))
		}
		return strings.Join(out, "\n")
	}
	before := view()
	for i := range 50 {
		d.show(fakeSnapshot(200+i), fakeTurn(200+i))
	}
	if after := view(); after != before {
		t.Errorf("the feed moved while it was read:\n%s\nbecame\n%s", before, after)
	}
	d.expect("50 new below · End")
	d.press("end")
	d.expect("#249 ")
	d.press("home")
	d.expect("#0 ")
	d.press("pgdown", "esc")
	d.expect("#249 ")
}

func TestFeedStaysBounded(t *testing.T) {
	f := newFeed()
	for i := range 100_000 {
		f.add([]play.Event{{Kind: play.EventNotice, Text: fmt.Sprint("line ", i)}})
		if i == 50 {
			f.scroll(-5, 60, 10)
		}
	}
	if n := len(f.entries); n > feedLimit+feedSlack {
		t.Errorf("%d lines are kept", n)
	}
	rows := f.render(newPalette(true), 60, 10)
	if len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	f.toEnd()
	if rows = f.render(newPalette(true), 60, 10); !strings.Contains(rows[9], "line 99999") {
		t.Errorf("the newest row is %q", rows[9])
	}
}

// TestScrollingTouchesEveryRow goes up row by row and back down and sees the
// same rows both ways.
func TestScrollingTouchesEveryRow(t *testing.T) {
	f := newFeed()
	for i := range 40 {
		f.add([]play.Event{fakeTurn(i)})
	}
	p := newPalette(true)
	const w, h = 44, 7
	var up []string
	for range 400 {
		f.scroll(-1, w, h)
		up = append(up, f.render(p, w, h)[0])
	}
	if top := ansi.Strip(up[len(up)-1]); !strings.HasPrefix(top, "#0 ") {
		t.Fatalf("the top is %q", top)
	}
	steps := 0
	for ; !f.follow && steps < 1000; steps++ {
		f.scroll(1, w, h)
	}
	last := ansi.Strip(f.render(p, w, h)[h-1])
	if !f.follow || !strings.Contains(last, "moved") && !strings.Contains(last, "there") && !strings.Contains(last, "facing") {
		t.Errorf("after %d steps down the last row is %q", steps, last)
	}
}

func TestGauge(t *testing.T) {
	p := newPalette(true)
	for _, c := range []struct {
		have, most int
		want       string
	}{{0, 10, "····"}, {10, 10, "████"}, {1, 1000, "▏···"}, {5, 10, "██··"}, {999, 1000, "███▉"}, {3, 0, "····"}, {20, 10, "████"}} {
		if got := ansi.Strip(p.gauge(c.have, c.most, 4)); got != c.want {
			t.Errorf("%d of %d is %q, want %q", c.have, c.most, got, c.want)
		}
	}
}

func TestEditor(t *testing.T) {
	var e editor
	e.set("/say one two")
	for _, k := range []string{"ctrl+w", "home", "right", "delete", "end", "backspace"} {
		e.key(keyNamed(k))
	}
	if got := e.value(); got != "/ay one" {
		t.Errorf("edited to %q", got)
	}
	e.insert("\x1b[31m日本\n語")
	if got := e.value(); got != "/ay one日本 語" {
		t.Errorf("pasted to %q", got)
	}
	if shown, cursor := e.view(8); width(shown) > 8 || cursor > 7 {
		t.Errorf("%q with the cursor at %d", shown, cursor)
	}
}
