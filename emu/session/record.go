package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// Phase is how far a session is.
type Phase string

// The phases. A session that is starting, active, paused or stopping owns its
// body.
const (
	PhaseOff      Phase = "off"
	PhaseStarting Phase = "starting"
	PhaseActive   Phase = "active"
	PhasePaused   Phase = "paused"
	PhaseStopping Phase = "stopping"
	PhaseFailed   Phase = "failed"
)

// OwnsBody reports whether a session in this phase has a body.
func (p Phase) OwnsBody() bool {
	switch p {
	case PhaseStarting, PhaseActive, PhasePaused, PhaseStopping:
		return true
	}
	return false
}

func (p Phase) valid() bool { return p.OwnsBody() || p == PhaseOff || p == PhaseFailed }

// Lapse says that the lease ran out, and whether that paused the body.
type Lapse struct {
	At         Instant `json:"at"`
	PausedBody bool    `json:"pausedBody"`
}

// recordHead is a record without its actions, in the order its members are
// written in.
type recordHead struct {
	SchemaVersion    int      `json:"schemaVersion"`
	Spec             Spec     `json:"spec"`
	Lease            Lease    `json:"lease"`
	LeaseDurationMS  int64    `json:"leaseDurationMs"`
	TokenHash        string   `json:"tokenHash"` // SHA-256 of the token
	Phase            Phase    `json:"phase"`
	AdapterSessionID *string  `json:"adapterSessionId"`
	RevokedAt        *Instant `json:"revokedAt"`
	LeaseLapse       *Lapse   `json:"leaseLapse"`
	CorrelationID    string   `json:"correlationId"`
}

// record is everything about one session that survives the program.
type record struct {
	recordHead
	actions actions
	rolled  int // final actions dropped by retention
}

// hashToken is what is kept of a token.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// fileName is the name of the record of a session.
func fileName(sessionID string) string { return hashToken(sessionID) + ".json" }

func (r *record) validate() error {
	switch {
	case !emu.Digest(r.TokenHash).Valid():
		return fmt.Errorf("tokenHash: no digest")
	case !r.Phase.valid():
		return fmt.Errorf("phase: %q is none", r.Phase)
	case r.RevokedAt != nil && !r.RevokedAt.Valid():
		return fmt.Errorf("revokedAt: no UTC time")
	case r.LeaseLapse != nil && !r.LeaseLapse.At.Valid():
		return fmt.Errorf("leaseLapse.at: no UTC time")
	case r.LeaseDurationMS < 1 || r.LeaseDurationMS > MaxLease.Milliseconds():
		return fmt.Errorf("leaseDurationMs: %d must be 1 to %d", r.LeaseDurationMS, MaxLease.Milliseconds())
	case r.rolled < 0:
		return fmt.Errorf("rolledActionRecords: %d must not be negative", r.rolled)
	}
	return nil
}

// actionFile is one action as the record keeps it.
type actionFile struct {
	Result     Result  `json:"result"`
	DeadlineAt Instant `json:"deadlineAt"`
}

func (a actionFile) validate(id, sessionID string) error {
	switch {
	case a.Result.SchemaVersion != 1:
		return fmt.Errorf("result.schemaVersion: %d is not 1", a.Result.SchemaVersion)
	case a.Result.ActionID != id || a.Result.SessionID != sessionID:
		return fmt.Errorf("result: of another action")
	case !a.Result.UpdatedAt.Valid() || !a.DeadlineAt.Valid():
		return fmt.Errorf("updatedAt or deadlineAt: no UTC time")
	}
	switch a.Result.Status {
	case StatusQueued, StatusRunning, StatusCompleted, StatusCancelled, StatusFailed, StatusDenied:
		return nil
	case StatusStale:
		if a.Result.ExpectedGoalVersion != nil && a.Result.CurrentGoalVersion != nil {
			return nil
		}
	}
	return fmt.Errorf("result.status: %q is none, or its members are missing", a.Result.Status)
}

// actions keeps a session's actions in the order they were registered.
type actions struct {
	order   []*action
	byID    map[string]*action
	dropped []string // by retention, which the disk does not know yet
}

// action is one registered action.
type action struct {
	actionFile
	// settled says that it is final and that the disk has it so: it need not be
	// written again until the whole record is.
	settled bool
}

func (a *actions) add(id string, f actionFile) *action {
	if a.byID == nil {
		a.byID = map[string]*action{}
	}
	entry := &action{actionFile: f}
	a.order = append(a.order, entry)
	a.byID[id] = entry
	return entry
}

// put is add, or changes the action that has the id.
func (a *actions) put(f actionFile) {
	if known := a.byID[f.Result.ActionID]; known != nil {
		known.actionFile = f
		return
	}
	a.add(f.Result.ActionID, f)
}

// settle takes in that the disk has all of this.
func (a *actions) settle() {
	for _, entry := range a.order {
		entry.settled = entry.Result.Status.Terminal()
	}
}

func (a *actions) drop(id string) {
	delete(a.byID, id)
	for i, entry := range a.order {
		if entry.Result.ActionID == id {
			a.order = append(a.order[:i:i], a.order[i+1:]...)
			return
		}
	}
}

// trim drops the oldest final actions beyond most and says how many.
func (a *actions) trim(most int) (dropped int) {
	if most <= 0 {
		return 0
	}
	kept := a.order[:0]
	excess := len(a.order) - most
	for _, entry := range a.order {
		if dropped < excess && entry.Result.Status.Terminal() {
			delete(a.byID, entry.Result.ActionID)
			a.dropped = append(a.dropped, entry.Result.ActionID)
			dropped++
			continue
		}
		kept = append(kept, entry)
	}
	clear(a.order[len(kept):])
	a.order = kept
	return dropped
}

const recordIndent = "  "

// appendTo writes the action as a member of the record's actions.
func (a *action) appendTo(to []byte) ([]byte, error) {
	key, err := jsontext.AppendQuote(nil, a.Result.ActionID)
	if err != nil {
		return nil, err
	}
	value, err := json.Marshal(a.actionFile, jsontext.WithIndentPrefix(recordIndent+recordIndent), jsontext.WithIndent(recordIndent))
	if err != nil {
		return nil, err
	}
	to = append(append(append(to, recordIndent+recordIndent...), key...), ": "...)
	return append(to, value...), nil
}

// encode appends the bytes of the record's file to out: JSON with two blanks
// of indentation and a newline at the end.
func (r *record) encode(out []byte) ([]byte, error) {
	head, err := json.Marshal(r.recordHead, jsontext.WithIndent(recordIndent))
	if err != nil {
		return nil, err
	}
	out = append(out, bytes.TrimSuffix(head, []byte("\n}"))...)
	out = append(out, ",\n  \"actions\": {"...)
	for i, a := range r.actions.order {
		out = append(out, separators[min(i, 1)]...)
		if out, err = a.appendTo(out); err != nil {
			return nil, err
		}
	}
	if len(r.actions.order) > 0 {
		out = append(out, "\n  "...)
	}
	out = append(out, '}')
	if r.rolled > 0 {
		out = fmt.Appendf(out, ",\n  \"rolledActionRecords\": %d", r.rolled)
	}
	return append(out, "\n}\n"...), nil
}

var separators = [2]string{"\n", ",\n"}
