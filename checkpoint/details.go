package checkpoint

import (
	"context"
	"errors"
	"io/fs"

	"clankie/emu"
)

// Details is one entry looked at closely.
type Details struct {
	Entry
	// Verified is true when the state's bytes were read and are the ones
	// saved. It says nothing about cartridge and core: see Health.
	Verified bool
	Picture  *emu.Picture // the picture kept with the save, or nil
}

// Get looks at one entry closely: the listing's view of it, the state's bytes
// verified, and the picture. A damaged save is a result, not an error; errors
// are CodeIDInvalid, CodeRootUnsafe and CodeNotFound.
func (s *Store) Get(ctx context.Context, id string, identity emu.CoreIdentity) (_ Details, err error) {
	defer s.advise(&err)
	if err := checkID(id); err != nil {
		return Details{}, err
	}
	if err := ctx.Err(); err != nil {
		return Details{}, refusal(CodeReadFailed, err, "reading %s was given up", id)
	}
	root, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return Details{}, notFound(id, err)
	}
	if err != nil {
		return Details{}, err
	}
	defer root.Close()
	if !exists(root, id) {
		return Details{}, notFound(id, nil)
	}
	return examine(root, inspect(root, id, identity)), nil
}

// examine adds to an entry what only reading its bytes shows.
func examine(root folder, entry Entry) Details {
	details := Details{Entry: entry}
	if entry.Receipt == nil {
		return details
	}
	dir, err := openSave(root, entry.ID)
	if err != nil {
		details.Entry = entry.failing(err)
		return details
	}
	defer dir.Close()
	details.Picture = readPreview(dir, entry.Lineage)
	if _, err := readState(dir, *entry.Receipt); err != nil {
		// What is foreign stays foreign: that is what its owner needs to know.
		if entry.Health == HealthValid {
			details.Entry = entry.failing(err)
		}
		return details
	}
	details.Verified = true
	return details
}
