package replay

import (
	"context"

	"clankie/emu"
	"clankie/journal"
)

// player executes the lines of a tape on a core and keeps account.
type player struct {
	core    emu.Core
	library *Library

	turn    int    // under way
	frame   uint64 // frames of the tape so far
	ran     uint64 // frames run here
	turns   int    // settled here
	loads   int
	digests int // compared
	// kept is the picture kept with a loaded state until a frame ran.
	kept   []byte
	loaded bool // no frame ran since the last load
}

// admit refuses a tape that was recorded on another machine.
func (p *player) admit(h journal.TapeHeader) error {
	id := p.core.Identity()
	if h.Identity.ROMSHA256 != id.ROMSHA256 {
		return refusal(CodeROMMismatch, nil, "the tape was recorded with another cartridge (ROM %s, here %s)",
			h.Identity.ROMSHA256.Short(), id.ROMSHA256.Short())
	}
	if h.Identity.CoreID != id.CoreID || !id.Accepts(h.Identity.ModuleSHA256) {
		return refusal(CodeCoreMismatch, nil, "the tape was recorded on another core (%s, module %s; here %s, module %s) that is not proven to behave the same",
			emu.Clean(h.Identity.CoreID), h.Identity.ModuleSHA256.Short(), id.CoreID, id.ModuleSHA256.Short())
	}
	return nil
}

// play executes one line.
func (p *player) play(ctx context.Context, line journal.TapeLine) error {
	switch {
	case line.Header != nil:
		return p.admit(*line.Header)
	case line.Run != nil:
		return p.run(ctx, *line.Run)
	case line.Load != nil:
		f, err := p.library.load(ctx, *line.Load)
		if err != nil {
			return err
		}
		return p.load(ctx, f)
	case line.Mark != nil:
		return p.compare(*line.Mark)
	}
	return nil // a save changes nothing, and a command not by itself
}

func (p *player) run(ctx context.Context, span journal.TapeRun) error {
	ran, err := p.core.Run(ctx, span.Frames, span.Keys)
	p.frame += uint64(ran)
	p.ran += uint64(ran)
	if ran > 0 {
		p.kept, p.loaded = nil, false
	}
	return err
}

func (p *player) load(ctx context.Context, f found) error {
	if err := p.core.Load(ctx, f.state); err != nil {
		return err
	}
	p.loads++
	p.kept, p.loaded = f.picture, true
	return nil
}

// compare holds the machine against a mark.
func (p *player) compare(mark journal.TapeMark) error {
	if mark.Frame != p.frame {
		return refusal(CodeMismatch, nil, "the tape counts %s here", emu.Count(mark.Frame, "frame"))
	}
	if got := p.core.Memory().RAMDigest(); got != mark.RAMSHA256 {
		return refusal(CodeMismatch, nil, "RAM is %s, on the tape %s", got.Short(), mark.RAMSHA256.Short())
	}
	p.digests++
	if want := mark.PictureSHA256; want != nil {
		if got := p.core.Picture().Digest(); got != *want {
			return refusal(CodeMismatch, nil, "the picture is %s, on the tape %s", got.Short(), want.Short())
		}
		p.digests++
	}
	if mark.Turn != nil {
		p.turn = *mark.Turn + 1
		p.turns++
	}
	return nil
}
