package body

import (
	"context"
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

// RestoreState implements [emu.Body]. preview is row-packed RGB565 as in an
// [emu.Picture]; one of another length is treated as missing, for the state is
// whole without it.
func (b *Body) RestoreState(ctx context.Context, state, preview []byte) error {
	if b.dead != nil {
		return b.dead
	}
	b.leaveMemory()
	if err := b.core.Load(ctx, state); err != nil {
		return b.gone(err)
	}
	b.now = moment{}
	b.epoch++
	b.sinceLoad = 0
	b.battles.forget()
	b.bumped.forget()
	b.kept = nil
	if len(preview) == emu.PictureBytes {
		b.kept = &emu.Picture{Pix: slices.Clone(preview), Frame: b.core.Frame(), Restored: true}
	}
	return nil
}
