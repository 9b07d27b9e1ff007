package play

import (
	"slices"

	"clankie/emu"
)

// HardFailure is a refusal that will be the same as long as the state is: it
// is told, and not dispatched again.
type HardFailure struct {
	Action    emu.Action
	ErrorCode string
	Effect    string

	action, state emu.Digest
}

// hardFailures remembers the newest of them.
type hardFailures []HardFailure

// hardCodes are the refusals that depend on nothing but the state, and the
// kinds of action they are remembered for.
var hardCodes = map[string][]emu.ActionKind{
	emu.CodeSemanticUnavailable: {
		emu.ActionWalkTo, emu.ActionAdvanceDialog, emu.ActionEnterText, emu.ActionSelectMenuEntry,
	},
}

// note remembers a refusal when it is a hard one.
func (h *hardFailures) note(a emu.Action, refusal *emu.Error, effect string, state emu.Digest) {
	if refusal.Retryable || !slices.Contains(hardCodes[refusal.Code], a.Kind) {
		return
	}
	f := HardFailure{Action: a, ErrorCode: refusal.Code, Effect: effect, action: actionKey(a), state: state}
	*h = slices.DeleteFunc(*h, func(k HardFailure) bool { return k.action == f.action && k.state == f.state })
	*h = append(*h, f)
	if len(*h) > memoryLimit {
		*h = slices.Delete(*h, 0, 1)
	}
}

// in lists those that hold in a state.
func (h hardFailures) in(state emu.Digest) (list []HardFailure) {
	for _, f := range h {
		if f.state == state {
			list = append(list, f)
		}
	}
	return list
}

// knows returns the refusal that an action would meet again, or nil.
func (h hardFailures) knows(a emu.Action, state emu.Digest) *emu.Error {
	key := actionKey(a)
	for _, f := range h {
		if f.state == state && f.action == key {
			return &emu.Error{Code: "known_non_retryable:" + f.ErrorCode, Message: "refused here before, and nothing has changed"}
		}
	}
	return nil
}
