package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/emu/session"
	"clankie/fixtures"
	"clankie/play/scenario"
	"clankie/play/scenario/competence"
)

// Environment variables of the competence benchmark.
const (
	envCompetenceMode    = "CLANKIE_GBA_COMPETENCE_MODE"
	envCompetenceDir     = "CLANKIE_GBA_COMPETENCE_RECEIPT_DIR"
	envCompetenceReceipt = "CLANKIE_GBA_COMPETENCE_RECEIPT_PATH"
)

// competenceFlags say what is played, by whom, and where its receipt goes.
type competenceFlags struct {
	mode, controller, out string
	asJSON                bool
}

func newCompetenceCommand(io streams) *cobra.Command {
	var f competenceFlags
	cmd := &cobra.Command{
		Use:   "competence --out DIR",
		Short: "Measure whether whoever decides can play at all",
		Long: `Competence plays the states of the competence benchmark in sittings of free play
at full speed: within a few turns each must come to what it is about, by actions
that work, without going in circles, and not by pressing one thing over and over.
Every state is also played by the repeat-only controller, which must not pass.
The report and the operator's receipt are written to DIR, which must be empty or
not there; ` + envCompetenceDir + ` names it too.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.out = or(f.out, os.Getenv(envCompetenceDir)); f.out == "" {
				return usagef("say where the receipt goes: scenario competence --out DIR")
			}
			return runCompetence(cmd.Context(), io, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.mode, "mode", or(os.Getenv(envCompetenceMode), competence.KindROM),
		competence.KindROM+" for the states of the real core, or "+competence.KindDouble+" (also "+envCompetenceMode+")")
	flags.StringVar(&f.controller, "controller", competence.ControllerBuiltin, "who decides: "+competence.ControllerBuiltin+" or "+competence.ControllerRepeat)
	flags.StringVar(&f.out, "out", "", "the folder for report and receipt")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newCompetenceVerifyCommand(io))
	return cmd
}

func newCompetenceVerifyCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Check an operator's receipt, and play its benchmark again",
		Long: `Verify recomputes everything in a benchmark's folder and plays it again: only a
benchmark of the real core with its own pins, that comes to the very same report,
holds. Without DIR it is the folder of the receipt that ` + envCompetenceReceipt + `
names, or the folder that it names itself.`,
		Args: atMost(1, "one folder at most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := benchmarkFolder(args)
			if err != nil {
				return err
			}
			return verifyCompetence(cmd.Context(), io, dir, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// benchmarkFolder is the folder that was named: as the argument, or as the
// folder of the receipt, or the folder itself, that the environment names.
func benchmarkFolder(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	path := os.Getenv(envCompetenceReceipt)
	if path == "" {
		return "", usagef("say which: scenario competence verify DIR")
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", usagef("%s: %s does not exist", envCompetenceReceipt, emu.Clean(path))
	case err != nil:
		return "", usage(fmt.Errorf("%s: %w", envCompetenceReceipt, err))
	case info.IsDir():
		return path, nil
	}
	return filepath.Dir(path), nil
}

func openBenchmark() (competence.Benchmark, error) {
	return competence.Open(fixtures.Competence, fixtures.ScenarioAt)
}

func runCompetence(ctx context.Context, io streams, f competenceFlags) error {
	b, err := openBenchmark()
	if err != nil {
		return err
	}
	if _, err := b.Of(f.mode); err != nil {
		return usagef("%w; --mode must be %s or %s", err, competence.KindROM, competence.KindDouble)
	}
	if err := competence.CheckController(f.controller); err != nil {
		return usage(err)
	}
	if err := scenario.CheckVacant(f.out); err != nil {
		return usage(err)
	}
	var played competence.Played
	err = withStateBooter(ctx, io, f.mode, func(boot competence.Boot) error {
		played, err = b.Play(ctx, f.mode, f.controller, boot)
		return err
	})
	if err != nil {
		return err
	}
	receipt, files, err := b.Receipt(played)
	if err != nil {
		return err
	}
	if err := scenario.WriteFolder(f.out, files); err != nil {
		return err
	}
	if err := printCompetence(io, played.Report, receipt, f.out, "is written", f.asJSON); err != nil {
		return err
	}
	if !receipt.Passed {
		return fmt.Errorf("the benchmark was not passed by %s", f.controller)
	}
	return nil
}

func verifyCompetence(ctx context.Context, io streams, dir string, asJSON bool) error {
	b, err := openBenchmark()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(dir); err != nil {
		return usage(err)
	}
	dir = filepath.Clean(dir)
	if _, _, err := b.Check(dir); err != nil {
		return unproven(dir, err, "scenario competence") // before anything is built or booted
	}
	return withStateBooter(ctx, io, competence.KindROM, func(boot competence.Boot) error {
		report, receipt, err := b.Evaluate(ctx, dir, boot)
		if err != nil {
			return err
		}
		return printCompetence(io, report, receipt, dir, "holds, and was played again", asJSON)
	})
}

// withStateBooter calls f with how the bodies of a mode's states are booted:
// each under a session of its own, whose records last as long as f does.
func withStateBooter(ctx context.Context, io streams, mode string, f func(competence.Boot) error) (err error) {
	ungoverned, err := stateBooter(ctx, io, mode)
	if err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "clankie-competence-*")
	if err != nil {
		return usage(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	return f(func(ctx context.Context, s competence.State, p scenario.Plan) (emu.Body, error) {
		body, err := ungoverned(ctx, p)
		if err != nil {
			return nil, err
		}
		return session.Govern(ctx, body, session.GovernOptions{
			Root: root, Clock: session.SystemClock{}, Random: rand.Reader, RunID: "competence-" + s.StateID,
			SavestateID: s.Pinned.SavestateID,
		})
	})
}

// stateBooter says how a plan's body is booted, without a session.
func stateBooter(ctx context.Context, io streams, mode string) (func(context.Context, scenario.Plan) (emu.Body, error), error) {
	if mode == competence.KindDouble {
		return func(_ context.Context, p scenario.Plan) (emu.Body, error) { return p.BootDouble() }, nil
	}
	where, module, err := findCore(ctx, io)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p scenario.Plan) (emu.Body, error) {
		g, err := embeddedGame(ctx, p.ID(), module, where.cache)
		if err != nil {
			return nil, err
		}
		return bootUngoverned(ctx, module, g)
	}, nil
}

// competenceSummary is what the benchmark prints. The names are stable.
type competenceSummary struct {
	Folder     string              `json:"folder"`
	Mode       string              `json:"mode"`
	Controller string              `json:"controller"`
	Passed     bool                `json:"passed"`
	States     []competence.Result `json:"states"`
	Receipt    emu.Digest          `json:"receiptSha256"`
}

func printCompetence(io streams, r competence.Report, receipt competence.Receipt, dir, what string, asJSON bool) error {
	if asJSON {
		return printJSON(io.out, competenceSummary{dir, r.Mode, r.Controller, r.Passed, r.States, receipt.ReceiptSHA256})
	}
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STATE\tRESULT\tTURNS\tMILESTONES\tREPEAT-ONLY")
	for i, s := range r.States {
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d\t%s\n", s.StateID, verdict(s), s.Metrics.TurnsTaken, s.Metrics.TurnBudget,
			len(s.Metrics.MilestonesReached), verdict(r.RepeatOnly[i]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	result := "not passed"
	if r.Passed {
		result = "passed"
	}
	_, err := fmt.Fprintf(io.out, "%s in %s: %s\nthe receipt in %s %s\n", r.Controller, r.Mode, result, emu.Clean(dir), what)
	return err
}

// verdict is passed, or which checks do not hold.
func verdict(r competence.Result) string {
	if r.Passed {
		return "passed"
	}
	return "failed: " + strings.Join(r.Checks.Failing(), ", ")
}
