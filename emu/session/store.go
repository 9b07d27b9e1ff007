package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/gofrs/flock"
)

// recordFolder is where the records lie under the root.
const recordFolder = "environment-sessions"

// lockName is the file whose lock says that a program owns the records. It is
// never removed: a lock on a removed file keeps nobody out.
const lockName = ".lock"

// ErrCorruptRecord is returned when a record cannot be read. Nothing is
// skipped: what is not known to have run could be run again.
var ErrCorruptRecord = errors.New("session: corrupt record")

// ErrLocked is returned when another program owns the records.
var ErrLocked = errors.New("session: the records are in use by another program")

var (
	recordName    = regexp.MustCompile(`^[0-9a-f]{64}\.json$`)
	temporaryName = regexp.MustCompile(`^[0-9a-f]{64}\.json\.[0-9a-f]{8}\.tmp$`)
)

// store keeps the records of sessions on disk.
type store struct {
	fs     fileSystem
	folder string
	lock   *flock.Flock
	writes uint32 // names temporaries; the lock keeps others out
	buffer []byte // of the last record written, used again
}

// openStore takes the lock, sweeps what a killed program left half written,
// and reads every record.
func openStore(fs fileSystem, root string) (*store, []*record, error) {
	s := &store{fs: fs, folder: filepath.Join(root, recordFolder)}
	if err := fs.MakeFolder(s.folder); err != nil {
		return nil, nil, fmt.Errorf("session: make the folder of records: %w", err)
	}
	s.lock = flock.New(filepath.Join(s.folder, lockName), flock.SetPermissions(0o600))
	if held, err := s.lock.TryLock(); err != nil {
		return nil, nil, fmt.Errorf("session: lock the records: %w", err)
	} else if !held {
		return nil, nil, ErrLocked
	}
	records, err := s.readAll()
	if err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	return s, records, nil
}

func (s *store) readAll() ([]*record, error) {
	names, err := s.fs.List(s.folder)
	if err != nil {
		return nil, fmt.Errorf("session: list the records: %w", err)
	}
	var records []*record
	for _, name := range names {
		path := filepath.Join(s.folder, name)
		if temporaryName.MatchString(name) {
			if err := s.fs.Remove(path); err != nil {
				return nil, fmt.Errorf("session: sweep %s: %w", name, err)
			}
			continue
		}
		if !recordName.MatchString(name) {
			continue
		}
		r, err := s.read(path)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrCorruptRecord, name, err)
		}
		records = append(records, r)
	}
	return records, nil
}

func (s *store) read(path string) (*record, error) {
	data, err := s.fs.Read(path)
	if err != nil {
		return nil, err
	}
	r, err := decodeRecord(data)
	if err != nil {
		return nil, err
	}
	if fileName(r.Spec.SessionID) != filepath.Base(path) {
		return nil, fmt.Errorf("it is the record of session %q", r.Spec.SessionID)
	}
	return r, nil
}

// save puts the record on the disk before it returns.
func (s *store) save(r *record) error {
	data, err := r.encode(s.buffer[:0])
	if err != nil {
		return fmt.Errorf("encode it: %w", err)
	}
	s.buffer = data
	s.writes++
	name := fileName(r.Spec.SessionID)
	temporary := fmt.Sprintf("%s.%08x.tmp", name, s.writes)
	return replace(s.fs, s.folder, name, temporary, data)
}

func (s *store) remove(sessionID string) error {
	err := ignoreMissing(s.fs.Remove(filepath.Join(s.folder, fileName(sessionID))))
	if err == nil {
		err = s.fs.SyncFolder(s.folder)
	}
	if err != nil {
		return fmt.Errorf("session: remove a record: %w", err)
	}
	return nil
}

func (s *store) close() error {
	if err := s.lock.Close(); err != nil {
		return fmt.Errorf("session: unlock the records: %w", err)
	}
	return nil
}
