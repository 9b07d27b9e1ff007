package emu

import (
	"errors"
)

// Error is a refusal or failure with a stable code. Its text begins with the
// code, then ": ", then the message; a detail follows after " — ". The codes
// are part of the wire format; messages may change.
type Error struct {
	Code      string
	Message   string
	Detail    string // reaches the mind word for word; may be empty
	Retryable bool   // true when the same request may succeed later
	Err       error  // the cause, or nil
}

// Error implements error.
func (e *Error) Error() string {
	s := e.Code
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.Detail != "" {
		s += " — " + e.Detail
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an *Error with the same code, so that
// errors.Is(err, &emu.Error{Code: c}) works.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// CodeOf returns the code of the first *Error in err's chain, or "".
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Codes of a core's failures. After CodeCoreTrap or CodeCoreHung the machine
// is discarded.
const (
	CodeCoreTrap        = "core_trap"         // the module trapped
	CodeCoreHung        = "core_hung"         // a call did not return in time
	CodeCoreClosed      = "core_closed"       // the machine was closed or discarded
	CodeCoreBadROM      = "core_bad_rom"      // the image is no cartridge or was refused
	CodeCoreBadState    = "core_bad_state"    // not a state of this machine: damaged or of another kind
	CodeCoreStateGame   = "core_state_game"   // a state of another game
	CodeCoreStateFormat = "core_state_format" // a state of another format version
	CodeCoreBadModule   = "core_bad_module"   // the module's imports, exports or ABI are not the ones allowed
)

// CoreFailed reports whether err means that the machine is gone.
func CoreFailed(err error) bool {
	switch CodeOf(err) {
	case CodeCoreTrap, CodeCoreHung, CodeCoreClosed:
		return true
	}
	return false
}

// Codes with which a body refuses an action or an observation. Each is
// explained where it is raised.
const (
	CodeInvalidCommand       = "invalid_emulator_command"
	CodeSessionMismatch      = "session_mismatch"
	CodeSessionStopped       = "session_stopped"
	CodeSessionPaused        = "session_paused"
	CodeUncertainState       = "uncertain_state"
	CodeLimitsExceedLease    = "action_limits_exceed_lease"
	CodeCapabilityNotGranted = "capability_not_granted"
	CodeEvidenceBound        = "evidence_bound_exceeded"
	CodeSemanticUnavailable  = "semantic_state_unavailable"
	CodeFrameBound           = "frame_bound_exceeded"
	CodeInputBound           = "input_bound_exceeded"
	CodeEmulatorRejected     = "emulator_rejected"
	CodeMapGridUnavailable   = "map_grid_unavailable"
	CodeWalkNeedsOverworld   = "walk_requires_overworld"
	CodeWalkOutside          = "walk_target_outside_map"
	CodeWalkImpassable       = "walk_target_impassable"
	CodeNoPath               = "no_path_to_target"
	CodeDialogNotOpen        = "dialog_not_open"
	CodeNamingNotOpen        = "naming_screen_not_open"
	CodeUnsupportedCharacter = "enter_text_unsupported_character"
	CodeMenuNotOpen          = "menu_not_open"
	CodeMenuNotNavigable     = "menu_not_navigable"
	CodeMenuWindowScrolled   = "menu_window_scrolled"
	CodeMenuEntryNotFound    = "menu_entry_not_found"
	CodePartyCorrupt         = "party_state_corrupt"
	CodeBattleNotActive      = "battle_not_active"
	CodeBattleCorrupt        = "battle_state_corrupt"
	CodeDialogCorrupt        = "dialog_state_corrupt"
	CodeStorageUnavailable   = "storage_unavailable"
	CodeActionIDRequired     = "action_id_required"
	CodeUnknownAction        = "unknown_action"

	// CodeCheckpointsUnavailable refuses the three body actions where no
	// FreePlayCheckpointPort was injected.
	CodeCheckpointsUnavailable = "checkpoints_unavailable"
)
