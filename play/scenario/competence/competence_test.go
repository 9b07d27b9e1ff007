package competence_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/fixtures"
	"clankie/play"
	"clankie/play/playtest"
	"clankie/play/scenario"
	"clankie/play/scenario/competence"
)

func benchmark(t *testing.T) competence.Definition {
	t.Helper()
	d, err := competence.Parse(fixtures.Competence)
	if err != nil {
		t.Fatal(err)
	}
	return d
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

// builtin aims the built-in mind at what the state's scenario is about.
func builtin(p scenario.Plan) play.Mind {
	if d := p.Double; d != nil {
		return competence.Builtin{Target: emu.Position{MapID: d.Map.MapID, X: d.TargetLocation.X, Y: d.TargetLocation.Y}}
	}
	return competence.Builtin{Target: p.Real.Route.Target, Facing: p.Real.Route.Goal.InteractionFacing}
}

// repeater presses one button for ever.
type repeater emu.Button

func (repeater) Name() string { return "repeater" }

func (r repeater) Decide(context.Context, play.View) (play.Decision, error) {
	return play.Decision{Monologue: "again", Intent: "press it again", Action: emu.Press(emu.Button(r), 16)}, nil
}

func run(t *testing.T, d competence.Definition, s competence.State, mind func(scenario.Plan) play.Mind) competence.Result {
	t.Helper()
	p := planOf(t, s)
	r, err := competence.Run(t.Context(), d, s, bodyOf(t, p), mind(p))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestBuiltinPassesEveryStateTwiceTheSameWay(t *testing.T) {
	d := benchmark(t)
	for _, s := range d.States {
		t.Run(s.StateID, func(t *testing.T) {
			first := run(t, d, s, builtin)
			if !first.Passed {
				t.Fatalf("%+v\n%+v", first.Checks, first.Metrics)
			}
			if diff := cmp.Diff(first, run(t, d, s, builtin)); diff != "" {
				t.Errorf("a fresh run differs:\n%s", diff)
			}
		})
	}
}

func TestRepeatOnlyControllersFailEveryState(t *testing.T) {
	d := benchmark(t)
	for _, s := range d.States {
		for _, button := range []emu.Button{emu.ButtonA, emu.ButtonRight} {
			t.Run(s.StateID+" "+string(button), func(t *testing.T) {
				r := run(t, d, s, func(scenario.Plan) play.Mind { return repeater(button) })
				if r.Passed || r.Checks.NotRepeatOnly || r.Checks.ControlStateDerived {
					t.Errorf("%+v\n%+v", r.Checks, r.Metrics)
				}
			})
		}
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
	_, err = competence.Run(t.Context(), d, real[0], bodyOf(t, double), builtin(double))
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
