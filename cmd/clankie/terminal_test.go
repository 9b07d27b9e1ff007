package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"clankie/emu/mgba/mgbatest"
)

// evening is the program on a terminal of its own: a real process, a
// pseudo-terminal, and a terminal in memory that shows what it draws.
type evening struct {
	t      *testing.T
	cmd    *exec.Cmd
	tty    *os.File
	mu     sync.Mutex
	screen *vt.Emulator
	all    []byte // that was written, in order
	gone   chan struct{}
	err    error
}

// begin starts the program with home as its home.
func begin(t *testing.T, home string, args ...string) *evening {
	t.Helper()
	mgbatest.Module(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "clankie" // the test binary is the program by that name
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "XDG_") || strings.HasPrefix(v, "HOME=") || strings.HasPrefix(v, "CLANKIE_")
	}), "HOME="+home, "XDG_CACHE_HOME="+filepath.Dir(filepath.Dir(cacheHome)), "TERM=xterm-256color", "COLORTERM=truecolor")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		t.Fatal(err)
	}
	e := &evening{t: t, cmd: cmd, tty: tty, screen: vt.NewEmulator(120, 40), gone: make(chan struct{})}
	go e.watch()
	go e.answer()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-e.gone
		_ = tty.Close()
	})
	return e
}

// watch draws what the program writes and, once it has ended, says so.
func (e *evening) watch() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := e.tty.Read(buffer)
		e.mu.Lock()
		_, _ = e.screen.Write(buffer[:n])
		e.all = append(e.all, buffer[:n]...)
		e.mu.Unlock()
		if err != nil {
			break
		}
	}
	e.err = e.cmd.Wait()
	close(e.gone)
}

// answer sends back what the terminal replies to the program's questions.
func (e *evening) answer() { _, _ = io.Copy(e.tty, e.screen) }

func (e *evening) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.screen.String()
}

// await waits until the screen shows every part. The minutes only bound a
// failing test.
func (e *evening) await(parts ...string) {
	e.t.Helper()
	for range 12000 {
		text := e.text()
		if !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) }) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	e.t.Fatalf("never shown: %q; the screen is\n%s", parts, e.text())
}

// drawn is all that the program has written, and the screen as it is.
func (e *evening) drawn() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append(bytes.Clone(e.all), e.screen.String()...)
}

func (e *evening) keys(keys string) {
	e.t.Helper()
	if _, err := io.WriteString(e.tty, keys); err != nil {
		e.t.Fatal(err)
	}
}

// ended waits for the end and checks that the terminal is as it was.
func (e *evening) ended(code int) {
	e.t.Helper()
	<-e.gone
	var exit *exec.ExitError
	got := 0
	if errors.As(e.err, &exit) {
		got = exit.ExitCode()
	}
	if got != code {
		e.t.Errorf("exit code %d, want %d; the screen is\n%s", got, code, e.text())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.screen.IsAltScreen() {
		e.t.Error("the alternate screen was left on")
	}
}

func saved(t *testing.T, home string) (ids []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(home, ".local", "state", "clankie", "gba-checkpoints"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

// TestADumbTerminalIsRefused as no terminal is, before anything is begun.
func TestADumbTerminalIsRefused(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.Command(self)
	cmd.Args[0] = "clankie"
	cmd.Env = []string{"HOME=" + home, "TERM=dumb"}
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	printed, _ := io.ReadAll(tty) // ends with an error when the program does
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(string(printed), "--plain") {
		t.Errorf("exit code %d, want %d: %s", code, exitUsage, printed)
	}
	if begun, err := os.ReadDir(home); err != nil || len(begun) > 0 {
		t.Errorf("it has begun: %v, %v", begun, err)
	}
}

// TestAnEveningInATerminal plays, saves, looks at the saves and leaves; then
// the program is killed, and the next start offers to go on.
func TestAnEveningInATerminal(t *testing.T) {
	home := t.TempDir()
	e := begin(t, home, "--speed", "4")
	e.await("Bramble Lane", "Decisions", "Field", "Party", "#1 ")
	e.keys("s")
	e.await("✓ saved ")
	e.keys("l")
	e.await("Saves", "autosave", "digests")
	e.keys("\x1b")
	e.await("Decisions") // before another key, which would be taken as Alt with it
	e.keys("q")
	e.await("Leave?")
	e.keys("\r")
	e.ended(0)
	if n := len(saved(t, home)); n < 3 {
		t.Errorf("%d saves: the first, the operator's and the final one are expected", n)
	}

	e = begin(t, home)
	e.await("Resume?", "▸ Resume")
	e.keys("\r")
	e.await("playing on")
	before := len(saved(t, home))
	e.await("#1 ")
	for len(saved(t, home)) == before { // the first save of the sitting
		time.Sleep(10 * time.Millisecond)
	}
	if err := e.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-e.gone

	e = begin(t, home)
	e.await("Resume?", "autosave")
	if err := e.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	e.ended(0)
}

// TestTheStoryInATerminal looks at a turn that is over while play goes on,
// branches from it, and is told the story so far.
func TestTheStoryInATerminal(t *testing.T) {
	home := t.TempDir()
	e := begin(t, home, "--speed", "4")
	e.await("#3 ")
	e.keys("/goto 1\r")
	e.await("Turn 1 ", "objective", "RAM ", "b branch from here")
	e.keys("b")
	e.await("Go on from this turn?", "▸ Cancel")
	e.keys("\x1b[C\r")
	e.await("branched from turn 1 as ")
	e.keys("/recall\r")
	e.await("The story so far", "being played", "Objective", "Maps")
	e.keys("q")
	e.await("Decisions")
	e.keys("q")
	e.await("Leave?")
	e.keys("\r")
	e.ended(0)
}

// TestDetailsOnTheCartridge looks at the cupboard's party, the boxes, the map
// and a double battle, in full, while the game goes on.
func TestDetailsOnTheCartridge(t *testing.T) {
	e := begin(t, t.TempDir(), "--fixture", "bramble-cupboard")
	e.await("Party", "Bad egg")
	e.keys(" ")
	e.await("PAUSED")
	e.keys("/party 3\r")
	e.await("Party 3/6", "Its record does not hold", "slot 3")
	e.keys("\x1b[A")
	e.await("Party 2/6", "What is in it shows when it hatches")
	e.keys("\x1b[A")
	e.await("Party 1/6", "THISTLET", "Thorny Coat", "Nettle Lash GRASS", "Sp. Atk", "IV    EV")
	e.keys("\t\t")
	e.await("Boxes 1/14", "as of turn", "in all boxes")
	e.keys("/map\r")
	e.await("BRIAR HOLLOW", "@ you", "exits", "others")
	e.keys("/trainer\r")
	e.await("Trainer card", "(secret ", "¥3000", "0 of 8", "SORREL")
	e.keys("q\r")
	e.ended(0)

	e = begin(t, t.TempDir(), "--fixture", "bramble-double-battle")
	e.await("Battle · double", "PEBBUN", "GLIMMOLE")
	e.keys(" ")
	e.await("PAUSED")
	e.keys("/battle thist\r")
	e.await("Battle 3/4", "you, slot 1", "Against PEBBUN", "Against GLIMMOLE", "×½", "×2", "double battle")
	e.keys("q\r")
	e.ended(0)
}
