package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
	"clankie/emu/body"
	"clankie/emu/double"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/emu/session"
	"clankie/fixtures"
)

// pinned is the fixture's savestate, made once for all tests.
var pinned struct {
	once  sync.Once
	state []byte
	err   error
}

func pinnedState(t testing.TB, f fixtures.Fixture) []byte {
	t.Helper()
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM})
	pinned.once.Do(func() { pinned.state, pinned.err = f.Generate(context.Background(), core) })
	if pinned.err != nil {
		t.Fatal(pinned.err)
	}
	return pinned.state
}

// bootCore boots the project's own game.
func bootCore(t testing.TB) Boot {
	t.Helper()
	f, err := fixtures.Load(fixtures.DefaultID)
	if err != nil {
		t.Fatal(err)
	}
	module, state := mgbatest.Module(t), pinnedState(t, f)
	return func(ctx context.Context, show func(string)) (Game, error) {
		show("booting")
		core, err := mgba.Boot(ctx, module, mgba.BootOptions{ROM: f.ROM, State: state})
		if err != nil {
			return Game{}, err
		}
		profile := gen3.ProfileOf(core.Identity())
		b := body.New(core, func(m emu.Memory) emu.State { return gen3.Decode(m, profile) }, emu.BodyInfo{
			ScenarioID: f.Scenario.ScenarioID, ScenarioVersion: f.Scenario.ScenarioVersion, FixtureSHA256: f.Scenario.SHA256(),
			EnvironmentID: "bramble-lane", GameTitle: profile.Title, Profile: profile.Name,
			WorldID: f.Scenario.WorldID, CharacterID: Identity, Identity: core.Identity(),
			BootSHA256: f.Scenario.SavestateSHA256, Real: true,
		}, state)
		return Game{Body: b, Scenario: f.Scenario.JSON, SavestateID: f.Scenario.SavestateID, RNGSeed: f.Scenario.RNGSeed}, nil
	}
}

// bootDouble boots the deterministic double.
func bootDouble(context.Context, func(string)) (Game, error) {
	s, digest, err := double.Load(fixtures.Double(), fixtures.DoubleIDs()[0])
	if err != nil {
		return Game{}, err
	}
	b, err := double.New(s, digest)
	return Game{Body: b, SavestateID: s.SavestateID, RNGSeed: s.RNGSeed}, err
}

// harness is a server with a client of the library's on the other end.
type harness struct {
	*sdk.ClientSession
	t     testing.TB
	base  string // the folder of servers
	log   *safeBuffer
	hang  func() // the client is gone
	ended chan error

	mu       sync.Mutex
	progress []sdk.ProgressNotificationParams
	told     chan struct{} // receives at the first progress
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// options are those of a server in a test.
func options(t testing.TB, base string, c Config, boot Boot) Options {
	t.Helper()
	scope, err := OpenScope(base, c)
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Log: &safeBuffer{}, Version: "test", Scope: scope, Boot: boot,
		Clock: session.SystemClock{}, Random: rand.Reader,
	}
}

func start(t testing.TB, c Config, boot Boot) *harness {
	t.Helper()
	return startIn(t, filepath.Join(t.TempDir(), "gba-mcp"), c, boot)
}

// change changes the options of a server in a test.
type change func(*Options)

// atItsOwnSpeed lets frames run as fast as on the machine, so that a test can
// come in between.
func atItsOwnSpeed(o *Options) { o.Pace = emu.Pace{FramesPerSecond: emu.FrameRate} }

func startIn(t testing.TB, base string, c Config, boot Boot, changes ...change) *harness {
	t.Helper()
	o := options(t, base, c, boot)
	for _, change := range changes {
		change(&o)
	}
	h := &harness{t: t, base: base, log: o.Log.(*safeBuffer), ended: make(chan error, 1), told: make(chan struct{}, 1)}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	o.In, o.Out = fromClient, toClient
	go func() {
		h.ended <- Serve(context.Background(), o)
		toClient.Close()
	}()
	h.hang = sync.OnceFunc(func() {
		toServer.Close()
		fromServer.Close()
	})
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, q *sdk.ProgressNotificationClientRequest) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.progress = append(h.progress, *q.Params)
			select {
			case h.told <- struct{}{}:
			default:
			}
		},
	})
	connected, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.ClientSession = connected
	t.Cleanup(func() { h.end() })
	return h
}

// end hangs up and returns what the server returned.
func (h *harness) end() error {
	h.t.Helper()
	h.hang()
	select {
	case err := <-h.ended:
		h.ended <- err
		return err
	case <-time.After(time.Minute): // only bounds a failing test
		h.t.Fatal("the server did not end")
		return nil
	}
}

// call calls a tool and wants it to succeed.
func (h *harness) call(tool, arguments string) *sdk.CallToolResult {
	h.t.Helper()
	r := h.try(tool, arguments)
	if r.IsError {
		h.t.Fatalf("%s %s: %s", tool, arguments, words(r))
	}
	return r
}

func (h *harness) try(tool, arguments string) *sdk.CallToolResult {
	h.t.Helper()
	r, err := h.CallTool(h.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		h.t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return r
}

// act executes an action and returns the structured result.
func (h *harness) act(action string) map[string]any {
	h.t.Helper()
	return data(h.t, h.call(toolAct, `{"action":`+action+`}`))
}

// words are the texts of a result.
func words(r *sdk.CallToolResult) string {
	var all []string
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, "\n")
}

// image is the picture of a result, or nil.
func image(r *sdk.CallToolResult) []byte {
	for _, c := range r.Content {
		if picture, ok := c.(*sdk.ImageContent); ok {
			return picture.Data
		}
	}
	return nil
}

func data(t testing.TB, r *sdk.CallToolResult) map[string]any {
	t.Helper()
	m, ok := r.StructuredContent.(map[string]any)
	if !ok {
		t.Fatalf("the structured content is %T", r.StructuredContent)
	}
	return m
}

// observation is the data of one kind among the observations of a result.
func observation(t testing.TB, r *sdk.CallToolResult, kind string) map[string]any {
	t.Helper()
	for _, o := range data(t, r)["observations"].([]any) {
		if e := o.(map[string]any); e["kind"] == kind {
			return e["data"].(map[string]any)
		}
	}
	return nil
}
