package mgba

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"clankie/emu"
)

// compiledCode is the folder of machine code that wazero keeps, with the
// digest of each of its files beside it:
//
//	wazero-<version>/<key>        machine code
//	sums/wazero-<version>/<key>   its SHA-256
//
// wazero checks only part of what it reads back: a few wrong bytes elsewhere
// end the whole program, at every start. So no file is handed to it whose
// digest is not the one noted when it was written.
type compiledCode string

// verified are the files that have their digest, by path within the folder.
type verified map[string]fs.FileInfo

func (c compiledCode) path(name string) string { return filepath.Join(string(c), name) }
func (c compiledCode) sum(name string) string  { return filepath.Join(string(c), "sums", name) }

// files lists the files of machine code, without those that are being written.
func (c compiledCode) files() []string {
	all, _ := fs.Glob(os.DirFS(string(c)), "wazero-*/*")
	kept := all[:0]
	for _, name := range all {
		if !strings.HasSuffix(name, ".tmp") {
			kept = append(kept, name)
		}
	}
	return kept
}

// verify deletes what is damaged, which damage says, and what has no digest
// noted. An error means that damaged code stays and must not be used.
func (c compiledCode) verify() (sound verified, damage string, err error) {
	sound = verified{}
	for _, name := range c.files() {
		want, noted := os.ReadFile(c.sum(name))
		got, info, reading := digestOfFile(c.path(name))
		if noted == nil && reading == nil && string(got) == string(want) {
			sound[name] = info
			continue
		}
		removing := c.remove(name)
		if noted != nil {
			continue // of an interrupted start, or of an older program
		}
		damage = "the cached machine code is damaged: it is not what was written"
		if reading != nil {
			damage = "the cached machine code cannot be read: " + reading.Error()
		}
		err = errors.Join(err, removing)
	}
	return sound, damage, err
}

// note writes down the digests of what was compiled after verify. What cannot
// be noted is compiled again at the next start.
func (c compiledCode) note(sound verified) {
	for _, name := range c.files() {
		got, info, err := digestOfFile(c.path(name))
		if err != nil || sound[name] != nil && os.SameFile(sound[name], info) {
			continue
		}
		if err := writeDurable(c.sum(name), []byte(got)); err != nil {
			_ = os.Remove(c.sum(name))
		}
	}
}

func (c compiledCode) remove(name string) error {
	err := os.Remove(c.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // another program was faster
	}
	_ = os.Remove(c.sum(name))
	return err
}

// empty deletes all machine code, and nothing else.
func (c compiledCode) empty() (err error) {
	for _, name := range c.files() {
		err = errors.Join(err, c.remove(name))
	}
	return err
}

func digestOfFile(path string) (emu.Digest, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%s is no regular file", filepath.Base(path))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	return emu.DigestOf(data), info, nil
}
