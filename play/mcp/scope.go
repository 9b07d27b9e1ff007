package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// Names in the folder that all servers of a user share. Each server has a
// folder of its own there and holds a lock in it for as long as it lives, so
// that others can tell a living server from one that was killed.
const (
	runPrefix = "run-"
	lockName  = ".lock"
)

// Scope is where one server keeps its things: a folder of its own that goes
// when it ends, and folders of saves and journals that stay when the operator
// named one.
type Scope struct {
	// Runtime is the folder of the session's records.
	Runtime string
	// Checkpoints is the folder of saves.
	Checkpoints string
	// Journals is the folder of journals, which stays where the saves do.
	Journals string

	harness string // whose they are, "" for nobody's but this server's

	dir  string
	held *flock.Flock
}

// OpenScope makes a server's folders under base and sweeps away those of
// servers that were killed.
func OpenScope(base string, c Config) (*Scope, error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the servers: %w", err)
	}
	// Whoever makes a folder and locks it does both under this lock. So a folder
	// without a held lock never belongs to a server that is just starting.
	gate := flock.New(filepath.Join(base, lockName))
	if err := gate.Lock(); err != nil {
		return nil, fmt.Errorf("the folder of the servers: %w", err)
	}
	defer gate.Close()
	sweep(base)
	dir, err := os.MkdirTemp(base, runPrefix)
	if err != nil {
		return nil, fmt.Errorf("the server's folder: %w", err)
	}
	s := &Scope{
		Runtime: filepath.Join(dir, "runtime"), Checkpoints: filepath.Join(dir, "checkpoints"),
		Journals: filepath.Join(dir, "journals"),
		dir:      dir, held: flock.New(filepath.Join(dir, lockName)),
	}
	if c.CheckpointDir != "" {
		s.Checkpoints = filepath.Join(c.CheckpointDir, harnessFolder(c.HarnessID))
		s.Journals = s.Checkpoints + "-journals"
		s.harness = c.HarnessID
	}
	if err := s.held.Lock(); err != nil {
		return nil, errors.Join(fmt.Errorf("the server's folder: %w", err), os.RemoveAll(dir))
	}
	return s, nil
}

// harnessFolder is the name of a harness's own folder of saves. No listing of
// the folder above takes it for a save.
func harnessFolder(id string) string {
	sum := sha256.Sum256([]byte(id))
	return "gba-mcp-" + hex.EncodeToString(sum[:])
}

// Close removes the server's own folder.
func (s *Scope) Close() error {
	// The folder goes before the lock: nobody else may take it for abandoned
	// while it is being removed.
	return errors.Join(os.RemoveAll(s.dir), s.held.Close())
}

// sweep removes the folders of servers that are gone. It is best effort: a
// server works beside leftovers, and the next one tries again.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), runPrefix) {
			continue
		}
		dir := filepath.Join(base, e.Name())
		if !alive(dir) {
			_ = os.RemoveAll(dir)
		}
	}
}

// alive reports whether a server holds the lock of its folder.
func alive(dir string) bool {
	name := filepath.Join(dir, lockName)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return false // killed between making the folder and locking it
	}
	lock := flock.New(name)
	free, err := lock.TryLock()
	if err != nil {
		return true // it cannot be told; better to leave it
	}
	if free {
		// The folder is removed next; whoever unlocks an unlinked file is fine.
		_ = lock.Close()
	}
	return !free
}
