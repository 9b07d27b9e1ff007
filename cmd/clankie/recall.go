package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/journal"
)

func newRecallCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "recall",
		Short: "Tell the story of the journey being played, or else of the last one",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			where, err := findFolders()
			if err != nil {
				return err
			}
			recalled, problems, err := journal.Recall(where.journals, "")
			if err != nil {
				return err
			}
			tellProblems(io, problems)
			switch {
			case asJSON:
				return printJSON(io.out, recalled)
			case recalled.Card == nil:
				_, err = fmt.Fprintln(io.out, "nothing was played yet")
				return err
			}
			return printStory(io.out, *recalled.Card, recalled.Active)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newJournalStoryCommand(io streams) *cobra.Command {
	var journey string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "story",
		Short: "Tell the story of a journey across its runs",
		Long: `Story tells of the journey named with --journey, or of the one that recall would
tell of: where it led, what was wanted, and the moments worth telling. The exit
code is 1 when there is no such journey.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			where, err := findFolders()
			if err != nil {
				return err
			}
			card, problems, err := tellStory(where.journals, journey)
			tellProblems(io, problems)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(io.out, card)
			}
			return printStory(io.out, card, false)
		},
	}
	cmd.Flags().StringVar(&journey, "journey", "", "the journey's id")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func tellStory(dir, journey string) (journal.Card, []journal.Problem, error) {
	if journey != "" {
		return journal.Story(dir, journey)
	}
	recalled, problems, err := journal.Recall(dir, "")
	if err != nil || recalled.Card != nil {
		return deref(recalled.Card), problems, err
	}
	return journal.Story(dir, "")
}

func deref(c *journal.Card) journal.Card {
	if c == nil {
		return journal.Card{}
	}
	return *c
}

// printStory tells a story in lines.
func printStory(w io.Writer, c journal.Card, active bool) error {
	state := ""
	if active {
		state = ", being played"
	}
	fmt.Fprintf(w, "%s since %s: %s%s\n", emu.Clean(c.EnvironmentID), moment(c.StartedAt), emu.Count(c.TurnsTaken, "turn"), state)
	if c.LastTurnAt != nil {
		fmt.Fprintf(w, "last turn %s\n", moment(*c.LastTurnAt))
	}
	fmt.Fprintf(w, "objective: %s\n", cleanOr(c.Objective, "none"))
	if len(c.Maps) > 0 {
		fmt.Fprintf(w, "places: %s\n", emu.Clean(strings.Join(c.Maps, ", ")))
	}
	for _, m := range c.Moments {
		line := fmt.Sprintf("%s  %s", moment(m.At), emu.Clean(m.Effect))
		if m.Toward != nil {
			line += " — toward: " + emu.Clean(*m.Toward)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
