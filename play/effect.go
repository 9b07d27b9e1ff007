package play

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// Effect is what re-observation showed of an action, in two halves: what
// happened, for everyone, and coaching, for the mind alone.
type Effect struct {
	Summary string // at most 200
	Advice  string // at most 300, may be empty
	// Blocked is true only when a directional press while already facing that
	// way left the player on his tile: the one thing refusal memory learns from.
	Blocked bool
	// Unjudged is true when the effect is no progress worth scoring: blocked,
	// turned, unchanged, rejected.
	Unjudged bool
}

func effect(summary, advice string) Effect {
	return Effect{Summary: emu.Clip(summary, MaxEffect), Advice: emu.Clip(advice, MaxEffectAdvice)}
}

// reportedEffect is what the checkpoint port reported. What does not fit in one
// half stands in the other, and no id is cut in two: it could not be loaded.
func reportedEffect(report string) Effect {
	happened, rest := firstItems(report, MaxEffect)
	more, _ := firstItems(rest, MaxEffectAdvice)
	return effect(happened, more)
}

// firstItems parts a text in two behind the last item that ends within limit.
func firstItems(text string, limit int) (items, rest string) {
	items = emu.Clip(text, limit)
	end := max(strings.LastIndex(items, ", "), strings.LastIndex(items, "; "))
	if items == text || end < 0 {
		return items, ""
	}
	return text[:end], text[end+len(", "):]
}

func unjudged(summary, advice string) Effect {
	e := effect(summary, advice)
	e.Unjudged = true
	return e
}

// rejectedEffect is always the refusal itself, never a difference of pictures.
func rejectedEffect(err *emu.Error) Effect {
	advice := rejectionAdvice[err.Code]
	if advice == "" {
		advice = err.Message
	}
	if err.Detail != "" {
		advice = strings.TrimSpace(advice + " — " + err.Detail)
	}
	return unjudged("refused: "+err.Code, advice)
}

// codeWalkExitUnsupported is a refusal of hosted bodies; those here say it of
// the exit itself.
const codeWalkExitUnsupported = "walk_exit_unsupported"

// rejectionAdvice says, for refusals with a known way out, what to do instead.
var rejectionAdvice = map[string]string{
	emu.CodeSemanticUnavailable:  "this screen is not decoded; plain button presses still work",
	emu.CodeInputBound:           "too many presses for one action; use a smaller repeat",
	emu.CodeFrameBound:           "too many frames for one action; hold for less or repeat less",
	emu.CodeCapabilityNotGranted: "this body does not offer that action; use button presses",
	emu.CodeDialogNotOpen:        "nothing is there to read; act, or answer what is asked",
	emu.CodeWalkNeedsOverworld:   "walking needs free controls on the field; finish or close what is open first",
	emu.CodeNoPath:               "no way leads there from here",
	emu.CodeWalkOutside:          "aim at a tile of this map",
	emu.CodeWalkImpassable:       "aim at a tile one can stand on, beside it",
	emu.CodeMapGridUnavailable:   "the map is not known here; walk by button presses",
	emu.CodeNamingNotOpen:        "enter_text works on a naming screen alone",
	emu.CodeMenuNotOpen:          "open a menu first; START opens the game's own",
	emu.CodeMenuEntryNotFound:    "use an id that the menu lists",
	emu.CodeMenuNotNavigable:     "this menu is no list",
	emu.CodeMenuWindowScrolled:   "move the cursor up or down until the entry is listed",
	codeWalkExitUnsupported:      "walking there does not leave the map; this exit is not taken on foot",

	emu.CodeCheckpointsUnavailable: "this sitting cannot save or load; play on without",
}

// judge compares the frames before and after an accepted catalogued action.
// The first category that fits is the effect.
func judge(a emu.Action, before, after emu.Observed) Effect {
	for _, rule := range effectRules {
		if e, ok := rule(a, before, after); ok {
			return e
		}
	}
	return unchangedEffect(before, after)
}

type effectRule func(a emu.Action, before, after emu.Observed) (Effect, bool)

var effectRules = []effectRule{
	battleEnded, mapChanged, moved, turned, battleStarted, menuSettled,
	dialogChanged, battleChanged, held, blocked, nothingOpened,
}

func battleEnded(_ emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a := before.State, after.State
	if b.Battle == nil {
		return Effect{}, false
	}
	decided := b.Battle.Outcome == 0 // by this very action
	switch {
	case decided && a.Scene.Mode == emu.ModeBattleWon:
		return effect("the battle is won", ""), true
	case decided && a.Scene.Mode == emu.ModeBattleLost:
		return effect("the battle is lost", ""), true
	case a.Battle == nil:
		return effect("the battle is over", ""), true
	}
	return Effect{}, false
}

func fields(before, after emu.Observed) (b, a *emu.Overworld, ok bool) {
	b, a = before.State.Overworld, after.State.Overworld
	return b, a, b != nil && a != nil
}

func mapChanged(_ emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a, ok := fields(before, after)
	if !ok || b.Position.MapID == a.Position.MapID {
		return Effect{}, false
	}
	return effect("entered "+PlaceName(a), ""), true
}

func moved(act emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a, ok := fields(before, after)
	if !ok || b.Position == a.Position {
		return Effect{}, false
	}
	tiles := abs(a.Position.X-b.Position.X) + abs(a.Position.Y-b.Position.Y)
	s := fmt.Sprintf("moved %s to (%d,%d)", emu.Count(tiles, "tile"), a.Position.X, a.Position.Y)
	if after.State.Battle != nil && before.State.Battle == nil {
		s += "; a battle began"
	} else if after.State.Dialog != nil && before.State.Dialog == nil {
		s += "; someone speaks"
	}
	return effect(s, ""), true
}

func turned(act emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a, ok := fields(before, after)
	if !ok || b.Facing == a.Facing || a.Facing == "" || after.State.Menu != nil {
		return Effect{}, false
	}
	if d := emu.DirectionOf(act.Button); d == "" || d != a.Facing {
		return Effect{}, false
	}
	return unjudged("turned "+string(a.Facing)+" without a step", "the same press again walks, if the way is free"), true
}

func battleStarted(_ emu.Action, before, after emu.Observed) (Effect, bool) {
	if before.State.Battle != nil || after.State.Battle == nil {
		return Effect{}, false
	}
	s := "a battle began"
	if o := after.State.Battle.Opponent(); o != nil && o.SpeciesName != "" {
		s += " against " + emu.Clean(o.SpeciesName)
	}
	return effect(s, ""), true
}

func menuSettled(_ emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a := before.State.Menu, after.State.Menu
	switch {
	case b == nil && a == nil:
		return Effect{}, false
	case b == nil:
		return effect("opened "+a.ID+menuCursor(a), ""), true
	case a == nil:
		return effect("closed "+b.ID, ""), true
	case b.ID != a.ID:
		return effect("went from "+b.ID+" to "+a.ID+menuCursor(a), ""), true
	case b.Cursor != a.Cursor:
		return effect("moved the cursor of "+a.ID+menuCursor(a), ""), true
	case len(b.Entries) != len(a.Entries):
		return effect(a.ID+" changed"+menuCursor(a), ""), true
	}
	if n := after.State.Naming; n != nil && before.State.Naming != nil && *n != *before.State.Naming {
		return effect(fmt.Sprintf("the name reads %q, %s page", n.Text, n.Page), ""), true
	}
	return Effect{}, false
}

func menuCursor(m *emu.Menu) string {
	if m.Cursor < 0 || m.Cursor >= len(m.Entries) {
		return ""
	}
	return " at " + emu.Clean(m.Entries[m.Cursor].Label)
}

func dialogChanged(_ emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a := before.State.Dialog, after.State.Dialog
	switch {
	case b == nil && a == nil:
		return Effect{}, false
	case a == nil:
		return effect("the text box closed", ""), true
	case b == nil || strings.Join(b.Lines, "\n") != strings.Join(a.Lines, "\n"):
		return effect("reads: "+emu.Clean(strings.Join(a.Lines, " ")), ""), true
	case b.Progress != a.Progress || b.Waiting != a.Waiting:
		return effect("the text went on", ""), true
	}
	return Effect{}, false
}

func battleChanged(_ emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a := before.State.Battle, after.State.Battle
	if b == nil || a == nil {
		return Effect{}, false
	}
	if s := battleDifference(b, a); s != "" {
		return effect(s, ""), true
	}
	return Effect{}, false
}

func battleDifference(b, a *emu.Battle) string {
	var parts []string
	for i := range a.Battlers {
		if i >= len(b.Battlers) {
			break
		}
		x, y := b.Battlers[i], a.Battlers[i]
		name := emu.Clean(y.Nickname)
		switch {
		case x.Species != y.Species || x.Slot != y.Slot:
			parts = append(parts, name+" came out")
		case x.HP != y.HP:
			parts = append(parts, fmt.Sprintf("%s has %d of %d HP", name, y.HP, y.MaxHP))
		case x.Ailment != y.Ailment:
			parts = append(parts, fmt.Sprintf("%s: %s", name, orNone(y.Ailment)))
		}
	}
	text := strings.Join(a.Text, " ")
	if text != "" && text != strings.Join(b.Text, " ") {
		parts = append(parts, "reads: "+emu.Clean(text))
	}
	if len(parts) == 0 && b.Prompt != a.Prompt {
		parts = append(parts, "the battle asks for: "+string(a.Prompt))
	}
	return strings.Join(parts, "; ")
}

func held(act emu.Action, before, after emu.Observed) (Effect, bool) {
	a := after.State.Overworld
	if emu.DirectionOf(act.Button) == "" || a == nil || after.State.Battle != nil ||
		after.State.Menu != nil || a.InputReady {
		return Effect{}, false
	}
	return unjudged("the game holds the controls", "wait for it, or press A if a text waits"), true
}

func blocked(act emu.Action, before, after emu.Observed) (Effect, bool) {
	b, a, ok := fields(before, after)
	d := emu.DirectionOf(act.Button)
	if !ok || d == "" || before.State.Menu != nil || after.State.Menu != nil ||
		before.State.Battle != nil || before.State.Dialog != nil || !b.InputReady || b.Facing != d {
		return Effect{}, false
	}
	e := unjudged(fmt.Sprintf("the way %s is blocked at (%d,%d)", d, a.Position.X, a.Position.Y),
		"another way round is needed; this press will not move him here")
	e.Blocked = true
	return e, true
}

func nothingOpened(act emu.Action, before, after emu.Observed) (Effect, bool) {
	if act.Kind != emu.ActionButtonPress || act.Button != emu.ButtonA || after.State.Overworld == nil ||
		before.State.Menu != nil || after.State.Battle != nil || !after.State.Overworld.InputReady {
		return Effect{}, false
	}
	return unjudged("nothing answered", "face a person, a thing or a sign and press A once"), true
}

// unchangedEffect is what is left when no decoded part differs.
func unchangedEffect(before, after emu.Observed) Effect {
	switch {
	case before.PictureSHA256 == nil || after.PictureSHA256 == nil:
		return unjudged("no decoded change", "")
	case before.PictureSHA256() == after.PictureSHA256():
		return unjudged("nothing changed", "the picture is the same as before")
	case after.State.Scene.Mode == emu.ModeUnknown:
		return unjudged("the screen changed", "it is not decoded; the picture shows what it is")
	}
	return unjudged("only the picture changed", "")
}

// PlaceName is the readable name of where the player is, with the map's id
// when the game gives no name.
func PlaceName(o *emu.Overworld) string {
	if o.MapName != "" {
		return emu.Clean(o.MapName)
	}
	return emu.Clean(o.Position.MapID)
}

func orNone(s string) string {
	if s == "" {
		return "healthy"
	}
	return s
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
