package mgba

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Tools says what a build of the core would find here. Nothing is fetched to
// find out.
type Tools struct {
	// Compiler is a compiler for wasm32-wasi that is installed, or "".
	Compiler string
	// Fetches says whether Debian's package tools are here, which fetch
	// mGBA's source, and a compiler where none is installed.
	Fetches bool
	// Missing says why a build will not work here, and Mend what to do about
	// it; both are "" where it will.
	Missing, Mend string
}

// FindTools looks for them.
func FindTools(ctx context.Context) Tools {
	t := Tools{Fetches: haveApt()}
	for _, name := range []string{fmt.Sprintf("clang-%d", referenceClang), "clang"} {
		if found, err := installedClang(ctx, name, ""); err == nil {
			t.Compiler = found.name
			break
		}
	}
	if t.Fetches {
		return t
	}
	missing, ways := []string{errNoApt.Error()}, []string{waySource}
	if t.Compiler == "" {
		missing = append(missing, "no clang with the wasm32-wasi target is installed")
		ways = append(ways, wayToolchain)
	}
	t.Missing, t.Mend = strings.Join(missing, "; "), strings.Join(ways, "\n")
	return t
}

// haveApt reports whether the tools that fetch packages are here.
func haveApt() bool {
	for _, tool := range []string{"apt-get", "apt-cache", "apt-config", "dpkg-deb", "dpkg-query"} {
		if _, err := exec.LookPath(tool); err != nil {
			return false
		}
	}
	return true
}
