package replay

import (
	"context"
	"errors"

	"clankie/emu"
	"clankie/journal"
)

// Recorder is a core that writes a tape of everything that reaches the core
// within. Like every core it belongs to one goroutine.
//
// A body boots before the run that it is for has a name, so what reaches the
// core until Start waits in memory.
type Recorder struct {
	core    emu.Core
	boot    emu.Digest
	tape    *journal.TapeWriter
	started bool
	waiting []journal.TapeLine
	trouble error // with the tape, not told yet

	span  journal.TapeRun   // frames not on the tape yet
	since int               // frames since the last digest
	next  *journal.TapeLoad // what the next load is called
	drawn bool              // a frame ran since the last load
	first uint64            // the core's frame where the tape begins
}

var _ emu.Core = (*Recorder)(nil)

// NewRecorder puts a recorder around core, which it owns from now on. boot is
// the digest of the boot savestate.
func NewRecorder(core emu.Core, boot emu.Digest) *Recorder {
	return &Recorder{core: core, boot: boot, first: core.Frame()}
}

// Start begins to write. Without a tape nothing is recorded from now on. The
// error is one of the tape; play can go on.
func (r *Recorder) Start(tape *journal.TapeWriter) error {
	r.started, r.tape = true, tape
	waiting := r.waiting
	r.waiting = nil
	for _, line := range waiting {
		r.add(line)
	}
	return r.commit()
}

// Loading says what the state is that is loaded next: the save id, or where
// that is empty the pin, or where that is empty too the boot savestate.
func (r *Recorder) Loading(checkpointID, pin string) {
	r.next = &journal.TapeLoad{Source: journal.TapeFromBoot}
	switch {
	case checkpointID != "":
		r.next.Source, r.next.Name = journal.TapeFromCheckpoint, checkpointID
	case pin != "":
		r.next.Source, r.next.Name = journal.TapeFromPin, pin
	}
}

// Steered says that a command of the operator's was carried out here, and what
// he was told. It reaches the disk with what comes next.
func (r *Recorder) Steered(command, text string) {
	if r.idle() {
		return
	}
	r.flush()
	r.add(journal.TapeLine{Steer: &journal.TapeSteer{Command: command, Text: emu.Clip(text, journal.MaxTapeText)}})
}

// Border marks that turn has settled at the frame that o shows, so that its
// digests need not be computed again. The error is one of the tape, told once;
// play can go on.
func (r *Recorder) Border(turn int, o emu.Observed) error {
	if r.idle() {
		return nil
	}
	mark := journal.TapeMark{Kind: journal.TapeKindBorder, Turn: &turn, Frame: r.frame()}
	if o.Frame == r.core.Frame() {
		mark.RAMSHA256 = o.RAM()
		if picture := o.PictureSHA256(); r.drawn && picture != "" {
			mark.PictureSHA256 = &picture
		}
	} else {
		r.look(&mark)
	}
	r.mark(mark)
	return r.commit()
}

// idle reports whether nothing is recorded.
func (r *Recorder) idle() bool { return r.started && r.tape == nil }

// frame counts the frames on the tape.
func (r *Recorder) frame() uint64 { return r.core.Frame() - r.first }

// look takes the digests of the frame that the core stands at.
func (r *Recorder) look(mark *journal.TapeMark) {
	mark.RAMSHA256 = r.core.Memory().RAMDigest()
	if r.drawn {
		picture := r.core.Picture().Digest()
		mark.PictureSHA256 = &picture
	}
}

func (r *Recorder) mark(mark journal.TapeMark) {
	r.flush()
	r.add(journal.TapeLine{Mark: &mark})
	r.since = 0
}

// flush puts the span on the tape that is under way.
func (r *Recorder) flush() {
	if r.span.Frames > 0 {
		span := r.span
		r.add(journal.TapeLine{Run: &span})
	}
	r.span = journal.TapeRun{}
}

func (r *Recorder) add(line journal.TapeLine) {
	if r.started {
		r.trouble = errors.Join(r.trouble, r.tape.Add(line))
	} else {
		r.waiting = append(r.waiting, line)
	}
}

// commit puts on the disk what was added, and tells what went wrong since.
func (r *Recorder) commit() error {
	err := errors.Join(r.trouble, r.tape.Commit())
	r.trouble = nil
	return err
}

// commitLater is commit where nobody can be told: the next one who can is.
func (r *Recorder) commitLater() { r.trouble = r.commit() }

// Identity implements [emu.Core].
func (r *Recorder) Identity() emu.CoreIdentity { return r.core.Identity() }

// Frame implements [emu.Core].
func (r *Recorder) Frame() uint64 { return r.core.Frame() }

// Picture implements [emu.Core].
func (r *Recorder) Picture() emu.Picture { return r.core.Picture() }

// Memory implements [emu.Core].
func (r *Recorder) Memory() emu.Memory { return r.core.Memory() }

// Run implements [emu.Core]. It stops in between where a digest is due.
func (r *Recorder) Run(ctx context.Context, n int, held emu.Keys) (ran int, err error) {
	if r.idle() {
		return r.core.Run(ctx, n, held)
	}
	for {
		done, err := r.core.Run(ctx, min(n-ran, journal.MaxTapeSpan-r.since), held)
		ran += done
		r.ran(done, held&emu.KeysAll)
		if err != nil || ran >= n {
			return ran, err
		}
	}
}

// ran takes in that n frames ran.
func (r *Recorder) ran(n int, held emu.Keys) {
	if n <= 0 {
		return
	}
	if held != r.span.Keys {
		r.flush()
		r.span.Keys = held
	}
	r.span.Frames += n
	r.since += n
	r.drawn = true
	if r.since >= journal.MaxTapeSpan {
		mark := journal.TapeMark{Kind: journal.TapeKindDigest, Frame: r.frame()}
		r.look(&mark)
		r.mark(mark)
		r.commitLater()
	}
}

// Save implements [emu.Core].
func (r *Recorder) Save(ctx context.Context) ([]byte, error) {
	state, err := r.core.Save(ctx)
	if err == nil && !r.idle() {
		r.flush()
		r.add(journal.TapeLine{Save: &journal.TapeSave{StateSHA256: emu.DigestOf(state)}})
	}
	return state, err
}

// Load implements [emu.Core].
func (r *Recorder) Load(ctx context.Context, state []byte) error {
	named := r.next
	r.next = nil
	if err := r.core.Load(ctx, state); err != nil {
		return err
	}
	if r.idle() {
		return nil
	}
	load := journal.TapeLoad{Source: journal.TapeFromElsewhere}
	sum := emu.DigestOf(state)
	switch {
	case named != nil:
		load = *named
	case sum == r.boot:
		load.Source = journal.TapeFromBoot
	}
	load.StateSHA256 = sum
	r.flush()
	r.drawn = false
	r.add(journal.TapeLine{Load: &load})
	r.commitLater()
	return nil
}

// Close implements [emu.Core]. The tape ends with a last look at a machine
// that still stands, else with the frames that ran last.
func (r *Recorder) Close() error {
	if !r.idle() {
		r.flush()
	}
	if !r.idle() && r.core.Memory().EWRAM != nil {
		mark := journal.TapeMark{Kind: journal.TapeKindEnd, Frame: r.frame()}
		r.look(&mark)
		r.mark(mark)
	}
	err := errors.Join(r.core.Close(), r.commit(), r.tape.Close())
	r.started, r.tape = true, nil
	return err
}
