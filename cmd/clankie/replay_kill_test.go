package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
	"clankie/journal"
	"clankie/play/replay"
)

var (
	kills    = flag.Int("kills", 3, "how often the program is killed in the middle of play")
	killSeed = flag.Uint64("kills.seed", 1, "what decides the moments")
)

// killWindow is the time from the tape's first line within which a program is
// killed: some dozens of turns.
const killWindow = 1500 * time.Millisecond

// TestKilledAtAnyMoment kills the program again and again while it plays.
// Journal and tape of every run must read back, at most one turn apart, and the
// tape replays up to its last whole line.
func TestKilledAtAnyMoment(t *testing.T) {
	module := mgbatest.Module(t)
	random := rand.New(rand.NewPCG(*killSeed, 0))
	turns := 0
	for i := range *kills {
		path := killPlaying(t, time.Duration(random.Int64N(int64(killWindow))))
		n := checkKilled(t, module, path)
		turns += n
		t.Logf("kill %d: %d turns", i, n)
	}
	if turns == 0 {
		t.Error("no run was killed in the middle of play")
	}
}

// killPlaying lets the program play in a home of its own until delay after it
// has begun its tape, kills it and returns the journal's path.
func killPlaying(t *testing.T, delay time.Duration) string {
	t.Helper()
	home := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "run", "--turns", "100000", "--speed", "max")
	cmd.Args[0] = "clankie" // the test binary is the program by that name
	cmd.Env = []string{
		"HOME=" + home, "XDG_CACHE_HOME=" + filepath.Dir(filepath.Dir(cacheHome)),
		"PATH=" + os.Getenv("PATH"), "CLANKIE_PLAY_AUTOSAVE_TURNS=7",
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	journals := filepath.Join(home, ".local", "state", "clankie", "gba-play")
	var tapes []string
	for range 6000 { // bounds a failing test alone
		if tapes, _ = filepath.Glob(filepath.Join(journals, ".tapes", "*.jsonl")); len(tapes) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(delay)
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // it was killed
	if len(tapes) != 1 {
		t.Fatal("no tape was begun within a minute")
	}
	return filepath.Join(journals, filepath.Base(tapes[0]))
}

// checkKilled reads what a killed run left and returns the turns on its tape.
func checkKilled(t *testing.T, module mgba.Module, path string) int {
	t.Helper()
	contents, err := journal.ReadAll(path)
	if err != nil || contents.Header == nil {
		t.Fatalf("the journal: %v", err)
	}
	for _, gap := range contents.Gaps {
		if !gap.Torn {
			t.Errorf("the journal has a gap at %d: %s", gap.Offset, gap.Reason)
		}
	}
	boot, err := fixtures.Load(fixtures.DefaultID)
	if err != nil {
		t.Fatal(err)
	}
	state, err := pinnedState(t.Context(), boot, module, filepath.Dir(cacheHome))
	if err != nil {
		t.Fatal(err)
	}
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: boot.ROM})
	defer core.Close()
	report, err := replay.Run(t.Context(), core, replay.NewLibrary(nil, core.Identity(), state), journal.ReadTape(journal.TapePath(path)))
	if emu.CodeOf(err) == journal.CodeNotATape && headless(path) {
		return 0 // killed while the tape's first line was written
	}
	if err != nil || report.Complete {
		t.Errorf("the tape: %+v, %v", report, err)
	}
	if ahead := report.Turns - len(contents.Turns); ahead < 0 || ahead > 1 {
		t.Errorf("%d turns on the tape, %d in the journal", report.Turns, len(contents.Turns))
	}
	return report.Turns
}

// headless reports whether the tape has no whole line.
func headless(path string) bool {
	data, err := os.ReadFile(journal.TapePath(path))
	return err == nil && !strings.Contains(string(data), "\n")
}
