package journal

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// MaxLineBytes bounds a written line, its line feed included.
const MaxLineBytes = 256 << 10

// Line is one line of a journal: exactly one member is not nil.
type Line struct {
	Header  *Header
	Turn    *TurnLine
	Summary *Summary
}

// ParseLine reads one line strictly: every member of its version, no other,
// each within its bounds.
func ParseLine(data []byte) (Line, error) {
	kind, err := kindOf(data)
	if err != nil {
		return Line{}, err
	}
	switch kind {
	case KindHeader:
		var h Header
		if err := decode(data, &h); err != nil {
			return Line{}, err
		}
		return Line{Header: &h}, h.Validate()
	case KindTurn:
		var t TurnLine
		if err := decode(data, &t); err != nil {
			return Line{}, err
		}
		return Line{Turn: &t}, t.Validate()
	case KindSummary:
		var s Summary
		if err := decode(data, &s); err != nil {
			return Line{}, err
		}
		return Line{Summary: &s}, s.Validate()
	}
	return Line{}, fmt.Errorf("kind: %q is none of a journal's", emu.Clip(emu.Clean(kind), maxReason))
}

// kindOf is the kind of a line. Every writer puts it first, so that a line is
// not read twice to find it.
func kindOf(data []byte) (string, error) {
	for i, start := range lineStarts {
		if bytes.HasPrefix(data, start) {
			return lineKinds[i], nil
		}
	}
	var probe struct {
		Kind string `json:"kind"`
	}
	err := emu.UnmarshalPart(data, &probe, halfCharacters)
	return probe.Kind, err
}

// halfCharacters lets them pass: older writers cut texts between the two units
// of a character and wrote the half as an escape, and such a line is whole in
// every other way. The half reads as U+FFFD.
var halfCharacters = jsontext.AllowInvalidUTF8(true)

// decode reads one strict and complete JSON value into v, a pointer to a
// struct.
func decode(data []byte, v any) error { return emu.UnmarshalComplete(data, v, halfCharacters) }

// encode writes v as one line. Invalid UTF-8 becomes U+FFFD: what a mind or a
// cartridge says must not cost the record.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("write a line: %w", err)
	}
	return append(data, '\n'), nil
}

func tooLarge(n int) *emu.Error {
	return &emu.Error{
		Code:    CodeLineTooLarge,
		Message: fmt.Sprintf("the line would have %d bytes, at most %d; the evidence was left out", n, MaxLineBytes),
	}
}
