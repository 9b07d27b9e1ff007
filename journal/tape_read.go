package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"clankie/emu"
)

// maxTapeLine bounds a tape's line; the header is the longest.
const maxTapeLine = 64 << 10

// ReadTape reads the tape at path line by line. Half a line at the end is
// delivered as Torn: a crash leaves one. Everything else that is not as it
// was written ends the sequence with an error: CodeNotATape or CodeTapeVersion
// for the first line, CodeTapeDamaged for a later one, CodeReadFailed for the
// disk. The lines before it are good.
func ReadTape(path string) iter.Seq2[TapeLine, error] {
	return func(yield func(TapeLine, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(TapeLine{}, readFailure(path, err))
			return
		}
		defer file.Close()
		for line, err := range ScanTape(file) {
			if err != nil && emu.CodeOf(err) == "" {
				err = readFailure(path, err)
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// ScanTape is ReadTape over any reader; errors of the disk are the reader's
// own.
func ScanTape(r io.Reader) iter.Seq2[TapeLine, error] {
	return func(yield func(TapeLine, error) bool) {
		s := tapeScanner{in: bufio.NewReaderSize(r, maxTapeLine)}
		for {
			line, err := s.next()
			if err == io.EOF || !yield(line, err) || err != nil || line.Torn != nil {
				return
			}
		}
	}
}

// ReadTapeHeader reads the first line of the tape at path.
func ReadTapeHeader(path string) (TapeHeader, error) {
	for line, err := range ReadTape(path) {
		if err != nil {
			return TapeHeader{}, err
		}
		return *line.Header, nil
	}
	return TapeHeader{}, notATape("it is empty")
}

// tapeScanner knows what may come next.
type tapeScanner struct {
	in     *bufio.Reader
	chain  emu.Digest
	offset int64
	number int
	ended  bool // the last line said that nothing comes any more
}

func (s *tapeScanner) next() (TapeLine, error) {
	data, err := s.in.ReadSlice('\n')
	if err == io.EOF && len(data) == 0 && s.number > 0 {
		return TapeLine{}, io.EOF
	}
	s.number++
	line := TapeLine{Offset: s.offset, Number: s.number}
	s.offset += int64(len(data))
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return TapeLine{}, s.bad(line, errors.New("it is longer than any line of a tape"))
	case err == io.EOF:
		return s.torn(line, data)
	case err != nil:
		return TapeLine{}, err
	}
	err = s.read(&line, data[:len(data)-1])
	if err != nil {
		return TapeLine{}, s.bad(line, err)
	}
	return line, nil
}

// torn judges what lies behind the last line feed. A crash leaves the
// beginning of a line; a whole line with something else behind it is none.
func (s *tapeScanner) torn(line TapeLine, data []byte) (TapeLine, error) {
	if s.number == 1 {
		return TapeLine{}, notATape("its first line was never finished")
	}
	if s.ended {
		return TapeLine{}, s.bad(line, errBehindEnd)
	}
	if len(data) > 0 {
		if _, _, err := unseal(data[:len(data)-1], s.chain); err == nil {
			return TapeLine{}, s.bad(line, errors.New("its line feed is another byte"))
		}
	}
	line.Torn = &Gap{Offset: line.Offset, Bytes: int64(len(data)), Reason: "the last line was never finished", Torn: true}
	return line, nil
}

var errBehindEnd = errors.New("it stands behind the tape's end")

// read checks the line against the chain and understands it.
func (s *tapeScanner) read(line *TapeLine, data []byte) error {
	object, chain, err := unseal(data, s.chain)
	if err != nil {
		return err
	}
	if s.ended {
		return errBehindEnd
	}
	if err := line.parse(object); err != nil {
		return err
	}
	if (line.Header != nil) != (s.number == 1) {
		return errors.New("a header stands where none belongs, or none where one does")
	}
	s.chain = chain
	s.ended = line.Mark != nil && line.Mark.Kind == TapeKindEnd
	return nil
}

// parse reads the object of a line strictly.
func (l *TapeLine) parse(object []byte) error {
	var probe struct {
		Kind string `json:"kind"`
	}
	if err := emu.UnmarshalPart(object, &probe); err != nil {
		return err
	}
	var into any
	switch probe.Kind {
	case TapeKindHeader:
		l.Header = new(TapeHeader)
		into = l.Header
	case TapeKindRun:
		l.Run = new(TapeRun)
		into = l.Run
	case TapeKindLoad:
		l.Load = new(TapeLoad)
		into = l.Load
	case TapeKindSave:
		l.Save = new(TapeSave)
		into = l.Save
	case TapeKindSteer:
		l.Steer = new(TapeSteer)
		into = l.Steer
	case TapeKindBorder, TapeKindDigest, TapeKindEnd:
		l.Mark = new(TapeMark)
		into = l.Mark
	default:
		return fmt.Errorf("kind: %q is none of a tape's", emu.Clip(emu.Clean(probe.Kind), maxReason))
	}
	if err := decode(object, into); err != nil {
		return err
	}
	return into.(interface{ validate() error }).validate()
}

// bad says what is wrong with a line. A file whose first line is not a tape's
// is no tape.
func (s *tapeScanner) bad(line TapeLine, cause error) error {
	if emu.CodeOf(cause) != "" {
		return cause
	}
	why := emu.Clip(emu.Clean(cause.Error()), maxReason)
	if line.Number == 1 {
		return notATape("its first line: " + why)
	}
	return &emu.Error{
		Code:    CodeTapeDamaged,
		Message: fmt.Sprintf("line %d, at byte %d, is not as it was written: %s", line.Number, line.Offset, why),
		Err:     cause,
	}
}

func notATape(why string) error {
	return &emu.Error{Code: CodeNotATape, Message: "this is no tape: " + why}
}
