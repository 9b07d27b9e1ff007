package model

import (
	"regexp"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/play"
)

// offered is the prompt of a view, with the offers that a sitting fills in
// unless the test has made its own.
func offered(v play.View) string {
	if v.Offers == nil {
		v.Offers = play.OfferedActions(v.Observed.State, v.Checkpoints)
	}
	return Prompt(v)
}

func TestPromptTellsTheMoment(t *testing.T) {
	got := offered(sampleView())
	for _, want := range []string{
		"Turn 12.",
		"Scene: overworld (overworld); it waits for you.",
		"You stand at (10,9) in BRAMBLE LANE, facing north.",
		"Next to you: north open, east blocked",
		"   8 ..D.o\n   9 ...@.\n",
		"Map from x 7 (each row begins with its y); the whole map is x 7 to 11, y 7 to 9:",
		"no. 3 at (11,8), sprite 17, facing south",
		"(9,8) to bramble-map-4-1",
		"The east edge leads to bramble-map-3-1, open at y 7 to 9; walk_to x 12 there leaves by it.",
		"Things that answer A when faced: (7,7).",
		"  1 Moss (SPRIGLET), level 7, HP 11 of 24; moves: TACKLE 30/35",
		"You are RED in the game; money 500, badges 0.",
		"Your bag: POTION ×3.",
		"Can be done now: button_press, frame_advance, walk_to, save_checkpoint, load_checkpoint, restart_game.",
		"advance_dialog (no text box is open and the controls are free)",
		"You have not said anything aloud yet.",
		"Your objective: Find the key.",
		"Your notes: The gate is shut.",
		"1 back: press up (16), to look at the gate: moved 1 tile to (10,9)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// TestPromptTellsScreens looks at moments away from the field.
func TestPromptTellsScreens(t *testing.T) {
	tests := []struct {
		name   string
		change func(v *play.View)
		want   []string
	}{
		{"undecoded", func(v *play.View) {
			v.Observed.State = emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown, Screen: "title"}}
		}, []string{"This screen is not decoded", "Cannot now: walk_to (this screen is not decoded"}},
		{"menu", func(v *play.View) {
			v.Observed.State.Menu = &emu.Menu{ID: "yes-no", Cursor: 1, Prompt: []string{"Really?"}, Entries: []emu.MenuEntry{{ID: "yes", Label: "Yes"}, {ID: "no", Label: "No"}}}
		}, []string{`The menu yes-no is open and asks "Really?".`, "  yes: Yes\n> no: No\n", "select_menu_entry"}},
		{"text", func(v *play.View) {
			v.Observed.State.Dialog = &emu.Dialog{Lines: []string{"Hello!", "I sell\x1b[31m maps."}}
		}, []string{"A text box reads: Hello! / I sell [31m maps."}},
		{"name", func(v *play.View) {
			v.Observed.State.Naming = &emu.Naming{Text: "CLA", Template: 4, Limit: 7}
		}, []string{`A name is asked for (the rival's), at most 7 characters; typed so far: "CLA".`}},
		{"battle", func(v *play.View) {
			v.Observed.State.Scene.Mode = emu.ModeBattle
			v.Observed.State.Battle = &emu.Battle{
				Kind: "wild", Prompt: emu.PromptMove,
				Battlers: []emu.Battler{
					{Side: "player", Nickname: "Moss", SpeciesName: "SPRIGLET", Level: 7, HP: 11, MaxHP: 24, Moves: []emu.MoveSlot{
						{ID: 33, MoveID: "t-move-33", Name: "TACKLE", Type: "normal", Power: 35, PP: 30, MaxPP: 35},
						{},
						{ID: 45, MoveID: "t-move-45", Name: "EMBER", Type: "fire", Power: 40, PP: 0, MaxPP: 25},
					}},
					{Side: "opponent", SpeciesName: "PEBBLIT", Level: 5, HP: 9, MaxHP: 15, Types: []string{"rock"}, Ailment: "sleep"},
				},
				LegalMoves: []emu.LegalMove{{Slot: 0, MoveID: "t-move-33", Power: 35, Effectiveness: 0.5}},
			}
		}, []string{
			"A wild battle; it asks for a move.",
			"opponent: PEBBLIT, level 5, HP 9 of 15, rock, sleep",
			"1 TACKLE normal, power 35, PP 30 of 35, ×0.5 here; 3 EMBER fire, power 40, PP 0 of 25",
		}},
		{"trainers", func(v *play.View) {
			v.Observed.State.Battle = &emu.Battle{Kind: "two trainers", TrainerName: "TWIN AMY", SecondTrainerName: "TWIN LIV"}
		}, []string{"A two trainers battle;", "  against TWIN AMY\n  against TWIN LIV\n"}},
		{"eggs", func(v *play.View) {
			v.Observed.State.Party = &emu.Party{Members: []emu.Creature{{Slot: 0, Egg: true, SpeciesName: "SECRET"}, {Slot: 1, BadEgg: true}}}
		}, []string{"  1 an egg\n  2 a bad egg\n"}},
		{"not read", func(v *play.View) {
			v.Observed.State.Party, v.Observed.State.Inventory = nil, nil
			v.Observed.State.Undecoded = map[string]string{"party": "the checksum differs"}
		}, []string{"Not read: party (the checksum differs)."}},
		{"nothing there", func(v *play.View) {
			s := &v.Observed.State
			s.Party, s.Inventory, s.Overworld.Occupants = &emu.Party{}, &emu.Inventory{}, []emu.Occupant{}
		}, []string{"Your party is empty.", "Your bag is empty.", "Nobody else is here."}},
		{"spoken to", func(v *play.View) {
			v.Interjection, v.TurnsSinceSpoke, v.Audience = "go left!", pointer(3), "Two friends on a couch."
		}, []string{"Who is watching: Two friends on a couch.", `A person watching says to you: "go left!"`, "You last spoke aloud 3 turns ago."}},
		{"in circles", func(v *play.View) {
			v.StalledForTurns, v.RepeatingForTurns, v.RefusedHere = pointer(14), pointer(4), []emu.Direction{emu.West}
		}, []string{"no new tile for 14 turns", "The last 4 turns all had one and the same effect", "these directions did not move you: west"}},
		{"objective given up", func(v *play.View) {
			v.Objective, v.RetiredObjective, v.ObjectiveRecovery = "", "Open the gate.", true
		}, []string{"You have no objective set.", "because it led in circles: Open the gate.", "that objective is not taken up again, though another one is"}},
		{"an effect as long as it may be", func(v *play.View) {
			act := emu.Action{Kind: emu.ActionAdvanceDialog}
			v.History = []play.HistoryEntry{{Action: &act, Effect: strings.Repeat("x", play.MaxEffect) + "; " + strings.Repeat("y", play.MaxEffectAdvice-4) + " end"}}
		}, []string{strings.Repeat("x", play.MaxEffect) + "; " + strings.Repeat("y", play.MaxEffectAdvice-4) + " end\n"}},
		{"what was learned", func(v *play.View) {
			v.VerifiedInteractions = []string{"the man at (11,8) talks of maps"}
			v.KnownHardFailures = []play.HardFailure{{Action: emu.WalkTo(3, 4), ErrorCode: "no_path_to_target", Effect: "there is no way there"}}
		}, []string{"Who has answered you on this map: the man at (11,8) talks of maps.", "will be refused again: walk to (3,4) (there is no way there)."}},
		{"one way withheld", func(v *play.View) {
			v.Offers = play.WithholdAction(play.OfferedActions(v.Observed.State, true), emu.Press(emu.ButtonUp, 16), "it has changed nothing here 20 times")
		}, []string{"Can be done now: button_press (but not press up (16): it has changed nothing here 20 times), frame_advance"}},
		{"bad answer", func(v *play.View) {
			v.History = []play.HistoryEntry{{Outcome: play.TurnInvalid, Effect: "button: \"x\" is not one"}}
		}, []string{`Your last answer could not be used: button: "x" is not one`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := sampleView()
			test.change(&v)
			got := offered(v)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("the prompt lacks %q:\n%s", want, got)
				}
			}
			if strings.Contains(got, "SECRET") || strings.Contains(got, "\x1b") {
				t.Error("the prompt holds what it must not")
			}
		})
	}
}

// TestPromptIsBounded fills a view beyond every bound: the text stays under
// the stated one without being cut at its end.
func TestPromptIsBounded(t *testing.T) {
	for name, v := range map[string]play.View{"field": fullView(10_000), "battle": fullBattle(10_000)} {
		got := offered(v)
		if n := emu.Length(got); n >= MaxPrompt {
			t.Errorf("%s: %d characters, bound %d", name, n, MaxPrompt)
		} else {
			t.Logf("%s: %d characters at most, bound %d", name, n, MaxPrompt)
		}
		if !strings.HasSuffix(got, "of the given fields.\n") {
			t.Errorf("%s: the end is cut off", name)
		}
	}
}

func TestPromptDoesNotGrowWithPlay(t *testing.T) {
	for name, view := range map[string]func(int) play.View{"field": fullView, "battle": fullBattle} {
		early, late := emu.Length(offered(view(50))), emu.Length(offered(view(10_000)))
		// Turn numbers and counts have up to three digits more.
		if late > early+3*7 {
			t.Errorf("%s: %d characters at turn 50, %d at turn 10,000", name, early, late)
		}
	}
}

func TestPromptHoldsNoIDsOrDigests(t *testing.T) {
	v := sampleView()
	v.Observed.Frame = 987_654
	v.Observed.State.Battle = &emu.Battle{ID: "bramble-0123456789ab-7", Kind: "wild"}
	got := offered(v)
	for _, pattern := range []string{`[0-9a-f]{12}`, `987654`, `observationId`, `schemaVersion`, `sha256`, `gba-observation`} {
		if regexp.MustCompile(pattern).MatchString(got) {
			t.Errorf("the prompt matches %s", pattern)
		}
	}
}

// TestSystemMessage holds its topics, its bounds and what it must not say.
func TestSystemMessage(t *testing.T) {
	got := System(DefaultCharacter)
	for _, k := range kinds {
		if !strings.Contains(got, k) {
			t.Errorf("it lacks the action %s", k)
		}
	}
	for _, p := range properties {
		if !strings.Contains(got, p.name) && p.name != fieldLabel {
			t.Errorf("it lacks the field %s", p.name)
		}
	}
	if n := emu.Length(got); n > 12_000 {
		t.Errorf("it has %d characters", n)
	} else {
		t.Logf("%d characters", n)
	}
	// Rewinding is his to think of: it is stated, never recommended.
	rewinding := got[strings.Index(got, "- save_checkpoint"):strings.Index(got, "Every turn says which")]
	for _, word := range []string{"should", "recommend", "good idea", "before a", "often", "regularly", "safe", "try"} {
		if strings.Contains(rewinding, word) {
			t.Errorf("it suggests rewinding by the word %q", word)
		}
	}
}

func BenchmarkPrompt(b *testing.B) {
	for name, turn := range map[string]int{"turn=50": 50, "turn=10000": 10_000} {
		b.Run(name, func(b *testing.B) {
			v := fullView(turn)
			for b.Loop() {
				offered(v)
			}
			b.ReportMetric(float64(emu.Length(offered(v))), "characters")
			b.ReportMetric(float64(emu.Length(offered(sampleView()))), "usual-characters")
			b.ReportMetric(float64(emu.Length(System(DefaultCharacter))), "system-characters")
			b.ReportMetric(MaxPrompt, "bound")
		})
	}
}

// TestEdgesSayWhatToAimAt holds the tile just beyond each edge, which is what
// walk_to takes to leave by it.
func TestEdgesSayWhatToAimAt(t *testing.T) {
	o := &emu.Overworld{Grid: &emu.Grid{Width: 5, Height: 3}}
	for d, want := range map[emu.Direction]string{emu.North: "y 6 ", emu.South: "y 10 ", emu.West: "x 6 ", emu.East: "x 12 "} {
		if got := beyond(o, emu.Connection{Direction: d, Open: []int{8}}); !strings.Contains(got, "walk_to "+want) {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
		if got := beyond(o, emu.Connection{Direction: d}); got != "" {
			t.Errorf("%s, shut: %q", d, got)
		}
	}
}

func TestWaysOutByName(t *testing.T) {
	for name, want := range map[string]string{"": "map-4-1", "BRAMBLE TOWN": "BRAMBLE TOWN (map-4-1)"} {
		if got := wayTo(name, "map-4-1"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
