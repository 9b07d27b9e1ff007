package tui

import (
	"fmt"
	"strings"

	"clankie/play"
)

// saveName is how questions name a save: by its label and its place.
func saveName(e play.SaveEntry) string {
	return saveLabel(e) + " at " + savePlace(e)
}

func savedAt(e play.SaveEntry) string { return "made " + capturedAt(e, fullTime) }

// How times are written.
const (
	listTime = "01-02 15:04" // in the list; the year is in the details
	fullTime = "2006-01-02 15:04:05"
)

// capturedAt is when a save was made, or "-" where nobody can tell.
func capturedAt(e play.SaveEntry, layout string) string {
	if e.CapturedAt.IsZero() {
		return "-"
	}
	return e.CapturedAt.Local().Format(layout)
}

func saveLabel(e play.SaveEntry) string {
	if l := clean(e.Label); l != "" {
		return "“" + l + "”"
	}
	return "checkpoint"
}

func savePlace(e play.SaveEntry) string {
	if p := clean(e.Place); p != "" {
		return p
	}
	return "unknown"
}

// passedOver words at most two newer saves that cannot be resumed.
func passedOver(notices []string) (lines []string) {
	n := 0
	for _, notice := range notices {
		if !strings.HasPrefix(notice, PassedOver) {
			continue
		}
		if n++; n <= 2 {
			lines = append(lines, "Newer, but "+clean(notice))
		}
	}
	if n > 2 {
		lines = append(lines, fmt.Sprintf("and %d more; the decisions list them", n-2))
	}
	return lines
}

// newResumeDialog asks at start whether to go on from the newest save.
func newResumeDialog(e play.SaveEntry, notices []string) *choice {
	lines := []string{
		clean(e.Game),
		saveName(e),
		savedAt(e),
	}
	if o := clean(e.Objective); o != "" {
		lines = append(lines, "Objective: "+o)
	}
	lines = append(lines, passedOver(notices)...)
	lines = append(lines, "", "The game waits where this save left it. A fresh start leaves every save where it is.")
	return &choice{
		title: "Resume?",
		lines: lines,
		options: []option{
			{label: "Resume", act: action{pop: 1, send: []play.Command{{Kind: play.CommandResume}}}},
			{label: "Start fresh", act: action{pop: 1, send: []play.Command{
				{Kind: play.CommandRestart}, {Kind: play.CommandResume},
			}}},
		},
		cancel: 0, // whoever waves the question away keeps his place
		ctrlC:  action{quit: true},
	}
}

// newLoadDialog asks before a save replaces the present. closes is how many
// dialogs, itself included, go when it does.
func newLoadDialog(e play.SaveEntry, closes int) *choice {
	return &choice{
		title: "Load this save?",
		lines: []string{
			saveName(e), savedAt(e), clean(e.ID), "",
			"The present is banked as a save first, so nothing is lost. The mind, its notes and the journal go on; only the world goes back.",
		},
		options: []option{
			{label: "Load", act: action{pop: closes, send: []play.Command{{Kind: play.CommandLoad, ID: e.ID}}}},
			{label: "Cancel", act: action{pop: 1}},
		},
		cancel: 1,
	}
}

// newDeleteDialog is the first of two questions before a deletion. Both
// preselect what keeps the save.
func newDeleteDialog(e play.SaveEntry) *choice {
	return &choice{
		title: "Delete a save?",
		lines: []string{
			saveName(e), savedAt(e), "",
			"A deleted save is gone: there is no trash and no undo. You will be asked once more.",
		},
		options: []option{
			{label: "Keep it", act: action{pop: 1}},
			{label: "Delete…", danger: true, act: action{pop: 1, push: newDeleteForGood(e)}},
		},
		grave: true,
	}
}

// newDeleteForGood is the second question. It names the save by its id in the
// line that must be seen, and what it sends is that very id.
func newDeleteForGood(e play.SaveEntry) *choice {
	return &choice{
		title: "Delete for good",
		lines: []string{
			clean(e.ID),
			"Delete " + saveName(e) + " for good?",
			savedAt(e), "",
			"This is final.",
		},
		options: []option{
			{label: "Cancel", act: action{pop: 1}},
			{label: "Delete for good", danger: true, act: action{pop: 1, send: []play.Command{
				{Kind: play.CommandDeleteSave, ID: e.ID, Confirm: e.ID},
			}}},
		},
		grave: true,
	}
}

func newRestartDialog() *choice {
	return &choice{
		title: "Restart the game?",
		lines: []string{
			"The game goes back to the savestate it was started from.",
			"The present is banked as a save first, so nothing is lost.",
		},
		options: []option{
			{label: "Cancel", act: action{pop: 1}},
			{label: "Restart", act: action{pop: 1, send: []play.Command{{Kind: play.CommandRestart}}}},
		},
	}
}

func newQuitDialog() *choice {
	return &choice{
		title: "Leave?",
		lines: []string{"The sitting ends after the turn that is under way, with a save."},
		options: []option{
			{label: "Leave", act: action{quit: true}},
			{label: "Stay", act: action{pop: 1}},
		},
		cancel: 1,
		ctrlC:  action{quit: true},
	}
}
