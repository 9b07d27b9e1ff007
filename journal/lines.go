package journal

import (
	"bufio"
	"errors"
	"io"
	"iter"
)

// rawLine is one line before it is understood.
type rawLine struct {
	offset int64
	number int
	data   []byte // without its line feed; the last maxReadBytes of a longer one; valid until the next line
	cut    int64  // how many bytes before data are not kept
	length int64  // without its line feed
	ended  bool   // by a line feed
}

type lineReader struct {
	in     *bufio.Reader
	offset int64
	number int
	long   []byte // what lines longer than the buffer are put together in
}

// rawLines delivers the lines of r. Its errors are r's own and end the
// sequence.
func rawLines(r io.Reader) iter.Seq2[rawLine, error] {
	lines := lineReader{in: bufio.NewReaderSize(nil, readBuffer)}
	return lines.all(r)
}

// all is rawLines with buffers that were used before.
func (l *lineReader) all(r io.Reader) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		l.in.Reset(r)
		l.offset, l.number = 0, 0
		for {
			line, err := l.next()
			if err == io.EOF || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// readBuffer holds any line of ours, so that none is copied.
const readBuffer = MaxLineBytes

// next reads up to the next line feed, keeping of the line no more than can be one.
func (l *lineReader) next() (rawLine, error) {
	l.number++
	line := rawLine{offset: l.offset, number: l.number}
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.offset += int64(len(part))
		if n := len(part); n > 0 && part[n-1] == '\n' {
			part, line.ended = part[:n-1], true
		}
		line.length += int64(len(part))
		full := errors.Is(err, bufio.ErrBufferFull)
		if full || len(l.long) > 0 {
			if len(l.long) > 2*maxReadBytes {
				l.long = append(l.long[:0], l.long[len(l.long)-maxReadBytes:]...)
			}
			l.long = append(l.long, part...)
			part = l.long
		}
		switch {
		case full:
			continue
		case err == nil, err == io.EOF && line.length > 0:
			line.keep(part)
			return line, nil
		}
		return rawLine{}, err
	}
}

// keep keeps of a line that ends with data as much as can be a line. A good one
// may hang on to the end of whatever is longer.
func (l *rawLine) keep(data []byte) {
	l.data = last(data, maxReadBytes)
	l.cut = l.length - int64(len(l.data))
}
