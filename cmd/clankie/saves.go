package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/play"
)

func newSavesCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "saves",
		Short: "List, show and delete saves",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return usagef("say which: saves list, show or delete") },
	}
	cmd.AddCommand(newSavesListCommand(io), newSavesShowCommand(io), newSavesDeleteCommand(io))
	return cmd
}

// openStore opens the store of saves.
func openStore() (*checkpoint.Store, error) {
	where, err := findFolders()
	if err != nil {
		return nil, err
	}
	store, err := checkpoint.Open(where.checkpoints, checkpoint.Options{})
	return store, usage(err)
}

func newSavesListCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List every save, newest first",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := openStore()
			if err != nil {
				return err
			}
			// Without a running core there is nothing to compare cartridge and
			// core with: the zero identity lists what is sound in itself.
			entries, err := store.List(cmd.Context(), emu.CoreIdentity{})
			if err != nil {
				return err
			}
			saves := make([]play.SaveEntry, len(entries))
			for i, e := range entries {
				saves[i] = play.SaveEntryOf(e)
			}
			if asJSON {
				return printJSON(io.out, saves)
			}
			return printSaves(io.out, store.Root(), saves)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func printSaves(w io.Writer, root string, saves []play.SaveEntry) error {
	if len(saves) == 0 {
		_, err := fmt.Fprintf(w, "no saves in %s\n", root)
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CAPTURED\tGAME\tLABEL\tPLACE\tREASON\tHEALTH\tID")
	var total int64
	strays := 0
	for _, s := range saves {
		if s.Stray {
			strays++
		}
		total += s.Bytes
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			when(s.CapturedAt), or(s.Game, "-"), or(s.Label, "-"), s.Place, or(s.Reason, "-"), s.Health, s.ID)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s, %s, in %s%s\n", emu.Count(len(saves)-strays, "save"), emu.Size(total), root, andStrays(strays))
	return err
}

// andStrays tells of what lies among the saves and is none.
func andStrays(strays int) string {
	if strays == 0 {
		return ""
	}
	return fmt.Sprintf("; %d more not taken for a save", strays)
}

func newSavesShowCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one save, its bytes verified",
		Args:  exactly(1, "the id of one save"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := openStore()
			if err != nil {
				return err
			}
			details, err := store.Get(cmd.Context(), args[0], emu.CoreIdentity{})
			if err != nil {
				return err
			}
			shown := shownSave{play.SaveEntryOf(details.Entry), details.Verified}
			if asJSON {
				err = printJSON(io.out, shown)
			} else {
				err = printSave(io.out, shown)
			}
			if err == nil && !details.Verified {
				return fmt.Errorf("%s cannot be loaded: %s", shown.ID, or(shown.HealthNote, "its bytes were not verified"))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// shownSave is one save with its bytes looked at.
type shownSave struct {
	play.SaveEntry
	Verified bool `json:"verified"` // the state's bytes are the ones that were saved
}

func printSave(w io.Writer, s shownSave) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"id", s.ID},
		{"label", or(s.Label, "-")},
		{"game", or(s.Game, "-")},
		{"place", s.Place},
		{"captured", when(s.CapturedAt)},
		{"reason", or(s.Reason, "-")},
		{"parent", or(s.Parent, "-")},
		{"journey", or(s.Journey, "-")},
		{"objective", or(s.Objective, "-")},
		{"notes", or(s.Notes, "-")},
		{"health", strings.TrimSuffix(string(s.Health)+": "+s.HealthNote, ": ")},
		{"verified", fmt.Sprint(s.Verified)},
		{"size", emu.Count(s.Bytes, "byte")},
		{"cartridge", or(string(s.ROMSHA256), "-")},
		{"core", or(string(s.CoreSHA256), "-")},
		{"state", or(string(s.StateSHA), "-")},
	} {
		fmt.Fprintf(table, "%s\t%s\n", row[0], row[1])
	}
	return table.Flush()
}

func newSavesDeleteCommand(io streams) *cobra.Command {
	var confirm string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "delete ID --confirm ID",
		Short: "Delete one save for good",
		Args:  exactly(1, "the id of one save"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if confirm != args[0] {
				return usagef("nothing was deleted: deleting is final, so say the id twice: saves delete %s --confirm %s",
					emu.Clean(args[0]), emu.Clean(args[0]))
			}
			store, err := openStore()
			if err != nil {
				return err
			}
			if err := store.Delete(cmd.Context(), args[0], confirm); err != nil {
				return err
			}
			if asJSON {
				return printJSON(io.out, map[string]string{"deleted": args[0]})
			}
			_, err = fmt.Fprintf(io.out, "deleted %s for good\n", args[0])
			return err
		},
	}
	cmd.Flags().StringVar(&confirm, "confirm", "", "the id once more")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func when(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
