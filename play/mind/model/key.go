package model

import (
	"fmt"
	"html"
	"io"
	"net/url"
	"os"
	"strings"
)

// maxKeyBytes is how long a key may be.
const maxKeyBytes = 4096

// Key is an endpoint's key. However it is printed or encoded, it shows as
// "[key]"; within another value's unexported fields, where formatting asks no
// methods, as an address, since it is held by one.
type Key struct{ held *string }

func newKey(value string) Key { return Key{&value} }

// reveal is the key itself, for the one header that it goes into.
func (k Key) reveal() string {
	if k.held == nil {
		return ""
	}
	return *k.held
}

const hiddenKey = "[key]"

// Empty reports whether there is no key.
func (k Key) Empty() bool { return k.reveal() == "" }

// Format implements fmt.Formatter for every verb.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hiddenKey) }

// MarshalText implements encoding.TextMarshaler, which JSON, TOML and slog
// use.
func (k Key) MarshalText() ([]byte, error) { return []byte(hiddenKey), nil }

// scrub takes the key out of a text from outside, in case an endpoint repeats
// it.
func (k Key) scrub(s string) string {
	if k.Empty() {
		return s
	}
	for _, spelt := range k.spellings() {
		s = strings.ReplaceAll(s, spelt, hiddenKey)
	}
	return s
}

// spellings are the key as it stands, and as JSON and addresses write it: an
// error often quotes what came as it came.
func (k Key) spellings() []string {
	key := k.reveal()
	asIs := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	slashed := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `/`, `\/`)
	forHTML := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `<`, `\u003c`, `>`, `\u003e`, `&`, `\u0026`)
	return []string{
		key, asIs.Replace(key), slashed.Replace(key), forHTML.Replace(key),
		url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key),
	}
}

// KeyFromText makes a key from what a variable or a file holds. what names
// the source; an error never repeats its content.
func KeyFromText(text, what string) (Key, error) {
	value := strings.TrimSpace(text)
	if value == "" {
		return Key{}, fmt.Errorf("%s is empty", what)
	}
	if len(value) > maxKeyBytes {
		return Key{}, fmt.Errorf("%s holds %d bytes, too many for a key", what, len(value))
	}
	for _, c := range []byte(value) {
		if c <= ' ' || c >= 0x7F {
			return Key{}, fmt.Errorf("%s holds something else than one key: only printable ASCII without blanks may stand in it", what)
		}
	}
	return newKey(value), nil
}

// KeyFromFile reads a key from a regular file that only its owner can read.
func KeyFromFile(path string) (Key, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Key{}, fmt.Errorf("key file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return Key{}, fmt.Errorf("key file %s: not a regular file", path)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return Key{}, fmt.Errorf("key file %s: mode %04o lets others read it; chmod 600 it", path, mode)
	}
	f, err := os.Open(path)
	if err != nil {
		return Key{}, fmt.Errorf("key file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKeyBytes+2))
	if err != nil {
		return Key{}, fmt.Errorf("key file: %w", err)
	}
	return KeyFromText(string(data), "key file "+path)
}
