package tui

import (
	"bytes"
	"strconv"

	"clankie/emu"
)

// pictureView turns pictures into rows of half blocks: the upper half of a
// cell is one pixel, the lower half the next. Rows are built by hand, because
// styling each cell with a library costs a hundred times as much, and only
// when their pixels changed.
type pictureView struct {
	divisor int
	shades  bool   // draw with characters of different density, for terminals without colour
	shown   []byte // pixels that rows were made from; immutable, never written
	small   []rgb  // shown, shrunk
	rows    []string
	scratch []byte
}

type rgb struct{ r, g, b uint8 }

// shrunk returns the size of the picture after averaging boxes of
// divisor × divisor pixels.
func shrunk(divisor int) (w, h int) {
	return (emu.ScreenWidth + divisor - 1) / divisor, (emu.ScreenHeight + divisor - 1) / divisor
}

// render returns the rows of pix, reusing those whose pixels are unchanged.
// ok is false when pix is no picture.
func (v *pictureView) render(pix []byte, divisor int, shades bool) (rows []string, ok bool) {
	if len(pix) != emu.PictureBytes || divisor <= 0 {
		return nil, false
	}
	same := divisor == v.divisor && shades == v.shades && v.rows != nil
	if same && bytes.Equal(pix, v.shown) {
		v.shown = pix
		return v.rows, true
	}
	old := v.small
	w, h := shrunk(divisor)
	fresh := make([]rgb, w*h)
	shrink(fresh, pix, divisor)
	cells := (h + 1) / 2
	if !same || len(v.rows) != cells {
		v.rows, old = make([]string, cells), nil
	}
	for y := range cells {
		lo, hi := 2*y*w, min((2*y+2)*w, len(fresh))
		if old != nil && equalPixels(old[lo:hi], fresh[lo:hi]) {
			continue
		}
		v.rows[y] = v.row(fresh[lo:hi], w, shades)
	}
	v.divisor, v.shades, v.shown, v.small = divisor, shades, pix, fresh
	return v.rows, true
}

// fitted returns the rows of pix as large as it fits in w × h cells, none where
// it does not fit. ok is false when pix is no picture.
func (v *pictureView) fitted(pix []byte, w, h int, shades bool) (rows []string, ok bool) {
	for _, divisor := range []int{3, 4, 5, 6, 8, 10} {
		if pw, ph := pictureCells(divisor); pw <= w && ph <= h {
			return v.render(pix, divisor, shades)
		}
	}
	return nil, len(pix) == emu.PictureBytes
}

func equalPixels(a, b []rgb) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// shrink averages boxes of divisor × divisor pixels; the boxes at the right
// and lower edge may be smaller.
func shrink(dst []rgb, pix []byte, divisor int) {
	w, h := shrunk(divisor)
	for by := range h {
		y0, y1 := by*divisor, min((by+1)*divisor, emu.ScreenHeight)
		for bx := range w {
			x0, x1 := bx*divisor, min((bx+1)*divisor, emu.ScreenWidth)
			dst[by*w+bx] = average(pix, x0, y0, x1, y1)
		}
	}
}

func average(pix []byte, x0, y0, x1, y1 int) rgb {
	var r, g, b uint32
	for y := y0; y < y1; y++ {
		line := pix[(y*emu.ScreenWidth+x0)*2 : (y*emu.ScreenWidth+x1)*2]
		for i := 0; i+1 < len(line); i += 2 {
			p := uint32(line[i]) | uint32(line[i+1])<<8
			r += p >> 11
			g += p >> 5 & 63
			b += p & 31
		}
	}
	n := uint32((x1 - x0) * (y1 - y0))
	return rgb{uint8(r * 255 / (31 * n)), uint8(g * 255 / (63 * n)), uint8(b * 255 / (31 * n))}
}

// row renders one row of cells from two rows of pixels, or from one when the
// picture's height is odd.
func (v *pictureView) row(px []rgb, w int, shades bool) string {
	b := v.scratch[:0]
	if shades {
		b = appendShades(b, px, w)
	} else {
		b = appendHalfBlocks(b, px, w)
	}
	v.scratch = b
	return string(b)
}

func appendHalfBlocks(b []byte, px []rgb, w int) []byte {
	var fg, bg rgb
	fgSet, bgSet := false, false
	for x := range w {
		top := px[x]
		if len(px) < 2*w { // the lower half lies outside the picture
			if bgSet {
				b, bgSet = append(b, "\x1b[49m"...), false
			}
			if !fgSet || fg != top {
				b = appendColour(append(b, "\x1b["...), "38", top)
				b = append(b, 'm')
				fg, fgSet = top, true
			}
			b = append(b, "▀"...)
			continue
		}
		bottom := px[w+x]
		newBG := !bgSet || bg != bottom
		if top == bottom { // one colour: a blank needs no foreground
			if newBG {
				b = appendColour(append(b, "\x1b["...), "48", bottom)
				b = append(b, 'm')
				bg, bgSet = bottom, true
			}
			b = append(b, ' ')
			continue
		}
		newFG := !fgSet || fg != top
		if newFG || newBG {
			b = append(b, "\x1b["...)
			if newFG {
				b = appendColour(b, "38", top)
				fg, fgSet = top, true
			}
			if newFG && newBG {
				b = append(b, ';')
			}
			if newBG {
				b = appendColour(b, "48", bottom)
				bg, bgSet = bottom, true
			}
			b = append(b, 'm')
		}
		b = append(b, "▀"...)
	}
	return append(b, "\x1b[m"...)
}

func appendColour(b []byte, selector string, c rgb) []byte {
	b = append(b, selector...)
	b = append(b, ";2;"...)
	b = strconv.AppendUint(b, uint64(c.r), 10)
	b = append(b, ';')
	b = strconv.AppendUint(b, uint64(c.g), 10)
	b = append(b, ';')
	return strconv.AppendUint(b, uint64(c.b), 10)
}

// shadeRamp goes from dark to bright.
var shadeRamp = []string{" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"}

func appendShades(b []byte, px []rgb, w int) []byte {
	for x := range w {
		luma := px[x].luma()
		if len(px) == 2*w {
			luma = (luma + px[w+x].luma()) / 2
		}
		b = append(b, shadeRamp[luma*(len(shadeRamp)-1)/255]...)
	}
	return b
}

func (c rgb) luma() int { return (299*int(c.r) + 587*int(c.g) + 114*int(c.b)) / 1000 }
