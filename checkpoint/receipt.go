package checkpoint

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// ReceiptSchema is the schema version of checkpoint.json.
const ReceiptSchema = 1

// Bounds of a receipt's texts, in UTF-16 code units.
const (
	MaxNotes         = 800
	MaxObjective     = 160
	MaxMapID         = 128
	MaxPlace         = 128
	MaxJourneyID     = 512
	MaxEnvironmentID = 200
)

// Continuity is the mind that goes with a save. nil means that there was
// none.
type Continuity struct {
	Notes     *string `json:"notes"`     // at most 800 UTF-16 units
	Objective *string `json:"objective"` // at most 160 UTF-16 units
}

// Receipt is checkpoint.json: what was saved, when, and on what it may be
// loaded. Pointers are null in the file when nil. Its texts are what the file
// says, within their bounds: clean them before showing them.
type Receipt struct {
	SchemaVersion   int           `json:"schemaVersion"` // 1
	CheckpointID    string        `json:"checkpointId"`
	Label           *string       `json:"label"`
	CapturedAt      string        `json:"capturedAt"` // ISO-8601, UTC
	ROMSHA256       emu.Digest    `json:"romSha256"`
	CoreWasmSHA256  emu.Digest    `json:"coreWasmSha256"`
	SavestateSHA256 emu.Digest    `json:"savestateSha256"`
	Position        *emu.Position `json:"position"`
	Continuity      *Continuity   `json:"continuity" strict:"default"`
	JourneyID       *string       `json:"journeyId" strict:"default"`
	EnvironmentID   *string       `json:"environmentId" strict:"default"`
}

// LabelText is the label, or "" when there is none.
func (r Receipt) LabelText() string { return deref(r.Label) }

// Journey is the journey the save belongs to, or "" when the receipt names
// none, as older ones do.
func (r Receipt) Journey() string { return deref(r.JourneyID) }

// Environment is the environment the save was taken in, or "".
func (r Receipt) Environment() string { return deref(r.EnvironmentID) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// optional is nil for "", else a pointer to s.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// parseReceipt reads checkpoint.json strictly. continuity, journeyId and
// environmentId may be missing: older saves lack them.
func parseReceipt(data []byte) (Receipt, error) {
	var r Receipt
	if err := emu.UnmarshalComplete(data, &r); err != nil {
		return Receipt{}, err
	}
	return r, r.validate()
}

// validate checks every bound of the schema and names the first field that
// breaks it.
func (r Receipt) validate() error {
	_, dated := emu.ParseMoment(r.CapturedAt)
	switch {
	case r.SchemaVersion != ReceiptSchema:
		return fmt.Errorf("schemaVersion: %d is not %d", r.SchemaVersion, ReceiptSchema)
	case !ValidID(r.CheckpointID):
		return fmt.Errorf("checkpointId: not an id")
	case r.Label != nil && !emu.ValidLabel(*r.Label):
		return fmt.Errorf("label: not 1 to 40 of a-z, 0-9 and -")
	case !dated:
		return fmt.Errorf("capturedAt: not an ISO-8601 moment in UTC")
	case !r.ROMSHA256.Valid():
		return fmt.Errorf("romSha256: not a digest")
	case !r.CoreWasmSHA256.Valid():
		return fmt.Errorf("coreWasmSha256: not a digest")
	case !r.SavestateSHA256.Valid():
		return fmt.Errorf("savestateSha256: not a digest")
	}
	return r.validateOptional()
}

func (r Receipt) validateOptional() error {
	if r.Position != nil {
		if err := bound("position.mapId", &r.Position.MapID, 1, MaxMapID); err != nil {
			return err
		}
	}
	if r.Continuity != nil {
		if err := bound("continuity.notes", r.Continuity.Notes, 0, MaxNotes); err != nil {
			return err
		}
		if err := bound("continuity.objective", r.Continuity.Objective, 0, MaxObjective); err != nil {
			return err
		}
	}
	if err := bound("journeyId", r.JourneyID, 1, MaxJourneyID); err != nil {
		return err
	}
	return bound("environmentId", r.EnvironmentID, 1, MaxEnvironmentID)
}

// bound checks a text's length in UTF-16 units; nil is always fine.
func bound(name string, s *string, low, high int) error {
	if s == nil {
		return nil
	}
	if n := emu.Length(*s); n < low || n > high {
		return fmt.Errorf("%s: %s, must be %d to %d", name, emu.Count(n, "character"), low, high)
	}
	return nil
}

// marshalLine is canonical JSON and a line feed, the form of the store's
// JSON files.
func marshalLine(v any) ([]byte, error) {
	b, err := emu.CanonicalJSON(v)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// fitContinuity cuts c to the format's bounds: a long note must not cost
// somebody the save.
func fitContinuity(c *Continuity) *Continuity {
	if c == nil {
		return nil
	}
	return &Continuity{Notes: fitText(c.Notes, MaxNotes), Objective: fitText(c.Objective, MaxObjective)}
}

func fitText(s *string, limit int) *string {
	if s == nil {
		return nil
	}
	cut := emu.Clip(strings.ToValidUTF8(*s, "\uFFFD"), limit)
	return &cut
}

// fitPosition leaves out a position that the format cannot hold.
func fitPosition(p *emu.Position) *emu.Position {
	if p == nil || p.MapID == "" || emu.Length(p.MapID) > MaxMapID {
		return nil
	}
	fit := emu.Position{MapID: strings.ToValidUTF8(p.MapID, "\uFFFD"), X: p.X, Y: p.Y}
	return &fit
}
