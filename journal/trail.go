package journal

import (
	"bytes"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
)

// A trail is a file of JSON lines that another program keeps: what became of
// sessions, and of what was said aloud. Nobody promises that it is whole, so
// a bad line is passed over.

// eachEntry hands the entries of the trail at path to use. Only lines in which
// marker stands are read.
func eachEntry(path, marker string, use func(entry)) error {
	file, err := os.Open(path)
	if err != nil {
		return readFailure(path, err)
	}
	defer file.Close()
	for line, err := range rawLines(file) {
		if err != nil {
			return readFailure(path, err)
		}
		if line.length > maxReadBytes || !bytes.Contains(line.data, []byte(marker)) {
			continue
		}
		var e entry
		if json.Unmarshal(line.text(), &e, halfCharacters) == nil {
			use(e)
		}
	}
	return nil
}

// entry is one line of a trail. What it says stands in it or one level below.
type entry map[string]any

func (e entry) typ() string { s, _ := e["type"].(string); return s }

// text is the first text under one of names.
func (e entry) text(names ...string) string {
	for _, object := range e.objects() {
		for _, name := range names {
			if s, ok := object[name].(string); ok && s != "" {
				return s
			}
		}
	}
	return ""
}

// denies reports whether one of names is there and false.
func (e entry) denies(names ...string) bool {
	for _, object := range e.objects() {
		for _, name := range names {
			if b, ok := object[name].(bool); ok && !b {
				return true
			}
		}
	}
	return false
}

// objects are the entry and what it wraps.
func (e entry) objects() []map[string]any {
	objects := []map[string]any{e}
	for _, name := range []string{"data", "detail", "details", "payload"} {
		if inner, ok := e[name].(map[string]any); ok {
			objects = append(objects, inner)
		}
	}
	return objects
}

// lifecycle is how a session ended according to the events.
type lifecycle struct {
	event string // the whole type; "" when no event tells
	at    string
}

const sessionEvents = "embodiment.session."

// failed reports whether the session failed.
func (l lifecycle) failed() bool { return strings.HasSuffix(l.event, ".failed") }

// outcome is what happened to the session, in one word.
func (l lifecycle) outcome() string { return strings.TrimPrefix(l.event, sessionEvents) }

// readLifecycle finds the last end of the run's session in the trail at path.
func readLifecycle(path, runID string) (lifecycle, error) {
	var last lifecycle
	err := eachEntry(path, sessionEvents, func(e entry) {
		switch e.typ() {
		case sessionEvents + "stopped", sessionEvents + "failed":
			if e.text("sessionId") == runID {
				last = lifecycle{e.typ(), e.text("at", "occurredAt", "timestamp", "time")}
			}
		}
	})
	return last, err
}
