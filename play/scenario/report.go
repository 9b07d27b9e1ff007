package scenario

import (
	"fmt"

	"clankie/emu"
)

// Results of a run.
const (
	Passed = "passed"
	Failed = "failed"
)

// Network says what kept a run from using the network.
type Network string

// The two proofs.
const (
	// NetworkNamespace: the run had a network namespace in which no route leads
	// to anything but loopback.
	NetworkNamespace Network = "own_namespace"
	// NetworkImports: the system permits no namespace; that no package of the
	// run imports package net is all that held.
	NetworkImports Network = "no_network_imports"
)

// Report is what a run came to.
type Report struct {
	SchemaVersion   int             `json:"schemaVersion"`
	ScenarioID      string          `json:"scenarioId"`
	ScenarioVersion int             `json:"scenarioVersion"`
	FixtureSHA256   emu.Digest      `json:"fixtureSha256"`
	RunID           string          `json:"runId"`
	Result          string          `json:"result"` // passed when every check holds, else failed
	Halt            Halt            `json:"halt"`
	Network         Network         `json:"network"`
	Checks          Checks          `json:"checks"`
	FinalState      FinalState      `json:"finalState"`
	Evidence        EvidenceDigests `json:"evidence"`
	Artifacts       []Artifact      `json:"artifacts"`
}

// Checks are what a run must satisfy. What a scenario does not ask for is
// absent.
type Checks struct {
	TargetLocationReached     bool  `json:"targetLocationReached"`
	TrainerBattleEntered      *bool `json:"trainerBattleEntered,omitzero"`
	TrainerBattleWon          *bool `json:"trainerBattleWon,omitzero"`
	DecisionsStateDerived     bool  `json:"decisionsStateDerived"`
	AuthoritativeStateCertain bool  `json:"authoritativeStateCertain"`
	EvidenceBounded           bool  `json:"evidenceBounded"`
	InputsWithinBounds        bool  `json:"inputsWithinBounds"`
	IdentityVerified          *bool `json:"identityVerified,omitzero"` // of the real core
	PartyMenuObserved         *bool `json:"partyMenuObserved,omitzero"`
	InventoryMenuObserved     *bool `json:"inventoryMenuObserved,omitzero"`
}

func (c Checks) all() bool {
	ok := c.TargetLocationReached && c.DecisionsStateDerived && c.AuthoritativeStateCertain &&
		c.EvidenceBounded && c.InputsWithinBounds
	for _, optional := range []*bool{c.TrainerBattleEntered, c.TrainerBattleWon, c.IdentityVerified, c.PartyMenuObserved, c.InventoryMenuObserved} {
		ok = ok && (optional == nil || *optional)
	}
	return ok
}

// FinalState is how things stood at the end; null is not there, or not read.
type FinalState struct {
	Position        *emu.Position `json:"position"`
	BattleID        *string       `json:"battleId"`
	BattleResult    *string       `json:"battleResult"` // won, lost; null while there is none
	Turn            *int          `json:"turn"`
	ActivePartySlot *int          `json:"activePartySlot"`
	ActivePartyHP   *int          `json:"activePartyHp"`
	OpponentHP      *int          `json:"opponentHp"`
	Frame           uint64        `json:"frame"`
	InputCount      uint64        `json:"inputCount"`
}

// EvidenceDigests tie the report to the other files.
type EvidenceDigests struct {
	EventCount             int         `json:"eventCount"`
	DecisionCount          int         `json:"decisionCount"`
	EventChainHeadSHA256   emu.Digest  `json:"eventChainHeadSha256"`
	DecisionTraceSHA256    emu.Digest  `json:"decisionTraceSha256"` // of its canonical JSON
	FinalRAMStateSHA256    emu.Digest  `json:"finalRamStateSha256"`
	FinalFramebufferSHA256 *emu.Digest `json:"finalFramebufferSha256,omitzero"` // of the real core
}

// Artifact points to one file of the evidence.
type Artifact struct {
	Kind       string     `json:"kind"` // event_trace, decision_trace or frame
	ArtifactID string     `json:"artifactId"`
	URI        string     `json:"uri"`
	SHA256     emu.Digest `json:"sha256"` // of the file's bytes
	Summary    string     `json:"summary"`
}

// Bounds of a report.
const (
	maxArtifacts = 6
	maxText      = 1024
)

// ParseReport reads a report strictly.
func ParseReport(data []byte) (Report, error) {
	var r Report
	if err := emu.UnmarshalComplete(data, &r); err != nil {
		return Report{}, fmt.Errorf("report: %w", err)
	}
	switch {
	case r.SchemaVersion != schemaNumber || !r.FixtureSHA256.Valid():
		return Report{}, fmt.Errorf("report: schemaVersion or fixtureSha256 is none")
	case r.Network != NetworkNamespace && r.Network != NetworkImports:
		return Report{}, fmt.Errorf("report: network: %q is no proof", emu.Clean(string(r.Network)))
	case (r.Result == Passed) != r.Checks.all() || r.Result != Passed && r.Result != Failed:
		return Report{}, fmt.Errorf("report: result: %q is not what the checks say", emu.Clean(r.Result))
	case len(r.Artifacts) > maxArtifacts || r.Evidence.EventCount > maxTrace || r.Evidence.DecisionCount > maxTrace:
		return Report{}, fmt.Errorf("report: more artifacts, events or decisions than there can be")
	}
	return r, nil
}

// finalState tells how things stood in the last sight.
func finalState(s Sight, inputs uint64) FinalState {
	f := FinalState{Frame: s.Frame, InputCount: inputs}
	if s.Overworld != nil {
		f.Position = &s.Overworld.Position
	}
	if s.Party != nil {
		f.ActivePartySlot = &s.Party.ActiveSlot
	}
	if b := s.Battle; b != nil {
		f.BattleID, f.Turn, f.OpponentHP, f.ActivePartySlot = &b.BattleID, &b.Turn, &b.Opponent.CurrentHP, &b.ActivePartySlot
		if b.Phase == emu.PhaseWon || b.Phase == emu.PhaseLost {
			result := string(b.Phase)
			f.BattleResult = &result
		}
	}
	if s.Party != nil {
		for i := range s.Party.Members {
			if m := &s.Party.Members[i]; m.Slot == *f.ActivePartySlot {
				f.ActivePartyHP = &m.CurrentHP
			}
		}
	}
	return f
}
