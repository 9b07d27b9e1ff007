package scenario

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/fixtures"
)

func certain(change func(*Sight)) Sight {
	s := Sight{
		Frame: 1, Danger: emu.DangerData{StateCertain: true}, Scene: emu.SceneData{Mode: emu.ModeOverworld, InputReady: true},
		Overworld: &emu.OverworldData{Position: emu.Position{MapID: "m", X: 1, Y: 1}, Facing: emu.East},
	}
	if change != nil {
		change(&s)
	}
	return s
}

func inBattle(phase emu.BattlePhase, menu string, cursor int, moves ...string) func(*Sight) {
	return func(s *Sight) {
		s.Scene.Mode = emu.ModeBattle
		s.Battle = &emu.BattleData{Phase: phase, LegalMoves: []emu.BattleMove{{MoveID: "weak", Power: 10}, {MoveID: "strong", Power: 40}, {MoveID: "also", Power: 40}}}
		if menu == "" {
			return
		}
		s.Menu = &emu.MenuData{MenuID: menu, Cursor: cursor}
		for _, id := range moves {
			s.Menu.Entries = append(s.Menu.Entries, emu.MenuEntry{ID: id})
		}
	}
}

func withMenu(id string, cursor int, entries ...string) func(*Sight) {
	return func(s *Sight) {
		s.Menu = &emu.MenuData{MenuID: id, Cursor: cursor}
		for _, e := range entries {
			s.Menu.Entries = append(s.Menu.Entries, emu.MenuEntry{ID: e})
		}
	}
}

// route leads over a floor of 4×4 tiles with a wall at (2,1).
func route(goal fixtures.Goal) *fixtures.Route {
	return &fixtures.Route{
		HoldFramesPerStep: 16, MapID: "m", Bounds: fixtures.Bounds{MaxX: 3, MaxY: 3}, Blocked: []emu.Point{{X: 2, Y: 1}},
		Start: emu.Position{MapID: "m", X: 1, Y: 1}, Target: emu.Position{MapID: "m", X: 3, Y: 1}, Goal: goal,
	}
}

var (
	reach = fixtures.Goal{Kind: fixtures.GoalReachTarget}
	fight = fixtures.Goal{Kind: fixtures.GoalTrainerBattleWon, InteractionFacing: emu.North, ProvePartyMenu: true, ProveInventoryMenu: true}
)

func TestDecideReal(t *testing.T) {
	atTarget := func(s *Sight) { s.Overworld.Position.X = 3 }
	proven := Known{Party: true, Inventory: true}
	order := []string{"weak", "empty-1", "strong", "also"}
	tests := []struct {
		name  string
		goal  fixtures.Goal
		known Known
		seen  Sight
		want  Choice
	}{
		{"the evidence is broken", reach, Known{}, certain(func(s *Sight) { s.Danger.StateCertain = false }), halt(ReasonUncertain)},
		{"there", reach, Known{}, certain(atTarget), halt(ReasonReached)},
		{"won", fight, Known{}, certain(inBattle(emu.PhaseWon, "", 0)), halt(ReasonBattleWon)},
		{"lost", fight, Known{}, certain(inBattle(emu.PhaseLost, "", 0)), halt(ReasonUncertain)},
		{"resolving", fight, Known{}, certain(inBattle(emu.PhaseResolving, "", 0)), press(ReasonResolve, "a")},
		{"a battle that cannot be observed yet", fight, Known{}, certain(func(s *Sight) { s.Scene.Mode = emu.ModeBattle }), wait(ReasonResolve)},
		{"a prompt that does not decode", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, "", 0)), halt(ReasonUncertain)},
		{"a prompt that is another", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, "battle-target", 0)), halt(ReasonUncertain)},
		{"fight", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuAction, 0)), press(ReasonFight, "a")},
		{"on Bag", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuAction, 1)), press(ReasonToFight, "left")},
		{"on Run", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuAction, 3)), press(ReasonToFight, "up")},
		{"the first of the strongest", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuMoves, 2, order...)), press(ReasonBestMove, "a")},
		{"a move by its place in the menu, not among the legal ones", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuMoves, 1, order...)), press(ReasonToBestMove, "down")},
		{"a move in the other column", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuMoves, 3, order...)), press(ReasonToBestMove, "left")},
		{"a menu without the move", fight, Known{}, certain(inBattle(emu.PhaseAwaitingInput, menuMoves, 0, "weak")), halt(ReasonUncertain)},
		{"text", fight, Known{}, certain(func(s *Sight) { s.Dialog = &emu.DialogData{} }), press(ReasonDialog, "a")},
		{"a question", fight, Known{}, certain(withMenu(menuQuestion, 0, "yes", "no")), press(ReasonAnswer, "a")},
		{"a question at no", fight, Known{}, certain(withMenu(menuQuestion, 1, "yes", "no")), press(ReasonAnswer, "up")},
		{"the party", fight, Known{}, certain(func(s *Sight) { withMenu(menuParty, 0)(s); s.Party = &emu.PartyData{} }), press(ReasonPartySeen, "b")},
		{"a party that cannot be told", fight, Known{}, certain(withMenu(menuParty, 0)), press(ReasonCloseMenu, "b")},
		{"the bag", fight, Known{}, certain(func(s *Sight) { withMenu("bag-items", 0)(s); s.Inventory = &emu.InventoryData{} }), press(ReasonBagSeen, "b")},
		{"the start menu, on the way to the party", fight, Known{}, certain(withMenu(menuStart, 0, "pokedex", "pokemon", "bag")), press(ReasonToStart, "down")},
		{"the start menu, at the bag", fight, Known{Party: true}, certain(withMenu(menuStart, 2, "pokedex", "pokemon", "bag")), press(ReasonOpenProof, "a")},
		{"the start menu, past the bag", fight, Known{Party: true}, certain(withMenu(menuStart, 1, "start-menu-2", "start-menu-6")), press(ReasonToStart, "up")},
		{"the start menu, all proven", fight, proven, certain(withMenu(menuStart, 1, "pokemon", "bag")), press(ReasonStartClosed, "b")},
		{"another menu", reach, Known{}, certain(withMenu("options", 0)), press(ReasonCloseMenu, "b")},
		{"held controls", fight, proven, certain(func(s *Sight) { s.Scene.InputReady = false }), wait(ReasonTransition)},
		{"nothing decodes", fight, proven, certain(func(s *Sight) { s.Overworld, s.Scene = nil, emu.SceneData{Mode: emu.ModeUnknown} }), wait(ReasonTransition)},
		{"a proof is missing", fight, Known{Party: true}, certain(nil), press(ReasonOpenStart, "start")},
		{"a step round the wall", reach, Known{}, certain(nil), hold(ReasonStep, "down", 16)},
		{"the same step refused", reach, Known{Refused: []Edge{{emu.Point{X: 1, Y: 1}, emu.Point{X: 1, Y: 2}}}}, certain(nil), hold(ReasonStep, "up", 16)},
		{"another map", reach, Known{}, certain(func(s *Sight) { s.Overworld.Position.MapID = "n" }), halt(ReasonUnreachable)},
		{"facing away", fight, proven, certain(atTarget), hold(ReasonFace, "up", 3)},
		{"facing the trainer", fight, proven, certain(func(s *Sight) { atTarget(s); s.Overworld.Facing = emu.North }), press(ReasonEngage, "a")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, DecideReal(route(tt.goal), tt.known, tt.seen)); diff != "" {
				t.Errorf("decided (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecideDouble(t *testing.T) {
	p, err := Load("double-mill-path")
	if err != nil {
		t.Fatal(err)
	}
	s := *p.Double
	at := func(x, y int) func(*Sight) {
		return func(s *Sight) { s.Overworld.Position = emu.Position{MapID: "mill-path", X: x, Y: y} }
	}
	tests := []struct {
		name string
		seen Sight
		want Choice
	}{
		{"the evidence is broken", certain(func(s *Sight) { s.Danger.StateCertain = false }), halt(ReasonUncertain)},
		{"text", certain(func(s *Sight) { s.Dialog = &emu.DialogData{} }), press(ReasonDialog, "a")},
		{"a menu in the way", certain(withMenu(menuStart, 0)), press(ReasonCloseMenu, "b")},
		{"a move told without its menu", certain(inBattle(emu.PhaseAwaitingInput, "", 0)), press(ReasonToBestMove, "down")},
		{"there", certain(at(10, 4)), press(ReasonEngage, "a")},
		{"a step", certain(at(1, 2)), press(ReasonStep, "right")},
		{"at the wall", certain(at(2, 2)), press(ReasonStep, "down")},
		{"beside the trainer, who stands in the way", certain(at(10, 2)), press(ReasonStep, "right")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, DecideDouble(s, tt.seen)); diff != "" {
				t.Errorf("decided (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStepsAreJudged(t *testing.T) {
	field := func(mapID string, x int, facing emu.Direction) Sight {
		return certain(func(s *Sight) {
			s.Overworld = &emu.OverworldData{Position: emu.Position{MapID: mapID, X: x, Y: 1}, Facing: facing}
		})
	}
	edge := Edge{emu.Point{X: 1, Y: 1}, emu.Point{X: 2, Y: 1}}
	tests := []struct {
		name          string
		before, after Sight
		refused       []Edge
		ok            bool
	}{
		{"walked", field("m", 1, emu.East), field("m", 2, emu.East), nil, true},
		{"only turned", field("m", 1, emu.North), field("m", 1, emu.East), nil, true},
		{"refused", field("m", 1, emu.East), field("m", 1, emu.East), []Edge{edge}, true},
		{"did not even turn", field("m", 1, emu.North), field("m", 1, emu.North), nil, false},
		{"went too far", field("m", 1, emu.East), field("m", 3, emu.East), nil, false},
		{"went elsewhere", field("m", 1, emu.East), field("n", 2, emu.East), nil, false},
		{"lost sight", field("m", 1, emu.East), certain(func(s *Sight) { s.Overworld = nil }), nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, ok := Known{}.learn(tt.before, hold(ReasonStep, emu.ButtonRight, 16), tt.after)
			if ok != tt.ok || !cmp.Equal(k.Refused, tt.refused) {
				t.Errorf("learned %+v, %t", k, ok)
			}
		})
	}
}

func TestARefusedEdgeIsDirected(t *testing.T) {
	all := func(emu.Point) bool { return true }
	a, b := emu.Point{X: 1, Y: 1}, emu.Point{X: 2, Y: 1}
	g := ground{open: all, refused: []Edge{{a, b}}}
	if d, ok := g.firstStep(a, b); !ok || d == emu.East {
		t.Errorf("first step %q, %t: the refused one was taken", d, ok)
	}
	if d, ok := g.firstStep(b, a); !ok || d != emu.West {
		t.Errorf("first step %q, %t: the way back is not refused", d, ok)
	}
}

func TestUnreachable(t *testing.T) {
	r := route(reach)
	r.Blocked = append(r.Blocked, emu.Point{X: 3, Y: 0}, emu.Point{X: 3, Y: 2})
	if c := DecideReal(r, Known{}, certain(nil)); c.Reason != ReasonUnreachable {
		t.Errorf("decided %+v", c)
	}
}
