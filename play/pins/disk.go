package pins

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"clankie/emu"
	"clankie/emu/picture"
)

// Modes of what is made here: nobody but the owner reads it.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// tempPrefix begins the names of unfinished folders and files. No id begins
// with a dot.
const tempPrefix = ".new-"

// writeFolder makes the folder at path with files in it, whole or not at all.
// It fails with fs.ErrExist where something lies there.
func writeFolder(path string, files map[string][]byte) error {
	parent := filepath.Dir(path)
	if err := makeFolder(parent); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, tempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp) // nothing is there once it has its name
	for name, data := range files {
		if err := writeSynced(filepath.Join(temp, name), data); err != nil {
			return err
		}
	}
	if err := syncFolder(temp); err != nil {
		return err
	}
	// A rename replaces an empty folder and refuses any other; both are taken
	// for somebody else's.
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncFolder(parent)
}

// writeFile puts data at path, in place of what is there, as a whole or not at
// all.
func writeFile(path string, data []byte) error {
	parent := filepath.Dir(path)
	if err := makeFolder(parent); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, tempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	whole := filepath.Join(temp, filepath.Base(path))
	if err := writeSynced(whole, data); err != nil {
		return err
	}
	if err := os.Rename(whole, path); err != nil {
		return err
	}
	return syncFolder(parent)
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// makeFolder makes a folder and those above it. Each one that is new is put on
// the disk in the one that it lies in.
func makeFolder(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// maxPictureBytes bounds a picture: more than one of the screen ever takes.
const maxPictureBytes = 1 << 20

// readPicture reads the picture kept with a start. Where there is none that
// reads it has no pixels: it is an ornament, and a start loads without it.
func readPicture(path string) emu.Picture {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxPictureBytes {
		return emu.Picture{}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return emu.Picture{}
	}
	pix, err := picture.Parse(data)
	if err != nil {
		return emu.Picture{}
	}
	return emu.Picture{Pix: pix, Restored: true}
}
