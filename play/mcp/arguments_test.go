package mcp

import (
	"strings"
	"testing"

	"clankie/emu"
)

// TestWrongArgumentsAreNamed: in words for who calls, without those of Go.
func TestWrongArgumentsAreNamed(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"action":{"kind":"walk_to","x":"1"}}`:              `action.x: must be a whole number, not a text`,
		`{"action":{"kind":"walk_to","x":1.5,"y":2}}`:        `action.x: must be a whole number, not 1.5`,
		`{"action":{"kind":"frame_advance","frames":1e400}}`: `action.frames: must be a whole number, not 1e400`,
		`{"action":{"kind":5}}`:                              `action.kind: must be a text, not a number`,
		`{"action":{"kind":"enter_text","submit":"yes"}}`:    `action.submit: must be true or false, not a text`,
		`{"action":"walk"}`:                                  `action: must be an object, not a text`,
		`{"action":{"kind":"walk_to","z":1}}`:                `action.z: there is no such argument`,
		`{"actions":1}`:                                      `actions: there is no such argument`,
		`{"action":{"kind":"a","kind":"b"}}`:                 `action.kind: is there twice`,
		`[]`:                                                 `the arguments: must be an object, not a list`,
		`{}`:                                                 `action: missing`,
		`{"action":null}`:                                    `action: must not be null`,
		`{"action":{"x":1}}`:                                 `action.kind: missing`,
		`{"action":{"kind":"walk_to","x":99999999999999999999}}`: `action.x: must be a whole number, not 99999999999999999999`,
	} {
		var in struct {
			Action emu.Action `json:"action"`
		}
		err := call{arguments: []byte(arguments)}.read(&in)
		if err == nil || err.Error() != emu.CodeInvalidCommand+": "+want {
			t.Errorf("%s: %v, want %s", arguments, err, want)
		}
	}
	var in struct {
		Label string `json:"label,omitzero"`
	}
	err := call{arguments: []byte(`{"label":["a"]}`)}.read(&in)
	if err == nil || strings.Contains(err.Error(), "Go ") || !strings.Contains(err.Error(), "label: must be a text, not a list") {
		t.Error(err)
	}
}
