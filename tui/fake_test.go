package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"clankie/emu"
	"clankie/play"
)

// fakeSitting answers like a sitting, from data that the tests make up. It
// remembers every command it was given.
type fakeSitting struct {
	mu       sync.Mutex
	commands []play.Command
	saves    []play.SaveEntry
	fail     map[play.CommandKind]error
	panics   map[play.CommandKind]bool
	hold     chan struct{} // when set, Do waits for it
	feed     *fakeFeed

	visits []play.PastPlace // that were gone back to
	noPast error

	boxes   play.Boxes
	looks   int // how often the boxes were read
	noBoxes error
}

func newFakeSitting() *fakeSitting {
	return &fakeSitting{saves: fakeSaves(30), fail: map[play.CommandKind]error{}, panics: map[play.CommandKind]bool{}, feed: newFakeFeed()}
}

func (f *fakeSitting) Do(ctx context.Context, c play.Command) (play.Ack, error) {
	if f.hold != nil {
		select {
		case <-f.hold:
		case <-ctx.Done():
			return play.Ack{}, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commands = append(f.commands, c)
	if f.panics[c.Kind] {
		panic("the fake broke on purpose")
	}
	if err := f.fail[c.Kind]; err != nil {
		return play.Ack{}, err
	}
	if c.Kind == play.CommandDeleteSave {
		if c.Confirm != c.ID {
			return play.Ack{}, errors.New("not confirmed")
		}
		for i, e := range f.saves {
			if e.ID == c.ID {
				f.saves = append(append([]play.SaveEntry(nil), f.saves[:i]...), f.saves[i+1:]...)
				break
			}
		}
	}
	return play.Ack{Text: fmt.Sprintf("%s done", c.Kind)}, nil
}

func (f *fakeSitting) Watch() Feed { return f.feed }

func (f *fakeSitting) Saves(context.Context) ([]play.SaveEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]play.SaveEntry(nil), f.saves...), nil
}

func (f *fakeSitting) SavePicture(_ context.Context, id string) (emu.Picture, error) {
	if id == "" {
		return emu.Picture{}, errors.New("no picture was kept")
	}
	return emu.Picture{Pix: fakePicture(len(id), 3)}, nil
}

// fakeRuns are the runs of the fake's journey, oldest first, by their turns;
// the last one is played.
var fakeRuns = []fakeRun{{"run-a", 3}, {"run-b", 12}, {"run-1", 20}}

type fakeRun struct {
	id    string
	turns int
}

func (f *fakeSitting) PastTurn(_ context.Context, at play.PastPlace) (play.PastTurn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.visits = append(f.visits, at)
	i := len(fakeRuns) - 1
	if at.Run != "" {
		i = slices.IndexFunc(fakeRuns, func(r fakeRun) bool { return r.id == at.Run })
	}
	if i -= at.Back; i < 0 || i >= len(fakeRuns) {
		return play.PastTurn{}, errors.New("there is no such run")
	}
	run := fakeRuns[i]
	if at.Turn == play.LastTurn {
		at.Turn = run.turns - 1
	}
	p := fakePast(at.Turn)
	p.RunID, p.Live, p.Last = run.id, i == len(fakeRuns)-1, run.turns-1
	if f.noPast != nil {
		return play.PastTurn{RunID: p.RunID, Live: p.Live, Turn: p.Turn, Last: p.Last}, f.noPast
	}
	return p, nil
}

func (f *fakeSitting) Boxes(context.Context) (play.Boxes, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks++
	return f.boxes, f.noBoxes
}

// fakeBoxes are boxes as they were after a turn.
func fakeBoxes(turn int) play.Boxes {
	s := emu.Storage{Count: 5, BadChecksums: 1, Current: 1, Boxes: make([]emu.Box, 14)}
	s.Boxes[0] = emu.Box{Name: "MEADOW", Members: []emu.Stored{
		{Slot: 0, Species: 3, SpeciesName: "PUDDLIN", Nickname: "Splash", Level: 7, Shiny: true},
		{Slot: 4, Egg: true, Species: 9, SpeciesName: "SECRETLING", Nickname: "SECRETLING", Level: 5, Shiny: true},
		{Slot: 29, BadEgg: true},
	}}
	s.Boxes[1] = emu.Box{Members: []emu.Stored{{Slot: 2, Species: 3, Nickname: ""}, {Slot: 3, Species: 4, Nickname: "日本", SpeciesName: "日本", Level: 100}}}
	return play.Boxes{Storage: s, Turn: turn}
}

// sent returns the commands so far.
func (f *fakeSitting) sent() []play.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]play.Command(nil), f.commands...)
}

// fakeFeed hands over what tests put in.
type fakeFeed struct {
	updates chan play.Update
	closed  chan struct{}
	once    sync.Once
}

func newFakeFeed() *fakeFeed {
	return &fakeFeed{updates: make(chan play.Update, 64), closed: make(chan struct{})}
}

func (f *fakeFeed) Next(ctx context.Context) (play.Update, error) {
	select {
	case u := <-f.updates:
		return u, nil
	default:
	}
	select {
	case u := <-f.updates:
		return u, nil
	case <-f.closed:
		return play.Update{}, play.ErrWatchClosed
	case <-ctx.Done():
		return play.Update{}, ctx.Err()
	}
}

func (f *fakeFeed) Close() { f.once.Do(func() { close(f.closed) }) }

// fakePicture draws a meadow with a path, trees and someone at column at.
func fakePicture(at, seed int) []byte {
	pix := make([]byte, emu.PictureBytes)
	set := func(x, y int, r, g, b uint16) {
		if x < 0 || y < 0 || x >= emu.ScreenWidth || y >= emu.ScreenHeight {
			return
		}
		p := r>>3<<11 | g>>2<<5 | b>>3
		pix[(y*emu.ScreenWidth+x)*2] = byte(p)
		pix[(y*emu.ScreenWidth+x)*2+1] = byte(p >> 8)
	}
	box := func(x0, y0, w, h int, r, g, b uint16) {
		for y := y0; y < y0+h; y++ {
			for x := x0; x < x0+w; x++ {
				set(x, y, r, g, b)
			}
		}
	}
	box(0, 0, 240, 160, 120, 192, 104)
	for i := range 60 {
		n := (i*7919 + seed*104729) % 38400
		box(n%240, n/240, 3, 2, 96, 168, 88)
	}
	box(0, 88, 240, 24, 224, 204, 152)
	for x := 0; x < 240; x += 32 {
		box(x, 8, 28, 26, 40, 112, 64)
		box(x+4, 12, 18, 10, 72, 152, 88)
		box(x+12, 34, 5, 8, 112, 80, 48)
	}
	box(150, 44, 64, 40, 216, 216, 224)
	box(150, 40, 64, 16, 184, 72, 64)
	box(176, 66, 12, 18, 96, 64, 40)
	box(at, 88, 12, 8, 232, 184, 144)
	box(at, 84, 12, 5, 200, 48, 56)
	box(at, 96, 12, 9, 56, 88, 168)
	return pix
}

func shift(pix []byte, n int) []byte {
	out := make([]byte, len(pix))
	for y := range emu.ScreenHeight {
		row := pix[y*emu.ScreenWidth*2 : (y+1)*emu.ScreenWidth*2]
		k := n % emu.ScreenWidth * 2
		copy(out[y*emu.ScreenWidth*2:], row[k:])
		copy(out[(y+1)*emu.ScreenWidth*2-k:], row[:k])
	}
	return out
}

func move(name, typ string, pp, maxPP int) emu.MoveSlot {
	return emu.MoveSlot{ID: 1 + len(name), MoveID: "bramble-move-1", Name: name, Type: typ, PP: pp, MaxPP: maxPP}
}

func fakeParty() *emu.Party {
	return &emu.Party{ActiveSlot: 0, Members: []emu.Creature{
		{
			Slot: 0, Species: 1, SpeciesName: "MOSSLING", Nickname: "MOSSLING", Level: 12, HP: 31, MaxHP: 38, Types: []string{"grass", "ground"},
			Moves:      []emu.MoveSlot{move("Nudge", "normal", 30, 35), move("Leaf Cut", "grass", 12, 25), move("Root Hold", "grass", 0, 10), move("Hum", "normal", 40, 40)},
			Stats:      emu.Stats{HP: 38, Attack: 21, Defense: 22, Speed: 23, SpAttack: 24, SpDefense: 25},
			IVs:        emu.Stats{HP: 31, Attack: 1, Defense: 2, Speed: 3, SpAttack: 4, SpDefense: 5},
			EVs:        emu.Stats{HP: 252, Attack: 101, Defense: 102, Speed: 103, SpAttack: 104, SpDefense: 105},
			NatureName: "Brave", Ability: "Thorny Coat", HeldItem: 13, HeldName: "Salve", Experience: 1728, ToNextLevel: 469,
			Friendship: 70, OTID: 0xB430DD87, Personality: 0x5d55d8a8, Shiny: true,
		},
		{
			Slot: 1, Species: 2, SpeciesName: "PEBBUN", Nickname: "Pebbler", Level: 9, HP: 9, MaxHP: 27, Ailment: "poison", Types: []string{"rock", "rock"},
			Moves: []emu.MoveSlot{move("Nudge", "normal", 33, 35), move("Rattle", "rock", 15, 15), {}, {}}, Nature: 3, HeldItem: 44,
		},
		{
			Slot: 2, Species: 3, Nickname: "Ä♂é’…日本", Level: 100, HP: 0, MaxHP: 301, Types: []string{"water"},
			Moves: []emu.MoveSlot{move("Splatter", "water", 25, 25), {}, {}, {}},
		},
		{Slot: 3, Egg: true},
	}}
}

func fakeTrainer() *emu.Trainer {
	return &emu.Trainer{
		Name: "WREN", Gender: 1, PublicID: 56711, SecretID: 46128, Money: 3050, Coins: 12, Badges: [8]bool{true, false, true},
		PlayTime: emu.PlayTime{Hours: 12, Minutes: 4, Seconds: 9}, DexOwned: 7, DexSeen: 19, RivalName: "SORREL",
	}
}

func fakeBag() *emu.Inventory {
	return &emu.Inventory{Items: []emu.Item{
		{Pocket: "items", ID: 13, ItemID: "bramble-item-13", Name: "Salve", Count: 2},
		{Pocket: "items", ID: 14, ItemID: "bramble-item-14", Count: 99},
		{Pocket: "key-items", ID: 260, Name: "Parcel", Count: 1},
		{Pocket: "tm-hm", ID: 289, Name: "TM01", Count: 1},
	}}
}

func fakeWorld() *emu.Overworld {
	rows := []string{
		"###################",
		"##....##......#####",
		"#......o..........#",
		"#...####D###......#",
		"#...########......#",
		"#...########..o...#",
		"#.................#",
		"......@............",
		"...................",
		"####............###",
		"####..####D####.###",
		"###################",
	}
	world := drawnWorld(rows...)
	return &emu.Overworld{
		Position: emu.Position{MapID: "bramble-map-3-0", X: 13, Y: 14}, Facing: emu.North, MapName: "BRAMBLE TOWN", InputReady: true,
		Grid: world.Grid, Minimap: &emu.Minimap{TopLeft: emu.Point{X: 7, Y: 7}, Rows: rows},
		Exits: &emu.Exits{
			Warps:       []emu.Warp{{X: 15, Y: 10, DestinationID: "bramble-map-4-0"}, {X: 17, Y: 17, DestinationID: "bramble-map-5-2"}},
			Connections: []emu.Connection{{Direction: emu.West, DestinationID: "bramble-map-3-1"}, {Direction: emu.East, DestinationID: "bramble-map-3-2"}},
		},
		Occupants: []emu.Occupant{{LocalID: 1, X: 14, Y: 9}, {LocalID: 2, X: 21, Y: 12}},
	}
}

// neutral are the stages of one whose stats were neither raised nor lowered.
var neutral = [8]int{6, 6, 6, 6, 6, 6, 6, 6}

func fakeBattle() *emu.Battle {
	p := fakeParty().Members[0]
	return &emu.Battle{Kind: "wild", Prompt: emu.PromptMove, MoveCursor: 1, Battlers: []emu.Battler{
		{Index: 0, Side: "player", Nickname: p.Nickname, Level: p.Level, HP: p.HP, MaxHP: p.MaxHP, Types: p.Types, Moves: p.Moves, StatStages: neutral},
		{Index: 1, Side: "opponent", Nickname: "Thistlet", Level: 7, HP: 4, MaxHP: 22, Ailment: "sleep", Types: []string{"grass"}, Moves: make([]emu.MoveSlot, 4), StatStages: neutral},
	}, Text: []string{"What will MOSSLING do?"}}
}

// fakeSnapshot is a moment in the field.
func fakeSnapshot(turn int) *play.Snapshot {
	return &play.Snapshot{
		Seq: uint64(turn), Info: emu.BodyInfo{GameTitle: "Bramble Lane", EnvironmentID: "bramble-lane", Real: true},
		RunID: "run-1", Journey: "bramble-lane", Frame: uint64(turn * 40), Picture: emu.Picture{Pix: fakePicture(60+turn%40, 1)},
		State: emu.State{
			Scene:     emu.Scene{Mode: emu.ModeOverworld, Screen: "overworld", InputReady: true},
			Overworld: fakeWorld(), Party: fakeParty(), Trainer: fakeTrainer(), Inventory: fakeBag(), Goals: []string{"parcel-delivered"},
			Undecoded: map[string]string{},
		},
		Phase: play.PhaseThinking, Turn: turn, MaxTurns: 500, Accepted: turn - 1, Mind: "autopilot",
		Objective: "Bring the parcel to the far gate", Notes: "The gate keeper wants a parcel from the healing house.",
		Speed: play.Speed1, FramesPerSecond: 59.7,
	}
}

func battleSnapshot(turn int) *play.Snapshot {
	s := fakeSnapshot(turn)
	s.State.Scene = emu.Scene{Mode: emu.ModeBattle, Screen: "battle", InputReady: true}
	s.State.Battle = fakeBattle()
	s.State.Overworld.Grid, s.State.Overworld.Minimap, s.State.Overworld.Exits = nil, nil, nil
	return s
}

func dialogSnapshot(turn int) *play.Snapshot {
	s := fakeSnapshot(turn)
	s.State.Scene = emu.Scene{Mode: emu.ModeDialog, Screen: "dialog", WaitingForDialogAdvance: true}
	s.State.Dialog = &emu.Dialog{Lines: []string{"The lane is closed after dusk.", "Come back with a lantern!"}, Waiting: true}
	return s
}

func fakeTurn(n int) play.Event {
	t := &play.TurnEvent{
		Turn: n, Mind: "autopilot", Thought: "The door to the healing house is open; I go in and ask for the parcel.",
		Intent: "walk to the door", Action: fmt.Sprintf("walk to %d,%d", 10+n%7, 12+n%5), Outcome: "accepted",
		Effect: "moved 4 tiles; now at 15,11 facing north",
	}
	switch n % 5 {
	case 3:
		t.Outcome, t.Effect, t.Advice = "rejected_by_adapter", "no_route: no way leads to 15,10", "try the tile before the door"
	case 4:
		t.Speak = "Almost there."
	}
	return play.Event{Seq: uint64(n), At: time.Date(2026, 3, 4, 20, 15, n%60, 0, time.UTC), Kind: play.EventTurn, Text: t.Effect, Turn: t}
}

func fakeSaves(n int) []play.SaveEntry {
	var out []play.SaveEntry
	for i := range n {
		turn := 400 - i*7
		e := play.SaveEntry{
			ID: fmt.Sprintf("cp-20260304T2015%02d-%04x", i%60, 0xa0+i), Game: "Bramble Lane", Place: fmt.Sprintf("BRAMBLE TOWN 13,%d", 10+i%9),
			MapID: "bramble-map-3-0", CapturedAt: time.Date(2026, 3, 4, 20, 59-i%60, 12, 0, time.UTC), Sequence: n - i,
			Reason: []string{"autosave", "explicit", "before-rewind", "operator", "stop"}[i%5], Health: play.SaveValid,
			Notes: "The gate keeper wants a parcel from the healing house.", Objective: "Bring the parcel to the far gate",
			StateSHA: emu.DigestOf([]byte{byte(i)}), ROMSHA256: emu.DigestOf([]byte("rom")), CoreSHA256: emu.DigestOf([]byte("core")), Turn: &turn,
		}
		switch i % 7 {
		case 2:
			e.Label = "before the rival"
		case 4:
			e.Health, e.HealthNote = play.SaveDamaged, "savestate.ss1 is 12 bytes short"
		case 5:
			e.Game, e.Health, e.HealthNote = "ROM 1a2b3c4d", play.SaveForeign, "it belongs to another cartridge"
		case 6:
			e.Label = "\x1b[31mred\x1b[0m\x07 日本語"
		}
		out = append(out, e)
	}
	return out
}
