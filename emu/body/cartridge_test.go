package body_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/emu/body"
)

func neighbour(s *emu.Surroundings, d emu.Direction) emu.Tile {
	switch d {
	case emu.North:
		return s.North
	case emu.East:
		return s.East
	case emu.South:
		return s.South
	}
	return s.West
}

// quiet checks that a settled frame is one after which nothing happens by
// itself.
func quiet(t *testing.T, b *body.Body) {
	t.Helper()
	before := observe(t, b).State
	act(t, b, emu.Advance(30))
	after := observe(t, b).State
	before.Overworld.Occupants, after.Overworld.Occupants = nil, nil
	before.Overworld.Minimap, after.Overworld.Minimap = nil, nil
	before.Trainer, after.Trainer = nil, nil // its clock runs
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("it had not settled (-settled +30 frames later):\n%s", diff)
	}
}

func TestCartridgePressesTurnStepAndBump(t *testing.T) {
	b, start := newCartridge(t)
	for _, first := range emu.Directions {
		for _, then := range emu.Directions {
			t.Run(fmt.Sprintf("%s then %s", first, then), func(t *testing.T) {
				restore(t, b, start)
				facing := observe(t, b).State.Overworld.Facing
				r := act(t, b, emu.Press(first.Button(), 3))
				if facing != first && (r.Outcome["turned"] != true || r.Outcome["moved"] != false) {
					t.Fatalf("a tap from %s to %s: %v", facing, first, r.Outcome)
				}
				o := observe(t, b).State.Overworld
				target := neighbour(o.Surroundings, then)
				r = act(t, b, emu.Press(then.Button(), emu.DefaultHold))
				now := observe(t, b).State.Overworld
				want := o.Position
				if target.Passable {
					want.X, want.Y = target.X, target.Y
				}
				if now.Position.MapID == want.MapID && now.Position != want || r.Outcome["moved"] != (now.Position != o.Position) {
					t.Errorf("at %v, want %v: %v", now.Position, want, r.Outcome)
				}
				if now.Facing != then {
					t.Errorf("faces %s", now.Facing)
				}
				quiet(t, b)
			})
		}
	}
}

func TestCartridgePressesAreTiles(t *testing.T) {
	b, start := newCartridge(t)
	walked := 0
	for _, d := range emu.Directions {
		o := observe(t, b).State.Overworld
		n := 0
		for dx, dy := d.Delta(); n < 4; n++ {
			c, ok := o.Grid.At(o.Position.X+(n+1)*dx, o.Position.Y+(n+1)*dy)
			if !ok || c.Collision != 0 || c.Behavior != 0 {
				break
			}
		}
		if n == 0 {
			continue
		}
		restore(t, b, start)
		r := act(t, b, burst(d.Button(), emu.DefaultHold, n))
		dx, dy := d.Delta()
		want := emu.Position{MapID: o.Position.MapID, X: o.Position.X + n*dx, Y: o.Position.Y + n*dy}
		if got := observe(t, b).State.Overworld.Position; got != want {
			t.Errorf("%d presses %s came to %v, want %v", n, d, got, want)
		}
		t.Logf("%d steps %s: %d frames", n, d, r.Frames)
		walked += n
		restore(t, b, start)
	}
	if walked < 3 {
		t.Errorf("only %d tiles around the start are free", walked)
	}
}

func TestCartridgeMenuSettles(t *testing.T) {
	b, _ := newCartridge(t)
	r := act(t, b, emu.Press(emu.ButtonStart, 4))
	if _, open := r.Outcome["menu"]; !open || r.Outcome["mode"] != "menu" {
		t.Fatalf("START opened nothing: %v", r.Outcome)
	}
	quiet(t, b)
	before := observe(t, b).State.Menu.Cursor
	act(t, b, burst(emu.ButtonDown, 8, 2))
	if got := observe(t, b).State.Menu.Cursor; got != before+2 {
		t.Errorf("two presses moved the cursor from %d to %d", before, got)
	}
	act(t, b, emu.Press(emu.ButtonB, 4))
	if s := observe(t, b).State; s.Menu != nil || s.Scene.Mode != emu.ModeOverworld {
		t.Errorf("B left %+v", s.Scene)
	}
	quiet(t, b)
}

// TestCartridgeTextSettles reads a thing in the room: the first sign that a
// free tile lies beside.
func TestCartridgeTextSettles(t *testing.T) {
	b, start := newCartridge(t)
	restore(t, b, start)
	if !faceASign(t, b) {
		t.Fatal("no sign is within reach")
	}
	r := act(t, b, emu.Press(emu.ButtonA, 4))
	if r.Outcome["mode"] != "dialog" || r.Outcome["dialogLines"] == nil {
		t.Fatalf("A opened no text: %v", r.Outcome)
	}
	for range 8 {
		s := observe(t, b).State
		if s.Dialog == nil {
			break
		}
		if s.Dialog.Waiting {
			quiet(t, b)
		}
		act(t, b, emu.Press(emu.ButtonA, 4))
	}
	if s := observe(t, b).State; s.Scene.Mode != emu.ModeOverworld || !s.Overworld.InputReady {
		t.Errorf("the text left %+v", s.Scene)
	}
	quiet(t, b)
}

// TestCartridgeWarp takes the room's way out. The press that takes it may end
// while the next map is still being loaded; it must then not claim a place,
// and the same player must be free on another map soon after.
func TestCartridgeWarp(t *testing.T) {
	b, start := newCartridge(t)
	restore(t, b, start)
	before := observe(t, b).State.Overworld
	way := before.Exits.Warps[0]
	act(t, b, burst(emu.ButtonRight, emu.DefaultHold, way.X-before.Position.X))
	act(t, b, burst(emu.ButtonUp, emu.DefaultHold, before.Position.Y-way.Y))
	onTile := capture(t, b)
	for _, d := range emu.Directions { // some ways out need a press on the spot
		s := observe(t, b).State
		if s.Overworld == nil || s.Overworld.Position.MapID != before.Position.MapID || !s.Scene.InputReady {
			break
		}
		restore(t, b, onTile)
		if r := act(t, b, emu.Press(d.Button(), emu.DefaultHold)); r.Outcome["position"] == nil && r.Outcome["moved"] != nil {
			t.Errorf("the outcome knows more than was read: %v", r.Outcome)
		}
	}
	waited := 0
	for ; waited < 240 && !observe(t, b).State.Scene.InputReady; waited += 4 {
		act(t, b, emu.Advance(4))
	}
	s := observe(t, b).State
	if s.Overworld == nil || s.Overworld.Position.MapID != way.DestinationID || !s.Scene.InputReady {
		t.Fatalf("after %d more frames: %+v, %+v", waited, s.Scene, s.Overworld)
	}
	t.Logf("free on %s after %d more frames", way.DestinationID, waited)
	quiet(t, b)
}

// TestCartridgeBattle talks to the rival and presses A until it is over: A
// chooses to fight, and the first move.
func TestCartridgeBattle(t *testing.T) {
	b := bootCartridge(t, "bramble-before-rival")
	act(t, b, burst(emu.ButtonRight, emu.DefaultHold, 2))
	act(t, b, emu.Press(emu.ButtonUp, emu.DefaultHold))

	var ids []string
	var modes []emu.Mode
	turn := 0
	for range 120 {
		o := observe(t, b)
		if mode := o.State.Scene.Mode; len(modes) == 0 || modes[len(modes)-1] != mode {
			modes = append(modes, mode)
		}
		if battle := o.State.Battle; battle != nil {
			if _, refusal := emu.Observe(emu.ObserveBattle, o.Input(b.Info())); refusal != nil {
				t.Errorf("a battle that cannot be observed: %v", refusal)
			}
			if !slices.Contains(ids, battle.ID) {
				ids = append(ids, battle.ID)
			}
			if battle.Turn < turn {
				t.Errorf("turn %d after turn %d", battle.Turn, turn)
			}
			turn = battle.Turn
		} else if len(ids) > 0 && o.State.Scene.InputReady {
			break
		}
		act(t, b, emu.Press(emu.ButtonA, 4))
	}
	if len(ids) != 1 || turn < 2 {
		t.Errorf("battles %v, the last of %d turns", ids, turn)
	}
	won := slices.Index(modes, emu.ModeBattleWon)
	if won < 1 || modes[won-1] != emu.ModeBattle || modes[len(modes)-1] != emu.ModeOverworld {
		t.Errorf("modes %v", modes)
	}
}

// faceASign walks around the start, at most three tiles each way, until the
// player faces a sign.
func faceASign(t *testing.T, b *body.Body) bool {
	t.Helper()
	start := capture(t, b)
	for _, along := range emu.Directions {
		restore(t, b, start)
		for range 3 {
			o := observe(t, b).State.Overworld
			for _, d := range emu.Directions {
				at := neighbour(o.Surroundings, d)
				if slices.Contains(o.Signs, emu.Sign{X: at.X, Y: at.Y}) {
					act(t, b, emu.Press(d.Button(), 3))
					return true
				}
			}
			act(t, b, emu.Press(along.Button(), emu.DefaultHold))
		}
	}
	return false
}

func TestCartridgeSameInputsSameRun(t *testing.T) {
	one, _ := newCartridge(t)
	two, _ := newCartridge(t)
	two.OnFrame(func(_ uint64, sample func() emu.Observed) { sample() })
	if !slices.Equal(pressAround(t, one, 7, 40), pressAround(t, two, 7, 40)) {
		t.Error("equal presses went two ways")
	}
}

// BenchmarkCartridgeObserve decodes one frame and makes all ten kinds,
// digests left out.
func BenchmarkCartridgeObserve(b *testing.B) {
	bd, _ := newCartridge(b)
	none := func() emu.Digest { return "" }
	for b.Loop() {
		b.StopTimer()
		bd.Idle(b.Context(), 1)
		b.StartTimer()
		in := observe(b, bd).Input(bd.Info())
		in.RAM, in.Picture = none, none
		for _, kind := range emu.ObservationKinds {
			emu.Observe(kind, in)
		}
	}
}

// BenchmarkCartridgeStep is one step, there and back in turn.
func BenchmarkCartridgeStep(b *testing.B) {
	bd, _ := newCartridge(b)
	for b.Loop() {
		act(b, bd, emu.Press(emu.ButtonLeft, emu.DefaultHold))
		act(b, bd, emu.Press(emu.ButtonRight, emu.DefaultHold))
	}
}
