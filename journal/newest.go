package journal

import (
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"clankie/emu"
)

// A start must not grow slower with every run there has been, so looking for
// the newest run reads no file that is older than the one it finds. What
// orders files before they are read is their name, which begins with the
// start, and may end with a mark of the journey; the header has the last word.
// Where a journey was played long ago, or never, many runs of others may stand
// before it: the longer the search goes on, the more headers are read at once.

// stampOf reads the start of a run off the name that FileName gave its file.
func stampOf(name string) (time.Time, bool) {
	const layout, length = "2006-01-02T15-04-05", len("2006-01-02T15-04-05-000Z-")
	if len(name) < length || name[length-2:length] != "Z-" {
		return time.Time{}, false
	}
	start, err := time.Parse(layout, name[:len(layout)])
	millis, notANumber := strconv.ParseUint(name[len(layout)+1:length-2], 10, 16)
	return start.Add(time.Duration(millis) * time.Millisecond), err == nil && notANumber == nil
}

// shelved is a file that may hold a run.
type shelved struct {
	name  string
	start time.Time // by the header where it was read, else by the name
	run   *Run      // nil until the header is read
}

func (f shelved) unread() bool { return f.run == nil }

func newestFirst(a, b shelved) int { return b.start.Compare(a.start) }

// shelf hands out a journey's runs, the newest first.
type shelf struct {
	dir, journey string
	files        []shelved // newest first
	ahead        int       // how many are read next
	problems     []Problem
}

// maxAhead is the most files that are read at once.
const maxAhead = 512

func openShelf(dir, journey string) (*shelf, error) {
	names, err := namesOf(dir, journey)
	if err != nil {
		return nil, err
	}
	s := &shelf{dir: dir, journey: journey}
	var nameless []shelved // their headers alone say when
	for _, name := range names {
		file := shelved{name: name}
		var named bool
		if file.start, named = stampOf(name); named {
			s.files = append(s.files, file)
		} else {
			nameless = append(nameless, file)
		}
	}
	s.files = append(s.files, s.read(nameless)...)
	slices.SortFunc(s.files, newestFirst)
	return s, nil
}

// read reads the headers of files and returns those of the journey. Those that
// were read before stay as they are.
func (s *shelf) read(files []shelved) []shelved {
	var names []string
	for _, file := range files {
		if file.unread() {
			names = append(names, file.name)
		}
	}
	looks := lookAt(s.dir, names, s.journey)
	var kept []shelved
	for _, file := range files {
		if file.unread() {
			found := looks[0]
			looks = looks[1:]
			if found.err != nil {
				s.problems = append(s.problems, problem(filepath.Join(s.dir, file.name), found.err))
			}
			if found.run == nil {
				continue
			}
			file.run = found.run
			file.start, _ = emu.ParseMoment(found.run.Header.StartedAt)
		}
		kept = append(kept, file)
	}
	return kept
}

// readAhead reads the headers of the first n files and of some more. A file
// whose header is older than its name moves back to its place.
func (s *shelf) readAhead(n int) {
	n = min(max(n, s.ahead), len(s.files))
	s.ahead = min(2*n, maxAhead)
	kept := s.read(s.files[:n])
	s.files = s.files[n-len(kept):]
	copy(s.files, kept)
	slices.SortFunc(s.files, newestFirst)
}

// runs hands out the runs. Files with the same start are read together, for
// the run id decides among them.
func (s *shelf) runs() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for len(s.files) > 0 {
			group := s.first()
			if slices.ContainsFunc(group, shelved.unread) {
				s.readAhead(len(group))
				continue
			}
			if !yield(*s.take(newestOf(group)).run) {
				return
			}
		}
	}
}

// first are the files with the newest start.
func (s *shelf) first() []shelved {
	n := 1
	for n < len(s.files) && s.files[n].start.Equal(s.files[0].start) {
		n++
	}
	return s.files[:n]
}

func newestOf(group []shelved) int {
	newest := 0
	for i := range group {
		if oldestFirst(*group[newest].run, *group[i].run) < 0 {
			newest = i
		}
	}
	return newest
}

func (s *shelf) take(at int) shelved {
	file := s.files[at]
	if at == 0 {
		s.files = s.files[1:] // moves nothing, however many there are
	} else {
		s.files = slices.Delete(s.files, at, at+1)
	}
	return file
}

// Newest is the newest run in dir, of the journey where one is named, or nil.
// Unlike Runs it reads no more files than it must, and tells only of problems
// in those.
func Newest(dir, journey string) (*Run, []Problem, error) {
	s, err := openShelf(dir, journey)
	if err != nil {
		return nil, nil, err
	}
	for run := range s.runs() {
		return &run, s.problems, nil
	}
	return nil, s.problems, nil
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
	s, err := openShelf(dir, journey)
	if err != nil {
		return nil, nil, err
	}
	for run := range s.runs() {
		end, err := readEnding(run.Path, false)
		switch {
		case err != nil:
			s.problems = append(s.problems, problem(run.Path, err))
		case end.turn != nil:
			return &Continuity{
				Notes: end.turn.Notes, Objective: end.turn.Objective,
				RunID: run.Header.RunID, Path: run.Path, Turn: end.turn.Turn,
			}, s.problems, nil
		}
	}
	return nil, s.problems, nil
}
