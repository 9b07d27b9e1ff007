package body_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/fixtures"
)

// talkTo walks beside the person of that id and presses A on him.
func talkTo(t *testing.T, b *body.Body, stand emu.Point, d emu.Direction) {
	t.Helper()
	expect(t, completes(t, b, emu.WalkTo(stand.X, stand.Y)), map[string]any{"arrived": true})
	if observe(t, b).State.Overworld.Facing != d {
		act(t, b, emu.Press(d.Button(), 3))
	}
	act(t, b, emu.Press(emu.ButtonA, 4))
}

func read(t *testing.T, out map[string]any, ended string, boxes ...string) {
	t.Helper()
	if out["endedBecause"] != ended {
		t.Errorf("ended because of %v, want %s, in %v", out["endedBecause"], ended, out)
	}
	if diff := cmp.Diff(boxes, out["transcript"]); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
}

func TestCartridgeReadsASignToItsEnd(t *testing.T) {
	b, _ := newCartridge(t)
	talkTo(t, b, emu.Point{X: 1 + 7, Y: 2 + 7}, emu.North)
	open := capture(t, b)
	desk := "A letter lies on the desk:\n“Meet me in Bramble Lane.\nBring your thistle friend. SORREL”\n…SORREL never could wait."

	r := act(t, b, readOn)
	read(t, r.Outcome, "dialog_closed", desk)
	if r.Inputs != 3 || r.Outcome["presses"] != 3 || r.Outcome["framesSpent"] != r.Frames || r.Outcome["mode"] != "overworld" {
		t.Errorf("%d presses, %d frames: %v", r.Inputs, r.Frames, r.Outcome)
	}
	t.Logf("%d frames", r.Frames)
	quiet(t, b)
	refuses(t, b, readOn, emu.FreePlayLimits, emu.CodeDialogNotOpen)

	restore(t, b, open)
	out := completesWithin(t, b, readOn, within(1, 1800))
	read(t, out, "input_bound_reached", desk)
	if out["dialogLines"] == nil {
		t.Errorf("the open box is not told: %v", out)
	}
	for _, frames := range []int{1, 30, 100} {
		restore(t, b, open)
		read(t, completesWithin(t, b, readOn, within(64, frames)), "frame_bound_reached", desk)
	}
}

// TestCartridgeReadsToAChoice talks to somebody who asks, answers, and reads
// on through what follows.
func TestCartridgeReadsToAChoice(t *testing.T) {
	b, _ := newCartridge(t)
	stairs := observe(t, b).State.Overworld.Exits.Warps[0]
	completes(t, b, emu.WalkTo(stairs.X, stairs.Y))
	talkTo(t, b, emu.Point{X: 7 + 7, Y: 6 + 7}, emu.North)
	asked := "MOTHER: " + observe(t, b).State.Trainer.Name + ", you are up!\nSORREL ran up the lane at dawn\nand shouted for you.\nShall your creatures rest first?"

	out := completes(t, b, readOn)
	read(t, out, "choice_open", asked)
	if menu, ok := out["menu"].(emu.MenuData); !ok || menu.MenuID != "yes-no" {
		t.Fatalf("no choice: %v", out)
	}
	open := capture(t, b)
	again := completes(t, b, readOn)
	read(t, again, "choice_open", asked)
	expect(t, again, map[string]any{"presses": 0, "framesSpent": 8})

	out = completes(t, b, choose("no"))
	expect(t, out, map[string]any{"confirmed": true, "endedBecause": "selected", "presses": 2, "label": "No", "menuId": "yes-no"})
	read(t, completes(t, b, readOn), "dialog_closed", "All right. The soup will keep.")

	restore(t, b, open)
	completes(t, b, choose("yes"))
	read(t, completes(t, b, readOn), "dialog_closed", "There. Fresh as dew.\nBe home for supper!")
}

// TestCartridgeReadsThroughABattle fights the rival with composite actions
// alone.
func TestCartridgeReadsThroughABattle(t *testing.T) {
	b := bootCartridge(t, beforeRival)
	talkTo(t, b, emu.Point{X: 10 + 7, Y: 14 + 7}, emu.North)
	expect(t, completes(t, b, readOn), map[string]any{"endedBecause": "choice_open"})
	completes(t, b, choose("yes"))
	out := completes(t, b, readOn)
	expect(t, out, map[string]any{"endedBecause": "battle_started", "mode": "battle"})
	opening := strings.Join(out["transcript"].([]string), "\n")
	if !strings.Contains(opening, "Ha! Here we come!") || !strings.Contains(opening, "CINDRIL") {
		t.Errorf("transcript %q", opening)
	}
	refuses(t, b, readOn, emu.FreePlayLimits, emu.CodeDialogNotOpen)

	turns := 0
	for out["endedBecause"] != "battle_ended" && turns < 20 {
		turns++
		expect(t, completes(t, b, choose("fight")), map[string]any{"confirmed": true})
		move := observe(t, b).State.Menu.Entries[0].ID
		expect(t, completes(t, b, choose(move)), map[string]any{"confirmed": true})
		out = completes(t, b, readOn)
		if len(out["transcript"].([]string)) == 0 {
			t.Errorf("turn %d told nothing", turns)
		}
		if reason := out["endedBecause"]; reason != "choice_open" && reason != "battle_ended" {
			t.Fatalf("turn %d ended because of %v", turns, out)
		}
	}
	if turns < 2 || turns == 20 || out["mode"] != "overworld" {
		t.Errorf("%d turns, then %v", turns, out)
	}
	last := strings.Join(out["transcript"].([]string), "\n")
	if !strings.Contains(last, "Fine. The gap is yours.") {
		t.Errorf("his last words are missing: %q", last)
	}
}

// TestCartridgeWaitsForAScript looks on while a script without words ends: the
// way through the stairs.
func TestCartridgeWaitsForAScript(t *testing.T) {
	b, _ := newCartridge(t)
	stairs := observe(t, b).State.Overworld.Exits.Warps[0]
	completes(t, b, emu.WalkTo(stairs.X, stairs.Y+1))
	beside := capture(t, b)
	for frames := 20; observe(t, b).State.Scene.Mode != emu.ModeCutscene; frames += 2 {
		restore(t, b, beside)
		if frames > 120 {
			t.Fatal("the way through is never under way")
		}
		actWithin(t, b, emu.WalkTo(stairs.X, stairs.Y), within(64, frames))
	}
	early := capture(t, b)
	read(t, completesWithin(t, b, readOn, within(64, 6)), "script_holding")
	restore(t, b, early)
	read(t, completes(t, b, readOn), "script_released")
	if at := place(t, b); at.MapID != stairs.DestinationID {
		t.Errorf("at %v", at)
	}
}

// TestCartridgeTextThatNoPressMoves is a box that stays as it is: it asks
// something that is not decoded.
func TestCartridgeTextThatNoPressMoves(t *testing.T) {
	b := bootSeen(t, fixtures.DefaultID, func(s emu.State) emu.State {
		s.Scene = emu.Scene{Mode: emu.ModeDialog, Screen: "dialog", WaitingForDialogAdvance: true}
		s.Dialog = &emu.Dialog{Lines: []string{"How many?"}, Waiting: true, Progress: 7}
		return s
	})
	out := completes(t, b, readOn)
	read(t, out, "choice_unlisted", "How many?")
	expect(t, out, map[string]any{"presses": 1})
}

// TestCartridgeHeldForGood is a script that never lets go: six hundred frames
// are enough to see it.
func TestCartridgeHeldForGood(t *testing.T) {
	b := bootSeen(t, fixtures.DefaultID, func(s emu.State) emu.State {
		s.Scene = emu.Scene{Mode: emu.ModeCutscene, Screen: "cutscene"}
		return s
	})
	r := act(t, b, readOn)
	read(t, r.Outcome, "script_holding")
	if r.Inputs != 0 || r.Frames != 600 {
		t.Errorf("%d presses in %d frames", r.Inputs, r.Frames)
	}
}

// beatRival opens the way through the lane.
func beatRival(t *testing.T, b *body.Body) {
	t.Helper()
	talkTo(t, b, emu.Point{X: 10 + 7, Y: 14 + 7}, emu.North)
	for range 60 {
		s := observe(t, b).State
		switch {
		case s.Menu == nil && s.Scene.Mode == emu.ModeOverworld && s.Scene.InputReady:
			return
		case s.Menu == nil:
			completes(t, b, readOn)
		default:
			completes(t, b, choose(s.Menu.Entries[0].ID))
		}
	}
	t.Fatal("the rival stands")
}
