package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"clankie/play"
)

// screen runs the program on a terminal in memory.
type screen struct {
	t       *testing.T
	vt      *terminal
	sitting *fakeSitting
	in      *io.PipeWriter
	out     *lockedBuffer // everything the program wrote
	done    chan error
	cancel  context.CancelFunc
}

// terminal is a terminal in memory that may be looked at while it is written
// to.
type terminal struct {
	mu sync.Mutex
	e  *vt.Emulator
}

func newTerminal(w, h int) *terminal {
	t := &terminal{e: vt.NewEmulator(w, h)}
	_, _ = t.Write([]byte("\x1b[20h")) // new lines return the carriage
	return t
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.e.Write(p)
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.e.String()
}

func (t *terminal) altScreen() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.e.IsAltScreen()
}

func (t *terminal) cell(x, y int) uv.Cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.e.CellAt(x, y); c != nil {
		return *c
	}
	return uv.Cell{}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newScreen(t *testing.T, w, h int, o Options, s *fakeSitting, extra ...tea.ProgramOption) *screen {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	emulator := newTerminal(w, h)
	inR, inW := io.Pipe()
	sc := &screen{t: t, vt: emulator, sitting: s, in: inW, out: &lockedBuffer{}, done: make(chan error, 1), cancel: cancel}
	answers := make(chan struct{})
	go func() { // what the terminal answers is not needed
		defer close(answers)
		_, _ = io.Copy(io.Discard, emulator.e)
	}()
	go func() {
		sc.done <- run(ctx, s, o, append(extra,
			tea.WithInput(inR), tea.WithOutput(io.MultiWriter(emulator, sc.out)), tea.WithWindowSize(w, h),
			tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignalHandler())...)
	}()
	t.Cleanup(func() {
		cancel()
		_ = inW.Close()
		_ = inR.Close()
		_ = emulator.e.InputPipe().(io.Closer).Close() // Emulator.Close races with a read
		<-answers
	})
	return sc
}

func (s *screen) show(u play.Update) { s.sitting.feed.updates <- u }

func (s *screen) keys(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatal(err)
	}
}

// await waits until the screen shows every part. The deadline only ends a
// test that has failed.
func (s *screen) await(parts ...string) {
	s.t.Helper()
	s.until(strings.Join(parts, ", "), func() bool {
		text := s.vt.String()
		for _, p := range parts {
			if !strings.Contains(text, p) {
				return false
			}
		}
		return true
	})
}

func (s *screen) until(what string, holds func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("never came: %s\n%s", what, s.vt.String())
		}
	}
}

func (s *screen) ended() error {
	s.t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(2 * time.Minute):
		s.t.Fatal("the program does not end")
		return nil
	}
}

// restored checks that the program left the terminal as it was.
func (s *screen) restored() {
	s.t.Helper()
	out := s.out.String()
	for _, pair := range [][2]string{{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?25l", "\x1b[?25h"}, {"\x1b[?1004h", "\x1b[?1004l"}, {"\x1b[?2004h", "\x1b[?2004l"}} {
		if on, off := strings.LastIndex(out, pair[0]), strings.LastIndex(out, pair[1]); on < 0 || off < on {
			s.t.Errorf("%q was set and %q did not follow", pair[0], pair[1])
		}
	}
	if s.vt.altScreen() {
		s.t.Error("the alternate screen is left open")
	}
}

func TestOnAScreen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {164, 50}} {
		s := newScreen(t, size[0], size[1], Options{}, newFakeSitting())
		s.show(play.Update{Snapshot: fakeSnapshot(7), Events: []play.Event{fakeTurn(7)}})
		s.await("BRAMBLE TOWN", "turn 7/500", "MOSSLING")
		divisor := newLayout(size[0], size[1], false, false).divisor
		w, _ := shrunk(divisor)
		small := make([]rgb, len(fakePicture(67, 1)))
		shrink(small, fakeSnapshot(7).Picture.Pix, divisor)
		for _, at := range [][2]int{{0, 0}, {9, 4}, {w - 1, 7}, {w / 2, 10}} {
			want := small[2*at[1]*w+at[0]]
			s.until("the picture", func() bool { return s.topPixel(at[0], at[1]+1) == want })
		}
		s.keys("q\r")
		if err := s.ended(); err != nil {
			t.Fatal(err)
		}
		s.restored()
	}
}

// topPixel is the colour of the upper half of a cell.
func (s *screen) topPixel(x, y int) rgb {
	c := s.vt.cell(x, y)
	col := c.Style.Bg
	if c.Content == "▀" {
		col = c.Style.Fg
	}
	if col == nil {
		return rgb{}
	}
	r, g, b, _ := col.RGBA()
	return rgb{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}

func TestAnEveningOnAScreen(t *testing.T) {
	f := newFakeSitting()
	s := newScreen(t, 120, 40, Options{Resume: &f.saves[2]}, f)
	s.show(play.Update{Snapshot: fakeSnapshot(1)})
	s.await("Resume?", "before the rival")
	s.keys("\r")
	s.await("✓ resume done")
	s.keys("/save by the gate\r")
	s.await("✓ save done")
	s.keys("p")
	s.await("BY HAND")
	s.keys("\x1b[A")
	s.until("the press", func() bool { sent := f.sent(); return sent[len(sent)-1].Kind == play.CommandPress })
	s.keys("\x1b")
	s.until("the pad given back", func() bool { sent := f.sent(); return sent[len(sent)-1].Kind == play.CommandGivePad })
	s.keys("l")
	s.await("1–30 of 30")
	s.keys("\x1b[3~")
	s.await("Delete a save?")
	s.keys("\r\r\r") // keeps it, asks to load it, loads it
	s.await("✓ load done")
	s.show(play.Update{Events: []play.Event{{Kind: play.EventNotice, Text: "a notice"}}})
	s.await("a notice")
	for _, c := range f.sent() {
		if c.Kind == play.CommandDeleteSave {
			t.Fatal("a run of Enter deleted a save")
		}
	}
	s.cancel()
	if err := s.ended(); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run returned %v", err)
	}
	s.restored()
}

func TestTheTerminalIsRestoredAfterAPanic(t *testing.T) {
	breaks := tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "b" {
			panic("broken on purpose")
		}
		return msg
	})
	s := newScreen(t, 80, 24, Options{}, newFakeSitting(), breaks)
	s.show(play.Update{Snapshot: fakeSnapshot(1)})
	s.await("BRAMBLE TOWN")
	s.keys("b")
	if err := s.ended(); !errors.Is(err, tea.ErrProgramPanic) {
		t.Fatalf("Run returned %v", err)
	}
	s.restored()
}

// TestWithoutATerminal: a pipe gets an error that names the way out.
func TestWithoutATerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	err = Run(t.Context(), newFakeSitting(), Options{Input: r, Output: w})
	if !errors.Is(err, ErrNoTerminal) || !strings.Contains(err.Error(), "--plain") {
		t.Errorf("Run returned %v", err)
	}
}

// TestSignals runs the program in a process of its own on a pseudo-terminal
// and ends it from outside.
func TestSignals(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		f := newFakeSitting()
		f.feed.updates <- play.Update{Snapshot: fakeSnapshot(1)}
		if err := Run(context.Background(), f, Options{}); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		return
	}
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSignals$")
		cmd.Env = append(os.Environ(), childVariable+"=1", "TERM=xterm-256color")
		f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
		if err != nil {
			t.Skipf("no pseudo-terminal here: %v", err)
		}
		out := &lockedBuffer{}
		copied := make(chan struct{})
		go func() { defer close(copied); _, _ = io.Copy(out, f) }()
		s := &screen{t: t, vt: newTerminal(80, 24), out: out}
		s.until("the picture", func() bool { return strings.Contains(out.String(), "BRAMBLE") })
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		<-copied // the terminal ends with the process
		_ = f.Close()
		if err != nil {
			t.Errorf("after %v: %v\n%q", sig, err, out.String())
		}
		s.restored()
	}
}

const childVariable = "CLANKIE_TUI_TEST_CHILD"
