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
// used, nothing is cached. The error has the code emu.CodeCoreBadModule when
// the module is to blame.
func OpenModule(ctx context.Context, wasm []byte, compiledDir string) (Module, error) {
	compileMu.Lock()
	defer compileMu.Unlock()
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	if compiledDir != "" {
		// A cache that cannot be opened costs time at start, nothing else.
		if cache, err := wazero.NewCompilationCacheWithDir(compiledDir); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	e := &engine{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := e.compile(ctx, wasm); err != nil {
		e.runtime.Close(ctx)
		return Module{}, err
	}
	sum := emu.DigestOf(wasm)
	m := Module{SHA256: sum, Equivalents: []emu.Digest{sum}, Standing: Unproven, Size: len(wasm), engine: e}
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

func (e *engine) compile(ctx context.Context, wasm []byte) error {
	compiled, err := e.runtime.CompileModule(ctx, wasm)
	if err != nil {
		return &emu.Error{Code: emu.CodeCoreBadModule, Message: "the module does not compile", Err: err}
	}
	e.compiled = compiled
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
