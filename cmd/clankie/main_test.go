package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"

	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
)

// TestMain lets scripts call the program by name: the test binary is it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"clankie": main})
}

// cacheHome is the user's own cache, where the core is built once for all
// tests. Everything else of a script lives in its own folder.
var cacheHome, cacheErr = mgba.DefaultCacheDir()

func TestScripts(t *testing.T) {
	flag.Parse()
	if cacheErr != nil {
		t.Fatal(cacheErr)
	}
	mgbatest.Module(t) // builds the core, or skips with what is missing
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("testdata", "script"),
		Setup: setUp,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"jsonvalue":   jsonValue,
			"savescount":  savesCount,
			"awaitsaves":  awaitSaves,
			"romfile":     romFile,
			"modelserver": modelServer,
		},
	})
}

// setUp gives a script an empty home and the built core.
func setUp(env *testscript.Env) error {
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_CACHE_HOME", filepath.Dir(filepath.Dir(cacheHome)))
	return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
}

// jsonValue puts a top-level member of a JSON file into a variable:
// jsonvalue FILE MEMBER VARIABLE. Of a list it takes the first element.
func jsonValue(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: jsonvalue FILE MEMBER VARIABLE")
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	value, ok := doc[args[1]]
	if !ok {
		ts.Fatalf("%s has no member %q", args[0], args[1])
	}
	if list, ok := value.([]any); ok {
		if len(list) == 0 {
			ts.Fatalf("%s: %s is empty", args[0], args[1])
		}
		value = list[0]
	}
	ts.Setenv(args[2], fmt.Sprint(value))
}

// romFile writes a cartridge image out as an operator's own: romfile NAME FILE.
// There is bramble, the project's cartridge, and selftest, which no decoder
// knows.
func romFile(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: romfile bramble|selftest FILE")
	}
	image := mgba.SelfTestROM()
	if args[0] == "bramble" {
		var err error
		image, err = fixtures.Bramble()
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), image, 0o600))
}

// savesCount checks how many saves stand in the store: savescount N.
func savesCount(ts *testscript.TestScript, _ bool, args []string) {
	if n := countSaves(ts); fmt.Sprint(n) != args[0] {
		ts.Fatalf("there are %d saves, not %s", n, args[0])
	}
}

// awaitSaves waits until there are at least so many saves: awaitsaves N. It
// gives up after a minute, which only bounds a failing test.
func awaitSaves(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	for range 6000 {
		if countSaves(ts) >= want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("there are %d saves after a minute, not %d", countSaves(ts), want)
}

func countSaves(ts *testscript.TestScript) int {
	dir := filepath.Join(ts.Getenv("HOME"), ".local", "state", "clankie", "gba-checkpoints")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Fatalf("%v", err)
	}
	n := 0
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			n++
		}
	}
	return n
}

func TestExecuteMapsErrorsToExitCodes(t *testing.T) {
	for line, says := range map[string]string{
		"no-such-command":                     "no-such-command",
		"completion":                          "bash, fish, powershell, zsh",
		"completion tcsh":                     "bash, fish, powershell, zsh",
		"journal evaluate no-such-file.jsonl": "free_play_journal_read_failed",
		"journal check no-such-file.jsonl":    "free_play_journal_read_failed",
	} {
		var out, errs strings.Builder
		code := execute(context.Background(), strings.Fields(line), streams{strings.NewReader(""), &out, &errs})
		if code != exitUsage || out.Len() != 0 || !strings.Contains(errs.String(), says) {
			t.Errorf("%s: code %d, out %q, err %q", line, code, out.String(), errs.String())
		}
	}
	var out, errs strings.Builder
	code := execute(context.Background(), []string{"completion", "bash"}, streams{strings.NewReader(""), &out, &errs})
	if code != exitDone || !strings.Contains(out.String(), "clankie") {
		t.Errorf("completion bash: code %d, err %q", code, errs.String())
	}
}
