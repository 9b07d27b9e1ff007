package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clankie/emu"
)

// FindTape finds the tape of a run in the folder of journals dir: by the run's
// id, by a beginning of it that no other run has, by its journal's path or the
// stem of its name, or by the tape's own path. CodeTapeMissing says that there
// is none, CodeRunAmbiguous that several runs may be meant.
func FindTape(dir, run string) (string, error) {
	for _, path := range tapeCandidates(dir, run) {
		if isFile(path) {
			return path, nil
		}
	}
	if path, err := tapeOf(dir, run); path != "" || err != nil {
		return path, err
	}
	found, err := Find(dir, run)
	switch {
	case emu.CodeOf(err) == CodeRunAmbiguous:
		return "", err
	case err == nil && isFile(TapePath(found.Path)):
		return TapePath(found.Path), nil
	}
	return "", &emu.Error{Code: CodeTapeMissing, Message: fmt.Sprintf("there is no tape of %q; `clankie journal list` shows the runs", emu.Clip(emu.Clean(run), maxReason))}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// tapeOf finds a tape by its run's whole id, or "": the journal may be gone.
func tapeOf(dir, run string) (string, error) {
	names, err := journalNames(filepath.Join(dir, tapeFolder))
	if err != nil {
		return "", err
	}
	var unreadable string // its reader says what is wrong with it
	for _, name := range names {
		if !strings.HasSuffix(name, FileName("", run)) {
			continue
		}
		path := filepath.Join(dir, tapeFolder, name)
		h, err := ReadTapeHeader(path)
		switch {
		case err != nil:
			unreadable = path
		case h.RunID == run:
			return path, nil
		}
	}
	return unreadable, nil
}

// tapeCandidates are the paths that run names if it is a path or a stem.
func tapeCandidates(dir, run string) []string {
	stem := strings.TrimSuffix(filepath.Base(run), Extension) + Extension
	paths := []string{filepath.Join(dir, tapeFolder, stem)}
	if run != filepath.Base(run) || strings.HasSuffix(run, Extension) {
		paths = append([]string{TapePath(run)}, paths...)
		if filepath.Base(filepath.Dir(run)) == tapeFolder {
			paths = append([]string{run}, paths...)
		}
	}
	return paths
}
