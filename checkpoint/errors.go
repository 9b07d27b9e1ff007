package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"clankie/emu"
)

// Codes with which the store refuses or fails. The first group is the wire
// format's, in the order in which a read checks; the second is this
// program's own.
const (
	CodeIDInvalid         = "checkpoint_id_invalid"        // not the name of a save
	CodeRootUnsafe        = "checkpoint_root_unsafe"       // the root is a link or no folder
	CodeDirectoryUnsafe   = "checkpoint_directory_unsafe"  // the save's folder is a link, no folder, or holds strange things
	CodeReceiptUnsafe     = "checkpoint_receipt_unsafe"    // the receipt is a link or no regular file
	CodeNotFound          = "checkpoint_not_found"         // there is no such save
	CodeReceiptMismatch   = "checkpoint_receipt_mismatch"  // the receipt names another folder
	CodeROMMismatch       = "checkpoint_rom_mismatch"      // taken from another cartridge image
	CodeCoreMismatch      = "checkpoint_core_mismatch"     // taken by a core that is not proven equal
	CodeSavestateUnsafe   = "checkpoint_savestate_unsafe"  // the state is a link or no regular file
	CodeScenarioUnsafe    = "checkpoint_scenario_unsafe"   // the scenario is a link or no regular file
	CodeSavestateCorrupt  = "checkpoint_savestate_corrupt" // the state's bytes are not the ones saved
	CodeReceiptInvalid    = "checkpoint_receipt_invalid"   // the receipt is not a receipt of schema version 1
	CodeSavestateMissing  = "checkpoint_savestate_missing"
	CodeScenarioMissing   = "checkpoint_scenario_missing"
	CodeReadFailed        = "checkpoint_read_failed"        // the disk or the permissions failed a read
	CodeRequestInvalid    = "checkpoint_request_invalid"    // the request to mint breaks the format
	CodeWriteFailed       = "checkpoint_write_failed"       // nothing was saved; what was there before stays
	CodeStoreBusy         = "checkpoint_store_busy"         // another program holds the store for longer than the caller waits
	CodeConfirmMismatch   = "checkpoint_confirm_mismatch"   // the confirmation is not the id
	CodeDeleteFailed      = "checkpoint_delete_failed"      // nothing was deleted
	CodeDeleteIncomplete  = "checkpoint_delete_incomplete"  // deleted, but remains wait for the next start
	CodeTimelineInvalid   = "checkpoint_timeline_invalid"   // the record of the live timeline cannot be read
	CodeLineageUnreadable = "checkpoint_lineage_unreadable" // lineage.json is damaged; the save itself may be fine
)

// refusal makes a coded error that will not go away by asking again.
func refusal(code string, cause error, format string, args ...any) *emu.Error {
	return &emu.Error{Code: code, Message: fmt.Sprintf(format, args...), Err: cause}
}

// undone is what a failed write leaves undone.
type undone struct{ code, words string }

var (
	notSaved    = undone{CodeWriteFailed, "nothing was saved"}
	notRecorded = undone{CodeWriteFailed, "where the journey goes on was not recorded"}
	notDeleted  = undone{CodeDeleteFailed, "nothing was deleted"}
)

// failure explains a failed write: what, why, and the way out.
func (u undone) failure(step string, cause error) error {
	if errors.Is(cause, errBusy) {
		return busy(cause)
	}
	return &emu.Error{
		Code:      u.code,
		Message:   fmt.Sprintf("%s: %s: %s", u.words, step, reason(cause)),
		Retryable: true,
		Err:       cause,
	}
}

// writeFailure explains why there is no new save.
func writeFailure(step string, cause error) error { return notSaved.failure(step, cause) }

func busy(cause error) error {
	return &emu.Error{
		Code:      CodeStoreBusy,
		Message:   "another program is writing to the save folder; try again when it is done",
		Retryable: true,
		Err:       cause,
	}
}

// reason says in words for people why an operation on the disk failed.
func reason(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full; free some space and try again"
	case errors.Is(err, syscall.EDQUOT):
		return "the disk quota is used up; free some space and try again"
	case errors.Is(err, syscall.EROFS):
		return "the save folder is on a read-only disk; make it writable, or choose another"
	case errors.Is(err, fs.ErrPermission):
		return "the save folder does not permit it; check its owner and mode, or choose another"
	}
	return plain(err.Error())
}

// advise ends a refusal with what the store's user has told of himself: how he
// sees the ids, or which variable chooses the folder.
func (s *Store) advise(err *error) {
	refused, ok := (*err).(*emu.Error)
	if !ok {
		return
	}
	advice := ""
	switch {
	case refused.Code == CodeNotFound, refused.Code == CodeIDInvalid:
		advice = s.listing
	case refused.Code == CodeRootUnsafe, errors.Is(refused, syscall.EROFS), errors.Is(refused, syscall.ENOTDIR), errors.Is(refused, fs.ErrPermission):
		advice = s.variable + " chooses the folder of saves"
	default:
		return
	}
	advised := *refused
	advised.Message += "; " + advice
	*err = &advised
}

// maxPlain bounds untrusted text in messages, in UTF-16 units.
const maxPlain = 240

// plain makes untrusted text safe to show on one line.
func plain(s string) string { return emu.Clip(emu.Clean(s), maxPlain) }
