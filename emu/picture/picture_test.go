package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"

	"clankie/emu"
)

// screen draws a picture of one colour a pixel.
func screen(colour func(x, y int) uint16) emu.Picture {
	pix := make([]byte, emu.PictureBytes)
	for y := range emu.ScreenHeight {
		for x := range emu.ScreenWidth {
			binary.LittleEndian.PutUint16(pix[2*(y*emu.ScreenWidth+x):], colour(x, y))
		}
	}
	return emu.Picture{Pix: pix}
}

func black(int, int) uint16 { return 0 }

func decode(t *testing.T, data []byte, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func at(img image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}

func TestPNGKeepsEveryPixel(t *testing.T) {
	p := screen(func(x, y int) uint16 { return uint16(x)%31<<11 | uint16(y)%7<<5 })
	for _, scale := range []int{1, 3, MaxScale} {
		data, err := PNG(p, scale)
		img := decode(t, data, err)
		if got, want := img.Bounds(), image.Rect(0, 0, emu.ScreenWidth*scale, emu.ScreenHeight*scale); got != want {
			t.Fatalf("scale %d: bounds %v, want %v", scale, got, want)
		}
		if _, ok := img.(*image.Paletted); !ok {
			t.Errorf("scale %d: %T, want a paletted picture for 217 colours", scale, img)
		}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				i := 2 * (y/scale*emu.ScreenWidth + x/scale)
				if want := widen(binary.LittleEndian.Uint16(p.Pix[i:])); at(img, x, y) != want {
					t.Fatalf("scale %d: pixel (%d,%d) is %v, want %v", scale, x, y, at(img, x, y), want)
				}
			}
		}
	}
}

func TestPNGOfMoreColoursThanAPaletteHolds(t *testing.T) {
	count := func(n int) emu.Picture {
		return screen(func(x, y int) uint16 { return uint16((y*emu.ScreenWidth + x) % n) })
	}
	data, err := PNG(count(256), 1)
	if img, ok := decode(t, data, err).(*image.Paletted); !ok || len(img.Palette) != 256 {
		t.Error("256 colours do not come out paletted")
	}
	data, err = PNG(count(257), 1)
	img := decode(t, data, err)
	if _, ok := img.(*image.Paletted); ok {
		t.Error("257 colours come out paletted")
	}
	if got := at(img, 256%emu.ScreenWidth, 1); got != widen(256) {
		t.Errorf("the last colour is %v, want %v", got, widen(256))
	}
}

func TestWidenReachesBothEnds(t *testing.T) {
	if widen(0) != (color.RGBA{A: 255}) || widen(0xFFFF) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("black is %v, white is %v", widen(0), widen(0xFFFF))
	}
}

func TestRefusals(t *testing.T) {
	stale := screen(black)
	stale.Stale = true
	for code, try := range map[string]func() ([]byte, error){
		CodeScale: func() ([]byte, error) { return PNG(screen(black), MaxScale+1) },
		CodeSize:  func() ([]byte, error) { return PNG(emu.Picture{Pix: make([]byte, 10)}, 1) },
		CodeStale: func() ([]byte, error) { return Ruled(stale, emu.Point{}, 3) },
	} {
		if _, err := try(); !errors.Is(err, &emu.Error{Code: code}) {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

func TestRuledGrid(t *testing.T) {
	for _, scale := range []int{1, 3} {
		data, err := Ruled(screen(black), emu.Point{X: 13, Y: 11}, scale)
		img := decode(t, data, err)
		if got, want := img.Bounds(), image.Rect(0, 0, 251*scale, 171*scale); got != want {
			t.Fatalf("bounds %v, want %v", got, want)
		}
		// Where a pixel of the screen comes to lie.
		on := func(x, y int) color.RGBA { return at(img, (margin+x)*scale, (margin+y)*scale) }
		for what, c := range map[string]struct {
			got  color.RGBA
			want uint16
		}{
			"the player's left line":  {on(112, 20), own},
			"the player's right line": {on(128, 20), own},
			"the player's upper line": {on(20, 72), own},
			"the player's lower line": {on(20, 88), own},
			"a neighbour's line":      {on(96, 20), rule},
			"the first row's line":    {on(20, 8), rule},
			"inside the player":       {on(113, 73), 0},
			"no line at the old edge": {on(20, 64), 0},
			"the margin":              {at(img, 0, 0), paper},
		} {
			if c.got != widen(c.want) {
				t.Errorf("scale %d: %s is %v, want %v", scale, what, c.got, widen(c.want))
			}
		}
	}
}

// read recognises the number drawn at a place of the margin, or returns -1.
func read(img image.Image, x, y int) int {
	n, found := 0, false
	for ; ; x += glyphWidth + 1 {
		var shape [glyphHeight]uint8
		for dy := range glyphHeight {
			for dx := range glyphWidth {
				shape[dy] <<= 1
				if at(img, x+dx, y+dy) != widen(paper) {
					shape[dy] |= 1
				}
			}
		}
		digit := -1
		for d, known := range digits {
			if known == shape {
				digit = d
			}
		}
		if digit < 0 {
			if !found {
				return -1
			}
			return n
		}
		n, found = 10*n+digit, true
	}
}

func TestRuledNumbers(t *testing.T) {
	data, err := Ruled(screen(black), emu.Point{X: 13, Y: 104}, 1)
	img := decode(t, data, err)
	for col, want := range map[int]int{0: 6, 4: 10, playerCol: 13, 14: 20} {
		if got := read(img, margin+col*tile+(tile-textWidth(want))/2, 3); got != want {
			t.Errorf("column %d says %d, want %d", col, got, want)
		}
	}
	for row, want := range map[int]int{0: 100, playerRow: 104, 8: 108} {
		if got := read(img, max(margin-1-textWidth(want), 0), margin+firstRow+row*tile+5); got != want {
			t.Errorf("row %d says %d, want %d", row, got, want)
		}
	}
}

func TestRuledBeyondTheMap(t *testing.T) {
	data, err := Ruled(screen(black), emu.Point{X: 2, Y: 0}, 1)
	img := decode(t, data, err)
	for y := range margin {
		for x := margin; x < margin+4*tile; x++ {
			if at(img, x, y) != widen(paper) {
				t.Fatalf("something is written at (%d,%d), where there are no tiles", x, y)
			}
		}
	}
	// Numbers as large as they come must not leave the picture.
	if _, err := Ruled(screen(black), emu.Point{X: 1023, Y: 1023}, 1); err != nil {
		t.Error(err)
	}
}

func BenchmarkRuled(b *testing.B) {
	p := screen(func(x, y int) uint16 { return uint16(x/8*7 + y/8*3) })
	for b.Loop() {
		if _, err := Ruled(p, emu.Point{X: 13, Y: 11}, 3); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEveryColourSurvives(t *testing.T) {
	for c := range 1 << 16 {
		if got := narrow(widen(uint16(c))); got != uint16(c) {
			t.Fatalf("colour %#04x comes back as %#04x", c, got)
		}
	}
}

func TestPicturesComeBackAndArePalettedUpTo256Colours(t *testing.T) {
	for _, colours := range []int{1, 256, 257, 1000} {
		shown := screen(func(x, y int) uint16 { return uint16((y*emu.ScreenWidth + x) % colours) })
		pix := shown.Pix
		data, err := PNG(shown, 1)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, paletted := img.(*image.Paletted); paletted != (colours <= 256) {
			t.Errorf("%d colours: paletted is %v", colours, paletted)
		}
		back, err := Parse(data)
		if err != nil || !bytes.Equal(back, pix) {
			t.Errorf("%d colours do not come back: %v", colours, err)
		}
	}
}
