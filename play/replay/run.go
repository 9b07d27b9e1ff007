package replay

import (
	"context"
	"iter"

	"clankie/emu"
	"clankie/journal"
)

// Report is what a replay found.
type Report struct {
	RunID   string `json:"runId"`
	Turns   int    `json:"turns"`   // that came out as recorded
	Frames  uint64 `json:"frames"`  // that ran
	Loads   int    `json:"loads"`   // loads and restarts, those at the start included
	Digests int    `json:"digests"` // that were compared
	// Complete is true when the tape ends as one does whose run ended in order.
	Complete bool `json:"complete"`
	// Torn is half a line at the tape's end, which a crash leaves, or null.
	Torn *journal.Gap `json:"torn"`
	// Stop is where the replay ended too early, or null: everything held.
	Stop *Stop `json:"stop"`
}

// Run executes a tape on core, which must just have been booted with nothing
// but its cartridge, and compares every digest. It ends at the first thing
// that does not hold; the report's Stop and the error say what and where. A
// context that ends is an error without a Stop.
func Run(ctx context.Context, core emu.Core, library *Library, tape iter.Seq2[journal.TapeLine, error]) (Report, error) {
	p := &player{core: core, library: library}
	var r Report
	for line, err := range tape {
		switch {
		case err != nil:
		case line.Torn != nil:
			r.Torn = line.Torn
		default:
			if line.Header != nil {
				r.RunID = line.Header.RunID
			}
			err = p.play(ctx, line)
		}
		if err != nil {
			return p.stopped(ctx, r, err)
		}
		r.Complete = line.Mark != nil && line.Mark.Kind == journal.TapeKindEnd
	}
	return p.account(r), nil
}

// account fills in what was done.
func (p *player) account(r Report) Report {
	r.Turns, r.Frames, r.Loads, r.Digests = p.turns, p.ran, p.loads, p.digests
	return r
}

func (p *player) stopped(ctx context.Context, r Report, err error) (Report, error) {
	r = p.account(r)
	if ctx.Err() != nil {
		return r, err
	}
	stop := p.stop(err)
	r.Stop = &stop
	return r, stop.err(err)
}

// stop says where the player stands, and why it cannot go on.
func (p *player) stop(err error) Stop { return stopAt(p.turn, p.frame, err) }
