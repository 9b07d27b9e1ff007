package mcp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
)

// watched is a call under which progress is told.
func watched(tool, arguments string) *sdk.CallToolParams {
	p := &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}
	p.SetProgressToken("a")
	return p
}

const acrossTheRoom = `{"action":{"kind":"walk_to","x":8,"y":14}}`

// startAtItsOwnSpeed starts a server on the core and waits for the boot, so
// that the next progress is that of frames.
func startAtItsOwnSpeed(t *testing.T) *harness {
	t.Helper()
	h := startIn(t, filepath.Join(t.TempDir(), "servers"), Config{}, bootCore(t), atItsOwnSpeed)
	h.call(toolObserve, `{}`)
	return h
}

func TestCancelInMidWalk(t *testing.T) {
	h := startAtItsOwnSpeed(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-h.told
		cancel()
	}()
	if _, err := h.CallTool(ctx, watched(toolAct, acrossTheRoom)); err == nil {
		t.Fatal("the walk was not cancelled")
	}
	// The next call waits until the machine is free, and no longer.
	r := h.call(toolObserve, `{"kind":"action"}`)
	if got := observation(t, r, "action"); got["status"] != "cancelled" {
		t.Errorf("the walk is %v", got)
	}
	at := observation(t, h.call(toolObserve, `{"kind":"overworld"}`), "overworld")["position"].(map[string]any)
	if at["x"] == 8.0 && at["y"] == 14.0 {
		t.Error("the walk arrived all the same")
	}
	if got := h.act(`{"kind":"frame_advance","frames":30}`); got["status"] != "completed" {
		t.Errorf("after the cancel: %v", got)
	}
}

func TestCancelWhileWaitingInLine(t *testing.T) {
	h := startAtItsOwnSpeed(t)
	first := make(chan *sdk.CallToolResult, 1)
	go func() {
		r, err := h.CallTool(t.Context(), watched(toolAct, acrossTheRoom))
		if err != nil {
			t.Error(err)
		}
		first <- r
	}()
	<-h.told
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := make(chan struct{})
	go func() {
		defer close(cancelled)
		if _, err := h.CallTool(ctx, watched(toolAct, `{"action":{"kind":"button_press","button":"start","holdFrames":4}}`)); err == nil {
			t.Error("the press was not cancelled")
		}
	}()
	cancel()
	<-cancelled
	if got := data(t, <-first); got["status"] != "completed" {
		t.Errorf("the walk before it: %v", got)
	}
	if observation(t, h.call(toolObserve, `{}`), "menu") != nil {
		t.Error("the cancelled press was made")
	}
}

func TestProgress(t *testing.T) {
	h := startAtItsOwnSpeed(t)
	if _, err := h.CallTool(t.Context(), watched(toolAct, `{"action":{"kind":"frame_advance","frames":60}}`)); err != nil {
		t.Fatal(err)
	}
	h.call(toolObserve, `{}`)
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.progress) < 2 {
		t.Fatalf("progress was told %d times in a second", len(h.progress))
	}
	last := 0.0
	for _, p := range h.progress {
		if p.ProgressToken != "a" || p.Progress <= last || p.Progress > 61 || p.Total != 60 && p.Total != 61 {
			t.Errorf("after %v: %+v", last, p)
		}
		last = p.Progress
	}
}

func TestProgressOfTheBoot(t *testing.T) {
	hold := make(chan struct{})
	h := start(t, Config{}, func(ctx context.Context, show func(string)) (Game, error) {
		show("compiling")
		<-hold
		return bootDouble(ctx, show)
	})
	go func() {
		<-h.told
		close(hold)
	}()
	r, err := h.CallTool(t.Context(), watched(toolObserve, `{}`))
	if err != nil || r.IsError {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if got := h.progress[0]; got.Message != "compiling" {
		t.Errorf("told while it boots: %+v", got)
	}
}

func TestClientDiesInMidWalk(t *testing.T) {
	h := startAtItsOwnSpeed(t)
	go h.CallTool(t.Context(), watched(toolAct, `{"action":{"kind":"frame_advance","frames":1800}}`)) // half a minute
	<-h.told
	if err := h.end(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	left(t, h.base)
}

func TestClientDiesDuringTheBoot(t *testing.T) {
	booting := make(chan struct{})
	h := start(t, Config{}, func(ctx context.Context, show func(string)) (Game, error) {
		close(booting)
		<-ctx.Done()
		return Game{}, context.Cause(ctx)
	})
	<-booting
	if err := h.end(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	left(t, h.base)
}

func TestBootThatDoesNotEndIsLeftBehind(t *testing.T) {
	booting, never := make(chan struct{}), make(chan struct{})
	defer close(never)
	h := start(t, Config{}, func(context.Context, func(string)) (Game, error) {
		close(booting)
		<-never
		return Game{}, context.Canceled
	})
	<-booting
	if err := h.end(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	left(t, h.base)
}

// hung is a body whose machine never comes back from an action.
type hung struct {
	emu.Body
	begun chan struct{}
}

func (b hung) Act(context.Context, string, emu.Action, emu.Limits) (emu.ActionResult, error) {
	close(b.begun)
	select {}
}

func TestClientDiesWhileTheMachineHangs(t *testing.T) {
	begun := make(chan struct{})
	h := start(t, Config{}, func(ctx context.Context, show func(string)) (Game, error) {
		g, err := bootDouble(ctx, show)
		g.Body = hung{g.Body, begun}
		return g, err
	})
	go h.CallTool(t.Context(), watched(toolAct, acrossTheRoom))
	<-begun
	since := time.Now()
	if err := h.end(); emu.CodeOf(err) != emu.CodeCoreHung {
		t.Errorf("the server ended with %v", err)
	}
	t.Logf("it took %v", time.Since(since))
	left(t, h.base)
}

func TestClientThatStopsReading(t *testing.T) {
	s := startRaw(t, bootDouble)
	for id := range 20 {
		s.send(observeLine(id))
	}
	// Not one answer was read, and now the client is gone.
	s.in.Close()
	err := <-s.ended
	s.ended <- nil
	if err != nil {
		t.Errorf("the server ended with %v", err)
	}
	left(t, s.base)
}

func TestServerIsToldToEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base := filepath.Join(t.TempDir(), "servers")
	o := options(t, base, Config{}, bootDouble)
	out := &safeBuffer{}
	o.In, o.Out = blocksAfter(strings.NewReader(initialize)), out
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, o) }()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	left(t, base)
}

// BenchmarkAct is a press and its answer, as a client sees it.
func BenchmarkAct(b *testing.B) {
	h := start(b, Config{}, bootDouble)
	for b.Loop() {
		h.act(`{"kind":"button_press","button":"up","holdFrames":1}`)
	}
}

// BenchmarkObserve is an observation with its picture, as a client sees it.
func BenchmarkObserve(b *testing.B) {
	h := start(b, Config{}, bootCore(b))
	for b.Loop() {
		h.call(toolObserve, `{}`)
	}
}
