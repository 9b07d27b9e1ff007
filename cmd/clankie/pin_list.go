package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/play/pins"
)

// pinRow is one pinned game as it is listed.
type pinRow struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	ROMPath string     `json:"romPath"`
	ROM     emu.Digest `json:"romSha256"`
	Starts  []string   `json:"pins"`
	Problem string     `json:"problem"` // why it cannot be played, or ""
}

func newPinListCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the pinned games and their pinned starts",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			where, err := findFolders()
			if err != nil {
				return err
			}
			rows, err := pinRows(pins.Open(where.pins))
			if asJSON {
				return errors.Join(err, printJSON(io.out, rows))
			}
			w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tTITLE\tPINS\tSTATE")
			for _, r := range rows {
				fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", r.ID, emu.Clean(r.Title), len(r.Starts), or(r.Problem, "playable"))
			}
			return errors.Join(err, w.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func pinRows(shelf *pins.Shelf) ([]pinRow, error) {
	ids, err := shelf.IDs()
	rows := make([]pinRow, 0, len(ids))
	for _, id := range ids {
		g, err := shelf.Game(id)
		row := pinRow{ID: id, Title: g.Title, ROMPath: g.ROMPath, ROM: g.ROMSHA256}
		if err != nil {
			row.Problem = err.Error()
		}
		if row.Starts, err = shelf.StartNames(id); err != nil && row.Problem == "" {
			row.Problem = err.Error()
		}
		rows = append(rows, row)
	}
	return rows, err
}
