package play

import (
	"slices"

	"clankie/emu"
)

// Offer is one action as this moment has it: it can work here, or cannot and
// Why says why not.
type Offer struct {
	Kind emu.ActionKind
	Open bool   // true when the action can work here
	Why  string // why it cannot, "" when it can

	// Except are ways of doing it that are withheld while others are open, and
	// why; "" when there are none.
	Except string
}

// OfferedActions says of every action, in the catalogue's order, whether it
// can work in this state. It follows the conditions under which a body and
// the checkpoint port refuse, so that what cannot work is not decided on and
// refused a turn later. checkpoints is whether the sitting has a port.
//
// An open offer is no promise: what an action is about (a tile, an entry, a
// text) may still be refused.
func OfferedActions(s emu.State, checkpoints bool) []Offer {
	offers := make([]Offer, 0, len(offerRules))
	for _, r := range offerRules {
		why := ""
		if r.needsScene && !sceneDecodes(s) {
			why = "this screen is not decoded; only plain presses and waiting work on it"
		} else {
			why = r.why(s, checkpoints)
		}
		offers = append(offers, Offer{Kind: r.kind, Open: why == "", Why: why})
	}
	return offers
}

// Withhold closes one action among offers, for a reason of the loop's own: a
// sitting that goes round in circles changes what is offered.
func Withhold(offers []Offer, kind emu.ActionKind, why string) []Offer {
	out := slices.Clone(offers)
	for i := range out {
		if out[i].Kind == kind && out[i].Open {
			out[i].Open, out[i].Why = false, why
		}
	}
	return out
}

// oneWay are the actions that can be done in one way only, but for a label.
var oneWay = map[emu.ActionKind]bool{
	emu.ActionAdvanceDialog: true, emu.ActionRestartGame: true, emu.ActionSaveCheckpoint: true,
}

// WithholdAction withholds one very action: its kind stays open when it can be
// done in other ways.
func WithholdAction(offers []Offer, a emu.Action, why string) []Offer {
	if oneWay[a.Kind] {
		return Withhold(offers, a.Kind, why)
	}
	out := slices.Clone(offers)
	for i := range out {
		if out[i].Kind == a.Kind && out[i].Open {
			except := DescribeAction(a) + ": " + why
			if out[i].Except != "" {
				except = out[i].Except + ", " + except
			}
			out[i].Except = except
		}
	}
	return out
}

// offerRule says when an action cannot work.
type offerRule struct {
	kind       emu.ActionKind
	needsScene bool
	why        func(s emu.State, checkpoints bool) string
}

var offerRules = []offerRule{
	{emu.ActionButtonPress, false, always},
	{emu.ActionFrameAdvance, false, always},
	{emu.ActionWalkTo, true, whyNotWalk},
	{emu.ActionAdvanceDialog, true, whyNotRead},
	{emu.ActionEnterText, true, whyNotType},
	{emu.ActionSelectMenuEntry, true, whyNotChoose},
	{emu.ActionSaveCheckpoint, false, whyNotRewind},
	{emu.ActionLoadCheckpoint, false, whyNotRewind},
	{emu.ActionRestartGame, false, whyNotRewind},
}

func sceneDecodes(s emu.State) bool { return s.Scene.Mode != emu.ModeUnknown && s.Scene.Mode != "" }

func always(emu.State, bool) string { return "" }

func whyNotWalk(s emu.State, _ bool) string {
	o := s.Overworld
	switch {
	case s.Menu != nil:
		return "the menu " + emu.Clean(s.Menu.ID) + " is open"
	case s.Battle != nil:
		return "a battle is on"
	case s.Dialog != nil:
		return "a text box is open"
	case s.Scene.Mode != emu.ModeOverworld:
		return "the scene is " + emu.Clean(string(s.Scene.Mode))
	case o == nil:
		return "where he stands was not read"
	case !o.InputReady:
		return "the game holds the controls"
	case o.Grid == nil || o.Exits == nil:
		return "the map was not read"
	}
	return ""
}

func whyNotRead(s emu.State, _ bool) string {
	switch {
	case s.Naming != nil:
		return "the naming screen waits for a name"
	case s.Menu != nil && (s.Battle != nil || len(s.Menu.Prompt) == 0):
		return "the menu " + emu.Clean(s.Menu.ID) + " waits for a choice"
	case s.Menu != nil, s.Torn, !s.Scene.InputReady:
		return "" // a text before a choice, or more to come
	case s.Battle != nil && s.Battle.Prompt != emu.PromptNone:
		return "the battle waits for a choice"
	case s.Battle == nil && (s.Dialog == nil || s.Scene.Mode != emu.ModeDialog):
		return "no text box is open and the controls are free"
	}
	return ""
}

func whyNotType(s emu.State, _ bool) string {
	if s.Naming == nil {
		return "no naming screen is open"
	}
	return ""
}

// keyboardMenu is the menu that is a keyboard and not a list.
const keyboardMenu = "naming-screen"

func whyNotChoose(s emu.State, _ bool) string {
	switch {
	case s.Menu == nil:
		return "no menu is open"
	case s.Menu.ID == keyboardMenu:
		return "the naming screen is a keyboard; enter_text types on it"
	case len(s.Menu.Entries) == 0:
		return "the menu " + emu.Clean(s.Menu.ID) + " lists nothing"
	}
	return ""
}

func whyNotRewind(_ emu.State, checkpoints bool) string {
	if !checkpoints {
		return "this sitting has no store of saves"
	}
	return ""
}
