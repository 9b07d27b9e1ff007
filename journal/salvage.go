package journal

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

var byteOrderMark = []byte("\uFEFF")

// records understands a line: nothing for a blank one, one record for a good
// or a bad one, and gaps with what could be saved for a spoilt one.
func (l rawLine) records() []Record {
	if l.blank() {
		return nil
	}
	if l.cut > 0 {
		return l.salvage(fmt.Errorf("a line of %d bytes is no line of a journal", l.length))
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

func (l rawLine) blank() bool { return l.cut == 0 && len(bytes.TrimSpace(l.text())) == 0 }

// lineStarts are the beginnings that every line of every writer has, and
// lineKinds what they say.
var (
	turnStart    = []byte(`{"kind":"turn"`)
	summaryStart = []byte(`{"kind":"summary"`)
	headerStart  = []byte(`{"kind":"header"`)

	lineStarts = [][]byte{turnStart, summaryStart, headerStart}
	lineKinds  = []string{KindTurn, KindSummary, KindHeader}
)

// salvage looks for whole lines in a bad one. A crash may leave half a line or
// a run of NULs without a line feed, and the next run of the writer appends
// right behind; and a line feed may have become another byte.
func (l rawLine) salvage(cause error) []Record {
	var records []Record
	lost := 0 // where what cannot be read begins
	for start := nextStart(l.data, 0); start < len(l.data); {
		next := nextStart(l.data, start+1)
		value := firstValue(l.data[start:next])
		if line, err := ParseLine(value); err == nil {
			records = append(records, l.gap(lost, start, cause)...)
			records = append(records, Record{Offset: l.at(start), Number: l.number, Line: line})
			lost = start + len(value)
		}
		start = next
	}
	if len(records) > 0 && len(bytes.TrimSpace(l.data[lost:])) == 0 {
		return records // blanks behind the last whole line
	}
	return append(records, l.gap(lost, len(l.data), cause)...)
}

// nextStart is where a line seems to begin, at from or behind it, or the end
// of data.
func nextStart(data []byte, from int) int {
	for {
		at := bytes.Index(data[min(from+len(`{"`), len(data)):], kindMember)
		if at < 0 {
			return len(data)
		}
		if from += at; startsLine(data[from:]) {
			return from
		}
		from++
	}
}

// firstValue is the JSON value that data begins with, whatever stands behind
// it, or nothing.
func firstValue(data []byte) []byte {
	value, err := jsontext.NewDecoder(bytes.NewReader(data), halfCharacters).ReadValue()
	if err != nil {
		return nil
	}
	return data[:len(value)]
}

// at is the place in the file of the byte of data at i.
func (l rawLine) at(i int) int64 { return l.offset + l.cut + int64(i) }

// gap is what lies between two places of data, if there is anything. What was
// cut off lies before the first.
func (l rawLine) gap(from, to int, cause error) []Record {
	start, length := l.at(from), int64(to-from)
	if from == 0 {
		start, length = l.offset, length+l.cut
	}
	if length == 0 || start == 0 && bytes.Equal(l.data[:to], byteOrderMark) {
		return nil
	}
	return []Record{{Offset: start, Number: l.number, Gap: &Gap{
		Offset: start, Bytes: length, Reason: describe(l.data[from:to], cause), Torn: !l.ended && to == len(l.data),
	}}}
}

// describe says why data is no line.
func describe(data []byte, cause error) string {
	if len(bytes.Trim(data, "\x00")) == 0 {
		return "nothing but NULs: the disk lost what was written here"
	}
	return emu.Clip(emu.Clean(cause.Error()), maxReason)
}
