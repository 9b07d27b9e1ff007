package main

import (
	"fmt"
	"os"
	"strings"

	"clankie/emu"
	"clankie/fixtures"
	"clankie/journal"
	"clankie/play"
	"clankie/play/pins"
)

// gameFlags say which game is played.
type gameFlags struct {
	rom, savestate, scenario string
	fixture                  string
	game                     string // a pinned one
	chosenBy                 string // what chose it, where nobody asked for it
}

// environment variables that name an operator's game.
const (
	envROM       = "CLANKIE_GBA_ROM_PATH"
	envSavestate = "CLANKIE_GBA_SAVESTATE_PATH"
	envScenario  = "CLANKIE_GBA_SCENARIO_PATH"
)

// resolve fills in what the flags leave open: from the environment, else the
// configuration, else what was played last, else the project's cartridge. A
// game that was named anywhere is that game or an error: nothing is ever
// replaced silently.
func (f gameFlags) resolve(where folders) (gameFlags, error) {
	if f == (gameFlags{}) {
		f.rom, f.savestate, f.scenario = os.Getenv(envROM), os.Getenv(envSavestate), os.Getenv(envScenario)
	}
	if f == (gameFlags{}) {
		var err error
		if f, err = customary(where); err != nil {
			return f, err
		}
	}
	files, err := f.files()
	switch ways := len(nonEmpty(f.game, f.fixture)) + files; {
	case err != nil:
		return f, err
	case ways > 1 && f.fixture != "":
		return f, usagef("--fixture plays the project's own cartridge; leave out --game, --rom, --savestate and --scenario")
	case ways > 1:
		return f, usagef("--game plays what is pinned; leave out --rom, --savestate and --scenario")
	case ways == 0 || f.game == pins.Cartridge:
		return gameFlags{fixture: fixtures.DefaultID}, nil
	}
	return f, nil
}

// files is 1 when all three files of a game are named and 0 when none is.
func (f gameFlags) files() (int, error) {
	given := map[string]string{"--rom": f.rom, "--savestate": f.savestate, "--scenario": f.scenario}
	var missing []string
	for _, name := range []string{"--rom", "--savestate", "--scenario"} {
		if given[name] == "" {
			missing = append(missing, name)
		}
	}
	switch len(missing) {
	case 3:
		return 0, nil
	case 0:
		return 1, nil
	}
	return 0, usagef("a game of your own needs --rom, --savestate and --scenario (or %s, %s and %s), or to be pinned first with clankie pin; missing: %s",
		envROM, envSavestate, envScenario, strings.Join(missing, ", "))
}

func nonEmpty(all ...string) (some []string) {
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return some
}

// customary is the game that plays when none is asked for.
func customary(where folders) (gameFlags, error) {
	conf, err := loadConfig()
	if err != nil {
		return gameFlags{}, err
	}
	if conf.Game != "" {
		return gameFlags{game: conf.Game, chosenBy: "the configuration's game"}, nil
	}
	last, err := pins.LastPlayed(where.lastPlayed)
	if err != nil {
		return gameFlags{}, usage(err)
	}
	if last == "" {
		return gameFlags{}, nil
	}
	return gameFlags{game: last, chosenBy: "the game played last"}, nil
}

// pinnedGame reads a game that was pinned.
func pinnedGame(f gameFlags, where folders) (game, error) {
	g, err := pins.Open(where.pins).Game(f.game)
	if err != nil && f.chosenBy != "" {
		err = fmt.Errorf("%s: %w; --game chooses another, --game %s the project's own", f.chosenBy, err, pins.Cartridge)
	}
	if err != nil {
		return game{}, usage(err)
	}
	return gameOf(g), nil
}

// gameOf is a pinned game as one that boots.
func gameOf(g pins.Game) game {
	return game{scenario: g.Scenario, rom: g.ROM, boot: play.Pin{State: g.State}, slot: g.ID}
}

// profile is whose journey a sitting of the game is, where nobody says: each
// pinned game has its own, so that two cartridges of one game do not mix.
func (g game) profile() string {
	if pins.CheckID(g.slot) == nil {
		return g.slot
	}
	return journal.DefaultProfile
}

// addStarts adds the operator's own pins of the game to those it has, and says
// which ones cannot be used. The game's own come first.
func (g *game) addStarts(where folders, id emu.CoreIdentity) (notices []string) {
	starts, problems := pins.Open(where.pins).Starts(g.slot, id)
	for _, problem := range problems {
		notices = append(notices, problem.Error())
	}
	for _, start := range starts {
		if _, taken := g.pins[start.Name]; taken {
			notices = append(notices, fmt.Sprintf("pin %s: the game has one of that name itself", start.Name))
			continue
		}
		if g.pins == nil {
			g.pins = map[string]play.Pin{}
		}
		g.pins[start.Name] = play.Pin{State: start.State, Picture: start.Picture}
	}
	return notices
}

// keeper keeps what is pinned within the game. The names that the game itself
// has are not free; it is made before the operator's are added.
func (g game) keeper(where folders, id emu.CoreIdentity) pins.Keeper {
	k := pins.Keeper{
		Shelf: pins.Open(where.pins), Slot: g.slot, World: g.scenario.WorldID, Identity: id, ROM: g.rom,
	}
	for name := range g.pins {
		k.Reserved = append(k.Reserved, name)
	}
	return k
}

// noteLastPlayed makes the game the one that plays next time. A game of three
// files is not noted: it cannot be found again by a name.
func (g game) noteLastPlayed(where folders) (notices []string) {
	if g.slot != pins.Cartridge && pins.CheckID(g.slot) != nil {
		return nil
	}
	if err := pins.NoteLastPlayed(where.lastPlayed, g.slot); err != nil {
		return []string{err.Error()}
	}
	return nil
}
