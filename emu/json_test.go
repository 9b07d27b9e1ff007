package emu_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func TestCanonicalJSON(t *testing.T) {
	tests := []struct {
		name string
		in   any
		want string
	}{
		{
			"keys compare without case first",
			map[string]any{"b": 1, "A": 2, "a": 3, "B": 4},
			`{"a":3,"A":2,"b":1,"B":4}`,
		},
		{
			"the object where byte order differs",
			map[string]any{"noUnresolvedStallWindow": true, "notRepeatOnly": false},
			`{"notRepeatOnly":false,"noUnresolvedStallWindow":true}`,
		},
		{"arrays keep their order", []any{3, 1, 2}, `[3,1,2]`},
		{"numbers as ECMAScript writes them", []any{1.0, 1.5, 1e21}, `[1,1.5,1e+21]`},
		{"strings are escaped no more than needed", "é<&\u2028\n\"", "\"é<&\u2028\\n\\\"\""},
		{"objects within arrays", []any{map[string]any{"z": nil, "y": []int{}}}, `[{"y":[],"z":null}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := emu.CanonicalJSON(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("canonical form (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnmarshalStrictRefuses(t *testing.T) {
	for _, in := range []string{
		`{"kind":"a","kind":"b"}`, `{"Kind":"a"}`, `{"kind":"a","more":1}`, `{"kind":"a"} {}`,
		"{\"kind\":\"\xff\"}", `{"kind":"a",}`, ``,
	} {
		var v struct {
			Kind string `json:"kind"`
		}
		if err := emu.UnmarshalStrict([]byte(in), &v); err == nil {
			t.Errorf("%q was accepted as %+v", in, v)
		}
	}
}
