package journal

import (
	"fmt"
	"io"
	"iter"
	"os"

	"clankie/emu"
)

// maxReadBytes bounds a line that is still read. Writers keep to
// MaxLineBytes, but a longer line that is otherwise good is not lost.
const maxReadBytes = 1 << 20

// Record is one line of a file as a tolerant read delivers it: a good line or
// a gap.
type Record struct {
	Offset int64 // of its first byte in the file
	Number int   // of the line it was found on, from 1
	Line         // all nil for a gap
	Gap    *Gap  // nil for a good line
}

// Gap is a stretch of a file that could not be read.
type Gap struct {
	Offset int64  `json:"offset"` // of its first byte
	Bytes  int64  `json:"bytes"`
	Reason string `json:"reason"` // in words for people, safe to show
	// Torn is true for a last line without a line feed: what a crash leaves.
	Torn bool `json:"torn"`
}

// Read reads the file at path line by line in bounded memory. Lines end at
// line feeds alone. Blank lines are skipped; a line that is not one of a
// journal is delivered as a gap, and whatever good line hangs on to a torn
// one or to a run of NULs is still delivered after it. The only error is one
// of the disk, with CodeReadFailed; it ends the sequence.
func Read(path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(Record{}, readFailure(path, err))
			return
		}
		defer file.Close()
		for record, err := range Scan(file) {
			if err != nil {
				err = readFailure(path, err)
			}
			if !yield(record, err) {
				return
			}
		}
	}
}

// Scan is Read over any reader; its errors are the reader's own.
func Scan(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for line, err := range rawLines(r) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, record := range line.records() {
				if !yield(record, nil) {
					return
				}
			}
		}
	}
}

// Contents are all lines of a file.
type Contents struct {
	Header  *Header // the first one; nil when there is none
	Turns   []TurnLine
	Summary *Summary // the last one; nil when the run did not end in order
	Gaps    []Gap    // none after a strict read
}

func (c *Contents) add(r Record) {
	switch {
	case r.Gap != nil:
		c.Gaps = append(c.Gaps, *r.Gap)
	case r.Header != nil && c.Header == nil:
		c.Header = r.Header
	case r.Turn != nil:
		c.Turns = append(c.Turns, *r.Turn)
	case r.Summary != nil:
		c.Summary = r.Summary
	}
}

// ReadAll reads the whole file at path tolerantly into memory. For long files
// prefer Read.
func ReadAll(path string) (Contents, error) {
	var c Contents
	for record, err := range Read(path) {
		if err != nil {
			return c, err
		}
		c.add(record)
	}
	return c, nil
}

// ReadStrict reads the whole file at path and fails with CodeDamaged at the
// first line, blank ones aside, that is not one of a journal, and with
// CodeNotAJournal when the first one is no header.
func ReadStrict(path string) (Contents, error) {
	var c Contents
	for record, err := range Read(path) {
		if err != nil {
			return Contents{}, err
		}
		if record.Gap != nil {
			return Contents{}, &emu.Error{
				Code:    CodeDamaged,
				Message: fmt.Sprintf("line %d, byte %d: %s", record.Number, record.Gap.Offset, record.Gap.Reason),
			}
		}
		if c.Header == nil && record.Header == nil {
			return Contents{}, &emu.Error{Code: CodeNotAJournal, Message: "the first line is no header of a journal"}
		}
		c.add(record)
	}
	if c.Header == nil {
		return Contents{}, &emu.Error{Code: CodeNotAJournal, Message: "the file is empty"}
	}
	return c, nil
}
