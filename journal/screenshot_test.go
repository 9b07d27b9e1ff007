package journal

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func picture(width, height int) func() ([]byte, error) {
	return func() ([]byte, error) {
		var out bytes.Buffer
		err := png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height)))
		return out.Bytes(), err
	}
}

func TestShotReasons(t *testing.T) {
	old := "old"
	tests := map[string]struct {
		change func(*TurnLine)
		want   []string
	}{
		"nothing happened": {func(*TurnLine) {}, nil},
		"first":            {func(l *TurnLine) { l.Turn.Turn = 0 }, []string{ShotInitial}},
		"every 25th":       {func(l *TurnLine) { l.Turn.Turn = 75 }, []string{ShotInterval}},
		"other kinds": {func(l *TurnLine) {
			l.Evidence.PostAction = &Observation{Observations: []emu.Envelope{{Kind: emu.ObserveDialog}}}
		}, []string{ShotSceneChange}},
		"same kinds": {func(l *TurnLine) { l.Evidence.PostAction = &l.Evidence.Decision }, nil},
		"other kinds since the decision, none since the action": {func(l *TurnLine) {
			l.Evidence.ImmediatePreAction = &Observation{}
			l.Evidence.PostAction = &Observation{}
		}, nil},
		"another map": {func(l *TurnLine) {
			l.Evidence.ProgressBefore.Maps = []string{"a"}
			l.Evidence.ProgressAfter = &Progress{Maps: []string{"a", "b"}}
		}, []string{ShotMapChange}},
		"no map":               {func(l *TurnLine) { l.Evidence.ProgressAfter = &Progress{} }, nil},
		"objective replaced":   {func(l *TurnLine) { l.Evidence.Signals.PreviousObjective = &old }, []string{ShotObjectiveChange}},
		"objective cleared":    {func(l *TurnLine) { l.Evidence.Signals.PreviousObjective, l.Turn.Objective = &old, nil }, []string{ShotObjectiveChange}},
		"objective kept":       {func(l *TurnLine) { l.Evidence.Signals.PreviousObjective, l.Turn.Objective = &old, &old }, nil},
		"first objective":      {func(l *TurnLine) { l.Turn.Objective = &old }, nil},
		"objective retired":    {func(l *TurnLine) { l.Turn.ObjectiveRetired = &old }, []string{ShotObjectiveChange}},
		"wanted to speak":      {func(l *TurnLine) { l.Turn.SpeakWanted = true }, []string{ShotNoteworthy}},
		"refused":              {func(l *TurnLine) { l.Turn.Outcome = OutcomeRejected }, []string{ShotFailure}},
		"no evidence, refused": {func(l *TurnLine) { l.Evidence, l.Turn.Outcome = nil, OutcomeMindFailed }, []string{ShotFailure}},
		"everything": {func(l *TurnLine) {
			l.Turn.Turn, l.Turn.Outcome, l.Turn.SpeakWanted = 0, OutcomeRejected, true
			l.Evidence.Signals.PreviousObjective = &old
			l.Evidence.PostAction, l.Evidence.ProgressAfter = &Observation{}, &Progress{Maps: []string{"b"}}
		}, []string{ShotInitial, ShotSceneChange, ShotMapChange, ShotObjectiveChange, ShotNoteworthy, ShotFailure}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			line := testTurn(3)
			tt.change(&line)
			if diff := cmp.Diff(tt.want, ShotReasons(line)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScreenshotsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journals")
	w, err := Create(dir, testHeader())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	shots := w.Screenshots()
	line := testTurn(0)
	if line.Screenshot, err = shots.Turn(line, picture(240, 160)); err != nil {
		t.Fatal(err)
	}
	stem := strings.TrimSuffix(filepath.Base(w.Path()), Extension)
	if want := ".screenshots/" + stem + "/turn-000000-initial.png"; line.Screenshot.Path != want {
		t.Errorf("path %s, want %s", line.Screenshot.Path, want)
	}
	end, err := shots.Terminal(picture(240, 160))
	if err != nil || end.Path != ".screenshots/"+stem+"/terminal-terminal.png" {
		t.Errorf("%+v, %v", end, err)
	}
	for path, want := range map[string]os.FileMode{
		".screenshots": folderMode | os.ModeDir, ".screenshots/" + stem: folderMode | os.ModeDir, end.Path: fileMode,
	} {
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Mode() != want {
			t.Errorf("%s: mode %v, want %v, %v", path, info.Mode(), want, err)
		}
	}
	if err := w.Turn(line); err != nil {
		t.Error(err)
	}
	if err := w.Summary(Summary{At: testMoment, Outcome: "stopped", Screenshot: end}); err != nil {
		t.Error(err)
	}
	check, err := CheckFile(w.Path())
	want := PictureCounts{Referenced: 2, Present: 2, Matching: 2, Bad: []BadPicture{}}
	if diff := cmp.Diff(want, check.Screenshots); diff != "" || err != nil || check.Damaged {
		t.Errorf("%+v, %v (-want +got):\n%s", check, err, diff)
	}
}

// TestScreenshotsAreFew keeps 63 of a long run and the last, and makes no
// picture that is not kept.
func TestScreenshotsAreFew(t *testing.T) {
	s := &Screenshots{dir: t.TempDir(), stem: "run"}
	made, kept := 0, 0
	frame := func() ([]byte, error) { made++; return picture(8, 8)() }
	for n := range 2000 {
		shot, err := s.Turn(testTurn(n), frame)
		if err != nil {
			t.Fatal(err)
		}
		if shot != nil {
			kept++
		}
	}
	if made != 63 || kept != 63 {
		t.Errorf("made %d, kept %d", made, kept)
	}
	for _, want := range []bool{true, false} {
		if shot, err := s.Terminal(frame); (shot != nil) != want || err != nil {
			t.Errorf("the end: %+v, %v", shot, err)
		}
	}
	var none *Screenshots
	if shot, err := none.Turn(testTurn(0), frame); shot != nil || err != nil {
		t.Error("a nil one keeps pictures")
	}
	if shot, err := none.Terminal(frame); shot != nil || err != nil {
		t.Error("a nil one keeps pictures")
	}
}

func TestScreenshotsRefuse(t *testing.T) {
	broken := errors.New("broken")
	raw := func(data string) func() ([]byte, error) {
		return func() ([]byte, error) { return []byte(data), nil }
	}
	for name, tt := range map[string]struct {
		frame func() ([]byte, error)
		code  string
	}{
		"no PNG":      {raw("GIF89a"), CodePictureInvalid},
		"too wide":    {picture(MaxScreenshotSide+1, 1), CodePictureSize},
		"too long":    {raw(strings.Repeat("x", MaxScreenshotBytes+1)), CodePictureTooLarge},
		"no picture":  {raw(""), ""},
		"broken":      {func() ([]byte, error) { return nil, broken }, ""},
		"as it is":    {picture(240, 160), ""},
		"as it can":   {picture(MaxScreenshotSide, 1), ""},
		"name taken":  {picture(1, 1), CodePictureWrite},
		"leads out":   {picture(1, 1), CodePictureWrite},
		"no room":     {picture(1, 1), CodePictureWrite},
		"an old stem": {picture(1, 1), CodeRecordInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Screenshots{dir: t.TempDir(), stem: "run"}
			obstruct(t, name, s)
			shot, err := s.Turn(testTurn(0), tt.frame)
			if tt.code != "" {
				wantCode(t, err, tt.code)
			}
			if (shot != nil) != strings.HasPrefix(name, "as it") {
				t.Errorf("kept %+v, %v", shot, err)
			}
		})
	}
}

func obstruct(t *testing.T, how string, s *Screenshots) {
	t.Helper()
	var err error
	switch how {
	case "name taken":
		name := filepath.Join(s.dir, ".screenshots", "run", "turn-000000-initial.png")
		err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("kept"), 0o600))
		t.Cleanup(func() {
			if data, err := os.ReadFile(name); err != nil || string(data) != "kept" {
				t.Errorf("the file in the way: %q, %v", data, err)
			}
		})
	case "leads out":
		err = os.Symlink(t.TempDir(), filepath.Join(s.dir, ".screenshots"))
	case "no room":
		s.dir = filepath.Join(s.dir, "nowhere")
	case "an old stem":
		s.stem = "a run"
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestPictureOutageIsToldOnce(t *testing.T) {
	s := &Screenshots{dir: filepath.Join(t.TempDir(), "nowhere"), stem: "run"}
	var told []string
	for n := range 3 {
		if n == 2 {
			s.dir = filepath.Dir(s.dir)
		}
		shot, err := s.Turn(testTurn(0), picture(1, 1))
		told = append(told, fmt.Sprint(shot != nil, err != nil))
	}
	if diff := cmp.Diff([]string{"false true", "false false", "true false"}, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
