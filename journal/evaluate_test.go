package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func TestIntentMatches(t *testing.T) {
	dialog := emu.Action{Kind: emu.ActionAdvanceDialog}
	for _, tt := range []struct {
		intent   string
		action   emu.Action
		now, was bool
	}{
		{intent: "advance the dialog", action: dialog, now: true, was: false},
		{intent: "Talk to the CLERK", action: dialog, now: true, was: false},
		{intent: "wait for it", action: dialog, now: true, was: true},
		{intent: "walk north", action: dialog},
		{intent: "walk NORTH", action: emu.Press(emu.ButtonUp, 16), now: true, was: true},
		{intent: "press a", action: emu.Press(emu.ButtonA, 4), now: true, was: true},
		{intent: "leave the banana", action: emu.Press(emu.ButtonA, 4)},
		{intent: "l", action: emu.Press(emu.ButtonL, 4), now: true, was: true},
		{intent: "head to the lab", action: emu.WalkTo(1, 1), now: true, was: true},
		{intent: "rest", action: emu.WalkTo(1, 1)},
		{intent: "be Ash", action: emu.Action{Kind: emu.ActionEnterText, Text: "ASH"}, now: true, was: true},
		{intent: "throw POKE-BALL", action: emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "poke-ball"}, now: true, was: true},
		{intent: "try ckpt-7", action: emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: "CKPT-7"}, now: true, was: true},
		{intent: "mark: before-gym", action: emu.Action{Kind: emu.ActionSaveCheckpoint, Label: "before-gym"}, now: true, was: true},
		{intent: "a new game", action: emu.Action{Kind: emu.ActionRestartGame}, now: true, was: true},
		{intent: "watch", action: emu.Advance(60), now: true, was: true},
		{intent: "", action: emu.Advance(60)},
	} {
		if now, was := IntentMatches(tt.intent, tt.action), LegacyIntentMatches(tt.intent, tt.action); now != tt.now || was != tt.was {
			t.Errorf("%q and %s: %v, formerly %v", tt.intent, tt.action.Kind, now, was)
		}
	}
}

// scenery is what is observed of a scene and, unless x is negative, a place.
func scenery(mode emu.Mode, ready bool, x int) *Observation {
	o := &Observation{Observations: []emu.Envelope{
		{SchemaVersion: 1, Kind: emu.ObserveScene, Data: map[string]any{"mode": string(mode), "inputReady": ready}},
	}}
	if x >= 0 {
		o.Observations = append(o.Observations, emu.Envelope{
			SchemaVersion: 1, Kind: emu.ObserveOverworld,
			Data: map[string]any{"position": map[string]any{"mapId": "m", "x": float64(x), "y": float64(1)}},
		})
	}
	return o
}

func acting(n int, a emu.Action, before, after *Observation) TurnLine {
	l := testTurn(n)
	l.Turn.Action, l.Evidence.ImmediatePreAction, l.Evidence.PostAction = &a, before, after
	return l
}

func TestVerdicts(t *testing.T) {
	field, here, there := scenery(emu.ModeOverworld, true, 7), scenery(emu.ModeOverworld, true, 7), scenery(emu.ModeOverworld, true, 8)
	busy, menu, talk := scenery(emu.ModeOverworld, false, 7), scenery(emu.ModeMenu, true, -1), scenery(emu.ModeDialog, false, 7)
	battleMenu := scenery(emu.ModeBattle, true, 7)
	battleMenu.Observations = append(battleMenu.Observations, emu.Envelope{Kind: emu.ObserveMenu, Data: map[string]any{"menuId": "battle-action"}})
	unknown, naming := scenery(emu.ModeUnknown, false, -1), scenery(emu.ModeNaming, true, -1)
	walk, press := emu.WalkTo(8, 1), emu.Press(emu.ButtonRight, 16)
	choose, write := emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: "yes"}, emu.Action{Kind: emu.ActionEnterText, Text: "A"}
	dialog, save := emu.Action{Kind: emu.ActionAdvanceDialog}, emu.Action{Kind: emu.ActionSaveCheckpoint}
	for name, tt := range map[string]struct {
		line            TurnLine
		scene, movement Verdict
	}{
		"walked":              {acting(1, walk, here, there), Appropriate, Effective},
		"walked nowhere":      {acting(1, walk, here, field), Appropriate, Ineffective},
		"walked, held":        {acting(1, walk, busy, there), Inappropriate, Effective},
		"walked in a menu":    {acting(1, walk, menu, nil), Inappropriate, Unknown},
		"walked unseen":       {acting(1, walk, here, unknown), Appropriate, Unknown},
		"walked on the title": {acting(1, walk, unknown, unknown), Inappropriate, Unknown},
		"pressed":             {acting(1, press, here, there), Appropriate, Effective},
		"pressed in a menu":   {acting(1, press, menu, menu), Appropriate, NotApplicable},
		"pressed on title":    {acting(1, press, unknown, unknown), Appropriate, Unknown},
		"pressed A":           {acting(1, emu.Press(emu.ButtonA, 4), here, here), Appropriate, NotApplicable},
		"waited":              {acting(1, emu.Advance(9), unknown, unknown), Appropriate, NotApplicable},
		"chose":               {acting(1, choose, menu, here), Appropriate, NotApplicable},
		"chose in battle":     {acting(1, choose, battleMenu, here), Appropriate, NotApplicable},
		"chose in the field":  {acting(1, choose, here, here), Inappropriate, NotApplicable},
		"wrote":               {acting(1, write, naming, here), Appropriate, NotApplicable},
		"wrote in a menu":     {acting(1, write, menu, here), Inappropriate, NotApplicable},
		"talked":              {acting(1, dialog, talk, here), Appropriate, NotApplicable},
		"talked, held":        {acting(1, dialog, busy, here), Appropriate, NotApplicable},
		"talked to nobody":    {acting(1, dialog, here, here), Inappropriate, NotApplicable},
		"talked on the title": {acting(1, dialog, unknown, here), Inappropriate, NotApplicable},
		"saved":               {acting(1, save, here, here), Unknown, NotApplicable},
		"saw nothing":         {acting(1, walk, &Observation{}, there), Unknown, Unknown},
		"version 1": {func() TurnLine {
			l := acting(1, walk, nil, nil)
			l.Evidence = nil
			return l
		}(), Unknown, Unknown},
		"refused": {func() TurnLine {
			l := acting(1, walk, here, here)
			l.Turn.Outcome = OutcomeRejected
			return l
		}(), Appropriate, Ineffective},
		"no action": {func() TurnLine {
			l := acting(1, walk, here, nil)
			l.Turn.Action = nil
			return l
		}(), Unknown, NotApplicable},
	} {
		v := judge(tt.line, nil, IntentMatches)
		if v.SceneAction != tt.scene || v.Movement != tt.movement {
			t.Errorf("%s: %s and %s, want %s and %s", name, v.SceneAction, v.Movement, tt.scene, tt.movement)
		}
	}
}

func TestPlanContinuity(t *testing.T) {
	old, now := "old", "now"
	for _, tt := range []struct {
		previous, objective *string
		want                Verdict
	}{
		{nil, nil, Unknown},
		{nil, &now, PlanChanged},
		{&old, &now, PlanChanged},
		{&old, nil, PlanCleared},
		{&now, &now, PlanContinued},
	} {
		line, before := testTurn(2), testTurn(1)
		line.Turn.Objective, line.Evidence.Signals.PreviousObjective, before.Turn.Objective = tt.objective, tt.previous, tt.previous
		if got := judge(line, nil, IntentMatches).PlanContinuity; got != tt.want {
			t.Errorf("by evidence: %s, want %s", got, tt.want)
		}
		line.Evidence = nil
		if got := judge(line, &before, IntentMatches).PlanContinuity; got != tt.want {
			t.Errorf("by the turn before: %s, want %s", got, tt.want)
		}
		before.Turn.Turn = 0
		if got := judge(line, &before, IntentMatches).PlanContinuity; got != Unknown {
			t.Errorf("with a turn missing: %s", got)
		}
	}
	undecided := testTurn(2)
	undecided.Turn.Action, undecided.Turn.Objective, undecided.Evidence.Signals.PreviousObjective = nil, &now, &now
	if got := judge(undecided, nil, IntentMatches).PlanContinuity; got != Unknown {
		t.Errorf("without a decision: %s", got)
	}
}

func TestRecovery(t *testing.T) {
	same, other := emu.WalkTo(1, 1), emu.WalkTo(2, 2)
	turn := func(n int, a *emu.Action, o Outcome) *TurnLine {
		l := testTurn(n)
		l.Turn.Action, l.Turn.Outcome = a, o
		return &l
	}
	refused := turn(1, &same, OutcomeRejected)
	for name, tt := range map[string]struct {
		before, line *TurnLine
		want         Verdict
	}{
		"first":           {nil, turn(0, &same, OutcomeRejected), NotApplicable},
		"after success":   {turn(1, &same, OutcomeAccepted), turn(2, &same, OutcomeAccepted), NotApplicable},
		"other, accepted": {refused, turn(2, &other, OutcomeAccepted), Recovered},
		"other, refused":  {refused, turn(2, &other, OutcomeRejected), ChangedWithoutSuccess},
		"same, refused":   {refused, turn(2, &emu.Action{Kind: same.Kind, X: ptr(1), Y: ptr(1)}, OutcomeRejected), Repeated},
		"no decision":     {refused, turn(2, nil, OutcomeMindFailed), Unknown},
		"turn missing":    {refused, turn(3, &other, OutcomeAccepted), Unknown},
	} {
		if got := recovery(*tt.line, tt.before); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestNarration(t *testing.T) {
	s := folder{t, t.TempDir()}
	s.put("receipts.jsonl",
		`{"type":"discord.voice.response","data":{"speechDeliveryId":"d1"}}`,
		`{"type":"discord.voice.model_response","deliveryId":"d1","phase":"completed"}`,
		"not json discord.voice.", `["discord.voice."]`, "\x00\x00discord.voice.",
		`{"type":"discord.voice.model_response","deliveryId":"d2","phase":"completed"}`,
		`{"type":"discord.voice.model_response","deliveryId":"d3","phase":"failed"}`,
		`{"type":"discord.voice.possessor_narration_suppressed","deliveryId":"d4"}`,
		`{"type":"discord.voice.play_refusal","detail":{"deliveryId":"d5"}}`,
		`{"type":"discord.voice.response","deliveryId":"d6","spoken":false}`,
		`{"type":"discord.voice.joined","deliveryId":"d7"}`,
		`{"type":"discord.voice.play_narration_suppressed"}`,
		`{"type":"discord.voice.response","deliveryId":"torn`)
	receipts, err := readReceipts(filepath.Join(s.dir, "receipts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	delivered := func(id string) TurnLine {
		l := testTurn(1)
		l.Turn.SpeakWanted, l.SpeechDeliveryID = true, id
		return l
	}
	wanted, held := testTurn(1), testTurn(1)
	wanted.Turn.SpeakWanted = true
	held.Turn.SpeakWanted, held.Turn.SpeakSuppressed = true, true
	for name, tt := range map[string]struct {
		line TurnLine
		want Verdict
	}{
		"nothing to say": {testTurn(1), NarrationNoAttempt}, "no delivery": {wanted, NarrationNoReceipt}, "held": {held, NarrationSuppressed},
		"heard": {delivered("d1"), NarrationPlayed}, "silent": {delivered("d2"), NarrationSilent}, "failed": {delivered("d3"), NarrationFailed},
		"suppressed": {delivered("d4"), NarrationSuppressed}, "refused": {delivered("d5"), NarrationRefused},
		"unspoken": {delivered("d6"), NarrationUnspoken}, "another": {delivered("d7"), NarrationNoReceipt},
	} {
		if got := narration(tt.line, receipts); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestTerminal(t *testing.T) {
	s := folder{t, t.TempDir()}
	ev := func(kind, session string) string {
		return `{"type":"embodiment.session.` + kind + `","at":"2026-01-01T00:00:09Z","data":{"sessionId":"` + session + `"}}`
	}
	for name, tt := range map[string]struct {
		ended  bool
		events []string
		want   Terminal
	}{
		"nobody says":    {false, nil, Terminal{Source: TerminalUnknown}},
		"others' events": {false, []string{ev("stopped", "other"), ev("started", "one"), "embodiment.session.{"}, Terminal{Source: TerminalUnknown}},
		"event": {false, []string{ev("failed", "one")}, Terminal{
			Source: TerminalLifecycle, Outcome: ptr("failed"), At: ptr("2026-01-01T00:00:09Z"), LifecycleEventType: ptr("embodiment.session.failed"),
		}},
		"summary": {true, nil, Terminal{Source: TerminalSummary, Outcome: ptr("stopped"), At: ptr(testMoment), SummaryPresent: true}},
		"both": {true, []string{ev("failed", "one"), ev("stopped", "one")}, Terminal{
			Source: TerminalSummary, Outcome: ptr("stopped"), At: ptr(testMoment), SummaryPresent: true,
			LifecycleEventType: ptr("embodiment.session.stopped"), LifecycleConsistent: ptr(true),
		}},
		"both, not agreeing": {true, []string{ev("failed", "one")}, Terminal{
			Source: TerminalSummary, Outcome: ptr("stopped"), At: ptr(testMoment), SummaryPresent: true,
			LifecycleEventType: ptr("embodiment.session.failed"), LifecycleConsistent: ptr(false),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s.put("events.jsonl", tt.events...)
			lines := []string{head("one", "2026-01-01T00:00:00Z", "j"), noted(0, "x")}
			if tt.ended {
				lines = append(lines, summed("home"))
			}
			s.put("run.jsonl", append(lines, "")...)
			e, err := NewEvaluator(EvaluateOptions{Events: filepath.Join(s.dir, "events.jsonl")})
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Evaluate(filepath.Join(s.dir, "run.jsonl"), nil)
			if diff := cmp.Diff(tt.want, got.Run.Terminal); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestEvaluateReadsAroundDamage judges what is left, and streams it.
func TestEvaluateReadsAroundDamage(t *testing.T) {
	s := folder{t, t.TempDir()}
	intent := "advance the dialog"
	talk := acting(3, emu.Action{Kind: emu.ActionAdvanceDialog}, scenery(emu.ModeDialog, false, 7), nil)
	talk.Turn.Intent = &intent
	s.put("run.jsonl", head("one", "2026-01-01T00:00:00Z", "j"), noted(0, "x"), strings.Repeat("\x00", 99),
		refused(2, emu.CodeNoPath), text(talk), turnV1, summaryV2, "torn{")
	path := filepath.Join(s.dir, "run.jsonl")
	for legacy, want := range map[bool]Tally{
		false: {Aligned: 3, Misaligned: 1, Unknown: 0},
		true:  {Aligned: 2, Misaligned: 2, Unknown: 0},
	} {
		e, err := NewEvaluator(EvaluateOptions{LegacyIntent: legacy})
		if err != nil {
			t.Fatal(err)
		}
		var turns []int
		got, err := e.Evaluate(path, func(v TurnVerdicts) error { turns = append(turns, v.Turn); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Aggregate.IntentToAction); diff != "" {
			t.Errorf("legacy %v (-want +got):\n%s", legacy, diff)
		}
		if len(turns) != 4 || got.Aggregate.Turns != 4 || got.Gaps != 2 || got.Aggregate.Summary == nil {
			t.Errorf("turns %v, %+v", turns, got)
		}
		if got.Aggregate.Recovery[Recovered] != 1 || got.Aggregate.Outcomes[OutcomeRejected] != 1 {
			t.Errorf("%+v", got.Aggregate)
		}
		_, err = e.Evaluate(path, func(TurnVerdicts) error { return os.ErrClosed })
		if err != os.ErrClosed {
			t.Errorf("the error of a reader: %v", err)
		}
	}
	s.put("other.jsonl", "hello")
	e, _ := NewEvaluator(EvaluateOptions{})
	_, err := e.Evaluate(filepath.Join(s.dir, "other.jsonl"), nil)
	wantCode(t, err, CodeNotAJournal)
	_, err = NewEvaluator(EvaluateOptions{Receipts: filepath.Join(s.dir, "nowhere")})
	wantCode(t, err, CodeReadFailed)
}

// TestIntentWords pins the words, so that counts stay comparable.
func TestIntentWords(t *testing.T) {
	press := func(b emu.Button) emu.Action { return emu.Press(b, 16) }
	of := func(k emu.ActionKind) emu.Action { return emu.Action{Kind: k} }
	for _, tt := range []struct {
		action emu.Action
		words  string
	}{
		{press(emu.ButtonUp), "up,north,forward"},
		{press(emu.ButtonDown), "down,south,back"},
		{press(emu.ButtonLeft), "left,west"},
		{press(emu.ButtonRight), "right,east"},
		{press(emu.ButtonA), "a,confirm,interact,talk,select,advance"},
		{press(emu.ButtonB), "b,cancel,back out,exit"},
		{press(emu.ButtonStart), "start,menu,pause"},
		{press(emu.ButtonSelect), "select"},
		{press(emu.ButtonL), "l"},
		{press(emu.ButtonR), "r"},
		{of(emu.ActionWalkTo), "walk,go,head,toward,cross,route,move,reach,exit"},
		{of(emu.ActionEnterText), "name,type,spell,enter,call"},
		{of(emu.ActionFrameAdvance), "wait,advance,let,watch,frame,continue"},
		{of(emu.ActionSelectMenuEntry), "choose,select,pick,use,menu,option"},
		{of(emu.ActionLoadCheckpoint), "load,checkpoint,restore,rewind,go back"},
		{of(emu.ActionSaveCheckpoint), "save,checkpoint,remember this,bank"},
		{of(emu.ActionRestartGame), "restart,start over,start again,reset,begin,new game"},
		{of(emu.ActionAdvanceDialog), "wait,pause,hold"},
	} {
		for word := range strings.SplitSeq(tt.words, ",") {
			if !LegacyIntentMatches(word, tt.action) || !IntentMatches(word, tt.action) {
				t.Errorf("%q does not go with %s %s", word, tt.action.Kind, tt.action.Button)
			}
		}
	}
}
