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

// Environment variables of a sitting: how long is played, how often
// it is saved, and who watches.
const (
	envMaxTurns      = "CLANKIE_PLAY_MAX_TURNS"
	envMaxDuration   = "CLANKIE_PLAY_MAX_DURATION_MS"
	envAutosaveTurns = "CLANKIE_PLAY_AUTOSAVE_TURNS"
	envClosing       = "CLANKIE_PLAY_SHUTDOWN_DEADLINE_MS"
	envAudience      = "CLANKIE_FREE_PLAY_AUDIENCE"
)

// limits are what the environment says of a sitting.
type limits struct {
	turns    int           // stop after so many; 0 without a cap
	duration time.Duration // stop after so long; 0 without a cap
	autosave int           // turns between autosaves; 0 for none
	closing  time.Duration // what the end of a sitting may take; 0 for the usual
	audience string        // who watches, for the mind
	notices  []string      // what was not understood and does no harm
}

// findLimits reads the limits. A cap that is not understood is wrong use:
// played on without it, it could cost whoever set it. A wrong number of turns
// between autosaves gives the usual one, and a notice.
func findLimits() (limits, error) {
	l := limits{autosave: play.DefaultAutosaveTurns}
	turns, err := findCap(envMaxTurns, "turns", math.MaxInt32)
	if err != nil {
		return limits{}, err
	}
	ms, err := findCap(envMaxDuration, "milliseconds", math.MaxInt64/int64(time.Millisecond))
	if err != nil {
		return limits{}, err
	}
	closing, err := findCap(envClosing, "milliseconds", math.MaxInt64/int64(time.Millisecond))
	if err != nil {
		return limits{}, err
	}
	l.turns, l.duration = int(turns), time.Duration(ms)*time.Millisecond
	l.closing, l.audience = time.Duration(closing)*time.Millisecond, os.Getenv(envAudience)
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

// findCap reads a cap from the environment; 0 is none.
func findCap(name, unit string, most int64) (int64, error) {
	text := os.Getenv(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > most {
		return 0, usagef("%s %q: must be a whole number of %s, 0 (no cap) to %d", name, emu.Clean(text), unit, most)
	}
	return n, nil
}

// maxTurns is the lower of the cap that was asked for and the environment's.
func (l limits) maxTurns(asked int) int {
	if asked == 0 || l.turns > 0 && l.turns < asked {
		return l.turns
	}
	return asked
}
