package journal

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"clankie/emu"
)

// DefaultProfile is the play profile of those who name none.
const DefaultProfile = "main"

// LocalJourneyID names the adventure that a profile has in an environment.
// profile "" is DefaultProfile.
func LocalJourneyID(environmentID, profile string) string {
	if profile == "" {
		profile = DefaultProfile
	}
	return "local:" + environmentID + ":profile:" + encodeURIComponent(profile)
}

// encodeURIComponent escapes as ECMAScript's function of that name does,
// which net/url has no like of.
func encodeURIComponent(s string) string {
	const (
		unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"
		digits     = "0123456789ABCDEF"
	)
	var out strings.Builder
	for _, c := range []byte(strings.ToValidUTF8(s, string(utf8.RuneError))) {
		if strings.IndexByte(unreserved, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		out.WriteByte('%')
		out.WriteByte(digits[c>>4])
		out.WriteByte(digits[c&0xF])
	}
	return out.String()
}

// Extension ends the names of journals.
const Extension = ".jsonl"

// Run is one run's file.
type Run struct {
	Path   string
	Bytes  int64
	Header Header
}

// Problem is a file that could not be taken for what its name says.
type Problem struct {
	Path   string
	Reason string // begins with a code; safe to show
}

// Runs lists the runs in dir, oldest first by start, then by run id. With a
// journey it lists that journey's alone, which older headers (before version
// 3) do not name. Only the first line of each file is read; files without a
// header there are problems. A dir that does not exist has no runs.
func Runs(dir, journey string) ([]Run, []Problem, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, readFailure(dir, err)
	}
	var runs []Run
	var problems []Problem
	for _, file := range files {
		if !file.Type().IsRegular() || filepath.Ext(file.Name()) != Extension {
			continue
		}
		run, err := readRun(filepath.Join(dir, file.Name()), file)
		switch {
		case err != nil:
			problems = append(problems, Problem{Path: run.Path, Reason: emu.Clean(err.Error())})
		case journey == "" || run.Header.JourneyID == journey:
			runs = append(runs, run)
		}
	}
	slices.SortFunc(runs, oldestFirst)
	return runs, problems, nil
}

func readRun(path string, file fs.DirEntry) (Run, error) {
	run := Run{Path: path}
	if info, err := file.Info(); err == nil {
		run.Bytes = info.Size()
	}
	var err error
	run.Header, err = ReadHeader(path)
	return run, err
}

func oldestFirst(a, b Run) int {
	at, _ := ParseMoment(a.Header.StartedAt)
	bt, _ := ParseMoment(b.Header.StartedAt)
	return cmp.Or(at.Compare(bt), cmp.Compare(a.Header.RunID, b.Header.RunID), cmp.Compare(a.Path, b.Path))
}

// Continuity is what a mind had last in mind.
type Continuity struct {
	Notes     *string
	Objective *string
	RunID     string // of the run it is from
	Path      string
	Turn      int
}

// LastContinuity finds the notes and objective of the last turn of the
// journey's newest run that has any turn, or nil where there is none. Damage
// is read around and told as problems: it never makes an older run win over a
// newer one that still has a turn.
func LastContinuity(dir, journey string) (*Continuity, []Problem, error) {
	runs, problems, err := Runs(dir, journey)
	if err != nil {
		return nil, problems, err
	}
	for _, run := range slices.Backward(runs) {
		turn, err := lastTurn(run.Path)
		if err != nil {
			problems = append(problems, Problem{Path: run.Path, Reason: emu.Clean(err.Error())})
			continue
		}
		if turn != nil {
			return &Continuity{
				Notes: turn.Turn.Notes, Objective: turn.Turn.Objective,
				RunID: run.Header.RunID, Path: run.Path, Turn: turn.Turn.Turn,
			}, problems, nil
		}
	}
	return nil, problems, nil
}

// tailBytes is how much of a file's end is looked at before all of it is: a
// few lines of the longest kind.
const tailBytes = 4 * MaxLineBytes

// lastTurn finds the last good turn of a file, or nil. Long files are read
// from near their end.
func lastTurn(path string) (*TurnLine, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, readFailure(path, err)
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, readFailure(path, err)
	}
	if size > tailBytes {
		turn, err := lastTurnFrom(file, size-tailBytes)
		if err != nil || turn != nil {
			return turn, err
		}
	}
	return lastTurnFrom(file, 0)
}

// lastTurnFrom finds the last good turn at or after offset. What offset cuts
// in two is a bad line and does no harm.
func lastTurnFrom(file *os.File, offset int64) (*TurnLine, error) {
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, readFailure(file.Name(), err)
	}
	var turn *TurnLine
	for record, err := range scanFrom(file, offset) {
		if err != nil {
			return nil, readFailure(file.Name(), err)
		}
		if record.Turn != nil {
			turn = record.Turn
		}
	}
	return turn, nil
}
