package replay_test

import (
	"context"
	"path/filepath"
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
	"clankie/play/playtest"
	"clankie/play/replay"
)

// rig is a taped sitting of the autopilot on the real core.
type rig struct {
	fixture fixtures.Fixture
	boot    []byte
	store   *checkpoint.Store
	info    emu.BodyInfo
	body    emu.Body
	port    *play.Checkpoints
	tape    string // path
	options play.Options
}

func newRig(t testing.TB) *rig {
	t.Helper()
	store, err := checkpoint.Open(t.TempDir(), checkpoint.Options{})
	must(t, err)
	return newRigIn(t, store, t.TempDir(), "test", "2026-01-01T00:00:00.000Z")
}

// newRigIn makes the rig of a run of that name in a store and a folder of
// journals.
func newRigIn(t testing.TB, store *checkpoint.Store, dir, runID, started string) *rig {
	t.Helper()
	f := playtest.Fixture(t, "bramble-bedroom")
	r := &rig{fixture: f, boot: playtest.State(t, f), store: store}
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM})
	profile := gen3.ProfileOf(core.Identity())
	r.info = emu.BodyInfo{
		SessionID: runID, ScenarioID: f.Scenario.ScenarioID, ScenarioVersion: f.Scenario.ScenarioVersion,
		FixtureSHA256: f.Scenario.SHA256(), EnvironmentID: "bramble-lane", GameTitle: profile.Title,
		Profile: profile.Name, Identity: core.Identity(), BootSHA256: f.Scenario.SavestateSHA256, Real: true,
	}
	recorder := replay.NewRecorder(core, r.info.BootSHA256)
	r.body = body.New(recorder, decode(profile), r.info, r.boot, body.WithClock(mgbatest.Clock{}))
	t.Cleanup(func() { r.body.Close() })
	must(t, r.body.RestoreState(t.Context(), r.boot, nil))
	w, err := journal.Create(dir, journal.Header{
		RunID: runID, EnvironmentSessionID: runID, ScenarioID: r.info.ScenarioID,
		StartedAt: started, JourneyID: playtest.Journey, EnvironmentID: r.info.EnvironmentID,
	})
	must(t, err)
	must(t, w.SetGroupCommit(journal.GroupCommit))
	t.Cleanup(func() { w.Close() })
	tape, err := journal.CreateTape(w.Path(), journal.TapeHeader{
		RunID: runID, ScenarioID: r.info.ScenarioID, EnvironmentID: r.info.EnvironmentID,
		StartedAt: started, BootSHA256: r.info.BootSHA256,
		RecipeSHA256: mgba.RecipeSHA256(), Identity: r.info.Identity,
	})
	must(t, err)
	must(t, tape.SetGroupCommit(journal.GroupCommit))
	must(t, recorder.Start(tape))
	r.tape = tape.Path()
	r.port = &play.Checkpoints{
		Store: r.store, Body: r.body, Boot: play.Pin{State: r.boot}, Scenario: f.Scenario.JSON,
		JourneyID: playtest.Journey, RunID: runID, Tape: recorder,
		More: map[string]play.Pin{"title": {State: playtest.State(t, playtest.Fixture(t, "bramble-title"))}},
	}
	r.options = play.Options{
		Body: r.body, Port: r.port, Journal: w, Tape: recorder, Mind: mind.NameAutopilot,
		Minds:         map[string]func() play.Mind{mind.NameAutopilot: func() play.Mind { return mind.NewAutopilot() }},
		Speed:         play.SpeedMax,
		AutosaveTurns: 10, RunID: runID, JourneyID: playtest.Journey,
	}
	return r
}

// resume makes the rig of a second run, which goes on from the newest save.
func (r *rig) resume(t testing.TB) *rig {
	t.Helper()
	next := newRigIn(t, r.store, filepath.Dir(r.options.Journal.Path()), "later", "2026-01-02T00:00:00.000Z")
	live, err := r.store.LatestLive(t.Context(), next.info.Identity, playtest.Journey)
	must(t, err)
	next.port.ResumedFrom = live.Save.Receipt.CheckpointID
	next.port.Tape.Loading(next.port.ResumedFrom, "")
	must(t, next.body.RestoreState(t.Context(), live.Save.State, nil))
	return next
}

func decode(p *gen3.Profile) func(emu.Memory) emu.State {
	return func(m emu.Memory) emu.State { return gen3.Decode(m, p) }
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// play plays so many turns, seeing to it that rewinds saves are loaded and
// restarts restarts are made on the way, and closes the body.
func (r *rig) play(t testing.TB, turns, rewinds, restarts int) play.Result {
	t.Helper()
	m := &traveller{Mind: mind.NewAutopilot(), port: r.port, due: map[int]bool{}}
	for i := range rewinds {
		m.due[(i+1)*turns/(rewinds+1)] = true
	}
	m.restarts = map[int]string{}
	for i := range restarts {
		m.restarts[(i+1)*turns/(restarts+1)+1] = ""
	}
	r.options.Minds = map[string]func() play.Mind{mind.NameAutopilot: func() play.Mind { return m }}
	r.options.MaxTurns = turns
	s, err := play.New(r.options)
	must(t, err)
	result, err := s.Run(t.Context())
	must(t, err)
	must(t, r.body.Close())
	if m.rewound != rewinds || m.restarted != restarts {
		t.Fatalf("%d rewinds and %d restarts, not %d and %d", m.rewound, m.restarted, rewinds, restarts)
	}
	return result
}

// traveller is a mind that goes back in time at set turns and decides like
// another one else.
type traveller struct {
	play.Mind
	port               *play.Checkpoints
	due                map[int]bool
	restarts           map[int]string
	rewound, restarted int
}

func (m *traveller) Decide(ctx context.Context, v play.View) (play.Decision, error) {
	d, err := m.Mind.Decide(ctx, v)
	if _, ok := m.restarts[v.Turn]; ok {
		m.restarted++
		d.Action = emu.Action{Kind: emu.ActionRestartGame}
		return d, err
	}
	if !m.due[v.Turn] {
		return d, err
	}
	saves, listErr := m.port.Store.List(ctx, m.port.Body.Info().Identity)
	if listErr != nil || len(saves) == 0 {
		return d, listErr
	}
	m.rewound++
	d.Action = emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: saves[(v.Turn*7)%len(saves)].ID}
	return d, err
}

// core boots a fresh core with the cartridge in it and nothing else.
func (r *rig) core(t testing.TB) emu.Core {
	t.Helper()
	return mgbatest.Boot(t, mgba.BootOptions{ROM: r.fixture.ROM})
}

func (r *rig) library(t testing.TB) *replay.Library {
	title := playtest.State(t, playtest.Fixture(t, "bramble-title"))
	return replay.NewLibrary(r.store, r.info.Identity, r.boot, title)
}

func (r *rig) replay(t testing.TB) (replay.Report, error) {
	t.Helper()
	return replay.Run(t.Context(), r.core(t), r.library(t), journal.ReadTape(r.tape))
}
