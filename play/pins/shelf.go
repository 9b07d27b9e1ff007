package pins

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"clankie/emu"
	"clankie/fixtures"
)

// Names within a pinned game's folder.
const (
	recordName   = "pin.json"
	scenarioName = "scenario.json"
	stateName    = "start.state"
	pictureName  = "picture.png"
	startsName   = "pins"
)

// CodePinExists is the code of the error with which a name that is taken by
// something else is refused.
const CodePinExists = "pin_exists"

// Game is a pinned game, read and compared with its record and scenario. The
// core is compared later, by Scenario.CheckPins.
type Game struct {
	Record
	Scenario fixtures.Scenario
	ROM      []byte
	State    []byte
}

// Shelf is the folder of pinned games. It holds no file open between calls.
type Shelf struct{ root string }

// Open returns the shelf in the folder at root, which need not be there: it is
// made with the first pin.
func Open(root string) *Shelf { return &Shelf{root} }

// Folder is where a game's pins lie.
func (s *Shelf) Folder(slot string) string { return filepath.Join(s.root, slot) }

// IDs names the pinned games, sorted.
func (s *Shelf) IDs() ([]string, error) {
	entries, err := os.ReadDir(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the pinned games: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if CheckID(e.Name()) != nil {
			continue
		}
		if _, err := os.Lstat(filepath.Join(s.root, e.Name(), recordName)); err == nil {
			ids = append(ids, e.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Game reads a pinned game. Whatever is missing or is not what was pinned is
// named; nothing is ever replaced by something else.
func (s *Shelf) Game(id string) (Game, error) {
	record, err := s.record(id)
	if err != nil {
		return Game{}, err
	}
	if err := record.checkSize(); err != nil {
		return Game{}, fmt.Errorf("pinned game %s: %w", id, err)
	}
	dir := s.Folder(id)
	files, err := fixtures.LoadFiles(record.ROMPath, filepath.Join(dir, stateName), filepath.Join(dir, scenarioName))
	if err != nil {
		return Game{}, fmt.Errorf("pinned game %s: %w", id, err)
	}
	return Game{Record: record, Scenario: files.Scenario, ROM: files.ROM, State: files.Savestate}, nil
}

// record reads pin.json of a game.
func (s *Shelf) record(id string) (Record, error) {
	if err := CheckID(id); err != nil {
		return Record{}, err
	}
	path := filepath.Join(s.Folder(id), recordName)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		ids, _ := s.IDs()
		return Record{}, fmt.Errorf("no game is pinned as %q; pinned are: %s", id, listed(ids))
	}
	data, err := fixtures.ReadBounded("record", path, maxRecordBytes)
	if err != nil {
		return Record{}, fmt.Errorf("pinned game %s: %w", id, err)
	}
	r, err := ParseRecord(data, id)
	if err != nil {
		return Record{}, fmt.Errorf("pinned game %s: %s: %w; put it right, or remove it with its pins and pin it again: clankie pin remove %s --confirm %s", id, path, err, id, id)
	}
	return r, nil
}

// checkSize tells a cartridge image of another size before it is read.
func (r Record) checkSize() error {
	info, err := os.Stat(r.ROMPath)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("ROM %s does not exist; put it back, or pin it where it is now: clankie pin --rom FILE --id %s", emu.Clean(r.ROMPath), r.ID)
	}
	if err != nil {
		return fmt.Errorf("ROM: %w", err)
	}
	if info.Mode().IsRegular() && info.Size() != r.ROMBytes {
		return &emu.Error{
			Code:    fixtures.CodePinMismatch,
			Message: fmt.Sprintf("ROM %s has %s, the pinned one has %d", emu.Clean(r.ROMPath), emu.Count(info.Size(), "byte"), r.ROMBytes),
		}
	}
	return nil
}

// Add pins a game. A game that is pinned under the id already stays as it is:
// the same one is no error and has added false; another one is refused with
// CodePinExists.
func (s *Shelf) Add(g Game) (added bool, err error) {
	if err := CheckID(g.ID); err != nil {
		return false, err
	}
	g.SchemaVersion = recordSchema
	record, err := emu.MarshalIndent(g.Record)
	if err != nil {
		return false, err
	}
	err = writeFolder(s.Folder(g.ID), map[string][]byte{
		recordName: record, scenarioName: g.Scenario.JSON, stateName: g.State,
	})
	if errors.Is(err, fs.ErrExist) {
		return false, s.same(g)
	}
	if err != nil {
		return false, fmt.Errorf("pin %s: %w", g.ID, err)
	}
	return true, nil
}

// same makes sure that g is the game that is pinned under its id.
func (s *Shelf) same(g Game) error {
	record, err := s.record(g.ID)
	if err != nil {
		return fmt.Errorf("%s is taken: %w", s.Folder(g.ID), err)
	}
	if record.ROMSHA256 != g.ROMSHA256 || !sameFiles(s.Folder(g.ID), g.Scenario.JSON, g.State) {
		return &emu.Error{
			Code: CodePinExists,
			Message: fmt.Sprintf("%s is pinned already, to another start or cartridge (%s, ROM %s); choose another id, or remove it first: clankie pin remove %s",
				g.ID, emu.Clean(record.Title), record.ROMSHA256.Short(), g.ID),
		}
	}
	return nil
}

// Move notes that the cartridge image of a pinned game lies elsewhere now. The
// image must be the pinned one.
func (s *Shelf) Move(id, romPath string, rom []byte) error {
	r, err := s.record(id)
	if err != nil {
		return err
	}
	if got := emu.DigestOf(rom); got != r.ROMSHA256 {
		return &emu.Error{
			Code:    fixtures.CodePinMismatch,
			Message: fmt.Sprintf("ROM %s has digest %s, %s pins %s", romPath, got.Short(), id, r.ROMSHA256.Short()),
		}
	}
	if r.ROMPath == romPath {
		return nil
	}
	r.ROMPath = romPath
	data, err := emu.MarshalIndent(r)
	if err == nil {
		err = writeFile(filepath.Join(s.Folder(id), recordName), data)
	}
	if err != nil {
		return fmt.Errorf("pin %s: %w", id, err)
	}
	return nil
}

// sameFiles reports whether a folder holds that scenario and that state.
func sameFiles(dir string, scenario, state []byte) bool {
	for name, want := range map[string][]byte{scenarioName: scenario, stateName: state} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, want) {
			return false
		}
	}
	return true
}
