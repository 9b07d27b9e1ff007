package journal

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// Source says who answered an action.
type Source string

// The sources.
const (
	SourceEnvironment Source = "environment" // the governed runtime, with its result object
	SourceBody        Source = "body"        // the checkpoint port
	SourceException   Source = "exception"   // nobody: it broke
)

// Statuses of an answer of the checkpoint port.
const (
	BodyCompleted = "completed"
	BodyRejected  = "rejected"
)

// ActionResult is what came back from an action, in one of three shapes by
// Source. Make one with EnvironmentResult, BodyResult or ExceptionResult.
type ActionResult struct {
	Source Source

	Result *Answer // environment

	Status  string  // body: BodyCompleted or BodyRejected
	Summary string  // body: at most 4096
	Advice  *string // body

	Name      string  // exception
	Message   *string // exception: nil when there is none or it is too long
	ErrorCode *string // exception
	Retryable *bool   // exception
}

// Answer is the runtime's answer to an action. Which of the later members
// are there follows from Status. It is not strict: members of others' answers
// are kept in Others.
type Answer struct {
	SchemaVersion       int            `json:"schemaVersion"` // 1
	ActionID            string         `json:"actionId"`
	SessionID           string         `json:"sessionId"`
	UpdatedAt           string         `json:"updatedAt"` // ISO-8601, UTC
	Status              string         `json:"status"`    // queued, running, completed, cancelled, failed, denied or stale
	AcceptedGoalVersion *int           `json:"acceptedGoalVersion,omitzero"`
	Outcome             map[string]any `json:"outcome,omitzero"`   // completed
	Reason              string         `json:"reason,omitzero"`    // cancelled, denied
	ErrorCode           string         `json:"errorCode,omitzero"` // failed
	Message             *string        `json:"message,omitzero"`   // failed
	Retryable           *bool          `json:"retryable,omitzero"` // failed
	Others              jsontext.Value `json:",embed"`
}

// EnvironmentResult wraps the runtime's answer.
func EnvironmentResult(a Answer) *ActionResult {
	return &ActionResult{Source: SourceEnvironment, Result: &a}
}

// AnswerOf makes the answer that a body's result is recorded as. at is when
// it came, ISO-8601 in UTC.
func AnswerOf(actionID, sessionID, at string, r emu.ActionResult) Answer {
	version := 0
	a := Answer{
		SchemaVersion: 1, ActionID: actionID, SessionID: sessionID, UpdatedAt: at,
		Status: string(r.Status), AcceptedGoalVersion: &version,
	}
	switch r.Status {
	case emu.StatusCompleted:
		a.Outcome = r.Outcome
		if a.Outcome == nil {
			a.Outcome = map[string]any{}
		}
	case emu.StatusCancelled:
		a.Reason = cmp.Or(r.Reason, "unspecified")
	case emu.StatusFailed:
		a.fail(r.Err)
	}
	return a
}

func (a *Answer) fail(err *emu.Error) {
	if err == nil {
		err = &emu.Error{Code: emu.CodeEmulatorRejected}
	}
	message := err.Error()
	a.ErrorCode, a.Message, a.Retryable = err.Code, &message, &err.Retryable
}

// BodyResult records an answer of the checkpoint port; advice may be nil.
func BodyResult(status, summary string, advice *string) *ActionResult {
	return &ActionResult{Source: SourceBody, Status: status, Summary: summary, Advice: advice}
}

// ExceptionResult records an action that broke.
func ExceptionResult(err error) *ActionResult {
	r := &ActionResult{Source: SourceException, Name: fmt.Sprintf("%T", err)}
	if message := err.Error(); emu.Length(message) <= MaxExceptionMessage {
		r.Message = &message
	}
	var coded *emu.Error
	if errors.As(err, &coded) {
		r.Name, r.ErrorCode, r.Retryable = "Error", &coded.Code, &coded.Retryable
	}
	return r
}

// The three shapes on the wire.
type (
	environmentShape struct {
		Source Source `json:"source"`
		Result Answer `json:"result"`
	}
	bodyShape struct {
		Source  Source  `json:"source"`
		Status  string  `json:"status"`
		Summary string  `json:"summary"`
		Advice  *string `json:"advice"`
	}
	exceptionShape struct {
		Source    Source  `json:"source"`
		Name      string  `json:"name"`
		Message   *string `json:"message"`
		ErrorCode *string `json:"errorCode"`
		Retryable *bool   `json:"retryable"`
	}
)

// MarshalJSONTo writes the shape of the source.
func (r ActionResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	switch r.Source {
	case SourceEnvironment:
		if r.Result == nil {
			return errors.New("result: missing")
		}
		return json.MarshalEncode(enc, environmentShape{r.Source, *r.Result})
	case SourceBody:
		return json.MarshalEncode(enc, bodyShape{r.Source, r.Status, r.Summary, r.Advice})
	case SourceException:
		return json.MarshalEncode(enc, exceptionShape{r.Source, r.Name, r.Message, r.ErrorCode, r.Retryable})
	}
	return fmt.Errorf("source: %q is none", r.Source)
}

// UnmarshalJSONFrom reads the shape that the source names.
func (r *ActionResult) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var probe struct {
		Source Source `json:"source"`
	}
	if err := json.Unmarshal(value, &probe, halfCharacters); err != nil {
		return err
	}
	switch probe.Source {
	case SourceEnvironment:
		var s environmentShape
		if err := decode(value, &s); err != nil {
			return err
		}
		*r = ActionResult{Source: s.Source, Result: &s.Result}
	case SourceBody:
		var s bodyShape
		if err := decode(value, &s); err != nil {
			return err
		}
		*r = ActionResult{Source: s.Source, Status: s.Status, Summary: s.Summary, Advice: s.Advice}
	case SourceException:
		var s exceptionShape
		if err := decode(value, &s); err != nil {
			return err
		}
		*r = ActionResult{Source: s.Source, Name: s.Name, Message: s.Message, ErrorCode: s.ErrorCode, Retryable: s.Retryable}
	default:
		return fmt.Errorf("source: %q is none", emu.Clean(string(probe.Source)))
	}
	return nil
}

func (r ActionResult) validate() error {
	switch r.Source {
	case SourceEnvironment:
		if r.Result == nil {
			return errors.New("result: missing")
		}
		return nil
	case SourceBody:
		if r.Status != BodyCompleted && r.Status != BodyRejected {
			return fmt.Errorf("status: must be %s or %s", BodyCompleted, BodyRejected)
		}
		return within("summary", r.Summary, 0, MaxBodySummary)
	case SourceException:
		return atMost("message", r.Message, MaxExceptionMessage)
	}
	return fmt.Errorf("source: %q is none", emu.Clean(string(r.Source)))
}

func (r ActionResult) fit() ActionResult {
	r.Summary = emu.Clip(r.Summary, MaxBodySummary)
	if r.Message != nil && emu.Length(*r.Message) > MaxExceptionMessage {
		r.Message = nil
	}
	return r
}
