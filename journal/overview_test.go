package journal

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOverviews(t *testing.T) {
	s := folder{t, t.TempDir()}
	s.put("1.jsonl", head("one", "2026-01-01T00:00:00Z", "j"), noted(0, "x"), spoken(1, "woke up"), summed("home"), "")
	s.put("2.jsonl", head("two", "2026-01-02T00:00:00Z", "j"), noted(6, "x"), "torn{")
	s.put("3.jsonl", headerV1, turnV1, "")
	s.put("4.jsonl", "hello")
	list, problems, err := Overviews(s.dir, "")
	if err != nil || len(problems) != 1 || len(list) != 3 {
		t.Fatal(list, problems, err)
	}
	newest := map[string]Overview{}
	for _, o := range list {
		newest[filepath.Base(o.Path)] = o
	}
	if o := newest["1.jsonl"]; o.Turns != 0 || *o.Outcome != "stopped" || *o.Effect != "woke up" || o.Live {
		t.Errorf("one: %+v", o)
	}
	if o := newest["2.jsonl"]; o.Turns != 7 || o.Outcome != nil || *o.JourneyID != "j" {
		t.Errorf("two: %+v", o)
	}
	if o := newest["3.jsonl"]; o.JourneyID != nil || o.SchemaVersion != 1 || *o.LastTurnAt == "" {
		t.Errorf("three: %+v", o)
	}
	if list, _, err := Overviews(s.dir, "j"); err != nil || len(list) != 2 || list[0].RunID != "two" {
		t.Errorf("of the journey: %+v, %v", list, err)
	}
}

// TestDays puts a run near midnight on the date that it has where the reader
// is.
func TestDays(t *testing.T) {
	var runs []Overview
	for i, at := range []string{"2026-01-02T23:30:00Z", "2026-01-02T22:30:00Z", "2026-01-01T12:00:00Z"} {
		runs = append(runs, Overview{RunID: fmt.Sprint(i), StartedAt: at, Turns: 10})
	}
	short := func(days []Day) (out []string) {
		for _, d := range days {
			out = append(out, fmt.Sprint(d.Date, " ", len(d.Runs), " ", d.Turns))
		}
		return out
	}
	for offset, want := range map[int][]string{
		0: {"2026-01-02 2 20", "2026-01-01 1 10"},
		1: {"2026-01-03 1 10", "2026-01-02 1 10", "2026-01-01 1 10"},
	} {
		if diff := cmp.Diff(want, short(Days(runs, time.FixedZone("", offset*3600)))); diff != "" {
			t.Errorf("offset %d (-want +got):\n%s", offset, diff)
		}
	}
}

func TestFind(t *testing.T) {
	s := folder{t, t.TempDir()}
	for _, id := range []string{"abc", "abd", "abcd", "x"} {
		s.put("file-"+id+".jsonl", head(id, "2026-01-01T00:00:00Z", "j"), "")
	}
	for name, want := range map[string]string{
		"abc": "abc", "abd": "abd", "abcd": "abcd", "file-x": "x", "file-x.jsonl": "x", "x": "x",
		"ab": CodeRunAmbiguous, "": CodeRunNotFound, "y": CodeRunNotFound,
	} {
		run, err := Find(s.dir, name)
		if err != nil {
			wantCode(t, err, want)
		} else if run.Header.RunID != want {
			t.Errorf("%q finds %s, want %s", name, run.Header.RunID, want)
		}
	}
}
