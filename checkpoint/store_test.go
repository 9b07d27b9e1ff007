package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"clankie/emu"
)

// fixedClock always tells the same moment: order must not need the clock.
type fixedClock struct{ at time.Time }

func (c fixedClock) Now() time.Time { return c.at }

var noon = time.Date(2026, 8, 19, 12, 0, 0, 0, time.UTC)

var testIdentity = emu.CoreIdentity{
	CoreID:       "mgba-wasm/0.10.5",
	ModuleSHA256: emu.DigestOf([]byte("module")),
	ROMSHA256:    emu.DigestOf([]byte("rom")),
	GameCode:     "BRAM",
}

const testJourney = "local:bramble-lane:profile:main"

var testScenario = []byte(`{"schemaVersion":1,"scenarioId":"bramble-lane-start","savestateId":"pin","savestateSha256":"` +
	string(emu.DigestOf([]byte("pin"))) + `","rngSeed":7,"map":{"mapId":"m","blocked":[]}}`)

// testPicture is a picture with the given number of colours.
func testPicture(colours int) emu.Picture {
	pix := make([]byte, emu.PictureBytes)
	for i := range emu.ScreenWidth * emu.ScreenHeight {
		binary.LittleEndian.PutUint16(pix[2*i:], uint16(i%colours*61))
	}
	return emu.Picture{Pix: pix, Frame: 77}
}

func testRequest(state string) MintRequest {
	turn := 3
	notes, objective := "the ferryman wants a parcel", "find the parcel"
	return MintRequest{
		State:         []byte("state " + state),
		Picture:       testPicture(16),
		Identity:      testIdentity,
		Scenario:      testScenario,
		Position:      &emu.Position{MapID: "bramble-map-0-1", X: 12, Y: 9},
		Continuity:    &Continuity{Notes: &notes, Objective: &objective},
		JourneyID:     testJourney,
		EnvironmentID: "bramble-lane",
		Reason:        ReasonExplicit,
		RunID:         "run-1",
		Turn:          &turn,
		Frame:         77,
		Profile:       "bramble",
	}
}

func openTest(t *testing.T) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "saves"))
}

func openAt(t *testing.T, root string) *Store {
	t.Helper()
	s, err := Open(root, Options{Clock: fixedClock{noon}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mint makes a save with its own state and returns its id.
func mint(t *testing.T, s *Store, state string, change ...func(*MintRequest)) string {
	t.Helper()
	request := testRequest(state)
	for _, c := range change {
		c(&request)
	}
	receipt, err := s.Mint(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	return receipt.CheckpointID
}

func bank(r *MintRequest) { r.Reason, r.Label = ReasonBeforeRewind, LabelBeforeRewind }

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if got := emu.CodeOf(err); got != code {
		t.Errorf("error %v has code %q, want %q", err, got, code)
	}
}

func list(t *testing.T, s *Store) []Entry {
	t.Helper()
	entries, err := s.List(context.Background(), testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// readOnlyFolder is a folder on a disk that takes no writes.
type readOnlyFolder struct{ folder }

func (readOnlyFolder) Lock(context.Context, string, bool) (func(), error) {
	return nil, &fs.PathError{Op: "open", Path: lockName, Err: syscall.EROFS}
}

// TestReadOnlyDisk: what only reads goes on working, and what writes says what
// it did not do.
func TestReadOnlyDisk(t *testing.T) {
	ctx := context.Background()
	writer := openTest(t)
	id := mint(t, writer, "a")
	s, err := openStore(writer.Root(), Options{}, func(path string) (folder, error) {
		f, err := openFolder(path)
		return readOnlyFolder{f}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := list(t, s); len(got) != 1 || got[0].Health != HealthValid {
		t.Errorf("the list is %v", got)
	}
	if _, err := s.Read(ctx, id, testIdentity); err != nil {
		t.Error(err)
	}
	_, minting := s.Mint(ctx, testRequest("b"))
	for _, c := range []struct {
		err         error
		code, words string
	}{
		{minting, CodeWriteFailed, "nothing was saved: "},
		{s.Delete(ctx, id, id), CodeDeleteFailed, "nothing was deleted: "},
		{s.SetLive(ctx, testJourney, id), CodeWriteFailed, "where the journey goes on was not recorded: "},
	} {
		wantCode(t, c.err, c.code)
		if c.err == nil || !strings.Contains(c.err.Error(), c.words) || !strings.Contains(c.err.Error(), "read-only disk") {
			t.Errorf("the error is %v, want %q", c.err, c.words)
		}
	}
}

// TestReadingMakesNoFolder: a store that is not there is empty, and looking
// for it leaves nothing behind. The first save makes it.
func TestReadingMakesNoFolder(t *testing.T) {
	ctx := context.Background()
	s := openTest(t)
	if got := list(t, s); len(got) != 0 {
		t.Errorf("the list is %v", got)
	}
	_, reading := s.Read(ctx, "cp-1", testIdentity)
	wantCode(t, reading, CodeNotFound)
	wantCode(t, s.Delete(ctx, "cp-1", "cp-1"), CodeNotFound)
	if live, err := s.LatestLive(ctx, testIdentity, testJourney); err != nil || live.Save != nil {
		t.Errorf("the live save is %v, %v", live.Save, err)
	}
	if _, err := os.Lstat(s.Root()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
	mint(t, s, "a")
	if info, err := os.Lstat(s.Root()); err != nil || info.Mode().Perm() != folderMode {
		t.Errorf("the folder is %v, %v", info, err)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, opening := Open(filepath.Join(blocked, "saves"), Options{})
	wantCode(t, opening, CodeReadFailed)
}

func TestMintedSaveReadsBack(t *testing.T) {
	s := openTest(t)
	request := testRequest("a")
	request.Label = "before-gym"
	receipt, err := s.Mint(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := s.Read(context.Background(), receipt.CheckpointID, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(loaded.State, request.State) {
		t.Errorf("state is %q, want %q", loaded.State, request.State)
	}
	if loaded.Picture == nil || !bytes.Equal(loaded.Picture.Pix, request.Picture.Pix) || !loaded.Picture.Restored {
		t.Error("the picture does not come back as it was")
	}
	if loaded.Equivalent {
		t.Error("the same module counts as another one")
	}
	if err := s.Delete(context.Background(), receipt.CheckpointID, receipt.CheckpointID); err != nil {
		t.Fatal(err)
	}
	if left := list(t, s); len(left) != 0 {
		t.Errorf("%d entries after the deletion", len(left))
	}
	if _, err := os.Stat(filepath.Join(s.Root(), receipt.CheckpointID)); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}
