package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clankie/emu"
)

// FindTape finds the tape of a run in the folder of journals dir: by the run's
// id, by its journal's path or the stem of its name, or by the tape's own
// path. CodeTapeMissing says that there is none.
func FindTape(dir, run string) (string, error) {
	for _, path := range tapeCandidates(dir, run) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	names, err := journalNames(filepath.Join(dir, tapeFolder))
	if err != nil {
		return "", err
	}
	var unreadable string
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
	if unreadable != "" {
		return unreadable, nil // its reader says what is wrong with it
	}
	return "", &emu.Error{Code: CodeTapeMissing, Message: fmt.Sprintf("there is no tape of %q; `clankie journal list` shows the runs", emu.Clip(emu.Clean(run), maxReason))}
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
