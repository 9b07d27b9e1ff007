package journal

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// backward is what linesBack delivers of text, understood, in the file's
// order.
func backward(t *testing.T, text string) []Record {
	t.Helper()
	var records []Record
	for line, err := range linesBack(strings.NewReader(text), int64(len(text))) {
		if err != nil {
			t.Fatal(err)
		}
		for _, record := range slices.Backward(line.records()) {
			records = append(records, record)
		}
	}
	slices.Reverse(records)
	return records
}

func forward(t *testing.T, text string) []Record {
	t.Helper()
	var records []Record
	for record, err := range Scan(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		record.Number = 0
		records = append(records, record)
	}
	return records
}

// TestBackwardIsForward reads damaged files from both ends.
func TestBackwardIsForward(t *testing.T) {
	texts := map[string]string{
		"nothing":             "",
		"one line":            headerV3,
		"only line feeds":     "\n\n\n",
		"whole":               headerV3 + "\n" + turnV2 + "\n" + summaryV2 + "\n",
		"no last line feed":   headerV3 + "\n" + turnV2,
		"a byte order mark":   "\uFEFF" + headerV3 + "\n" + turnV2,
		"a line of chunks":    headerV3 + "\n" + turnV2[:len(turnV2)-1] + strings.Repeat(" ", 3*tailChunk) + "}\n" + turnV2 + "\n",
		"beyond all bounds":   headerV3 + "\n" + strings.Repeat("x", 2*maxReadBytes+5) + "\n" + turnV2 + "\n",
		"beyond, at the end":  headerV3 + "\n" + strings.Repeat("x", 2*maxReadBytes+5),
		"whole behind all":    headerV3 + "\n" + strings.Repeat("x", 2*maxReadBytes+5) + turnV2 + "\n",
		"whole, not ended":    headerV3 + "\n" + strings.Repeat("x", 4*maxReadBytes+5) + turnV2,
		"beyond, at the head": strings.Repeat("x", maxReadBytes+tailChunk) + "\n" + turnV2,
	}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		var text strings.Builder
		for n := range 12 {
			text.WriteString(damage(r) + turnText(n) + "\n")
		}
		texts[fmt.Sprint("seed ", seed)] = text.String() + damage(r)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(forward(t, text), backward(t, text)); diff != "" {
				t.Errorf("(-forward +backward):\n%s", diff)
			}
		})
	}
}

// TestEveryTruncation cuts a file at every byte of its last record: the
// records before it are read, the rest is one torn gap, and the end is found
// from the back too.
func TestEveryTruncation(t *testing.T) {
	kept := headerV3 + "\n" + turnText(0) + "\n" + turnText(1) + "\n"
	last := turnText(2)
	for cut := range len(last) {
		text := kept + last[:cut]
		want := []string{"h", "t0", "t1"}
		if cut > 0 {
			want = append(want, fmt.Sprintf("gap %d+%d torn", len(kept), cut))
		}
		if diff := cmp.Diff(want, found(t, text)); diff != "" {
			t.Fatalf("cut at %d (-want +got):\n%s", cut, diff)
		}
		lines := newLastLines(strings.NewReader(text), int64(len(text)))
		for {
			line, err := lines.next()
			if err == io.EOF {
				t.Fatalf("cut at %d: no turn from the back", cut)
			}
			if records := line.records(); len(records) == 1 && records[0].Turn != nil {
				if records[0].Turn.Turn.Turn != 1 {
					t.Fatalf("cut at %d: turn %d from the back", cut, records[0].Turn.Turn.Turn)
				}
				break
			}
		}
	}
}

// TestEveryFlippedByte flips a bit of each byte of a line in the middle, and every
// bit of the line feeds around it: the lines around it are read, and the line too
// where nothing but a line feed was hit.
func TestEveryFlippedByte(t *testing.T) {
	before, middle, after := turnText(1), turnText(2), turnText(3)
	whole := headerV3 + "\n" + before + "\n" + middle + "\n" + after + "\n"
	first := len(headerV3) + 1 + len(before)
	for at := first; at <= first+len(middle)+1; at++ {
		for bit := range 8 {
			if whole[at] != '\n' && bit != at%8 {
				continue
			}
			damaged := []byte(whole)
			damaged[at] ^= byte(1 << bit)
			got := found(t, string(damaged))
			if len(got) < 3 || got[0] != "h" || got[1] != "t1" || got[len(got)-1] != "t3" {
				t.Fatalf("byte %d, bit %d: %v", at, bit, got)
			}
			if whole[at] == '\n' && !slices.Contains(got, "t2") {
				t.Fatalf("line feed %d, bit %d: %v", at, bit, got)
			}
		}
	}
}

// TestLostPages zeroes and cuts out a page all over a file of some lines, and at
// every place around their borders: the lines that it did not touch are read.
func TestLostPages(t *testing.T) {
	const page = 512
	lines := []string{headerV3, turnText(1), turnText(2), turnText(3)}
	whole := strings.Join(lines, "\n") + "\n"
	near := func(at int) bool {
		return strings.Contains(whole[max(at-20, 0):at+20], "\n") || strings.Contains(whole[at+page-20:min(at+page+20, len(whole))], "\n")
	}
	for at := 0; at+page <= len(whole); at++ {
		if at%23 != 0 && !near(at) {
			continue
		}
		zeroed := whole[:at] + strings.Repeat("\x00", page) + whole[at+page:]
		removed := whole[:at] + whole[at+page:]
		for name, text := range map[string]string{"zeroed": zeroed, "cut out": removed} {
			got := found(t, text)
			begin := 0
			for i, line := range lines {
				end := begin + len(line)
				if (end <= at || begin >= at+page) && !slices.Contains(got, []string{"h", "t1", "t2", "t3"}[i]) {
					t.Fatalf("%s at %d: line %d is lost: %v", name, at, i, got)
				}
				begin = end + 1
			}
		}
	}
}

// FuzzProjections wants of every projection that it takes any file.
func FuzzProjections(f *testing.F) {
	for _, seed := range []string{
		"", "hello", noted(0, "n"), spoken(1, "one")[:900] + spoken(2, "two"), summed("m"), refused(1, "x"), turnV2b, "\x00\n" + summaryV2,
	} {
		f.Add([]byte(seed))
	}
	start := head("one", "2026-01-01T00:00:00Z", "j") + "\n"
	dir := f.TempDir()
	path := filepath.Join(dir, "run.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, append([]byte(start), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		check, err := CheckFile(path)
		if err != nil || check.GapBytes > check.Bytes || check.Lines.Header == 0 {
			t.Fatalf("%+v, %v", check, err)
		}
		e, err := NewEvaluator(EvaluateOptions{Events: path, Receipts: path})
		if err != nil {
			t.Fatal(err)
		}
		judged, err := e.Evaluate(path, nil)
		if err != nil || judged.Aggregate.Turns != check.Turns.Total {
			t.Fatalf("%+v, %v", judged, err)
		}
		card, problems, err := Story(dir, "j")
		if err != nil || len(problems) > 0 || card.TurnsTaken < check.Turns.Total {
			t.Fatalf("%+v, %v, %v; %d turns", card, problems, err, check.Turns.Total)
		}
		if _, _, err := Overviews(dir, ""); err != nil {
			t.Fatal(err)
		}
	})
}
