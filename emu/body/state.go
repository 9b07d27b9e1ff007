package body

import (
	"bytes"
	"context"
	"image/png"
	"slices"

	"clankie/emu"
)

// CaptureState implements [emu.Body].
func (b *Body) CaptureState(ctx context.Context) ([]byte, error) {
	if b.dead != nil {
		return nil, b.dead
	}
	state, err := b.core.Save(ctx)
	return state, b.gone(err)
}

// RestoreState implements [emu.Body]. preview is row-packed RGB565 as in a
// [emu.Picture], or a PNG of 240×160; one that is neither is treated as
// missing, for the state is whole without it.
func (b *Body) RestoreState(ctx context.Context, state, preview []byte) error {
	if b.dead != nil {
		return b.dead
	}
	b.now.leaveMemory()
	if err := b.core.Load(ctx, state); err != nil {
		return b.gone(err)
	}
	b.now = moment{}
	b.epoch++
	b.sinceLoad = 0
	b.battles.forget()
	b.kept = nil
	if pix := previewPixels(preview); pix != nil {
		b.kept = &emu.Picture{Pix: pix, Frame: b.core.Frame(), Restored: true}
	}
	return nil
}

// leaveMemory lets digests handed out for this moment let go of the machine's
// memory, and keeps everything else.
func (m *moment) leaveMemory() {
	if m.ram != nil {
		m.ram.leave()
	}
}

func previewPixels(preview []byte) []byte {
	if len(preview) == emu.PictureBytes {
		return slices.Clone(preview)
	}
	header, err := png.DecodeConfig(bytes.NewReader(preview))
	if err != nil || header.Width != emu.ScreenWidth || header.Height != emu.ScreenHeight {
		return nil
	}
	img, err := png.Decode(bytes.NewReader(preview))
	if err != nil {
		return nil
	}
	pix := make([]byte, 0, emu.PictureBytes)
	for y := range emu.ScreenHeight {
		for x := range emu.ScreenWidth {
			r, g, bl, _ := img.At(x, y).RGBA()
			c := narrow(r, 31)<<11 | narrow(g, 63)<<5 | narrow(bl, 31)
			pix = append(pix, byte(c), byte(c>>8))
		}
	}
	return pix
}

// narrow scales a 16-bit channel to 0..top. It undoes exactly the widening of
// 5 and 6-bit channels to 8 bits.
func narrow(v uint32, top uint32) uint16 {
	return uint16((v*top + 0x7FFF) / 0xFFFF)
}
