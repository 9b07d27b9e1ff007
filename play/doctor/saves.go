package doctor

import (
	"context"
	"fmt"

	"clankie/checkpoint"
	"clankie/emu"
)

// Saves looks at the store of saves, as a machine of that identity sees it, and
// reads each save to see that it is what was saved.
func Saves(ctx context.Context, dir string, id emu.CoreIdentity) Check {
	return savesUpTo(ctx, dir, id, maxRead)
}

// savesUpTo reads limit bytes of states at most.
func savesUpTo(ctx context.Context, dir string, id emu.CoreIdentity, limit int64) Check {
	const elsewhere = "move it away, or set CLANKIE_GBA_CHECKPOINT_DIR to another folder"
	c, there := folder("saves", dir, "CLANKIE_GBA_CHECKPOINT_DIR")
	if !there {
		return c
	}
	store, err := checkpoint.Open(dir, checkpoint.Options{})
	if err != nil {
		return fatal(c, err, elsewhere)
	}
	entries, err := store.List(ctx, id)
	if err != nil {
		return fatal(c, err, elsewhere)
	}
	loads, read := 0, 0
	var size, spent int64
	var bad damage
	for _, e := range entries { // the newest first
		size += e.Bytes
		if spent += e.StateBytes; spent <= limit {
			read++
			e = readSave(ctx, store, e, id)
		}
		if e.Health == checkpoint.HealthValid {
			loads++
		}
		if reason := wrongWith(e); reason != "" {
			bad.add(emu.Clean(e.ID), reason)
		}
	}
	for _, reason := range timelines(ctx, store, entries, id) {
		bad.add("where a journey goes on", reason)
	}
	c.Found = fmt.Sprintf("%s, %s, in %s; %d load in the game that plays", counted(len(entries), "save"), bytesText(size), dir, loads)
	if read < len(entries) {
		c.Found += fmt.Sprintf("; the newest %d were read", read)
	}
	return bad.tell(c, "the others load; clankie saves show ID says more, clankie saves delete ID --confirm ID takes one away")
}

// readSave is e with what only reading its bytes shows.
func readSave(ctx context.Context, store *checkpoint.Store, e checkpoint.Entry, id emu.CoreIdentity) checkpoint.Entry {
	details, err := store.Get(ctx, e.ID, id)
	if err != nil {
		return e // gone meanwhile, or no name of a save
	}
	return details.Entry
}

// wrongWith says what is damaged in a save, or "". One of another game is not.
func wrongWith(e checkpoint.Entry) string {
	switch {
	case e.Health == checkpoint.HealthDamaged, e.Health == checkpoint.HealthUnreadable:
		return e.Reason
	}
	return e.LineageProblem
}

// timelines says which records of where a journey goes on are damaged. Without
// a machine there is nothing to look for them with.
func timelines(ctx context.Context, store *checkpoint.Store, entries []checkpoint.Entry, id emu.CoreIdentity) (reasons []string) {
	if id.ROMSHA256 == "" {
		return nil
	}
	seen := map[string]bool{}
	for _, e := range entries {
		if e.Receipt == nil || seen[e.Receipt.Journey()] {
			continue
		}
		seen[e.Receipt.Journey()] = true
		live, err := store.LatestLive(ctx, id, e.Receipt.Journey())
		if err != nil {
			return []string{err.Error()}
		}
		for _, skipped := range live.Skipped {
			if skipped.ID == "" {
				reasons = append(reasons, emu.Clean(e.Receipt.Journey())+": "+skipped.Reason)
			}
		}
	}
	return reasons
}
