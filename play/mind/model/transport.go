package model

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// How many bytes of an answer are read. In streamed form each token may come
// in an event of its own. Of an error only the beginning is read.
const (
	wireBase     = 1 << 20
	wirePerToken = 512
	maxError     = 16 << 10
)

var (
	errTooLong  = errors.New("the reply is longer than anything that is read")
	errRedirect = errors.New("the endpoint sends to another address; set that one as base_url")
)

// exchange is what happened on the wire during one call. The SDKs do not tell
// all of it.
type exchange struct {
	sent       atomic.Bool // the request left this machine
	status     int         // of HTTP, 0 when none came
	retryAfter retryAfter
	tooLong    atomic.Bool
	read       atomic.Int64 // bytes of the answer, unless it is an error
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders: func() { x.sent.Store(true) },
	})
	return context.WithValue(ctx, exchangeKey{}, x)
}

// transport bounds what is read, follows no redirect (the key is for one
// address only) and notes what happened in the context's exchange.
type transport struct {
	base  http.RoundTripper
	limit int // bytes of an answer
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(r)
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if err != nil || !ok {
		return resp, err
	}
	x.status = resp.StatusCode
	x.retryAfter = parseRetryAfter(resp.Header.Get("Retry-After"), resp.Header.Get("Date"))
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		resp.Body.Close()
		return nil, errRedirect
	case resp.StatusCode >= 400:
		resp.Body = readCloser{io.LimitReader(resp.Body, maxError), resp.Body}
	default:
		resp.Body = readCloser{&bounded{resp.Body, t.limit, x}, resp.Body}
	}
	return resp, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// bounded fails once more than so many bytes have come.
type bounded struct {
	in   io.Reader
	left int
	x    *exchange
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.x.read.Add(int64(n))
	if b.left -= n; b.left < 0 {
		b.x.tooLong.Store(true)
		return 0, errTooLong
	}
	return n, err
}

// retryAfter is how long an endpoint asks to be left alone; 0 is not asked.
type retryAfter time.Duration

// parseRetryAfter reads the header, in seconds or as a date. A date counts
// from the answer's own, so that no clock of this machine is needed.
func parseRetryAfter(value, date string) retryAfter {
	value = strings.TrimSpace(value)
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if !(s > 0) {
			return 0
		}
		return retryAfter(min(s, maxTimeout.Seconds()) * float64(time.Second))
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(date)
	if err != nil {
		return 0
	}
	return retryAfter(min(max(until.Sub(now), 0), maxTimeout))
}
