package journal

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"

	"clankie/emu"
)

// PictureCounts are the screenshots that a journal's lines refer to.
type PictureCounts struct {
	Referenced int `json:"referenced"`
	Present    int `json:"present"`
	// Matching ones are present and have the recorded length, digest and size.
	Matching int          `json:"matching"`
	Bad      []BadPicture `json:"bad"` // the first thousand
}

// BadPicture is a screenshot that is not as recorded.
type BadPicture struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // in words for people, safe to show
}

// pictureState is what a look at one screenshot found.
type pictureState struct {
	path    string
	present bool
	wrong   string // "" when it is as recorded
}

func (c *PictureCounts) add(s pictureState) {
	c.Referenced++
	if s.present {
		c.Present++
	}
	if s.wrong == "" {
		c.Matching++
		return
	}
	if len(c.Bad) < maxListed {
		c.Bad = append(c.Bad, BadPicture{Path: s.path, Reason: s.wrong})
	}
}

// pictures reads screenshots below a journal's folder and nowhere else: a
// line may name any path, and a link may lead anywhere.
type pictures struct {
	root *os.Root
	err  error
}

func openPictures(dir string) *pictures {
	root, err := os.OpenRoot(dir)
	return &pictures{root, err}
}

func (p *pictures) close() {
	if p.root != nil {
		_ = p.root.Close() // nothing was written
	}
}

// check compares a screenshot with its record.
func (p *pictures) check(s Screenshot) pictureState {
	state := pictureState{path: emu.Clean(s.Path)}
	data, err := p.read(s.Path)
	if err != nil {
		state.wrong = "cannot be read: " + reason(err)
		return state
	}
	state.present = true
	switch {
	case len(data) != s.ByteLength:
		state.wrong = fmt.Sprintf("has %d bytes or more, recorded were %d", len(data), s.ByteLength)
	case emu.DigestOf(data) != s.SHA256:
		state.wrong = "has another digest than recorded"
	default:
		state.wrong = wrongSize(data, s)
	}
	return state
}

// read reads no more of a file than a screenshot may have, and one byte.
func (p *pictures) read(path string) ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	info, err := p.root.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	file, err := p.root.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxScreenshotBytes+1))
}

func wrongSize(data []byte, s Screenshot) string {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "is no PNG"
	}
	if config.Width != s.Width || config.Height != s.Height {
		return fmt.Sprintf("is %d×%d, recorded was %d×%d", config.Width, config.Height, s.Width, s.Height)
	}
	return ""
}
