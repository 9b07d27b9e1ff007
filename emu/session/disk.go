package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// fileSystem is the part of a file system that records are kept on, small
// enough that a test can make any step of it the last one before a crash.
type fileSystem interface {
	// MakeFolder makes the folder, for its owner alone, and its parents.
	MakeFolder(name string) error
	// List returns the names in the folder, sorted.
	List(folder string) ([]string, error)
	Read(name string) ([]byte, error)
	// Create makes a new file, for its owner alone. It refuses a name that exists.
	Create(name string) (file, error)
	// Append opens a file that exists to write at its end.
	Append(name string) (file, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncFolder puts the folder's names on the disk.
	SyncFolder(name string) error
}

type file interface {
	io.Writer
	Sync() error
	Close() error
}

// maxRecordBytes bounds what is read as a record. The largest real one, with
// a full window of actions, is well below it.
const maxRecordBytes = 64 << 20

// osFiles is the machine's own file system.
type osFiles struct{}

func (osFiles) MakeFolder(name string) error { return os.MkdirAll(name, 0o700) }

func (osFiles) List(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (osFiles) Read(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxRecordBytes {
		return nil, fmt.Errorf("%s is no record: not a regular file, or too large", filepath.Base(name))
	}
	return os.ReadFile(name)
}

func (osFiles) Create(name string) (file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func (osFiles) Append(name string) (file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

func (osFiles) Rename(from, to string) error { return os.Rename(from, to) }

func (osFiles) Remove(name string) error { return os.Remove(name) }

func (osFiles) SyncFolder(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// replace puts data at folder/name so that a reader, after a crash at any
// point, finds the old bytes or the new ones. When it returns without error
// the new ones are on the disk. temporary is a sibling that does not exist.
func replace(fs fileSystem, folder, name, temporary string, data []byte) error {
	temporary = filepath.Join(folder, temporary)
	if err := writeSynced(fs, temporary, data); err != nil {
		return abandon(fs, temporary, err)
	}
	if err := fs.Rename(temporary, filepath.Join(folder, name)); err != nil {
		return abandon(fs, temporary, err)
	}
	return fs.SyncFolder(folder)
}

func writeSynced(fs fileSystem, name string, data []byte) error {
	f, err := fs.Create(name)
	if err != nil {
		return err
	}
	err = putSynced(f, data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

func putSynced(f file, data []byte) error {
	n, err := f.Write(data)
	if err != nil {
		return err
	}
	if n < len(data) {
		return io.ErrShortWrite
	}
	return f.Sync()
}

// abandon cleans up after err and returns it alone: a disk that fails also
// fails at this, and saying it twice explains nothing. What stays behind is
// swept when the records are opened.
func abandon(fs fileSystem, temporary string, err error) error {
	_ = fs.Remove(temporary)
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
