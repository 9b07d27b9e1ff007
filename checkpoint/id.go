package checkpoint

import (
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
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

// stampLayout is an ISO-8601 moment in UTC with milliseconds.
const stampLayout = "2006-01-02T15:04:05.000Z"

// stamp writes t as the formats do.
func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

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

var momentPattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$`)

// validMoment reports whether s is an ISO-8601 moment in UTC ending in Z.
func validMoment(s string) bool {
	_, ok := parseMoment(s)
	return ok
}

// parseMoment reads what validMoment accepts.
func parseMoment(s string) (time.Time, bool) {
	if !momentPattern.MatchString(s) {
		return time.Time{}, false
	}
	layout := time.RFC3339Nano
	if len(s) == len("2006-01-02T15:04Z") {
		layout = "2006-01-02T15:04Z07:00"
	}
	t, err := time.Parse(layout, s)
	return t, err == nil
}
