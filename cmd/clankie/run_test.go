package main

import (
	"errors"
	"strings"
	"testing"

	"clankie/play"
	"clankie/play/playtest"
)

// TestARunTellsWhatFails plays with a journal that cannot be written any more:
// the run goes on, and says so once.
func TestARunTellsWhatFails(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns, o.Unattended = 5, true
	sitting, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Journal.Close(); err != nil {
		t.Fatal(err)
	}
	s := &seat{Sitting: sitting, journal: o.Journal, runID: o.RunID, notices: []string{"known before"}}
	var stderr strings.Builder
	failures := s.tellFailures(&stderr)
	s.unrecorded(errors.New("no space left"))
	result, err := s.Run(t.Context())
	if result.Turns != 5 {
		t.Fatalf("%d turns, %v", result.Turns, err)
	}
	report := s.report(result, failures())
	want := []string{"known before", "the session's records: no space left", "the journal: "}
	for i, begin := range want {
		if i >= len(report.Notices) || !strings.HasPrefix(report.Notices[i], begin) {
			t.Fatalf("notices %q", report.Notices)
		}
	}
	for _, told := range report.Notices[1:] {
		if strings.Count(stderr.String(), "note: "+told+"\n") != 1 {
			t.Errorf("%q is not told once: %q", told, stderr.String())
		}
	}
}
