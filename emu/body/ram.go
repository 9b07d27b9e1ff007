package body

import (
	"slices"
	"sync"

	"clankie/emu"
)

// ramDigest is the digest of one frame's RAM, computed when first asked for.
// While the machine stands at that frame the digest reads the machine's own
// memory. Before the machine goes on, leave takes a copy, unless the digest is
// already known: a copy costs a tenth of a digest, and most observations are
// never asked. It is safe for concurrent use.
type ramDigest struct {
	mu     sync.Mutex
	mem    emu.Memory // EWRAM and IWRAM only; empty once digest is known
	digest emu.Digest
}

func newRAMDigest(m emu.Memory) *ramDigest {
	return &ramDigest{mem: emu.Memory{EWRAM: m.EWRAM, IWRAM: m.IWRAM}}
}

func (r *ramDigest) get() emu.Digest {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.digest == "" {
		r.digest = r.mem.RAMDigest()
		r.mem = emu.Memory{}
	}
	return r.digest
}

// leave lets go of the machine's memory.
func (r *ramDigest) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.digest == "" {
		r.mem.EWRAM, r.mem.IWRAM = slices.Clone(r.mem.EWRAM), slices.Clone(r.mem.IWRAM)
	}
}
