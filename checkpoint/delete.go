package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"clankie/emu"
)

// Delete removes one save for good; only the operator may ask for it. confirm
// must repeat the id. The save must be a real folder whose receipt names it
// and that holds only regular files; anything else is refused with the code
// of what is wrong (CodeNotFound when its receipt cannot be read), and
// nothing is touched. Saves minted after the deleted one get its parent as
// theirs.
//
// CodeDeleteIncomplete means that the save is gone from the store but its
// bytes wait, hidden, for the next Open.
func (s *Store) Delete(ctx context.Context, id, confirm string) (err error) {
	defer s.advise(&err)
	if err := checkID(id); err != nil {
		return err
	}
	if confirm != id {
		return refusal(CodeConfirmMismatch, nil, "nothing was deleted: the confirmation must be exactly %s", id)
	}
	root, done, err := s.deletable(ctx, id)
	if err != nil {
		return err
	}
	defer done()
	if err := checkDeletable(root, id); err != nil {
		return err
	}
	hidden := deletePrefix + id
	if err := hide(root, id, hidden); err != nil {
		return notDeleted.failure("taking it out of the save folder", err)
	}
	if err := finishDelete(root, hidden); err != nil {
		return &emu.Error{
			Code:    CodeDeleteIncomplete,
			Message: id + " is deleted, but its remains could not be cleared away: " + reason(err) + "; the next start tries again",
			Err:     err,
		}
	}
	return nil
}

// deletable opens the store for deleting. It makes no root: where there is
// none there is no save either.
func (s *Store) deletable(ctx context.Context, id string) (folder, func(), error) {
	f, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, notFound(id, err)
	}
	if err != nil {
		return nil, nil, err
	}
	f.Close()
	return s.hold(ctx, notDeleted)
}

// checkDeletable makes sure that id is exactly one sound folder of ours.
func checkDeletable(root folder, id string) error {
	dir, err := openSave(root, id)
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := readReceipt(dir, id); err != nil {
		switch emu.CodeOf(err) {
		case CodeReceiptInvalid, CodeReadFailed:
			return refusal(CodeNotFound, err, "%s has no receipt that can be read, so it is not taken for a save; nothing was deleted, but its folder can be removed by hand", id)
		}
		return err
	}
	names, err := dir.List()
	if err != nil {
		return readFailure(id, err)
	}
	for _, name := range names {
		if _, err := statRegular(dir, name); err != nil {
			return refusal(unsafeCode(name), err, "%s in %s is a link or no file; nothing was deleted", plain(name), id)
		}
	}
	return nil
}

func unsafeCode(name string) string {
	switch name {
	case savestateName:
		return CodeSavestateUnsafe
	case scenarioName:
		return CodeScenarioUnsafe
	}
	return CodeDirectoryUnsafe
}

// hide takes the save out of the store in one step that a crash cannot
// halve.
func hide(root folder, id, hidden string) error {
	if err := root.RemoveAll(hidden); err != nil {
		return err
	}
	if err := root.Rename(id, hidden); err != nil {
		return err
	}
	if err := root.Sync(); err != nil {
		_ = root.Rename(hidden, id)
		return err
	}
	return nil
}

// finishDelete re-parents the children of a hidden save, takes it off the
// timelines and removes its bytes. Each part may be repeated, so the sweep
// finishes what a crash interrupted.
func finishDelete(root folder, hidden string) error {
	id := strings.TrimPrefix(hidden, deletePrefix)
	makeRoom(root, hidden)
	parent, known := hiddenParent(root, hidden, id)
	if known {
		if err := reparent(root, id, parent); err != nil {
			return err
		}
	}
	if err := leaveTimelines(root, id); err != nil {
		return err
	}
	if err := root.RemoveAll(hidden); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	if err := root.Sync(); err != nil {
		return fmt.Errorf("sync the save folder: %w", err)
	}
	return nil
}

// makeRoom removes the state of a save that is being deleted. On a full disk
// what follows needs the room, and whoever deletes there wants it. Whatever
// fails here goes with the rest.
func makeRoom(root folder, hidden string) {
	dir, err := root.Sub(hidden)
	if err != nil {
		return
	}
	defer dir.Close()
	_ = dir.RemoveAll(savestateName)
}

// hiddenParent reads the parent of a save that is being deleted. known is
// false when nobody can tell; its children then keep naming it.
func hiddenParent(root folder, hidden, id string) (parent string, known bool) {
	dir, err := root.Sub(hidden)
	if err != nil {
		return "", false
	}
	defer dir.Close()
	lineage, err := readLineage(dir, id)
	if err != nil {
		return "", false
	}
	if lineage == nil {
		return "", true // an older save began its own timeline
	}
	return lineage.Parent(), true
}

// reparent gives the children of id to its parent.
func reparent(root folder, id, parent string) error {
	entries, err := scan(root, emu.CoreIdentity{})
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Lineage == nil || e.Lineage.Parent() != id {
			continue
		}
		lineage := *e.Lineage
		lineage.ParentCheckpointID = optional(parent)
		if err := rewriteLineage(root, e.ID, lineage); err != nil {
			return fmt.Errorf("re-parent %s: %w", e.ID, err)
		}
	}
	return nil
}

func rewriteLineage(root folder, id string, lineage Lineage) error {
	data, err := marshalLine(lineage)
	if err != nil {
		return err
	}
	dir, err := root.Sub(id)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := replaceFile(root, id+"/"+lineageName, data); err != nil {
		return err
	}
	return dir.Sync()
}

// leaveTimelines takes id off every journey's record.
func leaveTimelines(root folder, id string) error {
	dir, err := root.Sub(timelineName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names, err := dir.List()
	dir.Close()
	if err != nil {
		return err
	}
	for _, name := range names {
		record, err := readTimeline(root, name)
		if err != nil || record == nil || timelineFile(record.JourneyID) != name {
			continue // damaged or not ours: nothing to mend
		}
		if !record.leave(id) {
			continue
		}
		if err := writeTimeline(root, *record); err != nil {
			return err
		}
	}
	return nil
}

// leave takes id off the record and reports whether it was on it. A target
// gives way to its nearest ancestor, the last one to the boot state.
func (t *timeline) leave(id string) bool {
	chain := t.Ancestors
	if t.CheckpointID != nil {
		chain = append([]string{*t.CheckpointID}, chain...)
	}
	kept := chain[:0:0]
	for _, other := range chain {
		if other != id {
			kept = append(kept, other)
		}
	}
	if len(kept) == len(chain) {
		return false
	}
	t.CheckpointID, t.Ancestors = nil, nil
	if len(kept) > 0 {
		t.CheckpointID, t.Ancestors = &kept[0], kept[1:]
	}
	return true
}
