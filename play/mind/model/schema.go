package model

import (
	"strings"

	"clankie/emu"
)

// The flat fields of a reply. Some endpoints refuse unions of objects, so
// the action's fields stand beside the others and those that its kind does
// not have are null.
const (
	fieldMonologue    = "monologue"
	fieldIntent       = "intent"
	fieldNotes        = "notes"
	fieldObjective    = "objective"
	fieldReply        = "reply"
	fieldSpeak        = "speak"
	fieldKind         = "actionKind"
	fieldButton       = "button"
	fieldHold         = "holdFrames"
	fieldRepeat       = "repeat"
	fieldX            = "x"
	fieldY            = "y"
	fieldText         = "text"
	fieldEntry        = "entryId"
	fieldFrames       = "frames"
	fieldCheckpoint   = "checkpointId"
	fieldLabel        = "checkpointLabel"
	fieldNestedAction = "action" // how some models group the action's fields
)

// kinds are the nine actions in the catalogue's order.
var kinds = []string{
	string(emu.ActionButtonPress), string(emu.ActionFrameAdvance), string(emu.ActionWalkTo),
	string(emu.ActionAdvanceDialog), string(emu.ActionEnterText), string(emu.ActionSelectMenuEntry),
	string(emu.ActionSaveCheckpoint), string(emu.ActionLoadCheckpoint), string(emu.ActionRestartGame),
}

var buttons = func() []string {
	names := make([]string, len(emu.Buttons))
	for i, b := range emu.Buttons {
		names[i] = string(b)
	}
	return names
}()

// property is one key of the schema.
type property struct {
	name     string
	typ      string // string or integer
	enum     []string
	nullable bool
	about    string
}

// properties lists the schema in the order in which it is best thought about:
// first the thought, then what is done about it. The three without which
// there is no decision are not nullable; endpoints bound how many fields of
// two types a schema may have, and 16 is the lowest such bound known.
var properties = []property{
	{fieldMonologue, "string", nil, false, "what you think right now, 1 to 600 characters"},
	{fieldIntent, "string", nil, false, "what this very action is for, 1 to 200 characters"},
	{fieldKind, "string", kinds, false, "the action"},
	{fieldButton, "string", buttons, true, "button_press: the button"},
	{fieldHold, "integer", nil, true, "button_press: frames to hold it, 1 to 240; null is 16"},
	{fieldRepeat, "integer", nil, true, "button_press: how many presses, 1 to 16; null is 1"},
	{fieldX, "integer", nil, true, "walk_to: x of the tile"},
	{fieldY, "integer", nil, true, "walk_to: y of the tile"},
	{fieldText, "string", nil, true, "enter_text: 1 to 10 characters"},
	{fieldEntry, "string", nil, true, "select_menu_entry: the id of a listed entry"},
	{fieldFrames, "integer", nil, true, "frame_advance: 1 to 3600"},
	{fieldCheckpoint, "string", nil, true, "load_checkpoint: the id of a save; null lists them"},
	{fieldLabel, "string", nil, true, "save_checkpoint: a short label of a-z, 0-9 and -"},
	{fieldNotes, "string", nil, true, "your notes from now on, at most 800 characters; null keeps them"},
	{fieldObjective, "string", nil, true, "your objective from now on, at most 160 characters; null keeps it, empty clears it"},
	{fieldReply, "string", nil, true, "an answer to the person who spoke, at most 2000 characters"},
	{fieldSpeak, "string", nil, true, "something to say aloud, at most 400 characters"},
}

// Schema is the strict JSON schema of a reply: one flat object, every key
// required. Bounds stand in the descriptions, because some endpoints refuse
// them as keywords; what they say is checked on the reply.
func Schema() map[string]any {
	shapes := make(map[string]any, len(properties))
	required := make([]string, len(properties))
	for i, f := range properties {
		shapes[f.name] = f.schema()
		required[i] = f.name
	}
	return map[string]any{
		"type": "object", "properties": shapes, "required": required, "additionalProperties": false,
	}
}

func (f property) schema() map[string]any {
	value := map[string]any{"type": f.typ}
	if f.enum != nil {
		value["enum"] = f.enum
	}
	if f.nullable {
		value = map[string]any{"anyOf": []any{value, map[string]any{"type": "null"}}}
	}
	value["description"] = f.about
	return value
}

// canonical maps a key without case, blanks, hyphens and underscores to the
// field it means.
var canonical = func() map[string]string {
	m := map[string]string{
		fieldNestedAction: fieldNestedAction, "kind": fieldKind, "label": fieldLabel,
	}
	for _, f := range properties {
		m[squash(f.name)] = f.name
	}
	return m
}()

func squash(key string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(key))
}
