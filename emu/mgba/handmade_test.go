package mgba

import (
	"bytes"
	"encoding/binary"
)

// handmade assembles a module with the shim's exports, so that a test can
// have a core that traps, hangs or asks for too much. Calls without a body of
// their own answer as a healthy core with an empty machine would.
type handmade struct {
	abi     uint32
	bodies  map[string][]byte // instructions, without the final end
	imports []string          // names within hostModule, as clock_time_get
	leave   string            // an export to leave out
}

// Instructions of bodies.
var (
	opUnreachable = []byte{0x00}
	opForever     = []byte{0x03, 0x40, 0x0C, 0x00, 0x0B, 0x00} // loop: br 0; unreachable
	opOverflow    = []byte{0x20, 0x00, 0x10, 0x05}             // frame calls itself
	opOutOfBounds = []byte{0x41, 0x7F, 0x28, 0x02, 0x00}       // i32.load at 0xFFFFFFFF
)

func constant(n int32) []byte { return append([]byte{0x41}, sleb(n)...) }

const (
	handmadeState = 0x10000
	handmadeAlloc = 0x100000
)

func (h handmade) wasm() []byte {
	answers := map[string]int32{
		"abi": int32(h.abi), "alloc": handmadeAlloc,
		"state_ptr": handmadeState, "state_len": StateBytes,
	}
	// Types 0 to 2 take that many integers; type 3 is the clock's.
	var types [][]byte
	for n := range 3 {
		types = append(types, append(append([]byte{0x60}, vector(bytes.Repeat([]byte{0x7F}, n))...), 1, 0x7F))
	}
	types = append(types, []byte{0x60, 3, 0x7F, 0x7E, 0x7F, 1, 0x7F})
	var imports, functions, exports, code [][]byte
	for _, name := range h.imports {
		imports = append(imports, bytes.Join([][]byte{vector([]byte(hostModule)), vector([]byte(name)), {0, 3}}, nil))
	}
	for _, c := range moduleCalls {
		index := len(h.imports) + len(functions)
		functions = append(functions, []byte{byte(c.params)})
		body, ok := h.bodies[c.name]
		if !ok {
			body = constant(answers[c.name])
		}
		code = append(code, vector(append(append([]byte{0}, body...), 0x0B)))
		if c.name != h.leave {
			exports = append(exports, append(vector([]byte(c.name)), 0, byte(index)))
		}
	}
	exports = append(exports, append(vector([]byte("memory")), 2, 0))
	data := append(append([]byte{0}, append(constant(handmadeState), 0x0B)...), vector(handmadeHeader())...)

	out := []byte("\x00asm\x01\x00\x00\x00")
	out = append(out, section(1, types)...)
	out = append(out, section(2, imports)...)
	out = append(out, section(3, functions)...)
	out = append(out, section(5, [][]byte{{0, 32}})...)
	out = append(out, section(7, exports)...)
	out = append(out, section(10, code)...)
	return append(out, section(11, [][]byte{data})...)
}

// handmadeHeader begins a state of the self-test's cartridge.
func handmadeHeader() []byte {
	b := make([]byte, 0x20)
	binary.LittleEndian.PutUint32(b, StateMagic)
	copy(b[offTitle:], SelfTestROM()[0xA0:0xB0])
	return b
}

func section(id byte, entries [][]byte) []byte {
	body := append(uleb(len(entries)), bytes.Join(entries, nil)...)
	return append([]byte{id}, vector(body)...)
}

func vector(b []byte) []byte { return append(uleb(len(b)), b...) }

func uleb(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func sleb(n int32) []byte {
	var out []byte
	for {
		b := byte(n & 0x7F)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
