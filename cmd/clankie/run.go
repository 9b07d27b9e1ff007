package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind"
)

func newRunCommand(io streams) *cobra.Command {
	var flags playFlags
	var asJSON, resume bool
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Play without a terminal and print a summary",
		Long: `Run plays a number of turns from the pinned savestate, or with --resume from
the newest save of the live timeline, and prints what came of it. At speed max
no frame runs but those of actions, so equal runs end in equal RAM.

It ends in order, with exit code 0 and the outcome budget_exhausted, at whatever
cap is reached first: turns, time, or the model's tokens or money. Where it
could only go on with somebody's help it ends with exit code 1 and the outcome
failed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.turns == 0 {
				return usagef("say how many turns: run --turns N")
			}
			if flags.mind == mind.NameOperator {
				return usagef("run has nobody at the pad: choose another --mind, or play with clankie play --mind operator")
			}
			return runTurns(cmd.Context(), io, flags, resume, asJSON)
		},
	}
	flags.register(cmd)
	cmd.Flags().Lookup("turns").Usage = "play so many turns; it must be said"
	cmd.Flags().Lookup("mind").Usage = "who decides: " + mind.NameAutopilot + " or model"
	cmd.Flags().BoolVar(&resume, "resume", false, "go on from the newest save of the live timeline")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// runReport is what a run prints: the fields of the journal's summary and
// where to find the rest. The names are stable.
type runReport struct {
	RunID               string           `json:"runId"`
	Outcome             string           `json:"outcome"`
	TurnsTaken          int              `json:"turnsTaken"`
	Accepted            int              `json:"accepted"`
	Goals               []string         `json:"goals"`
	FinalRAM            emu.Digest       `json:"finalRamSha256"`
	Progress            journal.Progress `json:"progress"`
	Volition            journal.Volition `json:"volition"`
	LongestUnchangedRun int              `json:"longestUnchangedRun"`
	LongestRecurringRun int              `json:"longestRecurringRun"`
	DurationMS          float64          `json:"durationMs"`
	Checkpoints         []string         `json:"checkpoints"`
	Journal             string           `json:"journal"`
	ResumedFrom         string           `json:"resumedFrom,omitzero"`
	Notices             []string         `json:"notices,omitzero"`
}

func runTurns(ctx context.Context, std streams, f playFlags, resume, asJSON bool) error {
	s, err := takeSeat(ctx, std, f, seatOptions{resume: resume, alone: true})
	if err != nil {
		return err
	}
	for _, n := range s.notices {
		fmt.Fprintln(std.err, "note: "+n)
	}
	failures := s.tellFailures(std.err)
	result, err := s.Run(ctx)
	err = errors.Join(err, s.close())
	report := s.report(result, failures())
	if asJSON {
		return errors.Join(err, printJSON(std.out, report))
	}
	if result.Why != "" {
		fmt.Fprintln(std.err, "note: "+result.Why)
	}
	return errors.Join(err, printRun(std.out, report))
}

// maxFailures is how many different failures a run tells; a disk that stays
// full says the same thing thousands of times.
const maxFailures = 50

// tellFailures prints, as it happens, what fails while play goes on: a journal
// that cannot be written, a save that was not made. It returns a function
// that waits for the sitting's end and returns all that was told.
func (s *seat) tellFailures(to io.Writer) func() []string {
	feed := s.Watch()
	told := make(chan []string, 1)
	go func() {
		defer feed.Close()
		var failures []string
		for {
			u, err := feed.Next(context.Background())
			if err != nil {
				told <- failures
				return
			}
			for _, e := range u.Events {
				if e.Kind == play.EventError && len(failures) < maxFailures && !slices.Contains(failures, e.Text) {
					failures = append(failures, e.Text)
					fmt.Fprintln(to, "note: "+e.Text)
				}
			}
		}
	}()
	return func() []string { return <-told }
}

func (s *seat) report(r play.Result, failures []string) runReport {
	out := runReport{
		RunID: s.runID, Outcome: r.Outcome, TurnsTaken: r.Turns, Accepted: r.Accepted,
		Goals: r.Goals, FinalRAM: r.Final,
		Progress: r.Summary.Progress, Volition: r.Summary.Volition,
		LongestUnchangedRun: r.Summary.LongestUnchangedRun, LongestRecurringRun: r.Summary.LongestRecurringRun,
		DurationMS: r.Summary.DurationMS, Checkpoints: r.Checkpoints, Journal: s.journal.Path(), Notices: slices.Concat(s.notices, failures),
	}
	if r.Why != "" {
		out.Notices = append(out.Notices, r.Why)
	}
	if s.resumed != nil {
		out.ResumedFrom = s.resumed.ID
	}
	return out
}

func printRun(to io.Writer, r runReport) error {
	_, err := fmt.Fprintf(to, "%s: %s, %d accepted, %s; goals: %s\n%s; journal %s\nfinal RAM %s\n",
		r.Outcome, emu.Count(r.TurnsTaken, "turn"), r.Accepted, emu.Count(r.Progress.DistinctTiles, "tile"), or(strings.Join(r.Goals, ", "), "none"),
		emu.Count(len(r.Checkpoints), "save"), or(r.Journal, "none"), r.FinalRAM)
	return err
}
