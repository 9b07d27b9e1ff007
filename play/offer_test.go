package play_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/play"
)

// field is an overworld in which he can walk.
func field() emu.State {
	return emu.State{
		Scene: emu.Scene{Mode: emu.ModeOverworld, InputReady: true},
		Overworld: &emu.Overworld{
			InputReady: true, Grid: &emu.Grid{Width: 1, Height: 1, Blocks: make([]emu.Block, 1)}, Exits: &emu.Exits{},
		},
	}
}

func changed(s emu.State, change func(*emu.State)) emu.State {
	if s.Overworld != nil {
		o := *s.Overworld
		s.Overworld = &o
	}
	change(&s)
	return s
}

func menu(id string, prompt []string, entries ...string) *emu.Menu {
	m := &emu.Menu{ID: id, Prompt: prompt}
	for _, e := range entries {
		m.Entries = append(m.Entries, emu.MenuEntry{ID: e, Label: e})
	}
	return m
}

func open(offers []play.Offer) []string {
	var names []string
	for _, o := range offers {
		if o.Open {
			names = append(names, strings.TrimSuffix(string(o.Kind), "_checkpoint"))
		}
	}
	return names
}

func TestOfferedActions(t *testing.T) {
	raw := []string{"button_press", "frame_advance"}
	tests := []struct {
		name  string
		state emu.State
		want  []string // beside the raw ones
	}{
		{"nothing decoded", emu.State{}, nil},
		{"title", emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown, InputReady: true}}, nil},
		{"field", field(), []string{"walk_to"}},
		{"field held by a script", changed(field(), func(s *emu.State) {
			s.Scene.InputReady, s.Overworld.InputReady = false, false
		}), []string{"advance_dialog"}},
		{"map not read", changed(field(), func(s *emu.State) { s.Overworld.Grid = nil }), nil},
		{"exits not read", changed(field(), func(s *emu.State) { s.Overworld.Exits = nil }), nil},
		{"text box", changed(field(), func(s *emu.State) {
			s.Scene.Mode, s.Scene.InputReady, s.Dialog = emu.ModeDialog, false, &emu.Dialog{}
		}), []string{"advance_dialog"}},
		{"text that waits", changed(field(), func(s *emu.State) {
			s.Scene.Mode, s.Dialog = emu.ModeDialog, &emu.Dialog{Waiting: true}
		}), []string{"advance_dialog"}},
		{"start menu", changed(field(), func(s *emu.State) {
			s.Scene.Mode, s.Menu = emu.ModeMenu, menu("start-menu", nil, "bag", "exit")
		}), []string{"select_menu_entry"}},
		{"question under a text", changed(field(), func(s *emu.State) {
			s.Scene.Mode, s.Dialog, s.Menu = emu.ModeDialog, &emu.Dialog{}, menu("yes-no", []string{"Take it?"}, "yes", "no")
		}), []string{"advance_dialog", "select_menu_entry"}},
		{"menu without entries", changed(field(), func(s *emu.State) {
			s.Scene.Mode, s.Menu = emu.ModeMenu, menu("help-system", nil)
		}), nil},
		{"naming", emu.State{
			Scene: emu.Scene{Mode: emu.ModeNaming}, Naming: &emu.Naming{}, Menu: menu("naming-screen", nil, "typed-text"),
		}, []string{"enter_text"}},
		{"battle tells", changed(field(), func(s *emu.State) {
			s.Scene.Mode, s.Scene.InputReady, s.Battle = emu.ModeBattle, false, &emu.Battle{Prompt: emu.PromptNone}
		}), []string{"advance_dialog"}},
		{"battle asks", changed(field(), func(s *emu.State) {
			s.Scene.Mode = emu.ModeBattle
			s.Battle, s.Menu = &emu.Battle{Prompt: emu.PromptAction}, menu("battle-action-menu", nil, "fight", "run")
		}), []string{"select_menu_entry"}},
		{"torn", emu.State{Scene: emu.Scene{Mode: emu.ModeOverworld, InputReady: true}, Torn: true}, []string{"advance_dialog"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := open(play.OfferedActions(test.state, false))
			if diff := cmp.Diff(append(slices.Clone(raw), test.want...), got); diff != "" {
				t.Errorf("offered (-want +got):\n%s", diff)
			}
			with := open(play.OfferedActions(test.state, true))
			if diff := cmp.Diff(append(got, "save", "load", "restart_game"), with); diff != "" {
				t.Errorf("with a port (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryActionIsOfferedOrSaysWhyNot(t *testing.T) {
	offers := play.OfferedActions(emu.State{}, false)
	if len(offers) != 9 {
		t.Fatalf("%d offers, want one for each of nine actions", len(offers))
	}
	for _, o := range offers {
		if o.Open == (o.Why != "") {
			t.Errorf("%s: open %v, why %q", o.Kind, o.Open, o.Why)
		}
	}
}

func TestWithholdLeavesTheOffersAsTheyWere(t *testing.T) {
	offers := play.OfferedActions(field(), true)
	fewer := play.Withhold(offers, emu.ActionWalkTo, "it led nowhere five times")
	if slices.Contains(open(fewer), "walk_to") || !slices.Contains(open(offers), "walk_to") {
		t.Error("only the copy must lack walk_to")
	}
	again := play.Withhold(fewer, emu.ActionWalkTo, "another reason")
	if diff := cmp.Diff(fewer, again); diff != "" {
		t.Errorf("the first reason must stand:\n%s", diff)
	}
}

func TestWithholdingOneActionLeavesTheOtherWays(t *testing.T) {
	offers := play.OfferedActions(field(), true)
	up := play.WithholdAction(offers, emu.Press(emu.ButtonUp, 16), "it changed nothing")
	if !slices.Contains(open(up), "button_press") || up[0].Except != "press up (16): it changed nothing" || offers[0].Except != "" {
		t.Errorf("presses are offered as %+v, were as %+v", up[0], offers[0])
	}
	again := play.WithholdAction(offers, emu.Action{Kind: emu.ActionRestartGame}, "it changed nothing")
	if slices.Contains(open(again), "restart_game") {
		t.Error("what can be done in one way only is still offered")
	}
}
