package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"clankie/emu"
)

// Codes with which journals refuse or fail.
const (
	// CodeLineTooLarge: a line would have more than MaxLineBytes. It is
	// refused whole and a reduced one takes its place.
	CodeLineTooLarge = "free_play_journal_line_too_large"
	// CodeRecordInvalid: a record breaks the format in a way that cutting
	// cannot mend.
	CodeRecordInvalid = "free_play_journal_record_invalid"
	// CodeWriteFailed: the disk failed a write; play goes on unrecorded.
	CodeWriteFailed = "free_play_journal_write_failed"
	// CodeReadFailed: the disk failed a read.
	CodeReadFailed = "free_play_journal_read_failed"
	// CodeNotAJournal: the file's first line is no header.
	CodeNotAJournal = "free_play_journal_not_a_journal"
	// CodeNoStory: no run's header names the journey.
	CodeNoStory = "play_story_missing_header"
	// CodePictureInvalid: what should be kept as a screenshot is no PNG.
	CodePictureInvalid = "free_play_screenshot_invalid_png"
	// CodePictureSize: a screenshot has no side, or one above MaxScreenshotSide.
	CodePictureSize = "free_play_screenshot_invalid_dimensions"
	// CodePictureTooLarge: a screenshot has more than MaxScreenshotBytes.
	CodePictureTooLarge = "free_play_screenshot_too_large"
	// CodePictureWrite: the disk failed to keep a screenshot; play goes on
	// without it.
	CodePictureWrite = "free_play_screenshot_write_failed"
	// CodeRunNotFound: no run has that name.
	CodeRunNotFound = "free_play_journal_run_not_found"
	// CodeRunAmbiguous: several runs may be meant.
	CodeRunAmbiguous = "free_play_journal_run_ambiguous"
	// CodeDamaged: a strict read met a line that is not one of the format.
	CodeDamaged = "free_play_journal_damaged"
)

func writeFailure(step string, cause error) error {
	return &emu.Error{
		Code:      CodeWriteFailed,
		Message:   fmt.Sprintf("play goes on unrecorded: %s: %s", step, reason(cause)),
		Retryable: true,
		Err:       cause,
	}
}

func readFailure(path string, cause error) error {
	return &emu.Error{
		Code:    CodeReadFailed,
		Message: emu.Clean(path) + " cannot be read: " + reason(cause),
		Err:     cause,
	}
}

// reason says in words for people why the disk failed.
func reason(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full; free some space"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only; choose another folder with CLANKIE_GBA_PLAY_JOURNAL_DIR"
	case errors.Is(err, fs.ErrPermission):
		return "the folder does not permit it; check its owner and mode, or choose another with CLANKIE_GBA_PLAY_JOURNAL_DIR"
	}
	return emu.Clip(emu.Clean(err.Error()), maxReason)
}

// maxReason bounds a cause within a message, in UTF-16 units.
const maxReason = 240
