package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// Status is how an action stands.
type Status string

// The statuses. The first two are on the way; the others are final.
const (
	StatusQueued    Status = "queued"
	StatusRunning   Status = "running"
	StatusCompleted Status = "completed"
	StatusCancelled Status = "cancelled"
	StatusFailed    Status = "failed"
	StatusDenied    Status = "denied"
	StatusStale     Status = "stale"
)

// Terminal reports whether an action of this status will change no more.
func (s Status) Terminal() bool { return s != StatusQueued && s != StatusRunning }

// CodeAdapterError marks a failure for which the adapter had no code.
const CodeAdapterError = "adapter_error"

// maxReason is how much of a reason or message is kept, in UTF-16 code units.
const maxReason = 512

// Result is how one action stands, on the wire and in the record.
type Result struct {
	SchemaVersion       int     `json:"schemaVersion"` // 1
	ActionID            string  `json:"actionId"`
	SessionID           string  `json:"sessionId"`
	UpdatedAt           Instant `json:"updatedAt"`
	Status              Status  `json:"status"`
	AcceptedGoalVersion *int    `json:"acceptedGoalVersion,omitzero"`

	Outcome   rawJSON `json:"outcome,omitzero"`   // completed
	Reason    string  `json:"reason,omitzero"`    // cancelled, denied
	ErrorCode string  `json:"errorCode,omitzero"` // failed
	Message   string  `json:"message,omitzero"`
	Retryable *bool   `json:"retryable,omitzero"`

	RequestedGoalVersion *int   `json:"requestedGoalVersion,omitzero"` // denied
	PolicyDecisionID     string `json:"policyDecisionId,omitzero"`
	ExpectedGoalVersion  *int   `json:"expectedGoalVersion,omitzero"` // stale
	CurrentGoalVersion   *int   `json:"currentGoalVersion,omitzero"`

	// What this program adds to the format, which allows more members.
	Detail         string     `json:"detail,omitzero"` // of a refusal; Message has it too
	Frames         int        `json:"frames,omitzero"`
	Inputs         int        `json:"inputs,omitzero"`
	RAMStateSHA256 emu.Digest `json:"ramStateSha256,omitzero"`

	More rawJSON `json:",embed"`
}

// UnmarshalJSON keeps the members it does not know: the format allows them.
func (r *Result) UnmarshalJSON(data []byte) error {
	type plain Result
	return json.Unmarshal(data, (*plain)(r))
}

// absorb takes over how a body says the action ended. It fails only when the
// outcome cannot be written.
func (r *Result) absorb(a emu.ActionResult, failure error, secrets *redactor) error {
	r.Frames, r.Inputs, r.RAMStateSHA256 = a.Frames, a.Inputs, a.RAMSHA256
	switch {
	case failure != nil:
		r.fail(failure, secrets)
	case a.Status == emu.StatusCompleted:
		outcome, err := json.Marshal(withObject(a.Outcome), json.Deterministic(true))
		if err != nil {
			return err
		}
		r.Status, r.Outcome = StatusCompleted, outcome
	case a.Status == emu.StatusCancelled:
		r.Status, r.Reason = StatusCancelled, secrets.reason(a.Reason)
	case a.Err != nil:
		r.fail(a.Err, secrets)
	default:
		r.fail(fmt.Errorf("the body says %q and gives no reason", a.Status), secrets)
	}
	return nil
}

func withObject(outcome map[string]any) map[string]any {
	if outcome == nil {
		return map[string]any{}
	}
	return outcome
}

// fail records err: with its own code when it has one, else as a failure of
// the adapter that may pass.
func (r *Result) fail(err error, secrets *redactor) {
	r.Status = StatusFailed
	code, retryable := CodeAdapterError, true
	r.Message = secrets.reason(err.Error())
	if e := (*emu.Error)(nil); errors.As(err, &e) {
		code, retryable, r.Detail = e.Code, e.Retryable, secrets.text(e.Detail)
	}
	r.ErrorCode, r.Retryable = code, &retryable
}

// actionResult turns a stored result back into what a body would answer.
func (r Result) actionResult() emu.ActionResult {
	out := emu.ActionResult{
		Status: emu.StatusFailed, Reason: r.Reason,
		Frames: r.Frames, Inputs: r.Inputs, RAMSHA256: r.RAMStateSHA256,
	}
	switch r.Status {
	case StatusCompleted:
		out.Status, out.Outcome = emu.StatusCompleted, r.OutcomeMap()
	case StatusCancelled:
		out.Status = emu.StatusCancelled
	case StatusFailed:
		out.Err = r.refusal()
	case StatusStale:
		out.Err = &emu.Error{Code: "stale_goal_version", Message: fmt.Sprintf("the goal is at version %d, the action was for %d", *r.CurrentGoalVersion, *r.ExpectedGoalVersion)}
	default:
		out.Err = &emu.Error{Code: emu.CodeUncertainState, Message: "the action has not ended"}
	}
	return out
}

func (r Result) refusal() *emu.Error {
	message := strings.TrimPrefix(strings.TrimPrefix(r.Message, r.ErrorCode), ": ")
	if r.Detail != "" {
		message = strings.TrimSuffix(strings.TrimSuffix(message, r.Detail), " — ")
	}
	return &emu.Error{Code: r.ErrorCode, Message: message, Detail: r.Detail, Retryable: r.Retryable != nil && *r.Retryable}
}

// OutcomeMap returns the outcome of a completed action, a fresh copy each time.
func (r Result) OutcomeMap() map[string]any {
	var out map[string]any
	if json.Unmarshal(r.Outcome, &out) != nil {
		return nil
	}
	return out
}

// summary says how the action stands, for an observation of it.
func (r Result) summary() string {
	switch r.Status {
	case StatusFailed:
		return r.Message
	case StatusCancelled, StatusDenied:
		return string(r.Status) + ": " + r.Reason
	case StatusCompleted:
		return fmt.Sprintf("completed in %s with %s", emu.Count(r.Frames, "frame"), emu.CountOf(r.Inputs, "press", "presses"))
	}
	return string(r.Status)
}

// reason bounds words for people and never leaves them empty.
func reason(s string) string {
	s = emu.Clip(strings.TrimSpace(emu.Clean(s)), maxReason)
	if s == "" {
		return "unspecified"
	}
	return s
}
