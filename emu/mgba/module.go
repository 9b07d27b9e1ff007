package mgba

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"clankie/emu"
)

// CoreID names the core in saves and scenarios.
const CoreID = "mgba-wasm/0.10.5"

// ABI is the version of the calls between driver and module, StateFormat the
// version of what a save means. StateFormat moves only when the machine does
// something else with equal inputs; then older saves no longer load.
const (
	ABI         = 1
	StateFormat = 1
)

// memoryPages bounds a machine's memory: 128 MiB in pages of 64 KiB, enough
// for the largest cartridge twice.
const memoryPages = 2048

// Module is a compiled core module, ready to boot machines from. Copies share
// the compiled code, which lives as long as the process. It is safe for
// concurrent use.
type Module struct {
	// SHA256 is the digest of the WebAssembly bytes.
	SHA256 emu.Digest
	// Equivalents lists every module proven to behave like this one, itself
	// included, sorted.
	Equivalents []emu.Digest
	// Standing says how far the module is proven.
	Standing Standing
	// Size is the length of the WebAssembly bytes.
	Size int
	// Imports lists the host calls the module asks for, sorted.
	Imports []string
	// CacheTrouble is why the folder of compiled code could not be used, or "".
	// The module was then compiled without it, and the folder was emptied.
	CacheTrouble string

	engine *engine
}

// engine is what machines of one module share.
type engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// compileMu serializes compilation: two goroutines that open the same module
// at once would otherwise do the same work twice.
var compileMu sync.Mutex

// OpenModule compiles a core module and checks that it asks for nothing but
// the five allowed host calls and offers the calls of this ABI. Compiled code
// is cached in the folder compiledDir; with "", or when the folder cannot be
// used, nothing is cached. Damaged code in the folder is deleted and costs no
// more than the time to compile again; Module.CacheTrouble says so. The error
// has the code emu.CodeCoreBadModule when the module is to blame.
func OpenModule(ctx context.Context, wasm []byte, compiledDir string) (Module, error) {
	compileMu.Lock()
	defer compileMu.Unlock()
	e, trouble, err := compileCached(ctx, wasm, compiledDir)
	if err != nil {
		return Module{}, err
	}
	if err := e.check(ctx); err != nil {
		e.runtime.Close(ctx)
		return Module{}, err
	}
	sum := emu.DigestOf(wasm)
	m := Module{SHA256: sum, Equivalents: []emu.Digest{sum}, Standing: Unproven, Size: len(wasm), CacheTrouble: trouble, engine: e}
	if sum == ReferenceModule {
		m.Standing = Reference
	}
	for _, f := range e.compiled.ImportedFunctions() {
		_, name, _ := f.Import()
		m.Imports = append(m.Imports, name)
	}
	slices.Sort(m.Imports)
	return m, nil
}

// compileCached compiles with the cache in dir and, where that fails, without
// it: a module that compiles then was not to blame, so the cache is emptied,
// or every later start would fail on it again. trouble says what was wrong
// with the cache.
func compileCached(ctx context.Context, wasm []byte, dir string) (e *engine, trouble string, err error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	code := compiledCode(dir)
	var cause error
	if dir != "" {
		if e, trouble, cause = compileIn(ctx, wasm, code, config); e != nil {
			return e, trouble, nil
		}
	}
	if e, err = compile(ctx, wasm, config); err != nil {
		message := "the module does not compile: " + err.Error()
		return nil, "", &emu.Error{Code: emu.CodeCoreBadModule, Message: message, Err: err}
	}
	if cause == nil {
		return e, "", nil
	}
	trouble = "the cached machine code could not be used: " + cause.Error()
	if err := code.empty(); err != nil {
		trouble += "; nor could it be deleted: " + err.Error()
	}
	return e, trouble, nil
}

// compileIn compiles with a folder of machine code. Without an engine, cause
// says why; it is nil where the folder is none that can be opened, which costs
// time at start and nothing else.
func compileIn(ctx context.Context, wasm []byte, code compiledCode, config wazero.RuntimeConfig) (e *engine, damage string, cause error) {
	sound, damage, err := code.verify()
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", damage, err)
	}
	cache, err := wazero.NewCompilationCacheWithDir(string(code))
	if err != nil {
		return nil, "", nil
	}
	e, cause = compile(ctx, wasm, config.WithCompilationCache(cache))
	if cause != nil {
		cache.Close(ctx)
		return nil, "", cause
	}
	code.note(sound)
	return e, damage, nil
}

// compile compiles a module. Damaged code in a cache may make it panic.
func compile(ctx context.Context, wasm []byte, config wazero.RuntimeConfig) (e *engine, err error) {
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer func() {
		if cause := recover(); cause != nil {
			e, err = nil, fmt.Errorf("the compiler broke: %v", cause)
		}
		if err != nil {
			r.Close(ctx)
		}
	}()
	compiled, err := r.CompileModule(ctx, wasm)
	if err != nil {
		return nil, err
	}
	return &engine{runtime: r, compiled: compiled}, nil
}

// check holds that the module asks for and offers what it must, and provides
// what it asks for.
func (e *engine) check(ctx context.Context) error {
	compiled := e.compiled
	if err := checkImports(compiled); err != nil {
		return err
	}
	if err := checkExports(compiled); err != nil {
		return err
	}
	if err := provideHost(ctx, e.runtime); err != nil {
		return fmt.Errorf("provide host calls: %w", err)
	}
	return nil
}

// moduleCalls lists the exports of the shim and how many integers each takes
// and returns.
var moduleCalls = []struct {
	name            string
	params, results int
}{
	{"abi", 0, 1},
	{"alloc", 1, 1},
	{"rom", 2, 1},
	{"battery", 2, 1},
	{"reset", 0, 1},
	{"frame", 1, 1},
	{"save", 0, 1},
	{"state_ptr", 0, 1},
	{"state_len", 0, 1},
	{"load", 2, 1},
	{"region", 1, 1},
	{"region_len", 1, 1},
	{"frames", 0, 1},
}

func checkExports(m wazero.CompiledModule) error {
	exports := m.ExportedFunctions()
	for _, want := range moduleCalls {
		f, ok := exports[want.name]
		if !ok {
			return badModule(fmt.Sprintf("the module does not export %q", want.name))
		}
		if !allI32(f.ParamTypes(), want.params) || !allI32(f.ResultTypes(), want.results) {
			return badModule(fmt.Sprintf("the module's export %q has another signature", want.name))
		}
	}
	if _, ok := m.ExportedMemories()["memory"]; !ok {
		return badModule("the module does not export its memory")
	}
	return nil
}

func allI32(types []api.ValueType, n int) bool {
	return len(types) == n && !slices.ContainsFunc(types, func(t api.ValueType) bool { return t != api.ValueTypeI32 })
}
