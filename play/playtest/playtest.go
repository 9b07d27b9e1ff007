package playtest

import (
	"sync"
	"testing"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind"
)

// Fixture loads an embedded fixture.
func Fixture(t testing.TB, id string) fixtures.Fixture {
	t.Helper()
	f, err := fixtures.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pinned keeps the savestates made so far: every test of a binary shares them.
var pinned sync.Map

// State is a fixture's pinned savestate, made once per test binary. The bytes
// must not be written to.
func State(t testing.TB, f fixtures.Fixture) []byte {
	t.Helper()
	if state, ok := pinned.Load(f.Scenario.ScenarioID); ok {
		return state.([]byte)
	}
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM})
	state, err := f.Generate(t.Context(), core)
	if err != nil {
		t.Fatal(err)
	}
	pinned.Store(f.Scenario.ScenarioID, state)
	return state
}

// Body boots a fixture on the real core. It is closed when the test ends.
func Body(t testing.TB, id string) emu.Body {
	t.Helper()
	return bodySeen(t, id, func(s emu.State) emu.State { return s })
}

// bodySeen boots a fixture on a body that takes for the state what seen makes
// of the one that is decoded.
func bodySeen(t testing.TB, id string, seen func(emu.State) emu.State) emu.Body {
	t.Helper()
	f := Fixture(t, id)
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM})
	profile := gen3.ProfileOf(core.Identity())
	info := emu.BodyInfo{
		SessionID: "test:" + id, ScenarioID: f.Scenario.ScenarioID, ScenarioVersion: f.Scenario.ScenarioVersion,
		FixtureSHA256: f.Scenario.SHA256(), EnvironmentID: "bramble-lane", GameTitle: profile.Title,
		Profile: profile.Name, WorldID: f.Scenario.WorldID, CharacterID: f.Scenario.CharacterID,
		Identity: core.Identity(), BootSHA256: f.Scenario.SavestateSHA256, Real: true,
	}
	state := State(t, f)
	decode := func(m emu.Memory) emu.State { return seen(gen3.Decode(m, profile)) }
	b := body.New(core, decode, info, state, body.WithClock(mgbatest.Clock{}), body.WithStorage(func(m emu.Memory) (emu.Storage, bool) {
		return gen3.DecodeStorage(m, profile)
	}))
	t.Cleanup(func() { b.Close() })
	if err := b.RestoreState(t.Context(), state, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// Journey is the journey of every sitting made here.
const Journey = "local:bramble-lane:profile:main"

// Options are the options of an unpaced, journaled sitting of the autopilot
// with a store of saves in a folder of the test's own. Tests change what they
// are about.
func Options(t testing.TB, id string) play.Options {
	t.Helper()
	return optionsOf(t, id, Body(t, id))
}

// OptionsSeen are Options of a body that takes for the state what seen makes
// of the one that is decoded, for what no cartridge of one's own can be made to
// show.
func OptionsSeen(t testing.TB, id string, seen func(emu.State) emu.State) play.Options {
	t.Helper()
	return optionsOf(t, id, bodySeen(t, id, seen))
}

func optionsOf(t testing.TB, id string, b emu.Body) play.Options {
	t.Helper()
	f := Fixture(t, id)
	store, err := checkpoint.Open(t.TempDir(), checkpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	info := b.Info()
	w, err := journal.Create(t.TempDir(), journal.Header{
		RunID: "test", EnvironmentSessionID: info.SessionID, ScenarioID: info.ScenarioID,
		StartedAt: "2026-01-01T00:00:00.000Z", JourneyID: Journey, EnvironmentID: info.EnvironmentID,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return play.Options{
		Body: b,
		Port: &play.Checkpoints{
			Store: store, Body: b, Boot: play.Pin{State: State(t, f)}, Scenario: f.Scenario.JSON,
			JourneyID: Journey, RunID: "test",
		},
		Journal: w,
		Minds: map[string]func() play.Mind{
			mind.NameAutopilot: func() play.Mind { return mind.NewAutopilot() },
			mind.NameOperator:  func() play.Mind { return mind.NewOperator() },
		},
		Mind: mind.NameAutopilot, Speed: play.SpeedMax, RunID: "test", JourneyID: Journey,
	}
}

// Play runs a sitting to its end.
func Play(t testing.TB, o play.Options) play.Result {
	t.Helper()
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Recorded reads back what a sitting wrote into its journal, strictly.
func Recorded(t testing.TB, o play.Options) journal.Contents {
	t.Helper()
	got, err := journal.ReadStrict(o.Journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	return got
}
