package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/journal"
)

func newJournalCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "Read the record of play",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("say which: journal list, show, check, evaluate or story")
		},
	}
	cmd.AddCommand(
		newJournalListCommand(io), newJournalShowCommand(io), newJournalCheckCommand(io),
		newJournalEvaluateCommand(io), newJournalStoryCommand(io),
	)
	return cmd
}

// tellProblems says on standard error which files were passed over.
func tellProblems(io streams, problems []journal.Problem) {
	for _, p := range problems {
		fmt.Fprintf(io.err, "note: %s: %s\n", emu.Clean(p.Path), p.Reason)
	}
}

func newJournalListCommand(io streams) *cobra.Command {
	var journey string
	var daily, asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the runs, newest first",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			where, err := findFolders()
			if err != nil {
				return err
			}
			runs, problems, err := journal.Overviews(where.journals, journey)
			if err != nil {
				return err
			}
			tellProblems(io, problems)
			days := journal.Days(runs, time.Local)
			switch {
			case asJSON && daily:
				return printJSON(io.out, days)
			case asJSON:
				return printJSON(io.out, runs)
			case len(runs) == 0:
				_, err = fmt.Fprintf(io.out, "no runs in %s\n", where.journals)
				return err
			case daily:
				return printDays(io, days)
			}
			return printRuns(io, runs)
		},
	}
	cmd.Flags().StringVar(&journey, "journey", "", "only the runs of this journey")
	cmd.Flags().BoolVar(&daily, "daily", false, "group them by the date on which they began")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printRuns(io streams, runs []journal.Overview) error {
	table := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "STARTED\tGAME\tTURNS\tOUTCOME\tOBJECTIVE\tID")
	for _, r := range runs {
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\n", moment(r.StartedAt), playedIn(r),
			r.Turns, runOutcome(r), cleanOr(r.Objective, "-"), emu.Clean(r.RunID))
	}
	return table.Flush()
}

// printDays shows what was played on each date, and where to read on.
func printDays(io streams, days []journal.Day) error {
	for _, day := range days {
		fmt.Fprintf(io.out, "%s: %s\n", day.Date, emu.Count(day.Turns, "turn"))
		for _, r := range day.Runs {
			fmt.Fprintf(io.out, "  %s, %s, %s, %s: %s\n", moment(r.StartedAt), playedIn(r), emu.Count(r.Turns, "turn"), runOutcome(r), cleanOr(r.Objective, "no objective"))
			if _, err := fmt.Fprintf(io.out, "    clankie journal show %s\n", emu.Clean(r.RunID)); err != nil {
				return err
			}
		}
	}
	return nil
}

func runOutcome(r journal.Overview) string {
	if r.Live {
		return "live"
	}
	return cleanOr(r.Outcome, "cut off")
}

// playedIn names the game and journey of a run.
func playedIn(r journal.Overview) string {
	return journal.Named(cleanOr(r.EnvironmentID, "an unnamed game"), text(r.JourneyID))
}

// moment shows a journal's moment in the time of this place.
func moment(s string) string {
	at, ok := emu.ParseMoment(s)
	if !ok {
		return "unknown"
	}
	return when(at)
}

// cleanOr is a text of a journal, safe to show.
func cleanOr(s *string, fallback string) string { return or(emu.Clean(text(s)), fallback) }

func newJournalCheckCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Read every byte of a journal and say what is damaged",
		Long: `Check counts everything in a journal that can be read, whatever else is damaged,
says where the file cannot be read, and compares screenshots with their record.
The exit code is 1 when anything is damaged.`,
		Args: exactly(1, "one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			check, err := journal.CheckFile(args[0])
			if err != nil {
				return usage(err)
			}
			if asJSON {
				err = printJSON(io.out, check)
			} else {
				err = printCheck(io, check)
			}
			if err == nil && check.Damaged {
				return errors.New(check.Problems[0])
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printCheck(io streams, c journal.Check) error {
	table := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", args...) }
	row("run", "%s", cleanOr(c.RunID, "-"))
	row("journey", "%s", or(emu.Clean(c.JourneyID), "-"))
	row("lines", "%d: %s, %s, %s", c.Lines.Total, emu.Count(c.Lines.Header, "header"), emu.Count(c.Lines.Turn, "turn"), emu.CountOf(c.Lines.Summary, "summary", "summaries"))
	row("turns", "%s", counts(c.Turns.ByOutcome))
	row("versions", "%s", counts(c.Turns.ByVersion))
	row("reduced", "%d", c.Turns.Reduced)
	row("actions", "%s", counts(c.ActionKinds))
	row("failures", "%s", counts(c.FailureCodes))
	row("screenshots", "%d of %d present, %d as recorded", c.Screenshots.Present, c.Screenshots.Referenced, c.Screenshots.Matching)
	for _, bad := range c.Screenshots.Bad {
		row("", "%s %s", bad.Path, bad.Reason)
	}
	row("gaps", "%d, %s of %d", c.GapCount, emu.Count(c.GapBytes, "byte"), c.Bytes)
	for _, gap := range c.Gaps {
		row("", "bytes %d to %d: %s%s", gap.Offset, gap.Offset+gap.Bytes, gap.Reason, torn(gap))
	}
	for _, note := range c.Notes {
		row("note", "%s", note)
	}
	return table.Flush()
}

func torn(g journal.Gap) string {
	if g.Torn {
		return " (the end of the file, as a crash leaves it)"
	}
	return ""
}

func newJournalShowCommand(io streams) *cobra.Command {
	var asJSON bool
	var turn int
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Show one run turn by turn, or one turn whole",
		Long: `Show takes a run by its id, by a beginning of it, or by its file's name. With
--turn N it prints everything that was recorded of that turn as JSON.`,
		Args: exactly(1, "one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if turn < 0 {
				return usagef("--turn %d: must be 0 or more", turn)
			}
			run, err := findRun(args[0])
			if err != nil {
				return err
			}
			switch {
			case cmd.Flags().Changed("turn"):
				return showTurn(io, run, turn)
			case asJSON:
				return showJSON(io, run)
			}
			return showTurns(io, run)
		},
	}
	cmd.Flags().IntVar(&turn, "turn", 0, "print this turn whole, counted from 0")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// findRun finds a run in the folder of journals, or takes the file that name
// is the path of.
func findRun(name string) (journal.Run, error) {
	if filepath.Base(name) != name {
		header, err := journal.ReadHeader(name)
		return journal.Run{Path: name, Header: header}, err
	}
	where, err := findFolders()
	if err != nil {
		return journal.Run{}, err
	}
	return journal.Find(where.journals, name)
}

func showTurn(io streams, run journal.Run, n int) error {
	for record, err := range journal.Read(run.Path) {
		if err != nil {
			return err
		}
		if record.Turn != nil && record.Turn.Turn.Turn == n {
			return printJSON(io.out, record.Turn)
		}
	}
	return fmt.Errorf("turn %d of %s is not there or cannot be read", n, emu.Clean(run.Header.RunID))
}

func showTurns(io streams, run journal.Run) error {
	o, err := run.Overview()
	if err != nil {
		return err
	}
	fmt.Fprintf(io.out, "run %s of %s\nstarted %s, %s, %s\njourney %s\nfile %s\n\n", emu.Clean(o.RunID),
		playedIn(o), moment(o.StartedAt), emu.Count(o.Turns, "turn"), runOutcome(o), cleanOr(o.JourneyID, "-"), o.Path)
	for record, err := range journal.Read(run.Path) {
		switch {
		case err != nil:
			return err
		case record.Gap != nil:
			fmt.Fprintf(io.out, "%5s  bytes %d to %d cannot be read: %s\n", "-", record.Gap.Offset, record.Gap.Offset+record.Gap.Bytes, record.Gap.Reason)
		case record.Turn != nil:
			fmt.Fprintln(io.out, turnLine(record.Turn.Turn))
		}
	}
	return nil
}

// turnLine is a turn on one line: what was wanted, and what came of it.
func turnLine(t journal.TurnRecord) string {
	line := fmt.Sprintf("%5d  %s", t.Turn, cleanOr(t.Intent, "no decision"))
	if t.Outcome != journal.OutcomeAccepted {
		return line + " — " + string(t.Outcome) + ": " + cleanOr(t.Detail, "no reason")
	}
	return line + " — " + cleanOr(t.Effect, "no effect recorded")
}

// showJSON prints the run and its turns without their evidence. A journal may
// be larger than memory, so the document is written as it is read.
func showJSON(io streams, run journal.Run) error {
	o, err := run.Overview()
	if err != nil {
		return err
	}
	list, err := beginDocument(io.out, shownRun{o}, "turns")
	if err != nil {
		return err
	}
	for record, err := range journal.Read(run.Path) {
		if err != nil {
			return err
		}
		if record.Turn != nil {
			if err := list.add(shownTurn{record.Turn.At, record.Turn.Turn}); err != nil {
				return err
			}
		}
	}
	return list.end()
}

// shownRun is what stands before a run's turns.
type shownRun struct {
	Run journal.Overview `json:"run"`
}

// shownTurn is a turn's record with its moment.
type shownTurn struct {
	At   string             `json:"at"`
	Turn journal.TurnRecord `json:"record"`
}
