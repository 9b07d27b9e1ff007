package checkpoint

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"clankie/emu"
)

// Names within the store. A save's name never begins with a dot.
const (
	savestateName = "savestate.ss1"
	scenarioName  = "scenario.json"
	receiptName   = "checkpoint.json"
	lineageName   = "lineage.json"
	previewName   = "frame.png"

	lockName     = ".lock"
	sequenceName = ".sequence"
	timelineName = ".timeline"
	tempPrefix   = ".tmp-"
	mintPrefix   = tempPrefix + "mint-"
	deletePrefix = tempPrefix + "delete-"
)

// Most bytes a member may have; a state of this machine has about half a
// megabyte.
const (
	maxSavestateBytes = 16 << 20
	maxScenarioBytes  = 4 << 20
	maxJSONBytes      = 64 << 10
	maxPreviewBytes   = 1 << 20
)

// Options are what a store takes from outside. The zero value uses the wall
// clock and the system's randomness.
type Options struct {
	Clock  emu.Clock // stamps captures; it may jump, order comes from the sequence
	Random io.Reader // six bytes for each id

	// Listing tells in messages how the ids are seen; "" for the program's own
	// command.
	Listing string
	// Variable is the environment variable that messages name where another
	// folder is needed; "" for that of the program's own play.
	Variable string
}

// Store is a folder of saves. It holds no file open between calls, so any
// number of goroutines and processes may use one root at the same time:
// writers take turns through a lock in the root, readers need none because a
// save appears whole or not at all.
type Store struct {
	path   string
	clock  emu.Clock
	random io.Reader
	open   func(path string) (folder, error)

	listing, variable string
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// Open opens the store at root and sweeps away what interrupted writers left.
// Sweeping is left to the next Open while another program writes, or where
// the disk is read-only. A root that is not there is an empty store; the first
// write makes it (mode 0700). Fails with CodeRootUnsafe when root is a link or
// no folder, and with CodeReadFailed when it cannot be opened.
func Open(root string, options Options) (*Store, error) {
	return openStore(root, options, openFolder)
}

func openStore(root string, options Options, open func(string) (folder, error)) (_ *Store, err error) {
	s := &Store{
		clock: options.Clock, random: options.Random, open: open,
		listing:  cmp.Or(options.Listing, "`clankie saves list` shows what there is"),
		variable: cmp.Or(options.Variable, "CLANKIE_GBA_CHECKPOINT_DIR"),
	}
	defer s.advise(&err)
	// Without a trailing slash: "link/" would be followed.
	if s.path, err = filepath.Abs(root); err != nil {
		return nil, refusal(CodeRootUnsafe, err, "the save folder %q cannot be resolved: %s", plain(root), reason(err))
	}
	if s.clock == nil {
		s.clock = wallClock{}
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	f, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sweepIfFree(f)
	return s, nil
}

// Root is the absolute path of the store's folder.
func (s *Store) Root() string { return s.path }

// ensureRoot makes the root, durably, where there is nothing.
func (s *Store) ensureRoot() error {
	if _, err := os.Lstat(s.path); !errors.Is(err, fs.ErrNotExist) {
		return nil // s.root judges what is there
	}
	if err := os.MkdirAll(s.path, folderMode); err != nil {
		return err
	}
	parent, err := os.Open(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	defer parent.Close()
	return parent.Sync()
}

// root opens the root for one operation. A root that has vanished is
// reported as fs.ErrNotExist.
func (s *Store) root() (folder, error) {
	f, err := s.open(s.path)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.Is(err, errUnsafe):
		return nil, refusal(CodeRootUnsafe, err, "the save folder is a link or no folder")
	}
	return nil, refusal(CodeReadFailed, err, "the save folder cannot be opened: %s", reason(err))
}

// writable is hold for saving.
func (s *Store) writable(ctx context.Context) (f folder, done func(), err error) {
	return s.hold(ctx, notSaved)
}

// hold opens the root, making it where there is none, and takes the lock. done
// gives both up; u is what stays undone when that fails.
func (s *Store) hold(ctx context.Context, u undone) (f folder, done func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, u.failure("waiting for the save folder", err)
	}
	if err := s.ensureRoot(); err != nil {
		return nil, nil, u.failure("making the save folder", err)
	}
	f, err = s.root()
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = u.failure("opening the save folder", err)
		}
		return nil, nil, err
	}
	unlock, err := f.Lock(ctx, lockName, true)
	if err != nil {
		f.Close()
		return nil, nil, u.failure("locking the save folder", err)
	}
	return f, func() { unlock(); f.Close() }, nil
}

// sweepIfFree finishes what interrupted writers left. Temporaries exist only
// while their writer holds the lock, so whoever gets the lock knows that all
// of them are orphans, however old they are and whatever process id they
// had. It is best effort: the store works beside leftovers.
func sweepIfFree(f folder) {
	unlock, err := f.Lock(context.Background(), lockName, false)
	if err != nil {
		return
	}
	defer unlock()
	names, err := f.List()
	if err != nil {
		return
	}
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, deletePrefix):
			_ = finishDelete(f, name)
		case strings.HasPrefix(name, tempPrefix):
			_ = f.RemoveAll(name)
		}
	}
}
