package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/fixtures"
	"clankie/play/pins"
)

// pinFlags are the flags of clankie pin.
type pinFlags struct {
	rom, savestate string
	powerOn        bool
	checkpoint     string
	game           string
	id             string
	asJSON         bool
}

func newPinCommand(io streams) *cobra.Command {
	var f pinFlags
	cmd := &cobra.Command{
		Use:   "pin",
		Short: "Pin a game of your own, or a save to restart from",
		Long: `Pin takes a cartridge image of yours and a savestate of it, or its power-on,
makes sure that it boots, loads and runs, and writes a scenario with every
digest into the data folder. From then on clankie plays it: the one played
last, or the one that --game or the configuration's game names. The image stays
where it is; the savestate is copied.

With --checkpoint a save becomes a pinned start of its game, to restart from.
With --rom and --id alone, a game that is pinned is found where its image is
now.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPin(cmd.Context(), io, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.rom, "rom", "", "the cartridge image")
	flags.StringVar(&f.savestate, "savestate", "", "the savestate it starts from: plain, libretro's, or inside mGBA's picture")
	flags.BoolVar(&f.powerOn, "from-power-on", false, "start where the machine is switched on")
	flags.StringVar(&f.checkpoint, "checkpoint", "", "the save that becomes a pinned start")
	flags.StringVar(&f.game, "game", "", "whose start it becomes, where several pinned games have its cartridge")
	flags.StringVar(&f.id, "id", "", "what it is called from then on")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newPinListCommand(io), newPinRemoveCommand(io))
	return cmd
}

func runPin(ctx context.Context, io streams, f pinFlags) error {
	switch {
	case f.id == "":
		return usagef("pin needs --id: what it is called from then on")
	case f.checkpoint != "" && (f.rom != "" || f.savestate != "" || f.powerOn):
		return usagef("--checkpoint pins a save; leave out --rom, --savestate and --from-power-on")
	case f.checkpoint != "":
		return pinSave(ctx, io, f)
	case f.rom == "":
		return usagef("pin needs --rom and --savestate (or --from-power-on), or --checkpoint")
	case f.savestate != "" && f.powerOn:
		return usagef("it starts from a savestate or from power-on, not both")
	}
	return pinGame(ctx, io, f)
}

// pinReport is what pinning prints. The names are stable.
type pinReport struct {
	ID              string        `json:"id"`
	Game            string        `json:"game"` // of a start: whose it is
	New             bool          `json:"new"`  // false where the same was pinned already
	Folder          string        `json:"folder"`
	Title           string        `json:"title"`
	Profile         string        `json:"profile"`
	Source          string        `json:"source"`
	Battery         bool          `json:"battery"`
	Decodes         bool          `json:"decodes"` // the field was read, so the scenario has a route
	Scene           emu.Scene     `json:"scene"`
	Position        *emu.Position `json:"position"`
	SavestateSHA256 emu.Digest    `json:"savestateSha256"`
	ROMSHA256       emu.Digest    `json:"romSha256"`
	Scenario        emu.Digest    `json:"scenarioSha256"`
}

func describePin(d pins.Described) pinReport {
	r := pinReport{
		Title: d.Profile.Title, Profile: d.Profile.Name, Decodes: d.Scenario.Route != nil, Scene: d.Decoded.Scene,
		SavestateSHA256: d.Scenario.SavestateSHA256, ROMSHA256: d.Scenario.ROMSHA256, Scenario: d.Scenario.SHA256(),
	}
	if w := d.Decoded.Overworld; w != nil {
		at := w.Position
		r.Position = &at
	}
	return r
}

func pinGame(ctx context.Context, io streams, f pinFlags) error {
	if err := pins.CheckID(f.id); err != nil {
		return usage(err)
	}
	request, err := f.request()
	if err != nil {
		return usage(err)
	}
	where, err := findFolders()
	if err != nil {
		return err
	}
	shelf := pins.Open(where.pins)
	if request.Savestate == nil && !f.powerOn {
		return movePin(io, f, shelf, request)
	}
	module, err := buildCore(ctx, io, mgba.BuildOptions{CacheDir: where.cores})
	if err != nil {
		return err
	}
	core, err := mgba.Boot(ctx, module, mgba.BootOptions{ROM: request.ROM})
	if err != nil {
		return fmt.Errorf("boot %s: %w", f.rom, err)
	}
	defer core.Close()
	g, d, err := pins.Make(ctx, core, request)
	if err != nil {
		return fmt.Errorf("%s: %w", or(f.savestate, f.rom), err)
	}
	report := describePin(d)
	if report.New, err = shelf.Add(g); err != nil {
		return err
	}
	if err := shelf.Move(f.id, request.ROMPath, request.ROM); err != nil {
		return err
	}
	report.ID, report.Game, report.Folder = f.id, f.id, shelf.Folder(f.id)
	report.Source, report.Battery = g.Source, g.Battery
	if !d.Profile.Decodes() {
		report.Title = g.Title
	}
	return printPin(io, report, f.asJSON)
}

// request reads the files.
func (f pinFlags) request() (r pins.Request, err error) {
	r.ID = f.id
	if r.ROMPath, err = filepath.Abs(f.rom); err != nil {
		return r, err
	}
	if r.ROM, _, err = fixtures.ReadROM(r.ROMPath); err != nil {
		return r, err
	}
	if f.savestate != "" {
		r.Savestate, err = fixtures.ReadSavestate(f.savestate)
	}
	return r, err
}

// movePin notes where the image of a pinned game is now.
func movePin(io streams, f pinFlags, shelf *pins.Shelf, r pins.Request) error {
	ids, err := shelf.IDs()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if id != f.id {
			continue
		}
		if err := shelf.Move(f.id, r.ROMPath, r.ROM); err != nil {
			return err
		}
		_, err := fmt.Fprintf(io.out, "%s is played from %s now\n", f.id, r.ROMPath)
		return err
	}
	return usagef("say where it starts: --savestate FILE or --from-power-on")
}

// pinSave makes a save a pinned start of its game.
func pinSave(ctx context.Context, io streams, f pinFlags) error {
	where, err := findFolders()
	if err != nil {
		return err
	}
	store, err := checkpoint.Open(where.checkpoints, checkpoint.Options{})
	if err != nil {
		return usage(err)
	}
	slot, err := f.owner(ctx, store, pins.Open(where.pins))
	if err != nil {
		return err
	}
	module, err := buildCore(ctx, io, mgba.BuildOptions{CacheDir: where.cores})
	if err != nil {
		return err
	}
	g, err := findGame(ctx, gameFlags{game: slot}, module, where)
	if err != nil {
		return err
	}
	core, err := mgba.Boot(ctx, module, mgba.BootOptions{ROM: g.rom})
	if err != nil {
		return fmt.Errorf("boot the cartridge: %w", err)
	}
	defer core.Close()
	report, err := f.keepSave(ctx, store, core, g.keeper(where, core.Identity()))
	if err != nil {
		return err
	}
	return printPin(io, report, f.asJSON)
}

// owner is the game that the save belongs to.
func (f pinFlags) owner(ctx context.Context, store *checkpoint.Store, shelf *pins.Shelf) (string, error) {
	if f.game != "" {
		return f.game, nil
	}
	details, err := store.Get(ctx, f.checkpoint, emu.CoreIdentity{})
	if err != nil {
		return "", err
	}
	if details.Receipt == nil {
		return "", fmt.Errorf("%s cannot be read: %s", f.checkpoint, details.Reason)
	}
	slot, err := shelf.Owner(details.Receipt.ROMSHA256, details.Receipt.Journey())
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.checkpoint, err)
	}
	return slot, nil
}

// keepSave tries the save on core and keeps its state.
func (f pinFlags) keepSave(ctx context.Context, store *checkpoint.Store, core emu.Core, k pins.Keeper) (pinReport, error) {
	save, err := store.Read(ctx, f.checkpoint, core.Identity())
	if err != nil {
		return pinReport{}, err
	}
	start, err := pins.Verify(ctx, core, save.State)
	if err != nil {
		return pinReport{}, fmt.Errorf("%s: %w", f.checkpoint, err)
	}
	var picture emu.Picture
	if save.Picture != nil {
		picture = *save.Picture
	}
	d, added, err := k.Keep(f.id, start.State, picture)
	if err != nil {
		return pinReport{}, err
	}
	report := describePin(d)
	report.ID, report.Game, report.New, report.Folder = f.id, k.Slot, added, k.Shelf.Folder(k.Slot)
	report.Source, report.Battery = f.checkpoint, start.Battery
	return report, nil
}

func printPin(io streams, r pinReport, asJSON bool) error {
	if asJSON {
		return printJSON(io.out, r)
	}
	what := "pinned"
	if !r.New {
		what = "was pinned already, the same"
	}
	decoded := "it is played from its picture"
	switch {
	case r.Position != nil:
		decoded = fmt.Sprintf("%s, %s (%d,%d)", r.Scene.Mode, emu.Clean(r.Position.MapID), r.Position.X, r.Position.Y)
	case r.Profile != "screen":
		decoded = fmt.Sprintf("%s; the field is not read there", r.Scene.Screen)
	}
	how := "clankie --game " + r.ID + " plays it"
	if r.Game != r.ID {
		how = "/restart " + r.ID + " goes to it, whenever " + r.Game + " is played"
	}
	_, err := fmt.Fprintf(io.out, "%s %s: %s (%s)\nstarts at %s\nsavestate %s\n%s\n", r.ID, what, emu.Clean(r.Title), r.Profile, decoded, r.SavestateSHA256, how)
	return err
}
