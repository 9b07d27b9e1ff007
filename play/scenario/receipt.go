package scenario

import (
	"bytes"
	"fmt"

	"clankie/emu"
	"clankie/emu/double"
)

const receiptKind = "gba_scenario_run_receipt"

// Receipt ties the files of a run together, and to the scenario, whose text it
// carries: evidence can be checked without anything else at hand. All of it
// follows from the scenario and the other files.
type Receipt struct {
	SchemaVersion   int            `json:"schemaVersion"`
	Kind            string         `json:"kind"`
	ScenarioID      string         `json:"scenarioId"`
	ScenarioVersion int            `json:"scenarioVersion"`
	FixtureSHA256   emu.Digest     `json:"fixtureSha256"`
	RunID           string         `json:"runId"`
	Real            bool           `json:"real"` // false: played on the deterministic double, which is no game
	Binding         double.Binding `json:"binding"`
	FreshBodies     int            `json:"freshBodies"` // bodies that left these very files
	Result          string         `json:"result"`
	Files           []FileDigest   `json:"files"`
	Scenario        string         `json:"scenario"`               // the bytes of the scenario's file
	ReceiptSHA256   emu.Digest     `json:"receiptSha256,omitzero"` // of the receipt without this member
}

// FileDigest is one file that the receipt is for.
type FileDigest struct {
	Name   string     `json:"name"`
	Bytes  int        `json:"bytes"`
	SHA256 emu.Digest `json:"sha256"`
}

const freshBodies = 2

func (p Plan) receipt(r Report, files []File) (Receipt, error) {
	h := p.pins().Header
	out := Receipt{
		SchemaVersion: schemaNumber, Kind: receiptKind, ScenarioID: h.ScenarioID, ScenarioVersion: h.ScenarioVersion,
		FixtureSHA256: h.FixtureSHA256, RunID: p.RunID(), Real: p.Real != nil, Binding: p.bind(p.SessionID()),
		FreshBodies: freshBodies, Result: r.Result, Scenario: string(p.JSON),
	}
	for _, f := range files {
		out.Files = append(out.Files, FileDigest{f.Name, len(f.Data), emu.DigestOf(f.Data)})
	}
	return out.sealed()
}

func (r Receipt) sealed() (Receipt, error) {
	r.ReceiptSHA256 = ""
	digest, err := emu.CanonicalDigest(r)
	r.ReceiptSHA256 = digest
	return r, err
}

func (r Receipt) encode() ([]byte, error) { return emu.MarshalIndent(r) }

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
	if r.ReceiptSHA256 != sealed.ReceiptSHA256 {
		return Receipt{}, fmt.Errorf("the receipt is not what its digest says")
	}
	if again, err := r.encode(); err != nil || !bytes.Equal(again, data) {
		return Receipt{}, fmt.Errorf("the receipt is not laid out as it was written")
	}
	if r.SchemaVersion != schemaNumber || r.Kind != receiptKind {
		return Receipt{}, fmt.Errorf("the receipt is of another kind")
	}
	return r, nil
}
