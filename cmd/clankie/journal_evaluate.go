package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/journal"
)

func newJournalEvaluateCommand(io streams) *cobra.Command {
	var options journal.EvaluateOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "evaluate FILE",
		Short: "Judge a run from its journal alone",
		Long: `Evaluate counts how decisions, actions and what came of them go together. What
the journal has no evidence for is counted as unknown. The trails of events and
of voice receipts are read where they are; bad lines in them are passed over.`,
		Args: exactly(1, "one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := findTrails(&options); err != nil {
				return err
			}
			evaluator, err := journal.NewEvaluator(options)
			if err != nil {
				return err
			}
			result, err := evaluator.Evaluate(args[0], nil)
			if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
				return usage(err) // the file is what the machine lacks
			}
			if err != nil {
				return err
			}
			if asJSON {
				return printEvaluation(io, evaluator, args[0], result)
			}
			return printVerdicts(io, result)
		},
	}
	cmd.Flags().BoolVar(&options.LegacyIntent, "legacy-intent", false, "judge intents as before advance_dialog had words of its own")
	cmd.Flags().StringVar(&options.Events, "events", "", "the trail of session events")
	cmd.Flags().StringVar(&options.Receipts, "voice-receipts", "", "the trail of voice receipts")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document, with every turn")
	return cmd
}

// findTrails puts in the usual places where none were named. Those need not
// be there; a path that was named must.
func findTrails(o *journal.EvaluateOptions) error {
	for _, named := range []string{o.Events, o.Receipts} {
		if _, err := os.Stat(named); named != "" && err != nil {
			return usage(err)
		}
	}
	o.Events = usual(o.Events, eventLog())
	shared, err := base("XDG_STATE_HOME", filepath.Join(".local", "state"))
	if err != nil {
		return err
	}
	o.Receipts = usual(o.Receipts, override("DISCORD_BRIDGE_RECEIPT_PATH", filepath.Join(shared, "discord-live-receipts.jsonl")))
	return nil
}

// eventLog is where the trail of session events usually is, "" without a home.
func eventLog() string {
	state := os.Getenv("CLANKIE_STATE")
	if home, err := os.UserHomeDir(); err == nil && state == "" {
		state = filepath.Join(home, ".clankie")
	}
	if state == "" {
		return os.Getenv("CLANKIE_EVENT_LOG")
	}
	return override("CLANKIE_EVENT_LOG", filepath.Join(state, "events.jsonl"))
}

// usual is a path that was named, else place where there is something.
func usual(named, place string) string {
	if named != "" {
		return named
	}
	if _, err := os.Stat(place); place == "" || errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return place
}

// printEvaluation prints the whole evaluation. The journal is read once more
// for its turns, which may be too many to keep.
func printEvaluation(io streams, e *journal.Evaluator, path string, result journal.Evaluation) error {
	list, err := beginDocument(io.out, result, "turns")
	if err != nil {
		return err
	}
	if _, err := e.Evaluate(path, func(v journal.TurnVerdicts) error { return list.add(v) }); err != nil {
		return err
	}
	return list.end()
}

func printVerdicts(io streams, e journal.Evaluation) error {
	a := e.Aggregate
	table := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	row := func(name, value string) { fmt.Fprintf(table, "%s\t%s\n", name, value) }
	row("run", emu.Clean(e.Run.RunID))
	row("ended", cleanOr(e.Run.Terminal.Outcome, "unknown")+", by "+e.Run.Terminal.Source)
	row("turns", fmt.Sprintf("%d: %s", a.Turns, counts(a.Outcomes)))
	row("deciding", timed(a.Timing.Decision))
	row("acting", timed(a.Timing.Action))
	row("intent to action", counts(a.IntentToAction))
	row("goal to action", counts(a.GoalToAction))
	row("scene for action", counts(a.SceneAction))
	row("movement", counts(a.Movement))
	row("after refusals", counts(a.Recovery))
	row("narration", counts(a.Narration))
	row("stalls", fmt.Sprintf("%s told; longest without a new tile %d, repeating %d, recurring %d",
		emu.Count(a.Stalls.SignalledTurns, "turn"), a.Stalls.MaxTurnsSinceNewTile, a.Stalls.MaxRepeatedTurns, a.Stalls.MaxRecurringTurns))
	if e.Gaps > 0 {
		row("gaps", emu.CountOf(e.Gaps, "stretch", "stretches")+" of the file could not be read")
	}
	return table.Flush()
}

func timed(t journal.Timed) string {
	if t.AverageMS == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.1f ms on average, %.1f s in all, %d unknown", *t.AverageMS, t.TotalMS/1000, t.Unknown)
}
