package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"clankie/emu"
)

// memorySink is a file in memory whose operations can be made to fail.
type memorySink struct {
	mu       sync.Mutex // syncs come from a timer too
	data     []byte
	writes   int
	syncs    int
	synced   int // bytes that a crash would leave
	writeErr error
	leave    int // bytes that a failing write leaves behind
	syncErr  error
	cutErr   error
}

func (m *memorySink) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes++
	if m.writeErr != nil {
		n := min(m.leave, len(b))
		m.data = append(m.data, b[:n]...)
		return n, m.writeErr
	}
	m.data = append(m.data, b...)
	return len(b), nil
}

func (m *memorySink) Sync() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.syncErr != nil {
		return m.syncErr
	}
	m.syncs++
	m.synced = len(m.data)
	return nil
}

func (m *memorySink) Truncate(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cutErr == nil {
		m.data = m.data[:size]
	}
	return m.cutErr
}

func (m *memorySink) Close() error { return nil }

// state is how many syncs there were and how many bytes wait for one.
func (m *memorySink) state() (syncs, waiting int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.syncs, len(m.data) - m.synced
}

// turns are the numbers of the turns that a tolerant read finds, and how
// many gaps.
func (m *memorySink) turns(t *testing.T) (turns []int, gaps int) {
	t.Helper()
	for record, err := range Scan(strings.NewReader(string(m.data))) {
		switch {
		case err != nil:
			t.Fatal(err)
		case record.Gap != nil:
			gaps++
		case record.Turn != nil:
			turns = append(turns, record.Turn.Turn.Turn)
		}
	}
	return turns, gaps
}

func wantTurns(t *testing.T, m *memorySink, gaps int, want ...int) {
	t.Helper()
	got, gotGaps := m.turns(t)
	if len(got) != len(want) || gotGaps != gaps {
		t.Fatalf("turns %v with %d gaps, want %v with %d", got, gotGaps, want, gaps)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("turns %v, want %v", got, want)
		}
	}
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if got := emu.CodeOf(err); got != code {
		t.Errorf("error %v has code %q, want %q", err, got, code)
	}
}

func TestEachLineIsOneWriteAndOneSync(t *testing.T) {
	m := &memorySink{}
	w := newWriter("", m)
	for n := range 3 {
		if err := w.Turn(testTurn(n)); err != nil {
			t.Fatal(err)
		}
		if m.writes != n+1 || m.syncs != n+1 || m.synced != len(m.data) {
			t.Errorf("after %d turns: %d writes, %d syncs, %d of %d bytes synced", n+1, m.writes, m.syncs, m.synced, len(m.data))
		}
	}
}

func TestOutageIsToldOnceAndPlayGoesOn(t *testing.T) {
	m := &memorySink{}
	w := newWriter("", m)
	if err := w.Turn(testTurn(0)); err != nil {
		t.Fatal(err)
	}
	m.writeErr, m.leave = syscall.ENOSPC, 100
	err := w.Turn(testTurn(1))
	wantCode(t, err, CodeWriteFailed)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("the text does not say why: %v", err)
	}
	for n := 2; n < 5; n++ {
		if err := w.Turn(testTurn(n)); err != nil {
			t.Errorf("the outage is told again: %v", err)
		}
	}
	m.writeErr = nil
	if err := w.Turn(testTurn(5)); err != nil {
		t.Error(err)
	}
	wantTurns(t, m, 0, 0, 5) // what the failed writes left was cut off
	m.writeErr = syscall.EIO
	wantCode(t, w.Turn(testTurn(6)), CodeWriteFailed) // a new outage
}

func TestHalfALineDoesNotSwallowTheNext(t *testing.T) {
	m := &memorySink{}
	w := newWriter("", m)
	if err := w.Turn(testTurn(0)); err != nil {
		t.Fatal(err)
	}
	m.writeErr, m.leave, m.cutErr = syscall.ENOSPC, 100, syscall.EIO
	wantCode(t, w.Turn(testTurn(1)), CodeWriteFailed)
	m.writeErr = nil
	if err := w.Turn(testTurn(2)); err != nil {
		t.Fatal(err)
	}
	wantTurns(t, m, 1, 0, 2)
	// Nothing may be cut off any more: the good lines' length is not known.
	m.writeErr, m.cutErr = syscall.ENOSPC, nil
	wantCode(t, w.Turn(testTurn(3)), CodeWriteFailed)
	m.writeErr = nil
	if err := w.Turn(testTurn(4)); err != nil {
		t.Fatal(err)
	}
	wantTurns(t, m, 2, 0, 2, 4)
}

func TestFailedSyncIsTold(t *testing.T) {
	m := &memorySink{syncErr: syscall.EIO}
	w := newWriter("", m)
	wantCode(t, w.Turn(testTurn(0)), CodeWriteFailed)
	m.syncErr = nil
	if err := w.Turn(testTurn(1)); err != nil {
		t.Error(err)
	}
	wantTurns(t, m, 0, 0, 1)
}

func TestGroupCommitWaitsAtMostASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memorySink{}
		w := newWriter("", m)
		// Time in here is the bubble's, not the wall's.
		check := func(when string, wantSyncs int, wantWaiting bool, err error) {
			t.Helper()
			synctest.Wait()
			syncs, waiting := m.state()
			if syncs != wantSyncs || (waiting > 0) != wantWaiting || err != nil {
				t.Errorf("%s: %d syncs, %d bytes wait, %v", when, syncs, waiting, err)
			}
		}
		check("group commit on", 0, false, w.SetGroupCommit(GroupCommit))
		for n := range 50 {
			if err := w.Turn(testTurn(n)); err != nil {
				t.Fatal(err)
			}
		}
		check("at once", 0, true, nil)
		time.Sleep(GroupCommit)
		check("after a second", 1, false, nil)
		time.Sleep(10 * GroupCommit)
		check("when nothing was written", 1, false, nil)
		check("one more", 1, true, w.Turn(testTurn(50)))
		check("flushed", 2, false, w.Flush())
		check("yet another", 2, true, w.Turn(testTurn(51)))
		check("group commit off", 3, false, w.SetGroupCommit(0))
		check("closed", 3, false, w.Close())
	})
}

func TestCloseSyncsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memorySink{}
		w := newWriter("", m)
		w.SetGroupCommit(GroupCommit)
		if err := w.Turn(testTurn(0)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || m.synced != len(m.data) {
			t.Errorf("%d of %d bytes, %v", m.synced, len(m.data), err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
		wantCode(t, w.Turn(testTurn(1)), CodeWriteFailed)
	})
}

func TestFailedGroupSyncIsToldByTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memorySink{syncErr: syscall.EIO}
		w := newWriter("", m)
		w.SetGroupCommit(GroupCommit)
		if err := w.Turn(testTurn(0)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(GroupCommit)
		synctest.Wait()
		wantCode(t, w.Turn(testTurn(1)), CodeWriteFailed)
		m.syncErr = nil
		if err := w.Close(); err != nil || m.synced != len(m.data) {
			t.Errorf("%d of %d bytes, %v", m.synced, len(m.data), err)
		}
	})
}

func TestCreateNeverTouchesAnExistingFile(t *testing.T) {
	w := create(t)
	if err := w.Turn(testTurn(0)); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(w.Path())
	if err != nil {
		t.Fatal(err)
	}
	_, err = Create(filepath.Dir(w.Path()), testHeader())
	wantCode(t, err, CodeWriteFailed)
	after, err := os.ReadFile(w.Path())
	if err != nil || string(after) != string(before) {
		t.Errorf("the file changed: %v", err)
	}
}

func TestNamesHoldNoPaths(t *testing.T) {
	for runID, want := range map[string]string{
		"a b/../c":               "2026-08-19T12-00-00-000Z-a-b----c.jsonl",
		"\x00é":                  "2026-08-19T12-00-00-000Z---.jsonl",
		strings.Repeat("r", 200): "2026-08-19T12-00-00-000Z-" + strings.Repeat("r", 120) + ".jsonl",
	} {
		if got := FileName(testMoment, runID); got != want {
			t.Errorf("%q is called %s, want %s", runID, got, want)
		}
	}
}

func TestNilWriterRecordsNothing(t *testing.T) {
	var w *Writer
	err := errors.Join(w.Turn(testTurn(0)), w.Summary(Summary{}), w.SetGroupCommit(GroupCommit), w.Flush(), w.Close())
	if err != nil || w.Path() != "" {
		t.Errorf("path %q, %v", w.Path(), err)
	}
}

func TestWriterIsSafeForManyGoroutines(t *testing.T) {
	w := create(t)
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for range 5 {
				if err := w.Turn(testTurn(n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	contents, err := ReadStrict(w.Path())
	if err != nil || len(contents.Turns) != 40 {
		t.Errorf("%d turns, %v", len(contents.Turns), err)
	}
}
