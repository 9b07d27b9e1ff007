package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/play/pins"
)

// removal says what pin remove takes away.
type removal struct {
	id, start, confirm string
	asJSON             bool
}

func newPinRemoveCommand(io streams) *cobra.Command {
	var r removal
	cmd := &cobra.Command{
		Use:   "remove ID [--pin NAME] --confirm NAME",
		Short: "Forget a pinned game, or one of a game's pinned starts",
		Long: `Remove forgets a pinned game and all its pinned starts; with --pin it forgets
one start of a game and nothing else. The cartridge image, saves and journals
stay where they are.`,
		Args: exactly(1, "the id of one game"),
		RunE: func(_ *cobra.Command, args []string) error {
			r.id = args[0]
			where, err := findFolders()
			if err != nil {
				return err
			}
			return runPinRemove(io, r, where)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.start, "pin", "", "the pinned start of the game to forget, the game stays")
	flags.StringVar(&r.confirm, "confirm", "", "what is forgotten, once more: the game's id, or the start's name")
	flags.BoolVar(&r.asJSON, "json", false, "print one JSON document")
	return cmd
}

func runPinRemove(io streams, r removal, where folders) error {
	shelf := pins.Open(where.pins)
	if r.start == "" && r.id == pins.Cartridge {
		return usagef("%s is the project's own cartridge and stays; --pin NAME forgets one of its pinned starts", r.id)
	}
	what, sure := r.id, r.id
	if r.start != "" {
		what, sure = r.id+" --pin "+r.start, r.start
	}
	if r.confirm != sure {
		return usagef("nothing was removed: removing is final%s, so say it twice: pin remove %s --confirm %s",
			besides(shelf, r), emu.Clean(what), emu.Clean(sure))
	}
	if r.start != "" {
		if err := shelf.RemoveStart(r.id, r.start); err != nil {
			return err
		}
	} else if err := removeGame(shelf, r.id, where); err != nil {
		return err
	}
	if r.asJSON {
		return printJSON(io.out, map[string]string{"game": r.id, "pin": r.start})
	}
	_, err := fmt.Fprintf(io.out, "forgot %s; saves and journals are as they were\n", what)
	return err
}

// besides names the starts that go with a game.
func besides(shelf *pins.Shelf, r removal) string {
	if r.start != "" {
		return ""
	}
	names, err := shelf.StartNames(r.id)
	if err != nil || len(names) == 0 {
		return ""
	}
	return " and takes its pins with it (" + strings.Join(names, ", ") + ")"
}

// removeGame forgets a game. Where it was played last nothing is from then on,
// and the project's cartridge plays next.
func removeGame(shelf *pins.Shelf, id string, where folders) error {
	if err := shelf.Remove(id); err != nil {
		return err
	}
	return pins.ForgetLastPlayed(where.lastPlayed, id)
}
