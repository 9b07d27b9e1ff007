package report_test

import (
	"encoding/binary"
	"os"
	"testing"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/gen3/report"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"
)

// emerald reads a savestate of the set emerald_extra.
func emerald(t *testing.T, name string) (*mgba.Savestate, *gen3.Profile) {
	t.Helper()
	data, err := os.ReadFile(sharedtest.Path(t, "data", "states", "emerald_extra", name+".state"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := mgba.ParseSavestate(data)
	if err != nil {
		t.Fatal(err)
	}
	return s, gen3.ProfileNamed("emerald")
}

// wildBattle is a savestate's memory at the command prompt of a wild battle.
func wildBattle(t *testing.T) (emu.Memory, *gen3.Profile) {
	t.Helper()
	s, p := emerald(t, "t_wild_battle")
	return s.Memory(), p
}

// TestPromptsByBattler: where a place has no battler the prompts keep theirs.
func TestPromptsByBattler(t *testing.T) {
	mem, p := wildBattle(t)
	const battler = 0x58 // sizeof(struct BattlePokemon)
	ram := &p.RAM
	mons := mem.Slice(ram.BattleMons, 4*battler)
	copy(mons[3*battler:], mons[battler:2*battler])
	clear(mons[2*battler : 3*battler])
	mem.Slice(ram.BattlersCount, 1)[0] = 4
	copy(mem.Slice(ram.BattlerPositions, 4), []byte{0, 1, 2, 3})
	copy(mem.Slice(ram.BattleTypeFlags, 4), []byte{9, 0, 0, 0})
	copy(mem.Slice(ram.TrainerOpponent, 2), []byte{0x09, 0x01})
	r := report.Make(report.Container{}, mem, p)
	if r.Battle == nil || len(r.Battle.Battlers) != 3 || len(r.Battle.Prompt) != 4 {
		t.Fatalf("battle %+v, %v", r.Battle, r.Undecoded)
	}
	if got := r.Battle.Prompt[0]; got == nil || *got != "choose_action" || r.Battle.Prompt[3] != nil || r.Battle.Kind != "double" {
		t.Errorf("kind %s, prompts %v", r.Battle.Kind, r.Battle.Prompt)
	}
	if t2 := r.Battle.Trainers; len(t2) != 1 || t2[0].ID != 265 || t2[0].Name != nil {
		t.Errorf("trainers %+v", t2)
	}
	if last := r.Battle.Battlers[2]; last.Index != 3 || last.Side != "opponent" {
		t.Errorf("the last battler is %+v", last)
	}
}

// TestPartyIsItsOwnRecord: in a battle the party is told as its records hold it,
// and what fights by itself.
func TestPartyIsItsOwnRecord(t *testing.T) {
	mem, p := wildBattle(t)
	const hp = 0x28 // BattlePokemon.hp
	binary.LittleEndian.PutUint16(mem.Slice(p.RAM.BattleMons+hp, 2), 7)
	r := report.Make(report.Container{}, mem, p)
	if member := (*r.Party)[0]; *member.HP != 19 || r.Battle.Battlers[0].HP != 7 {
		t.Errorf("the party has %d, the battler %d", *member.HP, r.Battle.Battlers[0].HP)
	}
}

// TestWholeTextOfABox: a text of more lines than an observation has is told to
// its end.
func TestWholeTextOfABox(t *testing.T) {
	s, p := emerald(t, "t_dialog")
	mem := s.Memory()
	text := mem.Slice(p.RAM.StringVar4, p.Layout.StringVar4Bytes)
	const letterA, paragraph, end = 0xBB, 0xFB, 0xFF
	for i := range 12 {
		text[2*i], text[2*i+1] = letterA+byte(i), paragraph
	}
	text[24] = end
	r := report.Make(report.Container{}, mem, p)
	if d := r.Dialog; !d.Open || len(d.Lines) != 12 || d.Lines[0] != "A" || d.Lines[11] != "L" {
		t.Errorf("dialog %+v", d)
	}
}

// TestNothingOfAGameThatDoesNotRun: on the title screen nothing of the game that
// ran before is told, and every part says why.
func TestNothingOfAGameThatDoesNotRun(t *testing.T) {
	mem, p := wildBattle(t)
	const callback2, title = 4, 0x080AAB2C | 1 // MainCB2 of Emerald's title screen
	binary.LittleEndian.PutUint32(mem.Slice(p.RAM.Main+callback2, 4), title)
	r := report.Make(report.Container{}, mem, p)
	if r.Map != nil || r.Overworld != nil || r.Trainer != nil || r.Party != nil || r.Bag != nil || r.Storage != nil || r.Dialog != nil || r.Battle != nil {
		t.Errorf("something is told: %+v", r)
	}
	for _, part := range []string{"map", "overworld", "trainer", "party", "bag", "storage", "dialog", "battle"} {
		if r.Undecoded[part] == "" {
			t.Errorf("%s does not say why", part)
		}
	}
}
