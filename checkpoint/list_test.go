package checkpoint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func ids(entries []Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.ID)
	}
	return out
}

// old makes a save look like one of an older program.
func old(t *testing.T, s *Store, id string) string {
	t.Helper()
	remove(lineageName)(t, s, id)
	remove(previewName)(t, s, id)
	return id
}

func TestListIsNewestFirstWhateverTheClockSays(t *testing.T) {
	clock := &settableClock{at: noon}
	s, err := Open(t.TempDir(), Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, at := range []time.Time{noon, noon.AddDate(-1, 0, 0), time.Unix(0, 0), noon.AddDate(40, 0, 0), noon} {
		clock.at = at
		want = append([]string{mint(t, s, "a")}, want...)
	}
	if diff := cmp.Diff(want, ids(list(t, s))); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

type settableClock struct{ at time.Time }

func (c *settableClock) Now() time.Time { return c.at }

func TestOlderSavesAreOrderedByCaptureThenID(t *testing.T) {
	s := openTest(t)
	at := map[string]string{}
	for i, moment := range []string{"2026-01-01T00:00:00Z", "2026-01-01T00:00:00.500Z", "2026-01-01T00:00:00Z"} {
		id := old(t, s, mint(t, s, "a"))
		named := fmt.Sprintf("save-%d", i)
		rename(t, s, id, named)
		rewriteReceipt(t, s, named, func(m map[string]any) { m["checkpointId"], m["capturedAt"] = named, moment })
		at[named] = moment
	}
	ours := mint(t, s, "ours")
	if diff := cmp.Diff([]string{ours, "save-1", "save-2", "save-0"}, ids(list(t, s))); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	for _, e := range list(t, s) {
		if e.Health != HealthValid {
			t.Errorf("%s is %s: %s", e.ID, e.Health, e.Reason)
		}
	}
}

func TestListShowsEveryEntryAndItsHealth(t *testing.T) {
	for _, b := range breakages() {
		t.Run(b.name, func(t *testing.T) {
			s := openTest(t)
			sound := mint(t, s, "sound")
			id := mint(t, s, "a")
			b.spoil(t, s, id)
			identity := testIdentity
			if b.identity != nil {
				identity = *b.identity
			}
			entries, err := s.List(context.Background(), identity)
			if err != nil {
				t.Fatal(err)
			}
			if len(entries) != 2 {
				t.Fatalf("%d entries, want 2", len(entries))
			}
			for _, e := range entries {
				if e.ID == id {
					checkShown(t, e, b.code)
				} else if e.ID != sound {
					t.Errorf("strange entry %s", e.ID)
				}
			}
		})
	}
}

func checkShown(t *testing.T, e Entry, code string) {
	t.Helper()
	health := map[string]Health{
		CodeROMMismatch:      HealthForeign,
		CodeCoreMismatch:     HealthOtherCore,
		CodeDirectoryUnsafe:  HealthUnreadable,
		CodeSavestateCorrupt: HealthValid, // the listing does not read bytes
	}[code]
	if health == "" {
		health = HealthDamaged
	}
	if e.Health != health {
		t.Errorf("health is %s, want %s", e.Health, health)
	}
	if health != HealthValid && (e.Code != code || e.Reason == "") {
		t.Errorf("code %s, reason %q; want %s", e.Code, e.Reason, code)
	}
}

func TestListShowsWhatIsNoSave(t *testing.T) {
	s := openAt(t, t.TempDir())
	strange := []string{"notes.txt", "a b", "x\x1b[2Jy"}
	for _, name := range strange {
		if err := os.WriteFile(filepath.Join(s.Root(), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(s.Root(), "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	entries := list(t, s)
	if len(entries) != 4 {
		t.Fatalf("%d entries, want 4", len(entries))
	}
	for _, e := range entries {
		if e.Health != HealthUnreadable || e.Reason == "" {
			t.Errorf("%q is %s, %q", e.ID, e.Health, e.Reason)
		}
		if e.ID != emu.Clean(e.ID) {
			t.Errorf("%q is not safe to show", e.ID)
		}
	}
}

func TestListComparesNothingWithoutAnIdentity(t *testing.T) {
	s := openTest(t)
	mint(t, s, "a")
	mint(t, s, "b", func(r *MintRequest) { r.Identity = *otherROM() })
	entries, err := s.List(context.Background(), emu.CoreIdentity{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Health != HealthValid {
			t.Errorf("%s is %s", e.ID, e.Health)
		}
	}
}

func TestListMeasures(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	var want int64
	files, err := os.ReadDir(filepath.Join(s.Root(), id))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		want += info.Size()
	}
	e := list(t, s)[0]
	if e.Bytes != want || e.StateBytes != int64(len("state a")) || !e.HasPreview {
		t.Errorf("bytes %d (want %d), state %d, preview %v", e.Bytes, want, e.StateBytes, e.HasPreview)
	}
}

func TestEmptyStateShowsAsDamagedAtOnce(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	write(t, s, id, savestateName, "")
	if e := list(t, s)[0]; e.Health != HealthDamaged || e.Code != CodeSavestateCorrupt {
		t.Errorf("%s, %s", e.Health, e.Code)
	}
}

func TestGetVerifiesBytes(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	good, bad := mint(t, s, "good"), mint(t, s, "bad")
	write(t, s, bad, savestateName, "state bax")
	details, err := s.Get(ctx, good, testIdentity)
	if err != nil || !details.Verified || details.Health != HealthValid || details.Picture == nil {
		t.Errorf("good: %+v, %v", details.Entry, err)
	}
	details, err = s.Get(ctx, bad, testIdentity)
	if err != nil || details.Verified || details.Health != HealthDamaged || details.Code != CodeSavestateCorrupt {
		t.Errorf("bad: %+v, %v", details.Entry, err)
	}
	details, err = s.Get(ctx, good, *otherROM())
	if err != nil || !details.Verified || details.Health != HealthForeign {
		t.Errorf("foreign: %+v, %v", details.Entry, err)
	}
	if _, err := s.Get(ctx, "nothing", testIdentity); emu.CodeOf(err) != CodeNotFound {
		t.Errorf("nothing: %v", err)
	}
}

func TestSequenceNeverComesTwice(t *testing.T) {
	s := openTest(t)
	mint(t, s, "a")
	newest := mint(t, s, "b")
	if err := s.Delete(context.Background(), newest, newest); err != nil {
		t.Fatal(err)
	}
	mint(t, s, "c")
	if got := list(t, s)[0].Sequence(); got != 3 {
		t.Errorf("after a deletion the next sequence is %d, want 3", got)
	}
	for name, counter := range map[string]string{"missing": "", "junk": "x", "behind": "1\n", "negative": "-5\n", "absurd": "9223372036854775807\n"} {
		path := filepath.Join(s.Root(), sequenceName)
		if err := os.WriteFile(path, []byte(counter), 0o600); err != nil {
			t.Fatal(err)
		}
		if counter == "" {
			os.Remove(path)
		}
		before := list(t, s)[0].Sequence()
		mint(t, s, "d")
		if got := list(t, s)[0].Sequence(); got != before+1 {
			t.Errorf("counter %s: sequence %d after %d", name, got, before)
		}
	}
}
