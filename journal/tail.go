package journal

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
)

// tailChunk is how much of a file is read at once on the way back from its
// end: more than a summary and a last turn usually take.
const tailChunk = 32 << 10

// lastLines delivers the lines of a file from the last to the first in
// bounded memory.
type lastLines struct {
	file io.ReaderAt
	pos  int64  // of buf's first byte; what lies before is unread
	buf  []byte // unread lines, the last of them whole
	// The last line where it is too long to be kept: its end, and how many
	// bytes of it were read so far.
	tail   []byte
	length int64
	ended  bool // by a line feed
}

// newLastLines reads the first size bytes of file.
func newLastLines(file io.ReaderAt, size int64) *lastLines {
	return &lastLines{file: file, pos: size}
}

// next is the line before the one it gave last, or io.EOF.
func (l *lastLines) next() (rawLine, error) {
	for {
		line, start := l.last()
		whole := start > 0 || l.pos == 0
		switch {
		case whole && (len(l.buf) > 0 || l.tail != nil):
			l.buf, l.tail = l.buf[:start], nil
			return line, nil
		case l.pos == 0:
			return rawLine{}, io.EOF
		case line.length > maxReadBytes:
			if l.tail == nil {
				l.tail = bytes.Clone(line.data)
			}
			l.buf, l.length, l.ended = nil, line.length, line.ended
		}
		if err := l.fill(); err != nil {
			return rawLine{}, err
		}
	}
}

// last is the last line as far as it was read, and where it begins in buf.
func (l *lastLines) last() (line rawLine, start int) {
	body, ended := bytes.CutSuffix(l.buf, []byte{'\n'})
	if l.tail != nil {
		body, ended = l.buf, l.ended
	}
	start = bytes.LastIndexByte(body, '\n') + 1
	body = body[start:]
	line = rawLine{offset: l.pos + int64(start), length: int64(len(body)), ended: ended}
	if l.tail != nil {
		line.length += l.length
		body = l.tail
	}
	line.keep(body)
	return line, start
}

// fill puts the chunk before pos in front of the unread lines.
func (l *lastLines) fill() error {
	n := min(tailChunk, l.pos)
	chunk := make([]byte, n, int(n)+len(l.buf))
	if _, err := l.file.ReadAt(chunk, l.pos-n); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	l.pos -= n
	l.buf = append(chunk, l.buf...)
	return nil
}

// linesBack delivers the lines of file, of which size bytes are read, from the
// last to the first.
func linesBack(file io.ReaderAt, size int64) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		lines := newLastLines(file, size)
		for {
			line, err := lines.next()
			if err == io.EOF || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// ending is how a file ends: its last good turn and, where the run ended in
// order, its summary.
type ending struct {
	turn     *TurnRecord // nil when there is none
	at       string      // of the turn
	progress Progress    // after the turn, where it was asked for
	summary  *Summary
	bytes    int64 // the file's length
}

// readEnding looks at as much of a file's end as it takes to find its last
// good turn. Only withProgress reads that turn's evidence.
func readEnding(path string, withProgress bool) (ending, error) {
	var e ending
	file, err := os.Open(path)
	if err != nil {
		return e, readFailure(path, err)
	}
	defer file.Close()
	if e.bytes, err = file.Seek(0, io.SeekEnd); err != nil {
		return e, readFailure(path, err)
	}
	for line, err := range linesBack(file, e.bytes) {
		if err != nil {
			return e, readFailure(path, err)
		}
		if !withProgress && e.quick(line) || e.line(line) {
			break
		}
	}
	return e, nil
}

// quick reports whether the line is a turn of which the record could be read.
func (e *ending) quick(line rawLine) bool {
	turn, ok := line.quick()
	if !ok {
		return false
	}
	at, record, ok := turn.read()
	if ok {
		e.at, e.turn = at, &record
	}
	return ok
}

// line reports whether a turn is on the line.
func (e *ending) line(line rawLine) bool {
	for _, record := range slices.Backward(line.records()) {
		switch {
		case record.Turn != nil:
			turn := record.Turn.Turn
			e.at, e.turn = record.Turn.At, &turn
			if record.Turn.Evidence != nil {
				e.progress = record.Turn.Evidence.latestProgress()
			}
			return true
		case record.Summary != nil && e.summary == nil:
			e.summary = record.Summary
		}
	}
	return false
}
