package emu_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// readers read each kind of JSON of the vocabulary into a new value.
var readers = []func(data []byte) (any, error){
	func(data []byte) (any, error) {
		var a emu.Action
		if err := emu.UnmarshalStrict(data, &a); err != nil {
			return nil, err
		}
		return a, a.Validate()
	},
	complete[emu.OverworldData], complete[emu.MenuData], complete[emu.PartyData], complete[emu.InventoryData],
	complete[emu.BattleData], complete[emu.DialogData], complete[emu.SceneData], complete[emu.FrameReferenceData],
	complete[emu.DangerData], complete[emu.ActionData], complete[emu.Envelope],
}

func complete[T any](data []byte) (any, error) {
	var v T
	err := emu.UnmarshalComplete(data, &v)
	return v, err
}

// FuzzJSON gives anything to whatever reads actions and observations: what one
// accepts, it accepts again as it is written, and the canonical form of that is
// its own.
func FuzzJSON(f *testing.F) {
	for i, seed := range []string{
		`{"kind":"button_press","button":"a","holdFrames":16,"repeat":2}`,
		`{"position":{"mapId":"m","x":7,"y":8},"facing":"north","minimap":null,"occupants":[],"exits":{"warps":[{"x":1,"y":2,"destination":"d"}],"connections":[]},"ramStateSha256":""}`,
		`{"menuId":"start-menu","cursor":0,"entries":[{"id":"start-menu-1","label":"POKEMON"}],"untrusted":true}`,
		`{"activeSlot":0,"members":[{"slot":0,"speciesId":"s","level":5,"currentHp":1,"maxHp":9,"status":"healthy"}]}`,
		`{"items":[{"pocket":"items","itemId":"potion","count":1}]}`,
		`{"battleId":"b","turn":1,"phase":"resolving","opponent":{"speciesId":"s","level":5,"currentHp":1,"maxHp":9},"activePartySlot":0,"moveCursor":0,"legalMoves":[{"moveId":"m","power":40}],"untrusted":true}`,
		`{"speaker":"bramble","lines":["a"],"lineIndex":0,"untrusted":true}`,
		`{"mode":"overworld","inputReady":true,"waitingForDialogAdvance":false}`,
		`{"artifactId":"s:frame:1","uri":"artifact://s/1","framebufferSha256":"","ramStateSha256":"","summary":"x"}`,
		`{"severity":"low","code":"policy_boundary","summary":"s","stateCertain":true}`,
		`{"actionId":"a","status":"completed","summary":"s"}`,
		`{"schemaVersion":1,"observationId":"o","sessionId":"s","characterId":"c","worldId":"w","goalVersion":0,"capturedAt":"2026-07-19T00:00:01.000Z","frame":1,"kind":"scene","data":{}}`,
	} {
		f.Add(byte(i), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		read := readers[int(which)%len(readers)]
		v, err := read(data)
		if err != nil {
			return
		}
		written, err := emu.CanonicalJSON(v)
		if err != nil {
			t.Fatalf("%+v cannot be written: %v", v, err)
		}
		if _, err := read(written); err != nil {
			t.Errorf("accepted, and refused as it is written: %v\n%s", err, written)
		}
		if again, err := emu.CanonicalJSON(jsontext.Value(written)); err != nil || !bytes.Equal(again, written) {
			t.Errorf("the canonical form is another one the second time: %v\n%s\n%s", err, written, again)
		}
	})
}
