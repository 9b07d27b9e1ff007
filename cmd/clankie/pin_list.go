package main

import (
	"errors"
	"fmt"
	"strings"
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
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, or(emu.Clean(r.Title), "-"), or(strings.Join(r.Starts, ", "), "-"), or(r.Problem, "playable"))
			}
			return errors.Join(err, w.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// pinRows lists the games that are pinned, and others that have pinned starts:
// the project's cartridge, and a game that is played from three files.
func pinRows(shelf *pins.Shelf) ([]pinRow, error) {
	slots, err := shelf.Slots()
	rows := make([]pinRow, 0, len(slots))
	for _, slot := range slots {
		row := pinRow{ID: slot}
		switch {
		case slot == pins.Cartridge:
			row.Title = "Bramble Lane"
		case pins.CheckID(slot) != nil:
			row.Title = "played from three files"
		default:
			row = pinnedRow(shelf, slot)
		}
		var err error
		if row.Starts, err = shelf.StartNames(slot); err != nil && row.Problem == "" {
			row.Problem = err.Error()
		}
		rows = append(rows, row)
	}
	return rows, err
}

func pinnedRow(shelf *pins.Shelf, id string) pinRow {
	g, err := shelf.Game(id)
	row := pinRow{ID: id, Title: g.Title, ROMPath: g.ROMPath, ROM: g.ROMSHA256}
	if err != nil {
		row.Problem = err.Error()
	}
	return row
}
