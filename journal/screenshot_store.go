package journal

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"clankie/emu"
)

// MaxTurnShots is how many screenshots of turns a run keeps; the one of its
// end comes on top.
const MaxTurnShots = 63

const screenshotFolder = ".screenshots"

// Screenshots keeps the pictures of one run beside its journal. A nil one
// keeps none and never fails. Its methods may be called from several
// goroutines.
//
// Like recording, keeping pictures never stops play: an outage of the disk is
// one error however long it lasts.
type Screenshots struct {
	dir  string // of the journal
	stem string // the journal's name without its extension

	mu    sync.Mutex
	shots int
	ended bool
	out   bool // in an outage that was reported
}

// Screenshots keeps pictures beside the writer's journal.
func (w *Writer) Screenshots() *Screenshots {
	if w == nil {
		return nil
	}
	dir, name := filepath.Split(w.path)
	return &Screenshots{dir: dir, stem: strings.TrimSuffix(name, Extension)}
}

// Turn keeps a picture of the turn if ShotReasons gives a reason and the run
// has kept fewer than MaxTurnShots; else it returns nil. frame makes the PNG
// and is asked only then; an empty one says that there is no picture. What is
// returned belongs into the turn's line. On an error there is no file.
func (s *Screenshots) Turn(l TurnLine, frame func() ([]byte, error)) (*Screenshot, error) {
	reasons := ShotReasons(l)
	if s == nil || len(reasons) == 0 {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shots >= MaxTurnShots || s.ended {
		return nil, nil
	}
	name := fmt.Sprintf("turn-%06d-%s.png", max(l.Turn.Turn, 0), strings.Join(reasons, "-"))
	shot, err := s.keep(name, reasons, frame)
	if shot != nil {
		s.shots++
	}
	return shot, err
}

// Terminal keeps the picture of the run's end; what is returned belongs into
// the summary. It is kept once.
func (s *Screenshots) Terminal(frame func() ([]byte, error)) (*Screenshot, error) {
	if s == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, nil
	}
	s.ended = true
	return s.keep(ShotTerminal+"-"+ShotTerminal+".png", []string{ShotTerminal}, frame)
}

func (s *Screenshots) keep(name string, reasons []string, frame func() ([]byte, error)) (*Screenshot, error) {
	data, err := frame()
	if err != nil || len(data) == 0 {
		return nil, err
	}
	shot, err := inspect(data)
	if err != nil {
		return nil, err
	}
	shot.Path, shot.Reasons = path.Join(screenshotFolder, s.stem, name), reasons
	if err := shot.Validate(); err != nil {
		return nil, &emu.Error{Code: CodeRecordInvalid, Message: err.Error(), Err: err}
	}
	if err := s.write(shot.Path, data); err != nil {
		return nil, s.report(err)
	}
	s.out = false
	return shot, nil
}

// inspect describes a PNG that may be kept.
func inspect(data []byte) (*Screenshot, error) {
	if len(data) > MaxScreenshotBytes {
		return nil, &emu.Error{
			Code:    CodePictureTooLarge,
			Message: fmt.Sprintf("the picture has %d bytes, at most %d are kept", len(data), MaxScreenshotBytes),
		}
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, &emu.Error{Code: CodePictureInvalid, Message: "the picture is no PNG: " + reason(err), Err: err}
	}
	if side := max(config.Width, config.Height); min(config.Width, config.Height) < 1 || side > MaxScreenshotSide {
		return nil, &emu.Error{
			Code:    CodePictureSize,
			Message: fmt.Sprintf("the picture is %d×%d, sides must be 1 to %d", config.Width, config.Height, MaxScreenshotSide),
		}
	}
	return &Screenshot{
		ByteLength: len(data), SHA256: emu.DigestOf(data), Width: config.Width, Height: config.Height,
	}, nil
}

// write puts a new file on the disk; a name that is taken is refused. Nothing
// is written outside the journal's folder, wherever links there may lead.
func (s *Screenshots) write(name string, data []byte) error {
	root, err := os.OpenRoot(filepath.Clean(s.dir))
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), folderMode); err != nil {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = syncFolder(filepath.Join(s.dir, path.Dir(name)))
	}
	if err != nil {
		_ = root.Remove(name) // what is half there must not be taken for a picture
	}
	return err
}

// report lets an outage be told once.
func (s *Screenshots) report(cause error) error {
	if s.out {
		return nil
	}
	s.out = true
	return &emu.Error{
		Code: CodePictureWrite, Message: "play goes on without the picture: " + reason(cause),
		Retryable: true, Err: cause,
	}
}
