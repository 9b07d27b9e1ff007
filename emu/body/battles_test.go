package body_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
)

func TestBattles(t *testing.T) {
	b, core := newFake(t)
	core.mem.EWRAM[atBattle], core.mem.EWRAM[atFoeHP] = 1, 10
	act(t, b, emu.Advance(2))
	first := observe(t, b).State
	wantID := "toy-" + core.Identity().ROMSHA256.Short() + "-1"
	if first.Battle == nil || first.Battle.ID != wantID || first.Battle.Turn != 1 || first.Scene.Mode != emu.ModeBattle {
		t.Fatalf("the battle began as %+v", first.Battle)
	}
	act(t, b, emu.Press(emu.ButtonA, 4))
	if s := observe(t, b).State; s.Battle.Turn != 2 {
		t.Errorf("turn %d after the first hit", s.Battle.Turn)
	}
	r := act(t, b, emu.Press(emu.ButtonA, 4))
	kept := observe(t, b).State
	if core.mem.EWRAM[atBattle] != 0 {
		t.Fatal("the battle is still on")
	}
	if r.Outcome["mode"] != "battle_won" || kept.Scene.Mode != emu.ModeBattleWon || kept.Battle == nil || kept.Battle.ID != wantID {
		t.Errorf("after the battle: %v, %+v", r.Outcome, kept.Scene)
	}
	act(t, b, emu.Advance(10))
	if m := observe(t, b).State.Scene.Mode; m != emu.ModeBattleWon {
		t.Errorf("frames alone made it %s", m)
	}
	act(t, b, emu.Press(emu.ButtonB, 4))
	if s := observe(t, b).State; s.Scene.Mode != emu.ModeOverworld || s.Battle != nil {
		t.Errorf("a press left it at %s", s.Scene.Mode)
	}
	core.mem.EWRAM[atBattle], core.mem.EWRAM[atFoeHP] = 1, 10
	act(t, b, emu.Advance(2))
	if id := observe(t, b).State.Battle.ID; id == wantID {
		t.Error("two battles have one number")
	}
}

func TestATornFrameEndsNoBattle(t *testing.T) {
	b, core := newFake(t)
	core.mem.EWRAM[atBattle], core.mem.EWRAM[atFoeHP] = 1, 10
	act(t, b, emu.Advance(2))
	before := observe(t, b).State.Battle
	core.mem.EWRAM[atTorn] = 1
	act(t, b, emu.Advance(2))
	if s := observe(t, b).State; s.Battle != nil || !s.Torn {
		t.Fatalf("a torn frame shows %+v", s)
	}
	core.mem.EWRAM[atTorn] = 0
	act(t, b, emu.Advance(2))
	if diff := cmp.Diff(before, observe(t, b).State.Battle); diff != "" {
		t.Errorf("the battle after a torn frame (-before +after):\n%s", diff)
	}
}

func TestPressesWaitForTornMemory(t *testing.T) {
	b, core := newFake(t)
	core.script = func(c *fakeCore) { c.mem.EWRAM[atTorn] = 1 - min(1, byte(c.frame/20)) }
	r := act(t, b, emu.Press(emu.ButtonSelect, 2))
	if r.Outcome["position"] == nil {
		t.Errorf("settled in the middle of a torn read: %+v", r)
	}
}

func TestALoadForgetsTheBattle(t *testing.T) {
	b, core := newFake(t)
	saved, err := b.CaptureState(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	core.mem.EWRAM[atBattle], core.mem.EWRAM[atFoeHP] = 1, 5
	act(t, b, emu.Press(emu.ButtonA, 4))
	if m := observe(t, b).State.Scene.Mode; m != emu.ModeBattleWon {
		t.Fatalf("mode %s", m)
	}
	if err := b.RestoreState(t.Context(), saved, nil); err != nil {
		t.Fatal(err)
	}
	if s := observe(t, b).State; s.Scene.Mode != emu.ModeOverworld || s.Battle != nil {
		t.Errorf("the load kept the other timeline's battle: %+v", s.Scene)
	}
}
