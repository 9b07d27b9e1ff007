package evidence

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// Trace is the recorded window of a chain, as it is written to a file.
type Trace struct {
	SchemaVersion int `json:"schemaVersion"`
	Header
	EventChainHeadSHA256 emu.Digest `json:"eventChainHeadSha256"`
	Events               []Event    `json:"events"`
	// RolledWindows and DroppedEvidenceEvents count what a rolling chain no
	// longer holds; both are absent when that is nothing.
	RolledWindows         int `json:"rolledWindows,omitzero"`
	DroppedEvidenceEvents int `json:"droppedEvidenceEvents,omitzero"`
}

// Expect is what a trace must be evidence of.
type Expect struct {
	Header
	// Head is the chain's head as a report told it.
	Head emu.Digest
	// RolledWindows and DroppedEvents are as the report told them.
	RolledWindows, DroppedEvents int
}

// Encode returns the bytes of the trace's file.
func (t Trace) Encode() ([]byte, error) {
	data, err := json.Marshal(t, jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	return append(data, '\n'), nil
}

// Parse reads a trace strictly: a member that is unknown, missing, null or
// twice there is refused, and so is a chain that does not hold.
func Parse(data []byte) (Trace, error) {
	var t Trace
	if err := emu.UnmarshalStrict(data, &t); err != nil {
		return Trace{}, fmt.Errorf("evidence: %w", err)
	}
	// Writing what was read gives the same value only when nothing was missing
	// or null, which the JSON library cannot tell.
	read, err := emu.CanonicalJSON(jsontext.Value(data))
	if err != nil {
		return Trace{}, fmt.Errorf("evidence: %w", err)
	}
	if written, err := emu.CanonicalJSON(t); err != nil || !bytes.Equal(read, written) {
		return Trace{}, fmt.Errorf("evidence: a member is missing or null")
	}
	return t, t.Validate()
}

// Validate checks bounds, sequence, links, every digest and the head.
func (t Trace) Validate() error {
	switch {
	case t.SchemaVersion != schemaNumber:
		return fmt.Errorf("evidence: schemaVersion: %d is not %d", t.SchemaVersion, schemaNumber)
	case !lengthIn(t.ScenarioID, maxScenario) || t.ScenarioVersion < 1 || !lengthIn(t.CoreID, maxScenario):
		return fmt.Errorf("evidence: the scenario or the core is not named")
	case !t.FixtureSHA256.Valid() || !t.SavestateSHA256.Valid():
		return fmt.Errorf("evidence: fixtureSha256 or savestateSha256 is no digest")
	case len(t.Events) > MaxEvents:
		return fmt.Errorf("evidence: %d events, at most %d", len(t.Events), MaxEvents)
	case t.RolledWindows < 0 || t.DroppedEvidenceEvents < t.RolledWindows:
		return fmt.Errorf("evidence: %s cannot have held %s", emu.Count(t.RolledWindows, "window"), emu.Count(t.DroppedEvidenceEvents, "event"))
	}
	return t.validateChain()
}

func (t Trace) validateChain() error {
	head := Genesis
	for i, e := range t.Events {
		if err := e.validate(); err != nil {
			return fmt.Errorf("evidence: event %d: %w", i+1, err)
		}
		if e.Sequence != i+1 {
			return fmt.Errorf("evidence: event %d says it is number %d", i+1, e.Sequence)
		}
		if e.PreviousEventSHA256 != head {
			return fmt.Errorf("evidence: event %d does not follow from the one before it", i+1)
		}
		sealed, err := e.sealed()
		if err != nil {
			return fmt.Errorf("evidence: event %d: %w", i+1, err)
		}
		if sealed.EventSHA256 != e.EventSHA256 {
			return fmt.Errorf("evidence: event %d is not what its digest says", i+1)
		}
		head = e.EventSHA256
	}
	if t.EventChainHeadSHA256 != head {
		return fmt.Errorf("evidence: the head is not the last event's digest")
	}
	return nil
}

// Verify reads the bytes of a trace's file and holds them against what the
// trace must be evidence of. Any byte that differs from what [Trace.Encode]
// wrote is found: the chain covers the events, want covers the rest, and the
// file's own layout must be the one written.
func Verify(data []byte, want Expect) (Trace, error) {
	t, err := Parse(data)
	if err != nil {
		return Trace{}, err
	}
	if again, err := t.Encode(); err != nil || !bytes.Equal(again, data) {
		return Trace{}, fmt.Errorf("evidence: the file is not laid out as it was written")
	}
	switch {
	case t.Header != want.Header:
		return Trace{}, fmt.Errorf("evidence: the trace is of another scenario, core or savestate: %+v, not %+v", t.Header, want.Header)
	case t.EventChainHeadSHA256 != want.Head:
		return Trace{}, fmt.Errorf("evidence: the chain ends at %s, not at %s", t.EventChainHeadSHA256.Short(), want.Head.Short())
	case t.RolledWindows != want.RolledWindows || t.DroppedEvidenceEvents != want.DroppedEvents:
		return Trace{}, fmt.Errorf("evidence: %d windows with %d events were rolled, not %d with %d",
			t.RolledWindows, t.DroppedEvidenceEvents, want.RolledWindows, want.DroppedEvents)
	}
	return t, nil
}
