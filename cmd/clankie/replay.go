package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/fixtures"
	"clankie/journal"
	"clankie/play/pins"
	"clankie/play/replay"
)

func newReplayCommand(io streams) *cobra.Command {
	var game gameFlags
	var toTurn int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Play a run's tape again and compare every digest",
		Long: `Replay executes everything that reached the machine in a run on a fresh core
and compares RAM and picture with the tape wherever the run took their digests:
behind every turn and at least every 3,600 frames. RUN is the run's id, or its
journal. It ends at the first thing that does not hold, with its turn and frame.

With --to-turn it begins at the nearest save before that turn and ends behind
it.`,
		Args: exactly(1, "the id of one run, or its journal"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := openReplay(cmd.Context(), io, args[0], game)
			if err != nil {
				return err
			}
			defer r.core.Close()
			if cmd.Flags().Changed("to-turn") {
				return r.toTurn(cmd.Context(), io, toTurn, asJSON)
			}
			return r.whole(cmd.Context(), io, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&toTurn, "to-turn", 0, "end behind this turn, counted from 0 as in the journal")
	flags.BoolVar(&asJSON, "json", false, "print one JSON document")
	flags.StringVar(&game.rom, "rom", "", "the run's own cartridge image; needs --savestate and --scenario")
	flags.StringVar(&game.savestate, "savestate", "", "the savestate it started from")
	flags.StringVar(&game.scenario, "scenario", "", "the scenario that pins both")
	flags.StringVar(&game.game, "game", "", "the pinned game that it played (default: the run's)")
	flags.StringVar(&game.fixture, "fixture", "", "a start of the project's own cartridge (default: the run's)")
	return cmd
}

// tapeReplay is a tape with all it takes to play it again.
type tapeReplay struct {
	path    string
	core    emu.Core
	library *replay.Library
}

// openReplay finds the run's tape and boots its game.
func openReplay(ctx context.Context, io streams, run string, f gameFlags) (*tapeReplay, error) {
	where, err := findFolders()
	if err != nil {
		return nil, err
	}
	path, err := journal.FindTape(where.journals, run)
	if err != nil {
		return nil, err
	}
	header, err := journal.ReadTapeHeader(path)
	if err != nil {
		return nil, err
	}
	module, err := buildCore(ctx, io, mgba.BuildOptions{CacheDir: where.cores})
	if err != nil {
		return nil, err
	}
	g, err := findGame(ctx, f.startOf(header, where), module, where)
	if err != nil {
		return nil, err
	}
	store, err := checkpoint.Open(where.checkpoints, checkpoint.Options{})
	if err != nil {
		return nil, usage(err)
	}
	core, err := mgba.Boot(ctx, module, mgba.BootOptions{ROM: g.rom})
	if err != nil {
		return nil, fmt.Errorf("boot the cartridge: %w", err)
	}
	for _, problem := range g.addStarts(where, core.Identity()) {
		fmt.Fprintln(io.err, "note: "+problem)
	}
	return &tapeReplay{path, core, replay.NewLibrary(store, core.Identity(), g.states()...)}, nil
}

// startOf chooses the fixture or the pinned game that a run began at where
// nothing else is asked for and it began at one.
func (f gameFlags) startOf(h journal.TapeHeader, where folders) gameFlags {
	if f != (gameFlags{}) {
		return f
	}
	if slices.Contains(fixtures.List(), h.ScenarioID) {
		f.fixture = h.ScenarioID
	} else if ids, err := pins.Open(where.pins).IDs(); err == nil && slices.Contains(ids, h.ScenarioID) {
		f.game = h.ScenarioID
	}
	return f
}

// states are the pinned savestates of a game.
func (g game) states() [][]byte {
	states := [][]byte{g.boot.State}
	for _, pin := range g.pins {
		states = append(states, pin.State)
	}
	return states
}

func (r *tapeReplay) tape() iter.Seq2[journal.TapeLine, error] { return journal.ReadTape(r.path) }

// replayReport is what a whole replay prints. The names are stable.
type replayReport struct {
	replay.Report
	Tape      string  `json:"tape"`
	Holds     bool    `json:"holds"`     // everything came out as recorded
	TimesReal float64 `json:"timesReal"` // how many times faster than the machine's own time
}

func (r *tapeReplay) whole(ctx context.Context, io streams, asJSON bool) error {
	start := time.Now()
	found, err := replay.Run(ctx, r.core, r.library, r.tape())
	report := replayReport{
		Report: found, Tape: r.path, Holds: err == nil,
		TimesReal: timesReal(found.Frames, time.Since(start)),
	}
	if asJSON {
		if printing := printJSON(io.out, report); printing != nil {
			return printing
		}
		return err
	}
	_, printing := fmt.Fprintf(io.out, "%s, %s, %s, %s compared, %.0f times real time\n", emu.Count(report.Turns, "turn"),
		emu.Count(report.Frames, "frame"), emu.Count(report.Loads, "load"), emu.Count(report.Digests, "digest"), report.TimesReal)
	if err != nil {
		return err
	}
	if report.Torn != nil || !report.Complete {
		fmt.Fprintln(io.err, "note: the tape does not end in order: the run was cut off, or is going on")
	}
	if printing == nil {
		_, printing = fmt.Fprintln(io.out, "everything came out as recorded")
	}
	return printing
}

func timesReal(frames uint64, took time.Duration) float64 {
	return float64(frames) / emu.FrameRate / max(took.Seconds(), 1e-9)
}

// placeReport is what a replay to a turn prints. The names are stable.
type placeReport struct {
	RunID     string        `json:"runId"`
	Turn      int           `json:"turn"`
	Frame     uint64        `json:"frame"`
	RAM       emu.Digest    `json:"ramSha256"`
	Scene     emu.Scene     `json:"scene"`
	Position  *emu.Position `json:"position"`
	From      *string       `json:"from"` // the save it began at, null for a pinned savestate
	FramesRun uint64        `json:"framesRun"`
	Digests   int           `json:"digests"`
}

func (r *tapeReplay) toTurn(ctx context.Context, io streams, turn int, asJSON bool) error {
	if turn < 0 {
		return usagef("--to-turn %d: must be 0 or more", turn)
	}
	profile := gen3.ProfileOf(r.core.Identity())
	place, err := replay.GoTo(ctx, replay.Visit{
		Tape: r.tape, Turn: turn, Core: r.core, Library: r.library,
		Decode: func(m emu.Memory) emu.State { return gen3.Decode(m, profile) },
	})
	if err != nil {
		return err
	}
	report := reportOf(place)
	if asJSON {
		return printJSON(io.out, report)
	}
	at := "place unknown"
	if p := report.Position; p != nil {
		at = fmt.Sprintf("%s (%d,%d)", emu.Clean(p.MapID), p.X, p.Y)
	}
	_, err = fmt.Fprintf(io.out, "turn %d, frame %d: %s, %s; RAM %s\nbegan at %s, %s, %s compared, all as recorded\n",
		report.Turn, report.Frame, report.Scene.Mode, at, report.RAM, or(place.From, "a pinned savestate"),
		emu.Count(report.FramesRun, "frame"), emu.Count(report.Digests, "digest"))
	return err
}

func reportOf(p replay.Place) placeReport {
	r := placeReport{
		RunID: p.RunID, Turn: p.Turn, Frame: p.Observed.Frame, RAM: p.Observed.RAM(),
		Scene: p.Observed.State.Scene, FramesRun: p.Ran, Digests: p.Digests,
	}
	if w := p.Observed.State.Overworld; w != nil {
		at := w.Position
		r.Position = &at
	}
	if p.From != "" {
		r.From = &p.From
	}
	return r
}
