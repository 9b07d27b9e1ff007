package journal

import (
	"bytes"
	"errors"

	"clankie/emu"
)

// The chain of a tape. A line is the JSON object that it says, with one more
// member at its end: the SHA-256 of the line before's chain and of the object
// without that member. So a line can be checked byte by byte, and only behind
// the very line it was written behind.

var (
	chainOpen  = []byte(`,"chain":"`)
	chainClose = []byte(`"}`)
)

// chainLength is the length of what seal adds to an object, the brace it
// replaces included.
const chainLength = len(`,"chain":"`) + 64 + len(`"}`)

// seal makes the line of an object, a JSON object without blanks around it,
// behind the line whose chain is before. The first line has "" before it.
func seal(object []byte, before emu.Digest) (line []byte, chain emu.Digest) {
	chain = emu.DigestOf([]byte(before), object)
	line = make([]byte, 0, len(object)+chainLength)
	line = append(line, object[:len(object)-1]...)
	line = append(line, chainOpen...)
	line = append(line, chain...)
	line = append(line, chainClose...)
	return append(line, '\n'), chain
}

var (
	errNoChain = errors.New("it does not end with its digest")
	errChain   = errors.New("its digest is another, so it or the line before is not the one that was written")
)

// unseal is the opposite of seal, for a line without its line feed. The object
// is a copy.
func unseal(line []byte, before emu.Digest) (object []byte, chain emu.Digest, err error) {
	at := len(line) - chainLength
	if at < 1 || !bytes.HasPrefix(line[at:], chainOpen) || !bytes.HasSuffix(line, chainClose) {
		return nil, "", errNoChain
	}
	object = append(bytes.Clone(line[:at]), '}')
	chain = emu.Digest(line[at+len(chainOpen) : len(line)-len(chainClose)])
	if chain != emu.DigestOf([]byte(before), object) {
		return nil, "", errChain
	}
	return object, chain, nil
}
