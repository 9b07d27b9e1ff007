package pins

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"clankie/emu"
	"clankie/emu/picture"
	"clankie/fixtures"
)

// Named is a named start of a game.
type Named struct {
	Name     string
	Scenario fixtures.Scenario
	State    []byte
	Picture  emu.Picture // of the state; without pixels when none was kept
}

// Starts reads the named starts of a game that a core of that identity takes,
// sorted. Each one that cannot be used is among the problems, and the others
// are there all the same.
func (s *Shelf) Starts(slot string, identity emu.CoreIdentity) (starts []Named, problems []error) {
	names, err := s.StartNames(slot)
	if err != nil {
		return nil, []error{err}
	}
	for _, name := range names {
		start, err := s.start(slot, name)
		if err == nil {
			err = start.Scenario.CheckPins(identity, start.State)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("pin %s: %w", name, err))
			continue
		}
		starts = append(starts, start)
	}
	return starts, problems
}

// StartNames names the starts of a game, sorted.
func (s *Shelf) StartNames(slot string) ([]string, error) {
	if err := checkSlot(slot); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(s.Folder(slot), startsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the pins: %w", err)
	}
	var names []string
	for _, e := range entries {
		if checkName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// CheckStart reports what is wrong with the files of a named start, its picture
// included. Whether a core takes it is not looked at: see Starts.
func (s *Shelf) CheckStart(slot, name string) error {
	if _, err := s.start(slot, name); err != nil {
		return err
	}
	path := filepath.Join(s.Folder(slot), startsName, name, pictureName)
	if _, err := os.Lstat(path); err == nil && readPicture(path).Pix == nil {
		return fmt.Errorf("%s is no picture of the screen any more; the start loads without it", path)
	}
	return nil
}

func (s *Shelf) start(slot, name string) (Named, error) {
	dir := filepath.Join(s.Folder(slot), startsName, name)
	scenario, state, err := fixtures.LoadStart(filepath.Join(dir, stateName), filepath.Join(dir, scenarioName))
	return Named{name, scenario, state, readPicture(filepath.Join(dir, pictureName))}, err
}

// keep writes a named start. One of that name stays as it is: the same one is
// no error and has added false, another one is refused with CodePinExists.
func (s *Shelf) keep(slot string, n Named) (added bool, err error) {
	dir := filepath.Join(s.Folder(slot), startsName, n.Name)
	files := map[string][]byte{scenarioName: n.Scenario.JSON, stateName: n.State}
	if len(n.Picture.Pix) > 0 && !n.Picture.Stale {
		if files[pictureName], err = picture.PNG(n.Picture, 1); err != nil {
			return false, fmt.Errorf("pin %s: %w", n.Name, err)
		}
	}
	err = writeFolder(dir, files)
	if errors.Is(err, fs.ErrExist) {
		if sameFiles(dir, n.Scenario.JSON, n.State) {
			return false, nil
		}
		return false, taken(n.Name)
	}
	if err != nil {
		return false, fmt.Errorf("pin %s: %w", n.Name, err)
	}
	return true, nil
}

func taken(name string) error {
	return &emu.Error{
		Code:    CodePinExists,
		Message: fmt.Sprintf("there is a pin %q already, of another moment; choose another name", name),
	}
}

// Keeper keeps named starts of one game.
type Keeper struct {
	Shelf    *Shelf
	Slot     string // the game's folder: its id, Cartridge or FileSlot
	World    string
	Identity emu.CoreIdentity
	ROM      []byte
	// Reserved are names that mean something already.
	Reserved []string
}

// KeepPin implements play.PinKeeper.
func (k Keeper) KeepPin(_ context.Context, name string, state []byte, of emu.Picture) error {
	_, _, err := k.Keep(name, state, of)
	return err
}

// Keep keeps a state, as the core writes it, under a name that is free, with
// its picture where it has pixels. When it returns, every later sitting of the
// game can restart from it. added is false where the same was kept before.
func (k Keeper) Keep(name string, state []byte, of emu.Picture) (d Described, added bool, err error) {
	if err := checkName(name); err != nil {
		return Described{}, false, err
	}
	if err := checkSlot(k.Slot); err != nil {
		return Described{}, false, err
	}
	if slices.Contains(k.Reserved, name) {
		return Described{}, false, taken(name)
	}
	d, err = Describe(Subject{
		ScenarioID: name, SavestateID: "pin:" + name, WorldID: k.World,
		Identity: k.Identity, ROM: k.ROM, State: state,
	})
	if err != nil {
		return Described{}, false, err
	}
	added, err = k.Shelf.keep(k.Slot, Named{name, d.Scenario, state, of})
	return d, added, err
}
