package double

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

// lane is a scenario with a wall on the way, a trainer and a battle that is
// won in two attacks.
func lane() Scenario {
	return Scenario{
		SchemaVersion: 1, ScenarioID: "lane", ScenarioVersion: 1, CoreID: "double/1", SavestateID: "lane-start",
		SavestateSHA256: StateDigest("lane-start"), RNGSeed: 7, WorldID: "world", MaxEvidenceEvents: 64, MaxDecisions: 64,
		Map: Map{MapID: "lane-map", Width: 6, Height: 3, Blocked: []emu.Point{{X: 1, Y: 0}, {X: 1, Y: 1}}},
		Player: Player{CharacterID: "hero", Start: emu.Point{X: 0, Y: 0}, Party: []Member{
			{Slot: 1, SpeciesID: "sprig", Level: 5, MaxHP: 20, Moves: []Move{{"tap", 3}, {"slam", 9}, {"poke", 1}}},
			{Slot: 0, SpeciesID: "pebble", Level: 4, MaxHP: 15, Moves: []Move{{"roll", 2}}},
		}},
		Trainer: Trainer{
			TrainerID: "rival", Position: emu.Point{X: 5, Y: 0}, InteractionDistance: 1, Dialog: []string{"You there!", "Let us fight."},
			Opponent: Opponent{SpeciesID: "wisp", Level: 5, MaxHP: 18, RetaliationDamage: 8},
		},
		TargetLocation: emu.Point{X: 4, Y: 0}, Expected: Expectation{BattleResult: "won", MinimumDecisions: 3},
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	data, err := emu.MarshalIndent(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func boot(t *testing.T, change ...func(*Scenario)) *Body {
	t.Helper()
	s := lane()
	for _, c := range change {
		c(&s)
	}
	b, err := New(s, emu.DigestOf([]byte(marshal(t, s))))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func act(t *testing.T, b *Body, a emu.Action) emu.ActionResult {
	t.Helper()
	r, err := b.Act(t.Context(), "a", a, emu.ScenarioLimits)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func do(t *testing.T, b *Body, a emu.Action) map[string]any {
	t.Helper()
	r := act(t, b, a)
	if r.Status != emu.StatusCompleted {
		t.Fatalf("%+v: %v", a, r.Err)
	}
	return r.Outcome
}

func press(t *testing.T, b *Body, buttons ...emu.Button) {
	t.Helper()
	for _, button := range buttons {
		do(t, b, emu.Press(button, 12))
	}
}

func observe(t *testing.T, b *Body) emu.Observed {
	t.Helper()
	o, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestDoubleSaysWhatItIs(t *testing.T) {
	info := boot(t).Info()
	if info.Real || !strings.Contains(info.GameTitle, "deterministic double") || info.EnvironmentID != "deterministic-double" {
		t.Errorf("%+v", info)
	}
	if o := observe(t, boot(t)); !o.Picture.Stale {
		t.Error("the double shows a picture")
	}
}

func TestDoubleHasNoCheckpoints(t *testing.T) {
	b := boot(t)
	_, capture := b.CaptureState(t.Context())
	for _, err := range []error{capture, b.RestoreState(t.Context(), nil, nil)} {
		if emu.CodeOf(err) != emu.CodeCheckpointsUnavailable || !strings.Contains(err.Error(), "deterministic double") {
			t.Error(err)
		}
	}
}

// The state that is hashed is part of the format: a change of a member, its
// name or its place changes every digest of every scenario.
func TestHashedStateIsFrozen(t *testing.T) {
	const want = `{"activePartySlot":1,"battle":null,"dialogLineIndex":0,"dialogLines":[],"facing":"east","frame":0,` +
		`"inputCount":0,"inventory":[{"count":1,"itemId":"potion","pocket":"items"}],"menu":null,"mode":"overworld","party":[` +
		`{"currentHp":20,"level":5,"maxHp":20,"moves":[{"moveId":"tap","power":3},{"moveId":"slam","power":9},{"moveId":"poke","power":1}],` +
		`"slot":1,"speciesId":"sprig","status":"healthy"},{"currentHp":15,"level":4,"maxHp":15,"moves":[{"moveId":"roll","power":2}],` +
		`"slot":0,"speciesId":"pebble","status":"healthy"}],"position":{"mapId":"lane-map","x":0,"y":0}}`
	b := boot(t)
	if diff := cmp.Diff(want, string(b.machine.canonical())); diff != "" {
		t.Fatal(diff)
	}
	o := observe(t, b)
	if o.RAM() != emu.DigestOf([]byte("gba-ram:"+want)) || o.PictureSHA256() != emu.DigestOf([]byte("gba-framebuffer:0:"+want)) {
		t.Error("the digests are made of something else")
	}
	kept := o.RAM()
	press(t, b, emu.ButtonStart)
	if o.RAM() != kept || observe(t, b).RAM() == kept {
		t.Error("a digest does not belong to its frame")
	}
}

func TestFieldPresses(t *testing.T) {
	b := boot(t)
	out := do(t, b, emu.Press(emu.ButtonRight, 12)) // into the wall
	if out["moved"] != false || out["turned"] != false || out["frame"] != uint64(13) {
		t.Errorf("%v", out)
	}
	out = do(t, b, emu.Press(emu.ButtonDown, 12)) // turns and steps in one press
	if out["moved"] != true || out["turned"] != true || out["position"] != (emu.Position{MapID: "lane-map", X: 0, Y: 1}) {
		t.Errorf("%v", out)
	}
	frames, inputs := b.Counters()
	if frames != 26 || inputs != 2 {
		t.Errorf("%d frames, %d inputs", frames, inputs)
	}
	press(t, b, emu.ButtonA) // nobody within reach
	if mode := observe(t, b).State.Scene.Mode; mode != emu.ModeOverworld {
		t.Errorf("mode %s", mode)
	}
}

func TestMinimapAndSurroundings(t *testing.T) {
	o := observe(t, boot(t)).State.Overworld
	if diff := cmp.Diff([]string{"@#...o", ".#....", "......"}, o.Minimap.Rows); diff != "" {
		t.Error(diff)
	}
	if o.Surroundings.East.Passable || o.Surroundings.Ahead != o.Surroundings.East || !o.Surroundings.South.Passable || o.Surroundings.North.Passable {
		t.Errorf("%+v", o.Surroundings)
	}
}

func TestFieldMenus(t *testing.T) {
	b := boot(t)
	shown := func() (string, int) {
		if m := observe(t, b).State.Menu; m != nil {
			return m.ID, m.Cursor
		}
		return "", 0
	}
	for _, step := range []struct {
		press  emu.Button
		menu   string
		cursor int
	}{
		{emu.ButtonStart, "start-menu", 0},
		{emu.ButtonUp, "start-menu", 0},
		{emu.ButtonA, "party-menu", 0},
		{emu.ButtonA, "party-menu", 0},
		{emu.ButtonB, "start-menu", 0},
		{emu.ButtonDown, "start-menu", 1},
		{emu.ButtonA, "bag-items", 0},
		{emu.ButtonDown, "bag-items", 1},
		{emu.ButtonDown, "bag-items", 1},
		{emu.ButtonB, "start-menu", 0},
		{emu.ButtonB, "", 0},
		{emu.ButtonStart, "start-menu", 0},
		{emu.ButtonDown, "start-menu", 1},
		{emu.ButtonDown, "start-menu", 2},
		{emu.ButtonDown, "start-menu", 2},
		{emu.ButtonA, "", 0},
	} {
		press(t, b, step.press)
		if menu, cursor := shown(); menu != step.menu || cursor != step.cursor {
			t.Fatalf("after %s: %q at %d, want %q at %d", step.press, menu, cursor, step.menu, step.cursor)
		}
	}
}

func TestDialogueIsPrintedFasterWhileHeld(t *testing.T) {
	b := boot(t, func(s *Scenario) { s.Player.Start = emu.Point{X: 4, Y: 0} })
	press(t, b, emu.ButtonA)
	waiting := func() bool { return observe(t, b).State.Scene.WaitingForDialogAdvance }
	if waiting() {
		t.Fatal("the first line is there at once")
	}
	do(t, b, emu.Advance(19))
	if waiting() {
		t.Fatal("after 19 frames")
	}
	do(t, b, emu.Advance(1))
	if !waiting() {
		t.Fatal("not after 20 frames")
	}
	press(t, b, emu.ButtonA)
	do(t, b, emu.Press(emu.ButtonB, 5)) // five held frames count for twenty
	if !waiting() {
		t.Fatal("holding B does not hurry")
	}
	if lines := observe(t, b).State.Dialog.Lines; lines[0] != "Let us fight." {
		t.Fatalf("%q", lines)
	}
}

func TestBattleIsWonByTheStrongestMove(t *testing.T) {
	b := boot(t, func(s *Scenario) { s.Player.Start = emu.Point{X: 4, Y: 0} })
	press(t, b, emu.ButtonA, emu.ButtonA, emu.ButtonA)
	o := observe(t, b)
	battle, refusal := emu.Observe(emu.ObserveBattle, o.Input(b.Info()))
	if refusal != nil {
		t.Fatal(refusal)
	}
	if got := battle.(emu.BattleData); got.BattleID != "lane:rival" || got.Turn != 1 || len(got.LegalMoves) != 3 || got.ActivePartySlot != 1 {
		t.Fatalf("%+v", got)
	}
	press(t, b, emu.ButtonDown) // poke
	press(t, b, emu.ButtonRight)
	if cursor := observe(t, b).State.Menu.Cursor; cursor != 2 {
		t.Fatalf("the cursor went to %d, where there is no move", cursor)
	}
	press(t, b, emu.ButtonUp, emu.ButtonRight, emu.ButtonA)
	s := observe(t, b).State
	if s.Battle.Turn != 2 || s.Party.Members[0].HP != 12 || s.Battle.Opponent().HP > 9 {
		t.Fatalf("%+v", s.Battle)
	}
	press(t, b, emu.ButtonA)
	if s := observe(t, b).State; s.Battle.Turn != 2 && s.Scene.Mode != emu.ModeBattleWon {
		press(t, b, emu.ButtonA)
	}
	s = observe(t, b).State
	if s.Scene.Mode != emu.ModeBattleWon || s.Menu != nil || s.Battle.Outcome != 1 {
		t.Fatalf("%s, %+v", s.Scene.Mode, s.Battle)
	}
}

func TestEveryEntryOfAMenuCanBeChosen(t *testing.T) {
	for moves := 1; moves <= 4; moves++ {
		for from := range moves {
			for to := range moves {
				b := boot(t, func(s *Scenario) {
					s.Trainer.Opponent.MaxHP, s.Trainer.Opponent.RetaliationDamage = 9999, 0
					s.Player.Party[0].Moves = []Move{{"m0", 10}, {"m1", 20}, {"m2", 40}, {"m3", 80}}[:moves]
					s.Player.Start = emu.Point{X: 4, Y: 0}
				})
				press(t, b, emu.ButtonA, emu.ButtonA, emu.ButtonA)
				b.machine.battle.MoveCursor, b.machine.menu.Cursor = from, from
				out := do(t, b, emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: []string{"m0", "m1", "m2", "m3"}[to]})
				hit := 9999 - b.machine.battle.Opponent.CurrentHP
				if power := 10 << to; out["confirmed"] != true || hit != power && hit != power+1 {
					t.Fatalf("of %d moves from %d to %d: hit for %d: %v", moves, from, to, hit, out)
				}
			}
		}
	}
	b := boot(t)
	press(t, b, emu.ButtonStart)
	do(t, b, emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "start-menu-2"})
	do(t, b, emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "cancel"})
	out := do(t, b, emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "potion"})
	if out["menuId"] != "bag-items" || out["presses"] != 2 {
		t.Errorf("%v", out)
	}
}

func TestBattleIsLostWhenEveryoneFainted(t *testing.T) {
	b := boot(t, func(s *Scenario) {
		s.Player.Start = emu.Point{X: 4, Y: 0}
		s.Player.Party = s.Player.Party[:1]
		s.Trainer.Opponent.MaxHP, s.Trainer.Opponent.RetaliationDamage = 9999, 20
	})
	press(t, b, emu.ButtonA, emu.ButtonA, emu.ButtonA, emu.ButtonA)
	s := observe(t, b).State
	if s.Scene.Mode != emu.ModeBattleLost || s.Party.Members[0].HP != 0 || s.Menu != nil {
		t.Fatalf("%+v", s.Scene)
	}
}

func TestTwoDoublesAgreeWhoeverWatches(t *testing.T) {
	one, two := boot(t), boot(t)
	seen := uint64(0)
	two.OnFrame(func(frame uint64, sample func() emu.Observed) {
		seen++
		if o := sample(); o.Frame != frame || frame != seen {
			t.Errorf("frame %d shows %d", frame, o.Frame)
		}
	})
	for _, a := range []emu.Action{
		emu.WalkTo(4, 0), emu.Press(emu.ButtonA, 8),
		{Kind: emu.ActionAdvanceDialog},
		{Kind: emu.ActionSelectMenuEntry, EntryID: "slam"},
		emu.Advance(7),
	} {
		limits := emu.Limits{MaxInputs: 16, MaxFrames: 600, TimeoutMS: 1}
		first, err := one.Act(t.Context(), "a", a, limits)
		if err != nil {
			t.Fatal(err)
		}
		second, err := two.Act(t.Context(), "a", a, limits)
		if err != nil || first.RAMSHA256 != second.RAMSHA256 || first.Status != emu.StatusCompleted {
			t.Fatalf("%s: %+v, %+v, %v", a.Kind, first, second, err)
		}
	}
	if frames, _ := two.Counters(); frames != seen {
		t.Errorf("%d frames ran, %d were seen", frames, seen)
	}
}

func TestRefusals(t *testing.T) {
	inDialog := func(b *Body) { b.machine.mode, b.machine.lines = modeDialog, []string{"x"} }
	tests := []struct {
		name   string
		before func(*Body)
		action emu.Action
		limits emu.Limits
		want   string
	}{
		{name: "invalid", action: emu.Press("x", 1), want: emu.CodeInvalidCommand},
		{name: "body action", action: emu.Action{Kind: emu.ActionRestartGame}, want: emu.CodeInvalidCommand},
		{name: "limits", action: emu.Advance(1), limits: emu.Limits{MaxInputs: 65, MaxFrames: 1, TimeoutMS: 1}, want: emu.CodeInvalidCommand},
		{name: "frames held", action: emu.Action{Kind: emu.ActionButtonPress, Button: "a", HoldFrames: 240, Repeat: 3}, want: emu.CodeFrameBound},
		{name: "frames passed", action: emu.Advance(601), want: emu.CodeFrameBound},
		{name: "presses", action: emu.Action{Kind: emu.ActionButtonPress, Button: "a", HoldFrames: 1, Repeat: 9}, want: emu.CodeInputBound},
		{name: "walk in dialogue", before: inDialog, action: emu.WalkTo(0, 1), want: emu.CodeWalkNeedsOverworld},
		{name: "walk in menu", before: func(b *Body) { b.machine.menu = startMenu() }, action: emu.WalkTo(0, 1), want: emu.CodeWalkNeedsOverworld},
		{name: "off the map", action: emu.WalkTo(6, 0), want: emu.CodeWalkOutside},
		{name: "into a wall", action: emu.WalkTo(1, 1), want: emu.CodeWalkImpassable},
		{name: "onto the trainer", action: emu.WalkTo(5, 0), want: emu.CodeWalkImpassable},
		{name: "walled in", before: func(b *Body) {
			b.machine.scenario.Map.Blocked = append(b.machine.scenario.Map.Blocked, emu.Point{X: 1, Y: 2})
		}, action: emu.WalkTo(3, 0), want: emu.CodeNoPath},
		{name: "no dialogue", action: emu.Action{Kind: emu.ActionAdvanceDialog}, want: emu.CodeDialogNotOpen},
		{name: "no naming", action: emu.Action{Kind: emu.ActionEnterText, Text: "A"}, want: emu.CodeNamingNotOpen},
		{name: "no menu", action: emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "x"}, want: emu.CodeMenuNotOpen},
		{name: "no such entry", before: func(b *Body) { b.machine.menu = startMenu() }, action: emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "x"}, want: emu.CodeMenuEntryNotFound},
	}
	for _, tt := range tests {
		b := boot(t)
		if tt.before != nil {
			tt.before(b)
		}
		if tt.limits == (emu.Limits{}) {
			tt.limits = emu.ScenarioLimits
		}
		r, err := b.Act(t.Context(), "a", tt.action, tt.limits)
		if err != nil || r.Status != emu.StatusFailed || r.Err.Code != tt.want || r.Frames != 0 || r.Inputs != 0 {
			t.Errorf("%s: %+v (%v), %v; want %s", tt.name, r, r.Err, err, tt.want)
		}
	}
}

func TestLimitsHold(t *testing.T) {
	actions := []emu.Action{
		{Kind: emu.ActionButtonPress, Button: "down", HoldFrames: 5, Repeat: 4},
		emu.WalkTo(4, 0), emu.Advance(3),
		{Kind: emu.ActionAdvanceDialog},
		{Kind: emu.ActionSelectMenuEntry, EntryID: "poke"},
	}
	for frames := 1; frames < 60; frames++ {
		for inputs := 1; inputs < 6; inputs++ {
			b := boot(t)
			limits := emu.Limits{MaxInputs: inputs, MaxFrames: frames, TimeoutMS: 1}
			for i, a := range actions {
				if i == 3 {
					b.machine.mode, b.machine.lines = modeDialog, b.machine.scenario.Trainer.Dialog
				}
				if i == 4 && b.machine.mode == modeDialog {
					break
				}
				r, err := b.Act(t.Context(), "a", a, limits)
				if err != nil || r.Frames > frames || r.Inputs > inputs {
					t.Fatalf("%s under %+v: %+v, %v", a.Kind, limits, r, err)
				}
			}
		}
	}
}

func TestCancelledAndClosed(t *testing.T) {
	b := boot(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := b.Act(ctx, "a", emu.Advance(5), emu.ScenarioLimits); err != nil || r.Status != emu.StatusCancelled || r.Frames != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := b.Idle(ctx, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Act(t.Context(), "a", emu.Advance(5), emu.ScenarioLimits); !emu.CoreFailed(err) {
		t.Error(err)
	}
}

func TestScenarioIsStrict(t *testing.T) {
	good := marshal(t, lane())
	if _, err := ParseScenario([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"rngSeed": 7`, `"rngSeed": -1`},
		{`"rngSeed": 7,`, ``},
		{`"scenarioId"`, `"more": 1, "scenarioId"`},
		{`"schemaVersion": 1`, `"schemaVersion": 2`},
		{`"savestateId": "lane-start"`, `"savestateId": "elsewhere"`},
		{`"maxDecisions": 64`, `"maxDecisions": 257`},
		{`"width": 6`, `"width": 4`},
		{`"width": 6`, `"width": 1025`},
		{`"slot": 1`, `"slot": 0`},
		{`"slot": 1`, `"slot": 6`},
		{`"power": 9`, `"power": 0`},
		{`"power": 9`, `"power": 1000`},
		{`"interactionDistance": 1`, `"interactionDistance": 17`},
		{`"battleResult": "won"`, `"battleResult": "lost"`},
		{`"retaliationDamage": 8`, `"retaliationDamage": null`},
		{`"level": 4`, `"level": 101`},
		{`"You there!"`, `""`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("%s is not there", change[0])
		}
		if _, err := ParseScenario([]byte(bad)); err == nil {
			t.Errorf("%s for %s: accepted", change[1], change[0])
		}
	}
	s := lane()
	s.TargetLocation = emu.Point{X: 2, Y: 0}
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "targetLocation") {
		t.Errorf("a target out of the trainer's reach: %v", err)
	}
}

func TestMissingFileIsNamed(t *testing.T) {
	data := []byte(marshal(t, lane()))
	files := fstest.MapFS{"a/scenario.json": {Data: data}}
	if _, _, err := Load(files, "b"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "b/scenario.json") {
		t.Errorf("%v", err)
	}
	if _, _, err := Load(files, "a"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "a/scenario.sha256") {
		t.Errorf("%v", err)
	}
	files["a/scenario.sha256"] = &fstest.MapFile{Data: []byte(string(emu.DigestOf(data)) + "  scenario.json\n")}
	s, digest, err := Load(files, "a")
	if err != nil || digest != emu.DigestOf(data) || s.ScenarioID != "lane" {
		t.Fatalf("%v", err)
	}
	files["a/scenario.json"] = &fstest.MapFile{Data: append(data, ' ')}
	if _, _, err := Load(files, "a"); err == nil || !strings.Contains(err.Error(), "a/scenario.sha256") {
		t.Errorf("%v", err)
	}
}

func TestBinding(t *testing.T) {
	fixture := emu.DigestOf([]byte("x"))
	data, err := json.Marshal(lane().Bind(fixture, "session"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := ParseBinding(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(lane(), fixture); err != nil {
		t.Error(err)
	}
	other := lane()
	other.ScenarioVersion++
	if b.Check(other, fixture) == nil || b.Check(lane(), emu.DigestOf([]byte("y"))) == nil {
		t.Error("bound to another scenario")
	}
	if _, err := ParseBinding([]byte(strings.Replace(string(data), "gameplay", "tui", 1))); err == nil {
		t.Error("another lane was accepted")
	}
}
