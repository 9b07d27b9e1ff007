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

// Parse reads a PNG of one unscaled screen back to row-packed RGB565; what PNG
// wrote comes back to the byte. The size is checked before
// anything is unpacked, so that a small file cannot become a huge picture.
func Parse(data []byte) ([]byte, error) {
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

// narrow undoes widen exactly.
func narrow(c color.Color) uint16 {
	r, g, b, _ := c.RGBA()
	scale := func(v uint32, top int) uint16 { return uint16((int(v>>8)*top + 127) / 255) }
	return scale(r, 31)<<11 | scale(g, 63)<<5 | scale(b, 31)
}
