package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
	"clankie/play/pins"
)

// Saves looks at the store of saves, as a machine of that identity sees it.
func Saves(ctx context.Context, dir string, id emu.CoreIdentity) Check {
	c, there := folder("saves", dir, "CLANKIE_GBA_CHECKPOINT_DIR")
	if !there {
		return c
	}
	store, err := checkpoint.Open(dir, checkpoint.Options{})
	if err != nil {
		return fatal(c, err, "move it away, or set CLANKIE_GBA_CHECKPOINT_DIR to another folder")
	}
	entries, err := store.List(ctx, id)
	if err != nil {
		return fatal(c, err, "move it away, or set CLANKIE_GBA_CHECKPOINT_DIR to another folder")
	}
	count := map[checkpoint.Health]int{}
	var size int64
	for _, e := range entries {
		count[e.Health]++
		size += e.Bytes
	}
	c.Found = fmt.Sprintf("%d saves, %s, in %s; %d load in the game that plays", len(entries), bytesText(size), dir, count[checkpoint.HealthValid])
	if n := count[checkpoint.HealthDamaged] + count[checkpoint.HealthUnreadable]; n > 0 && c.Status == OK {
		c.Status, c.Missing = Problem, fmt.Sprintf("%d saves are damaged or unreadable", n)
		c.Mend = "clankie saves list says what is wrong with each; the others load"
	}
	return c
}

// Journals looks at the record of play.
func Journals(dir string) Check {
	c, there := folder("journals", dir, "CLANKIE_GBA_PLAY_JOURNAL_DIR")
	if c.Status == Fatal {
		c.Status = Problem // play goes on without a record
	}
	if !there {
		return c
	}
	runs, problems, err := journal.Runs(dir, "")
	if err != nil {
		c.Status, c.Missing = Problem, err.Error()
		return c
	}
	c.Found = fmt.Sprintf("%d runs, %s with their tapes and pictures, in %s", len(runs), bytesText(sizeOf(dir)), dir)
	if len(problems) > 0 {
		c.Status = Problem
		c.Missing = fmt.Sprintf("%d files are no journals any more, the first %s: %s", len(problems), problems[0].Path, problems[0].Reason)
		c.Mend = "clankie journal check FILE says what is left in each; the others are read"
	}
	return c
}

// Sessions looks at the records of running sessions.
func Sessions(dir string) Check {
	c, there := folder("sessions", dir, "XDG_STATE_HOME")
	if there {
		c.Found = fmt.Sprintf("%s in %s", bytesText(sizeOf(dir)), dir)
	}
	return c
}

// Pins looks at every pinned game. playing is the one that plays, which is
// looked at more closely elsewhere.
func Pins(shelf *pins.Shelf, playing string) []Check {
	ids, err := shelf.IDs()
	if err != nil {
		return []Check{{Name: "pins", Status: Problem, Found: shelf.Folder(""), Missing: err.Error()}}
	}
	if len(ids) == 0 {
		return []Check{{Name: "pins", Status: OK, Found: "no game of your own is pinned; clankie pin does that"}}
	}
	var checks []Check
	for _, id := range ids {
		checks = append(checks, pinned(shelf, id, playing))
	}
	return checks
}

func pinned(shelf *pins.Shelf, id, playing string) Check {
	c := Check{Name: "pin " + id, Status: OK}
	g, err := shelf.Game(id)
	if err != nil {
		c.Status, c.Found, c.Missing = Problem, shelf.Folder(id), err.Error()
		c.Mend = "put the file back; a cartridge image that lies elsewhere now: clankie pin --rom FILE --id " + id
		if id == playing {
			c.Status = Fatal
		}
		return c
	}
	c.Found = fmt.Sprintf("%s, ROM %s", emu.Clean(or(g.Title, g.GameCode)), g.ROMSHA256.Short())
	names, err := shelf.StartNames(id)
	if err != nil {
		c.Status, c.Missing = Problem, err.Error()
	}
	if len(names) > 0 {
		c.Found += "; pins to restart from: " + strings.Join(names, ", ")
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

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
