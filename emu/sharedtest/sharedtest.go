package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable names the folder with the shared material.
const Variable = "CLANKIE_SHARED"

// Path returns the path of shared material: below $CLANKIE_SHARED when that is
// set, else below the folder "shared" beside the module's root. When there is
// nothing, it skips the test and says how to get on.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	base := os.Getenv(Variable)
	if base == "" {
		base = filepath.Join(filepath.Dir(moduleRoot(t)), "shared")
	}
	path := filepath.Join(append([]string{base}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared material %s is not there: set %s to the folder that has it; "+
			"the other tests of this package run without it", path, Variable)
	}
	return path
}

// moduleRoot is the nearest folder upward that holds go.mod.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = parent
	}
}
