package session

import (
	"slices"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
)

// fuzzMachine is the real core with the project's own cartridge, and moments of
// its game to begin at. Inputs share it: a boot costs more than an input.
type fuzzMachine struct {
	rom    []byte
	core   lastingCore
	scenes [][]byte    // savestates, in the order they were come to
	states []emu.State // what each shows
}

// lastingCore outlives the bodies on it.
type lastingCore struct{ *mgba.Core }

func (lastingCore) Close() error { return nil }

// newFuzzMachine plays the longest schedule there is and keeps one moment of
// every kind of scene on its way: title, keyboard, text, menus, field, battle.
func newFuzzMachine(f *testing.F) *fuzzMachine {
	f.Helper()
	fixture, err := fixtures.Load("bramble-double-battle")
	if err != nil {
		f.Fatal(err)
	}
	m := &fuzzMachine{rom: fixture.ROM}
	m.boot(f)
	for _, p := range fixture.Schedule.Inputs {
		m.run(f, p.Hold, p.Button.Keys())
		m.run(f, p.Settle, 0)
	}
	for range 12 { // into the battle and through its first turns
		m.run(f, 4, emu.ButtonA.Keys())
		m.run(f, 60, 0)
	}
	return m
}

// boot takes a new machine in the place of the old one.
func (m *fuzzMachine) boot(t testing.TB) {
	t.Helper()
	core, err := mgba.Boot(t.Context(), mgbatest.Module(t), mgba.BootOptions{ROM: m.rom})
	if err != nil {
		t.Fatal(err)
	}
	if m.core.Core != nil {
		m.core.Core.Close()
	}
	m.core = lastingCore{core}
}

const sceneEvery = 30 // frames between two looks for a new kind of scene

func (m *fuzzMachine) run(t testing.TB, n int, held emu.Keys) {
	t.Helper()
	for ; n > 0; n -= sceneEvery {
		if _, err := m.core.Run(t.Context(), min(n, sceneEvery), held); err != nil {
			t.Fatal(err)
		}
		m.keep(t)
	}
}

func (m *fuzzMachine) keep(t testing.TB) {
	t.Helper()
	s := gen3.Decode(m.core.Memory(), gen3.ProfileOf(m.core.Identity()))
	if slices.ContainsFunc(m.states, func(o emu.State) bool { return sceneOf(o) == sceneOf(s) }) {
		return
	}
	state, err := m.core.Save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m.states, m.scenes = append(m.states, s), append(m.scenes, state)
}

// kindOfScene is what tells one moment from another of the same game.
type kindOfScene struct {
	emu.Scene
	text bool
	menu string
}

func sceneOf(s emu.State) kindOfScene {
	kind := kindOfScene{Scene: s.Scene, text: s.Dialog != nil}
	if s.Menu != nil {
		kind.menu = s.Menu.ID
	}
	return kind
}

// scene is the first moment of a kind.
func (m *fuzzMachine) scene(t testing.TB, is func(emu.State) bool) byte {
	t.Helper()
	i := slices.IndexFunc(m.states, is)
	if i < 0 {
		t.Fatal("the schedule comes to no such scene")
	}
	return byte(i)
}

// body stands a new body at a scene.
func (m *fuzzMachine) body(t testing.TB, scene int) *body.Body {
	t.Helper()
	state := m.scenes[scene%len(m.scenes)]
	if err := m.core.Load(t.Context(), state); err != nil {
		t.Fatal(err)
	}
	profile := gen3.ProfileOf(m.core.Identity())
	decode := func(memory emu.Memory) emu.State { return gen3.Decode(memory, profile) }
	return body.New(m.core, decode, emu.BodyInfo{
		ScenarioID: "fuzz", ScenarioVersion: 1, FixtureSHA256: emu.DigestOf([]byte("fuzz")),
		EnvironmentID: "bramble-lane", Profile: "bramble", WorldID: "world", CharacterID: "hero",
		Identity: m.core.Identity(), BootSHA256: emu.DigestOf(state), Real: true,
	}, state)
}
