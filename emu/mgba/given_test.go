package mgba

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
)

// TestWhatIsNamedIsLookedAtFirst: before the cache is opened, a lock waited
// for, or anything fetched. Everything that is wrong is told at once.
func TestWhatIsNamedIsLookedAtFirst(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a file")
	if err := os.WriteFile(file, []byte("no tarball"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	for name, tt := range map[string]struct {
		given BuildOptions
		says  []string
	}{
		"nothing is there":      {BuildOptions{Source: missing, CC: missing, Sysroot: missing}, []string{"source: ", "sysroot: ", "missing"}},
		"no compiler":           {BuildOptions{CC: missing}, []string{"compiler: "}},
		"a file is no compiler": {BuildOptions{CC: file, Sysroot: dir}, []string{"compiler: "}},
		"another tarball":       {BuildOptions{Source: file}, []string{"source: ", "SHA-256"}},
		"no tree":               {BuildOptions{Source: dir}, []string{"source: ", "has no folder src"}},
		"a file as sysroot":     {BuildOptions{Sysroot: file}, []string{"sysroot: ", "no folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			cache := filepath.Join(t.TempDir(), "cache")
			tt.given.CacheDir = cache
			tt.given.Progress = func(p Progress) { t.Errorf("it began: %s", p) }
			_, err := Build(t.Context(), tt.given)
			if emu.CodeOf(err) != CodeCoreUnavailable {
				t.Fatalf("%v", err)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("it does not say %q: %v", s, err)
				}
			}
			if _, err := os.Stat(cache); err == nil {
				t.Error("the cache was opened")
			}
		})
	}
}

// TestASourceTreeIsTaken as far as can be told without building it.
func TestASourceTreeIsTaken(t *testing.T) {
	tree := t.TempDir()
	for _, name := range []string{"src", "include"} {
		if err := os.Mkdir(filepath.Join(tree, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := (BuildOptions{Source: tree, Sysroot: tree}).checkGiven(t.Context()); err != nil {
		t.Error(err)
	}
}
