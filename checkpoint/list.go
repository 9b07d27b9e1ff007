package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"clankie/emu"
)

// Health says whether a save can be loaded, and if not, in which way.
type Health string

// The healths.
const (
	HealthValid      Health = "valid"
	HealthDamaged    Health = "damaged"    // something in it is wrong or missing
	HealthForeign    Health = "foreign"    // of another cartridge
	HealthOtherCore  Health = "other-core" // by a core that is not proven equal
	HealthUnreadable Health = "unreadable" // no save, or the disk refuses to show it
)

// Entry is one entry of a store as the listing shows it.
type Entry struct {
	// ID is the folder's name. It is made safe to show and then no id when
	// Code is CodeIDInvalid.
	ID     string
	Health Health
	Code   string // the code of the refusal that a load would meet, "" when valid
	Reason string // in words for people, "" when valid

	Receipt *Receipt // nil when it cannot be read
	Lineage *Lineage // nil for an older save, or when it cannot be read
	// LineageProblem says why the lineage cannot be read, else "".
	LineageProblem string

	StateBytes int64 // size of the state
	Bytes      int64 // size of all members
	HasPreview bool  // there is a picture; whether it is valid shows when it is read
}

// Sequence orders saves; 0 for one without lineage.
func (e Entry) Sequence() int64 {
	if e.Lineage == nil {
		return 0
	}
	return e.Lineage.Sequence
}

// Stray reports whether the entry is not taken for a save, because no receipt in
// it can be read that names it. Nothing here loads or deletes one.
func (e Entry) Stray() bool { return e.Receipt == nil }

// Banked reports whether the save was made just before a rewind. Such a save
// is the tip of what the rewind left and never part of the live timeline.
func (e Entry) Banked() bool {
	if e.Lineage != nil {
		return e.Lineage.Reason == ReasonBeforeRewind
	}
	return e.Receipt != nil && e.Receipt.LabelText() == LabelBeforeRewind
}

// List returns every entry of the store, newest first: by sequence, then
// moment of capture, then id. Each is held against identity; with the zero
// identity, cartridge and core are not compared. The states' bytes are not
// verified, see Get. A store that does not exist yet is empty.
func (s *Store) List(ctx context.Context, identity emu.CoreIdentity) (_ []Entry, err error) {
	defer s.advise(&err)
	if err := ctx.Err(); err != nil {
		return nil, refusal(CodeReadFailed, err, "listing the saves was given up")
	}
	root, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return scan(root, identity)
}

// scan lists an open root.
func scan(root folder, identity emu.CoreIdentity) ([]Entry, error) {
	names, err := root.List()
	if err != nil {
		return nil, readFailure("the save folder", err)
	}
	var entries []Entry
	for _, name := range names {
		if strings.HasPrefix(name, ".") {
			continue
		}
		entry := inspect(root, name, identity)
		if entry.Health != HealthValid && !exists(root, name) {
			continue // deleted while it was looked at
		}
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, newestFirst)
	return entries, nil
}

func exists(root folder, name string) bool {
	_, err := root.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

func newestFirst(a, b Entry) int {
	return cmp.Or(
		cmp.Compare(b.Sequence(), a.Sequence()),
		compareCapture(b, a),
		strings.Compare(b.ID, a.ID),
	)
}

func compareCapture(a, b Entry) int {
	at, aok := a.capturedAt()
	bt, bok := b.capturedAt()
	if !aok || !bok {
		return cmp.Compare(btoi(aok), btoi(bok))
	}
	return at.Compare(bt)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// inspect looks at one entry without reading its state.
func inspect(root folder, name string, identity emu.CoreIdentity) Entry {
	if err := checkID(name); err != nil {
		return Entry{ID: plain(name)}.failing(err)
	}
	entry := Entry{ID: name}
	dir, err := openSave(root, name)
	if err != nil {
		return entry.failing(err)
	}
	defer dir.Close()
	entry.measure(dir)
	if entry.Lineage, err = readLineage(dir, name); err != nil {
		entry.LineageProblem = err.Error()
	}
	receipt, err := readReceipt(dir, name)
	if err != nil {
		return entry.failing(err)
	}
	entry.Receipt = &receipt
	if identity.ROMSHA256 != "" {
		if err := checkIdentity(receipt, identity); err != nil {
			return entry.failing(err)
		}
	}
	if err := checkMembers(dir, name); err != nil {
		return entry.failing(err)
	}
	if entry.StateBytes == 0 {
		return entry.failing(refusal(CodeSavestateCorrupt, nil, "the state of %s is empty; load an earlier save", name))
	}
	entry.Health = HealthValid
	return entry
}

// measure takes the sizes of the members.
func (e *Entry) measure(dir folder) {
	for _, name := range []string{savestateName, scenarioName, receiptName, lineageName, previewName} {
		info, err := statRegular(dir, name)
		if err != nil {
			continue
		}
		e.Bytes += info.Size()
		switch name {
		case savestateName:
			e.StateBytes = info.Size()
		case previewName:
			e.HasPreview = true
		}
	}
}

// failing returns e with the health that err means.
func (e Entry) failing(err error) Entry {
	e.Code = emu.CodeOf(err)
	e.Reason = strings.TrimPrefix(err.Error(), e.Code+": ")
	switch e.Code {
	case CodeROMMismatch:
		e.Health = HealthForeign
	case CodeCoreMismatch:
		e.Health = HealthOtherCore
	case CodeIDInvalid, CodeDirectoryUnsafe, CodeReadFailed:
		e.Health = HealthUnreadable
	default:
		e.Health = HealthDamaged
	}
	return e
}

// capturedAt is the moment of capture; ok is false when it is not known.
func (e Entry) capturedAt() (at time.Time, ok bool) {
	if e.Receipt == nil {
		return time.Time{}, false
	}
	return emu.ParseMoment(e.Receipt.CapturedAt)
}
