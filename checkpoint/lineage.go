package checkpoint

import (
	"fmt"

	"clankie/emu"
)

// LineageSchema is the schema version of lineage.json.
const LineageSchema = 1

// Reason says why a save was made.
type Reason string

// The reasons.
const (
	ReasonExplicit     Reason = "explicit"      // the mind asked for it
	ReasonAutosave     Reason = "autosave"      // every so many turns
	ReasonBeforeRewind Reason = "before-rewind" // the present, banked before a load or restart
	ReasonStop         Reason = "stop"          // the sitting ended
	ReasonOperator     Reason = "operator"      // the operator asked for it
)

// LabelBeforeRewind labels banks; it is how a bank of an older program, which
// has no lineage, is told.
const LabelBeforeRewind = "before-rewind"

// Valid reports whether r is one of the reasons.
func (r Reason) Valid() bool {
	switch r {
	case ReasonExplicit, ReasonAutosave, ReasonBeforeRewind, ReasonStop, ReasonOperator:
		return true
	}
	return false
}

// Baseline is what a save's picture of the game was made with.
type Baseline struct {
	CoreID         string `json:"coreId"`
	DecoderProfile string `json:"decoderProfile"`
}

// Lineage is lineage.json: where a save stands among the others. It is this
// program's own addition; a save without it is an older one and as valid.
type Lineage struct {
	SchemaVersion int `json:"schemaVersion"` // 1
	// Sequence orders the saves of a store whatever the clock says: 1 and up,
	// never given twice, with gaps.
	Sequence int64 `json:"sequence"`
	// ParentCheckpointID is the save last minted or loaded on the same
	// timeline, or nil where the timeline begins at the boot state.
	ParentCheckpointID *string  `json:"parentCheckpointId"`
	RunID              *string  `json:"runId"`
	Turn               *int     `json:"turn"`  // turn of the run, from 0
	Frame              uint64   `json:"frame"` // logical frame of the machine
	Reason             Reason   `json:"reason"`
	Baseline           Baseline `json:"baseline"`
	// Place is the game's own name of where the player stood, "" when it was
	// not read.
	Place string `json:"place,omitzero"`
}

// Parent is the parent's id, or "" at the beginning of a timeline.
func (l Lineage) Parent() string { return deref(l.ParentCheckpointID) }

func parseLineage(data []byte) (Lineage, error) {
	var l Lineage
	if err := emu.UnmarshalComplete(data, &l); err != nil {
		return Lineage{}, err
	}
	return l, l.validate()
}

func (l Lineage) validate() error {
	switch {
	case l.SchemaVersion != LineageSchema:
		return fmt.Errorf("schemaVersion: %d is not %d", l.SchemaVersion, LineageSchema)
	case l.Sequence < 1:
		return fmt.Errorf("sequence: %d is less than 1", l.Sequence)
	case l.ParentCheckpointID != nil && !ValidID(*l.ParentCheckpointID):
		return fmt.Errorf("parentCheckpointId: not an id")
	case l.Turn != nil && *l.Turn < 0:
		return fmt.Errorf("turn: %d is negative", *l.Turn)
	case emu.Length(l.Place) > MaxPlace:
		return fmt.Errorf("place: more than %d characters", MaxPlace)
	case !l.Reason.Valid():
		return fmt.Errorf("reason: not a reason")
	}
	return nil
}
