package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func TestStampOf(t *testing.T) {
	for name, want := range map[string]string{
		FileName("2026-08-19T12:00:00.123Z", "r"):  "2026-08-19T12:00:00.123Z",
		FileName("2026-08-19T12:00:00Z", "2026-x"): "",
		"run.jsonl":                          "",
		"2026-99-19T12-00-00-123Z-r.jsonl":   "",
		"2026-08-19T12-00-00-xyzZ-r.jsonl":   "",
		"2026-08-19T12-00-00-123+00-r.jsonl": "",
		"2026-08-19.jsonl":                   "",
	} {
		at, ok := stampOf(name)
		if got := emu.Moment(at); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v", name, got, ok)
		}
	}
}

func TestRunIDsTellJourneysApart(t *testing.T) {
	at := time.Date(2026, 8, 19, 12, 0, 0, 123456789, time.UTC)
	id := NewRunID(at, "j", [RunIDRandom]byte{1, 2, 3, 255})
	if want := "2026-08-19T12-00-00-123Z-189f010203ff"; id != want {
		t.Errorf("%s, want %s", id, want)
	}
	name := FileName(emu.Moment(at), id)
	for other, want := range map[string]bool{
		name: true,
		FileName(emu.Moment(at), NewRunID(at, "k", [RunIDRandom]byte{})): false,
		FileName(emu.Moment(at), "run-1"):                                false,
		strings.Replace(name, "Z-", "X-", 1):                             false,
		strings.Replace(name, "03ff", "03FF", 1):                         false,
		strings.Replace(name, ".jsonl", ".jsonx", 1):                     false,
		"é" + name[2:]: false,
		"x" + name:     false,
	} {
		if got := ofAnother(other, markOf("k")); got != want {
			t.Errorf("%s: %v", other, got)
		}
	}
	if ofAnother(name, markOf("j")) {
		t.Errorf("%s is of its own journey", name)
	}
}

// TestMarkedFilesOfOthersStayClosed puts what is no journal behind names of
// another journey: to open one would be a problem. The journey's own runs are
// found under names of every writer.
func TestMarkedFilesOfOthersStayClosed(t *testing.T) {
	s := folder{t, t.TempDir()}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	name := func(n int, journey string) string {
		start := at.Add(time.Duration(n) * time.Hour)
		return FileName(emu.Moment(start), NewRunID(start, journey, [RunIDRandom]byte{byte(n)}))
	}
	for n := range 30 {
		s.put(name(n+10, "k"), "no header")
	}
	s.put(name(5, "j"), head("mine", emu.Moment(at.Add(5*time.Hour)), "j"), noted(1, "mine"), "")
	s.put(FileName(emu.Moment(at), "run-1"), head("older", emu.Moment(at), "j"), noted(1, "older"), "")
	got, problems, err := LastContinuity(s.dir, "j")
	if err != nil || len(problems) > 0 || got == nil || *got.Notes != "mine" {
		t.Errorf("%+v, %v, %v", got, problems, err)
	}
	card, problems, err := Story(s.dir, "j")
	if err != nil || len(problems) > 0 || card.TurnsTaken != 2 {
		t.Errorf("%+v, %v, %v", card, problems, err)
	}
	if _, problems, err := Runs(s.dir, ""); err != nil || len(problems) != 30 {
		t.Errorf("%d problems, %v", len(problems), err)
	}
}

// TestNewestFirst mixes names that tell the start, names that do not, names
// that lie, and starts that are the same.
func TestNewestFirst(t *testing.T) {
	s := folder{t, t.TempDir()}
	put := func(name, run, start, journey string) { s.put(name, head(run, start, journey), noted(1, run), "") }
	named := func(run, start, journey string) { put(FileName(start, run), run, start, journey) }
	named("e", "2026-05-01T00:00:00.000Z", "j")
	named("a", "2026-01-01T00:00:00.000Z", "j")
	named("c2", "2026-03-01T00:00:00.000Z", "j")
	put("z.jsonl", "c1", "2026-03-01T00:00:00.000Z", "j")
	put("y.jsonl", "d", "2026-04-01T00:00:00.000Z", "j")
	put("2026-09-01T00-00-00-000Z-lies.jsonl", "b", "2026-02-01T00:00:00.000Z", "j")
	named("other", "2026-07-01T00:00:00.000Z", "k")
	s.put("2026-08-01T00-00-00-000Z-x.jsonl", "hello")
	shelf, err := openShelf(s.dir, "j")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for run := range shelf.runs() {
		got = append(got, run.Header.RunID)
	}
	if diff := cmp.Diff([]string{"e", "d", "c2", "c1", "b", "a"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(shelf.problems) != 1 {
		t.Errorf("problems %+v", shelf.problems)
	}
	newest, _, err := Newest(s.dir, "")
	if err != nil || newest == nil || newest.Header.RunID != "other" {
		t.Errorf("newest %+v, %v", newest, err)
	}
}

// TestStartReadsTheNewestAlone puts folders where older files should be: to
// read one would be a problem.
func TestStartReadsTheNewestAlone(t *testing.T) {
	s := folder{t, t.TempDir()}
	for n := range 20 {
		s.put(fmt.Sprintf("2026-01-%02dT00-00-00-000Z-old.jsonl", n+1), "no header")
	}
	s.put(FileName("2026-02-01T00:00:00.000Z", "r"), head("r", "2026-02-01T00:00:00.000Z", "j"), noted(4, "here"), "")
	got, problems, err := LastContinuity(s.dir, "j")
	if err != nil || len(problems) != 0 || got == nil || *got.Notes != "here" {
		t.Errorf("%+v, problems %v, %v", got, problems, err)
	}
}

func TestLive(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, testHeader())
	if err != nil {
		t.Fatal(err)
	}
	live := func() bool {
		runs, _, err := Runs(dir, "")
		if err != nil || len(runs) != 1 {
			t.Fatal(runs, err)
		}
		return runs[0].Live
	}
	for range 2 {
		if !live() {
			t.Error("a run that is being written is not live")
		}
	}
	if err := w.Turn(testTurn(0)); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if live() {
		t.Error("a run that ended is live")
	}
}

// BenchmarkStart looks for a journey's continuity among ten thousand runs: its
// own being the newest, the oldest, or not there, under names of ours and of
// other writers.
func BenchmarkStart(b *testing.B) {
	id := func(start time.Time, journey string) string { return NewRunID(start, journey, [RunIDRandom]byte{}) }
	b.Run("ours", func(b *testing.B) { benchmarkStart(b, id) })
	b.Run("others", func(b *testing.B) { benchmarkStart(b, func(time.Time, string) string { return "r" }) })
}

func benchmarkStart(b *testing.B, id func(start time.Time, journey string) string) {
	dir := b.TempDir()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range 10000 {
		journey := "local:bramble-lane:profile:other"
		if n == 0 || n == 9999 {
			journey = fmt.Sprintf("local:bramble-lane:profile:%d", n)
		}
		at := start.Add(time.Duration(n) * time.Minute)
		run := id(at, journey)
		text := head(run, emu.Moment(at), journey) + "\n" + noted(1, "n") + "\n"
		if err := os.WriteFile(filepath.Join(dir, FileName(emu.Moment(at), run)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for name, journey := range map[string]string{"newest": "9999", "oldest": "0", "none": "x"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, _, err := LastContinuity(dir, "local:bramble-lane:profile:"+journey)
				if err != nil || (c == nil) != (name == "none") {
					b.Fatal(c, err)
				}
			}
		})
	}
}
