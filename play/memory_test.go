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

// TestTheGuardEndsWhateverRepeats has minds that do the same few things for
// ever, on a screen that never looks the same twice, and one that does not.
func TestTheGuardEndsWhateverRepeats(t *testing.T) {
	play := func(period int) int {
		var g guard
		state := func(n int) emu.Digest { return emu.DigestOf(fmt.Append(nil, n)) }
		for turn := range 3 * guardRounds {
			if g.exhausted() != "" {
				return turn
			}
			g.after(state(turn), state(turn+1), emu.Advance(1+turn%period), "the screen changed", false)
		}
		return -1
	}
	for period := 1; period <= guardPeriod; period++ {
		if turns := play(period); turns != guardRounds+period {
			t.Errorf("%d actions in turn end after %d turns", period, turns)
		}
	}
	if turns := play(guardPeriod + 1); turns != -1 {
		t.Errorf("more actions than that in turn end after %d turns", turns)
	}
}

// TestTheGuardKnowsLongWays goes to and fro over ever more places than are
// remembered.
func TestTheGuardKnowsLongWays(t *testing.T) {
	for places, ends := range map[int]bool{2: true, 65: true, guardStates: true, guardStates + 1: false} {
		var g guard
		turn := 0
		for ; turn < 4*guardStates && g.exhausted() == ""; turn++ {
			from, to := turn%places, (turn+1)%places
			g.after(emu.DigestOf(fmt.Append(nil, from)), emu.DigestOf(fmt.Append(nil, to)), emu.WalkTo(to, turn%101), fmt.Sprint("at ", to), false)
		}
		if ended := g.exhausted() != ""; ended != ends {
			t.Errorf("%d places in a round: ended %t after %d turns", places, ended, turn)
		}
	}
}
