package competence

import (
	"context"
	"fmt"

	"clankie/emu"
	"clankie/play/scenario"
)

// Benchmark is a definition with the scenarios that its states name.
type Benchmark struct {
	Definition
	SHA256 emu.Digest // of the definition's bytes
	// Scenario returns the bytes of the scenario at a state's path.
	Scenario func(path string) ([]byte, error)
}

// Open reads a benchmark. scenarios returns the bytes of the scenario at a path
// relative to the definition.
func Open(definition []byte, scenarios func(path string) ([]byte, error)) (Benchmark, error) {
	d, err := Parse(definition)
	return Benchmark{d, emu.DigestOf(definition), scenarios}, err
}

// Boot makes a fresh body for a state's plan, under a session of its own.
type Boot func(ctx context.Context, s State, p scenario.Plan) (emu.Body, error)

// Report is what a benchmark came to. It tells nothing of the time, the machine
// or the module it was played on: equal runs have equal reports.
type Report struct {
	SchemaVersion    int        `json:"schemaVersion"`
	BenchmarkID      string     `json:"benchmarkId"`
	BenchmarkVersion int        `json:"benchmarkVersion"`
	BenchmarkSHA256  emu.Digest `json:"benchmarkSha256"`
	Mode             string     `json:"mode"` // KindDouble or KindROM
	Controller       string     `json:"controller"`
	States           []Result   `json:"states"`
	// RepeatOnly are the same states played by pressing one button: who could
	// pass them so has proven nothing.
	RepeatOnly []Result `json:"repeatOnly"`
	Passed     bool     `json:"passed"`
}

// Played is a report with what it was played on.
type Played struct {
	Report Report
	Core   emu.CoreIdentity // of the last state's machine
}

// Play plays every state of a mode with a controller and, to see that the
// states tell one from the other, with the repeat-only one.
func (b Benchmark) Play(ctx context.Context, mode, name string, boot Boot) (Played, error) {
	states, err := b.Of(mode)
	if err != nil {
		return Played{}, err
	}
	out := Played{Report: b.report(mode, name)}
	for _, s := range states {
		own, core, err := b.play(ctx, s, name, boot)
		if err != nil {
			return Played{}, err
		}
		repeated, _, err := b.play(ctx, s, ControllerRepeat, boot)
		if err != nil {
			return Played{}, err
		}
		out.Core = core
		out.Report.States = append(out.Report.States, own)
		out.Report.RepeatOnly = append(out.Report.RepeatOnly, repeated)
	}
	out.Report.Passed = out.Report.passes()
	return out, nil
}

func (b Benchmark) report(mode, name string) Report {
	return Report{
		SchemaVersion: 1, BenchmarkID: b.BenchmarkID, BenchmarkVersion: b.BenchmarkVersion, BenchmarkSHA256: b.SHA256,
		Mode: mode, Controller: name,
	}
}

// play plays one state once.
func (b Benchmark) play(ctx context.Context, s State, name string, boot Boot) (Result, emu.CoreIdentity, error) {
	p, err := b.plan(s)
	if err != nil {
		return Result{}, emu.CoreIdentity{}, err
	}
	mind, err := controller(name, p)
	if err != nil {
		return Result{}, emu.CoreIdentity{}, err
	}
	body, err := boot(ctx, s, p)
	if err != nil {
		return Result{}, emu.CoreIdentity{}, err
	}
	core := body.Info().Identity
	r, err := Run(ctx, b.Definition, s, body, mind)
	if err != nil {
		err = fmt.Errorf("competence: %s: %w", s.StateID, err)
	}
	return r, core, err
}

// plan is a state's scenario, once its pins were compared.
func (b Benchmark) plan(s State) (scenario.Plan, error) {
	data, err := b.Scenario(s.ScenarioPath)
	if err != nil {
		return scenario.Plan{}, err
	}
	return s.Plan(data)
}

// passes reports whether every state was passed, and none by repeating.
func (r Report) passes() bool {
	for _, s := range r.States {
		if !s.Passed {
			return false
		}
	}
	for _, s := range r.RepeatOnly {
		if s.Passed {
			return false
		}
	}
	return len(r.States) > 0
}

// ParseReport reads a report strictly. That it is one of this benchmark is for
// [Benchmark.Check] to say.
func ParseReport(data []byte) (Report, error) {
	var r Report
	if err := emu.UnmarshalComplete(data, &r); err != nil {
		return Report{}, fmt.Errorf("competence: report: %w", err)
	}
	switch {
	case r.SchemaVersion != 1 || !r.BenchmarkSHA256.Valid():
		return Report{}, fmt.Errorf("competence: report: schemaVersion or benchmarkSha256 is none")
	case len(r.States) < 1 || len(r.States) > maxStates || len(r.RepeatOnly) != len(r.States):
		return Report{}, fmt.Errorf("competence: report: %s and %s", emu.Count(len(r.States), "state"), emu.Count(len(r.RepeatOnly), "repeat-only run"))
	}
	return r, nil
}
