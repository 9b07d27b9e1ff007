package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/doctor"
	"clankie/play/pins"
	"clankie/play/playtest"
)

func TestAReportPlaysUnlessSomethingIsFatal(t *testing.T) {
	checks := []doctor.Check{
		{Name: "a", Status: doctor.OK, Found: "there"},
		{Name: "b", Status: doctor.Problem, Found: "half", Missing: "the rest", Mend: "do this\nthen that"},
	}
	if !doctor.NewReport(checks...).Plays {
		t.Error("a problem stops play")
	}
	r := doctor.NewReport(append(checks, doctor.Check{Name: "c", Status: doctor.Fatal})...)
	var s strings.Builder
	if err := r.Print(&s); err != nil || r.Plays {
		t.Errorf("plays: %v, %v", r.Plays, err)
	}
	for _, want := range []string{"ok       a", "missing: the rest", "\n                        then that\n", "clankie would not play"} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("%q is not in\n%s", want, s.String())
		}
	}
}

func TestLookingMakesNothing(t *testing.T) {
	home := t.TempDir()
	none := filepath.Join(home, "a", "b")
	checks := []doctor.Check{
		doctor.Saves(t.Context(), none, emu.CoreIdentity{}), doctor.Journals(none), doctor.Sessions(none),
	}
	checks = append(checks, doctor.Pins(pins.Open(none), "")...)
	for _, c := range checks {
		if c.Status != doctor.OK || c.Missing != "" {
			t.Errorf("%+v", c)
		}
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAFileWhereAFolderShouldBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(file, "gba-checkpoints")
	if c, built := doctor.Core(t.Context(), file); built || c.Status != doctor.Fatal || !strings.Contains(c.Missing, "is no folder") {
		t.Errorf("where a core cannot be built: %+v", c)
	}
	if c := doctor.Saves(t.Context(), file, emu.CoreIdentity{}); c.Status != doctor.Fatal || !strings.Contains(c.Missing, "is no folder") {
		t.Errorf("%+v", c)
	}
	if c := doctor.Saves(t.Context(), below, emu.CoreIdentity{}); c.Status != doctor.Fatal {
		t.Errorf("%+v", c)
	}
	if c := doctor.Journals(file); c.Status != doctor.Problem {
		t.Errorf("a sitting goes on without a record, but: %+v", c)
	}
}

func TestJournalsThatAreNoneAreCounted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"play-2026-01-01T00-00-00-000Z-00000000.jsonl", "2026-01-01T00-00-00-000Z-00000000.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("no journal\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := doctor.Journals(dir)
	if c.Status != doctor.Problem || !strings.Contains(c.Mend, "clankie journal check") {
		t.Errorf("%+v", c)
	}
}

// TestWhatIsNoSaveIsRemovedByHand: of what the store does not delete the report
// names the place, and does not count it as a save.
func TestWhatIsNoSaveIsRemovedByHand(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	store := o.Port.(*play.Checkpoints).Store
	var ids []string
	for _, mark := range []string{"a", "b", "c"} {
		saved, err := o.Port.Save(t.Context(), play.SaveRequest{Label: mark, Reason: play.ReasonOperator})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, saved.Entry.ID)
	}
	if err := os.WriteFile(filepath.Join(store.Root(), ids[1], "checkpoint.json"), []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := doctor.Saves(t.Context(), store.Root(), o.Body.Info().Identity)
	if c.Status != doctor.Problem || !strings.HasPrefix(c.Found, "2 saves, ") ||
		!strings.HasSuffix(c.Mend, "by hand: "+filepath.Join(store.Root(), ids[1])) || strings.Contains(c.Mend, "saves delete") {
		t.Errorf("%+v", c)
	}
	if err := store.Delete(t.Context(), ids[1], ids[1]); err == nil {
		t.Error("what is removed by hand alone was deleted")
	}
	if err := os.Remove(filepath.Join(store.Root(), ids[0], "savestate.ss1")); err != nil {
		t.Fatal(err)
	}
	c = doctor.Saves(t.Context(), store.Root(), o.Body.Info().Identity)
	if !strings.Contains(c.Mend, "saves delete") || strings.Contains(c.Mend, filepath.Join(store.Root(), ids[0])) {
		t.Errorf("%+v", c)
	}
	if err := store.Delete(t.Context(), ids[0], ids[0]); err != nil {
		t.Errorf("the report says that this one can be deleted: %v", err)
	}
}

// TestWhatWasReadIsSaid: of stores that are too large to read the newest are
// read, and that is said.
func TestWhatWasReadIsSaid(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns = 2
	playtest.Play(t, o)
	saves := o.Port.(*play.Checkpoints).Store.Root()
	id := o.Body.Info().Identity
	newest := ""
	for _, mark := range []string{"a", "b"} {
		saved, err := o.Port.Save(t.Context(), play.SaveRequest{Label: mark, Reason: play.ReasonOperator})
		if err != nil {
			t.Fatal(err)
		}
		newest = saved.Entry.ID
	}
	if c := doctor.Saves(t.Context(), saves, id); c.Status != doctor.OK || strings.Contains(c.Found, "were read") {
		t.Errorf("%+v", c)
	}
	one := doctor.SavesUpTo(t.Context(), saves, id, 600_000)
	if one.Status != doctor.OK || !strings.Contains(one.Found, "the newest 1 were read") {
		t.Errorf("%+v", one)
	}
	state := filepath.Join(saves, newest, "savestate.ss1")
	data, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(state, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if c := doctor.SavesUpTo(t.Context(), saves, id, 600_000); c.Status != doctor.Problem || !strings.Contains(c.Missing, newest) {
		t.Errorf("%+v", c)
	}
	runs := filepath.Dir(o.Journal.Path())
	if c := doctor.Journals(runs); c.Status != doctor.OK || strings.Contains(c.Found, "were read") {
		t.Errorf("%+v", c)
	}
	if c := doctor.JournalsUpTo(runs, 10); c.Status != doctor.OK || !strings.Contains(c.Found, "the newest 0 were read") {
		t.Errorf("%+v", c)
	}
}
