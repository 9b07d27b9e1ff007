package mgbatest

import (
	"context"
	"sync"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
)

// cacheDir is the user's own cache, taken before any test redirects its
// environment: all tests on a machine share one built core.
var cacheDir, cacheErr = mgba.DefaultCacheDir()

var build = sync.OnceValues(func() (mgba.Module, error) {
	if cacheErr != nil {
		return mgba.Module{}, cacheErr
	}
	return mgba.Build(context.Background(), mgba.BuildOptions{CacheDir: cacheDir})
})

// Module returns the core module, built at the first call on a machine. Where
// it cannot be built the test is skipped with what is missing; a core that
// was built but does not work fails the test.
func Module(t testing.TB) mgba.Module {
	t.Helper()
	m, err := build()
	if emu.CodeOf(err) == mgba.CodeCoreUnavailable {
		t.Skipf("the real core is needed: %v", err)
	}
	if err != nil {
		t.Fatalf("build the core: %v", err)
	}
	return m
}

// Boot starts a machine that is closed when the test ends.
func Boot(t testing.TB, o mgba.BootOptions) *mgba.Core {
	t.Helper()
	c, err := mgba.Boot(context.Background(), Module(t), o)
	if err != nil {
		t.Fatalf("boot: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}
