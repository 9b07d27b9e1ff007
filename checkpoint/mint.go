package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"clankie/emu"
	"clankie/emu/picture"
)

// MintRequest is what a save is made of. The store copies nothing: State,
// Picture and Scenario must not change during the call.
type MintRequest struct {
	State    []byte           // the machine's complete state
	Picture  emu.Picture      // the picture of that state; without pixels, or stale, none is kept
	Identity emu.CoreIdentity // what the running machine verified at boot
	Scenario []byte           // JSON of the booted scenario

	Label    string        // "" or 1 to 40 of a-z, 0-9 and -
	Position *emu.Position // decoded position, nil when there is none
	// Continuity is the mind to keep with the state, nil for none. Texts are
	// cut to the format's bounds.
	Continuity    *Continuity
	JourneyID     string // "" for none
	EnvironmentID string // "" for none

	Reason  Reason
	RunID   string // "" for none
	Turn    *int   // nil for none
	Frame   uint64 // logical frame of the machine
	Place   string // the game's own name of the place, "" for none
	Profile string // decoder profile, "screen" when nothing is decoded

	// Parent is the save that this one continues, "" for the boot state. nil,
	// like one that was deleted meanwhile, is the newest save of the journey's
	// live timeline.
	Parent *string
}

// Mint makes a save and returns its receipt once every byte of it is on the
// disk under its name. Its parent is the newest save of the journey's live
// timeline unless the request names another. When it fails, nothing is listed
// and what was there before stays; the codes are CodeRequestInvalid,
// CodeRootUnsafe, CodeReadFailed, CodeStoreBusy and CodeWriteFailed.
func (s *Store) Mint(ctx context.Context, request MintRequest) (_ Receipt, err error) {
	defer s.advise(&err)
	if err := request.check(); err != nil {
		return Receipt{}, refusal(CodeRequestInvalid, err, "nothing was saved: %s", plain(err.Error()))
	}
	root, done, err := s.writable(ctx)
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	receipt, err := s.mint(root, request)
	if err != nil && emu.CodeOf(err) == "" {
		err = writeFailure("writing the save", err)
	}
	return receipt, err
}

// check refuses what could never be loaded again.
func (r MintRequest) check() error {
	switch {
	case len(r.State) == 0 || len(r.State) > maxSavestateBytes:
		return fmt.Errorf("a state of %s is none", emu.Count(len(r.State), "byte"))
	case len(bytes.Trim(r.State, "\x00")) == 0:
		return errors.New("the state is all zeros: the machine saved nothing")
	case len(r.Scenario) > maxScenarioBytes:
		return fmt.Errorf("a scenario of %d bytes is too long", len(r.Scenario))
	case !r.Reason.Valid():
		return fmt.Errorf("%q is no reason for a save", r.Reason)
	case len(r.Picture.Pix) != 0 && len(r.Picture.Pix) != emu.PictureBytes:
		return fmt.Errorf("the picture has %s, not %d", emu.Count(len(r.Picture.Pix), "byte"), emu.PictureBytes)
	case r.Turn != nil && *r.Turn < 0:
		return fmt.Errorf("turn %d is negative", *r.Turn)
	case r.Parent != nil && *r.Parent != "":
		return checkID(*r.Parent)
	}
	return nil
}

// mint does the work of Mint under the lock.
func (s *Store) mint(root folder, request MintRequest) (Receipt, error) {
	entries, err := scan(root, emu.CoreIdentity{})
	if err != nil {
		return Receipt{}, err
	}
	receipt, err := s.newReceipt(root, request)
	if err != nil {
		return Receipt{}, err
	}
	lineage := newLineage(request)
	parent := request.Parent
	if parent == nil || *parent != "" && !exists(root, *parent) {
		tip := tipOf(root, entries, request.JourneyID)
		parent = &tip
	}
	lineage.ParentCheckpointID = optional(*parent)
	if lineage.Sequence, err = takeSequence(root, entries); err != nil {
		return Receipt{}, err
	}
	files, err := mintFiles(request, receipt, lineage)
	if err != nil {
		return Receipt{}, refusal(CodeRequestInvalid, err, "nothing was saved: %s", plain(err.Error()))
	}
	return receipt, publish(root, receipt.CheckpointID, files)
}

func (s *Store) newReceipt(root folder, request MintRequest) (Receipt, error) {
	capturedAt := emu.Moment(s.clock.Now())
	id, err := s.freshID(root, capturedAt, request.Label)
	if err != nil {
		return Receipt{}, err
	}
	receipt := Receipt{
		SchemaVersion:   ReceiptSchema,
		CheckpointID:    id,
		Label:           optional(request.Label),
		CapturedAt:      capturedAt,
		ROMSHA256:       request.Identity.ROMSHA256,
		CoreWasmSHA256:  request.Identity.ModuleSHA256,
		SavestateSHA256: emu.DigestOf(request.State),
		Position:        fitPosition(request.Position),
		Continuity:      fitContinuity(request.Continuity),
		JourneyID:       optional(request.JourneyID),
		EnvironmentID:   optional(request.EnvironmentID),
	}
	if err := receipt.validate(); err != nil {
		return Receipt{}, refusal(CodeRequestInvalid, err, "nothing was saved: %s", plain(err.Error()))
	}
	return receipt, nil
}

// freshID makes an id that names nothing yet.
func (s *Store) freshID(root folder, capturedAt, label string) (string, error) {
	const tries = 8 // 48 random bits never collide twice by chance
	for range tries {
		id, err := newID(capturedAt, label, s.random)
		if err != nil {
			return "", err
		}
		if _, err := root.Lstat(id); errors.Is(err, fs.ErrNotExist) {
			return id, nil
		}
	}
	return "", fmt.Errorf("no free id after %d tries", tries)
}

func newLineage(request MintRequest) Lineage {
	return Lineage{
		SchemaVersion: LineageSchema,
		RunID:         optional(request.RunID),
		Turn:          request.Turn,
		Frame:         request.Frame,
		Reason:        request.Reason,
		Baseline:      Baseline{CoreID: request.Identity.CoreID, DecoderProfile: request.Profile},
		Place:         emu.Clip(emu.Clean(request.Place), MaxPlace),
	}
}

// memberFile is one file of a save about to be written.
type memberFile struct {
	name string
	data []byte
}

func mintFiles(request MintRequest, receipt Receipt, lineage Lineage) ([]memberFile, error) {
	scenario, err := companionScenario(request.Scenario, receipt.CheckpointID, receipt.SavestateSHA256)
	if err != nil {
		return nil, err
	}
	receiptJSON, err := marshalLine(receipt)
	if err != nil {
		return nil, fmt.Errorf("receipt: %w", err)
	}
	lineageJSON, err := marshalLine(lineage)
	if err != nil {
		return nil, fmt.Errorf("lineage: %w", err)
	}
	files := []memberFile{
		{savestateName, request.State},
		{scenarioName, scenario},
		{lineageName, lineageJSON},
	}
	if len(request.Picture.Pix) != 0 && !request.Picture.Stale {
		preview, err := picture.PNG(request.Picture, 1)
		if err != nil {
			return nil, err
		}
		files = append(files, memberFile{previewName, preview})
	}
	// The receipt comes last: older programs take it for the sign that a save
	// is complete.
	return append(files, memberFile{receiptName, receiptJSON}), nil
}

// publish writes the files into a hidden sibling, verifies them and gives the
// sibling its name.
func publish(root folder, id string, files []memberFile) error {
	temporary := mintPrefix + id
	if err := root.Mkdir(temporary); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	if err := fill(root, temporary, files); err != nil {
		root.RemoveAll(temporary)
		return err
	}
	if err := root.Rename(temporary, id); err != nil {
		root.RemoveAll(temporary)
		return fmt.Errorf("rename: %w", err)
	}
	if err := root.Sync(); err != nil {
		// The name may not survive a crash, so the save was not made. Hide it
		// before taking it apart: half a save must never be listed.
		if root.Rename(id, temporary) == nil {
			root.RemoveAll(temporary)
		}
		return fmt.Errorf("sync the save folder: %w", err)
	}
	return nil
}

func fill(root folder, name string, files []memberFile) error {
	sub, err := root.Sub(name)
	if err != nil {
		return fmt.Errorf("open the new folder: %w", err)
	}
	defer sub.Close()
	for _, file := range files {
		if err := writeSynced(sub, file.name, file.data); err != nil {
			return err
		}
	}
	if err := sub.Sync(); err != nil {
		return fmt.Errorf("sync the new folder: %w", err)
	}
	for _, file := range files {
		back, err := readRegular(sub, file.name, int64(len(file.data)))
		if err != nil {
			return fmt.Errorf("read %s back: %w", file.name, err)
		}
		if emu.DigestOf(back) != emu.DigestOf(file.data) {
			return fmt.Errorf("%s does not read back as it was written", file.name)
		}
	}
	return nil
}

// takeSequence reserves the next number of the store: one more than the
// counter and than every number listed, so that neither a lost counter nor a
// deleted save makes a number come twice.
func takeSequence(root folder, entries []Entry) (int64, error) {
	last := readCounter(root)
	for _, e := range entries {
		last = max(last, e.Sequence())
	}
	next := last + 1
	if err := replaceFile(root, sequenceName, []byte(strconv.FormatInt(next, 10)+"\n")); err != nil {
		return 0, err
	}
	return next, nil
}

// readCounter is the counter, or 0 where it is missing or damaged: then the
// listing decides.
func readCounter(root folder) int64 {
	data, err := readRegular(root, sequenceName, maxJSONBytes)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64)
	if err != nil || n < 0 || n > maxSequence {
		return 0
	}
	return n
}

// maxSequence keeps sequences exact in every JSON reader; a damaged counter
// or lineage above it is not believed.
const maxSequence = 1 << 52
