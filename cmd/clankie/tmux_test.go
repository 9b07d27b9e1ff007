package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clankie/emu/mgba/mgbatest"
)

// TestInTmux drives the program as a person would: in tmux, by keys, reading
// the screen.
func TestInTmux(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is missing: install the package tmux to run this test")
	}
	mgbatest.Module(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "clankie") // the test binary is the program by that name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	p := pane{t: t, socket: filepath.Join(dir, "tmux")}
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30",
		"-e", "HOME="+dir, "-e", "XDG_STATE_HOME=", "-e", "XDG_CACHE_HOME="+filepath.Dir(filepath.Dir(cacheHome)),
		program+" --speed 4; echo ended with $?; cat")
	t.Cleanup(func() { p.tmux("kill-server") })

	p.await("Bramble Lane", "Decisions", "#2 ")
	p.keys("Space")
	p.await("paused")
	p.keys("/", "save by-the-window", "Enter")
	p.await("by-the-window")
	p.keys("/", "goto 1", "Enter")
	p.await("Turn 1 ", "branch from here", "RAM")
	p.keys("b")
	p.await("Go on from this turn?")
	p.keys("Right", "Enter")
	p.await("branched from turn 1")
	p.keys("p")
	p.await("BY HAND")
	p.keys("Escape")
	p.await("has the pad again") // a key right after Esc would be taken as Alt with it
	p.keys("l")
	p.await("Saves", "by-t")
	p.keys("Escape")
	p.await("Decisions")
	p.tmux("resize-window", "-x", "18", "-y", "5")
	p.tmux("resize-window", "-x", "120", "-y", "40")
	p.await("Decisions", "Field")
	p.keys("q")
	p.await("Leave?")
	p.keys("Enter")
	p.await("ended with 0")
}

// pane is the one pane of a tmux server of the test's own.
type pane struct {
	t      *testing.T
	socket string
}

func (p pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (p pane) keys(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.tmux("send-keys", k)
	}
}

// await waits until the pane shows every part. The minute only bounds a
// failing test.
func (p pane) await(parts ...string) {
	p.t.Helper()
	screen := ""
	for range 1200 {
		screen = p.tmux("capture-pane", "-p")
		missing := false
		for _, part := range parts {
			missing = missing || !strings.Contains(screen, part)
		}
		if !missing {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.t.Fatalf("never shown: %q; the screen is\n%s", parts, screen)
}
