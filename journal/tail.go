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
const tailChunk = 64 << 10

// lastLines delivers the lines of a file from the last to the first in
// bounded memory.
type lastLines struct {
	file    io.ReaderAt
	pos     int64  // of buf's first byte; what lies before is unread
	buf     []byte // unread lines, the last of them whole
	dropped int64  // bytes of an overlong last line that are not kept
	ended   bool   // by a line feed, that line
}

// newLastLines reads the first size bytes of file.
func newLastLines(file io.ReaderAt, size int64) *lastLines {
	return &lastLines{file: file, pos: size}
}

// next is the line before the one it gave last, or io.EOF.
func (l *lastLines) next() (rawLine, error) {
	for {
		body, ended := bytes.CutSuffix(l.buf, []byte{'\n'})
		if l.dropped > 0 {
			body, ended = l.buf, l.ended
		}
		start := bytes.LastIndexByte(body, '\n') + 1
		length := int64(len(body)-start) + l.dropped
		if start > 0 || l.pos == 0 && (len(l.buf) > 0 || l.dropped > 0) {
			line := rawLine{offset: l.pos + int64(start), data: body[start:], length: length, ended: ended}
			l.buf, l.dropped = l.buf[:start], 0
			return line, nil
		}
		if l.pos == 0 {
			return rawLine{}, io.EOF
		}
		if length > maxReadBytes {
			l.buf, l.dropped, l.ended = nil, length, ended
		}
		if err := l.fill(); err != nil {
			return rawLine{}, err
		}
	}
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

// scanBack delivers what Read does in the opposite order. Numbers of lines
// are not known.
func scanBack(file *os.File) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		size, err := file.Seek(0, io.SeekEnd)
		if err != nil {
			yield(Record{}, err)
			return
		}
		lines := newLastLines(file, size)
		for {
			line, err := lines.next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, record := range slices.Backward(line.records()) {
				if !yield(record, nil) {
					return
				}
			}
		}
	}
}

// ending is how a file ends: its last good turn and, where the run ended in
// order, its summary.
type ending struct {
	turn    *TurnLine
	summary *Summary
}

// readEnding looks at as much of a file's end as it takes to find its last
// good turn.
func readEnding(path string) (ending, error) {
	var e ending
	file, err := os.Open(path)
	if err != nil {
		return e, readFailure(path, err)
	}
	defer file.Close()
	for record, err := range scanBack(file) {
		switch {
		case err != nil:
			return e, readFailure(path, err)
		case record.Turn != nil:
			e.turn = record.Turn
			return e, nil
		case record.Summary != nil && e.summary == nil:
			e.summary = record.Summary
		}
	}
	return e, nil
}
