package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

var (
	someDigest  = emu.DigestOf([]byte("some"))
	otherDigest = emu.DigestOf([]byte("other"))
)

func tapeHeader() TapeHeader {
	return TapeHeader{
		Kind: TapeKindHeader, SchemaVersion: TapeSchema, RunID: "run-1", ScenarioID: "bramble-bedroom",
		EnvironmentID: "bramble-lane", StartedAt: "2026-01-01T00:00:00.000Z",
		BootSHA256: someDigest, RecipeSHA256: otherDigest,
		Identity: emu.CoreIdentity{
			CoreID: "core/1", ModuleSHA256: someDigest, Equivalents: []emu.Digest{someDigest},
			ROMSHA256: otherDigest, GameCode: "BPRE", Title: "GAME",
		},
		GroupCommitMS: 1000,
	}
}

// tapeLines is a tape with every kind of line, as it reads back.
func tapeLines() []TapeLine {
	h, turn := tapeHeader(), 0
	return []TapeLine{
		{Header: &h},
		{Load: &TapeLoad{Kind: TapeKindLoad, Source: TapeFromBoot, StateSHA256: someDigest}},
		{Run: &TapeRun{Kind: TapeKindRun, Keys: emu.KeyA | emu.KeyUp, Frames: 16}},
		{Run: &TapeRun{Kind: TapeKindRun, Frames: MaxTapeSpan}},
		{Mark: &TapeMark{Kind: TapeKindDigest, Frame: 3616, RAMSHA256: someDigest, PictureSHA256: &otherDigest}},
		{Mark: &TapeMark{Kind: TapeKindBorder, Turn: &turn, Frame: 3616, RAMSHA256: someDigest}},
		{Save: &TapeSave{Kind: TapeKindSave, StateSHA256: otherDigest}},
		{Steer: &TapeSteer{Kind: TapeKindSteer, Command: "load", Text: "went back to save-1"}},
		{Load: &TapeLoad{Kind: TapeKindLoad, Source: TapeFromCheckpoint, Name: "save-1", StateSHA256: otherDigest}},
		{Mark: &TapeMark{Kind: TapeKindEnd, Frame: 3616, RAMSHA256: someDigest}},
	}
}

// writeTape returns the bytes of a tape.
func writeTape(t testing.TB, lines []TapeLine) []byte {
	t.Helper()
	var sink memorySink
	w := newTapeWriter("tape", &sink)
	for _, line := range lines {
		if err := w.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sink.data
}

// readTape reads a tape up to its end or the first error.
func readTape(data []byte) (lines []TapeLine, err error) {
	lines = []TapeLine{}
	for line, err := range ScanTape(bytes.NewReader(data)) {
		if err != nil {
			return lines, err
		}
		line.Offset, line.Number = 0, 0
		lines = append(lines, line)
	}
	return lines, nil
}

func TestTapeReadsBackAsWritten(t *testing.T) {
	got, err := readTape(writeTape(t, tapeLines()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tapeLines(), got); diff != "" {
		t.Error(diff)
	}
}

// TestTapeTornAnywhere cuts a tape at every byte: what a crash leaves reads
// up to its last whole line.
func TestTapeTornAnywhere(t *testing.T) {
	whole := writeTape(t, tapeLines())
	for cut := range whole {
		lines, err := readTape(whole[:cut])
		feeds := bytes.Count(whole[:cut], []byte{'\n'})
		if feeds == 0 {
			if emu.CodeOf(err) != CodeNotATape {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		torn := whole[cut-1] != '\n'
		if torn != (lines[len(lines)-1].Torn != nil) {
			t.Fatalf("cut at %d: torn is not told", cut)
		}
		if torn {
			lines = lines[:len(lines)-1]
		}
		if diff := cmp.Diff(tapeLines()[:feeds], lines); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
	}
}

// TestTapeChangedByte changes every byte in three ways. None may pass, and
// the lines before it must still be delivered as they were.
func TestTapeChangedByte(t *testing.T) {
	whole := writeTape(t, tapeLines())
	for at := range whole {
		for _, to := range []byte{whole[at] ^ 1, '\n', 0} {
			if to == whole[at] {
				continue
			}
			changed := bytes.Clone(whole)
			changed[at] = to
			lines, err := readTape(changed)
			want := CodeTapeDamaged
			good := bytes.Count(whole[:at], []byte{'\n'})
			if good == 0 {
				want = CodeNotATape
			}
			if emu.CodeOf(err) != want {
				t.Fatalf("byte %d (%q) as %q: %v", at, whole[at], to, err)
			}
			if diff := cmp.Diff(tapeLines()[:good], lines); diff != "" {
				t.Fatalf("byte %d (%q) as %q: %s", at, whole[at], to, diff)
			}
		}
	}
}

// TestTapeLinesMoved takes whole lines out, twice and from elsewhere.
func TestTapeLinesMoved(t *testing.T) {
	lines := bytes.SplitAfter(writeTape(t, tapeLines()), []byte{'\n'})
	other := tapeLines()
	other[0].Header.RunID = "run-2"
	foreign := bytes.SplitAfter(writeTape(t, other), []byte{'\n'})
	for name, order := range map[string][][]byte{
		"a line is missing":       {lines[0], lines[1], lines[3]},
		"a line stands twice":     {lines[0], lines[1], lines[1]},
		"two lines are swapped":   {lines[0], lines[2], lines[1]},
		"a line of another tape":  {lines[0], lines[1], foreign[2]},
		"a second header":         {lines[0], lines[0]},
		"a line behind the end":   append(append([][]byte{}, lines...), lines[1]),
		"half a line behind that": append(append([][]byte{}, lines...), lines[1][:9]),
	} {
		if _, err := readTape(bytes.Join(order, nil)); emu.CodeOf(err) != CodeTapeDamaged {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTapeRefusesWhatIsNone(t *testing.T) {
	newer, _ := seal([]byte(strings.Replace(headerJSON(t), `"schemaVersion":1`, `"schemaVersion":2`, 1)), "")
	for name, c := range map[string]struct {
		data []byte
		code string
	}{
		"nothing":      {nil, CodeNotATape},
		"a journal":    {[]byte(`{"kind":"header","schemaVersion":3}` + "\n"), CodeNotATape},
		"no header":    {writeTape(t, tapeLines()[1:3]), CodeNotATape},
		"a long line":  {bytes.Repeat([]byte("x"), 2*maxTapeLine), CodeNotATape},
		"a newer tape": {newer, CodeTapeVersion},
	} {
		if _, err := readTape(c.data); emu.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func headerJSON(t *testing.T) string {
	t.Helper()
	data, err := encode(tapeHeader())
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(data), "\n")
}

func TestTapeRefusesWrongLines(t *testing.T) {
	turn := 0
	for name, line := range map[string]TapeLine{
		"empty":              {},
		"no frames":          {Run: &TapeRun{}},
		"too many frames":    {Run: &TapeRun{Frames: MaxTapeSpan + 1}},
		"other keys":         {Run: &TapeRun{Keys: 1 << 12, Frames: 1}},
		"no source":          {Load: &TapeLoad{StateSHA256: someDigest}},
		"a save unnamed":     {Load: &TapeLoad{Source: TapeFromCheckpoint, StateSHA256: someDigest}},
		"a named boot":       {Load: &TapeLoad{Source: TapeFromBoot, Name: "x", StateSHA256: someDigest}},
		"no digest":          {Save: &TapeSave{}},
		"no RAM":             {Mark: &TapeMark{Kind: TapeKindDigest}},
		"no turn":            {Mark: &TapeMark{Kind: TapeKindBorder, RAMSHA256: someDigest}},
		"a turn too many":    {Mark: &TapeMark{Kind: TapeKindEnd, Turn: &turn, RAMSHA256: someDigest}},
		"a kind of its own":  {Mark: &TapeMark{Kind: "pause", RAMSHA256: someDigest}},
		"no command":         {Steer: &TapeSteer{Text: "paused"}},
		"a long text":        {Steer: &TapeSteer{Command: "say", Text: strings.Repeat("x", MaxTapeText+1)}},
		"a picture's digest": {Mark: &TapeMark{Kind: TapeKindEnd, RAMSHA256: someDigest, PictureSHA256: new(emu.Digest)}},
	} {
		w := newTapeWriter("tape", &memorySink{})
		if err := w.Add(line); emu.CodeOf(err) != CodeRecordInvalid {
			t.Errorf("%s: %v", name, err)
		}
		// A tape without a line that belongs there must not go on.
		if err := w.Add(TapeLine{Run: &TapeRun{Frames: 1}}); err != nil || len(w.backlog) > 0 {
			t.Errorf("%s: the tape goes on: %v", name, err)
		}
	}
}

// TestTapeOutageLosesNothing lets the disk fail for a while: that is told
// once, and what waited is written when it is over, with no half line left.
func TestTapeOutageLosesNothing(t *testing.T) {
	sink := &memorySink{}
	w := newTapeWriter("tape", sink)
	told := 0
	for i, line := range tapeLines() {
		sink.writeErr, sink.leave = nil, 0
		if i >= 2 && i < 6 {
			sink.writeErr, sink.leave = syscall.ENOSPC, 40
		}
		if err := w.Add(line); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(); err != nil {
			told++
			if emu.CodeOf(err) != CodeWriteFailed || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("told was %v", err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("the outage was told %d times", told)
	}
	got, err := readTape(sink.data)
	if diff := cmp.Diff(tapeLines(), got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestTapeEndsInALongOutage(t *testing.T) {
	sink := &memorySink{}
	w := newTapeWriter("tape", sink)
	h := tapeHeader()
	if err := errors.Join(w.Add(TapeLine{Header: &h}), w.Commit()); err != nil {
		t.Fatal(err)
	}
	sink.writeErr = syscall.ENOSPC
	var told []error
	for range maxTapeBacklog/100 + 2 {
		if err := w.Add(TapeLine{Run: &TapeRun{Frames: 1}}); err != nil {
			t.Fatal(err)
		}
		if len(w.backlog) == 0 || len(w.backlog) > maxTapeBacklog || len(told) == 0 {
			if err := w.Commit(); err != nil {
				told = append(told, err)
			}
		}
	}
	if len(told) != 2 || !strings.Contains(told[1].Error(), "ends here") || w.backlog != nil {
		t.Errorf("told were %v; %d bytes wait", told, len(w.backlog))
	}
	sink.writeErr = nil
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if lines, err := readTape(sink.data); err != nil || len(lines) != 1 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

func TestTapeGroupCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &memorySink{}
		w := newTapeWriter("tape", sink)
		if err := w.SetGroupCommit(GroupCommit); err != nil {
			t.Fatal(err)
		}
		for _, line := range tapeLines() {
			if err := errors.Join(w.Add(line), w.Commit()); err != nil {
				t.Fatal(err)
			}
		}
		synced := func() (syncs, waiting int) {
			sink.mu.Lock()
			defer sink.mu.Unlock()
			return sink.syncs, len(sink.data) - sink.synced
		}
		if syncs, _ := synced(); syncs != 0 {
			t.Errorf("%d syncs at once", syncs)
		}
		time.Sleep(GroupCommit)
		synctest.Wait()
		if syncs, waiting := synced(); syncs != 1 || waiting != 0 {
			t.Errorf("%d syncs, %d bytes wait", syncs, waiting)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTapeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName("2026-01-01T00:00:00.000Z", "run-1"))
	w, err := CreateTape(path, tapeHeader())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateTape(path, tapeHeader()); emu.CodeOf(err) != CodeWriteFailed {
		t.Errorf("a second tape: %v", err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{w.Path(): 0o600, filepath.Dir(w.Path()): os.ModeDir | 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if runs, problems, err := Runs(dir, ""); len(runs)+len(problems) != 0 || err != nil {
		t.Errorf("tapes show as journals: %v %v %v", runs, problems, err)
	}
	stem := strings.TrimSuffix(filepath.Base(path), Extension)
	for _, run := range []string{"run-1", path, stem, stem + Extension, w.Path()} {
		if got, err := FindTape(dir, run); err != nil || got != w.Path() {
			t.Errorf("FindTape(%q) = %q, %v", run, got, err)
		}
	}
	for _, run := range []string{"1", "run-2", "", "../x", dir} {
		if got, err := FindTape(dir, run); emu.CodeOf(err) != CodeTapeMissing {
			t.Errorf("FindTape(%q) = %q, %v", run, got, err)
		}
	}
}

// TestTapeByABeginning finds tapes by beginnings of ids that journals know.
func TestTapeByABeginning(t *testing.T) {
	s := folder{t, t.TempDir()}
	var paths []string
	for i, run := range []string{"run-1", "run-22", "other"} {
		at := fmt.Sprintf("2026-01-0%dT00:00:00.000Z", i+1)
		s.put(FileName(at, run), head(run, at, "j"), "")
		h := tapeHeader()
		h.RunID = run
		w, err := CreateTape(filepath.Join(s.dir, FileName(at, run)), h)
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, w.Path())
	}
	for name, want := range map[string]string{"run-1": paths[0], "run-2": paths[1], "o": paths[2]} {
		if got, err := FindTape(s.dir, name); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	_, err := FindTape(s.dir, "run")
	wantCode(t, err, CodeRunAmbiguous)
	if err := os.Remove(paths[2]); err != nil {
		t.Fatal(err)
	}
	_, err = FindTape(s.dir, "oth")
	wantCode(t, err, CodeTapeMissing)
}

func TestNoTape(t *testing.T) {
	var w *TapeWriter
	if err := errors.Join(w.Add(TapeLine{}), w.Commit(), w.SetGroupCommit(1), w.Close()); err != nil || w.Path() != "" {
		t.Error(err)
	}
}

// FuzzTape holds for any bytes: no panic, no line that does not write itself
// back, and never a header but the first.
func FuzzTape(f *testing.F) {
	whole := writeTape(f, tapeLines())
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.ReplaceAll(whole, []byte("kind"), []byte("kınd")))
	f.Add([]byte("\n\n{}\n\x00"))
	f.Add([]byte(`{"kind":"run","keys":0,"frames":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var line TapeLine
		_ = line.parse(data) // behind the chain, which random bytes do not pass
		lines, _ := readTape(data)
		if n := len(lines); n > 0 && lines[n-1].Torn != nil {
			lines = lines[:n-1]
		}
		for i, line := range lines {
			if (line.Header != nil) != (i == 0) {
				t.Fatalf("line %d: a header out of place", i)
			}
		}
		if len(lines) == 0 {
			return
		}
		if again, err := readTape(writeTape(t, lines)); err != nil || len(again) != len(lines) {
			t.Fatalf("%d lines, again %d: %v", len(lines), len(again), err)
		}
	})
}
