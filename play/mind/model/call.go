package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// backoff is the wait before the first retry; each further one is twice as
// long. What an endpoint asks for comes before it.
const backoff = time.Second

// ask gets the text of one reply, with so many retries at most, within the
// deadline. Every attempt goes through the meter.
func (m *Mind) ask(ctx context.Context, q question, retries int) (string, error) {
	timed, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		text, err := m.attempt(timed, q)
		var failed *CallError
		if !errors.As(err, &failed) {
			return text, err
		}
		failed.Attempts = attempt
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case timed.Err() != nil:
			return "", m.late(attempt)
		case !failed.retryable || attempt > retries:
			return "", failed
		}
		if err := m.wait(timed, failed, attempt); err != nil {
			return "", err
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
}

// wait lets time pass before a retry, unless the deadline would pass first.
func (m *Mind) wait(ctx context.Context, failed *CallError, attempt int) error {
	d := time.Duration(failed.retryAfter)
	if d == 0 {
		d = backoff << (attempt - 1)
	}
	if d >= m.timeout {
		failed.Message += fmt.Sprintf("; it asks to wait %s, longer than the deadline", d)
		return failed
	}
	if err := m.sleep(ctx, d); err != nil {
		if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return m.late(attempt)
		}
		return err
	}
	return nil
}

func (m *Mind) late(attempts int) error {
	return &CallError{Code: CodeDeadlineExceeded, Message: fmt.Sprintf("no reply within %s", m.timeout), Attempts: attempts}
}

// attempt makes one call and pays for it.
func (m *Mind) attempt(ctx context.Context, q question) (string, error) {
	hold, err := m.meter.reserve(m.most(q))
	if err != nil {
		return "", err
	}
	x := &exchange{}
	var r *reply
	settled := false
	defer func() {
		if !settled { // a panic on the way
			hold.settle(unknown, Usage{}, false)
		}
	}()
	r, err = m.endpoint.ask(withExchange(ctx, x), q)
	text, err := m.judge(x, r, err)
	how, used := bill(x, r)
	hold.settle(how, used, err == nil)
	settled = true
	return text, err
}

// bill says what a call is counted as. Endpoints do not bill what they
// refuse; a stream that broke off may have been billed to its end, and so may
// a reply that a gateway did not wait for. Where the endpoint does not say what
// was used, it is at least what came, and no token is shorter than a byte.
func bill(x *exchange, r *reply) (how outcome, used Usage) {
	used = r.usage
	switch {
	case r.whole && r.counted:
		return counted, used
	case !x.sent.Load() || x.status >= http.StatusMultipleChoices && !gaveUp[x.status]:
		return notBilled, used
	}
	came := int64(r.text.Len() + r.unseen)
	if x.tooLong.Load() {
		came = max(came, x.read.Load())
	}
	used.Output = max(used.Output, came)
	return unknown, used
}

// gaveUp are the statuses of a gateway behind which somebody may still be
// writing the reply. The last is Cloudflare's own.
var gaveUp = map[int]bool{http.StatusBadGateway: true, http.StatusGatewayTimeout: true, 524: true}

// judge makes the text of a reply, or the error, out of what happened.
func (m *Mind) judge(x *exchange, r *reply, err error) (string, error) {
	switch {
	case x.tooLong.Load() || errors.Is(err, errTooLong):
		return "", badReply("it is longer than %d bytes", maxReplyText)
	case x.status == 0:
		return "", m.unsent(err)
	case x.status >= http.StatusMultipleChoices:
		return "", m.refusal(x, err)
	case r.refused:
		return "", badReply("the model declined to answer")
	case r.cut:
		return "", badReply("it breaks off after %d tokens, the most allowed", m.settings.outputTokens())
	case err != nil || !r.whole:
		return m.broken(r, err)
	}
	return r.text.String(), nil
}

// unsent is a call that got no answer: nobody was reached, or the SDK would
// not even send it.
func (m *Mind) unsent(err error) *CallError {
	var wire *url.Error
	if err == nil || errors.As(err, &wire) {
		return &CallError{Code: CodeUnreachable, Message: m.reason(err), retryable: true}
	}
	return &CallError{Code: CodeRefused, Message: m.reason(err), Permanent: true}
}

// broken is a stream that ended too early. When all of the decision had come
// by then, it is one.
func (m *Mind) broken(r *reply, err error) (string, error) {
	if text := r.text.String(); err == nil {
		if _, bad := decode(text, m.key); bad == nil {
			return text, nil
		}
	}
	why := "the stream ended before the reply did"
	if err != nil {
		why = m.reason(err)
	}
	return "", &CallError{Code: CodeBroken, Status: http.StatusOK, Message: why, retryable: true}
}

func (m *Mind) reason(err error) string {
	if err == nil {
		return "no answer came"
	}
	return m.clean(err.Error())
}

// refusal is an answer with an error status.
func (m *Mind) refusal(x *exchange, err error) *CallError {
	return &CallError{
		Code: CodeRefused, Status: x.status, Message: m.reason(err), retryAfter: x.retryAfter,
		Permanent: permanent(x.status), retryable: worthRetrying(x.status),
	}
}

// permanent tells the statuses that say that the request itself is at fault.
func permanent(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return status < http.StatusInternalServerError
}

func worthRetrying(status int) bool { return !permanent(status) && status != http.StatusNotImplemented }
