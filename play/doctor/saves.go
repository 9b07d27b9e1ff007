package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

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
	loads, saves, read := 0, 0, 0
	var size, spent int64
	var bad damage
	var byHand []string
	deletable := false
	for _, e := range entries { // the newest first
		size += e.Bytes
		if !e.Stray() {
			saves++
			if spent += e.StateBytes; spent <= limit {
				read++
				e = readSave(ctx, store, e, id)
			}
		}
		if e.Health == checkpoint.HealthValid {
			loads++
		}
		if reason := wrongWith(e); reason != "" {
			bad.add(emu.Clean(e.ID), reason)
			if onlyByHand(e) {
				byHand = append(byHand, filepath.Join(dir, emu.Clean(e.ID)))
			} else {
				deletable = true
			}
		}
	}
	for _, reason := range timelines(ctx, store, entries, id) {
		bad.add("where a journey goes on", reason)
	}
	c.Found = fmt.Sprintf("%s, %s, in %s; %s in the game that plays", emu.Count(saves, "save"), emu.Size(size), dir, emu.CountOf(loads, "of them loads", "of them load"))
	if read < saves {
		c.Found += fmt.Sprintf("; the newest %d were read", read)
	}
	return bad.tell(c, mendSaves(deletable, byHand))
}

// onlyByHand reports whether an entry is one that the store does not delete.
func onlyByHand(e checkpoint.Entry) bool {
	return e.Stray() || e.Code == checkpoint.CodeSavestateUnsafe || e.Code == checkpoint.CodeScenarioUnsafe
}

// mendSaves says what to do about damaged saves: there are some that the store
// deletes, and those that are only taken away by hand.
func mendSaves(deletable bool, byHand []string) string {
	mend := []string{"the others load"}
	if deletable {
		mend = append(mend, "clankie saves show ID says more, clankie saves delete ID --confirm ID takes one away")
	}
	if len(byHand) > 0 {
		named := strings.Join(byHand[:min(len(byHand), maxNamed)], ", ")
		if more := len(byHand) - maxNamed; more > 0 {
			named += fmt.Sprintf(" and %d more", more)
		}
		mend = append(mend, "clankie deletes nothing that it does not take for a whole save; put it right, or remove it by hand: "+named)
	}
	return strings.Join(mend, "; ")
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
