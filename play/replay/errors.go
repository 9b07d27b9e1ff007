package replay

import (
	"fmt"
	"strings"

	"clankie/emu"
)

// Codes with which a replay refuses or stops. A damaged tape has its reader's
// codes.
const (
	// CodeCoreMismatch: the tape was recorded on another core build.
	CodeCoreMismatch = "replay_core_mismatch"
	// CodeROMMismatch: the tape was recorded with another cartridge.
	CodeROMMismatch = "replay_rom_mismatch"
	// CodeStateMissing: a state that was loaded is not here any more.
	CodeStateMissing = "replay_state_missing"
	// CodeStateMismatch: a state of that name is here, and it is another.
	CodeStateMismatch = "replay_state_mismatch"
	// CodeMismatch: the machine came out differently.
	CodeMismatch = "replay_mismatch"
	// CodeTurnMissing: the turn is not on the tape.
	CodeTurnMissing = "replay_turn_missing"
)

// Stop is where and why a replay ended before the tape did.
type Stop struct {
	Turn   int    `json:"turn"`  // the turn under way
	Frame  uint64 `json:"frame"` // frames of the tape that ran
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// err is the stop as an error, caused by cause.
func (s Stop) err(cause error) error {
	return &emu.Error{Code: s.Code, Message: fmt.Sprintf("turn %d, frame %d: %s", s.Turn, s.Frame, s.Reason), Err: cause}
}

// stopAt makes a Stop of a coded error.
func stopAt(turn int, frame uint64, err error) Stop {
	code := emu.CodeOf(err)
	return Stop{Turn: turn, Frame: frame, Code: code, Reason: strings.TrimPrefix(err.Error(), code+": ")}
}

func refusal(code string, cause error, format string, args ...any) error {
	return &emu.Error{Code: code, Message: fmt.Sprintf(format, args...), Err: cause}
}
