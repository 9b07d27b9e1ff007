package model

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxReplyText is how long the text of a reply may be. A decision that uses
// every bound to the full has less than half of it.
const maxReplyText = 64 << 10

// maxCandidates is how many objects in a text are looked at.
const maxCandidates = 32

// object is one JSON object of a reply, its keys as they were written.
type object map[string]jsontext.Value

// findObject returns the one JSON object of a reply that is a decision. The
// text may have a fence or prose around it and the small faults that models
// make in JSON; two different decisions are one too many.
func findObject(text string) (object, error) {
	switch text = strings.ToValidUTF8(text, "\uFFFD"); {
	case strings.TrimSpace(text) == "":
		return nil, badReply("it is empty")
	case len(text) > maxReplyText:
		return nil, badReply("it is longer than %d bytes", maxReplyText)
	}
	objects, openEnded := objectSpans(unquote(text))
	var found object
	var first error
	var kept []byte
	for _, s := range objects {
		o, raw, err := parseObject(s)
		switch {
		case err != nil:
			if first == nil {
				first = err
			}
		case !looksLikeDecision(o):
		case found != nil && !bytes.Equal(kept, raw):
			return nil, badReply("it holds more than one decision")
		default:
			found, kept = o, raw
		}
	}
	switch {
	case found != nil:
		return found, nil
	case first != nil:
		return nil, badReply("its JSON cannot be read: %v", first)
	case openEnded:
		return nil, badReply("its JSON breaks off before the end")
	case len(objects) > 0:
		return nil, badReply("its JSON is not a decision: %s is missing", fieldKind)
	}
	return nil, badReply("it holds no JSON object")
}

// looksLikeDecision tells a decision from other objects, such as an example
// in the prose around it.
func looksLikeDecision(o object) bool {
	for key := range o {
		switch canonical[squash(key)] {
		case fieldKind, fieldNestedAction, fieldMonologue:
			return true
		}
	}
	return false
}

// parseObject reads one object, as it stands or else mended. raw is its
// canonical form.
func parseObject(text string) (o object, raw []byte, err error) {
	value := jsontext.Value(text)
	if o, err = readObject(value); err != nil {
		value = jsontext.Value(mend(text))
		if o, err = readObject(value); err != nil {
			return nil, nil, err
		}
	}
	raw = bytes.Clone(value)
	if err := (*jsontext.Value)(&raw).Canonicalize(); err != nil {
		return nil, nil, err
	}
	return o, raw, nil
}

func readObject(value jsontext.Value) (o object, err error) {
	return o, json.Unmarshal(value, &o)
}

// unquote takes a reply out of the one JSON string that some models wrap it
// in.
func unquote(text string) string {
	var inner string
	if trimmed := strings.TrimSpace(text); trimmed[0] == '"' && json.Unmarshal([]byte(trimmed), &inner) == nil {
		return inner
	}
	return text
}

// span is where an object stands in a text.
type span struct{ from, to int }

// objectSpans finds the objects in a text in one pass. Those that enclose
// others come alone, but where a brace in the prose is never closed, what
// closes within it comes. openEnded is true when an object was begun and not
// ended.
func objectSpans(text string) (objects []string, openEnded bool) {
	var spans []span
	var opened []int
	quoted, escaped := false, false
	for i := range len(text) {
		c := text[i]
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = len(opened) > 0 // quotes of the prose begin no string
		case c == '{':
			opened = append(opened, i)
		case c == '}' && len(opened) > 0:
			from := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			spans = append(dropWithin(spans, from), span{from, i + 1})
		}
	}
	for _, s := range spans[:min(len(spans), maxCandidates)] {
		objects = append(objects, text[s.from:s.to])
	}
	return objects, len(opened) > 0
}

// dropWithin removes the spans that an object from there on encloses.
func dropWithin(spans []span, from int) []span {
	for len(spans) > 0 && spans[len(spans)-1].from > from {
		spans = spans[:len(spans)-1]
	}
	return spans
}
