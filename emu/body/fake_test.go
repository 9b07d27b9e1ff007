package body_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"clankie/emu"
)

// fakeCore is a machine with a toy game in it whose whole state lies in
// EWRAM. It moves as the real games do: a press in a new direction turns, and
// steps only when it is held for longer than the turn; a step takes 16 frames,
// and the tile changes when it begins.
type fakeCore struct {
	frame  uint64
	mem    emu.Memory
	pix    []byte
	stale  bool
	closed bool

	failAt  uint64          // frame that fails with failErr
	failErr error           // nil: none fails
	onFrame func()          // called for each frame that ran
	held    []emu.Keys      // keys of every frame that ran
	script  func(*fakeCore) // a change of the game's state before each frame
}

// Where the toy game keeps its state in EWRAM.
const (
	atX = iota
	atY
	atFacing  // index into emu.Directions
	atTurning // frames left
	atWalking // frames left
	atText    // 0 none, else the box's page
	atPrinted // characters printed, a frame each
	atMenu    // 1 a list, 2 the targets of a battle, 3 the help screen
	atCursor
	atBattle // 1 on
	atOutcome
	atFoeHP
	atEnding // frames a decided battle is still on
	atFade
	atUnknown // 1: nothing decodes
	atTorn    // 1: caught between two writes
	atKeysLow
	atKeysHigh
	atClock   // a person who wanders about
	atFast    // 1: on wheels, a tile takes 4 frames
	atPersonX // a person who stands where a test puts him, 0 nowhere
	atPersonY
	atStoneX // likewise, but nobody sees it
	atStoneY
)

const textLength = 20

func newFakeCore() *fakeCore {
	c := &fakeCore{pix: make([]byte, emu.PictureBytes)}
	c.mem = emu.Memory{EWRAM: make([]byte, emu.EWRAMBytes), IWRAM: make([]byte, emu.IWRAMBytes), Palette: make([]byte, 1024)}
	c.mem.EWRAM[atX], c.mem.EWRAM[atY] = 12, 12
	c.draw()
	return c
}

func (c *fakeCore) Identity() emu.CoreIdentity {
	return emu.CoreIdentity{CoreID: "fake", ROMSHA256: emu.DigestOf([]byte("fake"))}
}
func (c *fakeCore) Frame() uint64      { return c.frame }
func (c *fakeCore) Memory() emu.Memory { return c.mem }
func (c *fakeCore) Picture() emu.Picture {
	return emu.Picture{Pix: c.pix, Frame: c.frame, Stale: c.stale}
}
func (c *fakeCore) Close() error { c.closed = true; return nil }

func (c *fakeCore) Run(ctx context.Context, n int, held emu.Keys) (int, error) {
	for i := range n {
		if err := ctx.Err(); err != nil {
			return i, err
		}
		if c.failErr != nil && c.frame+1 >= c.failAt {
			return i, c.failErr
		}
		c.frame++
		if c.script != nil {
			c.script(c)
		}
		c.tick(held)
		c.held = append(c.held, held)
		c.draw()
		if c.onFrame != nil {
			c.onFrame()
		}
	}
	return n, nil
}

func (c *fakeCore) Save(context.Context) ([]byte, error) {
	return append([]byte("fake state "), c.mem.EWRAM[:64]...), nil
}

func (c *fakeCore) Load(_ context.Context, state []byte) error {
	game, ok := bytes.CutPrefix(state, []byte("fake state "))
	if !ok || len(game) != 64 {
		return &emu.Error{Code: emu.CodeCoreBadState, Message: "no state of the toy game"}
	}
	copy(c.mem.EWRAM, game)
	c.stale = true
	return nil
}

// draw shows the game's state in the picture's first line.
func (c *fakeCore) draw() {
	copy(c.pix, c.mem.EWRAM[:64])
	c.stale = false
}

func (c *fakeCore) tick(held emu.Keys) {
	g := c.mem.EWRAM
	last := emu.Keys(g[atKeysLow]) | emu.Keys(g[atKeysHigh])<<8
	fresh := held &^ last
	g[atKeysLow], g[atKeysHigh] = byte(held), byte(held>>8)
	g[atClock]++
	switch {
	case g[atFade] > 0:
		g[atFade]--
		c.mem.Palette[0] = g[atFade]
	case g[atBattle] == 1:
		c.tickBattle(fresh)
	case g[atMenu] > 0:
		c.tickMenu(fresh)
	case g[atText] > 0:
		c.tickText(fresh)
	default:
		c.tickField(held, fresh)
	}
}

func (c *fakeCore) tickBattle(fresh emu.Keys) {
	g := c.mem.EWRAM
	if g[atOutcome] != 0 {
		if g[atEnding]--; g[atEnding] == 0 {
			g[atBattle], g[atOutcome] = 0, 0
		}
		return
	}
	if fresh&emu.KeyA != 0 {
		g[atFoeHP] -= min(g[atFoeHP], 5)
	}
	if g[atFoeHP] == 0 {
		g[atOutcome], g[atEnding] = 1, 8
	}
}

func (c *fakeCore) tickMenu(fresh emu.Keys) {
	g := c.mem.EWRAM
	switch {
	case g[atMenu] == 2 && fresh&emu.KeyRight != 0:
		g[atCursor] ^= 2
	case g[atMenu] == 2 && fresh&emu.KeyA != 0, g[atMenu] == 3 && fresh&emu.KeyR != 0:
		g[atMenu] = 0
	case g[atMenu] > 1:
	case fresh&emu.KeyDown != 0:
		g[atCursor] = (g[atCursor] + 1) % 3
	case fresh&emu.KeyUp != 0:
		g[atCursor] = (g[atCursor] + 2) % 3
	case fresh&(emu.KeyB|emu.KeyStart) != 0:
		g[atMenu] = 0
	}
}

func (c *fakeCore) tickText(fresh emu.Keys) {
	g := c.mem.EWRAM
	switch {
	case g[atPrinted] < textLength:
		g[atPrinted]++
	case fresh&emu.KeyA != 0:
		g[atText], g[atPrinted] = 0, 0
	}
}

func (c *fakeCore) tickField(held, fresh emu.Keys) {
	g := c.mem.EWRAM
	switch {
	case g[atWalking] > 0:
		g[atWalking]--
	case g[atTurning] > 0:
		g[atTurning]--
	}
	if g[atWalking] > 0 || g[atTurning] > 0 {
		return
	}
	if fresh&emu.KeyStart != 0 {
		g[atMenu] = 1
		return
	}
	if fresh&emu.KeyA != 0 && c.facing() == emu.North && g[atY] == 7 {
		g[atText] = 1
		return
	}
	for i, d := range emu.Directions {
		if held&d.Button().Keys() == 0 {
			continue
		}
		if int(g[atFacing]) != i {
			g[atFacing], g[atTurning] = byte(i), 8
			return
		}
		dx, dy := d.Delta()
		if x, y := byte(int(g[atX])+dx), byte(int(g[atY])+dy); c.free(x, y) {
			g[atX], g[atY], g[atWalking] = x, y, 16-12*g[atFast]
		}
		return
	}
}

func (c *fakeCore) free(x, y byte) bool {
	g := c.mem.EWRAM
	return x >= 7 && x <= 30 && y >= 7 && y <= 30 &&
		(x != g[atPersonX] || y != g[atPersonY]) && (x != g[atStoneX] || y != g[atStoneY])
}

func (c *fakeCore) facing() emu.Direction { return emu.Directions[c.mem.EWRAM[atFacing]] }

// fakeGrid is the toy game's map: open ground.
var fakeGrid = &emu.Grid{Width: 24, Height: 24, Blocks: make([]emu.Block, 24*24)}

// decodeFake reads the toy game.
func decodeFake(m emu.Memory) emu.State {
	g := m.EWRAM
	if g[atUnknown] == 1 {
		return emu.State{Scene: emu.Scene{Mode: emu.ModeUnknown, Screen: "title"}}
	}
	if g[atTorn] == 1 {
		return emu.State{Scene: emu.Scene{Mode: emu.ModeCutscene, Screen: "transition"}, Torn: true}
	}
	s := emu.State{Overworld: &emu.Overworld{
		Position:     emu.Position{MapID: "toy", X: int(g[atX]), Y: int(g[atY])},
		Facing:       emu.Directions[g[atFacing]],
		InputReady:   true,
		Surroundings: &emu.Surroundings{},
		Occupants:    []emu.Occupant{{LocalID: 1, X: int(g[atClock]), Y: 9}, {LocalID: 2, X: int(g[atPersonX]), Y: int(g[atPersonY])}},
		Grid:         fakeGrid,
		Exits:        &emu.Exits{},
	}}
	s.Scene = emu.Scene{Mode: emu.ModeOverworld, Screen: "overworld", InputReady: true}
	switch {
	case g[atFade] > 0:
		s.Scene = emu.Scene{Mode: emu.ModeOverworld, Screen: "transition"}
	case g[atBattle] == 1:
		s.Scene = emu.Scene{Mode: emu.ModeBattle, Screen: "battle", InputReady: true}
		s.Battle = fakeBattle(g)
	case g[atMenu] > 0:
		s.Scene = emu.Scene{Mode: emu.ModeMenu, Screen: "start_menu", InputReady: true}
		s.Menu = fakeMenu(g)
	case g[atText] > 0:
		waiting := g[atPrinted] == textLength
		s.Scene = emu.Scene{Mode: emu.ModeDialog, Screen: "dialog", WaitingForDialogAdvance: waiting}
		s.Dialog = &emu.Dialog{Lines: []string{"Hello!"}, Waiting: waiting, Progress: uint32(g[atPrinted])}
		s.Overworld.InputReady = false
	}
	return s
}

func fakeMenu(g []byte) *emu.Menu {
	switch g[atMenu] {
	case 2:
		return &emu.Menu{ID: "battle-target", Cursor: int(g[atCursor]), Entries: []emu.MenuEntry{
			{ID: "battler-0", Label: "A"}, {ID: "battler-1", Label: "B"}, {ID: "battler-2", Label: "C"}, {ID: "battler-3", Label: "D"},
		}}
	case 3:
		return &emu.Menu{ID: "help-system", Entries: []emu.MenuEntry{{ID: "close-help", Label: "Close help"}}}
	}
	return &emu.Menu{ID: "start-menu", Cursor: int(g[atCursor]), Entries: []emu.MenuEntry{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}, {ID: "c", Label: "C"}}}
}

func fakeBattle(g []byte) *emu.Battle {
	return &emu.Battle{
		Outcome: int(g[atOutcome]), Prompt: emu.PromptAction,
		LegalMoves: []emu.LegalMove{{MoveID: "toy-move-1", Power: 40}},
		Battlers: []emu.Battler{
			{Index: 0, Side: "player", SpeciesID: "toy-species-1", Level: 5, HP: 20, MaxHP: 20},
			{Index: 1, Side: "opponent", SpeciesID: "toy-species-2", Level: 5, HP: int(g[atFoeHP]), MaxHP: 20},
		},
	}
}

// fakeClock stands still until somebody sleeps or the test moves it.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	slept  []time.Duration
	alarms []alarm
}

type alarm struct {
	at  time.Time
	end context.CancelCauseFunc
}

func newFakeClock() *fakeClock { return &fakeClock{now: time.Unix(0, 0)} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.slept = append(c.slept, d)
	c.mu.Unlock()
	c.advance(d)
	return ctx.Err()
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.alarms = slices.DeleteFunc(c.alarms, func(a alarm) bool {
		due := !a.at.After(c.now)
		if due {
			a.end(context.DeadlineExceeded)
		}
		return due
	})
}

func (c *fakeClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alarms = append(c.alarms, alarm{c.now.Add(d), end})
	return ctx, func() { end(errors.New("done")) }
}
