package mgba

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"clankie/emu"
)

// hostModule is the module name under which libc's system calls are imported.
const hostModule = "wasi_snapshot_preview1"

// hostEpoch is what the module's clock says before the first frame:
// 2001-01-01T00:00:00Z in nanoseconds. Any fixed instant would do.
const hostEpoch = 978307200 * 1_000_000_000

// errnoBadFile is WASI's answer for a file descriptor that is not open. The
// file table is empty, so every file call gets it.
const errnoBadFile = 8

// hostCall is one system call the module may import.
type hostCall struct {
	name   string
	params []api.ValueType
	run    api.GoModuleFunc
}

// hostCalls is everything a module can reach outside itself: a clock that
// counts emulated frames, and four file calls on an empty file table.
var hostCalls = []hostCall{
	{"clock_time_get", []api.ValueType{api.ValueTypeI32, api.ValueTypeI64, api.ValueTypeI32}, clockTimeGet},
	{"fd_close", []api.ValueType{api.ValueTypeI32}, badFile},
	{"fd_fdstat_get", []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, badFile},
	{"fd_seek", []api.ValueType{api.ValueTypeI32, api.ValueTypeI64, api.ValueTypeI32, api.ValueTypeI32}, badFile},
	{"fd_write", []api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32}, badFile},
}

// frameClock counts one machine's frames for its host clock.
type frameClock struct{ frames uint64 }

type clockKey struct{}

// withClock returns the context that the machine's calls run under.
func withClock(ctx context.Context, c *frameClock) context.Context {
	return context.WithValue(ctx, clockKey{}, c)
}

func clockTimeGet(ctx context.Context, mod api.Module, stack []uint64) {
	now := uint64(hostEpoch)
	if c, ok := ctx.Value(clockKey{}).(*frameClock); ok {
		now += c.frames * uint64(emu.FrameDuration)
	}
	mod.Memory().WriteUint64Le(uint32(stack[2]), now)
	stack[0] = 0
}

func badFile(_ context.Context, _ api.Module, stack []uint64) { stack[0] = errnoBadFile }

// provideHost gives the runtime the five calls and nothing else.
func provideHost(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(hostModule)
	for _, c := range hostCalls {
		b = b.NewFunctionBuilder().
			WithGoModuleFunction(c.run, c.params, []api.ValueType{api.ValueTypeI32}).
			Export(c.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}

// checkImports refuses a module that asks for anything but the five calls.
func checkImports(m wazero.CompiledModule) error {
	allowed := map[string]bool{}
	for _, c := range hostCalls {
		allowed[c.name] = true
	}
	for _, f := range m.ImportedFunctions() {
		mod, name, _ := f.Import()
		if mod != hostModule || !allowed[name] {
			return badModule(fmt.Sprintf("the module imports %q from %q, which is not allowed", name, mod))
		}
	}
	if len(m.ImportedMemories()) > 0 {
		return badModule("the module imports a memory, which is not allowed")
	}
	return nil
}

func badModule(message string) error {
	return &emu.Error{Code: emu.CodeCoreBadModule, Message: message}
}
