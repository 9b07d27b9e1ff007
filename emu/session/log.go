package session

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// A record with a window of actions is a few hundred kilobytes, and an action
// changes one of them twice. So what an action changes is appended to a log
// beside the record: a line that is synced before the action goes on. The log
// names the bytes of the record that it continues. Whatever else changes, and a
// log that has become long, makes a new record, and the log counts for nothing.

const logSchema = 1

// smallLog is how long a log may become in any case. A record is written
// again once per log, so the log may be much longer than most records.
const smallLog = 1 << 20

// logHead is the first line of a log.
type logHead struct {
	SchemaVersion int        `json:"schemaVersion"`
	RecordSHA256  emu.Digest `json:"recordSha256"` // of the record's file
}

// logLine is every other line: what changed since the one before. The session
// id of a result is left empty; it is the record's.
type logLine struct {
	HeartbeatAt Instant      `json:"heartbeatAt"`
	ExpiresAt   Instant      `json:"expiresAt"`
	Actions     []actionFile `json:"actions,omitzero"` // as they stand now
	Dropped     []string     `json:"dropped,omitzero"` // by retention
}

// ledger is what the disk has of one session.
type ledger struct {
	record emu.Digest // of the record's file; "" when it must be written next
	length int        // of that file
	state  headState
	size   int  // of the log that continues the record; 0 when there is none
	log    file // open for appending, or nil
}

// takes reports whether a line of the log can say all that changed.
func (l *ledger) takes(r *record, smallLog int) bool {
	return l.record != "" && l.state == r.state() && l.size < max(smallLog, 2*l.length)
}

// shut closes the log. What it has is on the disk already.
func (l *ledger) shut() {
	if l.log != nil {
		_ = l.log.Close()
		l.log = nil
	}
}

// headState is what changes of a record's head while a session lasts, but for
// the times of its lease.
type headState struct {
	phase   Phase
	adapter optional[string]
	revoked optional[Instant]
	lapse   optional[Lapse]
}

type optional[T comparable] struct {
	set   bool
	value T
}

func optionally[T comparable](p *T) (o optional[T]) {
	if p != nil {
		o = optional[T]{set: true, value: *p}
	}
	return o
}

func (h *recordHead) state() headState {
	return headState{
		phase: h.Phase, adapter: optionally(h.AdapterSessionID),
		revoked: optionally(h.RevokedAt), lapse: optionally(h.LeaseLapse),
	}
}

// logName is the name of the log beside a record.
func logName(recordName string) string { return strings.TrimSuffix(recordName, ".json") + ".log" }

// extend puts what changed at the end of the log.
func (s *store) extend(l *ledger, r *record) error {
	line, err := r.line()
	if err != nil {
		return err
	}
	name := logName(fileName(r.Spec.SessionID))
	if l.size == 0 {
		return s.beginLog(l, name, line)
	}
	if l.log == nil {
		if l.log, err = s.fs.Append(filepath.Join(s.folder, name)); err != nil {
			return err
		}
	}
	l.size += len(line)
	return putSynced(l.log, line)
}

// beginLog makes a log with its first line, in the place of one that counts
// for nothing.
func (s *store) beginLog(l *ledger, name string, line []byte) error {
	head, err := json.Marshal(logHead{SchemaVersion: logSchema, RecordSHA256: l.record})
	if err != nil {
		return err
	}
	data := append(append(head, '\n'), line...)
	l.size = len(data)
	return replace(s.fs, s.folder, name, s.temporary(name), data)
}

// line says what changed since the record was written last.
func (r *record) line() ([]byte, error) {
	l := logLine{HeartbeatAt: r.Lease.HeartbeatAt, ExpiresAt: r.Lease.ExpiresAt, Dropped: r.actions.dropped}
	for _, a := range r.actions.order {
		if !a.settled {
			f := a.actionFile
			f.Result.SessionID = ""
			l.Actions = append(l.Actions, f)
		}
	}
	data, err := json.Marshal(l)
	return append(data, '\n'), err
}

// replay takes in the log of the record whose file has the digest of. It is as
// strict as reading the record, but for a last line that was not written whole:
// nothing was done on the strength of it.
func (r *record) replay(of emu.Digest, log []byte) error {
	first, rest, _ := bytes.Cut(log, []byte("\n"))
	var head logHead
	if err := emu.UnmarshalWhole(first, &head); err != nil {
		return err
	}
	if head.SchemaVersion != logSchema {
		return fmt.Errorf("schemaVersion: %d is not supported", head.SchemaVersion)
	}
	if head.RecordSHA256 != of {
		return nil // the record was written again since, and the program killed
	}
	for n := 2; len(rest) > 0; n++ {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if torn := !whole || len(after) == 0 && bytes.IndexByte(line, 0) >= 0; torn {
			break
		}
		if err := r.readLine(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		rest = after
	}
	return r.Lease.validate(r.Spec)
}

func (r *record) readLine(data []byte) error {
	var l logLine
	if err := emu.UnmarshalStrict(data, &l); err != nil {
		return err
	}
	r.Lease.HeartbeatAt, r.Lease.ExpiresAt = l.HeartbeatAt, l.ExpiresAt
	for _, f := range l.Actions {
		if f.Result.SessionID != "" {
			return fmt.Errorf("result.sessionId: must be empty")
		}
		f.Result.SessionID = r.Spec.SessionID
		if err := f.validate(f.Result.ActionID, r.Spec.SessionID); err != nil {
			return err
		}
		r.actions.put(f)
	}
	for _, id := range l.Dropped {
		if r.actions.byID[id] == nil {
			return fmt.Errorf("dropped: there is no action %q", id)
		}
		r.actions.drop(id)
		r.rolled++
	}
	return nil
}
