package emu_test

import (
	"strings"
	"testing"

	"clankie/emu"
)

type shaped struct {
	Name  string      `json:"name"`
	Maybe *string     `json:"maybe"`
	Later int         `json:"later" strict:"default"`
	Extra *int        `json:"extra,omitzero"`
	Parts []shapePart `json:"parts"`
}

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
