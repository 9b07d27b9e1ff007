package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
)

func TestRecallTellsOfThisRun(t *testing.T) {
	h := start(t, Config{}, bootCore(t))
	r := h.call(toolRecall, `{}`)
	if words(r) != "Nothing was done yet." || data(t, r)["turnsTaken"] != 0.0 {
		t.Errorf("before anything: %q", words(r))
	}
	h.act(`{"kind":"walk_to","x":13,"y":13}`)
	h.act(`{"kind":"walk_to","x":500,"y":13}`)
	r = h.call(toolRecall, `{}`)
	got := data(t, r)
	if got["turnsTaken"] != 2.0 || got["lastTurnAt"] == nil || len(got["maps"].([]any)) == 0 {
		t.Errorf("after two actions: %v", got)
	}
	if !strings.HasPrefix(words(r), "2 actions since ") {
		t.Errorf("the words are %q", words(r))
	}
	exit := observation(t, h.call(toolObserve, `{"kind":"overworld"}`), "overworld")["exits"].(map[string]any)["warps"].([]any)[0].(map[string]any)
	h.act(fmt.Sprintf(`{"kind":"walk_to","x":%v,"y":%v}`, exit["x"], exit["y"]))
	got = data(t, h.call(toolRecall, `{}`))
	if moments := got["moments"].([]any); len(moments) != 1 || !strings.Contains(moments[0].(map[string]any)["effect"].(string), "now at ") || len(got["maps"].([]any)) != 2 {
		t.Errorf("after leaving the room: %v", got)
	}
	refused(t, h.try(toolRecall, `{"journey":"somebody's"}`), "invalid_emulator_command")
}

// TestJournalOfAHarness reads what two servers of one harness wrote: sound
// runs that ended in order and tell one story, which no other harness sees.
func TestJournalOfAHarness(t *testing.T) {
	dir, boot := t.TempDir(), bootCore(t)
	mine := Config{CheckpointDir: dir, HarnessID: "mine"}
	for range 2 {
		h := start(t, mine, boot)
		h.act(`{"kind":"walk_to","x":13,"y":13}`)
		if err := h.end(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, harnessFolder("mine")+"-journals", "*"+journal.Extension))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d journals (%v)", len(files), err)
	}
	for _, path := range files {
		run, err := journal.ReadStrict(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Turns) != 1 || run.Summary == nil || run.Summary.TurnsTaken != 1 || run.Header.EnvironmentID != "bramble-lane" {
			t.Errorf("%s: %d turns, summary %+v", path, len(run.Turns), run.Summary)
		}
		if e := run.Turns[0].Evidence; len(e.Decision.Observations) == 0 || e.PostAction == nil || len(e.ProgressAfter.Maps) == 0 {
			t.Errorf("%s: evidence %+v", path, e)
		}
	}
	if got := data(t, start(t, mine, boot).call(toolRecall, `{}`)); got["turnsTaken"] != 2.0 {
		t.Errorf("a later server of the harness recalls %v", got)
	}
	if got := data(t, start(t, Config{CheckpointDir: dir, HarnessID: "yours"}, boot).call(toolRecall, `{}`)); got["turnsTaken"] != 0.0 {
		t.Errorf("another harness recalls %v", got)
	}
}

// TestJournalOfSavesAndLoads reads what became of actions, saves and loads: each
// is a turn with what was seen before and after, the pictures are as recorded,
// and the saves of two runs are one journey's, each run's in a line of its own.
func TestJournalOfSavesAndLoads(t *testing.T) {
	dir, boot := t.TempDir(), bootCore(t)
	mine := Config{CheckpointDir: dir, HarnessID: "mine"}
	h := start(t, mine, boot)
	h.act(`{"kind":"walk_to","x":13,"y":13}`)
	first := data(t, h.call(toolSave, `{"label":"here"}`))["checkpointId"].(string)
	h.act(`{"kind":"walk_to","x":500,"y":13}`)
	h.call(toolLoad, fmt.Sprintf(`{"checkpointId":%q}`, first))
	refused(t, h.try(toolLoad, `{"checkpointId":"nobody's"}`), "checkpoint_id_invalid")
	h.call(toolLoad, `{}`) // looks, and does nothing
	second := data(t, h.call(toolSave, `{}`))["checkpointId"].(string)
	if err := h.end(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, harnessFolder("mine")+"-journals", "*"+journal.Extension))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d journals (%v)", len(files), err)
	}
	check, err := journal.CheckFile(files[0])
	if err != nil || check.Damaged || check.Screenshots.Matching < 3 || check.FailureCodes["checkpoint_id_invalid"] != 1 {
		t.Errorf("%+v, %v", check, err)
	}
	kinds := map[string]int{"walk_to": 2, "save_checkpoint": 2, "load_checkpoint": 2}
	if diff := cmp.Diff(kinds, check.ActionKinds); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	run, err := journal.ReadStrict(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range run.Turns {
		if e := turn.Evidence; e.ImmediatePreAction == nil || e.PostAction == nil || e.ActionResult == nil || turn.Turn.FramebufferSHA256 == nil && turn.Turn.Turn != 4 {
			t.Errorf("turn %d: %+v", turn.Turn.Turn, e)
		}
	}
	since := []int{0, 1, 2, 3, 4, 5}
	for i, turn := range run.Turns {
		p := turn.Evidence.ProgressAfter
		if p.TurnsSinceNewTile != since[i] || p.ActionsPerNewTile == nil {
			t.Errorf("turn %d: progress %+v", i, p)
		}
	}
	if loaded := run.Turns[3].Turn; !strings.HasPrefix(*loaded.Effect, "loaded "+first) || loaded.Outcome != journal.OutcomeAccepted {
		t.Errorf("the load: %+v", loaded)
	}
	if run.Summary.Screenshot == nil || run.Summary.Accepted != 4 {
		t.Errorf("%+v", run.Summary)
	}

	h = start(t, mine, boot)
	third := data(t, h.call(toolSave, `{}`))["checkpointId"].(string)
	store, err := checkpoint.Open(filepath.Join(dir, harnessFolder("mine")), checkpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for id, parent := range map[string]string{first: "", second: first, third: ""} {
		save, err := store.Get(t.Context(), id, emu.CoreIdentity{})
		if err != nil || save.Lineage.Parent() != parent || save.Receipt.Journey() != "gba-mcp:bramble-lane:mine" {
			t.Errorf("%s goes on from %q in %s, %v", id, save.Lineage.Parent(), save.Receipt.Journey(), err)
		}
	}
}

func TestTheDoubleRecalls(t *testing.T) {
	h := start(t, Config{}, bootDouble)
	h.act(`{"kind":"walk_to","x":2,"y":0}`)
	if got := data(t, h.call(toolRecall, `{}`)); got["turnsTaken"] != 1.0 {
		t.Errorf("%v", got)
	}
}

// TestUnrecordedServerPlays gives a server nowhere to write.
func TestUnrecordedServerPlays(t *testing.T) {
	dir := t.TempDir()
	mine := Config{CheckpointDir: dir, HarnessID: "mine"}
	if err := os.WriteFile(filepath.Join(dir, harnessFolder("mine")+"-journals"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := start(t, mine, bootDouble)
	if got := h.act(`{"kind":"walk_to","x":2,"y":0}`); got["status"] != "completed" {
		t.Errorf("%v", got)
	}
	if r := h.try(toolRecall, `{}`); !r.IsError {
		t.Errorf("it recalls %q", words(r))
	}
	if !strings.Contains(h.log.String(), "not recorded") {
		t.Errorf("the log does not say so: %q", h.log)
	}
}

// trapped is a body whose machine breaks at its first action.
type trapped struct{ emu.Body }

func (trapped) Act(context.Context, string, emu.Action, emu.Limits) (emu.ActionResult, error) {
	return emu.ActionResult{}, &emu.Error{Code: emu.CodeCoreTrap, Message: "unreachable"}
}

// TestAnActionThatBreaksIsRecorded: the journal tells what the client was told.
func TestAnActionThatBreaksIsRecorded(t *testing.T) {
	dir := t.TempDir()
	h := start(t, Config{CheckpointDir: dir, HarnessID: "mine"}, func(ctx context.Context, show func(string)) (Game, error) {
		g, err := bootDouble(ctx, show)
		g.Body = trapped{g.Body}
		return g, err
	})
	if r := h.try(toolAct, acrossTheRoom); !strings.Contains(words(r), emu.CodeCoreTrap) {
		t.Errorf("the client is told %q", words(r))
	}
	_ = h.end()
	files, err := filepath.Glob(filepath.Join(dir, harnessFolder("mine")+"-journals", "*"+journal.Extension))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d journals (%v)", len(files), err)
	}
	check, err := journal.CheckFile(files[0])
	if err != nil || check.Damaged || check.Turns.Total != 1 || check.FailureCodes[emu.CodeCoreTrap] != 1 {
		t.Errorf("%+v, %v", check, err)
	}
}
