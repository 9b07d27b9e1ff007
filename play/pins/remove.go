package pins

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Remove forgets a pinned game and its named starts, whatever state they are
// in. The cartridge image, saves and journals lie elsewhere and stay. The
// project's own cartridge is not to be removed.
func (s *Shelf) Remove(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	ids, err := s.IDs()
	if err != nil {
		return err
	}
	if !slices.Contains(ids, id) {
		return fmt.Errorf("no game is pinned as %q; pinned are: %s", id, listed(ids))
	}
	if err := removeFolder(s.Folder(id)); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	return nil
}

// RemoveStart forgets one named start of a game. Nothing else changes.
func (s *Shelf) RemoveStart(slot, name string) error {
	names, err := s.StartNames(slot)
	if err != nil {
		return err
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("%s has no pin %q; it has: %s", slot, name, listed(names))
	}
	if err := removeFolder(filepath.Join(s.Folder(slot), startsName, name)); err != nil {
		return fmt.Errorf("remove the pin %s: %w", name, err)
	}
	return nil
}

// Slots names the games that have named starts or are pinned, sorted: pinned
// ones, the project's cartridge, and those played from three files.
func (s *Shelf) Slots() ([]string, error) {
	slots, err := s.IDs()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return slots, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the pins: %w", err)
	}
	for _, e := range entries {
		if slices.Contains(slots, e.Name()) || checkSlot(e.Name()) != nil {
			continue
		}
		if names, err := s.StartNames(e.Name()); err != nil || len(names) > 0 {
			slots = append(slots, e.Name())
		}
	}
	slices.Sort(slots)
	return slots, nil
}

// removeFolder takes a folder away as a whole: it loses its name first, so that
// nobody ever finds a half of it.
func removeFolder(path string) error {
	parent := filepath.Dir(path)
	temp, err := os.MkdirTemp(parent, tempPrefix)
	if err != nil {
		return err
	}
	if err := os.Rename(path, filepath.Join(temp, filepath.Base(path))); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return errors.Join(os.RemoveAll(temp), syncFolder(parent))
}
