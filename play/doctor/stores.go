package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"clankie/emu"
)

// maxRead bounds what is read of one store to make sure that it is sound: the
// newest first, and how far that went is said.
const maxRead = 1 << 30

// maxNamed bounds how many damaged ones are named.
const maxNamed = 5

// damage collects what is damaged in a store.
type damage []string

func (d *damage) add(name, reason string) { *d = append(*d, name+": "+reason) }

// tell makes a sound check one with a problem, where anything is damaged. The
// first ones are named.
func (d damage) tell(c Check, mend string) Check {
	if len(d) == 0 {
		return c
	}
	named := d[:min(len(d), maxNamed)]
	missing := strings.Join(named, "\n")
	if more := len(d) - len(named); more > 0 {
		missing += fmt.Sprintf("\nand %d more", more)
	}
	if c.Status != OK {
		c.Missing += "\n" + missing
		return c
	}
	c.Status, c.Missing, c.Mend = Problem, missing, mend
	return c
}

// Sessions looks at the records of running sessions.
func Sessions(dir string) Check {
	c, there := folder("sessions", dir, "XDG_STATE_HOME")
	if there {
		c.Found = fmt.Sprintf("%s in %s", emu.Size(sizeOf(dir)), dir)
	}
	return c
}

// folder looks whether a folder is there and can be written to; where it is
// not there, whether it can be made.
func folder(name, dir, variable string) (c Check, there bool) {
	c = Check{Name: name, Status: OK, Found: "none yet; they will be kept in " + dir}
	at := dir
	for {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fatal(c, fmt.Errorf("%s is no folder", at), "move it away, or set "+variable), false
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(at) == at {
			return fatal(c, err, "make it accessible, or set "+variable), false
		}
		at = filepath.Dir(at)
	}
	if err := tryWriting(at); err != nil {
		return fatal(c, err, "make "+at+" writable, or set "+variable), at == dir
	}
	return c, at == dir
}

// tryWriting makes a folder and removes it: a full disk and missing rights
// both show.
func tryWriting(dir string) error {
	// The store of saves sweeps this name away, should it ever stay behind.
	probe, err := os.MkdirTemp(dir, ".tmp-doctor-")
	if err != nil {
		return err
	}
	return os.Remove(probe)
}

func fatal(c Check, err error, mend string) Check {
	c.Status, c.Missing, c.Mend = Fatal, err.Error(), mend
	return c
}

// sizeOf adds up the files below dir; what cannot be read counts nothing.
func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
