package body_test

import (
	"testing"

	"clankie/emu"
	"clankie/emu/body"
)

// atNaming is the state in which the cartridge asks for the player's name.
var atNaming []byte

// namingScreen returns a body whose naming screen is open.
func namingScreen(t *testing.T) *body.Body {
	t.Helper()
	return namingSeen(t, func(s emu.State) emu.State { return s })
}

func namingSeen(t *testing.T, seen func(emu.State) emu.State) *body.Body {
	t.Helper()
	b := bootSeen(t, "bramble-title", seen)
	if atNaming != nil {
		restore(t, b, atNaming)
		return b
	}
	for range 40 {
		if n := observe(t, b).State.Naming; n != nil && !n.Loading {
			atNaming = capture(t, b)
			return b
		}
		act(t, b, emu.Press(emu.ButtonA, 4))
		act(t, b, emu.Advance(30))
	}
	t.Fatal("nobody asks for a name")
	return nil
}

func TestCartridgeTypesANameAndSubmitsIt(t *testing.T) {
	b := namingScreen(t)
	for _, name := range []string{"Zoe-9!x", "A", "robin.", "M N,?/0", "zzzzzzz"} {
		restore(t, b, atNaming)
		r := act(t, b, typeText(name))
		expect(t, r.Outcome, map[string]any{
			"text": name, "typed": name, "submitted": true, "confirmed": true, "endedBecause": "confirmed",
			"presses": r.Inputs, "framesSpent": r.Frames,
		})
		t.Logf("%q: %d presses, %d frames", name, r.Inputs, r.Frames)
		if observe(t, b).State.Naming != nil {
			t.Error("the screen is still open")
		}
	}
	room, _ := newCartridge(t)
	refuses(t, room, typeText("A"), emu.FreePlayLimits, emu.CodeNamingNotOpen)
}

// TestCartridgeTypesOnFromWhatIsThere types without submitting: what is
// already typed stays, what does not belong goes.
func TestCartridgeTypesOnFromWhatIsThere(t *testing.T) {
	b := namingScreen(t)
	restore(t, b, atNaming)
	no := false
	for _, step := range []struct {
		text    string
		presses int // at most
	}{{"Rob", 24}, {"Robin", 24}, {"Robin", 0}, {"Rob", 2}, {"Bo", 16}} {
		out := completes(t, b, emu.Action{Kind: emu.ActionEnterText, Text: step.text, Submit: &no})
		expect(t, out, map[string]any{"typed": step.text, "submitted": false, "confirmed": false, "endedBecause": "typed"})
		if n := out["presses"].(int); n > step.presses {
			t.Errorf("%s took %d presses", step.text, n)
		}
		if typed := observe(t, b).State.Naming.Text; typed != step.text {
			t.Errorf("the screen says %q, want %q", typed, step.text)
		}
	}
	expect(t, completes(t, b, typeText("Bo")), map[string]any{"confirmed": true})
}

func TestCartridgeTypingKnowsTheLimit(t *testing.T) {
	b := namingScreen(t)
	restore(t, b, atNaming)
	err := refuses(t, b, typeText("Clankies"), emu.FreePlayLimits, emu.CodeUnsupportedCharacter)
	if err.Detail != `it takes at most 7 characters, and "Clankies" has 8` {
		t.Errorf("the limit is not told: %v", err)
	}
	expect(t, completes(t, b, typeText("Clankie")), map[string]any{"confirmed": true})
}

func TestCartridgeTypingStopsAtItsLimits(t *testing.T) {
	b := namingScreen(t)
	for inputs := 1; inputs < 20; inputs += 5 {
		restore(t, b, atNaming)
		out := completesWithin(t, b, typeText("Robin"), within(inputs, 1800))
		expect(t, out, map[string]any{"confirmed": false, "endedBecause": "input_bound_reached", "typed": observe(t, b).State.Naming.Text})
	}
	for frames := 1; frames < 400; frames += 60 {
		restore(t, b, atNaming)
		out := completesWithin(t, b, typeText("Robin"), within(64, frames))
		expect(t, out, map[string]any{"confirmed": false, "endedBecause": "frame_bound_reached"})
	}
}

// TestCartridgeTypingThatIsNotTaken is a keyboard that shows no key's effect.
func TestCartridgeTypingThatIsNotTaken(t *testing.T) {
	deaf := false
	b := namingSeen(t, func(s emu.State) emu.State {
		if s.Naming != nil && deaf {
			n := *s.Naming
			n.Text, n.Page, n.Column, n.Row = "", "upper", 0, 0
			s.Naming = &n
		}
		return s
	})
	restore(t, b, atNaming)
	deaf = true
	for _, text := range []string{"A", "B", "H", "a"} {
		out := completes(t, b, typeText(text))
		expect(t, out, map[string]any{"confirmed": false, "endedBecause": "input_not_registered", "presses": 2, "typed": ""})
	}
}

// TestCartridgeTypingSomethingElse is a key that types another character: it
// is taken back once.
func TestCartridgeTypingSomethingElse(t *testing.T) {
	wrong := false
	b := namingSeen(t, func(s emu.State) emu.State {
		if s.Naming != nil && s.Naming.Text != "" && wrong {
			n := *s.Naming
			n.Text = "X"
			s.Naming = &n
		}
		return s
	})
	restore(t, b, atNaming)
	wrong = true
	out := completes(t, b, typeText("A"))
	expect(t, out, map[string]any{"confirmed": false, "endedBecause": "input_not_registered", "presses": 2, "typed": ""})
}

// TestCartridgeTypingOnAScreenThatCloses loses the keyboard under the hands.
func TestCartridgeTypingOnAScreenThatCloses(t *testing.T) {
	closes := false
	b := namingSeen(t, func(s emu.State) emu.State {
		if s.Naming != nil && s.Naming.Text == "Ro" && closes {
			s.Naming, s.Menu = nil, nil
		}
		return s
	})
	restore(t, b, atNaming)
	closes = true
	out := completes(t, b, typeText("Robin"))
	expect(t, out, map[string]any{"confirmed": false, "submitted": false, "endedBecause": "screen_closed", "typed": "R"})
}
