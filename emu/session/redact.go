package session

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// redacted stands where something secret stood.
const redacted = "[redacted]"

// secretKey matches the names of members whose values are never written.
var secretKey = regexp.MustCompile(`(?i)authorization|api[ _-]?key|token|secret|password|credential`)

// redactor keeps a session's secrets out of whatever is written or told.
type redactor struct {
	secrets []string
}

// learn makes s a secret. Strings too short to be one would erase ordinary
// text.
func (r *redactor) learn(s string) {
	if len(s) >= shortestSecret && !slices.Contains(r.secrets, s) {
		r.secrets = append(r.secrets, s)
	}
}

const shortestSecret = 4

// text returns s without the secrets.
func (r *redactor) text(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, redacted)
	}
	return s
}

// reason is words for people without the secrets. Those go before the words are
// cut: half a token would not be known for one any more.
func (r *redactor) reason(s string) string { return reason(r.text(s)) }

// error returns err, or its text without the secrets when there are any in it.
func (r *redactor) error(err error) error {
	said := err.Error()
	if clean := r.text(said); clean != said {
		return errors.New(clean)
	}
	return err
}

// json returns the JSON value data without the secrets, and whether anything
// had to go. Values are only taken apart when something looks like a secret:
// nearly none do, and every outcome passes through here.
func (r *redactor) json(data rawJSON) (clean rawJSON, changed bool, err error) {
	if !r.suspicious(data) {
		return data, false, nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, false, err
	}
	clean, err = json.Marshal(r.value(v), json.Deterministic(true))
	return clean, true, err
}

func (r *redactor) suspicious(data []byte) bool {
	// An escape could spell a secret without containing it.
	if secretKey.Match(data) || bytes.Contains(data, []byte(`\u`)) {
		return true
	}
	for _, secret := range r.secrets {
		quoted, err := jsontext.AppendQuote(nil, secret)
		if err != nil || bytes.Contains(data, quoted[1:len(quoted)-1]) {
			return true
		}
	}
	return false
}

func (r *redactor) value(v any) any {
	switch v := v.(type) {
	case string:
		return r.text(v)
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case map[string]any:
		for key := range v {
			if secretKey.MatchString(key) {
				v[key] = redacted
			} else {
				v[key] = r.value(v[key])
			}
		}
	}
	return v
}
