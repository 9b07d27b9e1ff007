package pins_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/play/pins"
)

func TestNamedStartsAreKept(t *testing.T) {
	image, state := bramble(t)
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: image})
	must(t, core.Load(t.Context(), state))
	if _, err := core.Run(t.Context(), 30, 0); err != nil {
		t.Fatal(err)
	}
	later, err := core.Save(t.Context())
	must(t, err)
	shown := core.Picture().Clone()

	shelf := pins.Open(t.TempDir())
	k := pins.Keeper{
		Shelf: shelf, Slot: pins.Cartridge, World: "bramble-lane-v1",
		Identity: core.Identity(), ROM: image, Reserved: []string{"bedroom"},
	}
	must(t, k.KeepPin(t.Context(), "at-the-gate", state, shown))
	must(t, k.KeepPin(t.Context(), "at-the-gate", state, shown))
	for name, want := range map[string]string{"at-the-gate": pins.CodePinExists, "bedroom": pins.CodePinExists} {
		if err := k.KeepPin(t.Context(), name, later, shown); emu.CodeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "../x", "A"} {
		if err := k.KeepPin(t.Context(), name, later, shown); err == nil {
			t.Errorf("a pin was named %q", name)
		}
	}
	must(t, k.KeepPin(t.Context(), "later", later, emu.Picture{}))

	starts, problems := shelf.Starts(pins.Cartridge, core.Identity())
	if len(problems) > 0 || len(starts) != 2 || starts[0].Name != "at-the-gate" || emu.DigestOf(starts[1].State) != emu.DigestOf(later) {
		t.Errorf("%v, %v", starts, problems)
	}
	// What was shown is shown again; the one without a picture has none.
	if len(starts) == 2 && (!bytes.Equal(starts[0].Picture.Pix, shown.Pix) || !starts[0].Picture.Restored || starts[1].Picture.Pix != nil) {
		t.Error("the pictures are others")
	}
	must(t, os.Truncate(filepath.Join(shelf.Folder(pins.Cartridge), "pins", "at-the-gate", "picture.png"), 50))
	if starts, problems := shelf.Starts(pins.Cartridge, core.Identity()); len(problems) > 0 || len(starts) != 2 || starts[0].Picture.Pix != nil {
		t.Errorf("a start with a broken picture: %v, %v", starts, problems)
	}
	// Another game sees none of them.
	if starts, problems := shelf.Starts("mine", core.Identity()); len(starts)+len(problems) > 0 {
		t.Errorf("%v, %v", starts, problems)
	}
}

func TestABrokenStartIsNamedAndTheOthersAreThere(t *testing.T) {
	image, state := bramble(t)
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: image})
	shelf := pins.Open(t.TempDir())
	slot := pins.FileSlot(core.Identity().ROMSHA256)
	k := pins.Keeper{Shelf: shelf, Slot: slot, World: "w", Identity: core.Identity(), ROM: image}
	must(t, k.KeepPin(t.Context(), "good", state, emu.Picture{}))
	must(t, k.KeepPin(t.Context(), "bad", state, emu.Picture{}))
	must(t, os.Truncate(filepath.Join(shelf.Folder(slot), "pins", "bad", "start.state"), 100))
	starts, problems := shelf.Starts(slot, core.Identity())
	if len(starts) != 1 || starts[0].Name != "good" || len(problems) != 1 || !strings.Contains(problems[0].Error(), "pin bad") {
		t.Errorf("%v, %v", starts, problems)
	}
	// A start of another cartridge is no start of this one.
	other := core.Identity()
	other.ROMSHA256 = emu.DigestOf([]byte("another"))
	if starts, problems := shelf.Starts(slot, other); len(starts) != 0 || len(problems) != 2 {
		t.Errorf("%v, %v", starts, problems)
	}
}

func TestTheGamePlayedLastIsNoted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "last")
	if id, err := pins.LastPlayed(path); id != "" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
	must(t, pins.NoteLastPlayed(path, "mine"))
	must(t, pins.NoteLastPlayed(path, "other"))
	if id, err := pins.LastPlayed(path); id != "other" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
	must(t, pins.ForgetLastPlayed(path, "mine"))
	if id, err := pins.LastPlayed(path); id != "other" || err != nil {
		t.Errorf("%q, %v: another one was forgotten", id, err)
	}
	must(t, pins.ForgetLastPlayed(path, "other"))
	must(t, pins.ForgetLastPlayed(path, "other"))
	if id, err := pins.LastPlayed(path); id != "" || err != nil {
		t.Errorf("%q, %v: it was not forgotten", id, err)
	}
	must(t, os.WriteFile(path, []byte("../../x\n"), 0o600))
	if _, err := pins.LastPlayed(path); err == nil {
		t.Error("a path was taken for a game")
	}
}

func TestWhatIsRemovedIsGoneAndNothingElse(t *testing.T) {
	image, state := bramble(t)
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: image})
	shelf := pins.Open(t.TempDir())
	g, _ := operatorGame(t, "mine", image, state)
	other, _ := operatorGame(t, "other", mgba.SelfTestROM(), nil)
	for _, g := range []pins.Game{g, other} {
		if _, err := shelf.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	slots := []string{pins.Cartridge, "mine", pins.FileSlot(core.Identity().ROMSHA256)}
	for _, slot := range slots {
		k := pins.Keeper{Shelf: shelf, Slot: slot, World: "w", Identity: core.Identity(), ROM: image}
		must(t, k.KeepPin(t.Context(), "one", state, emu.Picture{}))
		must(t, k.KeepPin(t.Context(), "two", state, emu.Picture{}))
	}
	listed := func(want ...string) {
		t.Helper()
		if got, err := shelf.Slots(); err != nil || !slices.Equal(got, want) {
			t.Errorf("slots %v, %v, want %v", got, err, want)
		}
	}
	listed(pins.Cartridge, "mine", "other", slots[2])
	for _, slot := range slots {
		must(t, shelf.RemoveStart(slot, "one"))
		if names, err := shelf.StartNames(slot); err != nil || !slices.Equal(names, []string{"two"}) {
			t.Errorf("%s: %v, %v", slot, names, err)
		}
		if err := shelf.RemoveStart(slot, "one"); err == nil || !strings.Contains(err.Error(), "it has: two") {
			t.Errorf("%s: removed twice: %v", slot, err)
		}
	}
	if err := shelf.RemoveStart("mine", "../../other"); err == nil {
		t.Error("a path was removed")
	}
	must(t, shelf.RemoveStart(pins.Cartridge, "two"))
	listed("mine", "other", slots[2])
	// One that is damaged can be removed too; its cartridge image stays.
	must(t, os.Truncate(filepath.Join(shelf.Folder("mine"), "pin.json"), 3))
	must(t, shelf.Remove("mine"))
	if _, err := os.Stat(g.ROMPath); err != nil {
		t.Error(err)
	}
	listed("other", slots[2])
	for _, id := range []string{"mine", "", "..", pins.Cartridge, slots[2]} {
		if err := shelf.Remove(id); err == nil {
			t.Errorf("%q was removed", id)
		}
	}
	if _, err := shelf.Game("other"); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(shelf.Folder(""))
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) {
		t.Errorf("something was left: %v, %v", entries, err)
	}
}
