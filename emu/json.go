package emu

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UnmarshalStrict reads one JSON value into v and refuses duplicate keys,
// keys of another letter case, unknown members, invalid UTF-8 and anything
// after the value. Whether a required member is missing or null is for the
// caller to check: the JSON library cannot tell. Its error is a *MisreadError.
func UnmarshalStrict(data []byte, v any) error {
	if err := json.Unmarshal(data, v, json.RejectUnknownMembers(true)); err != nil {
		return misread(data, err)
	}
	return nil
}

// UnmarshalWhole reads like UnmarshalStrict and also refuses a member that is
// missing or null: writing what was read can tell those.
func UnmarshalWhole(data []byte, v any) error {
	if err := UnmarshalStrict(data, v); err != nil {
		return err
	}
	read, err := CanonicalJSON(jsontext.Value(data))
	if err != nil {
		return err
	}
	written, err := CanonicalJSON(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(read, written) {
		return errors.New("a member is missing or null")
	}
	return nil
}

// UnmarshalPart reads one JSON value into v and passes over members that v does
// not know: the rest is read by somebody else. Its error is a *MisreadError.
func UnmarshalPart(data []byte, v any, options ...json.Options) error {
	if err := json.Unmarshal(data, v, options...); err != nil {
		return misread(data, err)
	}
	return nil
}

// MarshalIndent writes v as JSON for people: two blanks of indentation, keys
// in declaration order, a newline at the end.
func MarshalIndent(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("marshal: %w", err)
	}
	return append(b, '\n'), nil
}

// CanonicalJSON writes v in the one form that digests are taken over: keys
// sorted by the root collation of the older implementation (letters compared
// without case first, lower case before upper on a tie), arrays in order, no
// blanks, numbers and strings as ECMAScript writes them. A nil slice is
// written as [] and an absent optional member must be left out by its tag.
func CanonicalJSON(v any) ([]byte, error) {
	raw, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	var out bytes.Buffer
	out.Grow(len(raw))
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	if err := writeCanonical(&out, dec); err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return out.Bytes(), nil
}

// CanonicalDigest is the SHA-256 of v's canonical JSON.
func CanonicalDigest(v any) (Digest, error) {
	b, err := CanonicalJSON(v)
	if err != nil {
		return "", err
	}
	return DigestOf(b), nil
}

func writeCanonical(out *bytes.Buffer, dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '{':
		return writeCanonicalObject(out, dec)
	case '[':
		return writeCanonicalArray(out, dec)
	}
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if err := value.Canonicalize(); err != nil {
		return err
	}
	out.Write(value)
	return nil
}

func writeCanonicalArray(out *bytes.Buffer, dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	out.WriteByte('[')
	for i := 0; dec.PeekKind() != ']'; i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeCanonical(out, dec); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	_, err := dec.ReadToken()
	return err
}

type member struct {
	key   string
	value []byte
}

func writeCanonicalObject(out *bytes.Buffer, dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	var members []member
	for dec.PeekKind() != '}' {
		key, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := key.String()
		var value bytes.Buffer
		if err := writeCanonical(&value, dec); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		members = append(members, member{name, value.Bytes()})
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	slices.SortStableFunc(members, func(a, b member) int { return collate(a.key, b.key) })
	out.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		quoted, err := jsontext.AppendQuote(nil, m.key)
		if err != nil {
			return err
		}
		out.Write(quoted)
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return nil
}

// collate orders keys as the root collation does for the names the wire
// formats use: punctuation, then digits, then letters without regard to case;
// equal but for case, lower case comes first.
func collate(a, b string) int {
	if c := cmp.Compare(collationKey(a), collationKey(b)); c != 0 {
		return c
	}
	// Lower case sorts after upper case in ASCII, so the operands change places.
	return cmp.Compare(b, a)
}

func collationKey(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r == '_':
			return ' ' // punctuation comes before digits, '_' first
		}
		return r
	}, s)
}
