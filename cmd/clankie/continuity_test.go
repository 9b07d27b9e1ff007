package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba/mgbatest"
	"clankie/journal"
)

// A sitting's mind goes on where the last one of its journey stopped.

const (
	ownJourney   = "local:bramble-lane:profile:main"
	rememberNote = "the blue door is locked"
	rememberGoal = "find the key"
)

// rememberIn writes the journal of a run that ended with notes and an
// objective.
func rememberIn(t *testing.T, dir, journey, notes, objective string) {
	t.Helper()
	at := "2026-01-02T03:04:05.000Z"
	w, err := journal.Create(dir, journal.Header{
		RunID: "before", EnvironmentSessionID: "s", ScenarioID: "x", StartedAt: at,
		JourneyID: journey, EnvironmentID: "bramble-lane",
	})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Turn(journal.TurnLine{At: at, Turn: journal.TurnRecord{
		ObservationSHA256: emu.DigestOf(nil), Notes: &notes, Objective: &objective, Outcome: journal.OutcomeMindFailed,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// atHome gives the test a home with nothing in it and returns the folder of
// journals and that of saves.
func atHome(t *testing.T) (journals, saves string) {
	t.Helper()
	if cacheErr != nil {
		t.Fatal(cacheErr)
	}
	mgbatest.Module(t)
	home := inFolder(t, nil)
	t.Setenv("XDG_CACHE_HOME", filepath.Dir(filepath.Dir(cacheHome)))
	state := filepath.Join(home, ".local", "state", "clankie")
	return filepath.Join(state, "gba-play"), filepath.Join(state, "gba-checkpoints")
}

// playedOne plays one turn and returns what was in the mind before it.
func playedOne(t *testing.T, flags ...string) (notes, objective string, report runReport) {
	t.Helper()
	var out, diagnostics bytes.Buffer
	args := append([]string{"run", "--turns", "1", "--speed", "max", "--json"}, flags...)
	if code := execute(context.Background(), args, streams{strings.NewReader(""), &out, &diagnostics}); code != exitDone {
		t.Fatalf("exit %d: %s", code, diagnostics.String())
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	played, err := journal.ReadAll(report.Journal)
	if err != nil || len(played.Turns) != 1 {
		t.Fatal(played, err)
	}
	signals := played.Turns[0].Evidence.Signals
	return text(signals.PreviousNotes), text(signals.PreviousObjective), report
}

// setContinuity changes what every save says of the mind.
func setContinuity(t *testing.T, saves string, continuity any) {
	t.Helper()
	receipts, err := filepath.Glob(filepath.Join(saves, "*", "checkpoint.json"))
	if err != nil || len(receipts) == 0 {
		t.Fatal(receipts, err)
	}
	for _, path := range receipts {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var receipt map[string]any
		if err := json.Unmarshal(data, &receipt); err != nil {
			t.Fatal(err)
		}
		receipt["continuity"] = continuity
		if data, err = json.Marshal(receipt); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheMindGoesOn resumes saves that say something of the mind, nothing, and
// as little as saves of before that could: what they do not say the journal
// knows. It knows too where no save is gone on from.
func TestTheMindGoesOn(t *testing.T) {
	journals, saves := atHome(t)
	if notes, objective, _ := playedOne(t); notes != "" || objective != "" {
		t.Errorf("the first run of all began with %q, %q", notes, objective)
	}
	for name, c := range map[string]struct {
		continuity       any
		notes, objective string
	}{
		"none":        {nil, rememberNote, rememberGoal},
		"empty":       {map[string]any{"notes": "", "objective": nil}, rememberNote, rememberGoal},
		"its own":     {map[string]any{"notes": "mine", "objective": "my own"}, "mine", "my own"},
		"notes alone": {map[string]any{"notes": "mine", "objective": nil}, "mine", ""},
	} {
		t.Run(name, func(t *testing.T) {
			forget(t, journals)
			rememberIn(t, journals, ownJourney, rememberNote, rememberGoal)
			setContinuity(t, saves, c.continuity)
			notes, objective, report := playedOne(t, "--resume")
			if notes != c.notes || objective != c.objective || report.ResumedFrom == "" {
				t.Errorf("began with %q, %q from %q", notes, objective, report.ResumedFrom)
			}
		})
	}
	t.Run("no save", func(t *testing.T) {
		forget(t, journals)
		rememberIn(t, journals, ownJourney, rememberNote, rememberGoal)
		if notes, objective, report := playedOne(t); notes != rememberNote || objective != rememberGoal || report.ResumedFrom != "" {
			t.Errorf("began with %q, %q from %q", notes, objective, report.ResumedFrom)
		}
	})
	t.Run("another profile", func(t *testing.T) {
		if notes, objective, report := playedOne(t, "--profile", "sister", "--resume"); notes != "" || objective != "" || report.ResumedFrom != "" {
			t.Errorf("began with %q, %q from %q", notes, objective, report.ResumedFrom)
		}
	})
}

// forget removes every journal.
func forget(t *testing.T, journals string) {
	t.Helper()
	if err := os.RemoveAll(journals); err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableJournalsAreTold names a few and counts the others.
func TestUnreadableJournalsAreTold(t *testing.T) {
	journals, _ := atHome(t)
	if err := os.MkdirAll(journals, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if err := os.WriteFile(filepath.Join(journals, name+".jsonl"), []byte("once upon a time\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rememberIn(t, journals, ownJourney, rememberNote, rememberGoal)
	notes, _, report := playedOne(t)
	if notes != rememberNote {
		t.Errorf("began with %q", notes)
	}
	told := strings.Join(report.Notices, "\n")
	if n := strings.Count(told, journal.CodeNotAJournal); n != toldProblems || !strings.Contains(told, "2 more") {
		t.Errorf("told of %d: %s", n, told)
	}
}
