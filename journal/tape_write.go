package journal

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"clankie/emu"
)

// tapeFolder is where tapes stand, within the folder of the journals.
const tapeFolder = ".tapes"

// maxTapeBacklog bounds what waits in memory while the disk fails: hours of
// play. Lines that are lost make everything behind them worthless, so the tape
// ends there.
const maxTapeBacklog = 4 << 20

// TapePath is where the tape of the journal at path stands.
func TapePath(journal string) string {
	return filepath.Join(filepath.Dir(journal), tapeFolder, filepath.Base(journal))
}

// TapeWriter writes one run's tape. One goroutine owns it. A nil TapeWriter
// records nothing and never fails.
//
// Recording never stops play: an outage of the disk is told once, the lines
// wait in memory meanwhile and are written when it is over.
type TapeWriter struct {
	file    *Writer // its policy of syncs, torn lines and outages is the tape's
	backlog []byte  // whole lines that are not written yet
	chain   emu.Digest
	ended   bool // nothing more is recorded
}

// CreateTape makes the tape of the journal at path and puts its header on the
// disk; kind and version are filled in. An existing file is never touched.
func CreateTape(journal string, header TapeHeader) (*TapeWriter, error) {
	path := TapePath(journal)
	if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return nil, writeFailure("making the folder of tapes", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, writeFailure("making the tape", err)
	}
	w := newTapeWriter(path, file)
	err = w.Add(TapeLine{Header: &header})
	if err == nil {
		err = w.Commit()
	}
	if err == nil {
		err = errors.Join(syncFolder(filepath.Dir(path)), syncFolder(filepath.Dir(journal)))
	}
	if err != nil {
		file.Close()
		os.Remove(path)
		return nil, err
	}
	return w, nil
}

func newTapeWriter(path string, file sink) *TapeWriter {
	return &TapeWriter{file: newWriter(path, file)}
}

// Path is the file's path, "" for a nil TapeWriter.
func (w *TapeWriter) Path() string {
	if w == nil {
		return ""
	}
	return w.file.Path()
}

// SetGroupCommit is Writer.SetGroupCommit for the tape.
func (w *TapeWriter) SetGroupCommit(d time.Duration) error {
	if w == nil {
		return nil
	}
	return w.file.SetGroupCommit(d)
}

// Add puts a line behind the others. It is written with the next Commit. A
// line that breaks the format ends the tape, with CodeRecordInvalid.
// Offset and number are the writer's to know.
func (w *TapeWriter) Add(line TapeLine) error {
	if w == nil || w.ended {
		return nil
	}
	content, err := line.content()
	var object []byte
	if err == nil {
		object, err = encode(content)
	}
	if err != nil {
		// A tape that lacks a line is a wrong one from there on.
		w.ended = true
		return &emu.Error{Code: CodeRecordInvalid, Message: "the tape ends here; play goes on: " + err.Error(), Err: err}
	}
	var sealed []byte
	sealed, w.chain = seal(object[:len(object)-1], w.chain)
	w.backlog = append(w.backlog, sealed...)
	return nil
}

// Commit writes what was added with one call, and syncs as the journal does.
func (w *TapeWriter) Commit() error {
	if w == nil || w.ended || len(w.backlog) == 0 {
		return nil
	}
	f := w.file
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.write(w.backlog); err != nil {
		return w.failed(err)
	}
	w.backlog = w.backlog[:0]
	if f.groupTime > 0 {
		f.scheduleSync()
		return f.report(nil)
	}
	return f.report(f.sync())
}

// failed keeps the backlog for the next try while it is not too long.
func (w *TapeWriter) failed(cause error) error {
	if len(w.backlog) <= maxTapeBacklog {
		return w.file.report(writeFailure("adding to the tape", cause))
	}
	w.ended, w.backlog = true, nil
	return writeFailure("adding to the tape, which ends here because the disk has failed for too long", cause)
}

// Close writes and syncs what is left and closes the file. Closing twice is
// fine.
func (w *TapeWriter) Close() error {
	if w == nil {
		return nil
	}
	w.ended = w.ended && len(w.backlog) == 0
	err := w.Commit()
	w.ended = true
	if closing := w.file.Close(); err == nil {
		err = closing
	}
	return err
}
