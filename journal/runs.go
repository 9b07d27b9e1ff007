package journal

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"clankie/emu"
)

// Extension ends the names of journals.
const Extension = ".jsonl"

// Run is one run's file.
type Run struct {
	Path   string
	Header Header
	// Live is true while a writer has the file open.
	Live bool
}

// Problem is a file that could not be taken for what its name says.
type Problem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // begins with a code; safe to show
}

// Runs lists the runs in dir, oldest first by start, then by run id. With a
// journey it lists that journey's alone, which older headers (before version
// 3) do not name, and no file is opened whose name says that it is another's.
// Only the first line of each file is read; files without a header there are
// problems. A dir that does not exist has no runs.
func Runs(dir, journey string) ([]Run, []Problem, error) {
	names, err := namesOf(dir, journey)
	if err != nil {
		return nil, nil, err
	}
	var runs []Run
	var problems []Problem
	for i, look := range lookAt(dir, names, journey) {
		switch {
		case look.err != nil:
			problems = append(problems, problem(filepath.Join(dir, names[i]), look.err))
		case look.run != nil:
			runs = append(runs, *look.run)
		}
	}
	slices.SortFunc(runs, oldestFirst)
	return runs, problems, nil
}

// journalNames are the names of the files in dir that may be journals.
func journalNames(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, readFailure(dir, err)
	}
	var names []string
	for _, file := range files {
		if file.Type().IsRegular() && filepath.Ext(file.Name()) == Extension {
			names = append(names, file.Name())
		}
	}
	return names, nil
}

func problem(path string, err error) Problem {
	return Problem{Path: path, Reason: emu.Clean(err.Error())}
}

func oldestFirst(a, b Run) int {
	at, _ := emu.ParseMoment(a.Header.StartedAt)
	bt, _ := emu.ParseMoment(b.Header.StartedAt)
	return cmp.Or(at.Compare(bt), cmp.Compare(a.Header.RunID, b.Header.RunID), cmp.Compare(a.Path, b.Path))
}
