package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inMemory returns the evidence's files as Layout.Read does.
func inMemory(e Evidence) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range e.Files {
		files[f.Name] = bytes.Clone(f.Data)
	}
	return files
}

// TestEveryFlippedByteIsFoundAndItsFileNamed flips one bit of every byte of
// every file of every scenario. Of the longest run's long files it is every
// fifth byte: they differ from the others' in nothing but length.
func TestEveryFlippedByteIsFoundAndItsFileNamed(t *testing.T) {
	for _, id := range List() {
		t.Run(id, func(t *testing.T) {
			files := inMemory(playScenario(t, id))
			if _, _, err := verify(files); err != nil {
				t.Fatal(err)
			}
			for name, data := range files {
				step := 1
				if id == "bramble-before-rival" && len(data) > 4096 {
					step = 5
				}
				for i := 0; i < len(data); i += step {
					data[i] ^= 1 << (i % 8)
					_, _, err := verify(files)
					data[i] ^= 1 << (i % 8)
					if err == nil || !strings.HasPrefix(err.Error(), name+": ") {
						t.Fatalf("%s, byte %d: %v", name, i, err)
					}
				}
			}
		})
	}
}

func TestVerifyRefusesFoldersThatAreNotARuns(t *testing.T) {
	e := playScenario(t, "double-mill-path")
	tests := []struct {
		name string
		harm func(dir string) error
		want string
	}{
		{"a file too many", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o600)
		}, `"notes.txt": does not belong`},
		{"a folder within", func(dir string) error { return os.Mkdir(filepath.Join(dir, "more"), 0o700) }, `"more": does not belong`},
		{"a file missing", func(dir string) error { return os.Remove(filepath.Join(dir, FileEvents)) }, "events.json: file does not exist"},
		{"an empty file", func(dir string) error { return os.Truncate(filepath.Join(dir, FileReport), 0) }, "report.json: the file is empty"},
		{"a receipt too large", func(dir string) error {
			return os.Truncate(filepath.Join(dir, FileReceipt), maxReceiptBytes+1)
		}, "run-receipt.json: the file has"},
		{"an artifact too large", func(dir string) error {
			return os.Truncate(filepath.Join(dir, FileDecisions), maxArtifactBytes+1)
		}, "decisions.json: the file has"},
		{"a symbolic link", func(dir string) error {
			there := filepath.Join(dir, FileEvents)
			elsewhere := filepath.Join(filepath.Dir(dir), "elsewhere")
			if err := os.Rename(there, elsewhere); err != nil {
				return err
			}
			return os.Symlink(elsewhere, there)
		}, "events.json: not a regular file"},
		{"a picture of the double", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, FilePicture), []byte("x"), 0o600)
		}, "final-frame.png: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "evidence")
			if err := e.Write(dir); err != nil {
				t.Fatal(err)
			}
			if err := tt.harm(dir); err != nil {
				t.Fatal(err)
			}
			if _, _, err := Verify(dir); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "\n", " "), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestAFolderThatIsALinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("this file system makes no links (%v); run the test on one that does", err)
	}
	if _, _, err := Verify(link); err == nil {
		t.Error("accepted")
	}
}

func TestWriteOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Evidence{}).Write(dir); err == nil {
		t.Error("wrote into a folder with something in it")
	}
}

// TestRewrittenEvidenceIsFound: whoever changes a file and its digest in the
// receipt is found by what the files say of one another.
func TestRewrittenEvidenceIsFound(t *testing.T) {
	e := playScenario(t, "double-mill-path")
	tests := []struct{ name, file, old, new string }{
		{"a report that claims another halt", FileReport, `"halt": "battle_won"`, `"halt": "target_reached"`},
		{"a report that claims another frame", FileReport, `"frame": 364`, `"frame": 365`},
		{"a report that drops a check", FileReport, "    \"trainerBattleWon\": true,\n", ""},
		{"a decision about another frame", FileDecisions, `"observedFrame": 13,`, `"observedFrame": 14,`},
		{"a decision for another reason", FileDecisions, `"select_best_move"`, `"wait_battle_resolution"`},
		{"an event that tells of another goal", FileSemantic, `"trainer_battle_won"`, `"reach_target"`},
		{"an action that nobody requested", FileSemantic, `"scenario-action-2"`, `"scenario-action-9"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := inMemory(e)
			changed := strings.Replace(string(files[tt.file]), tt.old, tt.new, 1)
			if changed == string(files[tt.file]) {
				t.Fatalf("%s has no %q", tt.file, tt.old)
			}
			files[tt.file] = []byte(changed)
			resealed(t, e, files)
			if _, _, err := verify(files); err == nil {
				t.Error("not found")
			}
		})
	}
}

// resealed writes a receipt that fits the files as they are.
func resealed(t *testing.T, e Evidence, files map[string][]byte) {
	t.Helper()
	var list []File
	for _, f := range e.Files[1:] {
		list = append(list, File{f.Name, files[f.Name]})
	}
	r, err := load(t, e.Report.ScenarioID).receipt(e.Report, list)
	if err != nil {
		t.Fatal(err)
	}
	if files[FileReceipt], err = r.encode(); err != nil {
		t.Fatal(err)
	}
}
