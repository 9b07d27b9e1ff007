package scenario

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"clankie/emu"
)

// encodePicture writes a frame as PNG. It is true colour: the file then has
// one form only, whatever the picture shows.
func encodePicture(pix []byte) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, emu.ScreenWidth, emu.ScreenHeight))
	for i := range emu.ScreenWidth * emu.ScreenHeight {
		c := binary.LittleEndian.Uint16(pix[2*i:])
		copy(img.Pix[4*i:], []byte{scale(c>>11, 31), scale(c>>5&0x3F, 63), scale(c&0x1F, 31), 0xFF})
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img); err != nil {
		return nil, fmt.Errorf("scenario: encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// scale widens a channel to eight bits, rounded; unscale undoes it exactly.
func scale(v uint16, top int) uint8 { return uint8((int(v)*255 + top/2) / top) }

func unscale(v uint32, top int) uint16 { return uint16((int(v>>8)*top + 127) / 255) }

// pictureDigest is the digest of the frame that a PNG shows.
func pictureDigest(data []byte) (emu.Digest, error) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	// The size is checked before anything is unpacked.
	if config.Width != emu.ScreenWidth || config.Height != emu.ScreenHeight {
		return "", fmt.Errorf("the picture has %d×%d pixels, not %d×%d", config.Width, config.Height, emu.ScreenWidth, emu.ScreenHeight)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	pix := make([]byte, 0, emu.PictureBytes)
	for y := range emu.ScreenHeight {
		for x := range emu.ScreenWidth {
			pix = binary.LittleEndian.AppendUint16(pix, narrow(img.At(x, y)))
		}
	}
	return emu.DigestOf(pix), nil
}

func narrow(c color.Color) uint16 {
	r, g, b, _ := c.RGBA()
	return unscale(r, 31)<<11 | unscale(g, 63)<<5 | unscale(b, 31)
}
