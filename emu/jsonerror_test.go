package emu_test

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// TestMisreadJSONIsToldInWords: without those of the library or of Go.
func TestMisreadJSONIsToldInWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "it is empty",
		`{"kind":"a"`:                  "it breaks off after 11 bytes",
		`{`:                            "it breaks off after 1 byte",
		`{"list":[{"n":1`:              "it breaks off after 15 bytes, in list.0",
		"\x00\x00":                     `it is no JSON from byte 0 on: invalid character '\x00' at start of value`,
		`{"kind":"a"} {}`:              `it is no JSON from byte 13 on: invalid character '{' after top-level value`,
		`{"kind":"a","kind":"b"}`:      "kind: is there twice",
		"{\"list\":[{\"\x9b\\n\":1}]}": `it is no JSON from byte 11 on: invalid UTF-8`,
		`{"\u001b[2J":1}`:              " [2J: is not known",
		`{"list":[{"m":1}]}`:           "list.0.m: is not known",
		`[]`:                           "must be an object, not a list",
		`{"kind":1}`:                   "kind: must be a text, not a number",
		`{"list":[{"n":"x"}]}`:         "list.0.n: must be a whole number, not a text",
		`{"list":[{"n":1.5}]}`:         "list.0.n: must be a whole number, not 1.5",
		`{"list":[{"n":1e400}]}`:       "list.0.n: must be a whole number, not 1e400",
		`{"list":{}}`:                  "list: must be a list, not an object",
		`{"on":"yes"}`:                 "on: must be true or false, not a text",
		`{"part":"x"}`:                 "part: must be a number, not a text",
		`{"names":[]}`:                 "names: must be an object, not a list",
		`{"names":{"x":[`:              "it breaks off after 15 bytes, in names.x",
	} {
		var v struct {
			Kind string `json:"kind"`
			List []struct {
				N int `json:"n"`
			} `json:"list"`
			On    bool           `json:"on"`
			Part  float64        `json:"part"`
			Names map[string]int `json:"names"`
		}
		for name, err := range map[string]error{
			"strict": emu.UnmarshalStrict([]byte(in), &v), "complete": emu.UnmarshalComplete([]byte(in), &v),
		} {
			var misread *emu.MisreadError
			if !errors.As(err, &misread) || err.Error() != want {
				t.Errorf("%s, %s: %v, want %s", name, in, err, want)
			}
		}
	}
}

// TestAMisreadPartIsNamedWhole: a type that reads itself knows its own members
// only.
func TestAMisreadPartIsNamedWhole(t *testing.T) {
	if err := emu.UnmarshalPart([]byte(`{"kind":"a","more":[1`), &struct{}{}); err == nil || err.Error() != "it breaks off after 21 bytes, in more" {
		t.Errorf("of a part: %v", err)
	}
	var v struct {
		Part ownPart `json:"part"`
	}
	for in, want := range map[string]string{
		`{"part":{"n":true}}`: "part.n: must be a whole number, not true or false",
		`{"part":{"n":13}}`:   "part: 13 is not liked",
	} {
		if err := emu.UnmarshalStrict([]byte(in), &v); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// ownPart reads itself.
type ownPart struct{ n int }

func (p *ownPart) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var in struct {
		N int `json:"n"`
	}
	if err := emu.UnmarshalStrict(value, &in); err != nil {
		return err
	}
	if p.n = in.N; p.n == 13 {
		return errors.New("13 is not liked")
	}
	return nil
}
