package scenario

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"clankie/emu"
	"clankie/emu/session"
)

// inbox collects a session's events. The last ones come from goroutines of the
// session, a moment after it was closed.
type inbox struct {
	mu      sync.Mutex
	list    []session.Event
	stopped chan struct{}
}

func newInbox() *inbox { return &inbox{stopped: make(chan struct{})} }

func (b *inbox) put(e session.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, e)
	if e.Type == session.EventSessionStopped {
		close(b.stopped)
	}
}

// eventPatience only bounds a run whose session never says that it ended.
const eventPatience = 10 * time.Second

// all returns every event of a session that was closed.
func (b *inbox) all() ([]session.Event, error) {
	select {
	case <-b.stopped:
	case <-time.After(eventPatience):
		return nil, fmt.Errorf("scenario: the session did not say that it ended")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.list), nil
}

// goalEvent tells whether the run reached what it was for.
func (p Plan) goalEvent(r Report) session.Event {
	h := p.pins()
	e := session.Event{
		SchemaVersion: 1, Plane: "semantic", ID: "gba-emulator:" + r.RunID, Type: session.EventGoalVerified,
		OccurredAt: session.At(epoch.Add(goalAfter)), CorrelationID: "gba-emulator:" + h.ScenarioID, SessionID: p.SessionID(),
		Data: session.EventData{GoalID: h.goal, Summary: fmt.Sprintf("%s: %s", r.Result, r.Halt)},
	}
	if r.Result != Passed {
		e.Type = session.EventGoalFailed
	}
	return e
}

// witness remembers what it lets through, so that the tokens made of it can be
// looked for where they must not be.
type witness struct {
	from io.Reader
	seen [][]byte
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	w.seen = append(w.seen, bytes.Clone(p[:n]))
	return n, err
}

// leaks names the first file in which a secret shows, in any of the forms it
// could have been written in.
func leaks(secrets [][]byte, files []File) error {
	for _, s := range secrets {
		forms := [][]byte{
			s, []byte(hex.EncodeToString(s)), []byte(base64.RawURLEncoding.EncodeToString(s)), []byte(base64.RawStdEncoding.EncodeToString(s)),
		}
		for _, f := range files {
			if slices.ContainsFunc(forms, func(form []byte) bool { return bytes.Contains(f.Data, form) }) {
				return fmt.Errorf("scenario: %s tells the session's token", emu.Clean(f.Name))
			}
		}
	}
	return nil
}
