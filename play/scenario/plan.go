package scenario

import (
	"fmt"

	"clankie/emu"
	"clankie/emu/double"
	"clankie/emu/session/evidence"
	"clankie/fixtures"
)

// Plan is a scenario ready to be played: exactly one of Double and Real is
// set.
type Plan struct {
	Double *double.Scenario
	Real   *fixtures.Scenario

	// JSON are the bytes of the scenario's file, and Fixture their digest.
	JSON    []byte
	Fixture emu.Digest
}

// ParsePlan reads a scenario of either kind. The double's has a trainer, which
// the real core's never has.
func ParsePlan(data []byte) (Plan, error) {
	var members map[string]any
	if err := emu.UnmarshalPart(data, &members); err != nil {
		return Plan{}, fmt.Errorf("scenario: %w", err)
	}
	if _, ok := members["trainer"]; ok {
		s, err := double.ParseScenario(data)
		return Plan{Double: &s, JSON: data, Fixture: emu.DigestOf(data)}, err
	}
	s, err := fixtures.ParseScenario(data)
	if err == nil && s.Route == nil {
		err = fmt.Errorf("scenario: %s shows nothing but pictures: there is nothing to decide by", s.ScenarioID)
	}
	return Plan{Real: &s, JSON: data, Fixture: emu.DigestOf(data)}, err
}

// pins are what a plan has in common with any other.
type pins struct {
	evidence.Header
	savestateID  string
	world        string
	character    string
	maxEvents    int
	maxDecisions int
	minDecisions int
	goal         string
}

func (p Plan) pins() pins {
	if s := p.Double; s != nil {
		return pins{
			evidence.Header{
				ScenarioID: s.ScenarioID, ScenarioVersion: s.ScenarioVersion, FixtureSHA256: p.Fixture,
				CoreID: s.CoreID, SavestateSHA256: s.SavestateSHA256, RNGSeed: s.RNGSeed,
			},
			s.SavestateID, s.WorldID, s.Player.CharacterID, s.MaxEvidenceEvents, s.MaxDecisions,
			s.Expected.MinimumDecisions, fixtures.GoalTrainerBattleWon,
		}
	}
	s := p.Real
	return pins{
		evidence.Header{
			ScenarioID: s.ScenarioID, ScenarioVersion: s.ScenarioVersion, FixtureSHA256: p.Fixture,
			CoreID: s.CoreID, SavestateSHA256: s.SavestateSHA256, RNGSeed: s.RNGSeed,
		},
		s.SavestateID, s.WorldID, s.CharacterID, s.MaxEvidenceEvents, s.MaxDecisions,
		s.Route.MinimumDecisions, s.Route.Goal.Kind,
	}
}

// ID is the scenario's id.
func (p Plan) ID() string { return p.pins().ScenarioID }

// RunID names a run. It follows from the scenario: equal runs have equal names.
func (p Plan) RunID() string { return "gba-emulator-" + string(p.Fixture[:16]) }

// SessionID names the session of a run.
func (p Plan) SessionID() string {
	h := p.pins().Header
	return fmt.Sprintf("gba-emulator:%s:v%d", h.ScenarioID, h.ScenarioVersion)
}

func (p Plan) decide(k Known, s Sight) Choice {
	if p.Double != nil {
		return DecideDouble(*p.Double, s)
	}
	return DecideReal(p.Real.Route, k, s)
}

func (p Plan) learn(k Known, before Sight, c Choice, after Sight) (Known, bool) {
	if p.Double != nil {
		return k, true
	}
	return k.learn(before, c, after)
}

// fits says in what a body is not the one that the plan pins, or returns nil.
func (p Plan) fits(info emu.BodyInfo) error {
	want := p.pins()
	if info.Real != (p.Real != nil) {
		return fmt.Errorf("scenario: %s is not for this kind of machine", want.ScenarioID)
	}
	if p.Real != nil {
		if err := p.Real.CheckPins(info.Identity, nil); err != nil {
			return err
		}
	}
	if info.BootSHA256 != want.SavestateSHA256 || info.Identity.CoreID != want.CoreID {
		return fmt.Errorf("scenario: the body was booted from %s on %s, the scenario pins %s on %s",
			info.BootSHA256.Short(), info.Identity.CoreID, want.SavestateSHA256.Short(), want.CoreID)
	}
	return p.CheckBinding(Bind(info, ""))
}

// Goal names what the scenario is about: fixtures.GoalReachTarget or
// fixtures.GoalTrainerBattleWon.
func (p Plan) Goal() string { return p.pins().goal }

// MaxDecisions is how many decisions a run may take.
func (p Plan) MaxDecisions() int { return p.pins().maxDecisions }
