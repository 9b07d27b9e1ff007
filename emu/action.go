package emu

import (
	"fmt"
	"regexp"
)

// ActionKind names an action of the catalogue.
type ActionKind string

// The catalogue: six actions that an emulated body executes.
const (
	ActionButtonPress     ActionKind = "button_press"
	ActionFrameAdvance    ActionKind = "frame_advance"
	ActionWalkTo          ActionKind = "walk_to"
	ActionAdvanceDialog   ActionKind = "advance_dialog"
	ActionEnterText       ActionKind = "enter_text"
	ActionSelectMenuEntry ActionKind = "select_menu_entry"
)

// The three body actions. They concern time itself, belong to free play, and
// go to its checkpoint port, never to an emulated body.
const (
	ActionSaveCheckpoint ActionKind = "save_checkpoint"
	ActionLoadCheckpoint ActionKind = "load_checkpoint"
	ActionRestartGame    ActionKind = "restart_game"
)

// Bounds of the catalogue's fields.
const (
	MaxHoldFrames    = 240  // button_press.holdFrames, at least 1
	MaxRepeat        = 16   // button_press.repeat, at least 1
	MaxFrameAdvance  = 3600 // frame_advance.frames, at least 1
	MaxWalkTarget    = 1023 // walk_to.x and .y, at least 0
	MaxEnterText     = 10   // enter_text.text in characters, at least 1
	MaxEntryID       = 64   // select_menu_entry.entryId
	MaxCheckpointID  = 200  // load_checkpoint.checkpointId as a mind may say it
	DefaultHold      = 16   // frames, when a flat reply leaves holdFrames null
	MaxInputsLimit   = 64   // Limits.MaxInputs, at least 1
	MaxFramesLimit   = 3600 // Limits.MaxFrames, at least 1
	FreePlayInputs   = 64   // Limits of free play and of MCP
	FreePlayFrames   = 1800
	FreePlayTimeout  = 5000 // milliseconds, before the action's own frames at the current pace
	ScenarioInputs   = 8    // Limits of scripted scenarios
	ScenarioFrames   = 600
	ScenarioTimeout  = 5000
	SettledPressWait = 32 // frames a button press is given to show its effect, at most
)

// Action is one action of either catalogue. Only the fields of its kind are
// set; Validate refuses others. It marshals to the strict wire shape.
type Action struct {
	Kind         ActionKind `json:"kind"`
	Button       Button     `json:"button,omitzero"`
	HoldFrames   int        `json:"holdFrames,omitzero"`
	Repeat       int        `json:"repeat,omitzero"` // 0 means 1 and is not written
	Frames       int        `json:"frames,omitzero"`
	X            *int       `json:"x,omitzero"`
	Y            *int       `json:"y,omitzero"`
	Text         string     `json:"text,omitzero"`
	Submit       *bool      `json:"submit,omitzero"` // nil means true
	EntryID      string     `json:"entryId,omitzero"`
	Label        string     `json:"label,omitzero"`
	CheckpointID string     `json:"checkpointId,omitzero"`
}

// Press returns a button_press of hold frames.
func Press(b Button, hold int) Action {
	return Action{Kind: ActionButtonPress, Button: b, HoldFrames: hold}
}

// Advance returns a frame_advance of n frames.
func Advance(n int) Action { return Action{Kind: ActionFrameAdvance, Frames: n} }

// WalkTo returns a walk_to the border-inclusive tile (x, y).
func WalkTo(x, y int) Action { return Action{Kind: ActionWalkTo, X: &x, Y: &y} }

// Presses is how often a button_press presses: Repeat, or 1 when absent.
func (a Action) Presses() int {
	if a.Repeat == 0 {
		return 1
	}
	return a.Repeat
}

// Submits reports whether an enter_text presses OK at the end.
func (a Action) Submits() bool { return a.Submit == nil || *a.Submit }

// IsBodyAction reports whether the action goes to the checkpoint port.
func (a Action) IsBodyAction() bool {
	switch a.Kind {
	case ActionSaveCheckpoint, ActionLoadCheckpoint, ActionRestartGame:
		return true
	}
	return false
}

var (
	enterTextPattern = regexp.MustCompile(`^[A-Za-z0-9 .,!?/-]+$`)
	labelPattern     = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
)

// ValidLabel reports whether s may label a checkpoint.
func ValidLabel(s string) bool { return labelPattern.MatchString(s) }

// fieldSet names the wire fields that a carries beside its kind.
func (a Action) fieldSet() map[string]bool {
	set := map[string]bool{}
	mark := func(name string, present bool) {
		if present {
			set[name] = true
		}
	}
	mark("button", a.Button != "")
	mark("holdFrames", a.HoldFrames != 0)
	mark("repeat", a.Repeat != 0)
	mark("frames", a.Frames != 0)
	mark("x", a.X != nil)
	mark("y", a.Y != nil)
	mark("text", a.Text != "")
	mark("submit", a.Submit != nil)
	mark("entryId", a.EntryID != "")
	mark("label", a.Label != "")
	mark("checkpointId", a.CheckpointID != "")
	return set
}

var actionFields = map[ActionKind][]string{
	ActionButtonPress:     {"button", "holdFrames", "repeat"},
	ActionFrameAdvance:    {"frames"},
	ActionWalkTo:          {"x", "y"},
	ActionAdvanceDialog:   {},
	ActionEnterText:       {"text", "submit"},
	ActionSelectMenuEntry: {"entryId"},
	ActionSaveCheckpoint:  {"label"},
	ActionLoadCheckpoint:  {"checkpointId"},
	ActionRestartGame:     {},
}

// Validate checks the action against its strict schema and names the first
// field that is wrong, with what is allowed.
func (a Action) Validate() error {
	allowed, ok := actionFields[a.Kind]
	if !ok {
		return fmt.Errorf("kind: %q is no action", a.Kind)
	}
	have := a.fieldSet()
	for _, name := range allowed {
		delete(have, name)
	}
	for name := range have {
		return fmt.Errorf("%s: not a field of %s", name, a.Kind)
	}
	switch a.Kind {
	case ActionButtonPress:
		return a.validatePress()
	case ActionFrameAdvance:
		return inRange("frames", a.Frames, 1, MaxFrameAdvance)
	case ActionWalkTo:
		return a.validateWalk()
	case ActionEnterText:
		return a.validateText()
	case ActionSelectMenuEntry:
		return inRange("entryId length", Length(a.EntryID), 1, MaxEntryID)
	case ActionSaveCheckpoint:
		if a.Label != "" && !ValidLabel(a.Label) {
			return fmt.Errorf("label: %q must be 1 to 40 of a-z, 0-9 and -, not beginning with -", a.Label)
		}
	case ActionLoadCheckpoint:
		return inRange("checkpointId length", Length(a.CheckpointID), 0, MaxCheckpointID)
	}
	return nil
}

func (a Action) validatePress() error {
	if !a.Button.Valid() {
		return fmt.Errorf("button: %q must be one of %v", a.Button, Buttons)
	}
	if err := inRange("holdFrames", a.HoldFrames, 1, MaxHoldFrames); err != nil {
		return err
	}
	return inRange("repeat", a.Presses(), 1, MaxRepeat)
}

func (a Action) validateWalk() error {
	if a.X == nil || a.Y == nil {
		return fmt.Errorf("x and y: walk_to needs both")
	}
	if err := inRange("x", *a.X, 0, MaxWalkTarget); err != nil {
		return err
	}
	return inRange("y", *a.Y, 0, MaxWalkTarget)
}

func (a Action) validateText() error {
	if err := inRange("text length", Length(a.Text), 1, MaxEnterText); err != nil {
		return err
	}
	if !enterTextPattern.MatchString(a.Text) {
		return fmt.Errorf("text: only letters, digits, blank and . , ! ? / - can be typed")
	}
	return nil
}

func inRange(name string, v, low, high int) error {
	if v < low || v > high {
		return fmt.Errorf("%s: %d must be %d to %d", name, v, low, high)
	}
	return nil
}

// Limits bound one action.
type Limits struct {
	MaxInputs int `json:"maxInputs"` // presses, 1..64
	MaxFrames int `json:"maxFrames"` // frames, 1..3600; frames spent settling count
	TimeoutMS int `json:"timeoutMs"` // milliseconds before the frames' own time
}

// FreePlayLimits are the limits of free play and of MCP.
var FreePlayLimits = Limits{MaxInputs: FreePlayInputs, MaxFrames: FreePlayFrames, TimeoutMS: FreePlayTimeout}

// ScenarioLimits are the limits of scripted scenarios.
var ScenarioLimits = Limits{MaxInputs: ScenarioInputs, MaxFrames: ScenarioFrames, TimeoutMS: ScenarioTimeout}
