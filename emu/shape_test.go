package emu_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

type shaped struct {
	Name  string      `json:"name"`
	Maybe *string     `json:"maybe"`
	Later int         `json:"later" strict:"default"`
	Extra *int        `json:"extra,omitzero"`
	Parts []shapePart `json:"parts"`
	Next  *shaped     `json:"next,omitzero"`
	Own   *ownReader  `json:"own" strict:"default"`
}

// ownReader reads itself, and takes anything.
type ownReader struct {
	X int `json:"x"`
}

func (*ownReader) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return dec.SkipValue() }

type shapePart struct {
	shapeBase `json:",inline"`
	X         int `json:"x"`
}

type shapeBase struct {
	Y int `json:"y"`
}

func TestUnmarshalComplete(t *testing.T) {
	tests := []struct {
		in   string
		want string // part of the error, "" for none
	}{
		{`{"name":"a","maybe":null,"later":1,"extra":2,"parts":[{"x":1,"y":2}]}`, ""},
		{`{"name":"a","maybe":null,"parts":[]}`, ""},
		{`{"maybe":null,"parts":[]}`, "name: missing"},
		{`{"name":null,"maybe":null,"parts":[]}`, "name: must not be null"},
		{`{"name":"a","parts":[]}`, "maybe: missing"},
		{`{"name":"a","maybe":null,"extra":null,"parts":[]}`, "extra: must not be null"},
		{`{"name":"a","maybe":null,"parts":[{"y":1}]}`, "parts.[0].x: missing"},
		{`{"name":"a","maybe":null,"parts":[{"x":1}]}`, "parts.[0].y: missing"},
		{`{"name":"a","maybe":null,"parts":[null]}`, "must not be null"},
		{`{"name":"a","maybe":null,"parts":[],"more":1}`, "more"},
		{`{"name":"a","name":"b","maybe":null,"parts":[]}`, "name"},
		{`null`, "must not be null"},
		{" {\t\"parts\" : [ { \"y\" : 2 , \"x\":1 }\n,{\"x\":3,\"y\":4} ] , \"maybe\" :null,\r\n\"name\":\"a\" } ", ""},
		{`{"\u006eame":"a","maybe":"\"}],{[","parts":[{"x":-1,"\u0079":-0}]}`, ""},
		{`{"\u006eame":null,"maybe":"\\","parts":[]}`, "name: must not be null"},
		{`{"name":"a","maybe":"\\\"","parts":[{"x":1,"y":2},{"x":1}]}`, "parts.[1].y: missing"},
		{`{"name":"a","maybe":null,"parts":[],"next":{"name":"b","maybe":null,"parts":[{"x":1,"y":2}]}}`, ""},
		{`{"name":"a","maybe":null,"parts":[],"next":{"name":"b","maybe":null}}`, "next.parts: missing"},
		{`{"name":"a","maybe":null,"parts":[],"next":null}`, "next: must not be null"},
		{`{"name":"a","maybe":null,"parts":[],"own":null}`, ""},
		{`{"name":"a","maybe":null,"parts":[],"own":{"x":[{}]}}`, ""},
	}
	for _, tt := range tests {
		var v shaped
		err := emu.UnmarshalComplete([]byte(tt.in), &v)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.in, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error %v, want one with %q", tt.in, err, tt.want)
		}
	}
}

// FuzzUnmarshalComplete wants a value that passes to be written so that it
// passes again, and one that the strict reading takes never to break the walk.
func FuzzUnmarshalComplete(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","maybe":null,"later":1,"extra":2,"parts":[{"x":1,"y":2}]}`,
		`{"\u006eame":"\\\"","maybe":"}","parts":[{}],"next":{"name":"b"},"own":[[]]}`,
		` [ null , {} ] `, `"`, `{"parts":[null]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v shaped
		if emu.UnmarshalComplete(data, &v) != nil {
			return
		}
		v.Own = nil
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := emu.UnmarshalComplete(again, new(shaped)); err != nil {
			t.Errorf("%s, written as %s: %v", data, again, err)
		}
	})
}
