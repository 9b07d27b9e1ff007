package scenario

import (
	"fmt"

	"clankie/emu"
)

const schemaNumber = 1

// maxTrace bounds decisions, like events.
const maxTrace = 256

// Decision is one decision as it is written down.
type Decision struct {
	SchemaVersion          int                 `json:"schemaVersion"`
	Sequence               int                 `json:"sequence"` // from 1, contiguous
	ObservedKind           emu.ObservationKind `json:"observedKind"`
	ObservedFrame          uint64              `json:"observedFrame"`
	ObservedRAMStateSHA256 emu.Digest          `json:"observedRamStateSha256"`
	ReasonCode             Reason              `json:"reasonCode"`
	Action                 *emu.Action         `json:"action,omitzero"` // none where the reason halts
}

// Decisions is the decision trace of a run.
type Decisions struct {
	SchemaVersion   int        `json:"schemaVersion"`
	ScenarioID      string     `json:"scenarioId"`
	ScenarioVersion int        `json:"scenarioVersion"`
	FixtureSHA256   emu.Digest `json:"fixtureSha256"`
	Decisions       []Decision `json:"decisions"`
}

func (p Plan) noDecisions() Decisions {
	h := p.pins().Header
	return Decisions{schemaNumber, h.ScenarioID, h.ScenarioVersion, h.FixtureSHA256, []Decision{}}
}

func (d *Decisions) record(s Sight, c Choice) {
	d.Decisions = append(d.Decisions, Decision{
		SchemaVersion: schemaNumber, Sequence: len(d.Decisions) + 1, ObservedKind: s.kind(c.Reason),
		ObservedFrame: s.Frame, ObservedRAMStateSHA256: s.RAM, ReasonCode: c.Reason, Action: c.Action,
	})
}

// ParseDecisions reads a decision trace strictly.
func ParseDecisions(data []byte) (Decisions, error) {
	var d Decisions
	if err := emu.UnmarshalComplete(data, &d); err != nil {
		return Decisions{}, fmt.Errorf("decisions: %w", err)
	}
	return d, d.validate()
}

func (d Decisions) validate() error {
	if d.SchemaVersion != schemaNumber || !d.FixtureSHA256.Valid() || len(d.Decisions) > maxTrace {
		return fmt.Errorf("decisions: schemaVersion, fixtureSha256 or the number of decisions is out of bounds")
	}
	var frame uint64
	for i, one := range d.Decisions {
		if err := one.validate(i + 1); err != nil {
			return fmt.Errorf("decisions: %d: %w", i+1, err)
		}
		if one.ObservedFrame < frame {
			return fmt.Errorf("decisions: %d: frame %d comes after frame %d", i+1, one.ObservedFrame, frame)
		}
		frame = one.ObservedFrame
	}
	return nil
}

func (d Decision) validate(sequence int) error {
	_, halts := halts[d.ReasonCode]
	switch {
	case d.SchemaVersion != schemaNumber || d.Sequence != sequence:
		return fmt.Errorf("schemaVersion or sequence does not follow")
	case !decisionKind(d.ObservedKind):
		return fmt.Errorf("observedKind: %q decides nothing", d.ObservedKind)
	case !d.ObservedRAMStateSHA256.Valid():
		return fmt.Errorf("observedRamStateSha256: no digest")
	case !knownReason(d.ReasonCode):
		return fmt.Errorf("reasonCode: %q is none", emu.Clean(string(d.ReasonCode)))
	case halts != (d.Action == nil):
		return fmt.Errorf("action: %s has one too many or too few", d.ReasonCode)
	case d.Action == nil:
		return nil
	case d.Action.IsBodyAction():
		return fmt.Errorf("action: %s is for no body", d.Action.Kind)
	}
	return d.Action.Validate()
}

func decisionKind(k emu.ObservationKind) bool {
	switch k {
	case emu.ObserveOverworld, emu.ObserveDialog, emu.ObserveBattle, emu.ObserveDanger:
		return true
	}
	return false
}

func knownReason(r Reason) bool {
	if _, halts := halts[r]; halts {
		return true
	}
	switch r {
	case ReasonResolve, ReasonToFight, ReasonFight, ReasonToBestMove, ReasonBestMove, ReasonDialog, ReasonAnswer, ReasonCloseMenu,
		ReasonEngage, ReasonStep, ReasonTransition, ReasonFace, ReasonOpenStart, ReasonToStart, ReasonOpenProof,
		ReasonPartySeen, ReasonBagSeen, ReasonStartClosed:
		return true
	}
	return false
}
