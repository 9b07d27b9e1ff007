package checkpoint

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
)

var badIDs = map[string]string{
	"empty":            "",
	"dot":              ".",
	"parent":           "..",
	"hidden":           ".lock",
	"parent path":      "../outside",
	"separator":        "a/b",
	"backslash":        `a\b`,
	"absolute":         "/etc",
	"trailing slash":   "abc/",
	"NUL":              "a\x00b",
	"line feed":        "abc\n",
	"leading line":     "\nabc",
	"leading hyphen":   "-abc",
	"underscore":       "a_b",
	"blank":            "a b",
	"colon":            "2026-08-19T12:00:00Z",
	"not ASCII":        "é",
	"161 characters":   strings.Repeat("a", 161),
	"escape sequence":  "\x1b[2J",
	"broken UTF-8":     "a\xff",
	"full-width digit": "１",
}

func TestIDsThatAreNone(t *testing.T) {
	s := openTest(t)
	mint(t, s, "a")
	ctx := context.Background()
	for name, id := range badIDs {
		t.Run(name, func(t *testing.T) {
			_, err := s.Read(ctx, id, testIdentity)
			wantCode(t, err, CodeIDInvalid)
			if strings.ContainsAny(err.Error(), "\x00\x1b\n") {
				t.Errorf("control characters reach the message: %q", err)
			}
			_, err = s.Get(ctx, id, testIdentity)
			wantCode(t, err, CodeIDInvalid)
			wantCode(t, s.Delete(ctx, id, id), CodeIDInvalid)
			if id != "" { // "" restarts
				wantCode(t, s.SetLive(ctx, testJourney, id), CodeIDInvalid)
			}
		})
	}
	if n := len(list(t, s)); n != 1 {
		t.Errorf("%d entries are left, want 1", n)
	}
}

func TestIDsThatNameNothing(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	ctx := context.Background()
	other := strings.ToLower(id) // another letter case is another name
	for _, id := range []string{"a", "Z9", strings.Repeat("a", 160), "2026-08-19T12-00-00-000Z", other} {
		_, err := s.Read(ctx, id, testIdentity)
		wantCode(t, err, CodeNotFound)
		_, err = s.Get(ctx, id, testIdentity)
		wantCode(t, err, CodeNotFound)
		wantCode(t, s.Delete(ctx, id, id), CodeNotFound)
		wantCode(t, s.SetLive(ctx, testJourney, id), CodeNotFound)
	}
}

func TestIDShape(t *testing.T) {
	s, err := Open(t.TempDir(), Options{
		Clock:  fixedClock{noon},
		Random: strings.NewReader("\x42\x3c\x77\x7a\x3b\x42"),
	})
	if err != nil {
		t.Fatal(err)
	}
	id := mint(t, s, "a", func(r *MintRequest) { r.Label = "before-gym" })
	if want := "2026-08-19T12-00-00-000Z-before-gym-423c777a3b42"; id != want {
		t.Errorf("id is %s, want %s", id, want)
	}
}

func TestSameMillisecondDoesNotCollide(t *testing.T) {
	// The second save draws the first one's randomness once, then its own.
	s, err := Open(t.TempDir(), Options{
		Clock:  fixedClock{noon},
		Random: strings.NewReader("aaaaaa" + "aaaaaa" + "bbbbbb"),
	})
	if err != nil {
		t.Fatal(err)
	}
	first, second := mint(t, s, "first"), mint(t, s, "second")
	if first == second {
		t.Fatal("two saves have one id")
	}
	loaded, err := s.Read(context.Background(), first, testIdentity)
	if err != nil || string(loaded.State) != "state first" {
		t.Errorf("the first save reads %q, %v", loaded.State, err)
	}
}

func TestOlderIDsWithoutSuffixAreValid(t *testing.T) {
	s := openTest(t)
	id := mint(t, s, "a")
	const older = "2026-07-25T09-00-00-000Z"
	rename(t, s, id, older)
	rewriteReceipt(t, s, older, func(m map[string]any) { m["checkpointId"] = older })
	if _, err := s.Read(context.Background(), older, testIdentity); err != nil {
		t.Error(err)
	}
}

// rename renames a save's folder behind the store's back.
func rename(t *testing.T, s *Store, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(s.Root(), from), filepath.Join(s.Root(), to)); err != nil {
		t.Fatal(err)
	}
}

// rewriteReceipt changes a receipt behind the store's back.
func rewriteReceipt(t *testing.T, s *Store, id string, change func(map[string]any)) {
	t.Helper()
	rewriteJSON(t, filepath.Join(s.Root(), id, receiptName), change)
}

func rewriteJSON(t *testing.T, path string, change func(map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := emu.UnmarshalStrict(data, &m); err != nil {
		t.Fatal(err)
	}
	change(m)
	data, err = emu.CanonicalJSON(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
