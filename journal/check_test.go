package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func checked(t *testing.T, text string) Check {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := CheckFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.Bytes != int64(len(text)) {
		t.Errorf("%d bytes, want %d", c.Bytes, len(text))
	}
	return c
}

// refused is a turn whose action failed with code.
func refused(n int, code string) string {
	line := testTurn(n)
	line.Turn.Outcome = OutcomeRejected
	line.Evidence.ActionResult = EnvironmentResult(AnswerOf("a", "s", testMoment,
		emu.ActionResult{Status: emu.StatusFailed, Err: &emu.Error{Code: code}}))
	return text(line)
}

func TestCheckCounts(t *testing.T) {
	failed := testTurn(3)
	failed.Turn.Outcome, failed.Turn.Action = OutcomeMindFailed, nil
	text := strings.Join([]string{
		head("one", "2026-01-01T00:00:00Z", "j"),
		noted(0, "x"), refused(1, emu.CodeNoPath), refused(2, emu.CodeNoPath), text(failed), turnV1, summaryV2, "",
	}, "\n")
	c := checked(t, text)
	if c.Lines != (LineCounts{Total: 7, Header: 1, Turn: 5, Summary: 1}) || *c.RunID != "one" || c.HeaderVersion != 3 {
		t.Errorf("%+v", c)
	}
	wantTurns := TurnCounts{
		Total:     5,
		ByOutcome: map[Outcome]int{OutcomeAccepted: 2, OutcomeRejected: 2, OutcomeMindFailed: 1},
		ByVersion: map[string]int{"v1": 1, "v2": 4},
	}
	if diff := cmp.Diff(wantTurns, c.Turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{emu.CodeNoPath: 2}, c.FailureCodes); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if c.Screenshots.Referenced != 1 || c.Screenshots.Present != 0 || !c.Damaged {
		t.Errorf("the summary's picture is not there, but: %+v", c)
	}
}

// TestCheckDamage counts what is readable around damage of every kind.
func TestCheckDamage(t *testing.T) {
	start := head("one", "2026-01-01T00:00:00Z", "j") + "\n"
	one, two := noted(0, "one")+"\n", noted(1, "two")+"\n"
	long := testTurn(0)
	at := int64(len(start))
	flip := strings.Replace(one, `"kind"`, `"kinc"`, 1)
	for name, tt := range map[string]struct {
		text    string
		turns   int
		gaps    []int64
		damaged bool
	}{
		"none":               {start + one + two, 2, nil, false},
		"only a header":      {start, 0, nil, false},
		"no last line feed":  {start + one + strings.TrimSpace(two), 2, nil, false},
		"a flipped byte":     {start + flip + two, 1, []int64{at}, true},
		"a run of NULs":      {start + strings.Repeat("\x00", 4096) + one + two, 2, []int64{at}, true},
		"a page lost":        {start + one[:300] + strings.Repeat("\x00", 4096) + two[500:] + one + two, 2, []int64{at}, true},
		"a page cut out":     {start + one[:300] + two[500:] + one + two, 2, []int64{at}, true},
		"line separators":    {start + strings.Replace(one, `"one"`, "\"a\u2028b\u2029c\"", 1) + two, 2, nil, false},
		"carriage returns":   {strings.ReplaceAll(start+one+two, "\n", "\r\n"), 2, nil, false},
		"a lone surrogate":   {start + strings.Replace(one, `"one"`, `"\udc00"`, 1) + two, 2, nil, false},
		"half a character":   {start + strings.Replace(one, `"one"`, "\"\xf0\x9f\"", 1) + two, 2, nil, false},
		"a line of 300 KB":   {start + strings.TrimSuffix(text(long), "}") + strings.Repeat(" ", 300<<10) + "}\n" + two, 2, nil, false},
		"300 KB of nothing":  {start + strings.Repeat("z", 300<<10) + "\n" + two, 1, []int64{at}, true},
		"no header":          {one + two, 2, nil, true},
		"an empty file":      {"", 0, nil, true},
		"a file of its own":  {"hello\nworld\n", 0, []int64{0, 6}, true},
		"a torn end":         {start + one + two[:200], 1, []int64{at + int64(len(one))}, true},
		"two torn and whole": {start + one[:200] + two, 1, []int64{at}, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := checked(t, tt.text)
			var gaps []int64
			var lost int64
			for _, g := range c.Gaps {
				gaps, lost = append(gaps, g.Offset), lost+g.Bytes
			}
			if diff := cmp.Diff(tt.gaps, gaps); diff != "" || c.GapBytes != lost || c.GapCount != len(gaps) {
				t.Errorf("gaps of %d bytes, lost %d (-want +got):\n%s", c.GapBytes, lost, diff)
			}
			if c.Turns.Total != tt.turns || c.Damaged != tt.damaged || c.Damaged != (len(c.Problems) > 0) {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestCheckPictures looks for what may be wrong with a screenshot.
func TestCheckPictures(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil   func(path string, s *Screenshot) error
		present int
		want    string
	}{
		"whole":        {func(string, *Screenshot) error { return nil }, 1, ""},
		"missing":      {func(path string, _ *Screenshot) error { return os.Remove(path) }, 0, "cannot be read"},
		"cut":          {func(path string, _ *Screenshot) error { return os.Truncate(path, 10) }, 1, "bytes"},
		"another size": {func(_ string, s *Screenshot) error { s.Width++; return nil }, 1, "recorded was"},
		"flipped": {func(path string, _ *Screenshot) error {
			data, err := os.ReadFile(path)
			if err == nil {
				data[len(data)-1] ^= 1
				err = os.WriteFile(path, data, 0o600)
			}
			return err
		}, 1, "digest"},
		"a link": {func(path string, _ *Screenshot) error {
			if err := os.Rename(path, path+".moved"); err != nil {
				return err
			}
			return os.Symlink(path+".moved", path)
		}, 0, "no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := Create(t.TempDir(), testHeader())
			if err != nil {
				t.Fatal(err)
			}
			line := testTurn(0)
			if line.Screenshot, err = w.Screenshots().Turn(line, picture(4, 4)); err != nil {
				t.Fatal(err)
			}
			if err := tt.spoil(filepath.Join(filepath.Dir(w.Path()), line.Screenshot.Path), line.Screenshot); err != nil {
				t.Fatal(err)
			}
			if err := w.Turn(line); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			c, err := CheckFile(w.Path())
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" {
				if c.Damaged {
					t.Errorf("%+v", c)
				}
				return
			}
			bad := c.Screenshots.Bad
			if len(bad) != 1 || !strings.Contains(bad[0].Reason, tt.want) || c.Screenshots.Present != tt.present || !c.Damaged {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestFailureCodes(t *testing.T) {
	detail := func(s string) func(*TurnLine) {
		return func(l *TurnLine) { l.Turn.Detail, l.Evidence.ActionResult = &s, nil }
	}
	answer := func(r *ActionResult) func(*TurnLine) {
		return func(l *TurnLine) { l.Evidence.ActionResult = r }
	}
	for name, tt := range map[string]struct {
		change func(*TurnLine)
		want   string
	}{
		"detail":        {detail("no_path_to_target: none"), "no_path_to_target"},
		"detail alone":  {detail("checkpoints_unavailable"), "checkpoints_unavailable"},
		"known":         {detail("known_non_retryable:menu_not_open"), "menu_not_open"},
		"in words":      {detail("It broke: sorry"), ""},
		"nothing":       {func(l *TurnLine) { l.Evidence = nil }, ""},
		"port":          {answer(BodyResult(BodyRejected, "checkpoint_not_found: gone", nil)), "checkpoint_not_found"},
		"exception":     {answer(ExceptionResult(&emu.Error{Code: emu.CodeCoreTrap})), "core_trap"},
		"cancelled":     {answer(EnvironmentResult(Answer{Status: "cancelled", Reason: "late"})), "cancelled"},
		"failed":        {answer(EnvironmentResult(Answer{Status: "failed", ErrorCode: "menu_not_open"})), "menu_not_open"},
		"stale":         {answer(EnvironmentResult(Answer{Status: "stale"})), "stale"},
		"hostile":       {answer(EnvironmentResult(Answer{Status: "failed", ErrorCode: "\x1b[31m"})), ""},
		"still running": {answer(EnvironmentResult(Answer{Status: "running"})), ""},
	} {
		line := testTurn(1)
		line.Turn.Outcome = OutcomeRejected
		tt.change(&line)
		if got := line.FailureCode(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		line.Turn.Outcome = OutcomeAccepted
		if got := line.FailureCode(); got != "" {
			t.Errorf("%s, accepted: %q", name, got)
		}
	}
}

// TestCheckFindsMissingTurns: whole lines that are not there are no gap, but
// numbers and the summary's count tell of them.
func TestCheckFindsMissingTurns(t *testing.T) {
	start := head("one", "2026-01-01T00:00:00Z", "j") + "\n"
	ended := func(turns int) string {
		return strings.Replace(summaryV2, `"turnsTaken":5`, fmt.Sprintf(`"turnsTaken":%d`, turns), 1) + "\n"
	}
	turns := func(numbers ...int) (lines string) {
		for _, n := range numbers {
			lines += noted(n, "x") + "\n"
		}
		return lines
	}
	for name, tt := range map[string]struct {
		text    string
		missing int
	}{
		"none":                 {start + turns(0, 1, 2) + ended(3), 0},
		"in the middle":        {start + turns(0, 3), 2},
		"at the end":           {start + turns(0, 1) + ended(5), 3},
		"both":                 {start + turns(0, 2) + ended(5), 3},
		"all":                  {start + ended(5), 5},
		"two runs in one file": {start + turns(0, 1) + ended(2) + start + turns(0) + ended(2), 1},
	} {
		c := checked(t, tt.text)
		said := slices.ContainsFunc(c.Problems, func(p string) bool { return strings.Contains(p, "missing") && strings.Contains(p, "turn") })
		if c.Turns.Missing != tt.missing || said != (tt.missing > 0) {
			t.Errorf("%s: %d turns are missing, want %d; %q", name, c.Turns.Missing, tt.missing, c.Problems)
		}
	}
}
