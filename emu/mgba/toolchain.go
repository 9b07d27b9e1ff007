package mgba

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// toolchain is a compiler for wasm32-wasi with its linker and libraries.
type toolchain struct {
	name     string // first line of the compiler's --version
	clang    string
	linker   string
	crt      string // crt1-reactor.o
	builtins string // the compiler's own runtime library
	sysroot  string // "" for the compiler's default
	env      []string
}

// referenceClang is the release of clang that gives the reference module.
const referenceClang = 14

// getToolchain finds a toolchain. Debian's clang 14 comes first, installed or
// fetched, because it gives the reference module; then a clang that is there;
// then the newest that can be fetched.
func (b *builder) getToolchain(ctx context.Context) (toolchain, error) {
	if b.opts.CC != "" {
		return probe(ctx, b.opts.CC, b.opts.Sysroot, nil)
	}
	if t, err := installedClang(ctx, fmt.Sprintf("clang-%d", referenceClang), b.opts.Sysroot); err == nil {
		return t, nil
	}
	a, aptErr := b.getApt(ctx)
	var release int
	if aptErr == nil {
		release, aptErr = b.findRelease(ctx, a)
	}
	if aptErr == nil && release == referenceClang {
		t, err := b.fetchToolchain(ctx, a, release)
		if err == nil {
			return t, nil
		}
		aptErr = err
	}
	t, err := installedClang(ctx, "clang", b.opts.Sysroot)
	if err == nil {
		return t, nil
	}
	if aptErr == nil {
		if t, aptErr = b.fetchToolchain(ctx, a, release); aptErr == nil {
			return t, nil
		}
	}
	return toolchain{}, errors.Join(err, aptErr)
}

// installedClang looks for a compiler on the PATH. Distributions lay the
// libraries for wasm32-wasi beside the compiler, so its own prefix is the
// sysroot unless the operator names another.
func installedClang(ctx context.Context, name, sysroot string) (toolchain, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return toolchain{}, fmt.Errorf("no %s on the PATH", name)
	}
	if sysroot == "" {
		sysroot = filepath.Dir(filepath.Dir(path))
	}
	return probe(ctx, path, sysroot, nil)
}

// probe asks a compiler for the rest of its toolchain and checks that all of
// it is there.
func probe(ctx context.Context, clang, sysroot string, env []string) (toolchain, error) {
	t := toolchain{clang: clang, sysroot: sysroot, env: env}
	version, err := run(ctx, "", env, clang, "--version")
	if err != nil {
		return t, fmt.Errorf("ask %s for its version: %w", filepath.Base(clang), err)
	}
	t.name, _, _ = strings.Cut(strings.TrimSpace(version), "\n")
	for _, ask := range []struct {
		flag string
		into *string
		what string
	}{
		{"-print-prog-name=wasm-ld", &t.linker, "the linker wasm-ld"},
		{"-print-file-name=crt1-reactor.o", &t.crt, "the C library for wasm32-wasi"},
		{"-print-libgcc-file-name", &t.builtins, "the compiler's runtime library for wasm32"},
	} {
		out, err := run(ctx, "", env, clang, append(t.targetFlags(), ask.flag)...)
		if err != nil {
			return t, fmt.Errorf("ask %s for %s: %w", filepath.Base(clang), ask.what, err)
		}
		*ask.into = strings.TrimSpace(out)
		// A bare name means that the compiler did not find it either.
		if _, err := os.Stat(*ask.into); err != nil || !filepath.IsAbs(*ask.into) {
			return t, fmt.Errorf("%s has no %s", t.name, strings.TrimPrefix(ask.what, "the "))
		}
	}
	return t, nil
}

func (t toolchain) targetFlags() []string {
	flags := []string{"--target=wasm32-wasi"}
	if t.sysroot != "" {
		flags = append(flags, "--sysroot="+t.sysroot)
	}
	return flags
}

// toolchainPackages names the packages of one release of clang.
func toolchainPackages(release int) []string {
	n := strconv.Itoa(release)
	return []string{
		"clang-" + n, "lld-" + n, "llvm-" + n + "-linker-tools", "libclang-common-" + n + "-dev",
		"libclang-rt-" + n + "-dev-wasm32", "wasi-libc",
	}
}

var runtimePackage = regexp.MustCompile(`^libclang-rt-([0-9]+)-dev-wasm32$`)

// findRelease returns the release of clang to fetch: the reference one when
// the system's archive has it, else the newest that is complete. Lists that
// name none are fetched anew first.
func (b *builder) findRelease(ctx context.Context, a *apt) (int, error) {
	for {
		release, err := a.newestClang(ctx)
		if err == nil || a.updated {
			return release, err
		}
		b.progress(Progress{Stage: StageToolchain, Detail: "fetching package lists"})
		if err := a.update(ctx); err != nil {
			return 0, err
		}
	}
}

func (a *apt) newestClang(ctx context.Context) (int, error) {
	names, err := a.search(ctx, `^libclang-rt-[0-9]+-dev-wasm32$`)
	if err != nil {
		return 0, err
	}
	var releases []int
	for _, name := range names {
		if m := runtimePackage.FindStringSubmatch(name); m != nil {
			n, _ := strconv.Atoi(m[1])
			releases = append(releases, n)
		}
	}
	slices.SortFunc(releases, func(x, y int) int { return rank(y) - rank(x) })
	for _, n := range releases {
		packages := toolchainPackages(n)
		found, err := a.available(ctx, packages...)
		if err != nil {
			return 0, err
		}
		if len(found) == len(packages) {
			return n, nil
		}
	}
	return 0, errors.New("the system's package archive has no clang for wasm32-wasi")
}

// rank orders releases: the reference one above all, else the newer above the
// older.
func rank(release int) int {
	if release == referenceClang {
		return 1 << 16
	}
	return release
}

// fetchToolchain downloads a release of clang and what it needs into the
// working folder.
func (b *builder) fetchToolchain(ctx context.Context, a *apt, release int) (toolchain, error) {
	b.progress(Progress{Stage: StageToolchain, Detail: fmt.Sprintf("downloading clang %d", release)})
	prefix := filepath.Join(b.work, "toolchain")
	if err := b.fetch(ctx, a, prefix, toolchainPackages(release)); err != nil {
		return toolchain{}, err
	}
	clang := filepath.Join(prefix, "usr", "lib", fmt.Sprintf("llvm-%d", release), "bin", "clang")
	return probe(ctx, clang, filepath.Join(prefix, "usr"), libraryEnv(prefix))
}

// fetch downloads roots with what they need and unpacks them below prefix.
// When that fails with the system's package lists, which may be years old, it
// is tried once more with fresh ones.
func (b *builder) fetch(ctx context.Context, a *apt, prefix string, roots []string) error {
	for {
		packages, err := a.closure(ctx, roots)
		if err == nil {
			err = a.unpack(ctx, prefix, packages)
		}
		if err == nil || a.updated || ctx.Err() != nil {
			return err
		}
		b.progress(Progress{Stage: StageToolchain, Detail: "fetching package lists"})
		if err := a.update(ctx); err != nil {
			return err
		}
	}
}

// libraryEnv lets programs below prefix find their libraries.
func libraryEnv(prefix string) []string {
	var dirs []string
	for _, pattern := range []string{"usr/lib/*-linux-gnu*", "lib/*-linux-gnu*", "usr/lib/llvm-*/lib"} {
		found, _ := filepath.Glob(filepath.Join(prefix, filepath.FromSlash(pattern)))
		dirs = append(dirs, found...)
	}
	return []string{"LD_LIBRARY_PATH=" + strings.Join(dirs, string(os.PathListSeparator))}
}
