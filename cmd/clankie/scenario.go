package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/play/pins"
	"clankie/play/scenario"
)

func newScenarioCommand(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenario",
		Short: "Play frozen scenarios and check what they leave behind",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return usagef("say which: scenario list, run, verify or competence")
		},
	}
	cmd.AddCommand(newScenarioListCommand(io), newScenarioRunCommand(io), newScenarioVerifyCommand(io), newCompetenceCommand(io))
	return cmd
}

// scenarioRow is one scenario as it is listed.
type scenarioRow struct {
	ID            string     `json:"id"`
	Machine       string     `json:"machine"` // real-core, or deterministic-double, which is no game
	Goal          string     `json:"goal"`
	MaxDecisions  int        `json:"maxDecisions"`
	FixtureSHA256 emu.Digest `json:"fixtureSha256"`
	Pinned        bool       `json:"pinned,omitzero"` // a game that the operator pinned
}

func newScenarioListCommand(io streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios, those of pinned games among them",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			rows, err := scenarioRows(io)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(io.out, rows)
			}
			return printScenarios(io, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// scenarioRows are the embedded scenarios, then those of pinned games. A pinned
// game that cannot be read is told on the side; one that shows nothing but
// pictures has no scenario to play.
func scenarioRows(io streams) (rows []scenarioRow, err error) {
	for _, id := range scenario.List() {
		p, err := scenario.Load(id)
		if err != nil {
			return nil, err
		}
		rows = append(rows, rowOf(p))
	}
	where, err := findFolders()
	if err != nil {
		return nil, err
	}
	shelf := pins.Open(where.pins)
	ids, err := shelf.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		g, err := shelf.Game(id)
		if err != nil {
			fmt.Fprintln(io.err, "clankie: "+err.Error())
			continue
		}
		if p, err := scenario.ParsePlan(g.Scenario.JSON); err == nil {
			row := rowOf(p)
			row.Pinned = true
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func rowOf(p scenario.Plan) scenarioRow {
	return scenarioRow{ID: p.ID(), Machine: machineOf(p), Goal: p.Goal(), MaxDecisions: p.MaxDecisions(), FixtureSHA256: p.Fixture}
}

func machineOf(p scenario.Plan) string {
	if p.Double != nil {
		return "deterministic-double"
	}
	return "real-core"
}

func printScenarios(io streams, rows []scenarioRow) error {
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tMACHINE\tGOAL\tDECISIONS\tFIXTURE")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\tat most %d\t%s\n", r.ID, r.Machine, r.Goal, r.MaxDecisions, r.FixtureSHA256.Short())
	}
	return w.Flush()
}

func newScenarioRunCommand(io streams) *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "run ID --out DIR",
		Short: "Play a scenario on two fresh bodies and keep the evidence",
		Long: `Run plays a scenario on two fresh bodies: an embedded one, or that of a game you
pinned, by its id or the path of its folder (see clankie pin). Both must leave
the same report, decisions, events and picture, byte for byte; they are written
to DIR, which must be empty or not there. Where the system permits it, the run
has a network namespace of its own with nothing in it; the report says so.`,
		Args: exactly(1, "one scenario's id, or the folder of a pinned game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("say where the evidence goes: scenario run ID --out DIR")
			}
			return runScenario(cmd.Context(), io, args[0], out, asJSON)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the folder for the evidence")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// evidenceSummary is what run and verify print.
type evidenceSummary struct {
	Folder  string                `json:"folder"`
	ID      string                `json:"scenarioId"`
	Machine string                `json:"machine"`
	RunID   string                `json:"runId"`
	Result  string                `json:"result"`
	Halt    scenario.Halt         `json:"halt"`
	Network scenario.Network      `json:"network"`
	Files   []scenario.FileDigest `json:"files"`
	Again   bool                  `json:"playedAgain,omitzero"`
}

func runScenario(ctx context.Context, io streams, id, out string, asJSON bool) error {
	found, err := findScenario(id)
	if err != nil {
		return usage(err)
	}
	p := found.plan
	if err := scenario.CheckVacant(out); err != nil {
		return usage(err)
	}
	// What may need the network comes before it is gone.
	boot, err := bootScenario(ctx, io, found)
	if err != nil {
		return err
	}
	args := []string{os.Args[0], "scenario", "run", id, "--out", out, fmt.Sprintf("--json=%t", asJSON)}
	if began, code, err := scenario.Enclose(ctx, args, io.out, io.err); began {
		return enclosedResult(code, err)
	}
	e, err := playScenario(ctx, p, boot)
	if err != nil {
		return err
	}
	if err := e.Write(out); err != nil {
		return err
	}
	if err := printEvidence(io, summaryOf(p, e, out), "is written", asJSON); err != nil {
		return err
	}
	if e.Report.Result != scenario.Passed {
		return fmt.Errorf("%s did not pass: it halted by %s", p.ID(), e.Report.Halt)
	}
	return nil
}

// enclosedResult hands on how the run in its own namespace ended. It has said
// itself what was wrong.
func enclosedResult(code int, err error) error {
	if err != nil || code == exitDone {
		return err
	}
	return &exitError{code, errTold}
}

func playScenario(ctx context.Context, p scenario.Plan, boot scenario.Boot) (e scenario.Evidence, err error) {
	root, err := os.MkdirTemp("", "clankie-scenario-*")
	if err != nil {
		return scenario.Evidence{}, usage(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	return p.Play(ctx, boot, root, scenario.NetworkOf())
}

// foundScenario is a scenario and the operator's game that it is of; an
// embedded one has none.
type foundScenario struct {
	plan scenario.Plan
	own  *game
}

// findScenario finds a scenario: an embedded one by its id, or that of a pinned
// game by its id or by the path of its folder.
func findScenario(name string) (foundScenario, error) {
	p, unknown := scenario.Load(name)
	if unknown == nil {
		return foundScenario{plan: p}, nil
	}
	where, err := findFolders()
	if err != nil {
		return foundScenario{}, err
	}
	shelf, id := pins.Open(where.pins), name
	if strings.ContainsRune(name, filepath.Separator) {
		folder, err := filepath.Abs(name)
		if err != nil {
			return foundScenario{}, err
		}
		shelf, id = pins.Open(filepath.Dir(folder)), filepath.Base(folder)
	} else if ids, err := shelf.IDs(); err != nil || !slices.Contains(ids, id) {
		return foundScenario{}, errors.Join(err, unknown)
	}
	g, err := shelf.Game(id)
	if err != nil {
		return foundScenario{}, err
	}
	own := gameOf(g)
	p, err = scenario.ParsePlan(g.Scenario.JSON)
	return foundScenario{p, &own}, err
}

// bootScenario says how a scenario's bodies are booted. The core is built, and
// the savestate of an embedded one made, where they are missing.
func bootScenario(ctx context.Context, io streams, s foundScenario) (scenario.Boot, error) {
	if s.plan.Double != nil {
		return func(context.Context) (emu.Body, error) { return s.plan.BootDouble() }, nil
	}
	where, module, err := findCore(ctx, io)
	if err != nil {
		return nil, err
	}
	g := s.own
	if g == nil {
		embedded, err := embeddedGame(ctx, s.plan.ID(), module, where.cache)
		if err != nil {
			return nil, err
		}
		g = &embedded
	}
	return func(ctx context.Context) (emu.Body, error) { return bootUngoverned(ctx, module, *g) }, nil
}

// bootUngoverned boots the game from its pinned savestate, with nothing but the
// decoders on it: a scenario brings its own session.
func bootUngoverned(ctx context.Context, m mgba.Module, g game) (emu.Body, error) {
	core, err := mgba.Boot(ctx, m, mgba.BootOptions{ROM: g.rom})
	if err != nil {
		return nil, fmt.Errorf("boot the cartridge: %w", err)
	}
	if err := g.scenario.CheckPins(core.Identity(), g.boot.State); err != nil {
		return nil, errors.Join(usage(err), core.Close())
	}
	profile := gen3.ProfileOf(core.Identity())
	decode := func(mem emu.Memory) emu.State { return gen3.Decode(mem, profile) }
	b := body.New(core, decode, bodyInfo(core.Identity(), g.scenario, profile, "scenario"), g.boot.State)
	if err := b.RestoreState(ctx, g.boot.State, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("load the savestate: %w", err), b.Close())
	}
	return b, nil
}

func newScenarioVerifyCommand(io streams) *cobra.Command {
	var again, asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check a run's evidence to the last byte",
		Long: `Verify recomputes everything in a folder of evidence and names the file that
does not hold. That nobody made up the whole of it only playing the scenario
again can tell: --again does.`,
		Args: exactly(1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return verifyScenario(cmd.Context(), io, args[0], again, asJSON)
		},
	}
	cmd.Flags().BoolVar(&again, "again", false, "play the scenario again and compare")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func verifyScenario(ctx context.Context, io streams, dir string, again, asJSON bool) error {
	if _, err := os.Lstat(dir); err != nil {
		return usage(err)
	}
	e, p, err := scenario.Verify(filepath.Clean(dir))
	if err != nil {
		return unproven(dir, err, "scenario run ID")
	}
	if again {
		if err := replayScenario(ctx, io, p, e); err != nil {
			return err
		}
	}
	s := summaryOf(p, e, dir)
	s.Again = again
	return printEvidence(io, s, "holds", asJSON)
}

// unproven says which folder does not hold, why, and what makes another one.
func unproven(dir string, err error, again string) error {
	return fmt.Errorf("the evidence in %s does not hold: %w; only a new run makes it anew: clankie %s --out DIR", emu.Clean(dir), err, again)
}

// replayScenario plays the scenario that this program has under the id.
func replayScenario(ctx context.Context, io streams, p scenario.Plan, e scenario.Evidence) error {
	known, err := findScenario(p.ID())
	if err != nil {
		return usage(err)
	}
	if known.plan.Fixture != p.Fixture {
		return fmt.Errorf("the evidence is of another version of %s: %s, here is %s", p.ID(), p.Fixture.Short(), known.plan.Fixture.Short())
	}
	boot, err := bootScenario(ctx, io, known)
	if err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "clankie-scenario-*")
	if err != nil {
		return usage(err)
	}
	return errors.Join(known.plan.Replay(ctx, boot, root, e), os.RemoveAll(root))
}

func summaryOf(p scenario.Plan, e scenario.Evidence, dir string) evidenceSummary {
	return evidenceSummary{
		Folder: dir, ID: p.ID(), Machine: machineOf(p), RunID: e.Report.RunID, Result: e.Report.Result,
		Halt: e.Report.Halt, Network: e.Report.Network, Files: e.Receipt.Files,
	}
}

func printEvidence(io streams, s evidenceSummary, what string, asJSON bool) error {
	if asJSON {
		return printJSON(io.out, s)
	}
	fmt.Fprintf(io.out, "%s (%s): %s, halted by %s; network: %s\n", s.ID, s.Machine, s.Result, s.Halt, s.Network)
	for _, f := range s.Files {
		fmt.Fprintf(io.out, "  %s  %s\n", f.SHA256, f.Name)
	}
	_, err := fmt.Fprintf(io.out, "the evidence in %s %s\n", emu.Clean(s.Folder), what)
	return err
}
