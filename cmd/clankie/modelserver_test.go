package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// endpoint answers like a model that speaks the OpenAI protocol and behaves in
// one way, over and over.
type endpoint struct {
	behave func(e *endpoint, w http.ResponseWriter, r *http.Request)
	asked  atomic.Int32
	began  chan struct{} // closed with the first request
	once   sync.Once
}

func newEndpoint(behaviour string) (*endpoint, error) {
	behave, ok := behaviours[behaviour]
	if !ok {
		return nil, fmt.Errorf("no endpoint behaves like %q", behaviour)
	}
	return &endpoint{behave: behave, began: make(chan struct{})}, nil
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // before it is read to its end nobody sees a caller go away
	e.asked.Add(1)
	e.once.Do(func() { close(e.began) })
	e.behave(e, w, r)
}

var behaviours = map[string]func(e *endpoint, w http.ResponseWriter, r *http.Request){
	// It waits, never twice the same, and says what that cost: 1,050 tokens.
	"waits": func(e *endpoint, w http.ResponseWriter, _ *http.Request) {
		stream(w, fmt.Sprintf(`{"monologue":"I wait.","intent":"wait","actionKind":"frame_advance","frames":%d}`, 1+e.asked.Load()%7))
	},
	"babbles": func(_ *endpoint, w http.ResponseWriter, _ *http.Request) { stream(w, "I would rather not.") },
	"hangs":   func(_ *endpoint, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"refuses": func(_ *endpoint, w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"%s is not a key"}}`, keyOf(r))
	},
	// It repeats the key wherever it can, once in an answer that is none.
	"repeats": func(e *endpoint, w http.ResponseWriter, r *http.Request) {
		key := keyOf(r)
		if e.asked.Load() == 2 {
			stream(w, `{"actionKind":"`+key+`"}`)
			return
		}
		stream(w, `{"monologue":"My key is `+key+`.","intent":"say `+key+`","notes":"`+key+`","objective":"`+key+
			`","speak":"`+key+`","reply":"`+key+`","actionKind":"frame_advance","frames":2}`)
	},
}

func keyOf(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// stream sends a text as one reply, and what it cost.
func stream(w http.ResponseWriter, text string) {
	delta, _ := json.Marshal(text)
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\n", delta)
	fmt.Fprint(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":50,\"total_tokens\":1050}}\n\ndata: [DONE]\n\n")
}

// configFor is a configuration that names an endpoint.
func configFor(url, more string) string {
	return "[model]\nname = \"openai/stub\"\nbase_url = \"" + url + "\"\n" + more
}

// modelServer starts an endpoint and configures it: modelserver BEHAVIOUR
// [FILE], where the file holds what more is to stand in the table [model].
func modelServer(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: modelserver BEHAVIOUR [FILE]")
	}
	e, err := newEndpoint(args[0])
	ts.Check(err)
	server := httptest.NewServer(e)
	ts.Defer(server.Close)
	more := ""
	if len(args) == 2 {
		more = ts.ReadFile(args[1])
	}
	dir := filepath.Join(ts.Getenv("HOME"), ".config", "clankie")
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.WriteFile(filepath.Join(dir, "config.toml"), []byte(configFor(server.URL, more)), 0o600))
}
