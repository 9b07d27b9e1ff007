package play

import (
	"fmt"
	"testing"

	"clankie/emu"
)

// TestMemoryIsBounded teaches the loop ten thousand of everything.
func TestMemoryIsBounded(t *testing.T) {
	m, p, g := newMemory(), newProgress(), guard{}
	var h hardFailures
	refusal := &emu.Error{Code: emu.CodeSemanticUnavailable}
	for i := range 10_000 {
		at := emu.Position{MapID: fmt.Sprint("m", i), X: i}
		m.refuse(at, emu.North)
		m.learn(Transition{From: at, To: "n"})
		m.remember(HistoryEntry{})
		before, after := standing(nil), standing(func(s *emu.State) { s.Dialog = &emu.Dialog{} })
		w := before.State.Overworld
		w.Facing, w.Occupants = emu.North, []emu.Occupant{{LocalID: i, X: w.Position.X, Y: w.Position.Y - 1}}
		m.answered(before, after)
		state := emu.DigestOf([]byte(at.MapID))
		h.note(emu.WalkTo(i%1024, 0), refusal, "", state)
		p.ended(emu.Observed{State: emu.State{Overworld: &emu.Overworld{Position: emu.Position{MapID: at.MapID}}}})
		p.state(state)
		g.after(state, state, emu.Advance(1), "", false)
	}
	for name, c := range map[string][2]int{
		"tiles": {len(m.refused), refusedTiles}, "their order": {len(m.order), refusedTiles},
		"ways": {len(m.transitions), memoryLimit}, "answers": {len(m.verified), memoryLimit},
		"history": {len(m.history), HistoryLimit}, "hard failures": {len(h), memoryLimit},
		"maps": {len(p.maps), maxMapsKept}, "states": {len(p.states), stateWindow}, "the guard's": {len(g.states), guardStates},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d are kept, the bound is %d", name, c[0], c[1])
		}
	}
}

// TestTheGuardEndsWhateverLeadsNowhere does something else each time, and
// nothing comes of it.
func TestTheGuardEndsWhateverLeadsNowhere(t *testing.T) {
	var g guard
	here := emu.DigestOf([]byte("here"))
	turns := 0
	for ; g.exhausted() == "" && turns < 1000; turns++ {
		g.after(here, here, emu.Advance(1+turns), "nothing", false)
	}
	if turns != guardStill+1 || len(g.tried) > turns {
		t.Errorf("%d turns, %d kept", turns, len(g.tried))
	}
}
