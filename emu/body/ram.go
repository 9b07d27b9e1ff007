package body

import (
	"bytes"
	"slices"
	"sync"

	"clankie/emu"
)

// ramDigest is the digest of one frame's RAM, computed when first asked for.
// While the machine stands at that frame the digest reads the machine's own
// memory; before the machine goes on, leave keeps the bytes, unless the digest
// is already known. Most observations are never asked. It is safe for
// concurrent use, leave excepted: that is the body's owner's.
type ramDigest struct {
	mu     sync.Mutex
	live   [2][]byte // EWRAM and IWRAM while the machine stands at the frame
	pages  [][]byte  // the same bytes afterwards
	digest emu.Digest
}

func newRAMDigest(m emu.Memory) *ramDigest {
	return &ramDigest{live: [2][]byte{m.EWRAM, m.IWRAM}}
}

func (r *ramDigest) get() emu.Digest {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.digest != "" {
		return r.digest
	}
	if r.pages != nil {
		r.digest = emu.DigestOf(r.pages...)
	} else {
		r.digest = emu.DigestOf(r.live[:]...)
	}
	r.live, r.pages = [2][]byte{}, nil
	return r.digest
}

// leave lets go of the machine's memory, which is about to change.
func (r *ramDigest) leave(kept *ramPages) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.digest == "" && r.pages == nil {
		r.pages = kept.keep(r.live)
	}
	r.live = [2][]byte{}
}

// pageBytes is the unit in which kept RAM is shared.
const pageBytes = 4096

// ramPages keeps RAM in pages and shares those that did not change since the
// last time: from frame to frame a game writes to few of the 72, and copying
// all of them would make observing cost mostly garbage collection.
type ramPages struct{ last [][]byte }

// keep returns the bytes of mem in immutable pages.
func (k *ramPages) keep(mem [2][]byte) [][]byte {
	pages := make([][]byte, 0, (emu.EWRAMBytes+emu.IWRAMBytes)/pageBytes)
	for _, part := range mem {
		for page := range slices.Chunk(part, pageBytes) {
			pages = append(pages, k.share(len(pages), page))
		}
	}
	k.last = pages
	return pages
}

func (k *ramPages) share(i int, page []byte) []byte {
	if i < len(k.last) && bytes.Equal(k.last[i], page) {
		return k.last[i]
	}
	return bytes.Clone(page)
}
