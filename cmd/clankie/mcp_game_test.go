package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/fixtures"
)

// ownGame writes a fixture's cartridge, savestate and scenario as an operator
// has them, and returns the variables that name them.
func ownGame(t *testing.T, id string) []string {
	t.Helper()
	f, err := fixtures.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	state, err := f.Generate(t.Context(), mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM}))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var env []string
	for variable, data := range map[string][]byte{
		"GBA_MCP_ROM_PATH": f.ROM, "GBA_MCP_SAVESTATE_PATH": state, "GBA_MCP_SCENARIO_PATH": f.Scenario.JSON,
	} {
		path := filepath.Join(dir, variable)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		env = append(env, variable+"="+path)
	}
	return env
}

// programIn is the program with a home of its own, where it has the built core.
func programIn(t *testing.T, home string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "clankie")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "XDG_DATA_HOME=", "XDG_CACHE_HOME="+filepath.Dir(filepath.Dir(cacheHome)))
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// callServer starts the program as a server, calls one tool and ends it.
func callServer(t *testing.T, env []string, tool, arguments string) string {
	t.Helper()
	cmd := programIn(t, t.TempDir(), env, "mcp")
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	server, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	r, err := server.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text
}

func TestMCPPlaysTheConfiguredGame(t *testing.T) {
	mgbatest.Module(t)
	env := ownGame(t, "bramble-before-rival")
	saves := filepath.Join(t.TempDir(), "saves")
	mine := append(env, "GBA_MCP_CHECKPOINT_DIR="+saves, "GBA_MCP_HARNESS_ID=me")

	if got := callServer(t, env, "gba_emulator_observe", `{}`); !strings.Contains(got, "gba-mcp:bramble-before-rival:") {
		t.Errorf("another game is played: %s", got)
	}
	if got := callServer(t, mine, "gba_emulator_save_state", `{"label":"here"}`); !strings.Contains(got, "-here-") {
		t.Errorf("saving says %q", got)
	}
	if got := callServer(t, mine, "gba_emulator_load_state", `{}`); !strings.Contains(got, "label here") {
		t.Errorf("the next server lists %q", got)
	}
	entries, err := os.ReadDir(saves)
	if err != nil || len(entries) != 2 || !strings.HasPrefix(entries[0].Name(), "gba-mcp-") ||
		entries[1].Name() != entries[0].Name()+"-journals" {
		t.Errorf("the folder of saves has %v (%v), want the harness's saves and journals alone", entries, err)
	}
}

// TestMCPPlaysAPinnedGame gives a server the files that pinning wrote.
func TestMCPPlaysAPinnedGame(t *testing.T) {
	mgbatest.Module(t)
	files := map[string]string{}
	for _, variable := range ownGame(t, "bramble-before-rival") {
		name, path, _ := strings.Cut(variable, "=")
		files[name] = path
	}
	home, rom := t.TempDir(), files["GBA_MCP_ROM_PATH"]
	pin := programIn(t, home, nil, "pin", "--rom", rom, "--savestate", files["GBA_MCP_SAVESTATE_PATH"], "--id", "mine")
	if out, err := pin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	folder := filepath.Join(home, ".local", "share", "clankie", "gba", "mine")
	got := callServer(t, []string{
		"GBA_MCP_ROM_PATH=" + rom, "GBA_MCP_SAVESTATE_PATH=" + filepath.Join(folder, "start.state"),
		"GBA_MCP_SCENARIO_PATH=" + filepath.Join(folder, "scenario.json"),
	}, "gba_emulator_observe", `{}`)
	if !strings.Contains(got, "gba-mcp:mine:v1:") || !strings.Contains(got, "bramble-map-3-19") {
		t.Errorf("another game is played: %s", got)
	}
}
