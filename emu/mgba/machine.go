package mgba

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"clankie/emu"
)

// Results of the shim's calls.
const (
	resultOK            = 0
	resultNothingLoaded = 1
	resultCycleLimit    = 2
	resultBadState      = 3
	resultNoMemory      = 4
)

// Regions of the machine's memory as the shim numbers them.
const (
	regionEWRAM = iota
	regionIWRAM
	regionROM
	regionVRAM
	regionPalette
	regionOAM
	regionIO
	regionPicture
	regionCount
)

// span is a piece of the module's memory.
type span struct{ at, n uint32 }

// machine is one instance of a module: thin wrappers around its calls. None
// of its methods may be called after one returned a trap.
type machine struct {
	ctx     context.Context
	mod     api.Module
	clock   *frameClock
	calls   map[string]api.Function
	frameFn api.Function
	stack   [2]uint64
	regions [regionCount]span
}

// newMachine instantiates the module and checks its ABI.
func newMachine(m Module) (*machine, error) {
	clock := &frameClock{}
	// Calls run under a context of their own: an ended one would tear the
	// machine down in the middle of a frame. Contexts are checked between
	// frames instead.
	ctx := withClock(context.Background(), clock)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	mod, err := m.engine.runtime.InstantiateModule(ctx, m.engine.compiled, config)
	if err != nil {
		return nil, &emu.Error{Code: emu.CodeCoreTrap, Message: "the module does not start", Err: err}
	}
	mc := &machine{ctx: ctx, mod: mod, clock: clock, calls: map[string]api.Function{}}
	for _, c := range moduleCalls {
		mc.calls[c.name] = mod.ExportedFunction(c.name)
	}
	mc.frameFn = mc.calls["frame"]
	abi, err := mc.call("abi")
	if err != nil {
		return nil, err
	}
	if want := uint32(ABI<<16 | StateFormat); abi != want {
		mc.close()
		return nil, badModule(fmt.Sprintf("the module speaks ABI %d and state format %d, not %d and %d", abi>>16, abi&0xFFFF, ABI, StateFormat))
	}
	return mc, nil
}

// close frees the instance.
func (m *machine) close() { m.mod.Close(m.ctx) }

// insert puts a cartridge and its battery memory in and switches the machine
// on.
func (m *machine) insert(rom, battery []byte) error {
	if err := m.give("rom", rom); err != nil {
		return &emu.Error{Code: emu.CodeCoreBadROM, Message: "the core refused the image", Err: err}
	}
	if len(battery) > 0 {
		if err := m.give("battery", battery); err != nil {
			return &emu.Error{Code: emu.CodeCoreBadROM, Message: fmt.Sprintf("the core refused battery memory of %s", emu.Count(len(battery), "byte")), Err: err}
		}
	}
	return m.reset()
}

// call calls an export. A trap comes back as an emu.CodeCoreTrap error.
func (m *machine) call(name string, args ...uint32) (uint32, error) {
	clear(m.stack[:])
	for i, a := range args {
		m.stack[i] = uint64(a)
	}
	if err := m.calls[name].CallWithStack(m.ctx, m.stack[:]); err != nil {
		return 0, trap(name, err)
	}
	return uint32(m.stack[0]), nil
}

func trap(call string, err error) error {
	return &emu.Error{Code: emu.CodeCoreTrap, Message: fmt.Sprintf("the core failed in %s and was discarded", call), Err: err}
}

// frame runs one frame.
func (m *machine) frame(held emu.Keys) error {
	m.stack[0] = uint64(held)
	if err := m.frameFn.CallWithStack(m.ctx, m.stack[:]); err != nil {
		return trap("frame", err)
	}
	switch uint32(m.stack[0]) {
	case resultOK:
		m.clock.frames++
		return nil
	case resultCycleLimit:
		return &emu.Error{Code: emu.CodeCoreHung, Message: "the machine does not finish its frame and was discarded"}
	}
	return trap("frame", resultError("frame", uint32(m.stack[0])))
}

// resultError describes a result that is not OK.
func resultError(call string, result uint32) error {
	switch result {
	case resultNothingLoaded:
		return fmt.Errorf("%s: nothing is loaded", call)
	case resultBadState:
		return fmt.Errorf("%s: the core refused the state", call)
	case resultNoMemory:
		return fmt.Errorf("%s: the core is out of memory", call)
	}
	return fmt.Errorf("%s: result %d", call, result)
}

// hand copies bytes into the module and returns where.
func (m *machine) hand(b []byte) (uint32, error) {
	at, err := m.call("alloc", uint32(len(b)))
	if err != nil {
		return 0, err
	}
	if at == 0 || !m.mod.Memory().Write(at, b) {
		return 0, trap("alloc", resultError("alloc", resultNoMemory))
	}
	return at, nil
}

// give hands bytes to a call that takes a pointer and a length.
func (m *machine) give(call string, b []byte) error {
	at, err := m.hand(b)
	if err != nil {
		return err
	}
	result, err := m.call(call, at, uint32(len(b)))
	if err != nil {
		return err
	}
	if result != resultOK {
		return resultError(call, result)
	}
	return nil
}

// reset switches the machine off and on and finds its memories.
func (m *machine) reset() error {
	result, err := m.call("reset")
	if err != nil {
		return err
	}
	if result != resultOK {
		return resultError("reset", result)
	}
	return m.findRegions()
}

// save returns a copy of the machine's complete state.
func (m *machine) save() ([]byte, error) {
	result, err := m.call("save")
	if err != nil {
		return nil, err
	}
	if result != resultOK {
		return nil, trap("save", resultError("save", result))
	}
	at, err := m.call("state_ptr")
	if err != nil {
		return nil, err
	}
	n, err := m.call("state_len")
	if err != nil {
		return nil, err
	}
	view, ok := m.mod.Memory().Read(at, n)
	if !ok || n < StateBytes {
		return nil, trap("save", errors.New("the state lies outside the module's memory"))
	}
	return append(make([]byte, 0, n), view...), nil
}

// load replaces the complete state. An error that is no trap leaves a machine
// that is only good for another load.
func (m *machine) load(state []byte) error {
	if err := m.give("load", state); err != nil {
		return err
	}
	return m.findRegions()
}

// findRegions asks where the machine's memories lie; they may move whenever
// it is reset or loaded.
func (m *machine) findRegions() error {
	for id := range m.regions {
		at, err := m.call("region", uint32(id))
		if err != nil {
			return err
		}
		n, err := m.call("region_len", uint32(id))
		if err != nil {
			return err
		}
		m.regions[id] = span{at, n}
	}
	return nil
}

// view returns a region's bytes in place.
func (m *machine) view(id int) []byte {
	r := m.regions[id]
	b, ok := m.mod.Memory().Read(r.at, r.n)
	if !ok {
		return nil
	}
	return b
}
