package checkpoint

import (
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// MaxIDLength is the length of the longest id, in bytes.
const MaxIDLength = 160

// suffixBytes is the randomness of an id: two saves of one millisecond get
// different names.
const suffixBytes = 6

var idPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,159}$`)

// ValidID reports whether s may name a save: 1 to 160 of A-Z, a-z, 0-9 and -,
// not beginning with -. No such name is a path or begins with a dot.
func ValidID(s string) bool { return idPattern.MatchString(s) }

// checkID refuses what is no name of a save before it comes near a path.
func checkID(id string) error {
	if ValidID(id) {
		return nil
	}
	return refusal(CodeIDInvalid, nil,
		"%q is no checkpoint id: 1 to %d letters, digits and -, not beginning with -", plain(id), MaxIDLength)
}

// newID makes an id from the moment of capture, the label, if any, and fresh
// randomness.
func newID(capturedAt, label string, random io.Reader) (string, error) {
	var suffix [suffixBytes]byte
	if _, err := io.ReadFull(random, suffix[:]); err != nil {
		return "", fmt.Errorf("read randomness for an id: %w", err)
	}
	parts := []string{strings.NewReplacer(":", "-", ".", "-").Replace(capturedAt)}
	if label != "" {
		parts = append(parts, label)
	}
	parts = append(parts, hex.EncodeToString(suffix[:]))
	return strings.Join(parts, "-"), nil
}
