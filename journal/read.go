package journal

import (
	"bufio"
	"bytes"
	"errors"
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
func Scan(r io.Reader) iter.Seq2[Record, error] { return scanFrom(r, 0) }

// scanFrom scans what begins at offset of its file.
func scanFrom(r io.Reader, offset int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		lines := lineReader{in: bufio.NewReaderSize(r, 64<<10), offset: offset}
		for {
			line, err := lines.next()
			if err == io.EOF {
				return
			}
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

// rawLine is one line before it is understood.
type rawLine struct {
	offset int64
	number int
	data   []byte // without its line feed; cut when longer than maxReadBytes
	length int64  // without its line feed
	ended  bool   // by a line feed
}

type lineReader struct {
	in     *bufio.Reader
	offset int64
	number int
}

// next reads up to the next line feed, keeping no more than can be a line.
func (l *lineReader) next() (rawLine, error) {
	l.number++
	line := rawLine{offset: l.offset, number: l.number}
	for {
		part, err := l.in.ReadSlice('\n')
		l.offset += int64(len(part))
		if n := len(part); n > 0 && part[n-1] == '\n' {
			part, line.ended = part[:n-1], true
		}
		line.length += int64(len(part))
		if len(line.data) <= maxReadBytes {
			line.data = append(line.data, part...)
		}
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && line.length > 0:
			return line, nil
		}
		return rawLine{}, err
	}
}

var byteOrderMark = []byte("\uFEFF")

// records understands a line: nothing for a blank one, one record for a good
// or a bad one, and a gap with what could be saved for a spoilt one.
func (l rawLine) records() []Record {
	data := l.data
	if l.offset == 0 {
		data = bytes.TrimPrefix(data, byteOrderMark)
	}
	if len(bytes.TrimSpace(data)) == 0 && l.length == int64(len(l.data)) {
		return nil
	}
	if l.length > maxReadBytes {
		return []Record{l.gap(l.length, fmt.Sprintf("a line of %d bytes is no line of a journal", l.length))}
	}
	line, err := ParseLine(data)
	if err == nil {
		return []Record{{Offset: l.offset, Number: l.number, Line: line}}
	}
	return l.salvage(err)
}

func (l rawLine) gap(length int64, why string) Record {
	return Record{Offset: l.offset, Number: l.number, Gap: &Gap{
		Offset: l.offset, Bytes: length, Reason: why, Torn: !l.ended && length == l.length,
	}}
}

// lineStarts are the beginnings that every line of every writer has.
var lineStarts = [][]byte{[]byte(`{"kind":"turn"`), []byte(`{"kind":"summary"`), []byte(`{"kind":"header"`)}

// salvageTries bounds the work that a hostile line can cause.
const salvageTries = 8

// salvage looks for a whole line at the end of a bad one: a crash may leave
// half a line or a run of NULs without a line feed, and the next run of the
// writer appends right behind.
func (l rawLine) salvage(cause error) []Record {
	for tries, end := 0, len(l.data); tries < salvageTries; tries++ {
		start := lastStart(l.data[:end])
		if start <= 0 {
			break
		}
		if line, err := ParseLine(l.data[start:]); err == nil {
			return []Record{
				l.gap(int64(start), describe(l.data[:start], cause)),
				{Offset: l.offset + int64(start), Number: l.number, Line: line},
			}
		}
		end = start
	}
	return []Record{l.gap(l.length, describe(l.data, cause))}
}

func lastStart(data []byte) int {
	at := -1
	for _, start := range lineStarts {
		at = max(at, bytes.LastIndex(data, start))
	}
	return at
}

// describe says why data is no line.
func describe(data []byte, cause error) string {
	if len(bytes.Trim(data, "\x00")) == 0 {
		return "nothing but NULs: the disk lost what was written here"
	}
	return emu.Clip(emu.Clean(cause.Error()), maxReason)
}

// ReadHeader reads the first line of the file at path alone. CodeNotAJournal
// says that it is no header, CodeReadFailed that the disk failed.
func ReadHeader(path string) (Header, error) {
	file, err := os.Open(path)
	if err != nil {
		return Header{}, readFailure(path, err)
	}
	defer file.Close()
	// No header is longer; a file of another kind is not read to its end.
	for record, err := range Scan(io.LimitReader(file, maxHeaderBytes)) {
		if err != nil {
			return Header{}, readFailure(path, err)
		}
		if record.Header != nil {
			return *record.Header, nil
		}
		break
	}
	return Header{}, &emu.Error{Code: CodeNotAJournal, Message: "the first line of " + emu.Clean(path) + " is no header of a journal"}
}

// maxHeaderBytes bounds a header's line.
const maxHeaderBytes = 64 << 10

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
