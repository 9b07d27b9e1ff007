package replay_test

import (
	"flag"
	"testing"
	"time"

	"clankie/emu"
)

var long = flag.Bool("replay.long", false, "replay a sitting of 2,000 turns twice")

// TestSittingReplays plays with rewinds and restarts and executes the tape
// twice: nothing may differ.
func TestSittingReplays(t *testing.T) {
	turns, rewinds, restarts := 120, 4, 2
	if *long {
		turns, rewinds, restarts = 2000, 10, 3
	}
	r := newRig(t)
	result := r.play(t, turns, rewinds, restarts)
	for range 2 {
		start := time.Now()
		report, err := r.replay(t)
		if err != nil {
			t.Fatal(err)
		}
		speed := float64(report.Frames) / emu.FrameRate / time.Since(start).Seconds()
		t.Logf("%d turns, %d frames, %d digests, %.0f times real time", report.Turns, report.Frames, report.Digests, speed)
		if report.Turns != result.Turns || !report.Complete || report.Torn != nil || report.Loads != 1+rewinds+restarts {
			t.Errorf("replayed %+v of %d turns", report, result.Turns)
		}
	}
}
