package journal

import (
	"slices"
	"strings"

	"clankie/emu"
)

// Whether an intent and an action belong together is guessed by words: those
// that people use for the action, looked for anywhere in the text. That finds
// "walking" for walk, and also "go" in "forgot"; verdicts are counts over many
// turns, and comparable with older ones only if the words stay the same.

// buttonWords are those of single buttons. Blanks in a word stand for the ends
// of a word of the text.
var buttonWords = map[emu.Button][]string{
	emu.ButtonUp:     {"up", "north", "forward"},
	emu.ButtonDown:   {"down", "south", "back"},
	emu.ButtonLeft:   {"left", "west"},
	emu.ButtonRight:  {"right", "east"},
	emu.ButtonA:      {" a ", "confirm", "interact", "talk", "select", "advance"},
	emu.ButtonB:      {" b ", "cancel", "back out", "exit"},
	emu.ButtonStart:  {"start", "menu", "pause"},
	emu.ButtonSelect: {"select"},
	emu.ButtonL:      {" l "},
	emu.ButtonR:      {" r "},
}

// stillWords are those of letting time pass. The older matcher took them for
// advance_dialog's too, which had none of its own.
var stillWords = []string{"wait", "pause", "hold"}

var actionWords = map[emu.ActionKind][]string{
	emu.ActionWalkTo:          {"walk", "go", "head", "toward", "cross", "route", "move", "reach", "exit"},
	emu.ActionEnterText:       {"name", "type", "spell", "enter", "call"},
	emu.ActionFrameAdvance:    {"wait", "advance", "let", "watch", "frame", "continue"},
	emu.ActionSelectMenuEntry: {"choose", "select", "pick", "use", "menu", "option"},
	emu.ActionLoadCheckpoint:  {"load", "checkpoint", "restore", "rewind", "go back"},
	emu.ActionSaveCheckpoint:  {"save", "checkpoint", "remember this", "bank"},
	emu.ActionRestartGame:     {"restart", "start over", "start again", "reset", "begin", "new game"},
	emu.ActionAdvanceDialog:   stillWords,
}

// dialogWords are what people say when they let a conversation go on.
var dialogWords = []string{
	"advance", "dialog", "text", "talk", "read", "listen", "message", "conversation", "continue",
}

// IntentMatches reports whether what was wanted goes with what was done.
func IntentMatches(intent string, a emu.Action) bool {
	if a.Kind == emu.ActionAdvanceDialog && mentions(strings.ToLower(intent), dialogWords) {
		return true
	}
	return LegacyIntentMatches(intent, a)
}

// LegacyIntentMatches is IntentMatches as it was when advance_dialog had no
// words of its own: an intent to advance the dialog counted as a miss. It is
// kept for comparison with counts from then.
func LegacyIntentMatches(intent string, a emu.Action) bool {
	text := strings.ToLower(intent)
	if a.Kind == emu.ActionButtonPress {
		return mentions(" "+text+" ", buttonWords[a.Button])
	}
	return mentions(text, actionWords[a.Kind]) || mentions(text, named(a))
}

// named is what the action itself names: a text, an entry, a save.
func named(a emu.Action) []string {
	names := []string{a.Text, a.EntryID, a.CheckpointID, a.Label}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	return names
}

func mentions(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
