package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Modes of what the store creates: nobody but the owner reads saves.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// folder is the little of a file system that the store needs, confined to
// one open folder. Tests put one in its place that fails at a chosen step.
// Names are one component; only the target of Rename may have two.
type folder interface {
	Stat() (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	List() ([]string, error)
	// Sub opens the folder called name, which must be a real one.
	Sub(name string) (folder, error)
	Open(name string) (readFile, error)
	// Create makes a new file and fails where the name is taken.
	Create(name string) (writeFile, error)
	Mkdir(name string) error
	Rename(from, to string) error
	RemoveAll(name string) error
	// Sync puts the folder's own entries on the disk.
	Sync() error
	// Lock takes the exclusive lock kept in the file called name. Where it is
	// held it waits until ctx ends, or fails at once with errBusy.
	Lock(ctx context.Context, name string, wait bool) (unlock func(), err error)
	Close() error
}

type readFile interface {
	io.ReadCloser
	Stat() (fs.FileInfo, error)
}

type writeFile interface {
	io.WriteCloser
	Sync() error
}

var (
	errBusy     = errors.New("the store is locked")
	errUnsafe   = errors.New("a link or not what it should be")
	errTooLarge = errors.New("larger than it can be")
)

// rootFolder is the real folder. os.Root resolves every name below its open
// folder, so a link swapped in between check and use leads nowhere outside.
type rootFolder struct{ root *os.Root }

// openFolder opens the folder at path, whose last component must not be a
// link.
func openFolder(path string) (folder, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, errUnsafe
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return sameFolder(root, before)
}

// sameFolder makes sure that what was opened is what was looked at.
func sameFolder(root *os.Root, before fs.FileInfo) (folder, error) {
	after, err := root.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = errUnsafe
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return rootFolder{root}, nil
}

func (f rootFolder) Stat() (fs.FileInfo, error)             { return f.root.Stat(".") }
func (f rootFolder) Lstat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }
func (f rootFolder) Mkdir(name string) error                { return f.root.Mkdir(name, folderMode) }
func (f rootFolder) Rename(from, to string) error           { return f.root.Rename(from, to) }
func (f rootFolder) RemoveAll(name string) error            { return f.root.RemoveAll(name) }
func (f rootFolder) Close() error                           { return f.root.Close() }

func (f rootFolder) List() ([]string, error) {
	d, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

func (f rootFolder) Sub(name string) (folder, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, errUnsafe
	}
	sub, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return sameFolder(sub, before)
}

func (f rootFolder) Open(name string) (readFile, error) { return f.root.Open(name) }

func (f rootFolder) Create(name string) (writeFile, error) {
	return f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
}

func (f rootFolder) Sync() error {
	d, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func (f rootFolder) Lock(ctx context.Context, name string, wait bool) (func(), error) {
	file, err := f.root.OpenFile(name, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	if err := lockFile(ctx, file, wait); err != nil {
		file.Close()
		return nil, err
	}
	// Closing the file gives the lock up, as the death of the process does.
	// The file itself stays: unlinking it would let two programs each hold a
	// lock of that name.
	return func() { file.Close() }, nil
}

// statRegular looks at name without following links: a regular file, else
// errUnsafe, else why it could not be looked at.
func statRegular(in folder, name string) (fs.FileInfo, error) {
	info, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errUnsafe
	}
	return info, nil
}

// readRegular reads a whole regular file of at most limit bytes without
// following links.
func readRegular(in folder, name string, limit int64) ([]byte, error) {
	before, err := statRegular(in, name)
	if err != nil {
		return nil, err
	}
	file, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	after, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(before, after) {
		return nil, errUnsafe
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, errTooLarge
	}
	return data, nil
}

// writeSynced makes a new file whose bytes are on the disk when it returns.
func writeSynced(in folder, name string, data []byte) error {
	file, err := in.Create(name)
	if err != nil {
		return fmt.Errorf("create %s: %w", name, err)
	}
	n, err := file.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// replaceFile puts data at target (name, or folder/name) so that a reader
// finds the old bytes or the new ones and never less. The temporary lies in
// the root, where the next Open sweeps it. The caller syncs the folder.
func replaceFile(root folder, target string, data []byte) error {
	const temporary = tempPrefix + "file"
	if err := root.RemoveAll(temporary); err != nil {
		return fmt.Errorf("clear %s: %w", temporary, err)
	}
	if err := writeSynced(root, temporary, data); err != nil {
		root.RemoveAll(temporary)
		return err
	}
	if err := root.Rename(temporary, target); err != nil {
		root.RemoveAll(temporary)
		return fmt.Errorf("rename to %s: %w", target, err)
	}
	return nil
}
