package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// turnText is a whole line of turn n, without its line feed.
func turnText(n int) string {
	data, err := encode(testTurn(n).fit())
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(data), "\n")
}

// found is what a tolerant read delivers, in short: "h", "t<n>", "s", and
// for a gap its offset and length.
func found(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	for record, err := range Scan(strings.NewReader(text)) {
		switch {
		case err != nil:
			t.Fatal(err)
		case record.Gap != nil:
			torn := ""
			if record.Gap.Torn {
				torn = " torn"
			}
			out = append(out, fmt.Sprintf("gap %d+%d%s", record.Gap.Offset, record.Gap.Bytes, torn))
			if record.Gap.Reason == "" {
				t.Error("a gap without a reason")
			}
		case record.Header != nil:
			out = append(out, "h")
		case record.Turn != nil:
			out = append(out, fmt.Sprintf("t%d", record.Turn.Turn.Turn))
		case record.Summary != nil:
			out = append(out, "s")
		}
	}
	return out
}

func TestDamage(t *testing.T) {
	one, two := turnText(1), turnText(2)
	at := len(headerV3) + 1
	gap := func(offset, length int) string { return fmt.Sprintf("gap %d+%d", offset, length) }
	tests := map[string]struct {
		text string
		want []string
	}{
		"whole":                     {headerV3 + "\n" + one + "\n" + summaryV2 + "\n", []string{"h", "t1", "s"}},
		"no last line feed":         {headerV3 + "\n" + one, []string{"h", "t1"}},
		"torn last line":            {headerV3 + "\n" + one[:200], []string{"h", gap(at, 200) + " torn"}},
		"torn in the middle":        {headerV3 + "\n" + one[:200] + "\n" + two + "\n", []string{"h", gap(at, 200), "t2"}},
		"torn, next one behind it":  {headerV3 + "\n" + one[:200] + two + "\n", []string{"h", gap(at, 200), "t2"}},
		"NULs for a line":           {headerV3 + "\n" + strings.Repeat("\x00", 4096) + "\n" + two, []string{"h", gap(at, 4096), "t2"}},
		"NULs before a line":        {headerV3 + "\n" + strings.Repeat("\x00", 4096) + two + "\n", []string{"h", gap(at, 4096), "t2"}},
		"NULs at the end":           {headerV3 + "\n" + strings.Repeat("\x00", 9), []string{"h", gap(at, 9) + " torn"}},
		"NULs within a line":        {headerV3 + "\n" + one[:100] + strings.Repeat("\x00", 50) + "\n" + two, []string{"h", gap(at, 150), "t2"}},
		"blank lines":               {"\n\n" + headerV3 + "\n  \r\n\t\n" + one + "\n\n", []string{"h", "t1"}},
		"carriage returns":          {headerV3 + "\r\n" + one + "\r\n", []string{"h", "t1"}},
		"a lone carriage return":    {headerV3 + "\r" + one, []string{"h", gap(at-1, 1), "t1"}},
		"only carriage returns":     {headerV3 + "\r" + one + "\r" + two + "\r", []string{"h", gap(at-1, 1), "t1", gap(at+len(one), 1), "t2"}},
		"a line feed turned":        {headerV3 + "\n" + one + "J" + two + "\n", []string{"h", "t1", gap(at+len(one), 1), "t2"}},
		"a line feed lost":          {headerV3 + "\n" + one + two + "\n", []string{"h", "t1", "t2"}},
		"a page lost at a border":   {headerV3 + "\n" + one + strings.Repeat("\x00", 4096) + two + "\n", []string{"h", "t1", gap(at+len(one), 4096), "t2"}},
		"torn behind a whole one":   {headerV3 + "\n" + one + two[:200], []string{"h", "t1", gap(at+len(one), 200) + " torn"}},
		"whole, torn and whole":     {headerV3 + "\n" + one + two[:200] + two, []string{"h", "t1", gap(at+len(one), 200), "t2"}},
		"a byte order mark":         {"\uFEFF" + headerV3 + "\n" + one, []string{"h", "t1"}},
		"line separators in a text": {headerV3 + "\n" + strings.Replace(one, "well", "a\u2028b\u2029c\u0085d", 1) + "\n", []string{"h", "t1"}},
		"broken UTF-8 in a text":    {headerV3 + "\n" + strings.Replace(one, "well", "a\xffb", 1) + "\n", []string{"h", "t1"}},
		"half a character":          {headerV3 + "\n" + strings.Replace(one, "well", `\ud83d`, 1) + "\n", []string{"h", "t1"}},
		"no header":                 {one + "\n" + two + "\n", []string{"t1", "t2"}},
		"nothing":                   {"", nil},
		"another kind of file":      {"PNG\x1a\n\x00\x01binary\n", []string{gap(0, 4), gap(5, 8)}},
		"other JSON lines":          {`{"kind":"tape"}` + "\n" + `{"a":1}` + "\n", []string{gap(0, 15), gap(16, 7)}},
		"a long line, still good":   {headerV3 + "\n" + one[:len(one)-1] + strings.Repeat(" ", 300<<10) + "}\n" + two, []string{"h", "t1", "t2"}},
		"a line beyond all bounds":  {headerV3 + "\n" + strings.Repeat("x", maxReadBytes+1) + "\n" + two, []string{"h", gap(at, maxReadBytes+1), "t2"}},
		"a line behind a hole":      {headerV3 + "\n" + strings.Repeat("\x00", 3*maxReadBytes) + two + "\n", []string{"h", gap(at, 3*maxReadBytes), "t2"}},
		"endless, no line feed":     {headerV3 + "\n" + strings.Repeat("x", 3*maxReadBytes), []string{"h", gap(at, 3*maxReadBytes) + " torn"}},
		"beginnings without end": {
			headerV3 + "\n" + strings.Repeat(`{"kind":"turn"`, 1000) + "\n" + two,
			[]string{"h", gap(at, 14000), "t2"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, found(t, tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestNoGoodLineIsLost puts damage of every kind between good lines and
// wants all of them back, in order.
func TestNoGoodLineIsLost(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var text strings.Builder
		var want []string
		for n := range 12 {
			text.WriteString(damage(r))
			text.WriteString(turnText(n) + "\n")
			want = append(want, fmt.Sprintf("t%d", n))
		}
		text.WriteString(damage(r))
		var got []string
		var end int64
		for record, err := range Scan(strings.NewReader(text.String())) {
			if err != nil {
				t.Fatal(err)
			}
			if record.Offset < end {
				t.Fatalf("seed %d: offset %d after %d", seed, record.Offset, end)
			}
			end = record.Offset
			if record.Turn != nil {
				got = append(got, fmt.Sprintf("t%d", record.Turn.Turn.Turn))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// damage is what may lie before a good line: nothing, whole bad lines, or
// something that hangs on to it.
func damage(r *rand.Rand) string {
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return string(bytes.ReplaceAll(b, []byte("\n"), []byte(" ")))
	}
	torn := turnText(99)
	torn = torn[:1+r.IntN(len(torn)-1)]
	switch r.IntN(7) {
	case 0:
		return strings.Repeat("\x00", r.IntN(5000))
	case 1:
		return torn
	case 2:
		return torn + "\n"
	case 3:
		return noise(r.IntN(300)) + "\n"
	case 4:
		return "\n" + strings.Repeat("\x00", 3) + "\n" + torn
	case 5:
		return noise(20)
	}
	return ""
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"", headerV3, turnV1, turnV2b + "\n" + summaryV2, turnV2[:300] + turnV2, "\x00\x00" + headerV1,
		`{"kind":"turn","kind":"turn"}`, "\uFEFF" + headerV2 + "\r\n", `{"kind":"header"` + turnV1b,
	} {
		f.Add([]byte(seed))
	}
	good := turnText(41)
	f.Fuzz(func(t *testing.T, data []byte) {
		text := string(data) + "\n" + good + "\n"
		var end int64
		var last Record
		for record, err := range Scan(strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			if record.Offset < end || (record.Gap != nil && record.Gap.Offset+record.Gap.Bytes > int64(len(text))) {
				t.Fatalf("record %+v after offset %d", record, end)
			}
			end, last = record.Offset, record
		}
		if last.Turn == nil || last.Turn.Turn.Turn != 41 {
			t.Fatalf("the good line is lost: %+v", last)
		}
	})
}

func TestDiskErrorsEndTheSequence(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader(headerV3+"\n"+turnV2[:100]), iotest.ErrReader(broken))
	var got []string
	for record, err := range Scan(in) {
		switch {
		case err != nil:
			got = append(got, err.Error())
		case record.Header != nil:
			got = append(got, "h")
		}
	}
	if diff := cmp.Diff([]string{"h", "broken"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, err := range Read(filepath.Join(t.TempDir(), "nothing.jsonl")) {
		wantCode(t, err, CodeReadFailed)
	}
}

func TestReadStrict(t *testing.T) {
	for name, tt := range map[string]struct{ text, code string }{
		"whole":        {headerV3 + "\n\n" + turnV2 + "\n" + summaryV1 + "\n", ""},
		"torn":         {headerV3 + "\n" + turnV2[:100], CodeDamaged},
		"bad middle":   {headerV3 + "\n{}\n" + turnV2, CodeDamaged},
		"no header":    {turnV2 + "\n", CodeNotAJournal},
		"another kind": {"hello\n", CodeDamaged},
		"empty":        {"", CodeNotAJournal},
	} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadStrict(path)
		if err != nil || tt.code != "" {
			t.Run(name, func(t *testing.T) { wantCode(t, err, tt.code) })
		}
		contents, err := ReadAll(path)
		if err != nil {
			t.Errorf("%s: the tolerant read fails: %v", name, err)
		}
		if name == "bad middle" && (len(contents.Turns) != 1 || len(contents.Gaps) != 1 || contents.Header == nil) {
			t.Errorf("%s: %+v", name, contents)
		}
	}
}
