package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes; people script them.
const (
	exitDone   = 0
	exitFailed = 1 // what was asked for failed or did not hold
	exitUsage  = 2 // wrong use, or something the machine lacks
)

// exitError carries the exit code that an error stands for.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage marks err as wrong use or a lack of the environment.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitUsage, err}
}

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// streams are the program's ends to the world.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	// A reader that has gone away is an error of the write like any other, and
	// ends play in order, with a save.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := untilSignalled(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(execute(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// signalled is the cause of a context that a signal ended.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return "ended by signal: " + s.String() }

// exitCode is what a shell makes of a program that the signal ended.
func (s signalled) exitCode() int {
	if number, ok := s.Signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return exitFailed
}

// untilSignalled returns a context that the first of the signals ends. Until
// stop is called later ones change nothing.
func untilSignalled(ctx context.Context, signals ...os.Signal) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	told := make(chan os.Signal, 1)
	signal.Notify(told, signals...)
	go func() {
		select {
		case s := <-told:
			cancel(signalled{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(told)
		cancel(nil)
	}
}

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, io streams) int {
	out := &outlet{Writer: io.out}
	root := newRoot(streams{io.in, out, io.err})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.lost()
	}
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errTold) && !leftByReader(err) {
		fmt.Fprintln(io.err, "clankie: "+err.Error())
	}
	var coded *exitError
	if errors.As(err, &coded) {
		return coded.code
	}
	return exitFailed
}

// errTold stands for an error that was printed already.
var errTold = errors.New("it was told")

// newRoot is the tree of commands; without one, the program plays.
func newRoot(io streams) *cobra.Command {
	var flags playFlags
	root := &cobra.Command{
		Use:   "clankie",
		Short: "Watch and steer Clankie while he plays",
		Long: `Clankie plays a Game Boy Advance game on this machine, on his own, and you
watch and steer him here. Without a game of yours he plays Bramble Lane, the
project's own cartridge.`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPlay(cmd.Context(), io, flags)
		},
	}
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	root.SetFlagErrorFunc(wrongFlag)
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	flags.register(root)
	flags.registerScreen(root)
	root.AddCommand(
		newPlayCommand(io), newRunCommand(io), newSavesCommand(io), newReplayCommand(io), newDecodeCommand(io), newScenarioCommand(io), newCoreCommand(io), newVersionCommand(io), newPinCommand(io), newDoctorCommand(io),
		newJournalCommand(io), newRecallCommand(io), newMCPCommand(io),
	)
	refuseOtherShells(root)
	refuseOtherTopics(root)
	return root
}

// wrongFlag says what is wrong with a flag, without the words of Go that the
// library adds.
func wrongFlag(cmd *cobra.Command, err error) error {
	text, parsing, _ := strings.Cut(err.Error(), ": strconv.")
	switch {
	case strings.HasPrefix(parsing, "ParseBool"):
		text += ": must be true or false"
	case parsing != "":
		text += ": must be a whole number"
	}
	return usagef("%s; see %s --help", text, cmd.CommandPath())
}

// refuseOtherTopics makes help on a command that there is none of wrong use. By
// itself the library prints its own help, as if nothing were wrong.
func refuseOtherTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" {
			continue
		}
		cmd.Run = nil
		cmd.RunE = func(_ *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q to help with; clankie --help lists them", strings.Join(args, " "))
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		}
	}
}

// refuseOtherShells makes the completion for a shell that there is none for
// wrong use. By itself the library prints help, as if nothing were wrong.
func refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			var shells []string
			for _, shell := range cmd.Commands() {
				shells = append(shells, shell.Name())
			}
			return usagef("say for which shell: %s %s", cmd.CommandPath(), strings.Join(shells, ", "))
		}
	}
}

// noArguments refuses arguments as wrong use; an unknown command is one.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unknown command or argument %q for %q; see %s --help", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

// atMost refuses more arguments than n as wrong use.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s takes %s; see %s --help", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}

// exactly refuses any other number of arguments as wrong use.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s takes %s; see %s --help", cmd.CommandPath(), what, cmd.CommandPath())
		}
		return nil
	}
}
