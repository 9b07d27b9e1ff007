package replay

import (
	"bytes"
	"context"
	"iter"
	"sync"

	"clankie/emu"
	"clankie/journal"
)

// Visit says where to go.
type Visit struct {
	// Tape gives the tape from its beginning; it is read twice.
	Tape func() iter.Seq2[journal.TapeLine, error]
	// Turn is the turn to go to: the machine as it was when it had settled.
	Turn int
	// Core was just booted with nothing but its cartridge. The caller closes
	// it.
	Core    emu.Core
	Library *Library
	// Decode reads one frame's memory.
	Decode func(emu.Memory) emu.State
}

// Place is the machine as it was at the end of a turn.
type Place struct {
	RunID string
	Turn  int
	// Observed is what there was to see. Its frame counts the tape's frames.
	Observed emu.Observed
	// State is the machine's complete state there.
	State []byte
	// From is the save that the way there began at, or "" when it began at a
	// pinned savestate. Everything behind it was executed and compared.
	From string
	// Ran is how many frames that took, Digests how many were compared.
	Ran     uint64
	Digests int
}

// GoTo goes to the end of a turn: from the nearest save before it that still
// loads, else from the start, and compares every digest on the way. Where
// something does not hold, the error says what, at which turn and frame.
func GoTo(ctx context.Context, v Visit) (Place, error) {
	p := &player{core: v.Core, library: v.Library}
	way, err := p.survey(ctx, v)
	if err != nil {
		return Place{}, err
	}
	from, err := p.join(ctx, way)
	if err != nil {
		return Place{}, p.stop(err).err(err)
	}
	for line, err := range v.Tape() {
		if err == nil && line.Number > from.line && line.Number <= way.border.line {
			err = p.play(ctx, line)
		}
		if err != nil && ctx.Err() != nil {
			return Place{}, err
		}
		if err != nil {
			return Place{}, p.stop(err).err(err)
		}
		if line.Number >= way.border.line {
			break
		}
	}
	state, err := v.Core.Save(ctx)
	if err != nil {
		return Place{}, err
	}
	return Place{
		RunID: way.runID, Turn: v.Turn, Observed: p.observed(v.Decode), State: state,
		From: from.checkpointID, Ran: p.ran, Digests: p.digests,
	}, nil
}

// anchor is a line that a replay can begin behind.
type anchor struct {
	line  int
	frame uint64
	turn  int
	load  *journal.TapeLoad // of a load
	// checkpointID is the save that was made here, or the one loaded.
	checkpointID string
}

// way is what is known about a tape up to a border.
type way struct {
	runID   string
	anchors []anchor // in order
	border  anchor
	drawn   bool // the border has a picture that the machine drew
}

// survey reads the tape up to the border behind the turn.
func (p *player) survey(ctx context.Context, v Visit) (way, error) {
	var w way
	saves := p.library.saves(ctx)
	here := anchor{}
	for line, err := range v.Tape() {
		if err == nil && line.Header != nil {
			w.runID = line.Header.RunID
			err = p.admit(*line.Header)
		}
		if err != nil {
			return w, stopAt(here.turn, here.frame, err).err(err)
		}
		here.line = line.Number
		if w.note(line, &here, saves) && *line.Mark.Turn == v.Turn {
			w.border, w.drawn = here, line.Mark.PictureSHA256 != nil
			return w, nil
		}
	}
	if here.turn == 0 {
		return w, refusal(CodeTurnMissing, nil, "turn %d is not on the tape; no turn is", v.Turn)
	}
	return w, refusal(CodeTurnMissing, nil, "turn %d is not on the tape; the last one is %d", v.Turn, here.turn-1)
}

// note takes in one line and reports whether it is a border.
func (w *way) note(line journal.TapeLine, here *anchor, saves map[emu.Digest]string) (border bool) {
	switch {
	case line.Run != nil:
		here.frame += uint64(line.Run.Frames)
	case line.Load != nil:
		a := *here
		a.load = line.Load
		if line.Load.Source == journal.TapeFromCheckpoint {
			a.checkpointID = line.Load.Name
		}
		w.anchors = append(w.anchors, a)
	case line.Save != nil:
		if id, ok := saves[line.Save.StateSHA256]; ok {
			a := *here
			a.checkpointID = id
			w.anchors = append(w.anchors, a)
		}
	case line.Mark != nil && line.Mark.Turn != nil:
		here.turn = *line.Mark.Turn + 1
		return true
	}
	return false
}

// join puts the machine where the last anchor says from which a state is
// there, and returns it. A state has no picture, so where the border has one a
// frame must run in between.
func (p *player) join(ctx context.Context, w way) (anchor, error) {
	err := refusal(CodeStateMissing, nil, "the tape begins with no load")
	for i := len(w.anchors) - 1; i >= 0; i-- {
		a := w.anchors[i]
		if w.drawn && a.frame == w.border.frame {
			continue
		}
		var f found
		if a.load != nil {
			f, err = p.library.load(ctx, *a.load)
		} else {
			f, err = p.library.read(ctx, a.checkpointID)
		}
		if err == nil {
			p.frame, p.turn = a.frame, a.turn
			return a, p.load(ctx, f)
		}
	}
	return anchor{}, err
}

// observed is what there is to see where the player stands.
func (p *player) observed(decode func(emu.Memory) emu.State) emu.Observed {
	memory := p.core.Memory()
	ram := memory.RAMDigest()
	picture := p.picture()
	return emu.Observed{
		Frame: p.frame, LoadEpoch: uint64(p.loads),
		State: decode(memory), Picture: picture,
		RAM: func() emu.Digest { return ram },
		PictureSHA256: sync.OnceValue(func() emu.Digest {
			if picture.Stale {
				return ""
			}
			return picture.Digest()
		}),
	}
}

// picture is the picture where the player stands: drawn, kept with the state
// that was loaded last, or black and stale.
func (p *player) picture() emu.Picture {
	switch {
	case !p.loaded:
		pic := p.core.Picture().Clone()
		pic.Frame = p.frame
		return pic
	case len(p.kept) == emu.PictureBytes:
		return emu.Picture{Pix: bytes.Clone(p.kept), Frame: p.frame, Restored: true}
	}
	return emu.Picture{Pix: make([]byte, emu.PictureBytes), Frame: p.frame, Stale: true}
}
