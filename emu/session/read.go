package session

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// recordFile is the outline of a record's file, of either version.
type recordFile struct {
	SchemaVersion       int      `json:"schemaVersion"`
	Spec                rawJSON  `json:"spec"`
	Lease               rawJSON  `json:"lease"`
	LeaseDurationMS     int64    `json:"leaseDurationMs"`
	TokenHash           string   `json:"tokenHash"`
	Phase               Phase    `json:"phase"`
	AdapterSessionID    *string  `json:"adapterSessionId"`
	RevokedAt           *Instant `json:"revokedAt"`
	LeaseLapse          *Lapse   `json:"leaseLapse"`
	CorrelationID       string   `json:"correlationId"`
	Actions             rawJSON  `json:"actions"`
	RolledActionRecords int      `json:"rolledActionRecords,omitzero"`
}

// decodeRecord reads a record of either version. It is strict: a record that
// is read wrong could let an action run twice.
func decodeRecord(data []byte) (*record, error) {
	if _, err := schemaVersion(data); err != nil {
		return nil, err
	}
	var f recordFile
	if err := emu.UnmarshalWhole(data, &f); err != nil {
		return nil, err
	}
	spec, err := readSpec(f.Spec)
	if err != nil {
		return nil, fmt.Errorf("spec: %w", err)
	}
	lease, err := readLease(f.Lease, spec)
	if err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	r := &record{rolled: f.RolledActionRecords, recordHead: recordHead{
		SchemaVersion: recordSchema, Spec: spec, Lease: lease, LeaseDurationMS: f.LeaseDurationMS,
		TokenHash: f.TokenHash, Phase: f.Phase, AdapterSessionID: f.AdapterSessionID,
		RevokedAt: f.RevokedAt, LeaseLapse: f.LeaseLapse, CorrelationID: f.CorrelationID,
	}}
	if err := r.readActions(f.Actions); err != nil {
		return nil, fmt.Errorf("actions: %w", err)
	}
	return r, r.validate()
}

// readActions keeps the order of the file, which is the order the actions
// were registered in.
func (r *record) readActions(data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	if open, err := dec.ReadToken(); err != nil || open.Kind() != '{' {
		return fmt.Errorf("must be an object")
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return err
		}
		id := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		var f actionFile
		if err := emu.UnmarshalStrict(value, &f); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		if err := f.validate(id, r.Spec.SessionID); err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		r.actions.add(id, f)
	}
	_, err := dec.ReadToken()
	return err
}
