package competence_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/fixtures"
	"clankie/play"
	"clankie/play/playtest"
	"clankie/play/scenario"
	"clankie/play/scenario/competence"
)

func benchmark(t testing.TB) competence.Benchmark {
	t.Helper()
	b, err := competence.Open(fixtures.Competence, fixtures.ScenarioAt)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func planOf(t *testing.T, s competence.State) scenario.Plan {
	t.Helper()
	data, err := fixtures.ScenarioAt(s.ScenarioPath)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Plan(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func bodyOf(t *testing.T, p scenario.Plan) emu.Body {
	t.Helper()
	if p.Double == nil {
		return playtest.Body(t, p.ID())
	}
	b, err := p.BootDouble()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// playState plays one state as a benchmark does, and judges it.
func playState(t *testing.T, s competence.State, mind func(scenario.Plan) play.Mind) competence.Result {
	t.Helper()
	p := planOf(t, s)
	r, err := competence.Run(t.Context(), benchmark(t).Definition, s, bodyOf(t, p), mind(p))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func boot(t *testing.T) competence.Boot {
	return func(_ context.Context, _ competence.State, p scenario.Plan) (emu.Body, error) {
		return bodyOf(t, p), nil
	}
}

// playedOf keeps what was played, for it takes a while: by mode and controller.
var playedOf sync.Map

func played(t *testing.T, mode, controller string) competence.Played {
	t.Helper()
	if p, ok := playedOf.Load(mode + controller); ok {
		return p.(competence.Played)
	}
	p, err := benchmark(t).Play(t.Context(), mode, controller, boot(t))
	if err != nil {
		t.Fatal(err)
	}
	playedOf.Store(mode+controller, p)
	return p
}

var modes = []string{competence.KindDouble, competence.KindROM}

func TestBuiltinPassesEveryStateTwiceTheSameWay(t *testing.T) {
	for _, mode := range modes {
		first := played(t, mode, competence.ControllerBuiltin).Report
		for _, r := range first.States {
			if !r.Passed {
				t.Errorf("%s: %+v\n%+v", r.StateID, r.Checks, r.Metrics)
			}
		}
		if !first.Passed {
			t.Errorf("%s was not passed", mode)
		}
		again, err := benchmark(t).Play(t.Context(), mode, competence.ControllerBuiltin, boot(t))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, again.Report); diff != "" {
			t.Errorf("a fresh run differs:\n%s", diff)
		}
	}
}

// TestRepeatOnlyControllersFailEveryState: neither the benchmark's own nor one
// that presses another button passes a state.
func TestRepeatOnlyControllersFailEveryState(t *testing.T) {
	for _, mode := range modes {
		p := played(t, mode, competence.ControllerRepeat).Report
		if p.Passed {
			t.Errorf("%s was passed by repeating", mode)
		}
		for _, r := range append(p.States, p.RepeatOnly...) {
			failsByRepeating(t, r)
		}
	}
	for _, s := range benchmark(t).States {
		right := competence.RepeatOnly{Button: emu.ButtonRight}
		failsByRepeating(t, playState(t, s, func(scenario.Plan) play.Mind { return right }))
	}
}

func failsByRepeating(t *testing.T, r competence.Result) {
	t.Helper()
	if r.Passed || r.Checks.NotRepeatOnly || r.Checks.ControlStateDerived {
		t.Errorf("%s: %+v\n%+v", r.StateID, r.Checks, r.Metrics)
	}
}

func TestStatesArePinned(t *testing.T) {
	d := benchmark(t)
	s := d.States[0]
	data, err := fixtures.ScenarioAt(s.ScenarioPath)
	if err != nil {
		t.Fatal(err)
	}
	s.Pinned.SavestateSHA256 = emu.DigestOf(nil)
	if _, err := s.Plan(data); err == nil || err.Error() != "free_play_competence_state_pin_mismatch:"+s.StateID {
		t.Errorf("error %v", err)
	}
	real, err := d.Of(competence.KindROM)
	if err != nil {
		t.Fatal(err)
	}
	double := planOf(t, d.States[0])
	_, err = competence.Run(t.Context(), d.Definition, real[0], bodyOf(t, double), competence.RepeatOnly{Button: emu.ButtonA})
	if err == nil || !strings.HasPrefix(err.Error(), "free_play_competence_rom_core_required:") {
		t.Errorf("error %v", err)
	}
	if _, err := d.Of("cloud"); err == nil || err.Error() != "free_play_competence_no_states:cloud" {
		t.Errorf("error %v", err)
	}
}

func TestParseIsStrict(t *testing.T) {
	text := string(fixtures.Competence)
	for name, change := range map[string][2]string{
		"unknown member":     {`"benchmarkVersion": 1`, `"benchmarkVersion": 1, "more": 1`},
		"missing member":     {`"stallThresholdTurns": 4,`, ``},
		"unknown milestone":  {`"dialog_opened"`, `"felt_good"`},
		"no such target":     {`"targetMilestoneId": "won"`, `"targetMilestoneId": "lost"`},
		"a seedless double":  {`"rngSeed": 20260719,`, ``},
		"a milestone's lack": {`"mapId": "bramble-map-4-1"`, `"menuId": "x"`},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Fatalf("%s: nothing to change", name)
		}
		if _, err := competence.Parse([]byte(changed)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
