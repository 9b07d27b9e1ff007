package gen3

import (
	"testing"

	"clankie/emu"
)

func battleMachine(t *testing.T, flags uint32, battlers ...battler) (*machine, *Profile) {
	p := ProfileFor("BPRE", 0)
	m := newMachine(t)
	m.field(p, 20, 12, 13, 13)
	m.party(p,
		creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, moves: [4]int{33, 45}, pp: [4]int{35, 40}, nickname: "PIKA"},
		creature{personality: 9, otID: 77, species: 16, level: 9, hp: 20, maxHP: 22, moves: [4]int{16}, pp: [4]int{35}, nickname: "BIRD"},
	)
	m.battle(p, flags, battlers...)
	return m, p
}

func own() battler {
	return battler{species: 25, level: 12, hp: 27, maxHP: 35, moves: [4]int{33, 52, 0, 0}, pp: [4]int{0, 10}, types: [2]int{13, 13}, nickname: "PIKA", personality: 8}
}

func foe() battler {
	return battler{species: 4, level: 7, hp: 18, maxHP: 21, moves: [4]int{33}, pp: [4]int{30}, types: [2]int{10, 12}, nickname: "FOE"}
}

// A menu's entries are the four slots, so that its cursor means the slot.
func TestMoveMenuKeepsSlots(t *testing.T) {
	m, p := battleMachine(t, 4, own(), foe())
	m.asks(p, 0, "HandleInputChooseMove")
	m.set8(p.RAM.MoveCursor, 1)
	st := m.decode(p)
	equal(t, "cursor", st.Menu.Cursor, 1)
	var ids []string
	for _, e := range st.Menu.Entries {
		ids = append(ids, e.ID)
	}
	equal(t, "entries", ids, []string{"firered-move-33", "firered-move-52", "empty-2", "empty-3"})
	equal(t, "legal", len(st.Battle.LegalMoves), 1)
	equal(t, "legal slot", st.Battle.LegalMoves[0].Slot, 1)
}

func TestNoPPLeft(t *testing.T) {
	b := own()
	b.pp = [4]int{}
	m, p := battleMachine(t, 4, b, foe())
	st := m.decode(p)
	equal(t, "legal", st.Battle.LegalMoves[0].MoveID, "firered-move-165")
}

func TestPartyFollowsBattle(t *testing.T) {
	m, p := battleMachine(t, 4, own(), foe())
	st := m.decode(p)
	c := st.Party.Members[0]
	equal(t, "hp", c.HP, 27)
	equal(t, "moves", []int{c.Moves[0].ID, c.Moves[1].ID}, []int{33, 52})

	b := own()
	b.status2 = status2Transformed
	m, p = battleMachine(t, 4, b, foe())
	st = m.decode(p)
	c = st.Party.Members[0]
	equal(t, "hp of a transformed one", c.HP, 27)
	equal(t, "its own moves", []int{c.Moves[0].ID, c.Moves[1].ID}, []int{33, 45})
	equal(t, "transformed", st.Battle.Own().Transformed, true)

	// Slot 1 is marked as taught by Mimic: it goes with the battle.
	m, p = battleMachine(t, 4, own(), foe())
	m.set8(p.RAM.DisableStructs+disableMimicked, 2<<4)
	st = m.decode(p)
	equal(t, "mimicked", st.Party.Members[0].Moves[1].ID, 45)

	// The party menu of a battle shows the party in another order.
	m, p = battleMachine(t, 4, own(), foe())
	m.party(p,
		creature{personality: 9, otID: 77, species: 16, level: 9, hp: 20, maxHP: 22, nickname: "BIRD"},
		creature{personality: 8, otID: 77, species: 25, level: 12, hp: 31, maxHP: 35, nickname: "PIKA"},
	)
	st = m.decode(p)
	equal(t, "the other's hp", st.Party.Members[0].HP, 20)
	equal(t, "the fighter's hp", st.Party.Members[1].HP, 27)
}

func TestDoubleBattle(t *testing.T) {
	left, right := own(), own()
	right.species, right.nickname, right.personality, right.hp = 16, "BIRD", 9, 5
	right.moves, right.pp = [4]int{16}, [4]int{35}
	right.maxHP = 22
	m, p := battleMachine(t, battleDouble|battleTrainer, left, foe(), right, foe())
	m.asks(p, 2, "HandleInputChooseMove")
	st := m.decode(p)
	b := st.Battle
	equal(t, "kind", b.Kind, "double")
	equal(t, "sides", []string{b.Battlers[0].Side, b.Battlers[1].Side, b.Battlers[2].Side, b.Battlers[3].Side},
		[]string{"player", "opponent", "player", "opponent"})
	equal(t, "active slot", b.ActivePartySlot, 1)
	equal(t, "legal", b.LegalMoves[0].MoveID, "firered-move-16")
	equal(t, "menu", st.Menu.Entries[0].ID, "firered-move-16")
	equal(t, "prompts", []emu.Prompt{b.Battlers[0].Prompt, b.Battlers[2].Prompt}, []emu.Prompt{emu.PromptNone, emu.PromptMove})
}

// The variables of the battle before agree with nobody of this one.
func TestStaleBattle(t *testing.T) {
	b, f := own(), foe()
	b.personality, f.personality = 5, 6
	m, p := battleMachine(t, 4, b, f)
	m.copy(p.RAM.EnemyParty, creature{personality: 4, species: 4, level: 7, hp: 1, maxHP: 2, nickname: "X"}.record(t))
	st := m.decode(p)
	if st.Battle != nil || !st.Torn {
		t.Errorf("battle is %+v", st.Battle)
	}
}

func TestEffectiveness(t *testing.T) {
	m, p := battleMachine(t, 4, own(), foe())
	tb := p.Tables
	m.copy(tb.TypeChart, []byte{
		10, 12, 20, // fire against grass
		10, 10, 5, // fire against fire
		13, 12, 20,
		0xFE, 0xFE, 0,
		0, 12, 0, // does not hold under Foresight
		0xFF, 0xFF, 0,
	})
	m.copy(tb.Moves+52*moveStride, []byte{0, 40, 13, 100, 25})
	m.copy(tb.Moves+33*moveStride, []byte{0, 35, 0, 95, 35})
	for s := range uint32(2) {
		m.set8(p.RAM.BattleMons+monPP+s, 9)
	}
	legal := m.decode(p).Battle.LegalMoves
	equal(t, "normal", legal[0].Effectiveness, 0.0)
	equal(t, "electric", legal[1].Effectiveness, 2.0)
	equal(t, "same type", []bool{legal[0].STAB, legal[1].STAB}, []bool{false, true})
	equal(t, "accuracy", legal[1].Accuracy, 100)
	m.set32(p.RAM.BattleMons+battlerStride+monStatus2, status2Foresight)
	equal(t, "seen through", m.decode(p).Battle.LegalMoves[0].Effectiveness, 1.0)
}

// TestMatchups: each battler's moves against the types of everyone opposite. A
// move without power takes no part.
func TestMatchups(t *testing.T) {
	rock := foe()
	rock.types = [2]int{5, 5}
	m, p := battleMachine(t, battleDouble, own(), foe(), own(), rock)
	m.copy(p.Tables.TypeChart, []byte{13, 12, 20, 13, 5, 5, 1, 13, 0, 0xFF, 0xFF, 0})
	m.copy(p.Tables.Moves+52*moveStride, []byte{0, 40, 13, 100, 25}) // own second move
	m.copy(p.Tables.Moves+33*moveStride, []byte{0, 0, 13, 95, 35})   // own first move, the only one of a foe
	b := m.decode(p).Battle
	for _, i := range []int{0, 2} {
		equal(t, "own", b.Battlers[i].Matchups, []emu.Matchup{{Target: 1, Moves: [4]float64{1, 2, 1, 1}}, {Target: 3, Moves: [4]float64{1, 0.5, 1, 1}}})
	}
	equal(t, "without power", b.Battlers[1].Matchups, []emu.Matchup{{Target: 0, Moves: [4]float64{1, 1, 1, 1}}, {Target: 2, Moves: [4]float64{1, 1, 1, 1}}})
	m.copy(p.Tables.Moves+33*moveStride, []byte{0, 40, 1, 95, 35})
	equal(t, "no effect", m.decode(p).Battle.Battlers[1].Matchups[0].Moves, [4]float64{0, 1, 1, 1})
	m.mem.ROM = nil
	if got := m.decode(p).Battle.Own().Matchups; got != nil {
		t.Errorf("without a type chart: %+v", got)
	}
}

func TestBattleKinds(t *testing.T) {
	for flags, want := range map[uint32]string{
		4: "wild", 8 | 4: "trainer", 1 | 8: "double", 2 | 8: "link", 0x80 | 4: "safari", 0x200 | 4: "tutorial",
	} {
		equal(t, "kind", fireRedLayout.battleKind(flags), want)
	}
}

func TestSafariBattle(t *testing.T) {
	m, p := battleMachine(t, battleSafari|4, battler{nickname: ""}, foe())
	m.asks(p, 0, "HandleInputChooseAction")
	st := m.decode(p)
	if st.Battle == nil {
		t.Fatalf("no battle: %v", st.Undecoded)
	}
	equal(t, "kind", st.Battle.Kind, "safari")
	equal(t, "battlers", len(st.Battle.Battlers), 1)
	equal(t, "prompt", st.Battle.Prompt, emu.PromptAction)
	if st.Menu == nil || st.Menu.ID != menuSafari || !st.Scene.InputReady {
		t.Errorf("menu %+v, scene %+v", st.Menu, st.Scene)
	}
}

// In the Safari Zone nobody stands on the player's side, and what he can do is
// asked all the same, by a controller of its own.
func TestSafariAsksInEveryGame(t *testing.T) {
	tried := 0
	for _, p := range Profiles {
		for addr, e := range p.code {
			if e.role != roleChooseSafari {
				continue
			}
			m := newMachineOf(t, p, romOf)
			m.field(p, 20, 12, 13, 13)
			m.battle(p, battleSafari|4, battler{}, foe())
			m.set32(p.RAM.ExecFlags, 1)
			m.set32(p.RAM.ControllerFuncs, addr|1)
			m.set8(p.RAM.ActionCursor, 2)
			st := m.decode(p)
			if st.Battle == nil || st.Battle.Prompt != emu.PromptAction {
				t.Errorf("%s: %+v", p.Name, st.Battle)
				continue
			}
			want := "safari-action-menu: ball bait [rock] run"
			if p.Layout.Behaviors != nil {
				want = "safari-action-menu: ball pokeblock [go-near] run"
			}
			equal(t, p.Name, menuText(st.Menu), want)
			_, err := emu.Observe(emu.ObserveBattle, emu.ObservationInput{State: st})
			equal(t, p.Name+" observed", err.Code, emu.CodeBattleNotActive)
			tried++
		}
	}
	equal(t, "games", tried, len(Profiles))
}
