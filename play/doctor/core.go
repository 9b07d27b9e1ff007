package doctor

import (
	"context"
	"fmt"

	"clankie/emu/mgba"
)

// Core looks at the core module in its cache. built says whether it is there.
func Core(ctx context.Context, cacheDir string) (c Check, built bool) {
	c = Check{Name: "core"}
	info, err := mgba.Info(ctx, cacheDir)
	if cache, _ := folder("core", cacheDir, "XDG_CACHE_HOME"); cache.Status == Fatal && (err != nil || !info.Built) {
		cache.Found = "none, and no place to build one"
		return cache, false
	}
	switch {
	case err != nil:
		c.Status, c.Found, c.Missing = Problem, info.Path, err.Error()
		c.Mend = "nothing: it is built again at the next start, or now with clankie core build --force"
		return c, false
	case !info.Built:
		c.Status, c.Found = Note, info.CoreID
		c.Missing, c.Mend = "it is not built yet", "nothing: it is built at the first start, or now with clankie core build"
		return c, false
	}
	c.Status, c.Found = OK, fmt.Sprintf("%s, module %s, %s", info.CoreID, info.ModuleSHA256.Short(), info.Standing)
	if info.Standing == mgba.Unproven {
		c.Status = Problem
		c.Missing = or(info.Unproven, "it was not tested against the reference") + "; nothing that is pinned to the reference loads under it"
		c.Mend = "build it with " + mgba.ReferenceToolchain + ": clankie core build --force"
	}
	return c, true
}

// Toolchain looks at what a core would be built with. It only matters where
// none is built.
func Toolchain(ctx context.Context, built bool) Check {
	t := mgba.FindTools(ctx)
	c := Check{Name: "toolchain", Status: OK, Found: or(t.Compiler, "no compiler for wasm32-wasi is installed")}
	switch {
	case t.Missing != "" && built:
		c.Status, c.Missing = Note, t.Missing
		c.Mend = "nothing, as long as the core's cache is kept"
	case t.Missing != "":
		c.Status, c.Missing, c.Mend = Fatal, t.Missing, t.Mend
	case t.Compiler == "":
		c.Found += "; a private one is fetched with apt-get when the core is built"
	}
	return c
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
