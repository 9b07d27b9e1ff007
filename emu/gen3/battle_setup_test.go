package gen3

import (
	"strings"
	"testing"
)

// Until the battlers are read from the parties, memory holds those of the battle
// before: of the wild ones at least the player's own is the same.
func TestBattlersOfTheBattleBefore(t *testing.T) {
	tried := 0
	for _, p := range Profiles {
		for addr, e := range p.code {
			if e.role != roleBattleSetup {
				continue
			}
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			own := creature{personality: 8, species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A"}
			m.party(p, own)
			m.copy(p.RAM.EnemyParty, creature{personality: 99, species: 16, level: 3, hp: 9, maxHP: 9, nickname: "NEW"}.record(t))
			m.battle(p, 4,
				battler{species: 25, level: 12, hp: 27, maxHP: 35, nickname: "A", personality: 8},
				battler{species: 19, level: 2, hp: 0, maxHP: 8, nickname: "OLD", personality: 77})
			m.set32(p.RAM.BattleMainFunc, addr|1)
			st := m.decode(p)
			if st.Battle != nil || !st.Torn || st.Scene.Screen != "battle" || st.Scene.InputReady {
				t.Errorf("%s, %08X: battle %+v, torn %v, scene %+v", p.Name, addr, st.Battle, st.Torn, st.Scene)
			}
			m.set32(p.RAM.BattleMainFunc, 0x08000001)
			if st = m.decode(p); st.Battle == nil {
				t.Errorf("%s: a battle that runs is not read: %v", p.Name, st.Undecoded)
			}
			tried++
		}
	}
	if tried < 5*len(Profiles) {
		t.Errorf("only %d functions were tried", tried)
	}
}

// Whether to give up is asked by the controller itself.
func TestControllerAsksYesOrNo(t *testing.T) {
	p := ProfileFor("BPEE", 0)
	m := newMachineOf(t, p, romOf)
	m.field(p, 20, 12, 13, 13)
	m.battle(p, battleTrainer, own(), foe())
	m.text(p.RAM.DisplayedString, "Give up?")
	m.asks(p, 0, "PlayerHandleYesNoInput")
	m.set8(p.RAM.TargetCursor, 1)
	st := m.decode(p)
	equal(t, "menu", menuText(st.Menu), "yes-no: yes [no]")
	equal(t, "question", st.Menu.Prompt, []string{"Give up?"})
	equal(t, "ready", st.Scene.InputReady, true)
	m.set32(p.RAM.ExecFlags, 0)
	equal(t, "answered", menuText(m.decode(p).Menu), "")
}

// A move changes places with another in every game.
func TestMovesChangePlaces(t *testing.T) {
	tried := 0
	for _, p := range Profiles {
		for addr, e := range p.code {
			if e.role != roleSwapMove {
				continue
			}
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			second := own()
			second.moves, second.pp = [4]int{98, 0, 45}, [4]int{30, 0, 40}
			m.battle(p, battleTrainer|battleDouble, own(), foe(), second, foe())
			m.set32(p.RAM.ExecFlags, 1<<2)
			m.set32(p.RAM.ControllerFuncs+4*2, addr|1)
			m.set8(p.RAM.TargetCursor, 2)
			st := m.decode(p)
			equal(t, p.Name, strings.ReplaceAll(menuText(st.Menu), p.Prefix, "X"), "battle-move-swap: X-move-98 empty-1 [X-move-45] empty-3")
			equal(t, p.Name+" side by side", st.Menu.Columns, 2)
			tried++
		}
	}
	equal(t, "games", tried, len(Profiles))
}
