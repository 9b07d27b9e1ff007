package model

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// action puts the action together from the fields that its kind has; what the
// others hold does not matter.
func (f *flat) action() emu.Action {
	a := emu.Action{Kind: emu.ActionKind(f.word(fieldKind, kinds))}
	switch a.Kind {
	case emu.ActionButtonPress:
		a.Button = emu.Button(f.word(fieldButton, buttons))
		a.HoldFrames, a.Repeat = f.or(fieldHold, emu.DefaultHold), f.or(fieldRepeat, 0)
		if a.Repeat == 1 {
			a.Repeat = 0
		}
	case emu.ActionFrameAdvance:
		a.Frames = f.or(fieldFrames, 0)
	case emu.ActionWalkTo:
		a.X, a.Y = f.number(fieldX), f.number(fieldY)
	case emu.ActionEnterText:
		a.Text = f.plain(fieldText)
	case emu.ActionSelectMenuEntry:
		a.EntryID = f.plain(fieldEntry)
	case emu.ActionSaveCheckpoint:
		a.Label = f.plain(fieldLabel)
	case emu.ActionLoadCheckpoint:
		a.CheckpointID = f.plain(fieldCheckpoint)
	case "":
		return a // what is wrong is said already
	}
	f.check(a)
	return a
}

// or is a number, or another one when it is null.
func (f *flat) or(name string, missing int) int {
	if n := f.number(name); n != nil {
		return *n
	}
	return missing
}

// plain is a text as it was given; "" and "null" are none.
func (f *flat) plain(name string) string {
	s := f.str(name)
	if s == nil || strings.EqualFold(*s, "null") {
		return ""
	}
	return *s
}

// check adds what is wrong with the action, unless one of its fields could
// not even be read.
func (f *flat) check(a emu.Action) {
	for _, name := range fieldsOf[a.Kind] {
		if f.hasProblem(name) {
			return
		}
	}
	if err := a.Validate(); err != nil {
		f.wrong(string(a.Kind), legalOf[a.Kind], "%v", err)
	}
}

var fieldsOf = map[emu.ActionKind][]string{
	emu.ActionButtonPress:     {fieldButton, fieldHold, fieldRepeat},
	emu.ActionFrameAdvance:    {fieldFrames},
	emu.ActionWalkTo:          {fieldX, fieldY},
	emu.ActionEnterText:       {fieldText},
	emu.ActionSelectMenuEntry: {fieldEntry},
	emu.ActionSaveCheckpoint:  {fieldLabel},
	emu.ActionLoadCheckpoint:  {fieldCheckpoint},
}

var legalOf = map[emu.ActionKind]string{
	emu.ActionButtonPress:     fmt.Sprintf("holdFrames 1 to %d, repeat 1 to %d", emu.MaxHoldFrames, emu.MaxRepeat),
	emu.ActionFrameAdvance:    fmt.Sprintf("frames 1 to %d", emu.MaxFrameAdvance),
	emu.ActionWalkTo:          fmt.Sprintf("x and y, both 0 to %d", emu.MaxWalkTarget),
	emu.ActionEnterText:       fmt.Sprintf("text of 1 to %d letters, digits, blanks and . , ! ? / -", emu.MaxEnterText),
	emu.ActionSelectMenuEntry: "entryId exactly as the menu lists it",
	emu.ActionSaveCheckpoint:  "checkpointLabel null or 1 to 40 of a-z, 0-9 and -",
	emu.ActionLoadCheckpoint:  fmt.Sprintf("checkpointId null or at most %d characters", emu.MaxCheckpointID),
}
