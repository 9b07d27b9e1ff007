package play

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// maxRead is how much of a text that was read an effect carries, in UTF-16
// code units; the oldest boxes are dropped first.
const maxRead = 600

// compositeOutcome holds what an effect tells of a composite action's outcome.
type compositeOutcome struct {
	Transcript     []string   `json:"transcript"`
	EndedBecause   string     `json:"endedBecause"`
	Typed          string     `json:"typed"`
	Confirmed      bool       `json:"confirmed"`
	MenuID         string     `json:"menuId"`
	EntryID        string     `json:"entryId"`
	Label          string     `json:"label"`
	Arrived        bool       `json:"arrived"`
	Warped         bool       `json:"warped"`
	Steps          int        `json:"steps"`
	PlannedSteps   int        `json:"plannedSteps"`
	BlockedAt      *emu.Point `json:"blockedAt"`
	BlockedBecause string     `json:"blockedBecause"`
}

var compositeEffects = map[emu.ActionKind]func(compositeOutcome, emu.Observed) Effect{
	emu.ActionAdvanceDialog:   readEffect,
	emu.ActionEnterText:       typedEffect,
	emu.ActionSelectMenuEntry: chosenEffect,
	emu.ActionWalkTo:          walkedEffect,
}

// judgeOutcome is the effect of an accepted action: a composite one tells by
// its own outcome what it did, any other is judged by the frames before and
// after.
func judgeOutcome(a emu.Action, outcome map[string]any, before, after emu.Observed) Effect {
	if tell, ok := compositeEffects[a.Kind]; ok {
		if o, err := readOutcome(outcome); err == nil {
			return tell(o, after)
		}
	}
	return judge(a, before, after)
}

// readOutcome reads an outcome that a body made or that came over a wire.
func readOutcome(outcome map[string]any) (o compositeOutcome, err error) {
	data, err := json.Marshal(outcome)
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	return o, err
}

// readEndings say how reading ended and, where it helps, what to do next.
var readEndings = map[string][2]string{
	"dialog_closed":       {"read to the end", ""},
	"choice_open":         {"read up to a choice", "select_menu_entry answers it"},
	"battle_started":      {"a battle began", ""},
	"battle_ended":        {"the battle is over", ""},
	"script_released":     {"the controls are free again", ""},
	"script_holding":      {"the game still holds the controls and shows no text", "wait, then look again"},
	"input_bound_reached": {"read as far as the presses allow", "advance_dialog reads on"},
	"frame_bound_reached": {"read as far as the frames allow", "advance_dialog reads on"},
	"choice_unlisted":     {"A changes nothing here", "something is asked that is not listed; look at the picture and use buttons"},
}

func readEffect(o compositeOutcome, after emu.Observed) Effect {
	how, ok := readEndings[o.EndedBecause]
	if !ok {
		how[0] = "reading ended: " + emu.Clean(o.EndedBecause)
	}
	e := told(how[0]+wonOrLost(after), recentText(o.Transcript), how[1])
	e.Unjudged = o.EndedBecause == "script_holding" || o.EndedBecause == "choice_unlisted"
	return e
}

func wonOrLost(after emu.Observed) string {
	switch after.State.Scene.Mode {
	case emu.ModeBattleWon:
		return ", and won"
	case emu.ModeBattleLost:
		return ", and lost"
	}
	return ""
}

// recentText joins the newest boxes of a transcript.
func recentText(boxes []string) string {
	text := ""
	for i := len(boxes) - 1; i >= 0; i-- {
		box := emu.Clean(strings.ReplaceAll(boxes[i], "\n", " "))
		if text != "" {
			box += " / " + text
		}
		if emu.Length(box) > maxRead {
			break
		}
		text = box
	}
	return text
}

// told is an effect whose text goes on in its advice where the summary is
// full. The end of a text is what decisions hang on: its beginning gives way.
func told(head, text, advice string) Effect {
	if text == "" {
		return effect(head, advice)
	}
	head += ": "
	if advice != "" {
		advice = " (" + advice + ")"
	}
	room := MaxEffect - emu.Length(head)
	if emu.Length(text) <= room {
		return effect(head+text, strings.Trim(advice, " ()"))
	}
	text = endOf(text, room+MaxEffectAdvice-emu.Length(advice))
	first := emu.Clip(text, room)
	if cut := strings.LastIndexByte(first, ' '); cut > 0 {
		first = first[:cut]
	}
	return effect(head+first, strings.TrimSpace(text[len(first):])+advice)
}

// endOf is the end of a text, from a word on, with a mark where it was cut.
func endOf(text string, limit int) string {
	if emu.Length(text) <= limit {
		return text
	}
	words := strings.Fields(text)
	for len(words) > 1 && emu.Length("… "+strings.Join(words, " ")) > limit {
		words = words[1:]
	}
	return "… " + strings.Join(words, " ")
}

func typedEffect(o compositeOutcome, _ emu.Observed) Effect {
	typed := fmt.Sprintf("%q", emu.Clean(o.Typed))
	switch o.EndedBecause {
	case "confirmed":
		return effect("named "+typed, "")
	case "typed":
		return effect("typed "+typed+" without confirming it", "enter_text with submit confirms it")
	case "screen_closed":
		return effect("the naming screen closed at "+typed, "")
	case "input_not_registered":
		return unjudged("the screen did not take the keys; it reads "+typed, "look at the picture and use buttons")
	}
	return effect("partially typed: "+typed+"; "+boundText(o.EndedBecause), "the same enter_text types on from there")
}

// boundText says which limit ended an action.
func boundText(ended string) string {
	switch ended {
	case "input_bound_reached":
		return "the presses for one action are used up"
	case "frame_bound_reached":
		return "the frames for one action are used up"
	}
	return "ended: " + emu.Clean(ended)
}

func chosenEffect(o compositeOutcome, after emu.Observed) Effect {
	label := emu.Clean(o.Label)
	if label == "" {
		label = emu.Clean(o.EntryID)
	}
	if o.Confirmed {
		return effect("chose "+label+" of "+emu.Clean(o.MenuID)+whatOpened(o, after), "")
	}
	s := "did not choose " + label + ": "
	switch o.EndedBecause {
	case "menu_closed":
		return unjudged(s+emu.Clean(o.MenuID)+" closed", "look what is open now")
	case "cursor_stalled":
		return unjudged(s+"the cursor does not get there", "it may be empty; choose another entry or use buttons")
	}
	return unjudged(s+boundText(o.EndedBecause), "the same select_menu_entry goes on from there")
}

// whatOpened says what a choice led to, when that is something to choose or
// read.
func whatOpened(o compositeOutcome, after emu.Observed) string {
	s := after.State
	switch {
	case strings.HasPrefix(o.MenuID, "battle-") && s.Battle != nil && s.Battle.Outcome != 0:
		return "; the battle is over" // he has got away
	case s.Menu != nil && s.Menu.ID != o.MenuID:
		return "; " + emu.Clean(s.Menu.ID) + " opened"
	case s.Dialog != nil && len(s.Dialog.Lines) > 0:
		return "; reads: " + emu.Clean(strings.Join(s.Dialog.Lines, " "))
	}
	return ""
}

func walkedEffect(o compositeOutcome, after emu.Observed) Effect {
	at := after.State.Overworld
	switch {
	case o.BlockedBecause != "" || o.BlockedAt != nil:
		return walkStopped(o, after)
	case o.Warped && at != nil:
		return effect("entered "+PlaceName(at), "")
	case at == nil:
		return unjudged("walked; where he stands now was not read", "")
	case o.EndedBecause != "":
		return effect(fmt.Sprintf("walked %s to (%d,%d), part of the way; %s", steps(o.Steps), at.Position.X, at.Position.Y, boundText(o.EndedBecause)),
			"the same walk_to goes on from there")
	case o.Arrived && o.PlannedSteps == 0:
		return unjudged(fmt.Sprintf("already there, at (%d,%d)", at.Position.X, at.Position.Y), "")
	case o.Arrived:
		return effect(fmt.Sprintf("arrived at (%d,%d) after %s%s", at.Position.X, at.Position.Y, steps(o.Steps), whatBegan(after)), "")
	}
	return effect(fmt.Sprintf("stopped at (%d,%d)", at.Position.X, at.Position.Y), "")
}

func steps(n int) string { return emu.Count(n, "step") }

func whatBegan(after emu.Observed) string {
	switch {
	case after.State.Battle != nil:
		return "; a battle began"
	case after.State.Dialog != nil:
		return "; someone speaks"
	}
	return ""
}

// walkStopped says what a walk was stopped by, and where.
func walkStopped(o compositeOutcome, after emu.Observed) Effect {
	where := ""
	if at := after.State.Overworld; at != nil {
		where = fmt.Sprintf(" at (%d,%d)", at.Position.X, at.Position.Y)
	}
	s := fmt.Sprintf("walked %s and stopped%s: ", steps(o.Steps), where)
	var e Effect
	switch o.BlockedBecause {
	case "battle":
		return effect(s+"a battle began", "")
	case "transition":
		e = effect(s+"the game took the controls"+whatBegan(after), "advance_dialog reads or waits until they are free")
	case "npc":
		e = effect(s+"somebody or something is in the way"+inTheWay(o), "the next walk_to goes around it where it can")
	default:
		e = effect(s+"something is in the way"+inTheWay(o), "")
	}
	e.Unjudged = o.Steps == 0
	return e
}

func inTheWay(o compositeOutcome) string {
	if o.BlockedAt == nil {
		return ""
	}
	return fmt.Sprintf(" on (%d,%d)", o.BlockedAt.X, o.BlockedAt.Y)
}
