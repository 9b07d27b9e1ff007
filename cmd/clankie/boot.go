package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/session"
	"clankie/fixtures"
	"clankie/play"
	"clankie/play/pins"
	"clankie/play/replay"
)

// game is what boots: a cartridge, its pinned savestate and the scenario that
// pins both.
type game struct {
	scenario fixtures.Scenario
	rom      []byte
	boot     play.Pin
	pins     map[string]play.Pin // other savestates of the same cartridge, by name
	slot     string              // where the operator's own pins of it lie
}

// findGame reads the game that the flags name and checks its pins against the
// core module. Savestates of the project's cartridge are made where they are
// not cached yet.
func findGame(ctx context.Context, f gameFlags, m mgba.Module, where folders) (game, error) {
	f, err := f.resolve(where)
	switch {
	case err != nil:
		return game{}, err
	case f.game != "":
		return pinnedGame(f, where)
	case f.fixture != "":
		return embeddedGame(ctx, f.fixture, m, where.cache)
	}
	return operatorGame(f)
}

func operatorGame(f gameFlags) (game, error) {
	files, err := fixtures.LoadFiles(f.rom, f.savestate, f.scenario)
	if err != nil {
		return game{}, usage(err)
	}
	return game{
		scenario: files.Scenario, rom: files.ROM, boot: play.Pin{State: files.Savestate},
		slot: pins.FileSlot(files.Scenario.ROMSHA256),
	}, nil
}

func embeddedGame(ctx context.Context, id string, m mgba.Module, cache string) (game, error) {
	chosen, err := fixtures.Load(id)
	if err != nil {
		return game{}, usage(err)
	}
	g := game{scenario: chosen.Scenario, rom: chosen.ROM, pins: map[string]play.Pin{}, slot: pins.Cartridge}
	for _, name := range fixtures.List() {
		f, err := fixtures.Load(name)
		if err != nil {
			return game{}, err
		}
		state, err := pinnedState(ctx, f, m, cache)
		if err != nil {
			return game{}, err
		}
		if name == id {
			g.boot = play.Pin{State: state}
		}
		g.pins[strings.TrimPrefix(name, "bramble-")] = play.Pin{State: state}
	}
	return g, nil
}

// pinnedState returns a fixture's savestate from the cache, or makes it from
// its schedule and caches it. Either way its digest is the pinned one.
func pinnedState(ctx context.Context, f fixtures.Fixture, m mgba.Module, cache string) ([]byte, error) {
	path := filepath.Join(cache, "savestates", string(f.Scenario.SavestateSHA256)+".state")
	state, err := os.ReadFile(path)
	if err == nil && emu.DigestOf(state) == f.Scenario.SavestateSHA256 {
		return state, nil
	}
	// Whatever is wrong with the cached one, it can be made again.
	core, err := mgba.Boot(ctx, m, mgba.BootOptions{ROM: f.ROM})
	if err != nil {
		return nil, fmt.Errorf("boot the cartridge: %w", err)
	}
	defer core.Close()
	if state, err = f.Generate(ctx, core); err != nil {
		return nil, err
	}
	// A cache that cannot be written costs a second at each start, no more.
	_ = cacheFile(path, state)
	return state, nil
}

// proveOnCartridge is what a module other than the reference must pass before
// it is pinned here: the pinned savestates of the project's cartridge come out
// byte for byte.
func proveOnCartridge(ctx context.Context, m mgba.Module) error {
	for _, id := range fixtures.List() {
		f, err := fixtures.Load(id)
		if err != nil {
			return err
		}
		if err := proveFixture(ctx, f, m); err != nil {
			return err
		}
	}
	return nil
}

func proveFixture(ctx context.Context, f fixtures.Fixture, m mgba.Module) error {
	core, err := mgba.Boot(ctx, m, mgba.BootOptions{ROM: f.ROM})
	if err != nil {
		return fmt.Errorf("boot the cartridge: %w", err)
	}
	defer core.Close()
	state, err := f.Schedule.Run(ctx, core)
	if err != nil {
		return err
	}
	if got := emu.DigestOf(state); got != f.Scenario.SavestateSHA256 {
		return fmt.Errorf("%s comes out as %s on this module, pinned is %s",
			f.Scenario.ScenarioID, got.Short(), f.Scenario.SavestateSHA256.Short())
	}
	return nil
}

// cacheFile puts data at path as a whole or not at all.
func cacheFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// bootBody boots the game on a new core from its pinned savestate, puts a
// recorder around the core, the decoders on it and a governed session around
// it. told hears of session records that cannot be written; play goes on.
func bootBody(ctx context.Context, m mgba.Module, g game, runID, runtime string, told func(error)) (emu.Body, *replay.Recorder, error) {
	core, err := mgba.Boot(ctx, m, mgba.BootOptions{ROM: g.rom})
	if err != nil {
		return nil, nil, fmt.Errorf("boot the cartridge: %w", err)
	}
	if err := g.scenario.CheckPins(core.Identity(), g.boot.State); err != nil {
		core.Close()
		return nil, nil, usage(err)
	}
	recorder := replay.NewRecorder(core, g.scenario.SavestateSHA256)
	profile := gen3.ProfileOf(core.Identity())
	info := bodyInfo(core.Identity(), g.scenario, profile, runID)
	decode := func(mem emu.Memory) emu.State { return gen3.Decode(mem, profile) }
	b := body.New(recorder, decode, info, g.boot.State, body.WithStorage(func(mem emu.Memory) (emu.Storage, bool) {
		return gen3.DecodeStorage(mem, profile)
	}))
	if err := b.RestoreState(ctx, g.boot.State, nil); err != nil {
		b.Close()
		return nil, nil, fmt.Errorf("load the savestate: %w", err)
	}
	governed, err := session.Govern(ctx, b, session.GovernOptions{
		Root: runtime, Clock: session.SystemClock{}, Random: rand.Reader, RunID: runID,
		SavestateID: g.scenario.SavestateID, RNGSeed: g.scenario.RNGSeed,
		OnRecordFailure: told,
	})
	if err != nil {
		return nil, nil, usage(fmt.Errorf("start the session in %s: %w; XDG_STATE_HOME chooses another folder, and clankie doctor looks at this one", runtime, err))
	}
	return governed, recorder, nil
}

func bodyInfo(id emu.CoreIdentity, s fixtures.Scenario, p *gen3.Profile, runID string) emu.BodyInfo {
	return emu.BodyInfo{
		SessionID:  fmt.Sprintf("gba-free-play:%s:v%d:%s", s.ScenarioID, s.ScenarioVersion, runID),
		ScenarioID: s.ScenarioID, ScenarioVersion: s.ScenarioVersion, FixtureSHA256: s.SHA256(),
		EnvironmentID: environmentOf(id), GameTitle: p.Title, Profile: p.Name,
		WorldID: s.WorldID, CharacterID: s.CharacterID,
		Identity: id, BootSHA256: s.SavestateSHA256, Real: true,
	}
}

// environment names the environment of a game that is not booted yet. A
// cartridge whose header cannot be read does not boot.
func (g game) environment() string {
	header, _ := emu.ReadROMHeader(g.rom)
	return environmentOf(emu.CoreIdentity{ROMSHA256: g.scenario.ROMSHA256, GameCode: header.GameCode})
}

var environments = map[string]string{
	"BPRE": "pokemon-firered",
	"BPGE": "pokemon-leafgreen",
	"BPEE": "pokemon-emerald",
	"AXVE": "pokemon-ruby",
	"AXPE": "pokemon-sapphire",
}

// environmentOf names the environment of a cartridge: the known games by
// name, every other by its game code.
func environmentOf(id emu.CoreIdentity) string {
	if image, err := fixtures.Bramble(); err == nil && id.ROMSHA256 == emu.DigestOf(image) {
		return "bramble-lane"
	}
	if name, ok := environments[id.GameCode]; ok {
		return name
	}
	code := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(id.GameCode))
	return "gba-" + code
}
