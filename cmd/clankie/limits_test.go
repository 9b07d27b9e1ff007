package main

import (
	"errors"
	"testing"
	"time"

	"clankie/play"
)

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		ms, autosave string
		duration     time.Duration
		turns        int
		refused      bool
		noted        bool
	}{
		{ms: "", autosave: "", turns: play.DefaultAutosaveTurns},
		{ms: "0", autosave: "0"},
		{ms: "1500", autosave: "7", duration: 1500 * time.Millisecond, turns: 7},
		{ms: "abc", refused: true},
		{ms: "5m", refused: true},
		{ms: "-1", refused: true},
		{ms: "9223372036854", duration: 9223372036854 * time.Millisecond, turns: play.DefaultAutosaveTurns},
		{ms: "9223372036855", refused: true},
		{ms: "99999999999999999999", refused: true},
		{autosave: "often", turns: play.DefaultAutosaveTurns, noted: true},
		{autosave: "-3", turns: play.DefaultAutosaveTurns, noted: true},
	} {
		t.Setenv(envMaxDuration, c.ms)
		t.Setenv(envAutosaveTurns, c.autosave)
		l, err := findLimits()
		if c.refused {
			if coded := (*exitError)(nil); !errors.As(err, &coded) || coded.code != exitUsage {
				t.Errorf("%s=%q: %v, want wrong use", envMaxDuration, c.ms, err)
			}
			continue
		}
		if err != nil || l.duration != c.duration || l.autosave != c.turns || (len(l.notices) > 0) != c.noted {
			t.Errorf("%q, %q: %+v, %v", c.ms, c.autosave, l, err)
		}
	}
}

// TestHowASittingEndsAndWhoWatches reads what is passed on as it stands.
func TestHowASittingEndsAndWhoWatches(t *testing.T) {
	t.Setenv(envClosing, "2500")
	t.Setenv(envAudience, "Two friends on a couch.")
	if l, err := findLimits(); err != nil || l.closing != 2500*time.Millisecond || l.audience != "Two friends on a couch." {
		t.Errorf("%+v, %v", l, err)
	}
	t.Setenv(envClosing, "soon")
	if _, err := findLimits(); err == nil {
		t.Error("a deadline that is no number was taken")
	}
}

// TestTheLowerCapOnTurnsHolds: neither the flag nor the environment lifts the
// other's.
func TestTheLowerCapOnTurnsHolds(t *testing.T) {
	for _, c := range []struct {
		env         string
		asked, want int
	}{
		{"", 0, 0},
		{"", 400, 400},
		{"0", 400, 400},
		{"30", 0, 30},
		{"30", 400, 30},
		{"400", 30, 30},
	} {
		t.Setenv(envMaxTurns, c.env)
		l, err := findLimits()
		if got := l.maxTurns(c.asked); err != nil || got != c.want {
			t.Errorf("%q and --turns %d: %d, %v; want %d", c.env, c.asked, got, err, c.want)
		}
	}
	t.Setenv(envMaxTurns, "many")
	if _, err := findLimits(); err == nil {
		t.Error("a cap that is not understood is passed over")
	}
}
