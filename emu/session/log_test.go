package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func (g *rig) log() string { return logName(g.file()) }

// files are the actions as a record keeps them, in order, without the blanks
// that a record lays them out with.
func (r *record) files() (out []actionFile) {
	for _, a := range r.actions.order {
		f := a.actionFile
		f.Result.Outcome = f.Result.Outcome.Clone()
		_ = f.Result.Outcome.Compact() // none is empty
		out = append(out, f)
	}
	return out
}

// agrees fails when the disk does not say what memory says.
func (g *rig) agrees() {
	g.t.Helper()
	s, err := g.find("session")
	check(g.t, err)
	on := g.onDisk()
	if diff := cmp.Diff(s.record.files(), on.files()); diff != "" || on.rolled != s.rolled || on.state() != s.state() || on.Lease.ExpiresAt != s.savedExpiry {
		g.t.Fatalf("rolled %d and %d, lease %s and %s\n%s", s.rolled, on.rolled, s.savedExpiry, on.Lease.ExpiresAt, diff)
	}
}

func TestRecordAndLogSayWhatMemorySays(t *testing.T) {
	for name, smallLog := range map[string]int{"one log": smallLog, "many logs": 0} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, newFakeBody(), func(_ *rig, o *Options, _ *Bounds, _ *StartRequest) {
				o.Retention.MaxActionRecords = 7
			})
			g.store.smallLog = smallLog
			for i := range 60 {
				g.body.refusal, g.body.outcome = nil, map[string]any{"lines": []string{"one\ntwo", "\u2028 é \x00"}}
				switch i % 7 {
				case 2:
					g.body.refusal = &emu.Error{Code: emu.CodeNoPath, Message: "no way", Detail: "nearest is (7, 8)"}
				case 3:
					check(t, g.Heartbeat(g.token, "session"))
				case 5:
					check(t, g.Pause(g.token, "session", "p"))
					g.agrees()
					check(t, g.Resume(g.token, "session"))
				}
				g.do(fmt.Sprint("a", i), emu.Advance(i+1))
				g.agrees()
			}
			if on := g.onDisk(); on.rolled != 53 || len(on.actions.order) != 7 {
				t.Fatalf("%d rolled, %d left", on.rolled, len(on.actions.order))
			}
		})
	}
}

// logged is a session with a record of no action and a log of three.
func logged(t *testing.T) (g *rig, record, log []byte) {
	t.Helper()
	g = newRig(t, newFakeBody())
	for i := range 3 {
		g.do(fmt.Sprint("a", i), emu.Advance(i+1))
	}
	record, err := os.ReadFile(g.file())
	check(t, err)
	log, err = os.ReadFile(g.log())
	check(t, err)
	if n := bytes.Count(log, []byte("\n")); n != 7 || bytes.Contains(record, []byte("a0")) {
		t.Fatalf("a log of %d lines:\n%s", n, log)
	}
	return g, record, log
}

// A log has one line for each step, whatever the layout of what it repeats.
func TestLogLineIsOneLine(t *testing.T) {
	r, err := decodeRecord([]byte(strings.ReplaceAll(legacyRecord, `{"dug": 3}`, "{\n  \"dug\": [\n 3,\r\n \"a\\nb\"]}")))
	check(t, err)
	line, err := r.line()
	if err != nil || bytes.IndexByte(line, '\n') != len(line)-1 || bytes.IndexByte(line, 0) >= 0 || !bytes.Contains(line, []byte(`"another":true`)) {
		t.Fatalf("%v\n%s", err, line)
	}
}

func TestLogTornAnywhereIsReadUpToThere(t *testing.T) {
	_, record, log := logged(t)
	first := bytes.IndexByte(log, '\n') + 1
	for n := first; n <= len(log); n++ {
		border := bytes.IndexByte(log[n-1:min(n+1, len(log))], '\n') >= 0
		if !border && n%13 != 0 {
			continue // within a line one place is like the next
		}
		for _, rest := range []string{"", "\x00\x00\x00", "\x00\x00\n"} {
			r, err := decodeRecord(record)
			check(t, err)
			torn := append(bytes.Clone(log[:n]), rest...)
			if err := r.replay(emu.DigestOf(record), torn); err != nil {
				t.Fatalf("torn at %d with %q: %v", n, rest, err)
			}
			// Two lines are one action: registered, and ended.
			whole := bytes.Count(log[first:n], []byte("\n"))
			ended := 0
			for _, a := range r.actions.order {
				if a.Result.Status == StatusCompleted {
					ended++
				}
			}
			if len(r.actions.order) != (whole+1)/2 || ended != whole/2 {
				t.Fatalf("torn at %d, after %d lines: %d registered, %d ended", n, whole, len(r.actions.order), ended)
			}
		}
	}
}

func TestUnreadableLogKeepsTheProgramFromStarting(t *testing.T) {
	g, _, log := logged(t)
	check(t, g.Close())
	good := string(log)
	for name, bad := range map[string]string{
		"empty":          "",
		"no head":        good[strings.Index(good, "\n")+1:],
		"newer":          strings.Replace(good, `"schemaVersion":1`, `"schemaVersion":2`, 1),
		"a line is gone": strings.Replace(good, `"actionId":"a1"`, "\x00\x00\x00", 1),
		"unknown member": strings.Replace(good, `"expiresAt"`, `"more":1,"expiresAt"`, 1),
		"unknown status": strings.Replace(good, `"completed"`, `"walking"`, 1),
		"a session's id": strings.Replace(good, `"sessionId":""`, `"sessionId":"session"`, 1),
		"drops a ghost":  good + `{"heartbeatAt":"2026-07-19T12:00:00.000Z","expiresAt":"2026-07-19T12:01:00.000Z","dropped":["ghost"]}` + "\n",
		"never expires":  good + `{"heartbeatAt":"2026-07-19T12:00:00.000Z","expiresAt":"2026-07-19T11:00:00.000Z"}` + "\n",
		"no line":        good + "{}}\n",
	} {
		if bad == good {
			t.Fatalf("%s changes nothing", name)
		}
		check(t, os.WriteFile(g.log(), []byte(bad), 0o600))
		_, err := Open(Options{Root: g.root, Adapter: &remote{}, Clock: newClock(), Random: &countingRandom{}})
		if !errors.Is(err, ErrCorruptRecord) || !strings.Contains(err.Error(), "its log") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLogOfAnotherRecordCountsForNothing(t *testing.T) {
	g, record, log := logged(t)
	check(t, g.Pause(g.token, "session", "it is written whole"))
	if _, err := os.Stat(g.log()); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the log of the record before is still there: %v", err)
	}
	check(t, os.WriteFile(g.log(), log, 0o600)) // as when a program was killed before it went
	g.agrees()
	check(t, g.Resume(g.token, "session"))
	g.do("a9", emu.Advance(1))
	g.agrees()
	check(t, os.WriteFile(g.file(), record, 0o600))
	if n := len(g.onDisk().actions.order); n != 0 {
		t.Errorf("%d actions", n)
	}
}

func TestLogsGoWithTheirRecords(t *testing.T) {
	g, _, log := logged(t)
	lonely := filepath.Join(g.root, recordFolder, logName(fileName("gone")))
	check(t, os.WriteFile(lonely, log, 0o600))
	check(t, os.WriteFile(filepath.Join(g.root, recordFolder, "notes.log"), log, 0o600))
	check(t, g.Close())
	next, err := Open(Options{Root: g.root, Adapter: &remote{}, Clock: newClock(), Random: &countingRandom{}})
	check(t, err)
	defer next.Close()
	check(t, next.store.remove("session"))
	left, err := os.ReadDir(filepath.Join(g.root, recordFolder))
	check(t, err)
	if len(left) != 2 || left[0].Name() != lockName || left[1].Name() != "notes.log" {
		t.Errorf("left %v", left)
	}
}

// measuring counts what would reach the disk.
type measuring struct {
	noDisk
	bytes, syncs int
}

type measuredFile struct {
	file
	m *measuring
}

func (m *measuring) Create(name string) (file, error) {
	f, err := m.noDisk.Create(name)
	return measuredFile{f, m}, err
}

func (m *measuring) Append(name string) (file, error) {
	f, err := m.noDisk.Append(name)
	return measuredFile{f, m}, err
}

func (m *measuring) SyncFolder(name string) error {
	m.syncs++
	return m.noDisk.SyncFolder(name)
}

func (f measuredFile) Write(p []byte) (int, error) {
	f.m.bytes += len(p)
	return f.file.Write(p)
}

func (f measuredFile) Sync() error {
	f.m.syncs++
	return f.file.Sync()
}

// walked is an outcome of the usual size: a walk, with all that lies around.
func walked() map[string]any {
	at := emu.Position{MapID: "firered-map-3-19", X: 107, Y: 108}
	three, metatile := 3, 1023
	tile := emu.Tile{X: 107, Y: 108, Passable: true, Elevation: &three, MetatileID: &metatile}
	return map[string]any{
		"target": emu.Point{X: 107, Y: 108}, "plannedSteps": 12, "steps": 12, "arrived": true, "blockedAt": nil, "warped": false,
		"frame": 1234567, "mode": emu.ModeOverworld, "inputReady": true, "position": at, "facing": "north",
		"surroundings":   emu.Surroundings{North: tile, East: tile, South: tile, West: tile, Ahead: tile},
		"dialogLines":    []string{"The trees here are taller than a", "grown person, and just as quiet."},
		"ramStateSha256": emu.DigestOf(nil),
	}
}

// TestWritesPerAction plays as long as it takes for whole records to count.
func TestWritesPerAction(t *testing.T) {
	const acts = 2000
	body := newFakeBody()
	body.outcome = walked()
	b, _, _ := governing(t, body)
	defer b.Close()
	m := &measuring{}
	b.runtime.store.fs = m
	for i := range acts {
		r, err := b.Act(t.Context(), fmt.Sprint("free-play-action-", i), emu.Advance(1), emu.FreePlayLimits)
		if err != nil || r.Status != emu.StatusCompleted {
			t.Fatal(r, err)
		}
	}
	if perAct := m.bytes / acts; perAct > 2<<10 {
		t.Errorf("%d bytes are written per action", perAct)
	}
	if m.syncs > acts*2+100 {
		t.Errorf("%d syncs for %d actions", m.syncs, acts)
	}
	t.Logf("%d bytes and %.2f syncs per action", m.bytes/acts, float64(m.syncs)/acts)
}

func FuzzLog(f *testing.F) {
	record := []byte(legacyRecord)
	head := `{"schemaVersion":1,"recordSha256":"` + string(emu.DigestOf(record)) + "\"}\n"
	line := `{"heartbeatAt":"2025-01-01T00:00:01Z","expiresAt":"2025-01-01T00:00:31Z","actions":[{"result":{"schemaVersion":1,"actionId":"a2",` +
		`"sessionId":"","updatedAt":"2025-01-01T00:00:01Z","status":"queued","acceptedGoalVersion":2},"deadlineAt":"2025-01-01T00:00:02Z"}],"dropped":["a1"]}` + "\n"
	r, err := decodeRecord(record)
	check(f, err)
	check(f, r.replay(emu.DigestOf(record), []byte(head+line)))
	f.Add(line)
	f.Add("{}\n\x00")
	f.Fuzz(func(t *testing.T, lines string) {
		r, err := decodeRecord(record)
		check(t, err)
		if r.replay(emu.DigestOf(record), []byte(head+lines)) != nil {
			return
		}
		written, err := r.encode(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeRecord(written); err != nil {
			t.Fatalf("what was read is not written well: %v\n%s", err, written)
		}
	})
}
