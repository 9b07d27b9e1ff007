package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

const (
	ramDigest     = emu.Digest("1111111111111111111111111111111111111111111111111111111111111111")
	pictureDigest = emu.Digest("2222222222222222222222222222222222222222222222222222222222222222")
)

func inputOf(s emu.State) emu.ObservationInput {
	return emu.ObservationInput{
		State: s, Frame: 77, SessionID: "gba-free-play:x:v1:run 1", Speaker: "toy",
		RAM:     func() emu.Digest { return ramDigest },
		Picture: func() emu.Digest { return pictureDigest },
	}
}

// fieldState is a field in which everything was read.
func fieldState() emu.State {
	elevation, metatile, south := 3, 17, emu.South
	tile := emu.Tile{X: 10, Y: 9, Passable: true, Elevation: &elevation, MetatileID: &metatile}
	off := emu.Tile{X: 9, Y: -1}
	return emu.State{
		Scene: emu.Scene{Mode: emu.ModeOverworld, Screen: "overworld", InputReady: true},
		Overworld: &emu.Overworld{
			Position: emu.Position{MapID: "toy-map-1-2", X: 10, Y: 10}, Facing: emu.North, InputReady: true,
			Grid:         &emu.Grid{Width: 4, Height: 3, Blocks: make([]emu.Block, 12)},
			Surroundings: &emu.Surroundings{North: tile, East: tile, South: tile, West: off, Ahead: tile},
			Size:         &emu.MapSize{Width: 4, Height: 3},
			Minimap:      &emu.Minimap{TopLeft: emu.Point{X: 7, Y: 7}, Rows: []string{"....", "#.D#", "..@o"}},
			Occupants:    []emu.Occupant{{LocalID: 1, GraphicsID: 2, X: 11, Y: 10, Facing: &south}, {LocalID: 2, X: 7, Y: 7}},
			Exits: &emu.Exits{
				Warps:       []emu.Warp{{X: 9, Y: 8, DestinationID: "toy-map-1-3"}},
				Connections: []emu.Connection{{Direction: emu.East, DestinationID: "toy-map-3-1", Open: []int{8}}},
			},
		},
	}
}

func battleState() emu.State {
	return emu.State{
		Scene: emu.Scene{Mode: emu.ModeBattle, InputReady: true},
		Party: &emu.Party{Members: []emu.Creature{{Species: 1, SpeciesID: "toy-species-1", Level: 5, HP: 9, MaxHP: 20}}},
		Battle: &emu.Battle{
			ID: "toy-abc-1", Turn: 3, Prompt: emu.PromptMove, MoveCursor: 2,
			LegalMoves: []emu.LegalMove{{Slot: 0, MoveID: "toy-move-33", Power: 35}, {Slot: 2, MoveID: "toy-move-45"}},
			Battlers: []emu.Battler{
				{Index: 0, Side: "player", SpeciesID: "toy-species-1", Level: 5, HP: 9, MaxHP: 20},
				{Index: 1, Side: "opponent", SpeciesID: "toy-species-7", Level: 4, HP: 0, MaxHP: 15},
			},
		},
	}
}

func with(s emu.State, change func(*emu.State)) emu.State {
	change(&s)
	return s
}

func TestObservationShapes(t *testing.T) {
	tile := `{"x":10,"y":9,"passable":true,"elevation":3,"metatileId":17}`
	dialog := fieldState()
	dialog.Scene.Mode = emu.ModeDialog
	dialog.Dialog = &emu.Dialog{Lines: []string{"Hello", "there"}, Waiting: true}
	tests := []struct {
		name  string
		kind  emu.ObservationKind
		state emu.State
		want  string
	}{
		{"overworld", emu.ObserveOverworld, fieldState(), `{
			"position":{"mapId":"toy-map-1-2","x":10,"y":10},"facing":"north",
			"surroundings":{"north":` + tile + `,"east":` + tile + `,"south":` + tile + `,
				"west":{"x":9,"y":-1,"passable":false,"elevation":null,"metatileId":null},"ahead":` + tile + `},
			"mapSize":{"width":4,"height":3},
			"minimap":{"topLeft":{"x":7,"y":7},"rows":["....","#.D#","..@o"]},
			"occupants":[{"localId":1,"graphicsId":2,"x":11,"y":10,"facing":"south"},{"localId":2,"graphicsId":0,"x":7,"y":7,"facing":null}],
			"exits":{"warps":[{"x":9,"y":8,"destination":"toy-map-1-3"}],"connections":[{"direction":"east","destination":"toy-map-3-1"}]},
			"ramStateSha256":"` + string(ramDigest) + `"}`},
		{
			"an overworld of which only the place was read", emu.ObserveOverworld,
			with(fieldState(), func(s *emu.State) {
				s.Overworld = &emu.Overworld{Position: s.Overworld.Position, Facing: emu.West}
			}),
			`{"position":{"mapId":"toy-map-1-2","x":10,"y":10},"facing":"west","ramStateSha256":"` + string(ramDigest) + `"}`,
		},
		{
			"an overworld with nobody and no way out, and the player off the map", emu.ObserveOverworld,
			with(fieldState(), func(s *emu.State) {
				s.Overworld = &emu.Overworld{
					Position: s.Overworld.Position, Facing: emu.West, Grid: s.Overworld.Grid,
					Occupants: []emu.Occupant{}, Exits: &emu.Exits{},
				}
			}),
			`{"position":{"mapId":"toy-map-1-2","x":10,"y":10},"facing":"west","minimap":null,"occupants":[],
			"exits":{"warps":[],"connections":[]},"ramStateSha256":"` + string(ramDigest) + `"}`,
		},
		{
			"party without what the shape cannot tell", emu.ObserveParty,
			with(fieldState(), func(s *emu.State) {
				s.Party = &emu.Party{ActiveSlot: 2, Members: []emu.Creature{
					{Slot: 0, Egg: true, Nickname: "EGG"},
					{Slot: 1, BadEgg: true},
					{Slot: 2, SpeciesID: "toy-species-4", Level: 7, HP: 3, MaxHP: 22},
					{Slot: 3, SpeciesID: "toy-species-4", Level: 100, MaxHP: 1},
				}}
			}),
			`{"activeSlot":2,"members":[
				{"slot":2,"speciesId":"toy-species-4","level":7,"currentHp":3,"maxHp":22,"status":"healthy"},
				{"slot":3,"speciesId":"toy-species-4","level":100,"currentHp":0,"maxHp":1,"status":"fainted"}]}`,
		},
		{
			"an empty party", emu.ObserveParty,
			with(fieldState(), func(s *emu.State) { s.Party = &emu.Party{} }),
			`{"activeSlot":0,"members":[]}`,
		},
		{
			"inventory", emu.ObserveInventory,
			with(fieldState(), func(s *emu.State) {
				s.Inventory = &emu.Inventory{Items: []emu.Item{{Pocket: "berries", ID: 133, ItemID: "toy-item-133", Name: "x", Count: 2}}}
			}),
			`{"items":[{"pocket":"berries","itemId":"toy-item-133","count":2}]}`,
		},
		{"an empty bag", emu.ObserveInventory, with(fieldState(), func(s *emu.State) { s.Inventory = &emu.Inventory{} }), `{"items":[]}`},
		{
			"battle", emu.ObserveBattle, battleState(),
			`{"battleId":"toy-abc-1","turn":3,"phase":"awaiting_input",
			"opponent":{"speciesId":"toy-species-7","level":4,"currentHp":0,"maxHp":15},"activePartySlot":0,"moveCursor":2,
			"legalMoves":[{"moveId":"toy-move-33","power":35},{"moveId":"toy-move-45","power":0}],"untrusted":true}`,
		},
		{"dialog", emu.ObserveDialog, dialog, `{"speaker":"toy","lines":["Hello","there"],"lineIndex":0,"untrusted":true}`},
		{
			"a dialog with a question's menu beside it", emu.ObserveDialog,
			with(dialog, func(s *emu.State) { s.Scene.Mode = emu.ModeMenu }),
			`{"speaker":"toy","lines":["Hello","there"],"lineIndex":0,"untrusted":true}`,
		},
		{"scene", emu.ObserveScene, dialog, `{"mode":"dialog","inputReady":true,"waitingForDialogAdvance":false}`},
		{"the scene of an undecoded frame", emu.ObserveScene, emu.State{}, `{"mode":"unknown","inputReady":false,"waitingForDialogAdvance":false}`},
		{
			"frame reference", emu.ObserveFrameReference,
			emu.State{},
			`{"artifactId":"gba-free-play:x:v1:run 1:frame:77","uri":"artifact://gba-free-play:x:v1:run%201/frame/77",
			"framebufferSha256":"` + string(pictureDigest) + `","ramStateSha256":"` + string(ramDigest) + `","summary":"frame 77, unknown"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, refusal := emu.Observe(tt.kind, inputOf(tt.state))
			if refusal != nil {
				t.Fatal(refusal)
			}
			if diff := cmp.Diff(canonicalText(t, tt.want), canonical(t, data)); diff != "" {
				t.Errorf("data (-want +got):\n%s", diff)
			}
		})
	}
}

func canonical(t *testing.T, v any) string {
	t.Helper()
	b, err := emu.CanonicalJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func canonicalText(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := emu.UnmarshalStrict([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return canonical(t, v)
}

func TestObservationRefusals(t *testing.T) {
	tests := []struct {
		name  string
		kind  emu.ObservationKind
		state emu.State
		code  string
	}{
		{"no such kind", "weather", fieldState(), emu.CodeInvalidCommand},
		{"no overworld", emu.ObserveOverworld, with(fieldState(), func(s *emu.State) { s.Overworld = nil }), emu.CodeSemanticUnavailable},
		{"no facing", emu.ObserveOverworld, with(fieldState(), func(s *emu.State) {
			s.Overworld = &emu.Overworld{Position: s.Overworld.Position}
		}), emu.CodeSemanticUnavailable},
		{"no menu", emu.ObserveMenu, fieldState(), emu.CodeMenuNotOpen},
		{"a menu without entries", emu.ObserveMenu, with(fieldState(), func(s *emu.State) { s.Menu = &emu.Menu{ID: "m"} }), emu.CodeMenuNotOpen},
		{"no party read", emu.ObserveParty, fieldState(), emu.CodeSemanticUnavailable},
		{"a party out of bounds", emu.ObserveParty, with(fieldState(), func(s *emu.State) {
			s.Party = &emu.Party{Members: []emu.Creature{{SpeciesID: "s", Level: 5, HP: 9, MaxHP: 8}}}
		}), emu.CodePartyCorrupt},
		{"no bag read", emu.ObserveInventory, fieldState(), emu.CodeSemanticUnavailable},
		{"no battle", emu.ObserveBattle, fieldState(), emu.CodeBattleNotActive},
		{"a battle without opponent", emu.ObserveBattle, with(battleState(), func(s *emu.State) {
			s.Battle = &emu.Battle{ID: "b", LegalMoves: s.Battle.LegalMoves}
		}), emu.CodeBattleCorrupt},
		{"a battler who is not in the party", emu.ObserveBattle, with(battleState(), func(s *emu.State) {
			s.Party = &emu.Party{}
		}), emu.CodePartyCorrupt},
		{"no dialog", emu.ObserveDialog, fieldState(), emu.CodeDialogNotOpen},
		{"text in battle", emu.ObserveDialog, with(battleState(), func(s *emu.State) {
			s.Dialog = &emu.Dialog{Lines: []string{"x"}}
		}), emu.CodeDialogNotOpen},
		{"a box of nine lines", emu.ObserveDialog, with(fieldState(), func(s *emu.State) {
			s.Dialog = &emu.Dialog{Lines: make([]string, 9)}
		}), emu.CodeDialogCorrupt},
		{"no action asked for", emu.ObserveAction, fieldState(), emu.CodeActionIDRequired},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, refusal := emu.Observe(tt.kind, inputOf(tt.state))
			if refusal == nil || refusal.Code != tt.code || data != nil {
				t.Errorf("got %v, %v; want %s", data, refusal, tt.code)
			}
		})
	}
}

func TestAnUndecodedSceneStillTellsItsFrame(t *testing.T) {
	in := inputOf(emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown}})
	in.ActionID = "a"
	in.ActionOf = func(id string) (emu.ActionData, bool) {
		return emu.ActionData{ActionID: id, Status: emu.StatusCompleted}, true
	}
	served := map[emu.ObservationKind]bool{
		emu.ObserveScene: true, emu.ObserveFrameReference: true, emu.ObserveDanger: true, emu.ObserveAction: true,
	}
	for _, kind := range emu.ObservationKinds {
		_, refusal := emu.Observe(kind, in)
		if served[kind] && refusal != nil {
			t.Errorf("%s: %v", kind, refusal)
		}
		if !served[kind] && (refusal == nil || refusal.Code != emu.CodeSemanticUnavailable) {
			t.Errorf("%s: %v, want %s", kind, refusal, emu.CodeSemanticUnavailable)
		}
	}
}

func TestObserveActionUnknown(t *testing.T) {
	in := inputOf(fieldState())
	in.ActionID = "a"
	in.ActionOf = func(string) (emu.ActionData, bool) { return emu.ActionData{}, false }
	if _, refusal := emu.Observe(emu.ObserveAction, in); refusal == nil || refusal.Code != emu.CodeUnknownAction {
		t.Errorf("got %v", refusal)
	}
}

func TestBattlePhases(t *testing.T) {
	tests := []struct {
		mode   emu.Mode
		prompt emu.Prompt
		want   emu.BattlePhase
	}{
		{emu.ModeBattle, emu.PromptNone, emu.PhaseResolving},
		{emu.ModeBattle, emu.PromptAction, emu.PhaseAwaitingInput},
		{emu.ModeBattle, emu.PromptTarget, emu.PhaseAwaitingInput},
		{emu.ModeBattleWon, emu.PromptNone, emu.PhaseWon},
		{emu.ModeBattleLost, emu.PromptAction, emu.PhaseLost},
	}
	for _, tt := range tests {
		s := battleState()
		s.Scene.Mode, s.Battle.Prompt = tt.mode, tt.prompt
		data, refusal := emu.Observe(emu.ObserveBattle, inputOf(s))
		if refusal != nil {
			t.Fatal(refusal)
		}
		if got := data.(emu.BattleData).Phase; got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.mode, tt.prompt, got, tt.want)
		}
	}
}

func TestMenuWindow(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for cursor := range n {
			m := &emu.Menu{ID: "list", Cursor: cursor}
			for i := range n {
				m.Entries = append(m.Entries, emu.MenuEntry{ID: fmt.Sprint("e", i)})
			}
			data, ok := m.Observation()
			if !ok || len(data.Entries) != min(n, 16) {
				t.Fatalf("%d of %d: %t, %d entries", cursor, n, ok, len(data.Entries))
			}
			if got := data.Entries[data.Cursor]; got.ID != fmt.Sprint("e", cursor) || got.Label != got.ID {
				t.Fatalf("%d of %d: the cursor is on %+v", cursor, n, got)
			}
		}
	}
}

func TestBoundsCountUTF16(t *testing.T) {
	d := &emu.Dialog{Lines: []string{strings.Repeat("é", 600), strings.Repeat("😀", 300)}}
	for _, line := range d.StrictLines() {
		if emu.Length(line) != 512 {
			t.Errorf("a line of %d", emu.Length(line))
		}
	}
}

func TestListsAreWholeOrAbsent(t *testing.T) {
	s := fieldState()
	s.Overworld.Occupants = make([]emu.Occupant, 32)
	s.Overworld.Exits = &emu.Exits{Warps: make([]emu.Warp, 33)}
	s.Overworld.Minimap = &emu.Minimap{Rows: make([]string, 33)}
	data, refusal := emu.Observe(emu.ObserveOverworld, inputOf(s))
	if refusal != nil {
		t.Fatal(refusal)
	}
	got := canonical(t, data)
	for _, name := range []string{"occupants", "exits", "minimap"} {
		if strings.Contains(got, name) {
			t.Errorf("%s was cut to fit: %s", name, got)
		}
	}
}

func TestFreePlaySet(t *testing.T) {
	info := emu.BodyInfo{SessionID: "s", CharacterID: "c", WorldID: "w"}
	o := emu.NewObservations(info)
	set := o.FreePlay(inputOf(battleState()))
	var kinds []emu.ObservationKind
	for _, e := range set {
		kinds = append(kinds, e.Kind)
	}
	want := []emu.ObservationKind{emu.ObserveDanger, emu.ObserveScene, emu.ObserveBattle}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Fatalf("kinds (-want +got):\n%s", diff)
	}
	last := set[2]
	last.Data = nil
	if diff := cmp.Diff(emu.Envelope{
		SchemaVersion: 1, ObservationID: "gba-observation-4", SessionID: "s", CharacterID: "c", WorldID: "w",
		CapturedAt: "2026-07-19T00:00:04.000Z", Frame: 77, Kind: emu.ObserveBattle,
	}, last); diff != "" {
		t.Errorf("the third, for which four numbers were used (-want +got):\n%s", diff)
	}
	one, err := emu.CanonicalDigest(emu.NewObservations(info).FreePlay(inputOf(battleState())))
	if err != nil {
		t.Fatal(err)
	}
	if two, _ := emu.CanonicalDigest(set); one != two {
		t.Error("equal observations have two digests")
	}
}

func TestNullish(t *testing.T) {
	type holder struct {
		Minimap emu.Nullish[emu.Minimap] `json:"minimap,omitzero"`
	}
	for _, text := range []string{`{}`, `{"minimap":null}`, `{"minimap":{"topLeft":{"x":1,"y":2},"rows":["@"]}}`} {
		var h holder
		if err := emu.UnmarshalStrict([]byte(text), &h); err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, h); got != canonicalText(t, text) {
			t.Errorf("%s became %s", text, got)
		}
	}
}
