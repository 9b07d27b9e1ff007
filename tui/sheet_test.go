package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"clankie/emu"
	"clankie/play"
)

// told is everything that a page tells of an entry, w cells wide.
func told(t *testing.T, n int, s *play.Snapshot, at, w int) string {
	t.Helper()
	of := pages[n].of(seen{Snapshot: s})
	rows := of.rows(newPalette(true), at, w, 40)
	for _, row := range rows {
		if width(row) > w {
			t.Errorf("%s: a row of %d cells in %d: %q", pages[n].title, width(row), w, ansi.Strip(row))
		}
	}
	return ansi.Strip(strings.Join(rows, "\n"))
}

func tells(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not told in\n%s", p, text)
		}
	}
}

func TestTrainerCard(t *testing.T) {
	s := fakeSnapshot(1)
	tells(t, told(t, pageTrainer, s, 0, 36), "WREN, a girl", "56711 (secret 46128)", "¥3050", "coins    12", "2 of 8: 1, 3",
		"7 owned, 19 seen", "12:04:09", "SORREL", "parcel-delivered")
	s.State.Goals = []string{}
	tells(t, told(t, pageTrainer, s, 0, 36), "none reached yet")
	s.State.Trainer, s.State.Undecoded["trainer"] = nil, "no save block is in memory"
	if got := told(t, pageTrainer, s, 0, 36); got != "no save block is in memory" {
		t.Errorf("without a card: %q", got)
	}
}

func TestPartyMember(t *testing.T) {
	s := fakeSnapshot(1)
	for _, w := range []int{36, 72} {
		got := told(t, pageParty, s, 0, w)
		tells(t, got, "MOSSLING ★ shiny", "slot 1", "Lv 12", "grass / ground", "31/38", "1728, 469 to level 13", "Brave", "Thorny Coat",
			"Salve", "Leaf Cut grass", "12/25", "0/10", "HP          38   31   252", "Attack      21    1   101", "Sp. Atk     24    4   104",
			"Speed       23    3   103", "70 of 255", "56711", "46128", "5d55d8a8")
	}
	tells(t, told(t, pageParty, s, 1, 36), "Pebbler, PEBBUN", "number 3, name not read", "item 44", "poison", "next level not read", "–\n–")
	tells(t, told(t, pageParty, s, 2, 36), "fainted", "0, the highest level", "nothing")
	s.State.Battle = fakeBattle()
	tells(t, told(t, pageParty, s, 0, 36), "slot 1, fights")
	if got := told(t, pageParty, s, 1, 36); strings.Contains(got, "fights") {
		t.Errorf("one that waits fights:\n%s", got)
	}
}

// TestAnEggTellsNothing, whatever its record says; a bad egg keeps its slot.
func TestAnEggTellsNothing(t *testing.T) {
	s := fakeSnapshot(1)
	c := s.State.Party.Members[0]
	c.Slot, c.Egg = 3, true
	s.State.Party.Members[3] = c
	d := newDriver(t, Options{})
	d.show(s)
	d.typedLine("/party 4")
	d.expect("Party 4/4", "What is in it shows when it hatches", "slot 4")
	for _, w := range []int{16, 36, 80} {
		got := told(t, pageParty, s, 3, w) + ansi.Strip(pages[pageParty].of(seen{Snapshot: s}).entry(newPalette(true), 3, w))
		for _, secret := range []string{"MOSSLING", "shiny", "12", "grass", "31", "Brave", "Thorny", "Salve", "Leaf", "1728", "70", "56711", "5d55"} {
			if strings.Contains(got, secret) {
				t.Errorf("an egg gives %q away:\n%s", secret, got)
			}
		}
	}
	c.Egg, c.BadEgg = false, true
	s.State.Party.Members[1] = c
	s.State.Party.Members[1].Slot = 1
	names := pages[pageParty].of(seen{Snapshot: s}).names()
	if want := []string{"MOSSLING", "Bad egg", "Ä♂é’…日本", "Egg"}; !slices.Equal(names, want) {
		t.Errorf("members are %q, want %q", names, want)
	}
	tells(t, told(t, pageParty, s, 1, 36), "Bad egg", "slot 2", "cannot fight")
	s.State.Party.Members = nil
	tells(t, told(t, pageParty, s, 0, 36), "nobody is in the party")
}

func TestBagByPocket(t *testing.T) {
	s := fakeSnapshot(1)
	tells(t, told(t, pageBag, s, 0, 36), "Items", "Salve", "×2", "bramble-item-14", "×99")
	if got := told(t, pageBag, s, 1, 36); strings.Contains(got, "×") || !strings.Contains(got, "Parcel") {
		t.Errorf("key items are counted, or not there:\n%s", got)
	}
	tells(t, told(t, pageBag, s, 2, 36), "nothing is in this pocket")
	s.State.Inventory.Items[0].Pocket = "a pocket of another game"
	s.State.Undecoded["inventory"] = "1 stacks hold no item the game has; the others are shown"
	tells(t, told(t, pageBag, s, 0, 36), "Salve", "hold no item")
	s.State.Inventory = nil
	tells(t, told(t, pageBag, s, 0, 80), "1 stacks hold no item")
	delete(s.State.Undecoded, "inventory")
	tells(t, told(t, pageBag, s, 0, 36), "the bag was not read")
}

func TestBoxes(t *testing.T) {
	in := seen{Snapshot: fakeSnapshot(1)}
	p := newPalette(true)
	rows := func(at, w int) string { return ansi.Strip(strings.Join(boxesOf(in).rows(p, at, w, 30), "\n")) }
	if got := rows(0, 36); got != "reading the boxes…" {
		t.Errorf("before they are read: %q", got)
	}
	in.boxes = readBoxes{why: "no storage is in memory"}
	if got := rows(0, 36); got != "no storage is in memory" {
		t.Errorf("when they cannot be read: %q", got)
	}
	boxes := fakeBoxes(12)
	in.boxes = readBoxes{got: &boxes}
	tells(t, rows(0, 40), "MEADOW", "as of turn 12", "5 in all boxes, 1 damaged", " 1 Splash, PUDDLIN ★", "Lv 7", " 5 Egg\n", "30 Bad egg")
	tells(t, rows(1, 40), "Box 2", " 3 number 3", "level not read", " 4 日本 ", "Lv 100")
	tells(t, rows(2, 40), "nobody is in this box")
	if strings.Contains(rows(0, 40), "SECRET") {
		t.Errorf("an egg in a box tells what is in it:\n%s", rows(0, 40))
	}
	if got := ansi.Strip(boxesOf(in).entry(p, 1, 30)); got != "Box 2 (opens first)          2" {
		t.Errorf("an entry is %q", got)
	}
	in.State.Storage = &emu.Storage{Boxes: []emu.Box{{Name: "OPEN"}}}
	tells(t, rows(0, 40), "OPEN", "as of now")
}

// TestBattleOwners: whose each battler is, by the kind of the battle.
func TestBattleOwners(t *testing.T) {
	for _, c := range []struct {
		kind    string
		trainer int
		want    [4]string // by Index: own, opponent, own, opponent
	}{
		{"wild", 0, [4]string{"you", "wild", "you", "wild"}},
		{"safari", 0, [4]string{"you", "wild", "you", "wild"}},
		{"trainer", 102, [4]string{"you", "the trainer (102)", "you", "the trainer (102)"}},
		{"double", 102, [4]string{"you", "the trainer (102)", "you", "the trainer (102)"}},
		{"two trainers", 102, [4]string{"you", "the first trainer (102)", "you", "the second trainer"}},
		{"multi", 102, [4]string{"you", "the first trainer (102)", "your partner", "the second trainer"}},
		{"link", 0, [4]string{"you", "the other player", "you", "the other player"}},
		{"tutorial", 0, [4]string{"whoever shows how it is done", "wild", "whoever shows how it is done", "wild"}},
	} {
		for i, want := range c.want {
			side := []string{sidePlayer, sideOpponent}[i%2]
			if got := owner(&emu.Battle{Kind: c.kind, TrainerID: c.trainer}, &emu.Battler{Index: i, Side: side}); got != want {
				t.Errorf("%s, battler %d: %q, want %q", c.kind, i, got, want)
			}
		}
	}
}

// doubleBattle has three battlers: the second place of the opponents is empty.
func doubleBattle() *play.Snapshot {
	s := battleSnapshot(3)
	b := s.State.Battle
	b.Kind, b.TrainerID, b.Turn = "double", 7, 4
	b.Battlers = append(b.Battlers, emu.Battler{
		Index: 2, Side: sidePlayer, Slot: 1, Nickname: "Pebbler", SpeciesName: "MOSSLING", Level: 9, HP: 9, MaxHP: 27, Types: []string{"grass"},
		Transformed: true, OriginName: "PEBBUN", Prompt: emu.PromptMove,
		StatStages: [8]int{6, 8, 6, 0, 6, 12, 5, 6},
		Moves:      []emu.MoveSlot{{ID: 1, Name: "Leaf Cut", Type: "grass", Power: 55, PP: 5, MaxPP: 5}, {ID: 2, Name: "Hum", PP: 5, MaxPP: 5}, {}, {}},
		Matchups:   []emu.Matchup{{Target: 1, Moves: [4]float64{0.5, 1, 1, 1}}, {Target: 3, Moves: [4]float64{4, 1, 1, 1}}},
	})
	return s
}

func TestBattleInFull(t *testing.T) {
	s := doubleBattle()
	if got := pages[pageBattle].of(seen{Snapshot: s}).names(); !slices.Equal(got, []string{"Thistlet", "MOSSLING", "Pebbler"}) {
		t.Fatalf("battlers are %q", got)
	}
	for _, w := range []int{36, 70} {
		tells(t, told(t, pageBattle, s, 2, w), "Pebbler, MOSSLING", "you, slot 2", "transformed; really PEBBUN",
			"Attack +2", "Speed -6", "accuracy -1", "Leaf Cut", "5/5", "×½", "×4", "battler 3", "double battle, turn 4", "choose a move")
	}
	tells(t, told(t, pageBattle, s, 2, 36), "Against Thistlet", "Leaf Cut ×½ · Hum –")
	tells(t, told(t, pageBattle, s, 0, 36), "the trainer (7), slot 1", "sleep", "type effects not read")
	s.State.Battle.Battlers[2].OriginName = ""
	tells(t, told(t, pageBattle, s, 2, 70), "really something that was not read")
	s.State.Battle.Battlers[2].Origin = 132
	tells(t, told(t, pageBattle, s, 2, 70), "really species 132")
	s.State.Scene.Mode = emu.ModeBattleWon
	tells(t, told(t, pageBattle, s, 0, 36), "won")
	if got := told(t, pageBattle, fakeSnapshot(1), 0, 36); got != "no battle is on" {
		t.Errorf("without a battle: %q", got)
	}
}

// TestSafari: nobody of one's own fights, and the actions are others.
func TestSafari(t *testing.T) {
	s := battleSnapshot(3)
	b := s.State.Battle
	b.Kind, b.Prompt, b.Battlers = "safari", emu.PromptAction, b.Battlers[1:]
	s.State.Menu = &emu.Menu{ID: "safari-action-menu", Cursor: 1, Entries: []emu.MenuEntry{
		{ID: "ball", Label: "Ball"}, {ID: "bait", Label: "Bait"}, {ID: "rock", Label: "Rock"}, {ID: "run", Label: "Run"},
	}}
	tells(t, told(t, pageBattle, s, 0, 36), "wild, slot 1", " Ball ▸Bait  Rock  Run", "safari battle", "choose an action")
	d := newDriver(t, Options{})
	d.show(s)
	d.expect("Battle · safari", " Ball ▸Bait  Rock  Run", "Thistlet")
	d.expectNot("Fight")
}

func TestEffectWords(t *testing.T) {
	for effect, want := range map[float64]string{0: "no effect", 0.25: "×¼", 0.5: "×½", 1: "×1", 2: "×2", 4: "×4"} {
		if got := effectWord(effect); got != want {
			t.Errorf("%v is %q", effect, got)
		}
	}
}

func TestMapInFull(t *testing.T) {
	s := fakeSnapshot(1)
	o := s.State.Overworld
	o.Weather, o.Size, o.Signs = "rain", &emu.MapSize{Width: 19, Height: 12}, []emu.Sign{{X: 9, Y: 9}}
	o.Exits.Connections[0].Open, o.Exits.Connections[1].Open = []int{15}, []int{14, 15}
	facing := emu.South
	o.Occupants[0].Facing = &facing
	tells(t, told(t, pageMap, s, 0, 44), "BRAMBLE TOWN", "bramble-map-3-0 at 13,14 north", "rain", "19 × 12", "@↑", "@ you", "↑ map edge",
		"west edge at y 15: map-3-1", "east edge at y 14–15: map-3-2", "15,10: map-4-0", "14,9 faces south (number 1)", "21,12 (number 2)", "9,9")
	o.InputReady, o.Occupants, o.Exits = false, nil, nil
	s.State.Undecoded["exits"] = "the map's events are not readable"
	tells(t, told(t, pageMap, s, 0, 72), "cannot walk now", "others   not read: no reason", "exits    not read: the map's events are not readable")
	o.Grid, o.Minimap = nil, nil
	s.State.Undecoded["map"] = "the field is not on screen"
	got := told(t, pageMap, s, 0, 36)
	tells(t, got, "the field is not on screen")
	if strings.Contains(got, "@") {
		t.Errorf("a map that was not read is drawn:\n%s", got)
	}
	s.State.Overworld, s.State.Undecoded["overworld"] = nil, "the map is being loaded"
	if got := told(t, pageMap, s, 0, 36); got != "the map is being loaded" {
		t.Errorf("without a field: %q", got)
	}
}

// TestSceneInWords: which screen, and how much of a text is shown.
func TestSceneInWords(t *testing.T) {
	s := fakeSnapshot(1)
	for screen, want := range map[emu.Screen]string{
		"shop": "shop", "pc_storage": "storage", "options": "options", "summary": "summary screen", "tm_case": "TM case", "berry_pouch": "berry pouch",
		"pokedex": "Pokédex", "naming": "naming screen", "title": "title screen", "intro": "opening", "": "not known",
	} {
		s.State.Scene.Screen = screen
		tells(t, told(t, pageScene, s, 0, 36), "screen   "+want+"\n")
	}
	s = dialogSnapshot(1)
	s.State.Undecoded["menu"] = "no menu is open"
	tells(t, told(t, pageScene, s, 0, 36), "A or B reads on", "Text, waits for A", "Come back with a lantern!", "menu: no menu is open")
	s.State.Dialog.Waiting, s.State.Dialog.Printing, s.State.Scene.WaitingForDialogAdvance = false, true, false
	tells(t, told(t, pageScene, s, 0, 36), "letters still appear")
	s.State.Dialog.Printing = false
	tells(t, told(t, pageScene, s, 0, 36), "all of it shown")
	s = fakeSnapshot(1)
	s.State.Scene.Screen = "shop"
	s.State.Menu = &emu.Menu{ID: "shop-list", Cursor: 19, Prompt: []string{"What will it be?"}}
	for i := range 20 {
		s.State.Menu.Entries = append(s.State.Menu.Entries, emu.MenuEntry{Label: fmt.Sprint("ware ", i)})
	}
	tells(t, told(t, pageScene, s, 0, 36), "Menu shop-list", "What will it be?", "  ware 0", "▸ ware 19")
	s.State.Menu = nil
	s.State.Naming = &emu.Naming{Text: "CLANK", Page: "lower", Row: 1, Column: 4, Template: 3, Limit: 10, Loading: true}
	tells(t, told(t, pageScene, s, 0, 80), "CLANK▏", "keyboard: lower, row 2, column 5", "a nickname, at most 10 letters, the keyboard does not answer yet")
}
