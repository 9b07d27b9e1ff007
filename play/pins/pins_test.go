package pins_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
	"clankie/play/pins"
	"clankie/play/playtest"
)

// operatorGame writes an image out and pins it from a savestate, or from
// power-on without one.
func operatorGame(t *testing.T, id string, image, savestate []byte) (pins.Game, pins.Described) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.gba")
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: image})
	g, d, err := pins.Make(t.Context(), core, pins.Request{ID: id, ROMPath: path, ROM: image, Savestate: savestate})
	if err != nil {
		t.Fatal(err)
	}
	return g, d
}

func bramble(t *testing.T) (image, state []byte) {
	t.Helper()
	f := playtest.Fixture(t, "bramble-before-rival")
	return f.ROM, playtest.State(t, f)
}

func TestAGameIsPinnedWithARoute(t *testing.T) {
	image, state := bramble(t)
	g, d := operatorGame(t, "mine", image, state)
	if g.Source != "libretro" || g.GameCode != "BBLE" || g.ROMBytes != int64(len(image)) {
		t.Errorf("record %+v", g.Record)
	}
	if emu.DigestOf(g.State) != emu.DigestOf(state) {
		t.Error("a state as the core writes it was changed")
	}
	r := g.Scenario.Route
	want := playtest.Fixture(t, "bramble-before-rival").Scenario
	if r == nil || r.Start != want.Route.Start || g.Scenario.RNGSeed != want.RNGSeed {
		t.Fatalf("scenario %+v, route %+v", g.Scenario, r)
	}
	at := emu.Point{X: r.Target.X, Y: r.Target.Y}
	cell, inside := d.Decoded.Overworld.Grid.At(at.X, at.Y)
	if r.Target == r.Start || !inside || cell.Collision != 0 || d.Decoded.Overworld.Occupied(at) {
		t.Errorf("the target %v is no open tile beside the start", r.Target)
	}
	if len(r.Blocked) == 0 || slices.Contains(r.Blocked, at) {
		t.Errorf("blocked tiles: %v", r.Blocked)
	}
}

func TestAGameThatDoesNotDecodeIsPinnedByItsPicture(t *testing.T) {
	g, d := operatorGame(t, "other", mgba.SelfTestROM(), nil)
	if g.Source != pins.FromPowerOn || g.Scenario.Route != nil || g.Scenario.SemanticProfile != fixtures.FramebufferOnly {
		t.Errorf("%+v", g.Scenario)
	}
	if d.Profile.Decodes() || g.Scenario.RNGSeed != 0 {
		t.Errorf("profile %s, seed %d", d.Profile.Name, g.Scenario.RNGSeed)
	}
}

func TestTheSameGameIsPinnedOnce(t *testing.T) {
	image, state := bramble(t)
	shelf := pins.Open(filepath.Join(t.TempDir(), "gba"))
	g, _ := operatorGame(t, "mine", image, state)
	for i, want := range []bool{true, false} {
		if added, err := shelf.Add(g); err != nil || added != want {
			t.Errorf("time %d: added %v, %v", i, added, err)
		}
	}
	other, _ := operatorGame(t, "mine", mgba.SelfTestROM(), nil)
	if _, err := shelf.Add(other); emu.CodeOf(err) != pins.CodePinExists {
		t.Errorf("another game took the id: %v", err)
	}
	got, err := shelf.Game("mine")
	if err != nil || emu.DigestOf(got.ROM) != emu.DigestOf(image) || emu.DigestOf(got.State) != emu.DigestOf(state) {
		t.Errorf("%+v, %v", got.Record, err)
	}
	if ids, err := shelf.IDs(); err != nil || !slices.Equal(ids, []string{"mine"}) {
		t.Errorf("ids %v, %v", ids, err)
	}
	entries, err := os.ReadDir(shelf.Folder(""))
	if err != nil || len(entries) != 1 {
		t.Errorf("something unfinished was left: %v, %v", entries, err)
	}
}

func TestWhatIsWrongWithAPinnedGameIsNamed(t *testing.T) {
	image, state := bramble(t)
	tests := []struct {
		name string
		harm func(t *testing.T, rom, dir string)
		want string
	}{
		{"the ROM is gone", func(t *testing.T, rom, _ string) { must(t, os.Remove(rom)) }, "does not exist"},
		{"the ROM is of another size", func(t *testing.T, rom, _ string) { must(t, os.Truncate(rom, 4096)) }, "has 4096 bytes, the pinned one has"},
		{"the ROM is another one", func(t *testing.T, rom, _ string) {
			bad := slices.Clone(image)
			bad[len(bad)-1] ^= 1
			must(t, os.WriteFile(rom, bad, 0o600))
		}, "has digest"},
		{"the ROM is an archive", func(t *testing.T, rom, _ string) {
			bad := slices.Clone(image)
			copy(bad, "PK\x03\x04")
			bad[0xB2] = 0
			must(t, os.WriteFile(rom, bad, 0o600))
		}, "zip archive"},
		{"the savestate is another one", func(t *testing.T, _, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "start.state"), []byte("x"), 0o600))
		}, "savestate"},
		{"the scenario is gone", func(t *testing.T, _, dir string) { must(t, os.Remove(filepath.Join(dir, "scenario.json"))) }, "scenario"},
		{"the record is cut", func(t *testing.T, _, dir string) { must(t, os.Truncate(filepath.Join(dir, "pin.json"), 20)) }, "pin.json: it breaks off after 20 bytes, in schemaVersion; put it right, or remove it with its pins"},
		{"the record is endless", func(t *testing.T, _, dir string) { must(t, os.Truncate(filepath.Join(dir, "pin.json"), 1<<24)) }, "pin.json has more than 65536 bytes"},
	}
	g, _ := operatorGame(t, "mine", image, state)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shelf := pins.Open(t.TempDir())
			g.ROMPath = filepath.Join(t.TempDir(), "game.gba")
			must(t, os.WriteFile(g.ROMPath, image, 0o600))
			if _, err := shelf.Add(g); err != nil {
				t.Fatal(err)
			}
			tt.harm(t, g.ROMPath, shelf.Folder("mine"))
			_, err := shelf.Game("mine")
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "mine") {
				t.Errorf("error %v, want one with %q and the game's id", err, tt.want)
			}
		})
	}
	_, err := pins.Open(t.TempDir()).Game("nothing")
	if err == nil || !strings.Contains(err.Error(), `no game is pinned as "nothing"`) {
		t.Errorf("error %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestACartridgeThatMovedIsFoundAgain(t *testing.T) {
	image, state := bramble(t)
	shelf := pins.Open(t.TempDir())
	g, _ := operatorGame(t, "mine", image, state)
	if _, err := shelf.Add(g); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "moved.gba")
	must(t, os.Rename(g.ROMPath, elsewhere))
	if err := shelf.Move("mine", elsewhere, mgba.SelfTestROM()); emu.CodeOf(err) != fixtures.CodePinMismatch {
		t.Errorf("another cartridge took its place: %v", err)
	}
	must(t, shelf.Move("mine", elsewhere, image))
	if got, err := shelf.Game("mine"); err != nil || got.ROMPath != elsewhere {
		t.Errorf("%q, %v", got.ROMPath, err)
	}
}

func TestIDsAreNoPaths(t *testing.T) {
	shelf := pins.Open(t.TempDir())
	for _, id := range []string{"", ".", "..", "a/b", "-a", "A", "a.b", "bramble-lane", "bramble-bedroom", strings.Repeat("a", 41), "a\x1b[2J"} {
		if err := pins.CheckID(id); err == nil || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%q: error %v", id, err)
		}
		if _, err := shelf.Game(id); err == nil {
			t.Errorf("%q was read", id)
		}
	}
	for _, slot := range []string{"", "..", "rom.../../..", "rom.0123456789ab/x"} {
		if _, err := shelf.StartNames(slot); err == nil {
			t.Errorf("slot %q was read", slot)
		}
	}
}
