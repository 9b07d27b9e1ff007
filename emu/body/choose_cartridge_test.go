package body_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/fixtures"
)

func menuOf(t testing.TB, b *body.Body) emu.Menu {
	t.Helper()
	m := observe(t, b).State.Menu
	if m == nil {
		t.Fatalf("no menu is open: %+v", observe(t, b).State.Scene)
	}
	return *m
}

// TestCartridgeChoosesFromTheStartMenu takes each entry from each place of the
// cursor.
func TestCartridgeChoosesFromTheStartMenu(t *testing.T) {
	b, _ := newCartridge(t)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	opened := capture(t, b)
	m := menuOf(t, b)
	for from := range m.Entries {
		for i, e := range m.Entries {
			restore(t, b, opened)
			act(t, b, burst(emu.ButtonDown, 4, max(from, 1)))
			if from == 0 {
				act(t, b, emu.Press(emu.ButtonUp, 4))
			}
			out := completes(t, b, choose(e.ID))
			expect(t, out, map[string]any{
				"menuId": "start-menu", "entryId": e.ID, "label": e.Label, "confirmed": true, "endedBecause": "selected",
				"presses": 1 + max(i-from, from-i),
			})
			if s := observe(t, b).State.Scene; s.Screen == "start_menu" {
				t.Errorf("%s led to %+v", e.ID, s)
			}
		}
	}
}

// TestCartridgeSavesByName answers the questions of the save dialogue.
func TestCartridgeSavesByName(t *testing.T) {
	b, _ := newCartridge(t)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	completes(t, b, choose("save"))
	asked := false
	for range 6 {
		s := observe(t, b).State
		if s.Menu != nil && s.Menu.ID == "yes-no" {
			asked = true
			expect(t, completes(t, b, choose("yes")), map[string]any{"confirmed": true})
			continue
		}
		if s.Scene.InputReady {
			break
		}
		act(t, b, readOn)
	}
	if s := observe(t, b).State; !asked || s.Menu != nil || !s.Scene.InputReady {
		t.Errorf("saving left %+v", s.Scene)
	}
}

// TestCartridgeChoosesInPartyAndBag goes through lists that are screens.
func TestCartridgeChoosesInPartyAndBag(t *testing.T) {
	b, start := newCartridge(t)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	completes(t, b, choose("pokemon"))
	if m := menuOf(t, b); m.ID != "party-menu" {
		t.Fatalf("opened %+v", m)
	}
	expect(t, completes(t, b, choose("party-slot-0")), map[string]any{"confirmed": true, "presses": 1})
	if m := menuOf(t, b); m.ID != "party-actions" {
		t.Fatalf("opened %+v", m)
	}
	actions := capture(t, b)
	completes(t, b, choose("summary"))
	refuses(t, b, readOn, emu.FreePlayLimits, emu.CodeDialogNotOpen) // a screen is no text

	restore(t, b, actions)
	expect(t, completes(t, b, choose("cancel")), map[string]any{"confirmed": true, "menuId": "party-actions"})
	expect(t, completes(t, b, choose("cancel")), map[string]any{"confirmed": true, "menuId": "party-menu", "presses": 2})
	if m := menuOf(t, b); m.ID != "start-menu" {
		t.Fatalf("back at %+v", m)
	}

	restore(t, b, start)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	completes(t, b, choose("bag"))
	m := menuOf(t, b)
	if !strings.HasPrefix(m.ID, "bag-") || len(m.Entries) < 2 {
		t.Fatalf("opened %+v", m)
	}
	expect(t, completes(t, b, choose("cancel")), map[string]any{"confirmed": true, "menuId": m.ID, "presses": len(m.Entries)})
	if m := menuOf(t, b); m.ID != "start-menu" {
		t.Errorf("back at %+v", m)
	}
}

// TestCartridgeChoosesAtTheInn is a list of choices of a script's own.
func TestCartridgeChoosesAtTheInn(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	o := observe(t, b).State.Overworld
	completes(t, b, emu.WalkTo(10+7, emu.MapBorder+o.Grid.Height))
	o = observe(t, b).State.Overworld
	inn := o.Exits.Warps[slices.IndexFunc(o.Exits.Warps, func(w emu.Warp) bool { return w.X == 17+7 })]
	expect(t, completes(t, b, emu.WalkTo(inn.X, inn.Y)), map[string]any{"arrived": true, "warped": true})
	talkTo(t, b, emu.Point{X: 5 + 7, Y: 4 + 7}, emu.North)
	out := completes(t, b, readOn)
	expect(t, out, map[string]any{"endedBecause": "choice_open"})
	m := menuOf(t, b)
	if m.ID != "multichoice" || len(m.Entries) < 3 {
		t.Fatalf("menu %+v", m)
	}
	expect(t, completes(t, b, choose(m.Entries[1].ID)), map[string]any{"confirmed": true, "presses": 2, "label": m.Entries[1].Label})
	out = completes(t, b, readOn)
	expect(t, out, map[string]any{"endedBecause": "dialog_closed"})
	if told := fmt.Sprint(out["transcript"]); !strings.Contains(told, "Chez Zoë") || !strings.Contains(told, "Encore & encore.") {
		t.Errorf("the story is %q", told)
	}
}

// atRival returns a body whose battle asks for an action.
func atRival(t *testing.T) *body.Body {
	t.Helper()
	b := bootCartridge(t, beforeRival)
	talkTo(t, b, emu.Point{X: 10 + 7, Y: 14 + 7}, emu.North)
	completes(t, b, readOn)
	completes(t, b, choose("yes"))
	expect(t, completes(t, b, readOn), map[string]any{"endedBecause": "battle_started"})
	return b
}

func TestCartridgeChoosesInBattle(t *testing.T) {
	b := atRival(t)
	asked := capture(t, b)
	for _, from := range []emu.Button{"", emu.ButtonRight, emu.ButtonDown} {
		for i, e := range menuOf(t, b).Entries {
			if from != "" {
				act(t, b, emu.Press(from, 4))
			}
			m := menuOf(t, b)
			away := (m.Cursor^i)&1 + (m.Cursor^i)>>1&1
			out := completes(t, b, choose(e.ID))
			expect(t, out, map[string]any{"menuId": "battle-action-menu", "confirmed": true, "endedBecause": "selected", "presses": 1 + away})
			restore(t, b, asked)
		}
	}

	completes(t, b, choose("fight"))
	m := menuOf(t, b)
	if m.ID != "battle-move-menu" || len(m.Entries) != 4 {
		t.Fatalf("menu %+v", m)
	}
	moves := capture(t, b)
	for i, e := range m.Entries {
		restore(t, b, moves)
		if strings.HasPrefix(e.ID, "empty-") {
			out := completes(t, b, choose(e.ID))
			expect(t, out, map[string]any{"confirmed": false, "endedBecause": "cursor_stalled"})
			if now := menuOf(t, b); now.ID != m.ID {
				t.Errorf("a stop pressed A: %+v", now)
			}
			continue
		}
		expect(t, completes(t, b, choose(e.ID)), map[string]any{"confirmed": true, "label": e.Label})
		if battle := observe(t, b).State.Battle; battle == nil || battle.Prompt != emu.PromptNone {
			t.Errorf("move %d was not taken", i)
		}
	}
}

// TestCartridgeStopsBeforeAChoice ends short of the entry in every way, and
// never presses A then.
func TestCartridgeStopsBeforeAChoice(t *testing.T) {
	b, _ := newCartridge(t)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	opened := capture(t, b)
	last := menuOf(t, b).Entries[len(menuOf(t, b).Entries)-1]
	stops := func(limits emu.Limits, ended string) {
		t.Helper()
		restore(t, b, opened)
		out := completesWithin(t, b, choose(last.ID), limits)
		expect(t, out, map[string]any{"confirmed": false, "endedBecause": ended})
		if m := menuOf(t, b); m.ID != "start-menu" {
			t.Errorf("it opened %s", m.ID)
		}
	}
	for inputs := 1; inputs <= 3; inputs++ {
		stops(within(inputs, 1800), "input_bound_reached")
	}
	for _, frames := range []int{1, 20, 60} {
		stops(within(64, frames), "frame_bound_reached")
	}
	restore(t, b, opened)
	first := menuOf(t, b).Entries[0]
	expect(t, completesWithin(t, b, choose(first.ID), within(1, 1800)), map[string]any{"confirmed": true, "presses": 1})
}

// TestCartridgeAMenuThatCloses is gone after the first press.
func TestCartridgeAMenuThatCloses(t *testing.T) {
	for _, becomes := range []*emu.Menu{nil, {ID: "another", Entries: []emu.MenuEntry{{ID: "exit"}}}} {
		closing := false
		b := bootSeen(t, fixtures.DefaultID, func(s emu.State) emu.State {
			if s.Menu != nil && s.Menu.Cursor > 0 && closing {
				s.Menu = becomes
			}
			return s
		})
		act(t, b, emu.Press(emu.ButtonStart, 4))
		closing = true
		expect(t, completes(t, b, choose("exit")), map[string]any{"confirmed": false, "endedBecause": "menu_closed", "presses": 1})
	}
}

func TestCartridgeChoosingRefuses(t *testing.T) {
	longBag := false
	b := bootSeen(t, fixtures.DefaultID, func(s emu.State) emu.State {
		if s.Menu != nil && longBag {
			m := emu.Menu{ID: "bag-items", Cursor: 7}
			for i := range 16 {
				m.Entries = append(m.Entries, emu.MenuEntry{ID: fmt.Sprintf("item-%d", i)})
			}
			s.Menu = &m
		}
		return s
	})
	free := emu.FreePlayLimits
	refuses(t, b, choose("bag"), free, emu.CodeMenuNotOpen)
	act(t, b, emu.Press(emu.ButtonStart, 4))
	err := refuses(t, b, choose("potion"), free, emu.CodeMenuEntryNotFound)
	if !strings.Contains(err.Error(), " — it lists pokedex, pokemon, bag,") {
		t.Errorf("what there is is not told: %v", err)
	}
	longBag = true
	b.Idle(t.Context(), 2)
	refuses(t, b, choose("item-20"), free, emu.CodeMenuWindowScrolled)

	refuses(t, namingScreen(t), choose("typed-text"), free, emu.CodeMenuNotNavigable)
}
