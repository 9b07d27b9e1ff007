package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"clankie/emu"
	"clankie/journal"
)

// keptMoments is how many turns an archive remembers: those around the one
// that is looked at.
const keptMoments = 16

// LastTurn is the last turn of a run, whichever that is.
const LastTurn = -1

// Wanted names a turn of a journey.
type Wanted struct {
	// Run is the id of a run or a beginning of it that no other has; "" is the
	// run that goes on.
	Run string
	// Back asks for the run that was played so many before that one, or behind
	// it where it is negative. Runs without a turn do not count.
	Back int
	Turn int // or LastTurn
}

// Moment is a turn of a run: the machine at its end, and what the journal says
// of how it came there.
type Moment struct {
	Place
	Live bool              // the run is the one that goes on
	Last int               // the newest turn of the run
	Line *journal.TurnLine // nil where the journal does not say
}

// Archive looks at the turns of a journey: those of one run, which may still be
// going on, and those of the runs before. Any goroutine may use it.
type Archive struct {
	o    ArchiveOptions
	busy chan struct{} // holds one token while nobody goes anywhere
	kept []Moment      // newest last; only whoever has the token touches it
}

// ArchiveOptions say what an archive looks at and with what.
type ArchiveOptions struct {
	Journal string // path of the journal of the run that goes on
	Journey string // whose other runs lie in the same folder
	Library *Library
	// Boot boots a fresh core with the journey's cartridge and nothing else.
	// The archive closes it.
	Boot   func(ctx context.Context) (emu.Core, error)
	Decode func(emu.Memory) emu.State // reads one frame's memory
}

// NewArchive returns an archive of journals and the tapes beside them.
func NewArchive(o ArchiveOptions) *Archive {
	a := &Archive{o: o, busy: make(chan struct{}, 1)}
	a.busy <- struct{}{}
	return a
}

// At goes to the end of a turn. One turn is gone to at a time: a core is a lot
// of memory. Beside an error stand the run and the turn that were found, if
// they were.
func (a *Archive) At(ctx context.Context, w Wanted) (Moment, error) {
	select {
	case <-a.busy:
		defer func() { a.busy <- struct{}{} }()
	case <-ctx.Done():
		return Moment{}, ctx.Err()
	}
	run, err := a.find(w)
	if err != nil {
		return Moment{}, err
	}
	m, err := a.moment(run)
	if w.Turn != LastTurn {
		m.Turn = w.Turn
	}
	if err != nil {
		return m, err
	}
	if i := slices.IndexFunc(a.kept, m.same); i >= 0 {
		m.Place, m.Line = a.kept[i].Place, a.kept[i].Line
		return m, nil
	}
	if err := a.visit(ctx, run.Path, &m); err != nil {
		return m, err
	}
	if len(a.kept) == keptMoments {
		a.kept = slices.Delete(a.kept, 0, 1)
	}
	a.kept = append(a.kept, m)
	return m, nil
}

func (m Moment) same(n Moment) bool { return m.RunID == n.RunID && m.Turn == n.Turn }

// moment is the last turn of a run, as far as its journal tells.
func (a *Archive) moment(run journal.Run) (Moment, error) {
	o, err := run.Overview()
	m := Moment{Place: Place{RunID: run.Header.RunID, Turn: max(o.Turns-1, 0)}, Live: run.Path == a.o.Journal, Last: o.Turns - 1}
	return m, err
}

// find finds the run that is wanted.
func (a *Archive) find(w Wanted) (journal.Run, error) {
	if w.Run == "" && w.Back == 0 {
		header, err := journal.ReadHeader(a.o.Journal)
		return journal.Run{Path: a.o.Journal, Header: header}, err
	}
	runs, _, err := journal.Runs(filepath.Dir(a.o.Journal), a.o.Journey)
	if err != nil {
		return journal.Run{}, err
	}
	from := journal.Run{Path: a.o.Journal}
	if w.Run != "" {
		if from, err = journal.Choose(runs, w.Run); err != nil {
			return journal.Run{}, err
		}
	}
	return step(runs, from, w.Back)
}

// step goes back so many runs, leaving out those without a turn.
func step(runs []journal.Run, from journal.Run, back int) (journal.Run, error) {
	at := slices.IndexFunc(runs, func(r journal.Run) bool { return r.Path == from.Path })
	if at < 0 {
		return journal.Run{}, refusal(journal.CodeRunNotFound, nil, "the run that goes on is not in its folder any more")
	}
	by, where := -1, "earlier"
	if back < 0 {
		by, where = 1, "later"
	}
	for left := max(back, -back); left > 0; {
		at += by
		if at < 0 || at >= len(runs) {
			return journal.Run{}, refusal(journal.CodeRunNotFound, nil, "there is no %s run of this journey", where)
		}
		if o, err := runs[at].Overview(); err == nil && o.Turns > 0 {
			left--
		}
	}
	return runs[at], nil
}

// visit plays the way to the moment's turn again.
func (a *Archive) visit(ctx context.Context, path string, m *Moment) error {
	tape := journal.TapePath(path)
	if _, err := os.Stat(tape); errors.Is(err, fs.ErrNotExist) {
		return refusal(journal.CodeTapeMissing, err, "there is no tape of %s", emu.Clean(m.RunID))
	}
	core, err := a.o.Boot(ctx)
	if err != nil {
		return fmt.Errorf("boot a core to go back with: %w", err)
	}
	defer core.Close()
	place, err := GoTo(ctx, Visit{
		Tape: func() iter.Seq2[journal.TapeLine, error] { return journal.ReadTape(tape) },
		Turn: m.Turn, Core: core, Library: a.o.Library, Decode: a.o.Decode,
	})
	if err != nil {
		return err
	}
	m.Place = place
	m.Line, err = turnLine(ctx, path, m.Turn)
	return err
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
