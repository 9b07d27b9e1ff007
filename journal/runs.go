package journal

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"clankie/emu"
)

// Extension ends the names of journals.
const Extension = ".jsonl"

// Run is one run's file.
type Run struct {
	Path   string
	Bytes  int64
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
// 3) do not name. Only the first line of each file is read; files without a
// header there are problems. A dir that does not exist has no runs.
func Runs(dir, journey string) ([]Run, []Problem, error) {
	names, err := journalNames(dir)
	if err != nil {
		return nil, nil, err
	}
	var runs []Run
	var problems []Problem
	for _, name := range names {
		path := filepath.Join(dir, name)
		run, err := readRun(path, journey)
		switch {
		case err != nil:
			problems = append(problems, problem(path, err))
		case run != nil:
			runs = append(runs, *run)
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
	at, _ := ParseMoment(a.Header.StartedAt)
	bt, _ := ParseMoment(b.Header.StartedAt)
	return cmp.Or(at.Compare(bt), cmp.Compare(a.Header.RunID, b.Header.RunID), cmp.Compare(a.Path, b.Path))
}

// readRun reads what there is to know from a file's first line, or nil when
// the run is not of the journey.
func readRun(path, journey string) (*Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, readFailure(path, err)
	}
	defer file.Close()
	line, err := firstLine(file)
	if err != nil {
		return nil, readFailure(path, err)
	}
	if elsewhere(line.data, journey) {
		return nil, nil
	}
	header, ok := line.header()
	if !ok {
		return nil, notAJournal(path)
	}
	if journey != "" && header.JourneyID != journey {
		return nil, nil
	}
	run := &Run{Path: path, Header: header, Live: isLive(file)}
	if info, err := file.Stat(); err == nil {
		run.Bytes = info.Size()
	}
	return run, nil
}

// ReadHeader reads the first line of the file at path alone. CodeNotAJournal
// says that it is no header, CodeReadFailed that the disk failed.
func ReadHeader(path string) (Header, error) {
	run, err := readRun(path, "")
	if err != nil {
		return Header{}, err
	}
	return run.Header, nil
}

func notAJournal(path string) error {
	return &emu.Error{Code: CodeNotAJournal, Message: "the first line of " + emu.Clean(path) + " is no header of a journal"}
}

const (
	headerBuffer   = 4 << 10  // holds a header as they are
	maxHeaderBytes = 64 << 10 // no header is longer; a file of another kind is not read to its end
)

// firstLine is the first line of file that is not blank, as far as it may be
// a header.
func firstLine(file io.Reader) (rawLine, error) {
	lines := lineReader{in: bufio.NewReaderSize(io.LimitReader(file, maxHeaderBytes), headerBuffer)}
	for {
		line, err := lines.next()
		if err == io.EOF {
			return rawLine{}, nil
		}
		if err != nil || !line.blank() {
			return line, err
		}
	}
}

// header understands a first line.
func (l rawLine) header() (Header, bool) {
	// What hangs on to a torn first line does not begin the file.
	if records := l.records(); len(records) > 0 && records[0].Header != nil {
		return *records[0].Header, true
	}
	return Header{}, false
}

// elsewhere reports whether a header can be seen to be of another journey
// without understanding it: a folder has thousands.
func elsewhere(header []byte, journey string) bool {
	whole := bytes.HasPrefix(header, headerStart) && bytes.HasSuffix(bytes.TrimSpace(header), []byte{'}'})
	named := bytes.Contains(header, []byte(`"journeyId":"`)) && bytes.IndexByte(header, '\\') < 0
	if journey == "" || !whole || !named {
		return false
	}
	quoted := strconv.AppendQuote(nil, journey)
	return bytes.IndexByte(quoted, '\\') < 0 && !bytes.Contains(header, quoted)
}
