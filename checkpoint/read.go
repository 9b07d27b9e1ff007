package checkpoint

import (
	"context"
	"errors"
	"io/fs"

	"clankie/emu"
	"clankie/emu/picture"
)

// Loaded is a save whose identity and bytes were verified. The caller owns
// it.
type Loaded struct {
	State   []byte
	Receipt Receipt
	Lineage *Lineage // nil for an older save, or when lineage.json is damaged
	// Picture is the picture kept with the save, marked Restored, or nil.
	Picture *emu.Picture
	// Equivalent is true when the save was minted under another module than
	// the running one, proven to behave the same: Receipt.CoreWasmSHA256.
	Equivalent bool
}

// Read verifies the save id against identity and returns it. It checks, in
// this order: the id, the root, the folder, the receipt (safe, there, valid,
// naming its folder), the cartridge, the core, the state (safe, there), the
// scenario (safe, there) and the state's digest; each has its code. Nothing
// may reach a core before Read has returned without an error.
func (s *Store) Read(ctx context.Context, id string, identity emu.CoreIdentity) (_ Loaded, err error) {
	defer s.advise(&err)
	if err := checkID(id); err != nil {
		return Loaded{}, err
	}
	if err := ctx.Err(); err != nil {
		return Loaded{}, refusal(CodeReadFailed, err, "reading %s was given up", id)
	}
	root, err := s.root()
	if errors.Is(err, fs.ErrNotExist) {
		return Loaded{}, notFound(id, err)
	}
	if err != nil {
		return Loaded{}, err
	}
	defer root.Close()
	return readSave(root, id, identity)
}

// readSave is Read within an open root, for an id already checked.
func readSave(root folder, id string, identity emu.CoreIdentity) (Loaded, error) {
	dir, err := openSave(root, id)
	if err != nil {
		return Loaded{}, err
	}
	defer dir.Close()
	receipt, err := readReceipt(dir, id)
	if err != nil {
		return Loaded{}, err
	}
	if err := checkIdentity(receipt, identity); err != nil {
		return Loaded{}, err
	}
	if err := checkMembers(dir, id); err != nil {
		return Loaded{}, err
	}
	state, err := readState(dir, receipt)
	if err != nil {
		return Loaded{}, err
	}
	lineage, _ := readLineage(dir, id)
	return Loaded{
		State:      state,
		Receipt:    receipt,
		Lineage:    lineage,
		Picture:    readPreview(dir, lineage),
		Equivalent: receipt.CoreWasmSHA256 != identity.ModuleSHA256,
	}, nil
}

func notFound(id string, cause error) error {
	return refusal(CodeNotFound, cause, "there is no save %s", plain(id))
}

// openSave opens a save's folder.
func openSave(root folder, id string) (folder, error) {
	dir, err := root.Sub(id)
	switch {
	case err == nil:
		return dir, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, notFound(id, err)
	case errors.Is(err, errUnsafe):
		return nil, refusal(CodeDirectoryUnsafe, err, "%s is a link or no folder; nothing in it is touched", plain(id))
	}
	return nil, readFailure(id, err)
}

func readFailure(what string, cause error) error {
	return &emu.Error{
		Code:      CodeReadFailed,
		Message:   plain(what) + " cannot be read: " + reason(cause),
		Retryable: true,
		Err:       cause,
	}
}

// readReceipt reads the receipt and holds it against the folder's name.
func readReceipt(dir folder, id string) (Receipt, error) {
	data, err := readRegular(dir, receiptName, maxJSONBytes)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		return Receipt{}, refusal(CodeNotFound, err, "%s has no receipt, so it is no save or was never finished", id)
	case errors.Is(err, errUnsafe):
		return Receipt{}, refusal(CodeReceiptUnsafe, err, "the receipt of %s is a link or no file; it is not followed", id)
	case errors.Is(err, errTooLarge):
		return Receipt{}, refusal(CodeReceiptInvalid, err, "the receipt of %s is too large to be one", id)
	default:
		return Receipt{}, readFailure("the receipt of "+id, err)
	}
	receipt, err := parseReceipt(data)
	if err != nil {
		return Receipt{}, refusal(CodeReceiptInvalid, err, "the receipt of %s, its %s, is damaged or of another version: %s; load another save", id, receiptName, plain(err.Error()))
	}
	if receipt.CheckpointID != id {
		return Receipt{}, refusal(CodeReceiptMismatch, nil,
			"the receipt in %s names %s; the folder was renamed or the receipt copied", id, receipt.CheckpointID)
	}
	return receipt, nil
}

// checkIdentity holds a receipt against what runs.
func checkIdentity(receipt Receipt, identity emu.CoreIdentity) error {
	if receipt.ROMSHA256 != identity.ROMSHA256 {
		return refusal(CodeROMMismatch, nil, "%s was saved on another cartridge (ROM %s, running %s); start that game to load it",
			receipt.CheckpointID, receipt.ROMSHA256.Short(), identity.ROMSHA256.Short())
	}
	if !identity.Accepts(receipt.CoreWasmSHA256) {
		return refusal(CodeCoreMismatch, nil, "%s was saved by another core build (%s, running %s) that is not proven to behave the same; it loads only under that build",
			receipt.CheckpointID, receipt.CoreWasmSHA256.Short(), identity.ModuleSHA256.Short())
	}
	return nil
}

// checkMembers makes sure that state and scenario are regular files. What
// the scenario says is for whoever boots it.
func checkMembers(dir folder, id string) error {
	if err := checkMember(dir, id, savestateName, CodeSavestateUnsafe, CodeSavestateMissing); err != nil {
		return err
	}
	return checkMember(dir, id, scenarioName, CodeScenarioUnsafe, CodeScenarioMissing)
}

func checkMember(dir folder, id, name, unsafeCode, missingCode string) error {
	_, err := statRegular(dir, name)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return refusal(missingCode, err, "%s has no %s; it cannot be loaded", id, name)
	case errors.Is(err, errUnsafe):
		return refusal(unsafeCode, err, "%s of %s is a link or no file; it is not followed", name, id)
	}
	return readFailure(name+" of "+id, err)
}

func readState(dir folder, receipt Receipt) ([]byte, error) {
	id := receipt.CheckpointID
	state, err := readRegular(dir, savestateName, maxSavestateBytes)
	switch {
	case err == nil:
	case errors.Is(err, errTooLarge):
		return nil, refusal(CodeSavestateCorrupt, err, "the state of %s is too large to be one; load an earlier save", id)
	case errors.Is(err, errUnsafe):
		return nil, refusal(CodeSavestateUnsafe, err, "the state of %s was swapped while it was read", id)
	default:
		return nil, readFailure("the state of "+id, err)
	}
	if got := emu.DigestOf(state); got != receipt.SavestateSHA256 {
		return nil, refusal(CodeSavestateCorrupt, nil, "the state of %s is damaged (digest %s, saved as %s); load an earlier save",
			id, got.Short(), receipt.SavestateSHA256.Short())
	}
	return state, nil
}

// readLineage is nil without an error for an older save.
func readLineage(dir folder, id string) (*Lineage, error) {
	data, err := readRegular(dir, lineageName, maxJSONBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, refusal(CodeLineageUnreadable, err, "the lineage of %s cannot be read: %s", id, reason(err))
	}
	lineage, err := parseLineage(data)
	if err == nil && lineage.Sequence > maxSequence {
		err = errTooLarge
	}
	if err != nil {
		return nil, refusal(CodeLineageUnreadable, err, "the lineage of %s is damaged: %s", id, plain(err.Error()))
	}
	return &lineage, nil
}

// readPreview is nil where there is no valid picture: it is an ornament and
// must not keep a save from loading.
func readPreview(dir folder, lineage *Lineage) *emu.Picture {
	data, err := readRegular(dir, previewName, maxPreviewBytes)
	if err != nil {
		return nil
	}
	pix, err := picture.Parse(data)
	if err != nil {
		return nil
	}
	picture := &emu.Picture{Pix: pix, Restored: true}
	if lineage != nil {
		picture.Frame = lineage.Frame
	}
	return picture
}
