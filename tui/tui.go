package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"clankie/emu"
	"clankie/play"
)

// Sitting is what the program watches and steers. Its methods may be called
// from any goroutine; the program calls Do for one command at a time.
type Sitting interface {
	// Do applies a command and waits for its acknowledgement.
	Do(ctx context.Context, c play.Command) (play.Ack, error)
	// Watch begins to look on.
	Watch() Feed
	// Saves lists every save, newest first, those included that cannot be
	// loaded.
	Saves(ctx context.Context) ([]play.SaveEntry, error)
	// SavePicture returns the picture kept with a save.
	SavePicture(ctx context.Context, id string) (emu.Picture, error)
	// Boxes reads the storage system at the next safe border.
	Boxes(ctx context.Context) (play.Boxes, error)
	// PastTurn returns a turn that is over, as it was when it had settled. Beside
	// an error stand the run and the turn that were found, if they were.
	PastTurn(ctx context.Context, at play.PastPlace) (play.PastTurn, error)
}

// Feed brings a sitting's news. *play.Watcher is one.
type Feed interface {
	Next(ctx context.Context) (play.Update, error)
	Close()
}

// Options are the choices made before the program starts. The zero value
// serves.
type Options struct {
	// Resume is the save that the sitting stands at, when there was one to go
	// on from. The sitting must then have been started paused: the program
	// asks whether to go on from there or to restart, and lets it go on.
	Resume *play.SaveEntry
	// FPS is how often the picture is drawn a second: 30 unless set, 60 at
	// most.
	FPS int
	// Minds and Pins are the names that /mind and /restart complete.
	Minds []string
	Pins  []string
	// Absent says of minds that cannot decide here what they lack.
	Absent map[string]error
	// Stories tells of earlier play; nil where there is no record of it.
	Stories Stories
	// Notices are what the operator should know before play. They are the
	// first lines of the feed; those that begin with PassedOver are told with
	// the question whether to resume, too.
	Notices []string
	// Input and Output are the terminal: standard input and output unless
	// set.
	Input, Output *os.File
}

// PassedOver begins a notice about a newer save that is not the one to resume.
const PassedOver = "passed over "

func (o Options) withDefaults() Options {
	if o.FPS <= 0 {
		o.FPS = 30
	}
	o.FPS = min(o.FPS, 60)
	if o.Input == nil {
		o.Input = os.Stdin
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	return o
}

// CheckTerminal returns ErrNoTerminal where Run would: whoever asks before play
// begins need not begin it.
func CheckTerminal(input, output *os.File) error {
	if !term.IsTerminal(output.Fd()) || !term.IsTerminal(input.Fd()) {
		return ErrNoTerminal
	}
	if t := os.Getenv("TERM"); t == "dumb" {
		return fmt.Errorf("TERM=%s: %w", t, ErrNoTerminal)
	}
	return nil
}

// ErrNoTerminal is what Run returns when its output or input is no terminal.
var ErrNoTerminal = errors.New("this is no terminal the program can draw on; use --plain")

// Run shows the program until the operator leaves or ctx ends. It does not
// stop the sitting: whoever started it does, once Run has returned. However
// it ends, by a panic or a signal too, the terminal is as it was before.
func Run(ctx context.Context, s Sitting, o Options) error {
	o = o.withDefaults()
	if err := CheckTerminal(o.Input, o.Output); err != nil {
		return err
	}
	// A signal, a terminal that hangs up too, ends the program like a key: Bubble
	// Tea's own handler would kill it, and close the input while it is read.
	here, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := run(here, s, o, tea.WithInput(o.Input), tea.WithOutput(o.Output), tea.WithoutSignalHandler())
	if here.Err() != nil && ctx.Err() == nil && !errors.Is(err, tea.ErrProgramPanic) {
		return nil // the operator has left
	}
	return err
}

// run is Run without looking at the terminal.
func run(ctx context.Context, s Sitting, o Options, extra ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feed := s.Watch()
	defer feed.Close()
	program := tea.NewProgram(newModel(ctx, s, feed, o), extra...)
	defer context.AfterFunc(ctx, program.Quit)()
	if _, err := program.Run(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
