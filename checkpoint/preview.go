package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"clankie/emu"
)

// encodePreview writes a 240×160 RGB565 picture as PNG: paletted when it has
// 256 colours or fewer, as nearly every picture of this machine does.
func encodePreview(pix []byte) ([]byte, error) {
	if len(pix) != emu.PictureBytes {
		return nil, fmt.Errorf("picture has %d bytes, not %d", len(pix), emu.PictureBytes)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, pictureImage(pix)); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

func pictureImage(pix []byte) image.Image {
	bounds := image.Rect(0, 0, emu.ScreenWidth, emu.ScreenHeight)
	paletted := image.NewPaletted(bounds, nil)
	index := map[uint16]uint8{}
	for i := range paletted.Pix {
		c := binary.LittleEndian.Uint16(pix[2*i:])
		n, known := index[c]
		if !known {
			if len(index) == 256 {
				return trueColour(pix, bounds)
			}
			n = uint8(len(index))
			index[c] = n
			paletted.Palette = append(paletted.Palette, widen(c))
		}
		paletted.Pix[i] = n
	}
	return paletted
}

func trueColour(pix []byte, bounds image.Rectangle) image.Image {
	img := image.NewRGBA(bounds)
	for i := range emu.ScreenWidth * emu.ScreenHeight {
		c := widen(binary.LittleEndian.Uint16(pix[2*i:]))
		copy(img.Pix[4*i:], []byte{c.R, c.G, c.B, c.A})
	}
	return img
}

// widen scales RGB565 to eight bits a channel, rounded; narrow undoes it
// exactly.
func widen(c uint16) color.RGBA {
	return color.RGBA{
		R: uint8((int(c>>11)*255 + 15) / 31),
		G: uint8((int(c>>5&0x3F)*255 + 31) / 63),
		B: uint8((int(c&0x1F)*255 + 15) / 31),
		A: 0xFF,
	}
}

func narrow(c color.Color) uint16 {
	r, g, b, _ := c.RGBA()
	scale := func(v uint32, top int) uint16 { return uint16((int(v>>8)*top + 127) / 255) }
	return scale(r, 31)<<11 | scale(g, 63)<<5 | scale(b, 31)
}

// decodePreview reads frame.png back to RGB565. The size is checked before
// anything is unpacked, so that a small file cannot become a huge picture.
func decodePreview(data []byte) ([]byte, error) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	if config.Width != emu.ScreenWidth || config.Height != emu.ScreenHeight {
		return nil, fmt.Errorf("picture is %d×%d, not %d×%d", config.Width, config.Height, emu.ScreenWidth, emu.ScreenHeight)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	if paletted, ok := img.(*image.Paletted); ok {
		return fromPalette(paletted), nil
	}
	pix := make([]byte, emu.PictureBytes)
	for y := range emu.ScreenHeight {
		for x := range emu.ScreenWidth {
			binary.LittleEndian.PutUint16(pix[2*(y*emu.ScreenWidth+x):], narrow(img.At(x, y)))
		}
	}
	return pix, nil
}

// fromPalette narrows each colour once instead of each pixel.
func fromPalette(img *image.Paletted) []byte {
	var colours [256]uint16
	for i, c := range img.Palette {
		colours[i] = narrow(c)
	}
	pix := make([]byte, emu.PictureBytes)
	for i, n := range img.Pix {
		binary.LittleEndian.PutUint16(pix[2*i:], colours[n])
	}
	return pix
}
