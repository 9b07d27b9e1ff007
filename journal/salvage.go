package journal

import (
	"bytes"
	"fmt"

	"clankie/emu"
)

var byteOrderMark = []byte("\uFEFF")

// records understands a line: nothing for a blank one, one record for a good
// or a bad one, and a gap with what could be saved for a spoilt one.
func (l rawLine) records() []Record {
	if l.blank() {
		return nil
	}
	if l.length > maxReadBytes {
		return []Record{l.gap(l.length, fmt.Sprintf("a line of %d bytes is no line of a journal", l.length))}
	}
	line, err := ParseLine(l.text())
	if err == nil {
		return []Record{{Offset: l.offset, Number: l.number, Line: line}}
	}
	return l.salvage(err)
}

// text is the line without the mark that editors put at the head of a file.
func (l rawLine) text() []byte {
	if l.offset == 0 {
		return bytes.TrimPrefix(l.data, byteOrderMark)
	}
	return l.data
}

func (l rawLine) blank() bool {
	return l.length == int64(len(l.data)) && len(bytes.TrimSpace(l.text())) == 0
}

func (l rawLine) gap(length int64, why string) Record {
	return Record{Offset: l.offset, Number: l.number, Gap: &Gap{
		Offset: l.offset, Bytes: length, Reason: why, Torn: !l.ended && length == l.length,
	}}
}

// lineStarts are the beginnings that every line of every writer has, and
// lineKinds what they say.
var (
	turnStart    = []byte(`{"kind":"turn"`)
	summaryStart = []byte(`{"kind":"summary"`)
	headerStart  = []byte(`{"kind":"header"`)

	lineStarts = [][]byte{turnStart, summaryStart, headerStart}
	lineKinds  = []string{KindTurn, KindSummary, KindHeader}
)

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
