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
			return printStory(io.out, recalled)
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
			told, problems, err := tellStory(where.journals, journey)
			tellProblems(io, problems)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(io.out, told.Card)
			}
			return printStory(io.out, told)
		},
	}
	cmd.Flags().StringVar(&journey, "journey", "", "the journey's id")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// tellStory tells of a journey, or of the one that recall would tell of.
func tellStory(dir, journey string) (journal.Recalled, []journal.Problem, error) {
	if journey == "" {
		recalled, problems, err := journal.Recall(dir, "")
		recalled.Active = false // the story is of what is on the disk
		if err != nil || recalled.Card != nil {
			return recalled, problems, err
		}
	}
	card, problems, err := journal.Story(dir, journey)
	return journal.Recalled{Outcome: journal.RecallCard, JourneyID: journey, Card: &card}, problems, err
}

// printStory tells a story in lines. There is a card.
func printStory(w io.Writer, told journal.Recalled) error {
	c, state := told.Card, ""
	if told.Active {
		state = ", being played"
	}
	fmt.Fprintf(w, "%s since %s: %s%s\n", journal.Named(emu.Clean(c.EnvironmentID), told.JourneyID), moment(c.StartedAt), emu.Count(c.TurnsTaken, "turn"), state)
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
