package mgba

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"clankie/emu"
)

// CodeCoreUnavailable is the code of the error with which Build says that the
// module cannot be had here. Its text has several lines: what is missing and
// what to do about it.
const CodeCoreUnavailable = "core_unavailable"

// Stage names what a build is doing.
type Stage string

// The stages of a build, in order; StageCache comes where it happens.
const (
	StageWait      Stage = "wait" // another program builds
	StageSource    Stage = "source"
	StageToolchain Stage = "toolchain"
	StageCompile   Stage = "compile"
	StageLink      Stage = "link"
	StageSelfTest  Stage = "self-test"
	StageCache     Stage = "cache" // damaged compiled code was replaced
)

// Progress is one step of a build. Done and Total count files while compiling
// and are 0 otherwise.
type Progress struct {
	Stage  Stage  `json:"stage"`
	Done   int    `json:"done,omitempty"`
	Total  int    `json:"total,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// String renders the step for people.
func (p Progress) String() string {
	var s string
	switch p.Stage {
	case StageWait:
		s = "waiting for another program that builds the core"
	case StageSource:
		s = "getting mGBA's source"
	case StageToolchain:
		s = "getting a compiler"
	case StageCompile:
		s = "compiling the core"
	case StageLink:
		s = "linking the core"
	case StageSelfTest:
		s = "testing the core"
	case StageCache:
		s = "compiling the core's code again"
	default:
		s = string(p.Stage)
	}
	if p.Total > 0 {
		s += fmt.Sprintf(" (%d of %d)", p.Done, p.Total)
	}
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	return s
}

// BuildOptions says where a module comes from. The zero value takes the cached
// module, or builds it from Debian's packages.
type BuildOptions struct {
	// CacheDir replaces the user's cache folder, ${XDG_CACHE_HOME}/clankie/core.
	CacheDir string
	// Source is mGBA's source: the tarball, whose digest is checked, or an
	// unpacked tree, which is recorded as unverified.
	Source string
	// CC is the clang to compile with, Sysroot its sysroot for wasm32-wasi.
	CC, Sysroot string
	// Force builds although the module is cached.
	Force bool
	// Progress hears of each step; nil for nobody. It is called by one
	// goroutine at a time.
	Progress func(Progress)
	// Proof is run besides the self-test before a module other than the
	// reference is pinned as equivalent; nil for no further proof.
	Proof func(context.Context, Module) error
}

// explicit reports whether the options ask for a build rather than for what
// is cached.
func (o BuildOptions) explicit() bool {
	return o.Force || o.Source != "" || o.CC != "" || o.Sysroot != ""
}

// Build returns the core module, from the cache where it is there. Two
// programs that start at once build it once. What o names is looked at before
// anything is fetched. When the module cannot be built the error has the code
// CodeCoreUnavailable.
func Build(ctx context.Context, o BuildOptions) (Module, error) {
	if err := o.checkGiven(ctx); err != nil {
		return Module{}, err
	}
	c, err := openCache(o.CacheDir)
	if err != nil {
		return Module{}, unavailable([]string{err.Error()}, nil, err)
	}
	b := &builder{opts: o, cache: c}
	if !o.explicit() {
		if wasm, _, err := c.load(); err == nil {
			return b.open(ctx, wasm)
		}
	}
	unlock, err := c.lock(ctx, func() { b.progress(Progress{Stage: StageWait}) })
	if err != nil {
		return Module{}, err
	}
	defer unlock()
	if !o.explicit() {
		if wasm, _, err := c.load(); err == nil {
			return b.open(ctx, wasm)
		}
	}
	return b.build(ctx)
}

// builder is one build in progress.
type builder struct {
	opts  BuildOptions
	cache cache
	work  string

	progressMu sync.Mutex
	aptOnce    *apt
	aptErr     error
}

func (b *builder) progress(p Progress) {
	if b.opts.Progress == nil {
		return
	}
	b.progressMu.Lock()
	defer b.progressMu.Unlock()
	b.opts.Progress(p)
}

// getApt prepares apt once for the whole build.
func (b *builder) getApt(ctx context.Context) (*apt, error) {
	if b.aptOnce == nil && b.aptErr == nil {
		b.aptOnce, b.aptErr = newApt(ctx, filepath.Join(b.work, "apt"))
	}
	return b.aptOnce, b.aptErr
}

// build builds, stores, proves and opens the module. The lock is held.
func (b *builder) build(ctx context.Context) (Module, error) {
	work, remove, err := b.cache.workDir()
	if err != nil {
		return Module{}, err
	}
	defer remove()
	b.work = work

	// Both are tried before either is reported: one message then tells all
	// that is missing.
	tree, sourceErr := b.getSource(ctx)
	b.progress(Progress{Stage: StageToolchain})
	tools, toolErr := b.getToolchain(ctx)
	if err := ctx.Err(); err != nil {
		return Module{}, err
	}
	if sourceErr != nil || toolErr != nil {
		return Module{}, b.missing(sourceErr, toolErr)
	}
	wasm, err := b.compile(ctx, tools, tree.dir)
	if err != nil {
		if ctx.Err() != nil {
			return Module{}, ctx.Err()
		}
		return Module{}, unavailable([]string{"a build that works: " + tools.name + ": " + err.Error()}, []string{wayToolchain}, err)
	}
	record := buildRecord{
		Recipe:         RecipeSHA256(),
		Module:         emu.DigestOf(wasm),
		Toolchain:      tools.name,
		Source:         tree.sha256,
		SourceVerified: tree.verified,
	}
	return b.finish(ctx, wasm, record)
}

// open opens a module and tells of trouble with the compiled code.
func (b *builder) open(ctx context.Context, wasm []byte) (Module, error) {
	m, err := b.cache.open(ctx, wasm)
	if err == nil && m.CacheTrouble != "" {
		b.progress(Progress{Stage: StageCache, Detail: m.CacheTrouble})
	}
	return m, err
}

// finish opens a built module, proves it where it is not the reference, and
// stores it last: a program that dies before that has built nothing.
func (b *builder) finish(ctx context.Context, wasm []byte, r buildRecord) (Module, error) {
	m, err := b.open(ctx, wasm)
	if err != nil {
		return Module{}, err
	}
	switch {
	case m.Standing != Unproven:
	case !r.SourceVerified:
		r.Unproven = "built from a source tree, whose content nothing vouches for"
	default:
		b.progress(Progress{Stage: StageSelfTest})
		if err := b.prove(ctx, m); err != nil {
			if ctx.Err() != nil {
				return Module{}, ctx.Err()
			}
			// The module works, it is only not the same machine: nothing that
			// is pinned to the reference loads under it.
			r.Unproven = err.Error()
			b.progress(Progress{Stage: StageSelfTest, Detail: r.Unproven})
			break
		}
		err := b.cache.writePin(pin{
			Module: r.Module, Source: r.Source, StateFormat: StateFormat,
			SelfTest: selfTestSHA256(), Toolchain: r.Toolchain,
		})
		if err != nil {
			return Module{}, err
		}
	}
	if err := b.cache.store(wasm, r); err != nil {
		return Module{}, err
	}
	return b.cache.judge(m), nil
}

func (b *builder) prove(ctx context.Context, m Module) error {
	if err := SelfTest(ctx, m); err != nil {
		return err
	}
	if b.opts.Proof != nil {
		return b.opts.Proof(ctx, m)
	}
	return nil
}

// The ways out that Build's error names.
const (
	wayToolchain = "name a clang 14 or newer with the wasm32-wasi target: clankie core build --cc CLANG [--sysroot DIR]\n" +
		"    (as root on Debian or Ubuntu: apt-get update && apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32, or the release that is there)"
	waySource = "get " + sourceFile + " (Debian source package " + sourcePackage + " " + sourceVersion + ", SHA-256 " + string(sourceSHA256) + ")\n" +
		"    and name it: clankie core build --source FILE"
	wayNetwork = "when this machine reaches its package mirror only sometimes, start again then: nothing is left half done"
)

// missing tells everything that the build lacks.
func (b *builder) missing(sourceErr, toolErr error) error {
	var what, ways []string
	if sourceErr != nil {
		what = append(what, "mGBA's source: "+oneLine(sourceErr))
		ways = append(ways, waySource)
	}
	if toolErr != nil {
		what = append(what, "a compiler for wasm32-wasi: "+oneLine(toolErr))
		ways = append(ways, wayToolchain)
	}
	if b.aptErr == nil {
		ways = append(ways, wayNetwork)
	}
	ways = append(ways, "or copy the folder "+string(RecipeSHA256())+" from the core cache of a machine that built it into "+b.cache.root)
	return unavailable(what, ways, errors.Join(sourceErr, toolErr))
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// unavailable makes the one error of a build that cannot be done.
func unavailable(missing, ways []string, cause error) error {
	var s strings.Builder
	s.WriteString("the emulator core is not built yet and cannot be built here")
	s.WriteString("\nmissing:")
	for _, m := range missing {
		s.WriteString("\n  - " + m)
	}
	if len(ways) > 0 {
		s.WriteString("\nway out:")
		for _, w := range ways {
			s.WriteString("\n  - " + w)
		}
	}
	return &emu.Error{Code: CodeCoreUnavailable, Message: s.String(), Err: cause}
}
