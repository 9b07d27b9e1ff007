package session

import (
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/gofrs/flock"
)

// runtimePrefix begins the names of the folders that governed bodies make.
const runtimePrefix = "runtime-"

var runtimeName = regexp.MustCompile(`^` + runtimePrefix + `[0-9]+$`)

// settling is how long a new folder is left alone: the program that made it may
// not have its lock yet.
const settling = time.Minute

// sweepRuntimes removes what killed programs left under root: folders whose
// lock is free. own is this program's and says how late it is on the clock of
// that file system. What cannot be removed is left for the next program.
func sweepRuntimes(root, own string) {
	mine, err := os.Stat(own)
	if err != nil {
		return
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		folder := filepath.Join(root, e.Name())
		if !e.IsDir() || !runtimeName.MatchString(e.Name()) || folder == own {
			continue
		}
		if info, err := e.Info(); err == nil && mine.ModTime().Sub(info.ModTime()) > settling {
			removeDead(folder)
		}
	}
}

// removeDead removes a runtime's folder unless a program has its lock. The lock
// is held meanwhile, so that two that sweep do not meet.
func removeDead(folder string) {
	path := filepath.Join(folder, recordFolder, lockName)
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		_ = os.RemoveAll(folder) // killed before it had a lock
		return
	}
	lock := flock.New(path)
	if held, err := lock.TryLock(); err != nil || !held {
		return
	}
	_ = os.RemoveAll(folder)
	_ = lock.Close()
}
