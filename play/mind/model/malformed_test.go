package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"clankie/emu"
	"clankie/play"
)

// walk is the least that a reply needs, with more in the middle.
func walk(more string) string {
	return `{"monologue":"A door.","intent":"go in","actionKind":"walk_to","x":9,"y":8` + more + `}`
}

// does is a reply with another action.
func does(action string) string {
	return `{"monologue":"A door.","intent":"go in",` + action + `}`
}

func decides(a emu.Action) *play.Decision {
	return &play.Decision{Monologue: "A door.", Intent: "go in", Action: a}
}

// but is the good decision with a change.
func but(change func(*play.Decision)) *play.Decision {
	d := goodDecision
	change(&d)
	return &d
}

// malformed is every way in which a reply was found to go wrong, each with
// its outcome: the decision that is meant beyond doubt, or what is said to be
// wrong.
var malformed = []struct {
	name  string
	reply string
	want  *play.Decision // nil: a bad reply whose text holds says
	says  string
}{
	// Around the object.
	{"fenced", "```json\n" + walk("") + "\n```", &goodDecision, ""},
	{"fenced without a language", "```\n" + walk("") + "\n```", &goodDecision, ""},
	{"fence never closed", "```json\n" + walk(""), &goodDecision, ""},
	{"prose before", "Sure! Here is my decision:\n" + walk(""), &goodDecision, ""},
	{"prose after", walk("") + "\nI hope that helps.", &goodDecision, ""},
	{"prose with quotes and an apostrophe", `It's the "door", I think. ` + walk("") + ` Don't you?`, &goodDecision, ""},
	{"prose with braces", "A set {like this} and " + walk("") + " {end}", &goodDecision, ""},
	{"prose with a brace never closed", "An opening { and then " + walk(""), &goodDecision, ""},
	{"prose with a brace never opened", "} " + walk(""), &goodDecision, ""},
	{"thinking in tags", "<think>{maybe}</think>" + walk(""), &goodDecision, ""},
	{"byte order mark", "\uFEFF" + walk(""), &goodDecision, ""},
	{"in an array", "[" + walk("") + "]", &goodDecision, ""},
	{"in a string", fmt.Sprintf("%q", walk("")), &goodDecision, ""},
	{"within another object", `{"decision":` + walk("") + `}`, nil, "not a decision"},
	{"twice the same", walk("") + "\n" + walk(""), &goodDecision, ""},
	{"an example beside it", `{"example":1} ` + walk(""), &goodDecision, ""},
	{"two decisions", walk("") + does(`"actionKind":"advance_dialog"`), nil, "more than one decision"},
	{"two decisions in an array", "[" + walk("") + "," + does(`"actionKind":"advance_dialog"`) + "]", nil, "more than one decision"},
	{"two keys of one name", walk(`,"x":10`), nil, "cannot be read"},
	{"two keys that mean one field", walk(`,"X":10`), nil, "x: it stands there twice"},

	// Within its JSON.
	{"trailing comma", walk(`,`), &goodDecision, ""},
	{"two trailing commas", walk(` , ,`), &goodDecision, ""},
	{"comments", strings.Replace(walk(""), `"x"`, "// the door\n\"x\"", 1), &goodDecision, ""},
	{"block comment", strings.Replace(walk(""), `"x"`, `/* the door */ "x"`, 1), &goodDecision, ""},
	{"comment never closed", walk("") + " /* and", &goodDecision, ""},
	{"line end in a text", strings.Replace(walk(""), "A door.", "A\ndoor.", 1), &goodDecision, ""},
	{"NaN where nothing is needed", walk(`,"repeat":NaN`), &goodDecision, ""},
	{"Infinity where nothing is needed", walk(`,"frames":-Infinity`), &goodDecision, ""},
	{"undefined", walk(`,"reply":undefined`), &goodDecision, ""},
	{"None, True and False", walk(`,"notes":None,"a":True,"b":False`), &goodDecision, ""},
	{"NaN where a number is needed", does(`"actionKind":"walk_to","x":NaN,"y":8`), nil, "needs both"},
	{"Infinity where a number is needed", does(`"actionKind":"frame_advance","frames":Infinity`), nil, "frames: 0 must be 1 to 3600"},
	{"a plus before a number", strings.Replace(walk(""), `"x":9`, `"x":+9`, 1), &goodDecision, ""},
	{"single quotes", strings.ReplaceAll(walk(""), `"`, `'`), nil, "cannot be read"},
	{"curly quotes", strings.ReplaceAll(walk(""), `"`, `”`), nil, "cannot be read"},
	{"keys without quotes", `{monologue:"A door.",intent:"go in"}`, nil, "cannot be read"},
	{"equals signs", strings.ReplaceAll(walk(""), ":", "="), nil, "cannot be read"},
	{"missing comma", strings.Replace(walk(""), `","intent`, `" "intent`, 1), nil, "cannot be read"},
	{"broken escape", strings.Replace(walk(""), "A door.", `A \door.`, 1), nil, "cannot be read"},
	{"broken UTF-8", strings.Replace(walk(""), "A door.", "A door\xff", 1), but(func(d *play.Decision) { d.Monologue = "A door\uFFFD" }), ""},
	{"lone surrogate", strings.Replace(walk(""), "A door.", `A \ud800 door.`, 1), nil, "cannot be read"},
	{"breaks off in a text", walk("")[:20], nil, "breaks off"},
	{"breaks off in a key", walk("")[:60], nil, "breaks off"},
	{"breaks off before the brace", strings.TrimSuffix(walk(""), "}"), nil, "breaks off"},
	{"a thousand braces", strings.Repeat("{", 1000), nil, "breaks off"},
	{"braces to the bound", strings.Repeat("{", maxReplyText), nil, "breaks off"},
	{"nested to the bound", strings.Repeat(`{"a":`, maxReplyText/12) + "1" + strings.Repeat("}", maxReplyText/12), nil, "not a decision"},
	{"brackets in a field", walk(`,"reply":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000)), nil, "cannot be read"},

	// No object at all.
	{"empty", "", nil, "empty"},
	{"blanks", " \n\t ", nil, "empty"},
	{"null", "null", nil, "no JSON object"},
	{"a number", "42", nil, "no JSON object"},
	{"a text", `"walk_to"`, nil, "no JSON object"},
	{"an array", "[1,2]", nil, "no JSON object"},
	{"empty object", "{}", nil, "not a decision"},
	{"refusal in words", "I'm sorry, but I can't help with that.", nil, "no JSON object"},
	{"a tool call", `{"name":"press","arguments":{"button":"a"}}`, nil, "not a decision"},
	{"a schema", `{"type":"object","required":["monologue"]}`, nil, "not a decision"},
	{"XML", "<action><kind>walk_to</kind></action>", nil, "no JSON object"},
	{"NULs", strings.Repeat("\x00", 100), nil, "no JSON object"},
	{"ten megabytes", strings.Repeat("word ", 2<<20), nil, "longer than"},
	{"ten megabytes within an object", walk(`,"reply":"` + strings.Repeat("w", 10<<20) + `"`), nil, "longer than"},

	// Names and values.
	{"keys of another case", strings.NewReplacer("actionKind", "ActionKind", "monologue", "Monologue").Replace(walk("")), &goodDecision, ""},
	{"keys with underscores", strings.Replace(walk(""), "actionKind", "action_kind", 1), &goodDecision, ""},
	{"unknown keys", walk(`,"confidence":0.9,"plan":["a"]`), &goodDecision, ""},
	{"action as an object", does(`"action":{"kind":"walk_to","x":9,"y":8}`), &goodDecision, ""},
	{"action as a name", does(`"action":"walk_to","x":9,"y":8`), &goodDecision, ""},
	{"action as a number", does(`"action":7,"actionKind":"advance_dialog"`), nil, "it is no object"},
	{"action within an action", does(`"action":{"action":{"kind":"advance_dialog"}}`), nil, "actionKind: it is missing"},
	{"kind of another case", does(`"actionKind":"Walk To","x":9,"y":8`), &goodDecision, ""},
	{"kind unknown", does(`"actionKind":"jump"`), nil, `actionKind: "jump" is not one; legal: button_press`},
	{"kind that is no more", does(`"actionKind":"wait"`), nil, `actionKind: "wait" is not one`},
	{"kind null", does(`"actionKind":null`), nil, "actionKind: it is missing"},
	{"kind a number", does(`"actionKind":3`), nil, "actionKind: it is no text"},
	{"button of another case", does(`"actionKind":"button_press","button":"START"`), decides(emu.Press(emu.ButtonStart, 16)), ""},
	{"button unknown", does(`"actionKind":"button_press","button":"x"`), nil, `button: "x" is not one; legal: a, b`},
	{"button missing", does(`"actionKind":"button_press"`), nil, "button: it is missing"},
	{"button with control characters", does(`"actionKind":"button_press","button":"\u001b[31m"`), nil, "is not one"},
	{"hold null is 16", does(`"actionKind":"button_press","button":"a","holdFrames":null`), decides(emu.Press(emu.ButtonA, 16)), ""},
	{"hold zero", does(`"actionKind":"button_press","button":"a","holdFrames":0`), nil, "holdFrames: 0 must be 1 to 240"},
	{"hold too long", does(`"actionKind":"button_press","button":"a","holdFrames":999`), nil, "holdFrames: 999 must be 1 to 240"},
	{"repeat one is none", does(`"actionKind":"button_press","button":"a","repeat":1`), decides(emu.Press(emu.ButtonA, 16)), ""},
	{"repeat too often", does(`"actionKind":"button_press","button":"a","repeat":85`), nil, "repeat: 85 must be 1 to 16"},
	{"repeat negative", does(`"actionKind":"button_press","button":"a","repeat":-1`), nil, "repeat: -1 must be 1 to 16"},
	{"number as a text", strings.Replace(walk(""), `"x":9`, `"x":"9"`, 1), &goodDecision, ""},
	{"number with a fraction of nothing", strings.Replace(walk(""), `"x":9`, `"x":9.0`, 1), &goodDecision, ""},
	{"number with a fraction", strings.Replace(walk(""), `"x":9`, `"x":9.5`, 1), nil, "x: it is no whole number"},
	{"number in words", strings.Replace(walk(""), `"x":9`, `"x":"nine"`, 1), nil, "x: it is no whole number"},
	{"number as NaN in a text", strings.Replace(walk(""), `"x":9`, `"x":"NaN"`, 1), nil, "x: it is no whole number"},
	{"number beyond all bounds", strings.Replace(walk(""), `"x":9`, `"x":1e400`, 1), nil, "x: it is no whole number"},
	{"number as an object", strings.Replace(walk(""), `"x":9`, `"x":{"value":9}`, 1), nil, "x: it is no whole number"},
	{"tile outside", strings.Replace(walk(""), `"x":9`, `"x":1024`, 1), nil, "x: 1024 must be 0 to 1023"},
	{"tile missing", does(`"actionKind":"walk_to","x":9`), nil, "needs both"},
	{"fields of other actions", does(`"actionKind":"advance_dialog","x":0,"y":0,"text":"","button":"none","frames":-7`), decides(emu.Action{Kind: emu.ActionAdvanceDialog}), ""},
	{"text too long", does(`"actionKind":"enter_text","text":"CLANKIECLANKIE"`), nil, "text length: 14 must be 1 to 10"},
	{"text that cannot be typed", does(`"actionKind":"enter_text","text":"Zoë"`), nil, "can be typed"},
	{"entry missing", does(`"actionKind":"select_menu_entry"`), nil, "entryId length: 0"},
	{"label unfit", does(`"actionKind":"save_checkpoint","checkpointLabel":"Before Gym"`), nil, "label"},
	{"label null", does(`"actionKind":"save_checkpoint","checkpointLabel":null`), decides(emu.Action{Kind: emu.ActionSaveCheckpoint}), ""},
	{"id as the word null", does(`"actionKind":"load_checkpoint","checkpointId":"null"`), decides(emu.Action{Kind: emu.ActionLoadCheckpoint}), ""},
	{"id that is a path", does(`"actionKind":"load_checkpoint","checkpointId":"` + strings.Repeat("../", 80) + `"`), nil, "checkpointId length: 240"},

	// What is said.
	{"monologue missing", `{"intent":"go in","actionKind":"advance_dialog"}`, nil, "monologue: it is missing or empty"},
	{"monologue blank", strings.Replace(walk(""), "A door.", "  ", 1), nil, "monologue: it is missing or empty"},
	{"monologue a list", strings.Replace(walk(""), `"A door."`, `["A","door"]`, 1), nil, "monologue: it is no text"},
	{"intent missing", `{"monologue":"A door.","actionKind":"advance_dialog"}`, nil, "intent: it is missing or empty"},
	{"monologue too long", strings.Replace(walk(""), "A door.", strings.Repeat("w", 700), 1), but(func(d *play.Decision) { d.Monologue = strings.Repeat("w", 600) }), ""},
	{"escape sequences", strings.Replace(walk(""), "A door.", `A\u001b[2J door.`, 1), but(func(d *play.Decision) { d.Monologue = "A [2J door." }), ""},
	{"the word null aloud", walk(`,"speak":"null","reply":"NULL"`), &goodDecision, ""},
	{"objective emptied", walk(`,"objective":""`), but(func(d *play.Decision) { d.Objective = pointer("") }), ""},
	{"everything at once", `{"intent":"","actionKind":"button_press","button":"z","holdFrames":"long","repeat":2.5}`, nil, "repeat: it is no whole number"},
}

func TestMalformedReplies(t *testing.T) {
	if len(malformed) < 60 {
		t.Fatalf("only %d malformed replies", len(malformed))
	}
	t.Logf("%d malformed replies", len(malformed))
	for _, test := range malformed {
		t.Run(test.name, func(t *testing.T) {
			d, err := decode(test.reply, Key{})
			if test.want != nil {
				if err != nil {
					t.Fatalf("got %v, want a decision", err)
				}
				if diff := cmp.Diff(*test.want, d); diff != "" {
					t.Errorf("decision (-want +got):\n%s", diff)
				}
				if err := d.Validate(); err != nil {
					t.Errorf("the decision is not valid: %v", err)
				}
				return
			}
			var bad *ReplyError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, %v; want a bad reply", d, err)
			}
			if !strings.Contains(bad.Error(), test.says) {
				t.Errorf("%q does not say %q", bad, test.says)
			}
			checkText(t, bad)
		})
	}
}

// TestMalformedRepliesCostOneCall sends every malformed reply over the wire:
// however wrong it is, the mind asks once and the call is paid for.
func TestMalformedRepliesCostOneCall(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		for _, test := range malformed {
			s := newStub(t, p, says(test.reply))
			mind := s.mind(t)
			_, err := mind.Decide(t.Context(), sampleView())
			if (err == nil) != (test.want != nil) {
				t.Errorf("%s: %v", test.name, err)
			}
			if s.asked() != 1 || mind.Meter().Spent().Calls != 1 {
				t.Errorf("%s: asked %d times, %d paid", test.name, s.asked(), mind.Meter().Spent().Calls)
			}
			s.Close()
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, test := range malformed {
		if len(test.reply) < 4096 {
			f.Add(test.reply)
		}
	}
	f.Fuzz(func(t *testing.T, reply string) {
		d, err := decode(reply, Key{})
		if err == nil {
			err = d.Validate()
			if err != nil {
				t.Errorf("decoded, but not valid: %v", err)
			}
			return
		}
		checkText(t, err)
	})
}

// TestMutatedRepliesAreDecided changes bytes of the malformed replies at random:
// whatever comes of it is a valid decision or a bad reply. It is what fuzzing
// does, without building the SDKs for coverage.
func TestMutatedRepliesAreDecided(t *testing.T) {
	var seeds []string
	for _, test := range malformed {
		if len(test.reply) < 2048 {
			seeds = append(seeds, test.reply)
		}
	}
	alphabet := []byte("{}[]\",:/*\\ntfuN0-+.e \n\x00\x1b\xff")
	rapid.Check(t, func(t *rapid.T) {
		reply := []byte(rapid.SampledFrom(seeds).Draw(t, "seed"))
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			at := rapid.IntRange(0, len(reply)).Draw(t, "at")
			cut := min(at+rapid.IntRange(0, 3).Draw(t, "cut"), len(reply))
			put := rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 3).Draw(t, "put")
			reply = slices.Concat(reply[:at], put, reply[cut:])
		}
		d, err := decode(string(reply), Key{})
		if err == nil {
			err = d.Validate()
		} else {
			var bad *ReplyError
			if errors.As(err, &bad) {
				return
			}
		}
		if err != nil {
			t.Fatalf("%q: %v", reply, err)
		}
	})
}

// A question that is asked once more is a question of its own: the view's
// history says what was wrong.
func TestAskingAgainSaysWhatWasWrong(t *testing.T) {
	both(t, func(t *testing.T, p Provider) {
		s := newStub(t, p, says(does(`"actionKind":"jump"`)), says(good))
		mind := s.mind(t)
		v := sampleView()
		_, err := mind.Decide(t.Context(), v)
		v.History = append(v.History, play.HistoryEntry{Outcome: play.TurnInvalid, Effect: err.Error()})
		d, err := mind.Decide(t.Context(), v)
		checkOutcome(t, d, err, "", false)
		if !strings.Contains(s.body(1), "is not one; legal: button_press") {
			t.Error("the second question does not say what was wrong with the first answer")
		}
	})
}
