package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
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
