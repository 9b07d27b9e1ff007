package journal

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// A story over a gigabyte of journals has to be told about as fast as the
// bytes can be read, and nearly all of those are evidence, of which the story
// tells nothing. So a turn's line as writers write it is taken apart at its
// seams: the record is looked at, the evidence behind it is not. Any other
// line, and any that shows a trace of damage, is read in full.

// quickTurn is a turn's line of which only the record is read. It is valid
// until the next line.
type quickTurn struct {
	at     []byte // when, as it is written
	record []byte // the turn record's JSON
}

var (
	turnHead     = []byte(`{"kind":"turn","schemaVersion":2,"at":"`)
	recordHead   = []byte(`","turn":{`)
	recordTail   = []byte(`},"evidence":{`)
	kindMember   = []byte(`kind":"`)      // rarer than what it stands behind
	speechWanted = []byte(`Wanted":true`) // begins with a letter that is rare, which makes it quick to find
	noEffect     = []byte(`"effect":null`)
	mapsHead     = []byte(`,"maps":`)
	mapsTail     = []byte(`],"turnsSinceNewTile":`)
)

// maxStamp bounds a moment as it is written.
const maxStamp = 40

// quick takes the line apart; ok is false when it has to be read in full. The
// seams hold quotation marks and so cannot be inside a text.
func (l rawLine) quick() (t quickTurn, ok bool) {
	rest, ok := bytes.CutPrefix(l.data, turnHead)
	if !ok || !l.ended || l.length > maxReadBytes {
		return quickTurn{}, false
	}
	end := bytes.Index(rest[:min(len(rest), maxStamp+len(recordHead))], recordHead)
	if end < 0 {
		return quickTurn{}, false
	}
	t.at, rest = rest[:end], rest[end+len(recordHead)-1:]
	end = bytes.Index(rest, recordTail)
	if end < 0 {
		return quickTurn{}, false
	}
	t.record = rest[:end+1]
	return t, !spoilt(l.data)
}

// quickMaps are the maps that a summary lists.
func (l rawLine) quickMaps() (maps []string, ok bool) {
	if !l.ended || !bytes.HasPrefix(l.data, summaryStart) || spoilt(l.data) {
		return nil, false
	}
	_, rest, ok := bytes.Cut(l.data, mapsHead)
	end := bytes.Index(rest, mapsTail)
	if !ok || end < 0 || json.Unmarshal(rest[:end+1], &maps, halfCharacters) != nil {
		return nil, false
	}
	return maps, true
}

// spoilt reports whether a line shows what crashes and lost pages
// leave: no end, NULs, or another line behind half of one.
func spoilt(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	if !bytes.HasSuffix(line, []byte{'}'}) || bytes.IndexByte(line, 0) >= 0 {
		return true
	}
	for rest := line[1:]; ; {
		at := bytes.Index(rest, kindMember)
		if at < 0 {
			return false
		}
		if startsLine(rest[max(at-len(`{"`), 0):]) {
			return true
		}
		rest = rest[at+len(kindMember):]
	}
}

func startsLine(data []byte) bool {
	for _, start := range lineStarts {
		if bytes.HasPrefix(data, start) {
			return true
		}
	}
	return false
}

// memorable reports whether the turn may be a moment of a story.
func (t quickTurn) memorable() bool {
	return bytes.Contains(t.record, speechWanted) && !bytes.Contains(t.record, noEffect)
}

// read reads the record strictly.
func (t quickTurn) read() (at string, record TurnRecord, ok bool) {
	at = string(t.at)
	if _, ok := emu.ParseMoment(at); !ok || decode(t.record, &record) != nil {
		return "", TurnRecord{}, false
	}
	return at, record, record.Validate() == nil
}

// blank reports whether a text that may be null says nothing.
func blank(s *string) bool { return s == nil || strings.TrimSpace(*s) == "" }

// said is a text that may be null, cut to limit, or nil when it says nothing.
func said(s *string, limit int) *string {
	if blank(s) {
		return nil
	}
	text := emu.Clip(*s, limit)
	return &text
}
