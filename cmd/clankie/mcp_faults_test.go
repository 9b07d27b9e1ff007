package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"clankie/emu/mgba/mgbatest"
)

// mcpProcess is the program as a server whose every byte is looked at.
type mcpProcess struct {
	t    *testing.T
	cmd  *exec.Cmd
	home string
	in   io.WriteCloser
	pipe io.ReadCloser // standard output
	out  *bufio.Reader
	errs bytes.Buffer
}

func startMCP(t *testing.T, env ...string) *mcpProcess {
	t.Helper()
	p := &mcpProcess{t: t, home: t.TempDir()}
	p.cmd = programIn(t, p.home, env, "mcp", "--speed", "1")
	p.cmd.Stderr = &p.errs
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.pipe, err = p.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(p.pipe)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // ended, unless the test failed
		_ = p.cmd.Wait()
	})
	return p
}

const (
	mcpInitialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	mcpLongWalk = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"_meta":{"progressToken":"p"},"name":"gba_emulator_start_action","arguments":{"action":{"kind":"frame_advance","frames":1800}}}}` + "\n"
)

func mcpCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"gba_emulator_%s","arguments":%s}}`+"\n", id, tool, arguments)
}

func (p *mcpProcess) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatal(err)
	}
}

// message reads the next line, which must be a message of the protocol.
func (p *mcpProcess) message() (m struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id"`
	Method  string           `json:"method"`
	Result  struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
},
) {
	p.t.Helper()
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil || m.Version != "2.0" {
		p.t.Fatalf("%q is no message: %v\n%s", line, err, p.errs.String())
	}
	return m
}

// ended waits for the end of the program, after which nothing but messages was
// printed and nothing of the server is left, and returns its exit code.
func (p *mcpProcess) ended() int {
	p.t.Helper()
	for {
		if _, err := p.out.Peek(1); err != nil {
			break
		}
		p.message()
	}
	err := p.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(p.home, ".local", "state", "clankie", "gba-mcp", "run-*"))
	if err != nil || len(left) > 0 {
		p.t.Errorf("left behind: %v, %v", left, err)
	}
	if strings.Contains(p.errs.String(), "panic") {
		p.t.Errorf("something panicked: %s", p.errs.String())
	}
	return p.cmd.ProcessState.ExitCode()
}

// TestMCPEndsInOrderOnASignal is told to end while it idles, and in the middle
// of an action of half a minute.
func TestMCPEndsInOrderOnASignal(t *testing.T) {
	mgbatest.Module(t)
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		for _, acting := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, acting %t", signal, acting), func(t *testing.T) {
				p := startMCP(t)
				p.send(mcpInitialize + mcpCall(1, "observe", `{}`))
				p.message()
				p.message()
				if acting {
					p.send(mcpLongWalk)
					if m := p.message(); m.Method != "notifications/progress" {
						t.Fatalf("the action did not begin: %+v", m)
					}
				}
				if err := p.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				if got := p.ended(); got != code {
					t.Errorf("exit code %d, want %d: %s", got, code, p.errs.String())
				}
			})
		}
	}
}

// TestMCPPrintsNothingButMessages goes through what can go wrong around a
// server: whatever it is, standard output carries messages and nothing else.
func TestMCPPrintsNothingButMessages(t *testing.T) {
	mgbatest.Module(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	game := ownGame(t, "bramble-bedroom")
	damaged := ownGame(t, "bramble-title")
	for _, variable := range damaged {
		if path, ok := strings.CutPrefix(variable, "GBA_MCP_SAVESTATE_PATH="); ok {
			if err := os.WriteFile(path, []byte("no savestate"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, fault := range map[string]struct {
		env  []string
		call string
		want string // in the answer to the call; "" where there may be none
		code int    // with which it ends by itself; 0 where its client ends it
	}{
		"nothing is wrong":          {want: "overworld", call: mcpCall(1, "observe", `{}`)},
		"a core that cannot be had": {env: []string{"XDG_CACHE_HOME=" + file}, call: mcpCall(1, "observe", `{}`), code: 2},
		"a savestate that is none":  {env: damaged, call: mcpCall(1, "observe", `{}`), code: 2},
		"a game of one's own":       {env: game, call: mcpCall(1, "save_state", `{}`), want: "Saved as"},
		"saves that cannot be kept": {
			env: []string{"GBA_MCP_CHECKPOINT_DIR=" + file, "GBA_MCP_HARNESS_ID=me"}, call: mcpCall(1, "save_state", `{}`), code: 1,
		},
		"half a call":     {call: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"na` + "\n"},
		"a line too long": {call: strings.Repeat("x", 1<<20+1) + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := startMCP(t, fault.env...)
			// Where the server refuses to start it reads nothing.
			_, _ = io.WriteString(p.in, mcpInitialize+fault.call)
			if fault.want != "" {
				p.message()
				if m := p.message(); len(m.Result.Content) == 0 || !strings.Contains(m.Result.Content[0].Text, fault.want) {
					t.Errorf("answered %+v\n%s", m, p.errs.String())
				}
			}
			if fault.code == 0 {
				p.in.Close()
			}
			if got := p.ended(); got != fault.code {
				t.Errorf("exit code %d, want %d: %s", got, fault.code, p.errs.String())
			}
		})
	}
}

// TestMCPWhoseReaderIsGone writes to a client that reads no more, and has not
// closed its own end.
func TestMCPWhoseReaderIsGone(t *testing.T) {
	mgbatest.Module(t)
	p := startMCP(t)
	p.send(mcpInitialize + mcpCall(1, "observe", `{}`))
	p.message()
	p.message()
	p.pipe.Close()
	p.send(mcpCall(2, "observe", `{}`))
	if got := p.ended(); got != 0 {
		t.Errorf("exit code %d: %s", got, p.errs.String())
	}
}
