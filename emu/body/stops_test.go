package body_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"clankie/emu"
	"clankie/emu/body"
)

// stops are all the ways in which the actions end short of what they were asked
// for, or are refused by what the machine shows: each must have been seen on
// the cartridge by some test of this package.
var stops = map[emu.ActionKind][]string{
	emu.ActionButtonPress:  {emu.CodeFrameBound, emu.CodeInputBound, "frame_bound_reached"},
	emu.ActionFrameAdvance: {emu.CodeFrameBound},
	emu.ActionWalkTo: {
		emu.CodeSemanticUnavailable, emu.CodeMapGridUnavailable, emu.CodeWalkNeedsOverworld, emu.CodeWalkOutside, emu.CodeWalkImpassable,
		emu.CodeNoPath, emu.CodeFrameBound, "npc", "battle", "transition", "input_bound_reached", "frame_bound_reached",
	},
	emu.ActionAdvanceDialog: {
		emu.CodeSemanticUnavailable, emu.CodeDialogNotOpen, "dialog_closed", "choice_open", "battle_started", "battle_ended", "script_released",
		"script_holding", "input_bound_reached", "frame_bound_reached", "choice_unlisted",
	},
	emu.ActionEnterText: {
		emu.CodeSemanticUnavailable, emu.CodeNamingNotOpen, emu.CodeUnsupportedCharacter, "confirmed", "typed", "screen_closed",
		"input_not_registered", "input_bound_reached", "frame_bound_reached",
	},
	emu.ActionSelectMenuEntry: {
		emu.CodeSemanticUnavailable, emu.CodeMenuNotOpen, emu.CodeMenuNotNavigable, emu.CodeMenuWindowScrolled, emu.CodeMenuEntryNotFound,
		"selected", "menu_closed", "cursor_stalled", "input_bound_reached", "frame_bound_reached",
	},
}

// onCartridge are the bodies on the real core with the project's cartridge, and
// ended what their actions ended with.
var onCartridge, ended sync.Map

// noteStop takes in how an action ended.
func noteStop(b *body.Body, kind emu.ActionKind, r emu.ActionResult) {
	if _, real := onCartridge.Load(b); !real {
		return
	}
	if r.Err != nil {
		ended.Store(fmt.Sprint(kind, " ", r.Err.Code), true)
	}
	for _, name := range []string{"endedBecause", "blockedBecause"} {
		if why, ok := r.Outcome[name].(string); ok {
			ended.Store(fmt.Sprint(kind, " ", why), true)
		}
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && everythingRan() {
		code = missingStops()
	}
	os.Exit(code)
}

// everythingRan reports whether no flag left tests out, and the core was there.
func everythingRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	ran := false
	onCartridge.Range(func(any, any) bool {
		ran = true
		return false
	})
	return ran && !testing.Short()
}

func missingStops() (code int) {
	for kind, all := range stops {
		for _, why := range all {
			if _, seen := ended.Load(fmt.Sprint(kind, " ", why)); !seen {
				fmt.Printf("no test saw %s end with %s on the cartridge\n", kind, why)
				code = 1
			}
		}
	}
	ended.Range(func(key, _ any) bool {
		var kind, why string
		if _, err := fmt.Sscan(key.(string), &kind, &why); err != nil || !slices.Contains(stops[emu.ActionKind(kind)], why) {
			fmt.Printf("%v is a way to end that is not on the list\n", key)
			code = 1
		}
		return true
	})
	return code
}
