package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"clankie/emu/mgba/mgbatest"
)

// officialClient is the official TypeScript client against this program.
type officialClient struct{ dir string }

// installClient installs the client, or skips with how to get what is missing.
func installClient(t *testing.T) officialClient {
	t.Helper()
	mgbatest.Module(t) // builds the core, or skips with what is missing
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: install the packages nodejs and npm", tool)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"package.json", "client.mjs"} {
		data, err := os.ReadFile(filepath.Join("testdata", "mcp", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("npm could not install the official client; does it reach its registry? %v\n%s", err, out)
	}
	return officialClient{dir}
}

// scenario prepares a scenario with an empty home of its own.
func (c officialClient) scenario(t *testing.T, name string) (cmd *exec.Cmd, home string) {
	t.Helper()
	home = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Called by this name the test binary is the program; see TestMain.
	program := filepath.Join(home, "clankie")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("node", filepath.Join(c.dir, "client.mjs"), name, program)
	cmd.Env = append(
		os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Dir(filepath.Dir(cacheHome)), "XDG_STATE_HOME=",
		// What Clankie plays must not matter to a server.
		"CLANKIE_GBA_ROM_PATH=/nowhere/game.gba", "CLANKIE_GBA_CHECKPOINT_DIR="+filepath.Join(home, "clankies"),
	)
	return cmd, home
}

func TestOfficialClient(t *testing.T) {
	client := installClient(t)
	for _, name := range []string{"play", "refusals", "double", "cancel", "two", "killed", "thousand"} {
		t.Run(name, func(t *testing.T) { client.run(t, name) })
	}
	t.Run("dies", client.dies)
}

func (c officialClient) run(t *testing.T, name string) {
	cmd, home := c.scenario(t, name)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if t.Logf("%s", out); bytes.Contains(out, []byte("panic")) {
		t.Error("something panicked")
	}
	if _, err := os.Stat(filepath.Join(home, "clankies")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the server touched Clankie's saves")
	}
}

// dies kills the client in the middle of an action of half a minute.
func (c officialClient) dies(t *testing.T) {
	cmd, home := c.scenario(t, "dies")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var server int
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscanf(line, "server %d", &server); err != nil {
		t.Fatalf("the client said %q: %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	since := time.Now()
	_ = cmd.Wait() // killed
	servers := filepath.Join(home, ".local", "state", "clankie", "gba-mcp", "run-*")
	for gone := false; !gone; {
		folders, err := filepath.Glob(servers)
		if err != nil {
			t.Fatal(err)
		}
		gone = len(folders) == 0 && ended(server)
		if time.Since(since) > 20*time.Second { // far more than the two seconds; it only ends a failing test
			t.Fatalf("the server is still there, with %v", folders)
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Logf("the server ended %v after its client", time.Since(since).Round(time.Millisecond))
}

// ended reports whether a process has ended, also when nobody has asked after
// it yet.
func ended(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
