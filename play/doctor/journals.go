package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"clankie/emu"
	"clankie/journal"
)

// Journals looks at the record of play, and reads journals, pictures and tapes
// to see that they are as they were written.
func Journals(dir string) Check { return journalsUpTo(dir, maxRead) }

// journalsUpTo reads limit bytes of journals and tapes at most.
func journalsUpTo(dir string, limit int64) Check {
	c, there := folder("journals", dir, "CLANKIE_GBA_PLAY_JOURNAL_DIR")
	if c.Status == Fatal {
		c.Status = Problem // play goes on without a record
	}
	if !there {
		return c
	}
	runs, problems, err := journal.Runs(dir, "")
	if err != nil {
		c.Status, c.Missing = Problem, err.Error()
		return c
	}
	var bad damage
	for _, p := range problems {
		bad.add(emu.Clean(p.Path), p.Reason)
	}
	read := readRuns(runs, limit, &bad)
	c.Found = fmt.Sprintf("%s, %s with their tapes and pictures, in %s", emu.Count(len(runs), "run"), emu.Size(sizeOf(dir)), dir)
	if read < len(runs) {
		c.Found += fmt.Sprintf("; the newest %d were read", read)
	}
	return bad.tell(c, "clankie journal check FILE says what is left in each; the others are read, and play goes on")
}

// readRuns reads runs to their ends, the newest first, as long as it is not too
// much. One that is played now is not finished and is left alone.
func readRuns(runs []journal.Run, limit int64, bad *damage) (read int) {
	var spent int64
	for _, run := range slices.Backward(runs) {
		tape := journal.TapePath(run.Path)
		if spent += sizeOf(run.Path) + sizeOf(tape); spent > limit {
			break
		}
		read++
		if run.Live {
			continue
		}
		readRun(run.Path, bad)
		if err := readTape(tape); err != nil {
			bad.add(emu.Clean(filepath.Base(run.Path)), "its tape: "+err.Error())
		}
	}
	return read
}

func readRun(path string, bad *damage) {
	check, err := journal.CheckFile(path)
	if err != nil {
		bad.add(emu.Clean(path), err.Error())
		return
	}
	for _, p := range check.Problems {
		bad.add(emu.Clean(path), p)
	}
}

// readTape reads a tape to its end. Half a line there is what a crash leaves,
// and a run without a tape is one that recorded none.
func readTape(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, err := range journal.ReadTape(path) {
		if err != nil {
			return err
		}
	}
	return nil
}
