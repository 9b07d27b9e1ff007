package mgba

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The front end through which most people run libretro's build of the core
// wraps what the core serialised once more: in blocks, and packs the whole in
// chunks unless it is told not to.
var (
	blockSignature = []byte("RASTATE\x01")
	chunkSignature = []byte("#RZIPv\x01#")
)

// blockMemory is the block with what the core serialised; blockEnd is the last
// one. Others tell of achievements and replays.
const (
	blockMemory = "MEM "
	blockEnd    = "END "
	blockAlign  = 8
)

// wrappedMaxBytes bounds what a wrapped file unpacks to: a state, all the extra
// data there is, and the front end's own blocks.
const wrappedMaxBytes = 4 << 20

// parseChunked reads the packed form: u32 bytes a chunk, u64 bytes in all, then
// chunks of u32 packed bytes and their zlib stream.
func parseChunked(data []byte) (*Savestate, error) {
	const header = 8 + 4 + 8
	if len(data) < header {
		return nil, refuse(CodeStateTruncated, "the packed file ends within its header")
	}
	whole := binary.LittleEndian.Uint64(data[12:])
	if whole > wrappedMaxBytes {
		return nil, refuse(CodeStateDamaged, fmt.Sprintf("the packed file claims %d bytes", whole))
	}
	var out []byte
	for rest := data[header:]; uint64(len(out)) < whole; {
		if len(rest) < 4 {
			return nil, refuse(CodeStateTruncated, fmt.Sprintf("the packed file ends after %d of %d bytes", len(out), whole))
		}
		n := uint64(binary.LittleEndian.Uint32(rest))
		if n > uint64(len(rest)-4) {
			return nil, refuse(CodeStateTruncated, fmt.Sprintf("a chunk of the packed file claims %d bytes, %d are left", n, len(rest)-4))
		}
		part, err := inflate(rest[4:4+n], int(whole)-len(out))
		if err != nil {
			return nil, fmt.Errorf("%w (packed file)", err)
		}
		if len(part) == 0 {
			return nil, refuse(CodeStateDamaged, "a chunk of the packed file is empty")
		}
		out, rest = append(out, part...), rest[4+n:]
	}
	if bytes.HasPrefix(out, chunkSignature) {
		return nil, refuse(CodeStateDamaged, "the file is packed twice")
	}
	s, err := ParseSavestate(out)
	if err != nil {
		return nil, fmt.Errorf("%w (packed file)", err)
	}
	s.Kind = KindLibretro
	return s, nil
}

// parseBlocks reads the blocks: four characters, u32 bytes, and the bytes,
// filled up to a multiple of eight.
func parseBlocks(data []byte) (*Savestate, error) {
	for rest := data[len(blockSignature):]; ; {
		if len(rest) < 8 {
			return nil, refuse(CodeStateTruncated, "the file ends before its block with the state")
		}
		kind, n := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		if n > uint64(len(rest)) {
			return nil, refuse(CodeStateTruncated, fmt.Sprintf("block %q claims %d bytes, %d are left", kind, n, len(rest)))
		}
		switch kind {
		case blockMemory:
			return parseSerialised(rest[:n])
		case blockEnd:
			return nil, refuse(CodeStateDamaged, "the file has no block with a state in it")
		}
		rest = rest[min((n+blockAlign-1)/blockAlign*blockAlign, uint64(len(rest))):]
	}
}

// parseSerialised reads what the core serialised.
func parseSerialised(data []byte) (*Savestate, error) {
	if !isPlainState(data) {
		return nil, refuse(CodeStateUnknown, "the state in the file is another core's, not mGBA's for a Game Boy Advance")
	}
	s, err := parsePlainState(data)
	if err == nil {
		s.Kind = KindLibretro
	}
	return s, err
}
