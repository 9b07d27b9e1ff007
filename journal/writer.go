package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"clankie/emu"
)

// Modes of what the writer creates: nobody but the owner reads journals.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// maxSafeRunID bounds the run id within a file's name.
const maxSafeRunID = 120

// GroupCommit is the longest time that a line may wait for its sync in runs
// faster than the machine's own speed.
const GroupCommit = time.Second

// sink is the little of a file that the writer needs. Tests put one in its
// place that fails.
type sink interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// Writer appends to one run's file. Its methods may be called from several
// goroutines; a nil Writer records nothing and never fails.
//
// Recording never stops play: every method that fails says so once, and the
// following calls go on trying without complaint until one succeeds, so an
// outage of the disk is one error however long it lasts.
type Writer struct {
	path string

	mu        sync.Mutex
	file      sink
	size      int64 // of the good lines; unknownSize after damage that could not be cut off
	dirty     bool  // bytes wait for a sync
	torn      bool  // half a line may lie behind size
	out       bool  // in an outage that was reported
	pending   error // of a sync that nobody waited for
	groupTime time.Duration
	timer     *time.Timer
	closed    bool
}

var unsafeRunID = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// FileName is the name of a run's file: the start's stamp and the run id,
// both without what a path could mean.
func FileName(startedAt, runID string) string {
	stamp := fileStamp(startedAt)
	safe := unsafeRunID.ReplaceAllString(runID, "-")
	if len(safe) > maxSafeRunID {
		safe = safe[:maxSafeRunID]
	}
	return unsafeRunID.ReplaceAllString(stamp, "-") + "-" + safe + ".jsonl"
}

// Create makes the file of a new run in dir, making dir (mode 0700) where it
// is missing, and puts the header on the disk. Kind, schema version and, when
// empty, the venue are filled in. An existing file is never touched.
func Create(dir string, header Header) (*Writer, error) {
	header = header.fit()
	if err := header.Validate(); err != nil {
		return nil, &emu.Error{Code: CodeRecordInvalid, Message: "header: " + err.Error(), Err: err}
	}
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return nil, writeFailure("making the journal's folder", err)
	}
	path := filepath.Join(dir, FileName(header.StartedAt, header.RunID))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, writeFailure("making the journal", err)
	}
	markLive(file)
	w := newWriter(path, file)
	if err := w.append(header); err != nil {
		file.Close()
		os.Remove(path)
		return nil, err
	}
	if err := syncFolder(dir); err != nil {
		file.Close()
		os.Remove(path)
		return nil, writeFailure("making the journal", err)
	}
	return w, nil
}

func newWriter(path string, file sink) *Writer { return &Writer{path: path, file: file} }

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Path is the file's path, "" for a nil Writer.
func (w *Writer) Path() string {
	if w == nil {
		return ""
	}
	return w.path
}

// SetGroupCommit sets how long a line may wait for its sync: 0, as at the
// start, syncs each; GroupCommit suits unpaced runs. Whatever waits is synced
// now.
func (w *Writer) SetGroupCommit(d time.Duration) error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.groupTime = max(d, 0)
	return w.report(w.sync())
}

// Turn records a turn. Kind, schema version and what breaks a bound are
// mended. With CodeLineTooLarge the turn was recorded in reduced form; with
// CodeRecordInvalid or CodeWriteFailed it was not.
func (w *Writer) Turn(line TurnLine) error {
	if w == nil {
		return nil
	}
	line = line.fit()
	if err := line.Validate(); err != nil {
		return &emu.Error{Code: CodeRecordInvalid, Message: "turn: " + err.Error(), Err: err}
	}
	return w.appendOr(line, func(why string) any { return line.reduced(why) })
}

// Summary records the end of the run; see Turn for errors.
func (w *Writer) Summary(s Summary) error {
	if w == nil {
		return nil
	}
	s = s.fit()
	if err := s.Validate(); err != nil {
		return &emu.Error{Code: CodeRecordInvalid, Message: "summary: " + err.Error(), Err: err}
	}
	return w.appendOr(s, func(string) any { return s.reduced() })
}

// appendOr appends v, or its reduced form where v would be too long or has
// something in it that JSON cannot write.
func (w *Writer) appendOr(v any, reduced func(why string) any) error {
	refusal := w.append(v)
	if emu.CodeOf(refusal) != CodeLineTooLarge {
		return refusal
	}
	if err := w.append(reduced(refusal.Error())); err != nil {
		return err
	}
	return refusal
}

// append writes one line with one call.
func (w *Writer) append(v any) error {
	data, err := encode(v)
	if err != nil {
		return &emu.Error{Code: CodeLineTooLarge, Message: "the evidence cannot be written and was left out: " + err.Error(), Err: err}
	}
	if len(data) > MaxLineBytes {
		return tooLarge(len(data))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.report(writeFailure("adding a line", os.ErrClosed))
	}
	if err := w.write(data); err != nil {
		return w.report(writeFailure("adding a line", err))
	}
	if w.groupTime > 0 {
		w.scheduleSync()
		return w.report(nil)
	}
	return w.report(w.sync())
}

// unknownSize says that nothing may be cut off any more.
const unknownSize = -1

// write adds data behind the good lines. After a failure the rest of a half
// written line is cut off, so that it cannot swallow the next one; where that
// fails too, the next line starts on a line of its own.
func (w *Writer) write(data []byte) error {
	if w.torn && !w.cutTorn() {
		w.size = unknownSize
		data = append([]byte{'\n'}, data...)
	}
	n, err := w.file.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.torn = true
		w.cutTorn()
		return err
	}
	if w.size != unknownSize {
		w.size += int64(len(data))
	}
	w.torn, w.dirty = false, true
	return nil
}

// cutTorn cuts off what lies behind the good lines and reports whether it is
// gone.
func (w *Writer) cutTorn() bool {
	if w.size == unknownSize || w.file.Truncate(w.size) != nil {
		return false
	}
	w.torn = false
	return true
}

// sync puts on the disk what waits for it.
func (w *Writer) sync() error {
	if !w.dirty || w.closed {
		return nil
	}
	if err := w.file.Sync(); err != nil {
		return writeFailure("syncing the journal", err)
	}
	w.dirty = false
	return nil
}

// scheduleSync makes sure that the line just written waits no longer than
// the group time.
func (w *Writer) scheduleSync() {
	if w.timer != nil {
		return
	}
	w.timer = time.AfterFunc(w.groupTime, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.timer = nil
		if err := w.sync(); err != nil {
			w.pending = err
		}
	})
}

// report lets an outage be told once, and a failed sync that nobody waited
// for be told by the next call.
func (w *Writer) report(err error) error {
	err = errors.Join(w.pending, err)
	w.pending = nil
	if err == nil {
		w.out = false
		return nil
	}
	if w.out {
		return nil
	}
	w.out = true
	return err
}

// Flush puts every line on the disk.
func (w *Writer) Flush() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.report(w.sync())
}

// Close puts every line on the disk and closes the file. Closing twice is
// fine.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	err := w.sync()
	w.closed = true
	if closing := w.file.Close(); closing != nil && err == nil {
		err = writeFailure("closing the journal", closing)
	}
	if err := w.report(err); err != nil {
		return fmt.Errorf("close the journal: %w", err)
	}
	return nil
}
