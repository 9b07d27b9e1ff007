package mgba

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"clankie/emu"
)

// pngSignature begins every PNG file.
var pngSignature = []byte("\x89PNG\r\n\x1a\n")

// The chunks in which mGBA keeps a state inside its screenshot.
const (
	chunkState = "gbAs" // zlib of the plain state
	chunkExtra = "gbAx" // u32 tag, u32 size, zlib of the data
)

// pngChunk is one chunk of a PNG file; data aliases the file.
type pngChunk struct {
	kind string
	data []byte
}

// parsePNGState reads a state from the chunks of mGBA's screenshot. The state
// chunks may stand anywhere between header and end, before or after the
// pixels.
func parsePNGState(file []byte) (*Savestate, error) {
	chunks, err := pngChunks(file)
	if err != nil {
		return nil, err
	}
	var state []byte
	extra := map[uint32][]byte{}
	for _, c := range chunks {
		switch c.kind {
		case chunkState:
			if state != nil {
				return nil, refuse(CodeStateDamaged, "the image carries two states")
			}
			if state, err = inflate(c.data, StateBytes); err != nil {
				return nil, fmt.Errorf("%w (state chunk)", err)
			}
			if len(state) != StateBytes {
				return nil, refuse(CodeStateDamaged, fmt.Sprintf("the state chunk unpacks to %d bytes, not %d", len(state), StateBytes))
			}
		case chunkExtra:
			tag, data, err := pngExtra(c.data)
			if err != nil {
				return nil, err
			}
			if _, twice := extra[tag]; twice {
				return nil, refuse(CodeStateDamaged, fmt.Sprintf("extra data %d appears twice", tag))
			}
			extra[tag] = data
		}
	}
	if state == nil {
		return nil, refusePicture(chunks)
	}
	return newSavestate(KindPNG, state, extra)
}

// refusePicture tells an image that lost its state from one that never had
// any: mGBA's screenshots have the size of the screen.
func refusePicture(chunks []pngChunk) error {
	header := chunks[0].data
	width, height := binary.BigEndian.Uint32(header), binary.BigEndian.Uint32(header[4:])
	if width == emu.ScreenWidth && height == emu.ScreenHeight {
		return refuse(CodeStateStripped, "the image has the size of the screen but no state in it: a plain screenshot, or a savestate that another program re-saved without its state chunk; use the original file")
	}
	return refuse(CodeStatePicture, fmt.Sprintf("the file is a picture of %d by %d pixels without a state in it", width, height))
}

// pngChunks splits a PNG file into its chunks and verifies their checksums.
func pngChunks(file []byte) ([]pngChunk, error) {
	var chunks []pngChunk
	for rest := file[len(pngSignature):]; ; {
		if len(rest) < 12 {
			return nil, refuse(CodeStateTruncated, "the image ends before its last chunk")
		}
		n := uint64(binary.BigEndian.Uint32(rest))
		kind := string(rest[4:8])
		if n > uint64(len(rest)-12) {
			return nil, refuse(CodeStateTruncated, fmt.Sprintf("chunk %q claims %d bytes, %d are left", kind, n, len(rest)-12))
		}
		body, sum := rest[4:8+n], binary.BigEndian.Uint32(rest[8+n:])
		if crc32.ChecksumIEEE(body) != sum {
			return nil, refuse(CodeStateDamaged, fmt.Sprintf("the checksum of chunk %q does not hold", kind))
		}
		if len(chunks) == 0 && (kind != "IHDR" || n != 13) {
			return nil, refuse(CodeStateDamaged, fmt.Sprintf("the image begins with chunk %q instead of its header", kind))
		}
		chunks = append(chunks, pngChunk{kind: kind, data: rest[8 : 8+n]})
		if kind == "IEND" {
			return chunks, nil
		}
		rest = rest[12+n:]
	}
}

// pngExtra reads one chunk of extra data.
func pngExtra(chunk []byte) (tag uint32, data []byte, err error) {
	if len(chunk) < 8 {
		return 0, nil, refuse(CodeStateDamaged, fmt.Sprintf("a chunk of extra data has %d bytes, fewer than its own header", len(chunk)))
	}
	tag = binary.LittleEndian.Uint32(chunk)
	size := binary.LittleEndian.Uint32(chunk[4:])
	if size > extraMaxBytes {
		return 0, nil, refuse(CodeStateDamaged, fmt.Sprintf("extra data %d claims %d bytes", tag, size))
	}
	data, err = inflate(chunk[8:], int(size))
	if err != nil {
		return 0, nil, fmt.Errorf("%w (extra data %d)", err, tag)
	}
	if len(data) != int(size) {
		return 0, nil, refuse(CodeStateDamaged, fmt.Sprintf("extra data %d claims %d bytes and unpacks to %d", tag, size, len(data)))
	}
	return tag, data, nil
}

// inflate unpacks a zlib stream of at most limit bytes; a longer one is
// refused before it is unpacked further.
func inflate(packed []byte, limit int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, inflateError(err)
	}
	defer r.Close()
	out, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, inflateError(err)
	}
	if len(out) > limit {
		return nil, refuse(CodeStateDamaged, fmt.Sprintf("compressed data unpacks to more than %d bytes", limit))
	}
	return out, nil
}

func inflateError(err error) error {
	code, message := CodeStateDamaged, "compressed data does not unpack"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		code, message = CodeStateTruncated, "compressed data ends early"
	}
	return &emu.Error{Code: code, Message: message, Err: err}
}
