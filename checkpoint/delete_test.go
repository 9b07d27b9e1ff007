package checkpoint

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestDeleteNeedsTheExactConfirmation(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	for _, confirm := range []string{"", "yes", id[:len(id)-1], id + " ", " " + id} {
		wantCode(t, s.Delete(context.Background(), id, confirm), CodeConfirmMismatch)
	}
	if n := len(list(t, s)); n != 1 {
		t.Errorf("%d saves are left, want 1", n)
	}
}

func TestDeleteRefusesWhatIsNotExactlyASave(t *testing.T) {
	want := map[string]string{
		"folder is a link":             CodeDirectoryUnsafe,
		"receipt is a link":            CodeReceiptUnsafe,
		"receipt is a folder":          CodeReceiptUnsafe,
		"receipt is missing":           CodeNotFound,
		"receipt is damaged":           CodeNotFound,
		"receipt names another folder": CodeReceiptMismatch,
		"state is a link":              CodeSavestateUnsafe,
		"state is a folder":            CodeSavestateUnsafe,
		"scenario is a link":           CodeScenarioUnsafe,
	}
	for _, b := range breakages() {
		t.Run(b.name, func(t *testing.T) {
			s := openTest(t)
			id := mint(t, s, "a")
			b.spoil(t, s, id)
			err := s.Delete(context.Background(), id, id)
			wantCode(t, err, want[b.name]) // "" where a save may be deleted although it cannot be loaded
			_, gone := os.Lstat(filepath.Join(s.Root(), id))
			if deleted := os.IsNotExist(gone); deleted != (err == nil) {
				t.Errorf("deleted is %v after %v", deleted, err)
			}
		})
	}
}

func TestDeleteRefusesStrangeMembers(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("keep me"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(s.Root(), id, "extra")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.Delete(context.Background(), id, id), CodeDirectoryUnsafe)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(link, 0o700); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.Delete(context.Background(), id, id), CodeDirectoryUnsafe)
	if data, err := os.ReadFile(victim); err != nil || string(data) != "keep me" {
		t.Errorf("the link's target: %q, %v", data, err)
	}
}

func TestDeleteRemovesOneSaveOnly(t *testing.T) {
	s := openTest(t)
	a, b, c := mint(t, s, "a"), mint(t, s, "b"), mint(t, s, "c")
	if err := s.Delete(context.Background(), b, b); err != nil {
		t.Fatal(err)
	}
	wantCode(t, s.Delete(context.Background(), b, b), CodeNotFound)
	for _, id := range []string{a, c} {
		if _, err := s.Read(context.Background(), id, testIdentity); err != nil {
			t.Error(err)
		}
	}
	if entries, _ := os.ReadDir(s.Root()); len(entries) != 4 { // two saves, the lock, the counter
		t.Errorf("%d names are left in the root, want 4", len(entries))
	}
}
