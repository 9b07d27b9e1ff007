package scenario

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/play"
	"clankie/play/playtest"
)

// TestASaveBootsAScenario: the scenario of a save pins the save's state, and a
// session on a body that was booted from it is bound to it.
func TestASaveBootsAScenario(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	if r, err := o.Body.Act(t.Context(), "step", emu.Press(emu.ButtonDown, 16), emu.FreePlayLimits); err != nil || r.Err != nil {
		t.Fatal(r, err)
	}
	saved, err := o.Port.Save(t.Context(), play.SaveRequest{Reason: play.ReasonOperator})
	if err != nil {
		t.Fatal(err)
	}
	store := o.Port.(*play.Checkpoints).Store
	loaded, err := store.Read(t.Context(), saved.Entry.ID, o.Body.Info().Identity)
	if err != nil {
		t.Fatal(err)
	}
	p := planOfSave(t, filepath.Join(store.Root(), saved.Entry.ID))
	e, err := p.Play(t.Context(), func(context.Context) (emu.Body, error) {
		return bodyFrom(t, p, loaded.State), nil
	}, t.TempDir(), NetworkImports)
	if err != nil {
		t.Fatal(err)
	}
	h := e.Trace.Header
	if h.SavestateSHA256 != loaded.Receipt.SavestateSHA256 || h.FixtureSHA256 != p.Fixture || e.Receipt.Binding.FixtureSHA256 != p.Fixture {
		t.Errorf("bound to %+v, %+v", h, e.Receipt.Binding)
	}
	bedroom := load(t, "bramble-bedroom")
	if err := bedroom.CheckBinding(e.Receipt.Binding); err == nil {
		t.Error("the fixture took the binding of the save")
	}
	if e.Report.Result != Passed {
		t.Errorf("%s: %v", e.Report.Halt, reasons(e))
	}
}

func planOfSave(t *testing.T, folder string) Plan {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bodyFrom boots the project's own cartridge from a state that the plan pins.
func bodyFrom(t *testing.T, p Plan, state []byte) emu.Body {
	t.Helper()
	s := p.Real
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: playtest.Fixture(t, "bramble-bedroom").ROM})
	if err := s.CheckPins(core.Identity(), state); err != nil {
		t.Fatal(err)
	}
	profile := gen3.ProfileOf(core.Identity())
	b := body.New(core, func(m emu.Memory) emu.State { return gen3.Decode(m, profile) }, emu.BodyInfo{
		ScenarioID: s.ScenarioID, ScenarioVersion: s.ScenarioVersion, FixtureSHA256: s.SHA256(),
		EnvironmentID: "bramble-lane", Profile: profile.Name, WorldID: s.WorldID, CharacterID: s.CharacterID,
		Identity: core.Identity(), BootSHA256: s.SavestateSHA256, Real: true,
	}, state)
	if err := b.RestoreState(t.Context(), state, nil); err != nil {
		t.Fatal(err)
	}
	return b
}
