package competence

import (
	"bytes"
	"fmt"

	"clankie/emu"
	"clankie/play/scenario"
)

// Files of a benchmark's folder.
const (
	FileReceipt = "competence-receipt.json"
	FileReport  = "competence-report.json"
)

const receiptKind = "free_play_competence_operator_receipt"

// Receipt is what an operator keeps of a benchmark: what was played on what,
// what was counted and how it was judged. It holds nothing of the game.
type Receipt struct {
	SchemaVersion int                `json:"schemaVersion"`
	Kind          string             `json:"kind"`
	Identity      Identity           `json:"identity"`
	Metrics       map[string]Metrics `json:"metrics"` // by state
	Checks        map[string]Checks  `json:"checks"`  // by state
	Passed        bool               `json:"passed"`
	ReportSHA256  emu.Digest         `json:"reportSha256"` // of the report's file
	ContentPolicy ContentPolicy      `json:"contentPolicy"`
	ReceiptSHA256 emu.Digest         `json:"receiptSha256,omitzero"` // of the receipt without this member
}

// Identity is what a benchmark was played on.
type Identity struct {
	BenchmarkID      string     `json:"benchmarkId"`
	BenchmarkVersion int        `json:"benchmarkVersion"`
	BenchmarkSHA256  emu.Digest `json:"benchmarkSha256"`
	Mode             string     `json:"mode"`
	Controller       string     `json:"controller"`
	CoreID           string     `json:"coreId"`
	// Of the real core alone.
	CoreWasmSHA256 emu.Digest        `json:"coreWasmSha256,omitzero"`
	ROMSHA256      emu.Digest        `json:"romSha256,omitzero"`
	Pinned         map[string]Pinned `json:"pinned"` // by state
}

// ContentPolicy says what a receipt and its report do not hold. All of it is
// false.
type ContentPolicy struct {
	ROMBytes       bool `json:"romBytes"`
	SavestateBytes bool `json:"savestateBytes"`
	Pictures       bool `json:"pictures"`
	Monologues     bool `json:"monologues"`
	Credentials    bool `json:"credentials"`
}

// Receipt makes the receipt of what was played, and the files of both.
func (b Benchmark) Receipt(p Played) (Receipt, []scenario.File, error) {
	report, err := emu.MarshalIndent(p.Report)
	if err != nil {
		return Receipt{}, nil, err
	}
	r := Receipt{
		SchemaVersion: 1, Kind: receiptKind, Identity: b.identity(p), Passed: p.Report.Passed,
		ReportSHA256: emu.DigestOf(report), Metrics: map[string]Metrics{}, Checks: map[string]Checks{},
	}
	for _, s := range p.Report.States {
		r.Metrics[s.StateID], r.Checks[s.StateID] = s.Metrics, s.Checks
	}
	if r, err = r.sealed(); err != nil {
		return Receipt{}, nil, err
	}
	receipt, err := emu.MarshalIndent(r)
	return r, []scenario.File{{Name: FileReceipt, Data: receipt}, {Name: FileReport, Data: report}}, err
}

func (b Benchmark) identity(p Played) Identity {
	id := Identity{
		BenchmarkID: b.BenchmarkID, BenchmarkVersion: b.BenchmarkVersion, BenchmarkSHA256: b.SHA256,
		Mode: p.Report.Mode, Controller: p.Report.Controller, CoreID: p.Core.CoreID,
		CoreWasmSHA256: p.Core.ModuleSHA256, ROMSHA256: p.Core.ROMSHA256, Pinned: map[string]Pinned{},
	}
	for _, s := range b.States {
		if s.Kind == p.Report.Mode {
			id.Pinned[s.StateID] = s.Pinned
		}
	}
	return id
}

func (r Receipt) sealed() (Receipt, error) {
	r.ReceiptSHA256 = ""
	digest, err := emu.CanonicalDigest(r)
	r.ReceiptSHA256 = digest
	return r, err
}

// ParseReceipt reads a receipt strictly: it must be what it says it is to the
// last byte.
func ParseReceipt(data []byte) (Receipt, error) {
	var r Receipt
	if err := emu.UnmarshalComplete(data, &r); err != nil {
		return Receipt{}, err
	}
	sealed, err := r.sealed()
	if err != nil {
		return Receipt{}, err
	}
	again, err := emu.MarshalIndent(sealed)
	switch {
	case err != nil:
		return Receipt{}, err
	case !bytes.Equal(again, data):
		return Receipt{}, fmt.Errorf("the receipt is not what its digest says, or not laid out as it was written")
	case r.SchemaVersion != 1 || r.Kind != receiptKind:
		return Receipt{}, fmt.Errorf("the receipt is of another kind")
	case r.ContentPolicy != ContentPolicy{}:
		return Receipt{}, fmt.Errorf("contentPolicy: a receipt holds none of that")
	}
	return r, nil
}
