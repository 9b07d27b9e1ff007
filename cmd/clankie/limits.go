package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"clankie/emu"
	"clankie/play"
)

// Environment variables of how long is played and how often it is saved.
const (
	envMaxDuration   = "CLANKIE_PLAY_MAX_DURATION_MS"
	envAutosaveTurns = "CLANKIE_PLAY_AUTOSAVE_TURNS"
)

// limits are what the environment says of a sitting.
type limits struct {
	duration time.Duration // stop after so long; 0 without a cap
	autosave int           // turns between autosaves; 0 for none
	notices  []string      // what was not understood and does no harm
}

// findLimits reads the limits. A cap that is not understood is wrong use:
// played on without it, it could cost whoever set it. A wrong number of turns
// between autosaves gives the usual one, and a notice.
func findLimits() (limits, error) {
	l := limits{autosave: play.DefaultAutosaveTurns}
	if text := os.Getenv(envMaxDuration); text != "" {
		const most = math.MaxInt64 / int64(time.Millisecond)
		ms, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ms < 0 || ms > most {
			return limits{}, usagef("%s %q: must be a whole number of milliseconds, 0 (no cap) to %d", envMaxDuration, emu.Clean(text), most)
		}
		l.duration = time.Duration(ms) * time.Millisecond
	}
	if text := os.Getenv(envAutosaveTurns); text != "" {
		n, err := strconv.Atoi(text)
		if err == nil && n >= 0 {
			l.autosave = n
		} else {
			l.notices = append(l.notices, fmt.Sprintf("%s %q is no number of turns: it is saved every %d", envAutosaveTurns, emu.Clean(text), l.autosave))
		}
	}
	return l, nil
}
