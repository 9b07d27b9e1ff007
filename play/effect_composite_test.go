package play

import (
	"strings"
	"testing"

	"clankie/emu"
)

// standing is an observation of somebody who stands at (9, 12) of a hall.
func standing(change func(*emu.State)) emu.Observed {
	s := emu.State{
		Scene:     emu.Scene{Mode: emu.ModeOverworld, InputReady: true},
		Overworld: &emu.Overworld{Position: emu.Position{MapID: "m", X: 9, Y: 12}, MapName: "HALL", InputReady: true},
	}
	if change != nil {
		change(&s)
	}
	return emu.Observed{State: s}
}

type compositeCase struct {
	name     string
	kind     emu.ActionKind
	outcome  map[string]any
	after    func(*emu.State)
	summary  string
	advice   string
	unjudged bool
}

func (c compositeCase) check(t *testing.T) {
	t.Helper()
	e := judgeOutcome(emu.Action{Kind: c.kind}, c.outcome, standing(nil), standing(c.after))
	if e.Summary != c.summary || e.Advice != c.advice || e.Unjudged != c.unjudged || e.Blocked {
		t.Errorf("%s:\n got %q; %q, unjudged %t\nwant %q; %q, unjudged %t", c.name, e.Summary, e.Advice, e.Unjudged, c.summary, c.advice, c.unjudged)
	}
}

func battleState(s *emu.State) { s.Battle = &emu.Battle{} }

func TestWalkingTellsWhereItEnded(t *testing.T) {
	at := &emu.Point{X: 10, Y: 12}
	for _, c := range []compositeCase{
		{name: "arrived", outcome: map[string]any{"arrived": true, "plannedSteps": 3, "steps": 3}, summary: "arrived at (9,12) after 3 steps"},
		{name: "arrived in a battle", outcome: map[string]any{"arrived": true, "plannedSteps": 1, "steps": 1}, after: battleState, summary: "arrived at (9,12) after 1 step; a battle began"},
		{name: "already there", outcome: map[string]any{"arrived": true, "plannedSteps": 0, "steps": 0}, summary: "already there, at (9,12)", unjudged: true},
		{name: "entered", outcome: map[string]any{"arrived": true, "warped": true, "steps": 4, "plannedSteps": 4}, summary: "entered HALL"},
		{
			name: "battle", outcome: map[string]any{"steps": 2, "plannedSteps": 5, "blockedAt": at, "blockedBecause": "battle"}, after: battleState,
			summary: "walked 2 steps and stopped at (9,12): a battle began",
		},
		{
			name: "transition", outcome: map[string]any{"steps": 2, "plannedSteps": 5, "blockedAt": at, "blockedBecause": "transition"},
			summary: "walked 2 steps and stopped at (9,12): the game took the controls", advice: "advance_dialog reads or waits until they are free",
		},
		{
			name: "somebody", outcome: map[string]any{"steps": 0, "plannedSteps": 5, "blockedAt": at, "blockedBecause": "npc"}, unjudged: true,
			summary: "walked 0 steps and stopped at (9,12): somebody or something is in the way on (10,12)", advice: "the next walk_to goes around it where it can",
		},
		{
			name: "no reason", outcome: map[string]any{"steps": 1, "plannedSteps": 5, "blockedAt": map[string]any{"x": 10.0, "y": 12.0}},
			summary: "walked 1 step and stopped at (9,12): something is in the way on (10,12)",
		},
		{
			name: "limits", outcome: map[string]any{"steps": 8, "plannedSteps": 9, "endedBecause": "input_bound_reached"},
			summary: "walked 8 steps to (9,12), part of the way; the presses for one action are used up", advice: "the same walk_to goes on from there",
		},
		{name: "elsewhere", outcome: map[string]any{"steps": 1, "plannedSteps": 1}, summary: "stopped at (9,12)"},
		{
			name: "not read", outcome: map[string]any{"steps": 1, "plannedSteps": 1}, after: func(s *emu.State) { s.Overworld = nil },
			summary: "walked; where he stands now was not read", unjudged: true,
		},
	} {
		c.kind = emu.ActionWalkTo
		c.check(t)
	}
}

func TestReadingTellsTheTextAndHowItEnded(t *testing.T) {
	text := []string{"First\nbox.", "Second box."}
	for ended, c := range map[string]compositeCase{
		"dialog_closed":       {summary: "read to the end: First box. / Second box."},
		"choice_open":         {summary: "read up to a choice: First box. / Second box.", advice: "select_menu_entry answers it"},
		"battle_started":      {summary: "a battle began: First box. / Second box."},
		"battle_ended":        {summary: "the battle is over, and won: First box. / Second box.", after: func(s *emu.State) { s.Scene.Mode = emu.ModeBattleWon }},
		"script_released":     {summary: "the controls are free again: First box. / Second box."},
		"script_holding":      {summary: "the game still holds the controls and shows no text: First box. / Second box.", advice: "wait, then look again", unjudged: true},
		"input_bound_reached": {summary: "read as far as the presses allow: First box. / Second box.", advice: "advance_dialog reads on"},
		"frame_bound_reached": {summary: "read as far as the frames allow: First box. / Second box.", advice: "advance_dialog reads on"},
		"choice_unlisted":     {summary: "A changes nothing here: First box. / Second box.", advice: "something is asked that is not listed; look at the picture and use buttons", unjudged: true},
		"whatever":            {summary: "reading ended: whatever: First box. / Second box."},
	} {
		c.name, c.kind = ended, emu.ActionAdvanceDialog
		c.outcome = map[string]any{"transcript": text, "endedBecause": ended}
		c.check(t)
	}
	compositeCase{
		name: "no text", kind: emu.ActionAdvanceDialog, summary: "the controls are free again",
		outcome: map[string]any{"transcript": []any{}, "endedBecause": "script_released"},
	}.check(t)
}

// TestLongTextKeepsItsEnd gives a text more than summary and advice hold.
func TestLongTextKeepsItsEnd(t *testing.T) {
	for boxes := range 30 {
		var text []string
		for i := range boxes {
			text = append(text, strings.Repeat("word ", 12)+string(rune('a'+i)))
		}
		text = append(text, "The key is under the mat.")
		for _, ended := range []string{"dialog_closed", "frame_bound_reached"} {
			e := readEffect(compositeOutcome{Transcript: text, EndedBecause: ended}, standing(nil))
			if emu.Length(e.Summary) > MaxEffect || emu.Length(e.Advice) > MaxEffectAdvice {
				t.Errorf("%d boxes: %d and %d long", boxes, emu.Length(e.Summary), emu.Length(e.Advice))
			}
			if all := e.Summary + " " + e.Advice; !strings.Contains(all, "The key is under the mat.") {
				t.Errorf("%d boxes: the end is missing: %q", boxes, all)
			}
		}
	}
}

func TestTypingTellsWhatTheScreenReads(t *testing.T) {
	for ended, c := range map[string]compositeCase{
		"confirmed":            {summary: `named "Rob"`},
		"typed":                {summary: `typed "Rob" without confirming it`, advice: "enter_text with submit confirms it"},
		"screen_closed":        {summary: `the naming screen closed at "Rob"`},
		"input_not_registered": {summary: `the screen did not take the keys; it reads "Rob"`, advice: "look at the picture and use buttons", unjudged: true},
		"input_bound_reached":  {summary: `partially typed: "Rob"; the presses for one action are used up`, advice: "the same enter_text types on from there"},
		"frame_bound_reached":  {summary: `partially typed: "Rob"; the frames for one action are used up`, advice: "the same enter_text types on from there"},
	} {
		c.name, c.kind = ended, emu.ActionEnterText
		c.outcome = map[string]any{"text": "Robin", "typed": "Rob", "endedBecause": ended}
		c.check(t)
	}
}

func TestChoosingTellsWhatWasChosen(t *testing.T) {
	opened := func(s *emu.State) { s.Menu = &emu.Menu{ID: "bag-items"} }
	says := func(s *emu.State) { s.Dialog = &emu.Dialog{Lines: []string{"All", "right."}} }
	for _, c := range []compositeCase{
		{name: "chosen", outcome: map[string]any{"confirmed": true, "endedBecause": "selected"}, summary: "chose Bag of start-menu"},
		{name: "opened", outcome: map[string]any{"confirmed": true, "endedBecause": "selected"}, after: opened, summary: "chose Bag of start-menu; bag-items opened"},
		{name: "text", outcome: map[string]any{"confirmed": true, "endedBecause": "selected"}, after: says, summary: "chose Bag of start-menu; reads: All right."},
		{name: "closed", outcome: map[string]any{"endedBecause": "menu_closed"}, summary: "did not choose Bag: start-menu closed", advice: "look what is open now", unjudged: true},
		{
			name: "stalled", outcome: map[string]any{"endedBecause": "cursor_stalled"}, unjudged: true,
			summary: "did not choose Bag: the cursor does not get there", advice: "it may be empty; choose another entry or use buttons",
		},
		{
			name: "limits", outcome: map[string]any{"endedBecause": "frame_bound_reached"}, unjudged: true,
			summary: "did not choose Bag: the frames for one action are used up", advice: "the same select_menu_entry goes on from there",
		},
	} {
		c.kind = emu.ActionSelectMenuEntry
		c.outcome["menuId"], c.outcome["entryId"], c.outcome["label"] = "start-menu", "bag", "Bag"
		c.check(t)
	}
}

// TestRefusalsSayWhatToDo holds the hints, and the detail behind
// them.
func TestRefusalsSayWhatToDo(t *testing.T) {
	for _, code := range []string{
		emu.CodeDialogNotOpen, emu.CodeWalkNeedsOverworld, emu.CodeNoPath, emu.CodeWalkOutside, emu.CodeWalkImpassable,
		emu.CodeMapGridUnavailable, emu.CodeNamingNotOpen, emu.CodeMenuNotOpen, emu.CodeMenuEntryNotFound,
		emu.CodeMenuNotNavigable, emu.CodeMenuWindowScrolled, "walk_exit_unsupported",
		emu.CodeSemanticUnavailable, emu.CodeInputBound, emu.CodeFrameBound, emu.CodeCapabilityNotGranted, emu.CodeCheckpointsUnavailable,
	} {
		e := rejectedEffect(&emu.Error{Code: code, Message: "the message", Detail: "the detail"})
		if e.Summary != "refused: "+code || !strings.HasSuffix(e.Advice, " — the detail") || strings.Contains(e.Advice, "the message") || !e.Unjudged {
			t.Errorf("%s: %+v", code, e)
		}
	}
	e := rejectedEffect(&emu.Error{Code: emu.CodeUnsupportedCharacter, Message: "the message"})
	if e.Advice != "the message" {
		t.Errorf("a code without a hint shows %q", e.Advice)
	}
}
