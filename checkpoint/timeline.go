package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"clankie/emu"
)

// timelineSchema is the schema version of a timeline record.
const timelineSchema = 1

// maxAncestors bounds how far back a damaged tip can be walked.
const maxAncestors = 64

// timeline is the record of where a journey last jumped to: a load or a
// restart. Everything minted for the journey afterwards (a higher sequence)
// continues from there and is live; before it live are only the target and
// its ancestors. Minting needs no change here, so a crash cannot separate a
// save from its timeline.
type timeline struct {
	SchemaVersion int     `json:"schemaVersion"`
	JourneyID     string  `json:"journeyId"`    // "" for saves of no journey
	CheckpointID  *string `json:"checkpointId"` // nil: the boot state
	Sequence      int64   `json:"sequence"`     // when, in the store's order
	// Ancestors of CheckpointID, nearest first. They are kept here because
	// the chain of lineage files breaks where one is damaged or gone.
	Ancestors []string `json:"ancestors"`
}

// Skipped is a save that resume passed over.
type Skipped struct {
	ID     string // "" when the problem is not one save's
	Reason string // begins with a code
}

// Live is where a journey goes on.
type Live struct {
	// Save is the newest sound save of the live timeline, or nil: start from
	// the boot state.
	Save *Loaded
	// Restarted is true when there is no save because the journey was
	// restarted and nothing was saved since.
	Restarted bool
	// Skipped lists newer saves that cannot be loaded, newest first.
	Skipped []Skipped
}

// SetLive records that the journey now goes on from the save id, or from the
// boot state when id is "". Call it right after a load or restart succeeded:
// from then on a crash resumes there, and what the rewind left is no longer
// live. Call it too before the first save of a sitting that does not go on
// from what LatestLive would find, because the operator chose to begin anew or
// because newer saves were skipped.
//
// The record is on the disk when SetLive returns nil. After CodeWriteFailed it
// is the old one or the new one, never less.
func (s *Store) SetLive(ctx context.Context, journey, id string) (err error) {
	defer s.advise(&err)
	if id != "" {
		if err := checkID(id); err != nil {
			return err
		}
	}
	root, done, err := s.hold(ctx, notRecorded)
	if err != nil {
		return err
	}
	defer done()
	if err := setLive(root, journey, id); err != nil {
		if emu.CodeOf(err) != "" {
			return err
		}
		return notRecorded.failure("writing it down", err)
	}
	return nil
}

func setLive(root folder, journey, id string) error {
	entries, err := scan(root, emu.CoreIdentity{})
	if err != nil {
		return err
	}
	record := timeline{SchemaVersion: timelineSchema, JourneyID: journey, CheckpointID: optional(id)}
	if id != "" {
		if !exists(root, id) {
			return notFound(id, nil)
		}
		record.Ancestors = ancestors(entries, id)
	}
	if record.Sequence, err = takeSequence(root, entries); err != nil {
		return err
	}
	return writeTimeline(root, record)
}

// ancestors walks the lineage up from id, nearest first.
func ancestors(entries []Entry, id string) []string {
	parents := map[string]string{}
	for _, e := range entries {
		if e.Lineage != nil {
			parents[e.ID] = e.Lineage.Parent()
		}
	}
	var chain []string
	seen := map[string]bool{id: true}
	for next := parents[id]; next != "" && !seen[next] && len(chain) < maxAncestors; next = parents[next] {
		seen[next] = true
		chain = append(chain, next)
	}
	return chain
}

func timelineFile(journey string) string {
	return string(emu.DigestOf([]byte(journey))) + ".json"
}

func writeTimeline(root folder, record timeline) error {
	data, err := marshalLine(record)
	if err != nil {
		return err
	}
	if err := root.Mkdir(timelineName); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make %s: %w", timelineName, err)
	}
	dir, err := root.Sub(timelineName)
	if err != nil {
		return fmt.Errorf("open %s: %w", timelineName, err)
	}
	defer dir.Close()
	if err := replaceFile(root, timelineName+"/"+timelineFile(record.JourneyID), data); err != nil {
		return err
	}
	if err := dir.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", timelineName, err)
	}
	if err := root.Sync(); err != nil {
		return fmt.Errorf("sync the save folder: %w", err)
	}
	return nil
}

// readTimeline is nil without an error when the journey never jumped.
func readTimeline(root folder, name string) (*timeline, error) {
	dir, err := root.Sub(timelineName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, refusal(CodeTimelineInvalid, err, "the records of the live timelines cannot be read: %s", reason(err))
	}
	defer dir.Close()
	data, err := readRegular(dir, name, maxJSONBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		var record timeline
		if record, err = parseTimeline(data); err == nil {
			return &record, nil
		}
	}
	return nil, refusal(CodeTimelineInvalid, err, "the record of the live timeline is damaged: %s", reason(err))
}

func parseTimeline(data []byte) (timeline, error) {
	var record timeline
	if err := emu.UnmarshalComplete(data, &record); err != nil {
		return timeline{}, err
	}
	if record.SchemaVersion != timelineSchema {
		return timeline{}, fmt.Errorf("schemaVersion: %d is not %d", record.SchemaVersion, timelineSchema)
	}
	for _, id := range append(record.Ancestors, deref(record.CheckpointID)) {
		if id != "" && !ValidID(id) {
			return timeline{}, errors.New("names what is no save")
		}
	}
	return record, nil
}

// tipOf is the newest save of the journey's live timeline, or "".
func tipOf(root folder, entries []Entry, journey string) string {
	record, err := readTimeline(root, timelineFile(journey))
	chain := liveChain(entries, record, err, journey)
	if len(chain) == 0 {
		return ""
	}
	return chain[0]
}

// liveChain lists the ids of the journey's live timeline, newest first.
// entries are newest first; damage is why record could not be read.
func liveChain(entries []Entry, record *timeline, damage error, journey string) []string {
	var chain []string
	for _, e := range entries {
		if e.Receipt == nil || !belongs(*e.Receipt, journey) {
			continue
		}
		if record != nil && e.Sequence() <= record.Sequence {
			continue
		}
		if e.Banked() {
			// Without a record nobody knows where the rewind led; what came
			// before it may be abandoned. Our own banks leave a record unless
			// the rewind never happened.
			if record == nil && (e.Lineage == nil || damage != nil) {
				return chain
			}
			continue
		}
		chain = append(chain, e.ID)
	}
	if record != nil && record.CheckpointID != nil {
		chain = append(chain, *record.CheckpointID)
		chain = append(chain, record.Ancestors...)
	}
	return chain
}

// belongs reports whether a save may continue the journey. Older saves name
// none; their cartridge is compared when they are read.
func belongs(receipt Receipt, journey string) bool {
	return receipt.JourneyID == nil || *receipt.JourneyID == journey
}

// LatestLive finds where the journey goes on: the newest sound save of its
// live timeline, read and verified against identity. A save that a rewind
// abandoned is never chosen. It fails only when the store itself cannot be
// read; whatever is wrong with single saves is in Skipped.
func (s *Store) LatestLive(ctx context.Context, identity emu.CoreIdentity, journey string) (_ Live, err error) {
	defer s.advise(&err)
	if err := ctx.Err(); err != nil {
		return Live{}, refusal(CodeReadFailed, err, "looking for the newest save was given up")
	}
	root, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return Live{}, nil
	}
	if err != nil {
		return Live{}, err
	}
	defer root.Close()
	entries, err := scan(root, emu.CoreIdentity{})
	if err != nil {
		return Live{}, err
	}
	return latestLive(root, entries, identity, journey), nil
}

func latestLive(root folder, entries []Entry, identity emu.CoreIdentity, journey string) Live {
	var live Live
	record, damage := readTimeline(root, timelineFile(journey))
	if damage != nil {
		live.Skipped = append(live.Skipped, Skipped{Reason: damage.Error()})
	}
	for _, id := range liveChain(entries, record, damage, journey) {
		loaded, err := readSave(root, id, identity)
		if err == nil {
			live.Save = &loaded
			break
		}
		// A save without a journey and of another cartridge is no part of
		// this story: there is nothing to report.
		if !foreignStray(entries, id, err) {
			live.Skipped = append(live.Skipped, Skipped{ID: id, Reason: err.Error()})
		}
	}
	live.Restarted = live.Save == nil && record != nil && record.CheckpointID == nil
	for _, s := range nameless(entries, live.Save, journey) {
		if !slices.ContainsFunc(live.Skipped, func(other Skipped) bool { return other.ID == s.ID }) {
			live.Skipped = append(live.Skipped, s)
		}
	}
	return live
}

func foreignStray(entries []Entry, id string, err error) bool {
	if emu.CodeOf(err) != CodeROMMismatch {
		return false
	}
	for _, e := range entries {
		if e.ID == id {
			return e.Receipt != nil && e.Receipt.JourneyID == nil
		}
	}
	return false
}

// nameless lists the saves newer than chosen of which nobody can tell whether
// they are of this journey's live timeline, because the receipt or the
// lineage cannot be read.
func nameless(entries []Entry, chosen *Loaded, journey string) []Skipped {
	var skipped []Skipped
	for _, e := range entries {
		switch {
		case chosen != nil && e.ID == chosen.Receipt.CheckpointID || !newerThan(e, chosen):
		case e.Receipt == nil && e.Health == HealthDamaged:
			skipped = append(skipped, Skipped{ID: e.ID, Reason: e.Code + ": " + e.Reason})
		case e.Receipt != nil && e.LineageProblem != "" && belongs(*e.Receipt, journey):
			skipped = append(skipped, Skipped{ID: e.ID, Reason: e.LineageProblem})
		}
	}
	return skipped
}

func newerThan(e Entry, chosen *Loaded) bool {
	if chosen == nil {
		return true
	}
	if e.Lineage != nil && chosen.Lineage != nil {
		return e.Lineage.Sequence > chosen.Lineage.Sequence
	}
	return e.ID > chosen.Receipt.CheckpointID // ids begin with the moment of capture
}
