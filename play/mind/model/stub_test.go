package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// canary is the key of every test: it must not come out anywhere.
const canary = "sk-canary-3f9a7c55e1"

// both runs a test over either protocol.
func both(t *testing.T, test func(t *testing.T, p Provider)) {
	for _, p := range []Provider{ProviderAnthropic, ProviderOpenAI} {
		t.Run(string(p), func(t *testing.T) { test(t, p) })
	}
}

// stub is an endpoint on the loopback that speaks both protocols and behaves
// as its script says, one step a request; the last step stays.
type stub struct {
	*httptest.Server
	provider Provider

	mu     sync.Mutex
	script []step
	bodies []string
	keys   []string
}

type step func(s *stub, w http.ResponseWriter, r *http.Request)

func newStub(t *testing.T, p Provider, script ...step) *stub {
	t.Helper()
	s := &stub{provider: p, script: script}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	s.keys = append(s.keys, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"))
	next := s.script[min(len(s.bodies), len(s.script))-1]
	s.mu.Unlock()
	next(s, w, r)
}

func (s *stub) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

func (s *stub) body(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[i]
}

// naps counts the waits between attempts instead of waiting.
type naps struct {
	mu  sync.Mutex
	all []time.Duration
}

func (n *naps) sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, d)
	return ctx.Err()
}

// mind returns a mind that asks the stub.
func (s *stub) mind(t *testing.T, change ...func(*Options)) *Mind {
	t.Helper()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(transport.CloseIdleConnections)
	o := Options{
		Settings:  Settings{Name: string(s.provider) + "/stub", BaseURL: s.URL},
		Key:       newKey(canary),
		Character: DefaultCharacter,
		Transport: transport,
		Sleep:     (&naps{}).sleep,
	}
	for _, c := range change {
		c(&o)
	}
	if o.Meter == nil {
		o.Meter = o.Settings.Meter()
	}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the stub says it used.
var stubUsage = Usage{Input: 100, CacheRead: 900, Output: 50}

// says answers with a text in small pieces, in order.
func says(text string) step {
	return func(s *stub, w http.ResponseWriter, _ *http.Request) {
		s.begin(w)
		s.pieces(w, text)
		s.end(w, "")
	}
}

// stops answers with a text and a reason of its own for the end.
func stops(text, reason string) step {
	return func(s *stub, w http.ResponseWriter, _ *http.Request) {
		s.begin(w)
		s.pieces(w, text)
		s.end(w, reason)
	}
}

// breaksOff sends the text and ends the stream without a word; cleanly or by
// tearing the connection.
func breaksOff(text string, torn bool) step {
	return func(s *stub, w http.ResponseWriter, _ *http.Request) {
		s.begin(w)
		s.pieces(w, text)
		if torn {
			panic(http.ErrAbortHandler)
		}
	}
}

// fails answers with a status, headers as pairs, and the key in the body, as
// some endpoints do.
func fails(status int, headers ...string) step {
	return func(s *stub, w http.ResponseWriter, r *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		fmt.Fprintf(w, `{"type":"error","error":{"type":"some_error","message":"no luck with %s\u001b[31m"}}`, key)
	}
}

// answers sends any bytes with status 200.
func answers(contentType, body string) step {
	return func(_ *stub, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// hangs answers nothing, or only the beginning, until the caller goes away.
func hangs(began bool) step {
	return func(s *stub, w http.ResponseWriter, r *http.Request) {
		if began {
			s.begin(w)
			s.pieces(w, `{"monologue":"hm`)
		}
		<-r.Context().Done()
	}
}

func event(w http.ResponseWriter, name string, data any) {
	b, _ := json.Marshal(data)
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", b)
	w.(http.Flusher).Flush()
}

type m map[string]any

func (s *stub) begin(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	if s.provider == ProviderAnthropic {
		event(w, "message_start", m{"type": "message_start", "message": m{
			"id": "msg_1", "type": "message", "role": "assistant", "content": []any{}, "model": "stub",
			"usage": m{"input_tokens": 100, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 0, "output_tokens": 1},
		}})
		event(w, "content_block_start", m{"type": "content_block_start", "index": 0, "content_block": m{"type": "text", "text": ""}})
		event(w, "ping", m{"type": "ping"})
		return
	}
	fmt.Fprint(w, ": keep-alive\n\n")
	s.chunk(w, m{"role": "assistant", "content": ""}, nil)
}

func (s *stub) chunk(w http.ResponseWriter, delta m, finish any) {
	event(w, "", m{
		"id": "c", "object": "chat.completion.chunk", "model": "stub",
		"choices": []any{m{"index": 0, "delta": delta, "finish_reason": finish}},
	})
}

func (s *stub) pieces(w http.ResponseWriter, text string) {
	size := max(len(text)/4, 1)
	for len(text) > 0 {
		n := min(size, len(text))
		for n < len(text) && text[n]&0xC0 == 0x80 {
			n++ // not through a character
		}
		if s.provider == ProviderAnthropic {
			event(w, "content_block_delta", m{
				"type": "content_block_delta", "index": 0, "delta": m{"type": "text_delta", "text": text[:n]},
			})
		} else {
			s.chunk(w, m{"content": text[:n]}, nil)
		}
		text = text[n:]
	}
}

// end ends a message in order; reason is the protocol's own word, "" the
// usual one.
func (s *stub) end(w http.ResponseWriter, reason string) {
	if s.provider == ProviderAnthropic {
		if reason == "" {
			reason = "end_turn"
		}
		event(w, "content_block_stop", m{"type": "content_block_stop", "index": 0})
		event(w, "message_delta", m{
			"type": "message_delta", "delta": m{"stop_reason": reason}, "usage": m{"output_tokens": 50},
		})
		event(w, "message_stop", m{"type": "message_stop"})
		return
	}
	if reason == "" {
		reason = "stop"
	}
	s.chunk(w, m{}, reason)
	event(w, "", m{
		"id": "c", "object": "chat.completion.chunk", "choices": []any{},
		"usage": m{"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050, "prompt_tokens_details": m{"cached_tokens": 900}},
	})
	fmt.Fprint(w, "data: [DONE]\n\n")
}
