package model

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// Codes with which a CallError's text begins.
const (
	CodeTimeoutInvalid   = "free_play_model_request_timeout_invalid"
	CodeDeadlineExceeded = "free_play_model_request_deadline_exceeded"
	CodeUnreachable      = "model_unreachable" // no answer came at all
	CodeRefused          = "model_refused"     // the endpoint answered with an error
	CodeBroken           = "model_reply_broken"
	CodePanicked         = "model_client_panicked"
)

// maxErrorText is how long the text of an error may be, in UTF-16 code units:
// what a turn's detail holds.
const maxErrorText = 400

// CallError is a question that got no reply. It carries text only, never the
// request: a request holds the key.
type CallError struct {
	Code     string
	Status   int // of HTTP, 0 when none came
	Message  string
	Attempts int // how often was asked

	// Permanent is true when asking again the same way cannot help: a wrong
	// key, a model that does not exist, a request that is refused as such.
	Permanent bool

	retryable  bool
	retryAfter retryAfter
}

// Error implements error.
func (e *CallError) Error() string {
	s := e.Code + ": " + e.Message
	if e.Attempts > 1 {
		s += fmt.Sprintf(" (asked %d times)", e.Attempts)
	}
	return emu.Clip(emu.Clean(s), maxErrorText)
}

// PausesPlay reports why play should pause instead of trying the next turn.
func (e *CallError) PausesPlay() (why string, pauses bool) { return e.Error(), e.Permanent }

// Problem is one thing that is wrong with a reply.
type Problem struct {
	Field string // of the decision, or "reply" for the whole
	Wrong string
	Legal string // what is allowed, "" when there is nothing to choose from
}

// ReplyError is a reply from which no decision could be read.
type ReplyError struct{ Problems []Problem }

// Error implements error: every problem with what is legal, for the model to
// read as much as for people.
func (e *ReplyError) Error() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		parts[i] = p.Field + ": " + p.Wrong
		if p.Legal != "" {
			parts[i] += "; legal: " + p.Legal
		}
	}
	return emu.Clip(emu.Clean(strings.Join(parts, " | ")), maxErrorText)
}

// InvalidDecision tells the loop that the mind answered and that the answer,
// not the call, is at fault: such a turn may be asked about once more.
func (e *ReplyError) InvalidDecision() bool { return true }

// badReply is a ReplyError about the whole reply.
func badReply(format string, args ...any) *ReplyError {
	return &ReplyError{Problems: []Problem{{
		Field: "reply", Wrong: fmt.Sprintf(format, args...), Legal: "exactly one JSON object with the fields of the schema",
	}}}
}

// CapError is a cap that the next call could pass; the call was not made.
type CapError struct {
	Cap   string // tokens or money
	Spent string
	Limit string
}

// Error implements error.
func (e *CapError) Error() string {
	return fmt.Sprintf("the cap on %s is reached: %s of %s spent, and the next call could pass it", e.Cap, e.Spent, e.Limit)
}

// PausesPlay reports that play should pause: no later call will be made.
func (e *CapError) PausesPlay() (why string, pauses bool) { return e.Error(), true }

// SpendsNoMore reports that play ends here in good order where nobody is
// there to let another mind decide.
func (e *CapError) SpendsNoMore() bool { return true }
