package mgba

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"clankie/emu"
)

// cache is the folder that holds built modules:
//
//	lock                     taken while building
//	<recipe>/mgba.wasm       the recipe's module, described by build.json
//	modules/<digest>.wasm    every module ever built here
//	pins/<digest>.json       modules that passed the self-test here
//	compiled/                wazero's machine code
type cache struct{ root string }

// openCache returns the cache in root, or the one of the user for "".
func openCache(root string) (cache, error) {
	if root == "" {
		var err error
		if root, err = DefaultCacheDir(); err != nil {
			return cache{}, err
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return cache{}, err
	}
	return cache{root}, nil
}

// DefaultCacheDir is the user's folder of built cores:
// ${XDG_CACHE_HOME:-~/.cache}/clankie/core.
func DefaultCacheDir() (string, error) {
	base := os.Getenv("XDG_CACHE_HOME")
	if base == "" {
		home, err := homeDir()
		if err != nil {
			return "", fmt.Errorf("no folder for the core's cache: set XDG_CACHE_HOME or HOME (%w)", err)
		}
		base = filepath.Join(home, ".cache")
	}
	return filepath.Join(base, "clankie", "core"), nil
}

// homeDir falls back to the user database where HOME is not set.
func homeDir() (string, error) {
	if home := os.Getenv("HOME"); home != "" {
		return home, nil
	}
	u, err := user.Current()
	if err != nil {
		return "", err
	}
	if u.HomeDir == "" {
		return "", errors.New("the user has no home folder")
	}
	return u.HomeDir, nil
}

func (c cache) recipeDir() string { return filepath.Join(c.root, string(RecipeSHA256())) }
func (c cache) modulePath() string {
	return filepath.Join(c.recipeDir(), "mgba.wasm")
}
func (c cache) recordPath() string  { return filepath.Join(c.recipeDir(), "build.json") }
func (c cache) compiledDir() string { return filepath.Join(c.root, "compiled") }
func (c cache) pinsDir() string     { return filepath.Join(c.root, "pins") }

// lock takes the builder's lock and returns how to give it back. The file is
// never removed: removing it would let two programs hold two locks.
func (c cache) lock(ctx context.Context, waiting func()) (unlock func(), err error) {
	if err := os.MkdirAll(c.root, 0o755); err != nil {
		return nil, fmt.Errorf("make the core's cache: %w", err)
	}
	l := flock.New(filepath.Join(c.root, "lock"))
	ok, err := l.TryLock()
	if err == nil && !ok {
		waiting()
		ok, err = l.TryLockContext(ctx, 200*time.Millisecond)
	}
	if err != nil {
		return nil, fmt.Errorf("lock the core's cache: %w", err)
	}
	if !ok {
		return nil, errors.New("lock the core's cache: not obtained")
	}
	return func() { l.Unlock() }, nil
}

// workDir makes a folder for one build. The lock must be held until remove
// was called.
func (c cache) workDir() (dir string, remove func(), err error) {
	c.sweep()
	dir, err = os.MkdirTemp(c.root, "work-")
	if err != nil {
		return "", nil, fmt.Errorf("make a working folder: %w", err)
	}
	return dir, c.sweep, nil
}

// sweep removes every working folder: the lock is held, so none is in use.
// That is done before and after a build, because compilers of a build that was
// killed may write a moment longer and keep their folder from going away.
func (c cache) sweep() {
	old, _ := filepath.Glob(filepath.Join(c.root, "work-*"))
	for _, d := range old {
		os.RemoveAll(d)
	}
}

// buildRecord describes the module beside it.
type buildRecord struct {
	Recipe         emu.Digest `json:"recipeSha256"`
	Module         emu.Digest `json:"moduleSha256"`
	Toolchain      string     `json:"toolchain"`
	Source         emu.Digest `json:"sourceSha256,omitempty"` // empty for a source tree
	SourceVerified bool       `json:"sourceVerified"`
	// Unproven says why the module was not pinned, when it was not.
	Unproven string `json:"unproven,omitempty"`
}

// store keeps a built module. The record is written last: a module without
// the record that names its digest does not count.
func (c cache) store(wasm []byte, r buildRecord) error {
	kept := filepath.Join(c.root, "modules", string(r.Module)+".wasm")
	if err := writeDurable(kept, wasm); err != nil {
		return fmt.Errorf("keep the module: %w", err)
	}
	if err := writeDurable(c.modulePath(), wasm); err != nil {
		return fmt.Errorf("store the module: %w", err)
	}
	if err := writeJSON(c.recordPath(), r); err != nil {
		return fmt.Errorf("store the module's record: %w", err)
	}
	return nil
}

// load returns the recipe's module and its record, or fs.ErrNotExist when it
// is not built or what is there is damaged.
func (c cache) load() ([]byte, buildRecord, error) {
	var r buildRecord
	if err := readJSON(c.recordPath(), &r); err != nil {
		return nil, r, err
	}
	wasm, err := os.ReadFile(c.modulePath())
	if err != nil {
		return nil, r, err
	}
	if emu.DigestOf(wasm) != r.Module {
		return nil, r, fmt.Errorf("%w: the cached module has another digest than recorded", os.ErrNotExist)
	}
	return wasm, r, nil
}

// pin says that a module passed the self-test on this machine.
type pin struct {
	Module      emu.Digest `json:"moduleSha256"`
	Source      emu.Digest `json:"sourceSha256"`
	StateFormat int        `json:"stateFormat"`
	SelfTest    emu.Digest `json:"selfTestSha256"`
	Toolchain   string     `json:"toolchain"`
}

func (c cache) writePin(p pin) error {
	if err := writeJSON(filepath.Join(c.pinsDir(), string(p.Module)+".json"), p); err != nil {
		return fmt.Errorf("pin the module: %w", err)
	}
	return nil
}

// pinned lists the modules that this machine proved equivalent to the
// reference, in the sense of today's self-test.
func (c cache) pinned() []emu.Digest {
	files, _ := filepath.Glob(filepath.Join(c.pinsDir(), "*.json"))
	var out []emu.Digest
	for _, f := range files {
		var p pin
		if readJSON(f, &p) != nil || !p.Module.Valid() {
			continue
		}
		if p.Source == sourceSHA256 && p.StateFormat == StateFormat && p.SelfTest == selfTestSHA256() {
			out = append(out, p.Module)
		}
	}
	return out
}

// open compiles a module and gives it its standing.
func (c cache) open(ctx context.Context, wasm []byte) (Module, error) {
	m, err := OpenModule(ctx, wasm, c.compiledDir())
	if err != nil {
		return Module{}, err
	}
	return c.judge(m), nil
}

// judge gives a module its standing and its equivalents by what is pinned
// here.
func (c cache) judge(m Module) Module {
	pins := c.pinned()
	if m.Standing == Unproven && slices.Contains(pins, m.SHA256) {
		m.Standing = LocallyPinned
	}
	if m.Standing != Unproven {
		m.Equivalents = append(pins, ReferenceModule, m.SHA256)
		slices.Sort(m.Equivalents)
		m.Equivalents = slices.Compact(m.Equivalents)
	}
	return m
}

func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeDurable(path, append(b, '\n'))
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%w: %s does not parse", os.ErrNotExist, filepath.Base(path))
	}
	return nil
}
