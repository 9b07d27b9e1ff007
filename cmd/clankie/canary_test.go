package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu/mgba/mgbatest"
)

// keyHome is a home whose configuration names an endpoint that behaves in one
// way, and the canary in a file beside it.
func keyHome(t *testing.T, behaviour string) (home string, e *endpoint) {
	t.Helper()
	if cacheErr != nil {
		t.Fatal(cacheErr)
	}
	mgbatest.Module(t)
	e, err := newEndpoint(behaviour)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	home = inFolder(t, map[string]string{
		"config.toml": configFor(server.URL, "key_file = \"model.key\"\n"),
		"model.key":   canary + "\n",
	})
	t.Setenv("XDG_CACHE_HOME", filepath.Dir(filepath.Dir(cacheHome)))
	return home, e
}

// command runs a command line within this program and returns what it printed.
func command(t *testing.T, want int, args ...string) (out, diagnostics []byte) {
	t.Helper()
	var o, d bytes.Buffer
	if code := execute(context.Background(), args, streams{strings.NewReader(""), &o, &d}); code != want {
		t.Fatalf("exit %d, want %d: %s", code, want, d.String())
	}
	return o.Bytes(), d.Bytes()
}

// withoutKey fails where the canary came out, and unless it was hidden at all.
func withoutKey(t *testing.T, files map[string][]byte) {
	t.Helper()
	hidden := false
	for name, content := range files {
		if bytes.Contains(content, []byte(canary)) {
			t.Errorf("the key is in %s", name)
		}
		hidden = hidden || bytes.Contains(content, []byte("[key]"))
	}
	if !hidden {
		t.Error("the key was hidden nowhere: the test looks in the wrong place")
	}
}

// TestAModelPlaysAndItsKeyStaysHidden plays three turns on the cartridge by a
// model that repeats the key wherever it can, and then looks through everything
// that was printed and written: journal, tape, pictures and saves.
func TestAModelPlaysAndItsKeyStaysHidden(t *testing.T) {
	home, e := keyHome(t, "repeats")
	out, diagnostics := command(t, exitDone, "run", "--turns", "3", "--speed", "max", "--mind", "model", "--json")
	if n := e.asked.Load(); n != 4 {
		t.Errorf("asked %d times for three turns with one answer to mend", n)
	}
	var report runReport
	if err := json.Unmarshal(out, &report); err != nil || report.TurnsTaken != 3 || report.Accepted != 3 {
		t.Errorf("%+v, %v", report, err)
	}
	files := filesBelow(t, home)
	for _, part := range []string{"gba-play/.tapes/", "gba-checkpoints/", "checkpoint.json", "savestate.ss1"} {
		if !mentions(files, part) {
			t.Errorf("there is no %s to look at", part)
		}
	}
	files["standard output"], files["standard error"] = out, diagnostics
	withoutKey(t, files)

	story, _ := command(t, exitDone, "recall")
	withoutKey(t, map[string][]byte{"the story": append(story, "[key]"...)})
}

// mentions reports whether one of the files' names has a part.
func mentions(files map[string][]byte, part string) bool {
	for name := range files {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// TestARefusedKeyStaysHidden has an endpoint say which key it refuses.
func TestARefusedKeyStaysHidden(t *testing.T) {
	home, _ := keyHome(t, "refuses")
	out, diagnostics := command(t, exitFailed, "run", "--turns", "3", "--speed", "max", "--mind", "model", "--json")
	plain, _ := command(t, exitDone, "doctor")
	report, _ := command(t, exitDone, "doctor", "--json")
	files := filesBelow(t, home)
	files["standard output"], files["standard error"] = out, diagnostics
	files["doctor"], files["doctor --json"] = plain, report
	withoutKey(t, files)
	for _, name := range []string{"standard error", "doctor", "doctor --json"} {
		if !bytes.Contains(files[name], []byte("[key]")) {
			t.Errorf("%s does not say what the endpoint said: %s", name, files[name])
		}
	}
}

// TestTheKeyStaysHiddenOnTheScreen plays in a terminal by a model that repeats
// the key, and looks at all that was drawn, and at all files while it plays,
// the session's records among them.
func TestTheKeyStaysHiddenOnTheScreen(t *testing.T) {
	home, _ := keyHome(t, "repeats")
	e := begin(t, home, "--mind", "model")
	e.await("#1 ", "My key is [key].")
	e.keys("/saves\r")
	e.await("Saves", "autosave", "digests")
	files := filesBelow(t, home)
	if !mentions(files, "gba-runtime/") {
		t.Error("there are no records of the session to look at")
	}
	e.keys("\x1b")
	e.await("Decisions")
	e.keys("q")
	e.await("Leave?")
	e.keys("\r")
	e.ended(0)
	files["the screen"] = e.drawn()
	withoutKey(t, files)
}

// TestTheKeyIsInNoPanic kills the program so that it tells all it does, while
// a call is under way.
func TestTheKeyIsInNoPanic(t *testing.T) {
	home, e := keyHome(t, "hangs")
	var told bytes.Buffer
	cmd := clankie(t, "run", "--turns", "3", "--mind", "model")
	cmd.Stdout, cmd.Stderr = &told, &told
	cmd.Env = append(cmd.Env, "GOTRACEBACK=all")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-e.began
	if err := cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	for _, part := range []string{"SIGQUIT", "play/mind/model.(*Mind).Decide"} {
		if !strings.Contains(told.String(), part) {
			t.Errorf("the trace lacks %s", part)
		}
	}
	files := filesBelow(t, home)
	files["the trace"] = append(told.Bytes(), "[key]"...)
	withoutKey(t, files)
}

// TestTheKeyIsNotServed asks a server for everything while the key is in its
// environment and its configuration.
func TestTheKeyIsNotServed(t *testing.T) {
	home, _ := keyHome(t, "repeats")
	var told bytes.Buffer
	cmd := clankie(t, "mcp")
	cmd.Env = append(cmd.Env, "ANTHROPIC_API_KEY="+canary, "OPENAI_API_KEY="+canary)
	cmd.Stderr = &told
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	server, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := server.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	served := []any{server.InitializeResult(), tools}
	for _, tool := range tools.Tools {
		for _, arguments := range []string{`{}`, `{"button":"a"}`, `{"action":{"kind":"button_press","button":"a","holdFrames":4}}`} {
			r, err := server.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(arguments)})
			served = append(served, r, err)
		}
	}
	files := filesBelow(t, home)
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(served)
	if err != nil || !bytes.Contains(text, []byte("BRIAR HOLLOW")) {
		t.Errorf("nothing was observed: %s, %v", text, err)
	}
	files["what was served"] = append(text, "[key]"...)
	files["standard error"] = told.Bytes()
	withoutKey(t, files)
}

// clankie is the program as a process of its own, with this test's environment.
func clankie(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "clankie" // the test binary is the program by that name
	cmd.Env = os.Environ()
	return cmd
}

// filesBelow reads every file below a folder but the key's own.
func filesBelow(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "model.key" {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = content
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
