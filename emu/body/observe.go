package body

import (
	"context"
	"sync"

	"clankie/emu"
)

// moment is what is known about the frame the machine stands at. It is
// dropped before the machine goes on or is loaded, so nothing of it can be
// mistaken for another frame or another timeline.
type moment struct {
	decoded  *emu.State // as the decoder gave it
	observed *emu.Observed
	ram      *ramDigest
}

// Observe implements [emu.Body]. Looking runs no frames and changes nothing,
// so a frame whose memory is torn is observed as just that: whoever needs more
// lets a frame pass and looks again.
func (b *Body) Observe(context.Context) (emu.Observed, error) {
	if b.dead != nil {
		return emu.Observed{}, b.dead
	}
	return b.observed(), nil
}

// observed is the one observation of this frame.
func (b *Body) observed() emu.Observed {
	if b.now.observed == nil {
		picture := b.picture()
		o := emu.Observed{
			Frame:         b.core.Frame(),
			LoadEpoch:     b.epoch,
			State:         b.state(),
			Picture:       picture,
			RAM:           b.ram().get,
			PictureSHA256: sync.OnceValue(func() emu.Digest { return pictureDigest(picture) }),
		}
		b.now.observed = &o
	}
	return *b.now.observed
}

// Storage implements [emu.Storekeeper].
func (b *Body) Storage(context.Context) (emu.Storage, error) {
	if b.dead != nil {
		return emu.Storage{}, b.dead
	}
	if b.storage == nil {
		return emu.Storage{}, &emu.Error{Code: emu.CodeStorageUnavailable, Message: "this game's storage is not decoded"}
	}
	s, ok := b.storage(b.core.Memory())
	if !ok {
		return emu.Storage{}, &emu.Error{Code: emu.CodeStorageUnavailable, Message: "no storage is in memory"}
	}
	return s, nil
}

// state is this frame's decoded state with the battles' bookkeeping in it.
func (b *Body) state() emu.State {
	if b.now.observed != nil {
		return b.now.observed.State
	}
	return b.battles.shown(b.decoded())
}

func (b *Body) decoded() emu.State {
	if b.now.decoded == nil {
		s := b.decode(b.core.Memory())
		b.now.decoded = &s
	}
	return *b.now.decoded
}

func (b *Body) ram() *ramDigest {
	if b.now.ram == nil {
		b.now.ram = newRAMDigest(b.core.Memory())
	}
	return b.now.ram
}

// picture returns this frame's picture, owned by whoever gets it. After a
// load without a kept picture there is none: it is black and stale, so that
// nobody shows what was on screen before.
func (b *Body) picture() emu.Picture {
	if b.kept != nil {
		return *b.kept
	}
	p := b.core.Picture()
	if p.Stale {
		return emu.Picture{Pix: make([]byte, emu.PictureBytes), Frame: b.core.Frame(), Stale: true}
	}
	return p.Clone()
}

func pictureDigest(p emu.Picture) emu.Digest {
	if p.Stale {
		return ""
	}
	return p.Digest()
}

// leaveFrame drops what is known about this frame. Digests handed out for it
// stay valid.
func (b *Body) leaveFrame() {
	b.leaveMemory()
	b.now = moment{}
}

// leaveMemory makes this frame's digest independent of the machine's memory
// and keeps what else is known.
func (b *Body) leaveMemory() {
	if b.now.ram != nil {
		b.now.ram.leave(&b.pages)
	}
}
