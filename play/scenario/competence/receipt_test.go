package competence_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/fixtures"
	"clankie/play/scenario"
	"clankie/play/scenario/competence"
)

// written is the folder of a benchmark that was played.
func written(t *testing.T, mode, controller string) (dir string) {
	t.Helper()
	_, files, err := benchmark(t).Receipt(played(t, mode, controller))
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "competence")
	if err := scenario.WriteFolder(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReceiptHoldsAndPlaysAgain(t *testing.T) {
	dir := written(t, competence.KindROM, competence.ControllerBuiltin)
	report, receipt, err := benchmark(t).Evaluate(t.Context(), dir, boot(t))
	if err != nil {
		t.Fatal(err)
	}
	if !report.Passed || !receipt.Passed || receipt.Kind != "free_play_competence_operator_receipt" || !receipt.Identity.ROMSHA256.Valid() {
		t.Errorf("%+v", receipt)
	}
	// One that failed leaves a receipt that holds too, and says so.
	report, receipt, err = benchmark(t).Check(written(t, competence.KindROM, competence.ControllerRepeat))
	if err != nil || report.Passed || receipt.Passed {
		t.Errorf("repeating: %+v, %v", receipt, err)
	}
}

func TestEveryFlippedByteOfABenchmarkIsFoundAndItsFileNamed(t *testing.T) {
	dir := written(t, competence.KindROM, competence.ControllerBuiltin)
	for _, name := range []string{competence.FileReceipt, competence.FileReport} {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] ^= 1 << (i % 8)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			data[i] ^= 1 << (i % 8)
			if _, _, err := benchmark(t).Check(dir); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
				t.Fatalf("%s, byte %d: %v", name, i, err)
			}
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// forge rewrites a report and writes the receipt that fits it.
func forge(t *testing.T, change func(*competence.Played)) (dir string) {
	t.Helper()
	p := played(t, competence.KindROM, competence.ControllerBuiltin)
	p.Report.States = append([]competence.Result{}, p.Report.States...)
	change(&p)
	_, files, err := benchmark(t).Receipt(p)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "competence")
	if err := scenario.WriteFolder(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestForgedBenchmarksAreFound(t *testing.T) {
	for name, change := range map[string]func(*competence.Played){
		"a check that does not follow": func(p *competence.Played) { p.Report.States[0].Checks.WithinTurnBudget = false },
		"passed by nobody":             func(p *competence.Played) { p.Report.Passed = false },
		"another benchmark":            func(p *competence.Played) { p.Report.BenchmarkSHA256 = emu.DigestOf(nil) },
		"a state less": func(p *competence.Played) {
			p.Report.States, p.Report.RepeatOnly = p.Report.States[1:], p.Report.RepeatOnly[1:]
		},
		"states swapped": func(p *competence.Played) {
			s := p.Report.States
			s[0], s[1] = s[1], s[0]
		},
		"the double's": func(p *competence.Played) { *p = played(t, competence.KindDouble, competence.ControllerBuiltin) },
	} {
		if _, _, err := benchmark(t).Check(forge(t, change)); err == nil || !strings.Contains(err.Error(), ".json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What only playing again can tell.
	for name, change := range map[string]func(*competence.Played){
		"counts that nobody counted": func(p *competence.Played) { p.Report.States[0].Metrics.DistinctTiles++ },
		"another cartridge":          func(p *competence.Played) { p.Core.ROMSHA256 = emu.DigestOf(nil) },
		"another module":             func(p *competence.Played) { p.Core.ModuleSHA256 = emu.DigestOf(nil) },
	} {
		dir := forge(t, change)
		if _, _, err := benchmark(t).Check(dir); err != nil {
			t.Errorf("%s: found without playing: %v", name, err)
		}
		if _, _, err := benchmark(t).Evaluate(t.Context(), dir, boot(t)); err == nil || !strings.Contains(err.Error(), ".json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBenchmarkFoldersAreLookedAt(t *testing.T) {
	for name, harm := range map[string]func(dir string) error{
		"a link": func(dir string) error {
			path := filepath.Join(dir, competence.FileReport)
			if err := os.Rename(path, filepath.Join(filepath.Dir(dir), "elsewhere")); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(filepath.Dir(dir), "elsewhere"), path)
		},
		"a file too many": func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600) },
		"a file missing":  func(dir string) error { return os.Remove(filepath.Join(dir, competence.FileReceipt)) },
		"a file too large": func(dir string) error {
			return os.Truncate(filepath.Join(dir, competence.FileReceipt), 256<<10+1)
		},
	} {
		dir := written(t, competence.KindROM, competence.ControllerBuiltin)
		if err := harm(dir); err != nil {
			t.Fatal(err)
		}
		if _, _, err := benchmark(t).Check(dir); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzParsers gives anything to the readers of definitions, reports and
// receipts.
func FuzzParsers(f *testing.F) {
	b := benchmark(f)
	p := competence.Played{Report: competence.Report{
		SchemaVersion: 1, BenchmarkID: b.BenchmarkID, BenchmarkVersion: 1, BenchmarkSHA256: b.SHA256, Mode: competence.KindROM,
		Controller: competence.ControllerBuiltin, States: []competence.Result{{StateID: "bedroom"}}, RepeatOnly: []competence.Result{{StateID: "bedroom"}},
	}}
	_, files, err := b.Receipt(p)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(fixtures.Competence)
	for _, file := range files {
		f.Add(file.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := competence.Parse(data); err == nil {
			for _, s := range d.States {
				if p, err := s.Plan(data); err == nil {
					t.Errorf("a definition was taken for a scenario: %v", p.ID())
				}
			}
		}
		if r, err := competence.ParseReport(data); err == nil {
			written, err := emu.MarshalIndent(r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := competence.ParseReport(written); err != nil {
				t.Errorf("accepted and then refused: %v", err)
			}
		}
		if r, err := competence.ParseReceipt(data); err == nil {
			if written, err := emu.MarshalIndent(r); err != nil || !bytes.Equal(written, data) {
				t.Errorf("accepted what is written otherwise: %v", err)
			}
		}
	})
}
