package journal

import (
	"regexp"
	"strings"

	"clankie/emu"
)

// knownFailure is how a turn's detail begins when an action was refused
// because it is known to fail here.
const knownFailure = "known_non_retryable:"

var codePattern = regexp.MustCompile(`^[a-z][a-z0-9_]{2,79}$`)

// FailureCode is the code with which a turn's action was refused or failed,
// or "": from the answer where that is recorded, else from the detail.
func (l TurnLine) FailureCode() string {
	if l.Turn.Outcome == OutcomeAccepted {
		return ""
	}
	if l.Evidence != nil && l.Evidence.ActionResult != nil {
		if code := l.Evidence.ActionResult.failureCode(); code != "" {
			return code
		}
	}
	if l.Turn.Detail == nil {
		return ""
	}
	return leadingCode(strings.TrimPrefix(*l.Turn.Detail, knownFailure))
}

func (r ActionResult) failureCode() string {
	switch {
	case r.Source == SourceException && r.ErrorCode != nil:
		return leadingCode(*r.ErrorCode)
	case r.Source == SourceBody && r.Status == BodyRejected:
		return leadingCode(r.Summary)
	case r.Source == SourceEnvironment && r.Result != nil:
		return r.Result.failureCode()
	}
	return ""
}

func (a Answer) failureCode() string {
	switch a.Status {
	case string(emu.StatusFailed):
		return leadingCode(a.ErrorCode)
	case string(emu.StatusCompleted), "queued", "running":
		return ""
	}
	return leadingCode(a.Status) // cancelled, denied, stale
}

// leadingCode is the code that a refusal's text begins with, or "".
func leadingCode(text string) string {
	code, _, _ := strings.Cut(text, ":")
	if !codePattern.MatchString(code) {
		return ""
	}
	return code
}
