package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"clankie/emu"
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
	temporaryName = regexp.MustCompile(`^[0-9a-f]{64}\.(json|log)\.[0-9a-f]{8}\.tmp$`)
)

// store keeps the records of sessions on disk.
type store struct {
	fs     fileSystem
	folder string
	lock   *flock.Flock
	writes uint32 // names temporaries; the lock keeps others out
	buffer []byte // of the last record written, used again

	ledgers  map[string]*ledger // by session id
	smallLog int                // a log becomes as long in any case
}

// openStore takes the lock, sweeps what a killed program left half written,
// and reads every record.
func openStore(fs fileSystem, root string) (*store, []*record, error) {
	s := &store{fs: fs, folder: filepath.Join(root, recordFolder), ledgers: map[string]*ledger{}, smallLog: smallLog}
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
		if temporaryName.MatchString(name) || lonely(name, names) {
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

// lonely reports whether name is a log whose record was removed.
func lonely(name string, names []string) bool {
	stem, isLog := strings.CutSuffix(name, ".log")
	return isLog && recordName.MatchString(stem+".json") && !slices.Contains(names, stem+".json")
}

// read reads a record and the log that continues it.
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
	log, err := s.fs.Read(logName(path))
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = r.replay(emu.DigestOf(data), log)
	}
	if err != nil {
		return nil, fmt.Errorf("its log: %w", err)
	}
	return r, nil
}

// save puts what changed of the record on the disk before it returns. After a
// failure nobody knows what the disk has, so the next save writes all of it.
func (s *store) save(r *record) error {
	l := s.ledgers[r.Spec.SessionID]
	if l == nil {
		l = &ledger{}
		s.ledgers[r.Spec.SessionID] = l
	}
	s.writes++
	write := s.rewrite
	if l.takes(r, s.smallLog) {
		write = s.extend
	}
	err := write(l, r)
	r.actions.dropped = nil
	if err != nil {
		l.record = ""
		return err
	}
	r.actions.settle()
	return nil
}

// rewrite writes the whole record. Its log counts for nothing from then on.
func (s *store) rewrite(l *ledger, r *record) error {
	data, err := r.encode(s.buffer[:0])
	if err != nil {
		return err
	}
	s.buffer = data
	name := fileName(r.Spec.SessionID)
	if err := replace(s.fs, s.folder, name, s.temporary(name), data); err != nil {
		return err
	}
	l.shut()
	if l.size > 0 {
		// One that stays is of another record, and read as such.
		_ = s.fs.Remove(filepath.Join(s.folder, logName(name)))
	}
	*l = ledger{record: emu.DigestOf(data), length: len(data), state: r.state()}
	return nil
}

func (s *store) temporary(name string) string { return fmt.Sprintf("%s.%08x.tmp", name, s.writes) }

func (s *store) remove(sessionID string) error {
	path := filepath.Join(s.folder, fileName(sessionID))
	if l := s.ledgers[sessionID]; l != nil {
		l.shut()
		delete(s.ledgers, sessionID)
	}
	err := ignoreMissing(s.fs.Remove(path))
	if err == nil { // a log without its record is swept when the records are opened
		err = ignoreMissing(s.fs.Remove(logName(path)))
	}
	if err == nil {
		err = s.fs.SyncFolder(s.folder)
	}
	if err != nil {
		return fmt.Errorf("session: remove a record: %w", err)
	}
	return nil
}

func (s *store) close() error {
	for _, l := range s.ledgers {
		l.shut()
	}
	if err := s.lock.Close(); err != nil {
		return fmt.Errorf("session: unlock the records: %w", err)
	}
	return nil
}
