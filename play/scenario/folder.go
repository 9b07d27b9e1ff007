package scenario

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Bounds of the evidence's files.
const (
	maxReceiptBytes  = 256 << 10
	maxArtifactBytes = 20 << 20
)

// Layout says which files a folder of evidence has.
type Layout struct {
	Receipt  string   // is there, and no longer than 256 KiB
	Required []string // are there, the receipt not counted
	Optional []string // may be there
}

// layout is that of a run's evidence.
var layout = Layout{
	Receipt: FileReceipt, Required: []string{FileReport, FileDecisions, FileEvents, FileSemantic}, Optional: []string{FilePicture},
}

// Read reads a folder of evidence: exactly the files that belong there, none of
// them a symbolic link, empty or too large. An error names the file.
func (l Layout) Read(dir string) (map[string][]byte, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("scenario: %s is not a folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	required := append([]string{l.Receipt}, l.Required...)
	files := map[string][]byte{}
	for _, e := range entries {
		if !slices.Contains(l.Optional, e.Name()) && !slices.Contains(required, e.Name()) {
			return nil, fmt.Errorf("%q: does not belong to a run's evidence", e.Name())
		}
		if files[e.Name()], err = l.readFile(dir, e.Name()); err != nil {
			return nil, broken(e.Name(), err)
		}
	}
	for _, name := range required {
		if files[name] == nil {
			return nil, broken(name, fs.ErrNotExist)
		}
	}
	return files, nil
}

// readFile reads one file whole. It is looked at once more when it is open: a
// link that takes its place meanwhile is not followed.
func (l Layout) readFile(dir, name string) ([]byte, error) {
	limit := int64(maxArtifactBytes)
	if name == l.Receipt {
		limit = maxReceiptBytes
	}
	path := filepath.Join(dir, name)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fmt.Errorf("not a regular file"))
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("not a regular file")
	case info.Size() == 0:
		return nil, fmt.Errorf("the file is empty")
	case info.Size() > limit:
		return nil, fmt.Errorf("the file has %d bytes, at most %d are read", info.Size(), limit)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("the file grew past %d bytes", limit)
	}
	return data, err
}

// ErrOccupied refuses a folder that has something in it already.
var ErrOccupied = errors.New("scenario: the folder for the evidence must be empty or not there")

// CheckVacant reports whether evidence can be written to dir.
func CheckVacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("scenario: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("%w: %s", ErrOccupied, dir)
	}
	return nil
}

// Write puts the evidence into dir as a whole or not at all.
func (e Evidence) Write(dir string) error { return WriteFolder(dir, e.Files) }

// WriteFolder makes dir a folder with files in it, as a whole or not at all.
// What is there must be empty.
func WriteFolder(dir string, files []File) error {
	if err := CheckVacant(dir); err != nil {
		return err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	temp, err := os.MkdirTemp(parent, ".evidence-*")
	if err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	defer os.RemoveAll(temp)
	for _, f := range files {
		if err := writeSynced(filepath.Join(temp, f.Name), f.Data); err != nil {
			return fmt.Errorf("scenario: %w", err)
		}
	}
	if err := errors.Join(os.Chmod(temp, 0o755), syncFolder(temp)); err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	// What is there is empty, or this fails.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("scenario: %w", err)
	}
	if err := errors.Join(os.Rename(temp, dir), syncFolder(parent)); err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	return nil
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
