package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	game := map[string]string{EnvROM: "r", EnvSavestate: "s", EnvScenario: "c"}
	for name, c := range map[string]struct {
		set  map[string]string
		want string // in the error; "" for none
	}{
		"nothing":              {},
		"a game":               {set: game},
		"half a game":          {set: map[string]string{EnvROM: "r", EnvScenario: "c"}, want: "missing: " + EnvSavestate},
		"empty is unset":       {set: map[string]string{EnvROM: "", EnvBody: "", EnvHarnessID: ""}},
		"a folder of nobody":   {set: map[string]string{EnvCheckpointDir: "d"}, want: EnvHarnessID},
		"a folder":             {set: map[string]string{EnvCheckpointDir: "d", EnvHarnessID: "me.1_-"}},
		"a path as an id":      {set: map[string]string{EnvHarnessID: "../me"}, want: EnvHarnessID},
		"an id too long":       {set: map[string]string{EnvHarnessID: strings.Repeat("a", 65)}, want: EnvHarnessID},
		"the double":           {set: map[string]string{EnvBody: "double"}},
		"another body":         {set: map[string]string{EnvBody: "toy"}, want: EnvBody},
		"the double's game":    {set: map[string]string{EnvBody: "double", EnvROM: "r", EnvSavestate: "s", EnvScenario: "c"}, want: "no game"},
		"others' do not count": {set: map[string]string{"CLANKIE_GBA_ROM_PATH": "r"}},
	} {
		got, err := ReadConfig(func(v string) string { return c.set[v] })
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want it to name %q", name, err, c.want)
		case err == nil && got.OwnGame() != (c.set[EnvROM] != ""):
			t.Errorf("%s: OwnGame is %v", name, got.OwnGame())
		}
	}
}

func open(t *testing.T, base string, c Config) *Scope {
	t.Helper()
	s, err := OpenScope(base, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestScopeOfALivingServerIsLeftAlone(t *testing.T) {
	base := t.TempDir()
	one := open(t, base, Config{})
	two := open(t, base, Config{})
	if _, err := os.Stat(one.dir); err != nil || one.dir == two.dir {
		t.Errorf("the first server's folder: %v", err)
	}
	for _, s := range []*Scope{one, two} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	left(t, base)
}

func TestScopeSweepsOnlyWhatServersMade(t *testing.T) {
	base := t.TempDir()
	elsewhere := t.TempDir()
	mustWrite := func(name string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustWrite(filepath.Join(base, "run-1", "runtime", "record.json")) // killed before it locked
	mustWrite(filepath.Join(base, "run-2", lockName))                 // killed later
	mustWrite(filepath.Join(base, "notes", "mine.txt"))
	mustWrite(filepath.Join(base, "run-file"))
	mustWrite(filepath.Join(elsewhere, "precious"))
	if err := os.Symlink(elsewhere, filepath.Join(base, "run-link")); err != nil {
		t.Fatal(err)
	}
	defer open(t, base, Config{}).Close()
	for name, want := range map[string]bool{
		"run-1": false, "run-2": false, "notes/mine.txt": true, "run-file": true, "run-link": true,
	} {
		if _, err := os.Lstat(filepath.Join(base, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "precious")); err != nil {
		t.Error("the sweep followed a link")
	}
}

// TestKilledServer lets a process take a scope and kills it.
func TestKilledServer(t *testing.T) {
	if base := os.Getenv("MCP_TEST_SCOPE"); base != "" {
		if s, err := OpenScope(base, Config{}); err != nil || os.MkdirAll(s.Checkpoints, 0o700) != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		select {}
	}
	base := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledServer$")
	cmd.Env = append(os.Environ(), "MCP_TEST_SCOPE="+base)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 5)
	if _, err := out.Read(line); err != nil || string(line) != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	count := func() int {
		found, err := filepath.Glob(filepath.Join(base, runPrefix+"*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	open(t, base, Config{}).Close()
	if n := count(); n != 1 {
		t.Errorf("%d folders beside a living server, want its own", n)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	open(t, base, Config{}).Close()
	if n := count(); n != 0 {
		t.Errorf("%d folders after a killed server was swept, want none", n)
	}
}

func TestHarnessFoldersDiffer(t *testing.T) {
	base, dir := t.TempDir(), t.TempDir()
	one := open(t, base, Config{CheckpointDir: dir, HarnessID: "one"})
	two := open(t, base, Config{CheckpointDir: dir, HarnessID: "two"})
	defer one.Close()
	defer two.Close()
	if one.Checkpoints == two.Checkpoints || filepath.Dir(one.Checkpoints) != dir {
		t.Errorf("%s and %s", one.Checkpoints, two.Checkpoints)
	}
}
