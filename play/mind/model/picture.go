package model

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"clankie/emu"
)

// encodePicture writes what he sees as PNG at scale, paletted when it has 256
// colours or fewer. Where a position is decoded the tiles are ruled and
// numbered; see rule.
func encodePicture(p emu.Picture, at *emu.Position, scale int) ([]byte, error) {
	if len(p.Pix) != emu.PictureBytes {
		return nil, fmt.Errorf("picture has %d bytes, not %d", len(p.Pix), emu.PictureBytes)
	}
	margin := 0
	if at != nil {
		margin = rulerMargin * scale
	}
	c := newCanvas(emu.ScreenWidth*scale+margin, emu.ScreenHeight*scale+margin)
	for y := range emu.ScreenHeight {
		for x := range emu.ScreenWidth {
			v := binary.LittleEndian.Uint16(p.Pix[2*(y*emu.ScreenWidth+x):])
			c.fill(image.Rect(x, y, x+1, y+1), scale, margin, widen(v))
		}
	}
	if at != nil {
		c.rule(*at, scale)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, c.image()); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// widen scales RGB565 to eight bits a channel, rounded.
func widen(c uint16) color.RGBA {
	return color.RGBA{
		R: uint8((int(c>>11)*255 + 15) / 31),
		G: uint8((int(c>>5&0x3F)*255 + 31) / 63),
		B: uint8((int(c&0x1F)*255 + 15) / 31),
		A: 0xFF,
	}
}

// canvas is a picture that stays paletted for as long as it can.
type canvas struct {
	paletted *image.Paletted
	index    map[color.RGBA]uint8
	full     *image.RGBA // set once there are more than 256 colours
}

func newCanvas(width, height int) *canvas {
	c := &canvas{
		paletted: image.NewPaletted(image.Rect(0, 0, width, height), nil),
		index:    make(map[color.RGBA]uint8, 256),
	}
	c.colour(color.RGBA{A: 0xFF}) // an unpainted pixel has index 0
	return c
}

// fill paints a rectangle of unscaled pixels.
func (c *canvas) fill(r image.Rectangle, scale, margin int, with color.RGBA) {
	n, ok := c.colour(with)
	for y := r.Min.Y*scale + margin; y < r.Max.Y*scale+margin; y++ {
		for x := r.Min.X*scale + margin; x < r.Max.X*scale+margin; x++ {
			if ok {
				c.paletted.Pix[y*c.paletted.Stride+x] = n
			} else {
				c.full.SetRGBA(x, y, with)
			}
		}
	}
}

// colour is a colour's place in the palette; ok is false when the picture has
// outgrown it.
func (c *canvas) colour(v color.RGBA) (n uint8, ok bool) {
	if c.full != nil {
		return 0, false
	}
	if n, ok = c.index[v]; ok {
		return n, true
	}
	if len(c.index) == 256 {
		c.outgrow()
		return 0, false
	}
	n = uint8(len(c.index))
	c.index[v] = n
	c.paletted.Palette = append(c.paletted.Palette, v)
	return n, true
}

func (c *canvas) outgrow() {
	b := c.paletted.Bounds()
	c.full = image.NewRGBA(b)
	for y := range b.Dy() {
		for x := range b.Dx() {
			c.full.Set(x, y, c.paletted.At(x, y))
		}
	}
}

func (c *canvas) image() image.Image {
	if c.full != nil {
		return c.full
	}
	return c.paletted
}
