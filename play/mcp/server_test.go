package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
)

func TestCatalogue(t *testing.T) {
	h := start(t, Config{}, bootDouble)
	if got := h.InitializeResult().ServerInfo.Name; got != "gba-emulator-harness" {
		t.Errorf("the server calls itself %q", got)
	}
	listed, err := h.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	type promise struct{ readOnly, destructive, idempotent bool }
	promises := map[string]promise{
		"gba_emulator_observe":      {readOnly: true, idempotent: true},
		"gba_emulator_start_action": {destructive: true},
		"gba_emulator_pause":        {idempotent: true},
		"gba_emulator_resume":       {idempotent: true},
		"gba_emulator_save_state":   {},
		"gba_emulator_load_state":   {destructive: true},
		"gba_emulator_recall":       {readOnly: true, idempotent: true},
	}
	if len(listed.Tools) != len(promises) {
		t.Errorf("there are %d tools, want %d", len(listed.Tools), len(promises))
	}
	for i, tool := range listed.Tools {
		if tool.Name != catalogue[i].name {
			t.Errorf("tool %d is %s, want %s", i, tool.Name, catalogue[i].name)
		}
		a := tool.Annotations
		if got := (promise{a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint}); got != promises[tool.Name] || *a.OpenWorldHint {
			t.Errorf("%s promises %+v, want %+v in a closed world", tool.Name, got, promises[tool.Name])
		}
		for what, s := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			plain(t, tool.Name+" "+what, s, "object")
		}
	}
	whole, err := json.Marshal([]any{listed, h.InitializeResult()})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"possession", "speech", "hearing", "token", "monologue", "lease", "clankie"} {
		if bytes.Contains(bytes.ToLower(whole), []byte(word)) {
			t.Errorf("the catalogue speaks of %q", word)
		}
	}
}

// plain checks that a schema is made of plain objects, lists and values.
func plain(t *testing.T, where string, s any, kind string) {
	t.Helper()
	m, ok := s.(map[string]any)
	if !ok {
		t.Fatalf("%s: the schema is %T", where, s)
	}
	if kind != "" && m["type"] != kind {
		t.Errorf("%s: type is %v, want %s", where, m["type"], kind)
	}
	for key, value := range m {
		switch key {
		case "type", "description", "enum", "pattern", "minimum", "maximum", "minLength", "maxLength", "required", "additionalProperties":
		case "items":
			plain(t, where+"[]", value, "")
		case "properties":
			for name, p := range value.(map[string]any) {
				plain(t, where+"."+name, p, "")
			}
		default:
			t.Errorf("%s: %q is no keyword of a plain schema", where, key)
		}
	}
}

func TestObserveOnTheCore(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	r := h.call(toolObserve, `{}`)
	var list []emu.Envelope
	if err := json.Unmarshal([]byte(words(r)), &list); err != nil {
		t.Fatalf("the text is no list of observations: %v", err)
	}
	var kinds []emu.ObservationKind
	for _, e := range list {
		kinds = append(kinds, e.Kind)
		if e.CharacterID != Identity || e.Frame != list[0].Frame {
			t.Errorf("%s: character %q, frame %d", e.Kind, e.CharacterID, e.Frame)
		}
	}
	if want := []emu.ObservationKind{emu.ObserveDanger, emu.ObserveScene, emu.ObserveOverworld}; !slices.Equal(kinds, want) {
		t.Errorf("observed %v, want %v", kinds, want)
	}
	if got := len(data(t, r)["observations"].([]any)); got != len(list) {
		t.Errorf("the data has %d observations, the text %d", got, len(list))
	}
	img, err := png.DecodeConfig(bytes.NewReader(image(r)))
	if err != nil {
		t.Fatal(err)
	}
	if img.Width != 753 || img.Height != 513 {
		t.Errorf("the picture is %d by %d, want the ruled one of 753 by 513", img.Width, img.Height)
	}
}

func TestObserveOneKind(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	if p := observation(t, h.call(toolObserve, `{"kind":"overworld"}`), "overworld")["position"]; fmt.Sprint(p) != "map[mapId:bramble-map-4-1 x:13 y:11]" {
		t.Errorf("the player is at %v", p)
	}
	for arguments, code := range map[string]string{
		`{"kind":"battle"}`:             emu.CodeBattleNotActive,
		`{"kind":"menu"}`:               emu.CodeMenuNotOpen,
		`{"kind":"action"}`:             emu.CodeActionIDRequired,
		`{"kind":"weather"}`:            emu.CodeInvalidCommand,
		`{"kind":null}`:                 emu.CodeInvalidCommand,
		`{"sort":"menu"}`:               emu.CodeInvalidCommand,
		`{"kind":"menu","kind":"menu"}`: emu.CodeInvalidCommand,
		`[]`:                            emu.CodeInvalidCommand,
	} {
		refused(t, h.try(toolObserve, arguments), code)
	}
	h.act(`{"kind":"frame_advance","frames":10}`)
	if got := observation(t, h.call(toolObserve, `{"kind":"action"}`), "action"); got["status"] != "completed" {
		t.Errorf("the latest action is %v", got)
	}
}

// refused checks that a call failed with a code, in bounded words.
func refused(t *testing.T, r *sdk.CallToolResult, code string) {
	t.Helper()
	if !r.IsError || !strings.HasPrefix(words(r), code+": ") {
		t.Errorf("isError %v, %q, want %s", r.IsError, words(r), code)
	}
	if emu.Length(words(r)) > 500 {
		t.Errorf("the message has %d characters", emu.Length(words(r)))
	}
}

func TestActOnTheCore(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	r := h.call(toolAct, `{"action":{"kind":"walk_to","x":13,"y":13}}`)
	got := data(t, r)
	if got["status"] != "completed" || got["outcome"].(map[string]any)["arrived"] != true {
		t.Fatalf("%v", got)
	}
	var text map[string]any
	if err := json.Unmarshal([]byte(words(r)), &text); err != nil || fmt.Sprint(text) != fmt.Sprint(got) {
		t.Errorf("the text (%v) is not the data:\n%s\n%v", err, words(r), got)
	}
	// A refusal of the game's is an answer; a call that is no action is an error.
	if got := h.act(`{"kind":"walk_to","x":500,"y":13}`); got["status"] != "failed" || got["errorCode"] != emu.CodeWalkOutside {
		t.Errorf("%v", got)
	}
	long := strings.Repeat("x", 2000)
	for _, action := range []string{
		`{"kind":"save_checkpoint"}`, `{"kind":"wait"}`, `{"kind":"frame_advance"}`, `{"kind":"frame_advance","frames":10,"x":1}`,
		`{"kind":"button_press","button":"` + long + `","holdFrames":1}`, `{"kind":"frame_advance","frames":10,"` + long + `":1}`, `7`,
	} {
		refused(t, h.try(toolAct, `{"action":`+action+`}`), emu.CodeInvalidCommand)
	}
	refused(t, h.try(toolAct, `{}`), emu.CodeInvalidCommand)
}

func TestPauseAndResume(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	refused(t, h.try(toolPause, `{"reason":""}`), emu.CodeInvalidCommand)
	refused(t, h.try(toolPause, `{}`), emu.CodeInvalidCommand)
	if got := data(t, h.call(toolPause, `{"reason":"a thought"}`)); got["phase"] != "paused" {
		t.Errorf("%v", got)
	}
	if got := h.act(`{"kind":"frame_advance","frames":10}`); got["status"] != "failed" || got["errorCode"] != emu.CodeSessionPaused {
		t.Errorf("%v", got)
	}
	h.call(toolObserve, `{}`)
	h.call(toolSave, `{}`)
	refused(t, h.try(toolResume, `{"now":true}`), emu.CodeInvalidCommand)
	if got := data(t, h.call(toolResume, `{}`)); got["phase"] != "active" {
		t.Errorf("%v", got)
	}
	if got := h.act(`{"kind":"frame_advance","frames":10}`); got["status"] != "completed" {
		t.Errorf("%v", got)
	}
}

func TestSaveAndLoad(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	if got := words(h.call(toolLoad, `{}`)); !strings.Contains(got, "no saves yet") {
		t.Errorf("an empty list says %q", got)
	}
	saved := h.call(toolSave, `{"label":"bedside"}`)
	id := data(t, saved)["checkpointId"].(string)
	for _, part := range []string{id, "bedside", "(13,11)", data(t, saved)["capturedAt"].(string)} {
		if !strings.Contains(words(saved), part) {
			t.Errorf("%q does not name %q", words(saved), part)
		}
	}
	before := observation(t, h.call(toolObserve, `{"kind":"frame_reference"}`), "frame_reference")
	h.act(`{"kind":"walk_to","x":13,"y":13}`)

	unknown := h.try(toolLoad, `{"checkpointId":"no-such-save"}`)
	refused(t, unknown, "checkpoint_not_found")
	if got := words(unknown); !strings.HasSuffix(got, toolLoad+" without an id lists what there is") {
		t.Errorf("the way out of an unknown id is %q", got)
	}
	refused(t, h.try(toolLoad, `{"checkpointId":"../`+id+`"}`), "checkpoint_id_invalid")
	refused(t, h.try(toolLoad, `{"checkpointId":""}`), "checkpoint_id_invalid")
	refused(t, h.try(toolSave, `{"label":"Not A Slug"}`), emu.CodeInvalidCommand)
	if n := len(data(t, h.call(toolLoad, `{}`))["checkpoints"].([]any)); n != 1 {
		t.Errorf("refused calls left %d saves, want 1", n)
	}

	loaded := h.call(toolLoad, fmt.Sprintf(`{"checkpointId":%q}`, id))
	if image(loaded) == nil || observation(t, loaded, "overworld")["position"].(map[string]any)["y"] != 11.0 {
		t.Errorf("after the load: %s", words(loaded))
	}
	kept := data(t, loaded)["kept"].(map[string]any)
	if kept["label"] != "before-rewind" || kept["position"].(map[string]any)["y"] != 13.0 {
		t.Errorf("kept before the load: %v", kept)
	}
	after := observation(t, h.call(toolObserve, `{"kind":"frame_reference"}`), "frame_reference")
	if before["ramStateSha256"] != after["ramStateSha256"] || before["framebufferSha256"] != after["framebufferSha256"] {
		t.Error("the machine is not where the save left it")
	}
	// What was kept can be gone back to.
	back := h.call(toolLoad, fmt.Sprintf(`{"checkpointId":%q}`, kept["checkpointId"]))
	if observation(t, back, "overworld")["position"].(map[string]any)["y"] != 13.0 {
		t.Errorf("back in the present that was kept: %s", words(back))
	}
	if got := words(h.call(toolLoad, `{}`)); strings.Count(got, "\n") != 2 || !strings.Contains(got, id) {
		t.Errorf("the list is %q", got)
	}
}

func TestSavesStayWhereTheOperatorNamedAFolder(t *testing.T) {
	dir, boot := t.TempDir(), bootCore(t)
	mine := Config{CheckpointDir: dir, HarnessID: "mine"}
	first := start(t, mine, boot)
	first.call(toolSave, `{"label":"kept"}`)
	first.end()
	if !strings.Contains(words(start(t, mine, boot).call(toolLoad, `{}`)), "kept") {
		t.Error("a server of the same harness does not see the save")
	}
	if strings.Contains(words(start(t, Config{CheckpointDir: dir, HarnessID: "yours"}, boot).call(toolLoad, `{}`)), "kept") {
		t.Error("a server of another harness sees the save")
	}
	if strings.Contains(words(start(t, Config{}, boot).call(toolLoad, `{}`)), "kept") {
		t.Error("a server without a folder sees the save")
	}
}

func TestTheDoubleHasNoSaves(t *testing.T) {
	h := start(t, Config{}, bootDouble)
	refused(t, h.try(toolSave, `{}`), emu.CodeCheckpointsUnavailable)
	refused(t, h.try(toolLoad, `{}`), emu.CodeCheckpointsUnavailable)
	refused(t, h.try(toolLoad, `{"checkpointId":"a"}`), emu.CodeCheckpointsUnavailable)
	r := h.call(toolObserve, `{}`)
	if image(r) != nil {
		t.Error("the double draws nothing, and yet there is a picture")
	}
	if got := h.act(`{"kind":"walk_to","x":2,"y":0}`); got["status"] != "completed" {
		t.Errorf("%v", got)
	}
	if !strings.Contains(h.log.String(), "double") {
		t.Errorf("the log does not say that this is the double: %q", h.log)
	}
}

func TestFailedBoot(t *testing.T) {
	o := options(t, filepath.Join(t.TempDir(), "servers"), Config{}, func(context.Context, func(string)) (Game, error) {
		return Game{}, errors.New("no core to be found")
	})
	in, out := strings.NewReader(initialize+observeLine(1)), &safeBuffer{}
	o.In, o.Out = blocksAfter(in), out
	err := Serve(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "no core to be found") {
		t.Errorf("the server ended with %v", err)
	}
	left(t, filepath.Dir(o.Scope.dir))
}

func TestPanicIsAnAnswer(t *testing.T) {
	h := start(t, Config{}, bootDouble)
	broken := tools[toolResume]
	tools[toolResume] = func(context.Context, *game, call) (*sdk.CallToolResult, error) { panic("a bug\x1b[31m") }
	h2 := start(t, Config{}, bootDouble)
	tools[toolResume] = broken
	refused(t, h2.try(toolResume, `{}`), CodeInternal)
	if strings.Contains(words(h2.try(toolResume, `{}`)), "\x1b") {
		t.Error("control characters reach the client")
	}
	h2.call(toolObserve, `{}`)
	h.call(toolResume, `{}`)
}

// left checks that nothing of a server is left in the folder of servers.
func left(t *testing.T, base string) {
	t.Helper()
	entries, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != lockName {
			t.Errorf("%s is left", e.Name())
		}
	}
}

func TestThousandCalls(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	for i := range 1000 {
		switch i % 4 {
		case 0:
			h.act(`{"kind":"button_press","button":"up","holdFrames":1}`)
		case 1:
			h.call(toolObserve, `{"kind":"scene"}`)
		case 2:
			h.act(`{"kind":"frame_advance","frames":1}`)
		case 3:
			h.try(toolAct, `{"action":{"kind":"advance_dialog"}}`)
		}
	}
	if err := h.end(); err != nil {
		t.Error(err)
	}
	left(t, h.base)
}

var sessionPattern = regexp.MustCompile(`^gba-mcp:bramble-bedroom:v\d+:[0-9TZ-]+-[0-9a-f]{8}$`)

func TestTwoServersAtOnce(t *testing.T) {
	base, boot := filepath.Join(t.TempDir(), "servers"), bootCore(t)
	one, two := startIn(t, base, Config{}, boot), startIn(t, base, Config{}, boot)
	one.act(`{"kind":"walk_to","x":13,"y":13}`)
	one.call(toolSave, `{}`)
	r := two.call(toolObserve, `{}`)
	if observation(t, r, "overworld")["position"].(map[string]any)["y"] != 11.0 {
		t.Error("one server's walk moved the other's machine")
	}
	if got := words(two.call(toolLoad, `{}`)); !strings.Contains(got, "no saves yet") {
		t.Errorf("one server sees the other's saves: %s", got)
	}
	id := data(t, one.call(toolAct, `{"action":{"kind":"frame_advance","frames":1}}`))["sessionId"].(string)
	if !sessionPattern.MatchString(id) {
		t.Errorf("the session is called %q", id)
	}
	one.end()
	two.act(`{"kind":"walk_to","x":13,"y":13}`)
	two.end()
	left(t, base)
}

// TestTwoServersOfOneHarness share the folder of saves, and neither keeps the
// other from it.
func TestTwoServersOfOneHarness(t *testing.T) {
	mine, base, boot := Config{CheckpointDir: t.TempDir(), HarnessID: "mine"}, filepath.Join(t.TempDir(), "servers"), bootCore(t)
	one, two := startIn(t, base, mine, boot), startIn(t, base, mine, boot)
	var both sync.WaitGroup
	for _, h := range []*harness{one, two} {
		both.Go(func() {
			for range 3 {
				if r, err := h.CallTool(t.Context(), &sdk.CallToolParams{Name: toolSave, Arguments: json.RawMessage(`{}`)}); err != nil || r.IsError {
					t.Errorf("a save: %+v, %v", r, err)
				}
			}
		})
	}
	both.Wait()
	for _, h := range []*harness{one, two} {
		if n := len(data(t, h.call(toolLoad, `{}`))["checkpoints"].([]any)); n != 6 {
			t.Errorf("%d saves are listed, want 6", n)
		}
	}
	theirs := data(t, two.call(toolSave, `{"label":"theirs"}`))["checkpointId"]
	one.act(`{"kind":"walk_to","x":13,"y":13}`)
	loaded := one.call(toolLoad, fmt.Sprintf(`{"checkpointId":%q}`, theirs))
	if observation(t, loaded, "overworld")["position"].(map[string]any)["y"] != 11.0 {
		t.Errorf("the other server's save was not loaded: %s", words(loaded))
	}
}
