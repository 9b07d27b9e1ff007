package pins

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"clankie/fixtures"
)

// maxLastBytes bounds the file: a name and a line feed, with room for blanks.
const maxLastBytes = 1 << 10

// LastPlayed reads which game was played last from the file at path: an id, or
// Cartridge. It is "" where none was noted.
func LastPlayed(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	data, err := fixtures.ReadBounded("note", path, maxLastBytes)
	if err != nil {
		return "", fmt.Errorf("which game was played last: %w", err)
	}
	id := strings.TrimSpace(string(data))
	if err := checkName(id); err != nil {
		return "", fmt.Errorf("which game was played last: %s: %w", path, err)
	}
	return id, nil
}

// ForgetLastPlayed makes the game of that id the last one no longer, where it
// is.
func ForgetLastPlayed(path, id string) error {
	if last, err := LastPlayed(path); err != nil || last != id {
		return err
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("forget which game was played last: %w", err)
	}
	return nil
}

// NoteLastPlayed writes it down.
func NoteLastPlayed(path, id string) error {
	if err := writeFile(path, []byte(id+"\n")); err != nil {
		return fmt.Errorf("note which game was played last: %w", err)
	}
	return nil
}
