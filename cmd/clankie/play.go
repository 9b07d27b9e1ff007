package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/play"
	"clankie/tui"
)

func newPlayCommand(io streams) *cobra.Command {
	var flags playFlags
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Watch and steer him while he plays (what clankie does by itself)",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPlay(cmd.Context(), io, flags)
		},
	}
	flags.register(cmd)
	flags.registerScreen(cmd)
	return cmd
}

// runPlay plays with somebody looking on.
func runPlay(ctx context.Context, io streams, f playFlags) error {
	if f.fps < 1 || f.fps > 60 {
		return usagef("--fps %d: must be 1 to 60", f.fps)
	}
	if !f.plain {
		if err := tui.CheckTerminal(os.Stdin, os.Stdout); err != nil {
			return usage(err)
		}
	}
	s, err := takeSeat(ctx, io, f, seatOptions{resume: !f.fresh, paused: true})
	if err != nil {
		return err
	}
	result, err := s.playWatched(ctx, io, f)
	err = errors.Join(err, s.close())
	if err == nil {
		_, err = fmt.Fprintf(io.out, "%s after %s; journal %s\n", result.Outcome, emu.Count(result.Turns, "turn"), or(s.journal.Path(), "none"))
	}
	return err
}

// playWatched runs the sitting in one goroutine and the program that shows it
// in this one. Whichever ends first ends the other.
func (s *seat) playWatched(ctx context.Context, io streams, f playFlags) (play.Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type ending struct {
		result play.Result
		err    error
	}
	ended := make(chan ending, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				ended <- ending{err: fmt.Errorf("the sitting broke: %v\n%s", p, debug.Stack())}
			}
		}()
		result, err := s.Run(ctx)
		ended <- ending{result, err}
	}()
	err := s.show(ctx, io, f)
	if ctx.Err() != nil {
		err = nil // a signal ends the evening like a key: with a save, and in order
	}
	stop()
	end := <-ended
	return end.result, errors.Join(err, end.err)
}

func (s *seat) show(ctx context.Context, io streams, f playFlags) error {
	if f.plain {
		for _, n := range s.notices {
			fmt.Fprintln(io.err, "note: "+n)
		}
		return tui.Plain(ctx, shown{s.Sitting}, io.out, tui.PlainOptions{
			Resume: s.resumed, Input: io.in, Minds: s.minds, Absent: s.absent, Stories: s.stories,
		})
	}
	return tui.Run(ctx, shown{s.Sitting}, tui.Options{
		Resume: s.resumed, FPS: f.fps, Minds: s.minds, Absent: s.absent, Pins: s.pins, Notices: s.notices, Stories: s.stories,
	})
}

// shown is a sitting as package tui wants to see it.
type shown struct{ *play.Sitting }

// Watch implements tui.Sitting.
func (s shown) Watch() tui.Feed { return s.Sitting.Watch() }
