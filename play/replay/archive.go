package replay

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"clankie/emu"
	"clankie/journal"
)

// keptMoments is how many turns an archive remembers: those around the one
// that is looked at.
const keptMoments = 16

// Moment is a turn of a run: the machine at its end, and what the journal says
// of how it came there.
type Moment struct {
	Place
	Line *journal.TurnLine // nil where the journal does not say
}

// Archive looks at the turns of one run, which may still be going on. Make it
// with NewArchive; any goroutine may use it.
type Archive struct {
	path    string // of the journal
	boot    func(ctx context.Context) (emu.Core, error)
	decode  func(emu.Memory) emu.State
	library *Library

	busy chan struct{} // holds one token while nobody goes anywhere
	kept []Moment      // newest last; only whoever has the token touches it
}

// NewArchive returns an archive of the run with that journal and the tape
// beside it. boot boots a fresh core with the run's cartridge and nothing else;
// the archive closes it.
func NewArchive(path string, library *Library, boot func(ctx context.Context) (emu.Core, error), decode func(emu.Memory) emu.State) *Archive {
	a := &Archive{path: path, boot: boot, decode: decode, library: library, busy: make(chan struct{}, 1)}
	a.busy <- struct{}{}
	return a
}

// At goes to the end of a turn. One turn is gone to at a time: a core is a lot
// of memory.
func (a *Archive) At(ctx context.Context, turn int) (Moment, error) {
	select {
	case <-a.busy:
		defer func() { a.busy <- struct{}{} }()
	case <-ctx.Done():
		return Moment{}, ctx.Err()
	}
	if i := slices.IndexFunc(a.kept, func(m Moment) bool { return m.Turn == turn }); i >= 0 {
		return a.kept[i], nil
	}
	m, err := a.visit(ctx, turn)
	if err != nil {
		return Moment{}, err
	}
	if len(a.kept) == keptMoments {
		a.kept = slices.Delete(a.kept, 0, 1)
	}
	a.kept = append(a.kept, m)
	return m, nil
}

func (a *Archive) visit(ctx context.Context, turn int) (Moment, error) {
	core, err := a.boot(ctx)
	if err != nil {
		return Moment{}, fmt.Errorf("boot a core to go back with: %w", err)
	}
	defer core.Close()
	place, err := GoTo(ctx, Visit{
		Tape: func() iter.Seq2[journal.TapeLine, error] { return journal.ReadTape(journal.TapePath(a.path)) },
		Turn: turn, Core: core, Library: a.library, Decode: a.decode,
	})
	if err != nil {
		return Moment{}, err
	}
	line, err := turnLine(ctx, a.path, turn)
	return Moment{place, line}, err
}

// turnLine finds a turn's line in a journal; nil where it has none that can be
// read.
func turnLine(ctx context.Context, path string, turn int) (*journal.TurnLine, error) {
	for record, err := range journal.Read(path) {
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case record.Turn != nil && record.Turn.Turn.Turn == turn:
			return record.Turn, nil
		}
	}
	return nil, nil
}
