package play

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/journal"
)

// Bounds of what a mind says, in UTF-16 code units (what is said is recorded,
// so they are the journal's), and of what the loop remembers.
const (
	MaxMonologue    = journal.MaxMonologue
	MaxIntent       = journal.MaxIntent
	MaxNotes        = journal.MaxNotes
	MaxObjective    = journal.MaxObjective
	MaxInterjection = journal.MaxInterjection
	MaxReply        = journal.MaxReply
	MaxSpeak        = journal.MaxSpeak
	MaxDetail       = journal.MaxDetail
	MaxEffect       = journal.MaxEffect
	MaxEffectAdvice = journal.MaxEffectAdvice
	MaxAudience     = 200
	HistoryLimit    = 8
	memoryLimit     = 32 // learned transitions kept

	repeatThreshold = 3  // turns with one effect before it is reported
	stallThreshold  = 12 // turns without a new tile before it is reported
	stateWindow     = 12 // states within which recurrence is looked for
)

// Decision is what a mind answers. Validate checks it against the strict
// schema.
type Decision struct {
	Monologue string  // 1..600
	Objective *string // nil keeps, blank clears, else at most 160
	Intent    string  // 1..200, about this very action
	Reply     *string // at most 2000
	Speak     *string // at most 400
	Notes     *string // nil keeps, else at most 800
	Action    emu.Action
}

// Validate returns nil or an error that names every field that is wrong, with
// what is allowed.
func (d Decision) Validate() error {
	var wrong []string
	check := func(name string, value *string, low, high int) {
		if value == nil {
			return
		}
		if n := emu.Length(*value); n < low || n > high {
			wrong = append(wrong, fmt.Sprintf("%s: %s, must be %d to %d", name, emu.Count(n, "character"), low, high))
		}
	}
	check("monologue", &d.Monologue, 1, MaxMonologue)
	check("intent", &d.Intent, 1, MaxIntent)
	check("objective", d.Objective, 0, MaxObjective)
	check("reply", d.Reply, 0, MaxReply)
	check("speak", d.Speak, 0, MaxSpeak)
	check("notes", d.Notes, 0, MaxNotes)
	if err := d.Action.Validate(); err != nil {
		wrong = append(wrong, "action."+err.Error())
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(wrong, ", "))
}

// DescribeAction says an action in words for people, for example
// "press up (16)".
func DescribeAction(a emu.Action) string {
	switch a.Kind {
	case emu.ActionButtonPress:
		s := fmt.Sprintf("press %s (%d)", a.Button, a.HoldFrames)
		if a.Presses() > 1 {
			s += fmt.Sprintf(" ×%d", a.Presses())
		}
		return s
	case emu.ActionFrameAdvance:
		return "wait " + emu.Count(a.Frames, "frame")
	case emu.ActionWalkTo:
		if a.X != nil && a.Y != nil {
			return fmt.Sprintf("walk to (%d,%d)", *a.X, *a.Y)
		}
	case emu.ActionAdvanceDialog:
		return "read on"
	case emu.ActionEnterText:
		return fmt.Sprintf("type %q", a.Text)
	case emu.ActionSelectMenuEntry:
		return "choose " + emu.Clean(a.EntryID)
	case emu.ActionSaveCheckpoint:
		return strings.TrimSpace("save " + emu.Clean(a.Label))
	case emu.ActionLoadCheckpoint:
		if a.CheckpointID == "" {
			return "list saves"
		}
		return "load " + emu.Clean(a.CheckpointID)
	case emu.ActionRestartGame:
		return "restart the game"
	}
	return emu.Clean(string(a.Kind))
}
