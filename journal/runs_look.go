package journal

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"clankie/emu"
)

// A folder may have ten thousand runs, and to list them or to look for one
// each file has to be opened. So that is done with as little else as can be.

const (
	headerBuffer   = 4 << 10  // holds a header as they are
	maxHeaderBytes = 64 << 10 // no header is longer; a file of another kind is not read to its end
	maxLookers     = 8        // files that are opened at once
)

// look is what a look at a file's first line found.
type look struct {
	run *Run // nil when the file is of another journey
	err error
}

// lookAt reads the headers of the named files in dir, several at once.
func lookAt(dir string, names []string, journey string) []look {
	looks := make([]look, len(names))
	var next atomic.Int64
	var lookers sync.WaitGroup
	for range min(len(names), runtime.GOMAXPROCS(0), maxLookers) {
		lookers.Go(func() {
			r := newHeaderReader()
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				looks[i].run, looks[i].err = r.run(filepath.Join(dir, names[i]), journey)
			}
		})
	}
	lookers.Wait()
	return looks
}

// headerReader reads the first lines of files with the same buffers.
type headerReader struct {
	limited io.LimitedReader
	lines   lineReader
}

func newHeaderReader() *headerReader {
	return &headerReader{lines: lineReader{in: bufio.NewReaderSize(nil, headerBuffer)}}
}

// run reads what there is to know from a file's first line, or nil when the
// run is not of the journey.
func (r *headerReader) run(path, journey string) (*Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, readFailure(path, err)
	}
	defer file.Close()
	line, err := r.first(file)
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
	return &Run{Path: path, Header: header, Live: isLive(file)}, nil
}

// first is the first line of file that is not blank, as far as it may be a
// header.
func (r *headerReader) first(file io.Reader) (rawLine, error) {
	r.limited = io.LimitedReader{R: file, N: maxHeaderBytes}
	for line, err := range r.lines.all(&r.limited) {
		if err != nil || !line.blank() {
			return line, err
		}
	}
	return rawLine{}, nil
}

// ReadHeader reads the first line of the file at path alone. CodeNotAJournal
// says that it is no header, CodeReadFailed that the disk failed.
func ReadHeader(path string) (Header, error) {
	run, err := newHeaderReader().run(path, "")
	if err != nil {
		return Header{}, err
	}
	return run.Header, nil
}

func notAJournal(path string) error {
	return &emu.Error{Code: CodeNotAJournal, Message: "the first line of " + emu.Clean(path) + " is no header of a journal"}
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
// without understanding it.
func elsewhere(header []byte, journey string) bool {
	whole := bytes.HasPrefix(header, headerStart) && bytes.HasSuffix(bytes.TrimSpace(header), []byte{'}'})
	named := bytes.Contains(header, []byte(`"journeyId":"`)) && bytes.IndexByte(header, '\\') < 0
	if journey == "" || !whole || !named {
		return false
	}
	quoted := strconv.AppendQuote(nil, journey)
	return bytes.IndexByte(quoted, '\\') < 0 && !bytes.Contains(header, quoted)
}
