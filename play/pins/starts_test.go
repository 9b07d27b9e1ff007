package pins_test

import (
	"os"
	"path/filepath"
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

	shelf := pins.Open(t.TempDir())
	k := pins.Keeper{
		Shelf: shelf, Slot: pins.Cartridge, World: "bramble-lane-v1",
		Identity: core.Identity(), ROM: image, Reserved: []string{"bedroom"},
	}
	must(t, k.KeepPin(t.Context(), "at-the-gate", state))
	must(t, k.KeepPin(t.Context(), "at-the-gate", state))
	for name, want := range map[string]string{"at-the-gate": pins.CodePinExists, "bedroom": pins.CodePinExists} {
		if err := k.KeepPin(t.Context(), name, later); emu.CodeOf(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "../x", "A"} {
		if err := k.KeepPin(t.Context(), name, later); err == nil {
			t.Errorf("a pin was named %q", name)
		}
	}
	must(t, k.KeepPin(t.Context(), "later", later))

	starts, problems := shelf.Starts(pins.Cartridge, core.Identity())
	if len(problems) > 0 || len(starts) != 2 || starts[0].Name != "at-the-gate" || emu.DigestOf(starts[1].State) != emu.DigestOf(later) {
		t.Errorf("%v, %v", starts, problems)
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
	must(t, k.KeepPin(t.Context(), "good", state))
	must(t, k.KeepPin(t.Context(), "bad", state))
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
	must(t, os.WriteFile(path, []byte("../../x\n"), 0o600))
	if _, err := pins.LastPlayed(path); err == nil {
		t.Error("a path was taken for a game")
	}
}
