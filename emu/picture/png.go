package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"clankie/emu"
)

// MaxScale is how many times a picture can be enlarged.
const MaxScale = 8

// Codes with which a picture is refused.
const (
	CodeScale = "gba_framebuffer_scale_invalid"     // not 1 to MaxScale
	CodeSize  = "gba_framebuffer_truncated"         // not the bytes of one screen
	CodeStale = "gba_framebuffer_of_another_moment" // the pixels show a moment before the last load
)

// PNG encodes a picture, enlarged scale times without smoothing.
func PNG(p emu.Picture, scale int) ([]byte, error) {
	if err := check(p, scale); err != nil {
		return nil, err
	}
	c := newCanvas(emu.ScreenWidth*scale, emu.ScreenHeight*scale)
	c.paint(p.Pix, 0, 0, scale)
	return c.encode()
}

func check(p emu.Picture, scale int) error {
	switch {
	case scale < 1 || scale > MaxScale:
		return &emu.Error{Code: CodeScale, Message: fmt.Sprintf("%d must be 1 to %d", scale, MaxScale)}
	case p.Stale:
		return &emu.Error{Code: CodeStale, Message: "no picture of this moment has been drawn yet"}
	case len(p.Pix) != emu.PictureBytes:
		return &emu.Error{Code: CodeSize, Message: fmt.Sprintf("%s, not the %d of one screen", emu.Count(len(p.Pix), "byte"), emu.PictureBytes)}
	}
	return nil
}

// canvas is what is drawn on: the machine's own colours, so that counting them
// is cheap.
type canvas struct {
	pix    []uint16 // RGB565
	width  int
	height int
}

func newCanvas(width, height int) *canvas {
	return &canvas{pix: make([]uint16, width*height), width: width, height: height}
}

// paint draws the screen with its upper left corner at (left, top).
func (c *canvas) paint(pix []byte, left, top, scale int) {
	for y := range emu.ScreenHeight {
		row := c.pix[(top+y*scale)*c.width:][:c.width]
		for x := range emu.ScreenWidth {
			v := binary.LittleEndian.Uint16(pix[2*(y*emu.ScreenWidth+x):])
			for i := range scale {
				row[left+x*scale+i] = v
			}
		}
		for i := 1; i < scale; i++ {
			copy(c.pix[(top+y*scale+i)*c.width:][:c.width], row)
		}
	}
}

// fill draws a rectangle; what lies outside the canvas is left out.
func (c *canvas) fill(x, y, width, height int, v uint16) {
	for j := max(y, 0); j < min(y+height, c.height); j++ {
		for i := max(x, 0); i < min(x+width, c.width); i++ {
			c.pix[j*c.width+i] = v
		}
	}
}

// encode writes a paletted PNG when there are 256 colours or fewer, as in
// nearly every picture of this machine, and true colour otherwise.
func (c *canvas) encode() ([]byte, error) {
	bounds := image.Rect(0, 0, c.width, c.height)
	img, few := c.paletted(bounds)
	if !few {
		img = c.trueColour(bounds)
	}
	var out bytes.Buffer
	// Pictures are looked at once: encoding must not cost more than the frame.
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

func (c *canvas) paletted(bounds image.Rectangle) (image.Image, bool) {
	img := image.NewPaletted(bounds, nil)
	var known [1 << 16]int16 // index in the palette plus one
	for i, v := range c.pix {
		if known[v] == 0 {
			if len(img.Palette) == 256 {
				return nil, false
			}
			img.Palette = append(img.Palette, widen(v))
			known[v] = int16(len(img.Palette))
		}
		img.Pix[i] = uint8(known[v] - 1)
	}
	return img, true
}

func (c *canvas) trueColour(bounds image.Rectangle) image.Image {
	img := image.NewRGBA(bounds)
	for i, v := range c.pix {
		w := widen(v)
		copy(img.Pix[4*i:], []byte{w.R, w.G, w.B, w.A})
	}
	return img
}

// widen scales the channels of RGB565 to eight bits, rounded.
func widen(v uint16) color.RGBA {
	return color.RGBA{
		R: uint8((int(v>>11)*255 + 15) / 31),
		G: uint8((int(v>>5&63)*255 + 31) / 63),
		B: uint8((int(v&31)*255 + 15) / 31),
		A: 255,
	}
}
