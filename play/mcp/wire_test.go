package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
)

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func observeLine(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"gba_emulator_observe","arguments":{"kind":"scene"}}}`+"\n", id)
}

func actLine(id int, action string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"gba_emulator_start_action","arguments":{"action":%s}}}`+"\n", id, action)
}

// blocksAfter reads r and then blocks, as an input does whose client is there.
func blocksAfter(r io.Reader) io.Reader {
	open, _ := io.Pipe()
	return io.MultiReader(r, open)
}

// rawServer is a server whose every byte is looked at.
type rawServer struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan error
	base  string
}

func startRaw(t *testing.T, boot Boot) *rawServer {
	t.Helper()
	s := &rawServer{t: t, ended: make(chan error, 1), base: filepath.Join(t.TempDir(), "servers")}
	o := options(t, s.base, Config{}, boot)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	o.In, o.Out, s.in, s.out = in, out, toServer, bufio.NewReader(fromServer)
	go func() {
		s.ended <- Serve(context.Background(), o)
		out.Close()
	}()
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
		<-s.ended
	})
	s.send(initialize)
	s.answer()
	return s
}

func (s *rawServer) send(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatal(err)
	}
}

type reply struct {
	Version string `json:"jsonrpc"`
	ID      *int   `json:"id"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Result json.RawMessage `json:"result"`
}

// answer reads the next line, which must be a whole message.
func (s *rawServer) answer() reply {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil || r.Version != "2.0" {
		s.t.Fatalf("%q is no message: %v", line, err)
	}
	return r
}

func TestLinesThatAreNoMessages(t *testing.T) {
	s := startRaw(t, bootDouble)
	for line, code := range map[string]int{
		"hello":                         -32700,
		"{":                             -32700,
		`{"jsonrpc":"2.0"} trailing`:    -32700,
		`[` + `{"jsonrpc":"2.0"}` + `]`: -32600,
		`42`:                            -32600,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`: -32600,
		`{}`:                           -32600,
		strings.Repeat("x", maxLine+1): -32600,
		"\x00\xff":                     -32700,
		`{"id":5,"jsonrpc":"2.0","x":[` + strings.Repeat("[", 100): -32700,
	} {
		s.send(line + "\n")
		if r := s.answer(); r.ID != nil || r.Error == nil || r.Error.Code != code || len(r.Error.Message) > 500 {
			t.Errorf("%.40q: %+v, want the code %d", line, r, code)
		}
	}
	s.send("\n \r\n" + observeLine(7))
	if r := s.answer(); *r.ID != 7 || r.Error != nil {
		t.Errorf("after all that: %+v", r)
	}
}

func TestUnknownThings(t *testing.T) {
	s := startRaw(t, bootDouble)
	for id, line := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"gba_emulator_restart"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":7}`,
		`{"jsonrpc":"2.0","id":4,"method":"no/such/method"}`,
	} {
		s.send(line + "\n")
		if r := s.answer(); r.ID == nil || *r.ID != id || r.Error == nil {
			t.Errorf("%s: %+v", line, r)
		}
	}
	// None of them may keep its place in the line.
	s.send(observeLine(9))
	if r := s.answer(); *r.ID != 9 || r.Error != nil {
		t.Errorf("after all that: %+v", r)
	}
}

func TestIdInUse(t *testing.T) {
	hold := make(chan struct{})
	s := startRaw(t, func(ctx context.Context, show func(string)) (Game, error) {
		<-hold
		return bootDouble(ctx, show)
	})
	s.send(observeLine(3) + observeLine(3))
	if r := s.answer(); r.ID != nil || r.Error == nil {
		t.Errorf("the id was used twice: %+v", r)
	}
	close(hold)
	if r := s.answer(); *r.ID != 3 || r.Error != nil {
		t.Errorf("the first of both: %+v", r)
	}
}

func TestCallsAreServedInTheOrderTheyCame(t *testing.T) {
	s := startRaw(t, bootDouble)
	const calls = 200
	var all strings.Builder
	for id := 1; id <= calls; id++ {
		fmt.Fprint(&all, actLine(id, fmt.Sprintf(`{"kind":"frame_advance","frames":%d}`, id)))
	}
	go io.WriteString(s.in, all.String())
	frames := map[int]float64{} // at the end of each call
	for range calls {
		r := s.answer()
		var result struct {
			StructuredContent struct {
				ActionID string         `json:"actionId"`
				Outcome  map[string]any `json:"outcome"`
			} `json:"structuredContent"`
		}
		if err := json.Unmarshal(r.Result, &result); err != nil {
			t.Fatal(err)
		}
		got := result.StructuredContent
		if got.ActionID != fmt.Sprintf("gba-mcp-action-%d", *r.ID) {
			t.Errorf("call %d was served as %s", *r.ID, got.ActionID)
		}
		frames[*r.ID] = got.Outcome["frame"].(float64)
	}
	for id, frame := 1, 1.0; id <= calls; id++ { // one frame drew the first picture
		if frame += float64(id); frames[id] != frame {
			t.Fatalf("call %d ended at frame %v, want %v", id, frames[id], frame)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{initialize, observeLine(1), actLine(2, "{}"), "[]", "{", `{"jsonrpc":"2.0","id":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		msg, problem := parse(line{text: text})
		if msg != nil && problem != nil {
			t.Error("a message and a complaint")
		}
		if problem != nil && len([]rune(problem.Message)) > maxMessage {
			t.Error("the complaint is not bounded")
		}
	})
}

// FuzzArguments gives anything to any tool as its arguments: the answer is a
// result, or an error in bounded words.
func FuzzArguments(f *testing.F) {
	for name, arguments := range map[string]string{
		toolObserve: `{"kind":"overworld"}`, toolAct: `{"action":{"kind":"walk_to","x":2,"y":0}}`, toolPause: `{"reason":"r"}`,
		toolResume: `{}`, toolSave: `{"label":"a-slug"}`, toolLoad: `{"checkpointId":"a"}`, toolRecall: `{}`,
	} {
		for i, e := range catalogue {
			if e.name == name {
				f.Add(byte(i), []byte(arguments))
				f.Add(byte(i), []byte(`{"action":null,"kind":null,"reason":null,"label":null,"checkpointId":null}`))
			}
		}
	}
	for _, action := range []string{
		`{"kind":"button_press","button":"a","holdFrames":240,"repeat":16}`, `{"kind":"frame_advance","frames":3600}`, `{"kind":"advance_dialog"}`,
		`{"kind":"enter_text","text":"Ab 1","submit":false}`, `{"kind":"select_menu_entry","entryId":"e"}`, `{"kind":"restart_game"}`,
	} {
		f.Add(byte(1), []byte(`{"action":`+action+`}`))
	}
	s := &server{options: options(f, filepath.Join(f.TempDir(), "servers"), Config{}, bootDouble), runID: "run"}
	g, err := s.newGame(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { g.body.Close() })
	f.Fuzz(func(t *testing.T, which byte, arguments []byte) {
		name := catalogue[int(which)%len(catalogue)].name
		result, err := tools[name](t.Context(), g, call{arguments: arguments})
		if err != nil {
			result = failure(err)
		}
		if text := words(result); result.IsError && emu.Length(text) > maxMessage {
			t.Errorf("%s: %d characters of complaint", name, emu.Length(text))
		}
		if _, err := json.Marshal(result); err != nil {
			t.Errorf("%s: the answer cannot be sent: %v", name, err)
		}
	})
}

// FuzzServe sends anything to a whole server: what it prints is messages, one a
// line, and it ends with its input and leaves nothing behind.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize + observeLine(1) + actLine(2, `{"kind":"frame_advance","frames":3}`), initialize + "garbage\n" + observeLine(1), observeLine(1),
		initialize + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gba_emulator_save_state","arguments":[1]}}` + "\n",
		initialize + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n",
		initialize + initialize, "\n\n{}\n[]\nnull\n\x00\xff\n", initialize + `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}` + "\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		base := filepath.Join(t.TempDir(), "servers")
		o := options(t, base, Config{}, bootDouble)
		out := &safeBuffer{}
		o.In, o.Out = bytes.NewReader(input), out
		if err := Serve(t.Context(), o); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		for text := range strings.Lines(out.String()) {
			var m struct {
				Version string `json:"jsonrpc"`
			}
			if err := json.Unmarshal([]byte(text), &m); err != nil || m.Version != "2.0" || !strings.HasSuffix(text, "\n") {
				t.Errorf("%q is no message: %v", text, err)
			}
		}
		left(t, base)
	})
}
