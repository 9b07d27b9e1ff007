package checkpoint

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
)

// breakage spoils a save in one way and names the code that a read must meet.
type breakage struct {
	name  string
	code  string
	spoil func(t *testing.T, s *Store, id string)
	// identity that the read uses; nil is the one that minted.
	identity *emu.CoreIdentity
}

func remove(name string) func(*testing.T, *Store, string) {
	return func(t *testing.T, s *Store, id string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(s.Root(), id, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// linked puts a link to a faithful copy outside the store in a member's
// place: only the link is wrong.
func linked(name string) func(*testing.T, *Store, string) {
	return func(t *testing.T, s *Store, id string) {
		t.Helper()
		outside := filepath.Join(t.TempDir(), "copy")
		path := filepath.Join(s.Root(), id, name)
		if err := os.Rename(path, outside); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, path); err != nil {
			t.Fatal(err)
		}
	}
}

// foldered puts a folder in a member's place.
func foldered(name string) func(*testing.T, *Store, string) {
	return func(t *testing.T, s *Store, id string) {
		t.Helper()
		remove(name)(t, s, id)
		if err := os.Mkdir(filepath.Join(s.Root(), id, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func content(name, text string) func(*testing.T, *Store, string) {
	return func(t *testing.T, s *Store, id string) { t.Helper(); write(t, s, id, name, text) }
}

func otherROM() *emu.CoreIdentity {
	id := testIdentity
	id.ROMSHA256 = emu.DigestOf([]byte("another rom"))
	return &id
}

func otherCore() *emu.CoreIdentity {
	id := testIdentity
	id.ModuleSHA256 = emu.DigestOf([]byte("another module"))
	return &id
}

// breakages are in the order in which a read checks.
func breakages() []breakage {
	mismatch := func(t *testing.T, s *Store, id string) {
		rewriteReceipt(t, s, id, func(m map[string]any) { m["checkpointId"] = "another" })
	}
	nothing := func(*testing.T, *Store, string) {}
	return []breakage{
		{"folder is a link", CodeDirectoryUnsafe, linked(""), nil},
		{"receipt is a link", CodeReceiptUnsafe, linked(receiptName), nil},
		{"receipt is a folder", CodeReceiptUnsafe, foldered(receiptName), nil},
		{"receipt is missing", CodeNotFound, remove(receiptName), nil},
		{"receipt is damaged", CodeReceiptInvalid, content(receiptName, "{"), nil},
		{"receipt names another folder", CodeReceiptMismatch, mismatch, nil},
		{"another cartridge", CodeROMMismatch, nothing, otherROM()},
		{"another core", CodeCoreMismatch, nothing, otherCore()},
		{"state is a link", CodeSavestateUnsafe, linked(savestateName), nil},
		{"state is a folder", CodeSavestateUnsafe, foldered(savestateName), nil},
		{"state is missing", CodeSavestateMissing, remove(savestateName), nil},
		{"scenario is a link", CodeScenarioUnsafe, linked(scenarioName), nil},
		{"scenario is missing", CodeScenarioMissing, remove(scenarioName), nil},
		{"state is damaged", CodeSavestateCorrupt, content(savestateName, "state b"), nil},
	}
}

func TestReadMeetsEveryCode(t *testing.T) {
	for _, b := range breakages() {
		t.Run(b.name, func(t *testing.T) {
			s := openTest(t)
			id := mint(t, s, "a")
			b.spoil(t, s, id)
			identity := testIdentity
			if b.identity != nil {
				identity = *b.identity
			}
			loaded, err := s.Read(context.Background(), id, identity)
			wantCode(t, err, b.code)
			if loaded.State != nil {
				t.Error("bytes came out with the refusal")
			}
			if err != nil && !strings.HasPrefix(err.Error(), b.code+": ") {
				t.Errorf("the text does not begin with its code: %v", err)
			}
		})
	}
}

// TestReadChecksInOrder spoils a save twice and expects the earlier code.
func TestReadChecksInOrder(t *testing.T) {
	all := breakages()
	for i, early := range all {
		for _, late := range all[i+1:] {
			if early.code == late.code || sameMember(early, late) {
				continue
			}
			t.Run(early.name+", "+late.name, func(t *testing.T) {
				s := openTest(t)
				id := mint(t, s, "a")
				late.spoil(t, s, id)
				early.spoil(t, s, id)
				identity := testIdentity
				if early.identity != nil {
					identity.ROMSHA256, identity.ModuleSHA256 = early.identity.ROMSHA256, early.identity.ModuleSHA256
				}
				if late.identity != nil {
					if early.code != CodeROMMismatch {
						identity.ROMSHA256 = late.identity.ROMSHA256
					}
					identity.ModuleSHA256 = late.identity.ModuleSHA256
				}
				_, err := s.Read(context.Background(), id, identity)
				wantCode(t, err, early.code)
			})
		}
	}
}

// sameMember reports whether two breakages spoil the same file, so that they
// cannot be had at once.
func sameMember(a, b breakage) bool {
	word := func(s string) string { return strings.Fields(s)[0] }
	return word(a.name) == word(b.name)
}

func TestRootThatIsALink(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	moved := s.Root() + "-moved"
	if err := os.Rename(s.Root(), moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, s.Root()); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	_, err := s.Read(ctx, id, testIdentity)
	wantCode(t, err, CodeRootUnsafe)
	_, err = s.List(ctx, testIdentity)
	wantCode(t, err, CodeRootUnsafe)
	_, err = s.Get(ctx, id, testIdentity)
	wantCode(t, err, CodeRootUnsafe)
	_, err = s.Mint(ctx, testRequest("b"))
	wantCode(t, err, CodeRootUnsafe)
	_, err = s.LatestLive(ctx, testIdentity, testJourney)
	wantCode(t, err, CodeRootUnsafe)
	wantCode(t, s.SetLive(ctx, testJourney, id), CodeRootUnsafe)
	wantCode(t, s.Delete(ctx, id, id), CodeRootUnsafe)
	for _, path := range []string{s.Root(), s.Root() + "/", s.Root() + "/."} {
		_, err = Open(path, Options{})
		wantCode(t, err, CodeRootUnsafe)
	}
	if n := len(list(t, openAt(t, moved))); n != 1 {
		t.Errorf("%d saves behind the link, want 1", n)
	}
}

func TestRootThatIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path, Options{})
	wantCode(t, err, CodeRootUnsafe)
}

func TestRootThatVanished(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	if err := os.RemoveAll(s.Root()); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if entries := list(t, s); len(entries) != 0 {
		t.Errorf("%d entries", len(entries))
	}
	_, err := s.Read(ctx, id, testIdentity)
	wantCode(t, err, CodeNotFound)
	wantCode(t, s.Delete(ctx, id, id), CodeNotFound)
	if live, err := s.LatestLive(ctx, testIdentity, testJourney); err != nil || live.Save != nil {
		t.Errorf("live is %+v, %v", live, err)
	}
	mint(t, s, "b") // makes the root again
}

func TestEquivalentModulesLoadEachOthersSaves(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	running := *otherCore()
	running.Equivalents = []emu.Digest{testIdentity.ModuleSHA256, running.ModuleSHA256}
	slices.Sort(running.Equivalents)
	loaded, err := s.Read(context.Background(), id, running)
	if err != nil {
		t.Fatal(err)
	}
	if !loaded.Equivalent || loaded.Receipt.CoreWasmSHA256 != testIdentity.ModuleSHA256 {
		t.Error("the result does not say under which module the save was minted")
	}
	entries, err := s.List(context.Background(), running)
	if err != nil || entries[0].Health != HealthValid {
		t.Errorf("the listing shows %v, %v", entries, err)
	}
}

func TestDamagedLineageDoesNotKeepASaveFromLoading(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	write(t, s, id, lineageName, "{")
	loaded, err := s.Read(context.Background(), id, testIdentity)
	if err != nil || loaded.Lineage != nil {
		t.Errorf("lineage %v, error %v", loaded.Lineage, err)
	}
	if e := list(t, s)[0]; e.Health != HealthValid || e.LineageProblem == "" {
		t.Errorf("the listing shows %s, problem %q", e.Health, e.LineageProblem)
	}
}
