package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/play/doctor"
	"clankie/play/pins"
)

func newDoctorCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at everything that play needs, and say how to mend it",
		Long: `Doctor looks at the core and its toolchain, the game that would play, pins,
saves, journals, the terminal and the model, and says what was found, what is
missing and how to mend it. A configured model is asked one small question. It
exits with 1 when clankie would not play.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := examine(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(io.out, report)
			} else {
				err = report.Print(io.out)
			}
			if err == nil && !report.Plays {
				err = fmt.Errorf("clankie would not play")
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func examine(ctx context.Context) (doctor.Report, error) {
	where, err := findFolders()
	if err != nil {
		return doctor.Report{}, err
	}
	core, built := doctor.Core(ctx, where.cores)
	tools := doctor.Toolchain(ctx, built)
	chosen, choosing := gameFlags{}.resolve(where)
	game, identity := examineGame(ctx, chosen, choosing, where, built)
	checks := []doctor.Check{core, tools, game}
	checks = append(checks, doctor.Pins(pins.Open(where.pins), chosen.game)...)
	checks = append(checks,
		doctor.Saves(ctx, where.checkpoints, identity), doctor.Journals(where.journals), doctor.Sessions(where.runtime),
		examineTerminal(), examineModel(ctx),
	)
	return doctor.NewReport(checks...), nil
}

// examineGame boots the game that would play, where there is a core, and loads
// its savestate.
func examineGame(ctx context.Context, f gameFlags, choosing error, where folders, built bool) (doctor.Check, emu.CoreIdentity) {
	c := doctor.Check{Name: "game", Status: doctor.Fatal, Found: "none that plays"}
	if choosing != nil {
		c.Missing = choosing.Error()
		c.Mend = "mend the configuration, or name a game with --game; --game " + pins.Cartridge + " plays the project's own"
		return c, emu.CoreIdentity{}
	}
	if !built && f.rom != "" {
		// Without a core the files can still be read.
		if _, err := operatorGame(f); err != nil {
			c.Missing, c.Mend = err.Error(), "put the file back, or name another"
			return c, emu.CoreIdentity{}
		}
	}
	if !built {
		c.Status, c.Found, c.Missing = doctor.Note, or(f.game, or(f.fixture, f.rom)), "not tried: there is no core yet"
		return c, emu.CoreIdentity{}
	}
	id, err := tryGame(ctx, f, where)
	if err != nil {
		c.Missing = err.Error()
		c.Mend = "put the file back or pin it again (clankie pin --help); --game " + pins.Cartridge + " plays the project's own"
		return c, id
	}
	profile := gen3.ProfileOf(id)
	c.Status = doctor.OK
	c.Found = fmt.Sprintf("%s: %s, boots and loads, decoded as %s", or(f.game, or(f.fixture, f.rom)), emu.Clean(id.Title), profile.Name)
	if !profile.Decodes() {
		c.Found = fmt.Sprintf("%s: %s, boots and loads, played from its picture", or(f.game, or(f.fixture, f.rom)), emu.Clean(id.Title))
	}
	return c, id
}

func tryGame(ctx context.Context, f gameFlags, where folders) (emu.CoreIdentity, error) {
	// The core is there, so nothing is built.
	module, err := mgba.Build(ctx, mgba.BuildOptions{CacheDir: where.cores, Proof: proveOnCartridge})
	if err != nil {
		return emu.CoreIdentity{}, err
	}
	g, err := findGame(ctx, f, module, where)
	if err != nil {
		return emu.CoreIdentity{}, err
	}
	core, err := mgba.Boot(ctx, module, mgba.BootOptions{ROM: g.rom})
	if err != nil {
		return emu.CoreIdentity{}, err
	}
	defer core.Close()
	if err := g.scenario.CheckPins(core.Identity(), g.boot.State); err != nil {
		return core.Identity(), err
	}
	if _, err := pins.Verify(ctx, core, g.boot.State); err != nil {
		return core.Identity(), err
	}
	return core.Identity(), nil
}

func examineTerminal() doctor.Check {
	c := doctor.Check{Name: "terminal", Status: doctor.OK}
	if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) {
		c.Status, c.Found, c.Missing = doctor.Note, "none here", "standard input or output is no terminal"
		c.Mend = "start clankie in one, or with --plain"
		return c
	}
	width, height, err := term.GetSize(os.Stdout.Fd())
	if err != nil {
		c.Status, c.Found, c.Missing = doctor.Note, or(os.Getenv("TERM"), "no TERM"), err.Error()
		return c
	}
	c.Found = fmt.Sprintf("%s, %d×%d cells", or(emu.Clean(os.Getenv("TERM")), "no TERM"), width, height)
	if width < 20 || height < 6 {
		c.Status, c.Missing, c.Mend = doctor.Note, "it is too small to show anything", "make it 80×24 or larger"
	}
	return c
}

// probePatience bounds the question to the model.
const probePatience = 30 * time.Second

func examineModel(ctx context.Context) doctor.Check {
	c := doctor.Check{Name: "model", Status: doctor.OK}
	who, err := findMinds("")
	switch {
	case err != nil:
		c.Status, c.Found, c.Missing = doctor.Fatal, "not looked at", err.Error()
		c.Mend = "mend the configuration file"
		return c
	case !who.named:
		c.Found = "none is configured; the autopilot and you can decide"
		return c
	case who.why != nil:
		c.Status, c.Found, c.Missing = doctor.Problem, "configured, but it cannot decide", who.why.Error()
		return c
	}
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	c.Found = who.model.String()
	line, err := who.model.Probe(ctx)
	if err != nil {
		c.Status, c.Missing = doctor.Problem, err.Error()
		c.Mend = "play works with the other minds; see [model] in the configuration"
		return c
	}
	c.Found = line
	return c
}
