package evidence

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// Bounds of the format.
const (
	MaxEvents    = 256 // events in one window
	maxActionID  = 128
	maxSummary   = 512
	maxScenario  = 128
	schemaNumber = 1
)

// Genesis is what the first event of a window names as its predecessor.
var Genesis = emu.Digest(strings.Repeat("0", 64))

// Event is one completed action.
type Event struct {
	SchemaVersion       int            `json:"schemaVersion"`
	Sequence            int            `json:"sequence"` // from 1, contiguous
	ActionID            string         `json:"actionId"`
	ActionKind          emu.ActionKind `json:"actionKind"`
	Summary             string         `json:"summary"`
	Frame               uint64         `json:"frame"` // after the action
	RAMStateSHA256      emu.Digest     `json:"ramStateSha256"`
	PreviousEventSHA256 emu.Digest     `json:"previousEventSha256"`
	EventSHA256         emu.Digest     `json:"eventSha256,omitzero"` // of the event without this member
}

// sealed returns the event with its own digest.
func (e Event) sealed() (Event, error) {
	e.EventSHA256 = ""
	digest, err := emu.CanonicalDigest(e)
	e.EventSHA256 = digest
	return e, err
}

// validate checks everything but the event's place in a chain.
func (e Event) validate() error {
	switch {
	case e.SchemaVersion != schemaNumber:
		return fmt.Errorf("schemaVersion: %d is not %d", e.SchemaVersion, schemaNumber)
	case e.Sequence < 1 || e.Sequence > MaxEvents:
		return fmt.Errorf("sequence: %d must be 1 to %d", e.Sequence, MaxEvents)
	case !lengthIn(e.ActionID, maxActionID):
		return fmt.Errorf("actionId: must have 1 to %d characters", maxActionID)
	case !emulatorKind(e.ActionKind):
		return fmt.Errorf("actionKind: %q is no action of the catalogue", e.ActionKind)
	case !lengthIn(e.Summary, maxSummary):
		return fmt.Errorf("summary: must have 1 to %d characters", maxSummary)
	case !e.RAMStateSHA256.Valid():
		return fmt.Errorf("ramStateSha256: no digest")
	}
	return nil
}

func emulatorKind(kind emu.ActionKind) bool {
	switch kind {
	case emu.ActionButtonPress, emu.ActionFrameAdvance, emu.ActionWalkTo,
		emu.ActionAdvanceDialog, emu.ActionEnterText, emu.ActionSelectMenuEntry:
		return true
	}
	return false
}

func lengthIn(s string, most int) bool {
	n := emu.Length(s)
	return n >= 1 && n <= most
}
