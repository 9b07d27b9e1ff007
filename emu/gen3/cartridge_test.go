package gen3

import (
	"math/rand/v2"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/mgba/mgbatest"
	"clankie/emu/route"
	"clankie/fixtures"
)

// cartridge is the project's own game, running on the real core from its first
// pinned state: a player who stands free in a room.
type cartridge struct {
	t    *testing.T
	core *mgba.Core
	p    *Profile
}

func newCartridge(t *testing.T) *cartridge {
	t.Helper()
	f, err := fixtures.Load(fixtures.DefaultID)
	if err != nil {
		t.Fatal(err)
	}
	maker := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM})
	start, err := f.Schedule.Run(t.Context(), maker)
	if err != nil {
		t.Fatal(err)
	}
	core := mgbatest.Boot(t, mgba.BootOptions{ROM: f.ROM, State: start})
	c := &cartridge{t, core, ProfileOf(core.Identity())}
	if c.p.Name != "bramble" {
		t.Fatalf("profile is %s", c.p.Name)
	}
	c.run(8, 0)
	return c
}

func (c *cartridge) run(frames int, held emu.Keys) {
	c.t.Helper()
	if _, err := c.core.Run(c.t.Context(), frames, held); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cartridge) press(b emu.Button, hold, settle int) emu.State {
	c.t.Helper()
	c.run(hold, b.Keys())
	c.run(settle, 0)
	return c.state()
}

func (c *cartridge) state() emu.State {
	c.t.Helper()
	st := Decode(c.core.Memory(), c.p)
	checkState(c.t, &st, c.p)
	return st
}

// settle runs until the field takes input again, at most so many frames.
func (c *cartridge) settle(limit int) emu.State {
	c.t.Helper()
	for range limit {
		st := Decode(c.core.Memory(), c.p)
		if st.Scene.InputReady && st.Scene.Mode == emu.ModeOverworld {
			break
		}
		c.run(1, 0)
	}
	return c.state()
}

func TestCartridge(t *testing.T) {
	c := newCartridge(t)
	st := c.state()
	equal(t, "scene", summary(&st), sceneOf{Mode: emu.ModeOverworld, Screen: "overworld", Ready: true})
	o := st.Overworld
	if o.MapName == "" || o.Grid == nil || o.Exits == nil || len(o.Exits.Warps) == 0 || len(o.Signs) == 0 {
		t.Errorf("the field is not whole: %+v, %v", o, st.Undecoded)
	}
	m := st.Party.Members[0]
	if m.SpeciesName == "" || len(m.Types) == 0 || m.Ability == "" || m.ToNextLevel == 0 || m.Moves[0].Name == "" || m.Moves[0].MaxPP == 0 {
		t.Errorf("the party's names are not whole: %+v", m)
	}
	if st.Inventory.Items[0].Name == "" || st.Trainer.Money == 0 || st.Goals == nil {
		t.Errorf("bag, purse or goals are not whole: %+v, %+v", st.Inventory, st.Trainer)
	}

	st = c.press(emu.ButtonStart, 4, 20)
	equal(t, "start menu", summary(&st), sceneOf{Mode: emu.ModeMenu, Screen: "start_menu", Ready: true, Menu: "start-menu"})
	for st.Menu != nil && st.Menu.Entries[st.Menu.Cursor].ID != "pokemon" {
		before := st.Menu.Cursor
		if st = c.press(emu.ButtonDown, 4, 8); st.Menu == nil || st.Menu.Cursor == before {
			t.Fatal("the start menu's cursor does not move")
		}
	}
	st = c.press(emu.ButtonA, 4, 90)
	equal(t, "party", summary(&st), sceneOf{Mode: emu.ModeMenu, Screen: "party", Ready: true, Menu: "party-menu"})
	st = c.press(emu.ButtonUp, 4, 8)
	equal(t, "cursor on cancel", st.Menu.Entries[st.Menu.Cursor].ID, "cancel")
	st = c.press(emu.ButtonB, 4, 90)
	equal(t, "back in the start menu", st.Menu.ID, "start-menu")
	c.press(emu.ButtonB, 4, 0)
	st = c.settle(120)
	equal(t, "back in the field", summary(&st), sceneOf{Mode: emu.ModeOverworld, Screen: "overworld", Ready: true})
}

// leg is one press of a planned way.
type leg struct {
	from emu.Point
	d    emu.Direction
}

// waysTo lists, by the kind of their last step, the presses that lead to each
// step that is no plain one.
func waysTo(o *emu.Overworld) (ways map[route.Kind][][]leg) {
	ways = map[route.Kind][][]leg{}
	start := emu.Point{X: o.Position.X, Y: o.Position.Y}
	came := map[emu.Point][]leg{start: nil}
	for queue := []emu.Point{start}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, d := range emu.Directions {
			to, kind := route.Step(o, at, d)
			way := append(append([]leg{}, came[at]...), leg{at, d})
			if kind != route.Blocked && kind != route.Walk {
				ways[kind] = append(ways[kind], way)
			}
			if _, seen := came[to]; kind.Moves() && !seen {
				came[to] = way
				queue = append(queue, to)
			}
		}
	}
	return ways
}

// walker walks the cartridge and compares what each press did with what Step
// said it would do.
type walker struct {
	*cartridge
	kinds map[route.Kind]int
	maps  map[string]bool
}

// step holds d until something moves and checks what did; ok is false when
// something other than walking began.
func (w *walker) step(st emu.State, d emu.Direction) (after emu.State, ok bool) {
	w.t.Helper()
	o := st.Overworld
	from := emu.Point{X: o.Position.X, Y: o.Position.Y}
	to, kind := route.Step(o, from, d)
	for range 30 {
		w.run(1, d.Button().Keys())
		if st := Decode(w.core.Memory(), w.p); st.Overworld == nil || st.Overworld.Position != o.Position {
			break
		}
	}
	after = w.settle(600)
	if after.Overworld == nil || after.Scene.Mode != emu.ModeOverworld || !after.Scene.InputReady {
		return after, false
	}
	w.kinds[kind]++
	w.maps[o.Position.MapID] = true
	at := emu.Point{X: after.Overworld.Position.X, Y: after.Overworld.Position.Y}
	switch sameMap := after.Overworld.Position.MapID == o.Position.MapID; {
	case kind.Leaves() == sameMap:
		w.t.Errorf("%v from %v %s on %s: another map is %v", kind, from, d, o.Position.MapID, !sameMap)
	case sameMap && at != to && !after.Overworld.Occupied(to):
		w.t.Errorf("%v from %v %s on %s ends on %v, not %v", kind, from, d, o.Position.MapID, at, to)
	}
	return after, true
}

// follow takes one way, as far as nothing else begins.
func (w *walker) follow(way []leg) (ok bool) {
	for _, l := range way {
		st := w.settle(600)
		o := st.Overworld
		if o == nil || st.Scene.Mode != emu.ModeOverworld || (emu.Point{X: o.Position.X, Y: o.Position.Y}) != l.from {
			return false
		}
		if _, ok = w.step(st, l.d); !ok {
			return false
		}
	}
	return true
}

func TestStepsOnCartridge(t *testing.T) {
	w := &walker{newCartridge(t), map[route.Kind]int{}, map[string]bool{}}
	start, err := w.core.Save(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 5))
	for range 120 {
		st := w.settle(600)
		var way []leg
		if st.Overworld != nil && st.Scene.Mode == emu.ModeOverworld {
			ways := waysTo(st.Overworld)
			if of := ways[[]route.Kind{route.Warp, route.ExitMat, route.Edge, route.Ledge, route.Slide}[r.IntN(5)]]; len(of) > 0 {
				way = of[r.IntN(len(of))]
			} else {
				continue
			}
		}
		// A battle or a story is another test's business.
		if len(way) == 0 || !w.follow(way) {
			if err := w.core.Load(t.Context(), start); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			if st = w.settle(600); st.Overworld != nil && st.Scene.Mode == emu.ModeOverworld {
				w.step(st, emu.Directions[r.IntN(4)])
			}
		}
	}
	t.Logf("steps %v on %d maps", w.kinds, len(w.maps))
	if w.kinds[route.Walk] == 0 || w.kinds[route.Blocked] == 0 || w.kinds[route.ExitMat] == 0 || w.kinds[route.Warp] == 0 {
		t.Errorf("the walk met too little: %v", w.kinds)
	}
}
