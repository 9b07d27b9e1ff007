package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"clankie/emu"
)

// generate writes about bytes bytes of journals into dir, and says how many
// turns they have.
func generate(tb testing.TB, dir string, bytes int64, perFile int64) (turns int) {
	tb.Helper()
	line := testTurn(0)
	scene := line.Evidence.Decision.Observations[0]
	for len(line.Evidence.Decision.Observations) < MaxObservations {
		line.Evidence.Decision.Observations = append(line.Evidence.Decision.Observations, scene)
	}
	rows := make([]string, 20)
	for i := range rows {
		rows[i] = strings.Repeat("#.", 16)
	}
	line.Evidence.Decision.Observations[1].Kind = emu.ObserveOverworld
	line.Evidence.Decision.Observations[1].Data = emu.OverworldData{Minimap: emu.Nullish[emu.Minimap]{Present: true, Value: &emu.Minimap{Rows: rows}}}
	line.Evidence.ImmediatePreAction, line.Evidence.PostAction = &line.Evidence.Decision, &line.Evidence.Decision
	quiet := text(line) + "\n"
	effect := "something worth telling happened"
	line.Turn.SpeakWanted, line.Turn.Effect = true, &effect
	loud := text(line) + "\n"
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for run, left := 0, bytes; left > 0; run++ {
		at := emu.Moment(start.Add(time.Duration(run) * time.Hour))
		name := filepath.Join(dir, FileName(at, fmt.Sprint("run-", run)))
		n, size := writeRun(tb, name, head(fmt.Sprint("run-", run), at, "j"), quiet, loud, min(left, perFile))
		turns, left = turns+n, left-size
	}
	return turns
}

// writeRun writes one file in which every tenth turn is told of.
func writeRun(tb testing.TB, path, header, quiet, loud string, want int64) (turns int, size int64) {
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	put := func(s string) {
		n, err := out.WriteString(s)
		if err != nil {
			tb.Fatal(err)
		}
		size += int64(n)
	}
	put(header + "\n")
	for size < want {
		if turns++; turns%10 == 0 {
			put(loud)
		} else {
			put(quiet)
		}
	}
	put(summed("home", "lane") + "\n")
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		tb.Fatal(err)
	}
	return turns, size
}

// scanPlainly counts the lines of every file in dir and does nothing else.
func scanPlainly(tb testing.TB, dir string) (lines int) {
	tb.Helper()
	names, err := journalNames(dir)
	if err != nil {
		tb.Fatal(err)
	}
	in := bufio.NewReaderSize(nil, readBuffer)
	for _, name := range names {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		in.Reset(file)
		for {
			if _, err = in.ReadSlice('\n'); err != nil {
				break
			}
			lines++
		}
		if err != io.EOF {
			tb.Fatal(err)
		}
		file.Close()
	}
	return lines
}

// benchmarkBytes is how much BenchmarkRecall reads; CLANKIE_BENCH_MB makes it
// more.
func benchmarkBytes(tb testing.TB) int64 {
	size := int64(64)
	if text := os.Getenv("CLANKIE_BENCH_MB"); text != "" {
		if _, err := fmt.Sscan(text, &size); err != nil {
			tb.Fatal(err)
		}
	}
	return size << 20
}

// BenchmarkRecall compares a recall with a plain scan of the same files, for
// few long runs and for many short ones. The two take turns and the best of
// each counts, so that what else the machine does falls on neither.
func BenchmarkRecall(b *testing.B) {
	for name, perFile := range map[string]int64{"long": 1 << 40, "short": 100 << 10} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			size := benchmarkBytes(b)
			turns := generate(b, dir, size, perFile)
			plain, recall := time.Hour, time.Hour
			b.SetBytes(2 * size)
			for b.Loop() {
				start := time.Now()
				scanPlainly(b, dir)
				plain = min(plain, time.Since(start))
				start = time.Now()
				got, problems, err := Recall(dir, "")
				recall = min(recall, time.Since(start))
				if err != nil || len(problems) > 0 || got.Card.TurnsTaken != turns {
					b.Fatal(got, problems, err)
				}
			}
			b.ReportMetric(float64(recall)/float64(plain), "ratio")
		})
	}
}

// TestRecallStreams wants what a recall allocates to have nothing to do with
// how much it reads.
func TestRecallStreams(t *testing.T) {
	const size, most = 24 << 20, 3 << 20
	dir := t.TempDir()
	turns := generate(t, dir, size, size)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _, err := Recall(dir, "")
	runtime.ReadMemStats(&after)
	if err != nil || got.Card.TurnsTaken != turns {
		t.Fatal(got, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > most {
		t.Errorf("recalling %d bytes allocated %d, at most %d", size, n, most)
	}
}

// BenchmarkFull measures what has to understand every line whole: a check and
// an evaluation.
func BenchmarkFull(b *testing.B) {
	dir := b.TempDir()
	size := benchmarkBytes(b)
	generate(b, dir, size, size)
	names, err := journalNames(dir)
	if err != nil || len(names) != 1 {
		b.Fatal(names, err)
	}
	judge, err := NewEvaluator(EvaluateOptions{})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, names[0])
	for name, look := range map[string]func() error{
		"check":    func() error { _, err := CheckFile(path); return err },
		"evaluate": func() error { _, err := judge.Evaluate(path, nil); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if err := look(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
