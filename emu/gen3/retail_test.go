package gen3

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"
)

// retail is a savestate of a retail game, to be changed.
type retail struct {
	*machine
	p     *Profile
	saves [2]uint32 // the two save blocks
}

// retails reads the shared savestates; each is skipped where there are none.
func retails(t *testing.T, f func(t *testing.T, r retail, before emu.State)) {
	paths, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data", "states"), "*", "*.s*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no savestates: %v", err)
	}
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := mgba.ParseSavestate(data)
			if err != nil {
				t.Fatal(err)
			}
			p, mem := ProfileForCRC(s.GameCode, s.ROMCRC), s.Memory()
			r := retail{&machine{t, emu.Memory{
				EWRAM: bytes.Clone(mem.EWRAM), IWRAM: bytes.Clone(mem.IWRAM), VRAM: mem.VRAM, IO: mem.IO,
			}, &p.RAM}, p, [2]uint32{p.RAM.SaveBlock1, p.RAM.SaveBlock2}}
			if r.saves[0] == 0 {
				r.saves = [2]uint32{r.u32(p.RAM.SaveBlock1Ptr), r.u32(p.RAM.SaveBlock2Ptr)}
			}
			f(t, r, r.decode(p))
		})
	}
}

func (r retail) u32(at uint32) uint32 { return binary.LittleEndian.Uint32(r.at(at, 4)) }

// inField reports whether a state is one of the field with nothing open.
func inField(s emu.State) bool { return s.Scene.Mode == emu.ModeOverworld && s.Overworld != nil }

// TestRetailStatesElsewhere moves what the games move: the save blocks, and the
// key that money and counts are written with. Nothing else may come out.
func TestRetailStatesElsewhere(t *testing.T) {
	moved := 0
	retails(t, func(t *testing.T, r retail, before emu.State) {
		l := &r.p.Layout
		if l.EncryptionKey == 0 || before.Trainer == nil {
			return // Ruby and Sapphire do neither
		}
		moved++
		old := r.u32(r.saves[1] + l.EncryptionKey)
		const key = 0x89ABCDEF
		r.set32(r.saves[1]+l.EncryptionKey, key)
		r.set32(r.saves[0]+l.Money, r.u32(r.saves[0]+l.Money)^old^key)
		recode := func(at uint32) {
			b := r.at(at, 2)
			change := old ^ key
			binary.LittleEndian.PutUint16(b, binary.LittleEndian.Uint16(b)^uint16(change))
		}
		recode(r.saves[0] + l.Coins)
		for _, pocket := range l.Pockets {
			for i := range pocket.Capacity {
				recode(r.saves[0] + pocket.Offset + uint32(4*i) + 2)
			}
		}
		const further = 0x40
		for i, size := range []int{l.Save1Bytes, l.Save2Bytes} {
			block := bytes.Clone(r.at(r.saves[i], size))
			clear(r.at(r.saves[i], further))
			r.copy(r.saves[i]+further, block)
		}
		r.set32(r.p.RAM.SaveBlock1Ptr, r.saves[0]+further)
		r.set32(r.p.RAM.SaveBlock2Ptr, r.saves[1]+further)
		after := r.decode(r.p)
		equal(t, "trainer", after.Trainer, before.Trainer)
		equal(t, "inventory", after.Inventory, before.Inventory)
		equal(t, "party", after.Party, before.Party)
		equal(t, "overworld", after.Overworld, before.Overworld)
		equal(t, "scene", after.Scene, before.Scene)
	})
	if moved == 0 {
		t.Error("no state was moved")
	}
}

// TestRetailStatesLater gives each game what it has later: all badges, a full
// Pokédex, a party of six with an egg, a bad egg and a fainted one, and boxes
// that are full to the last place.
func TestRetailStatesLater(t *testing.T) {
	retails(t, func(t *testing.T, r retail, before emu.State) {
		if before.Trainer == nil {
			return
		}
		l := &r.p.Layout
		for i := range 8 {
			id := l.BadgeFlag + i
			r.at(r.saves[0]+l.Flags+uint32(id/8), 1)[0] |= 1 << (id % 8)
		}
		for i := range dexBytes {
			r.set8(r.saves[1]+save2DexOwned+uint32(i), 0xFF)
			r.set8(r.saves[1]+save2DexSeen+uint32(i), 0xFF)
		}
		known := creature{personality: 1234567, otID: 77, species: 25, level: 50, hp: 120, maxHP: 120, moves: [4]int{33, 45, 98, 85}, pp: [4]int{35, 40, 30, 15}, nickname: "SAME"}
		fainted, egg, bad, broken := known, known, known, known
		fainted.hp, egg.egg, bad.badEgg, broken.badSum = 0, true, true, true
		r.party(r.p, known, fainted, egg, bad, broken, known)
		boxes := r.p.RAM.Storage
		if boxes == 0 {
			boxes = r.u32(r.p.RAM.StoragePtr)
		}
		for i := range boxCount * boxSlots {
			c := known
			if i%30 == 7 {
				c = egg
			}
			r.copy(boxes+storageBoxes+uint32(i*boxBytes), c.record(t)[:boxBytes])
		}
		after := r.decode(r.p)
		equal(t, "badges", after.Trainer.Badges, [8]bool{true, true, true, true, true, true, true, true})
		equal(t, "dex", [2]int{after.Trainer.DexOwned, after.Trainer.DexSeen}, [2]int{386, 386})
		equal(t, "money", after.Trainer.Money, before.Trainer.Money)
		equal(t, "inventory", after.Inventory, before.Inventory)
		if inField(before) {
			equal(t, "overworld", after.Overworld, before.Overworld)
		}
		if after.Party == nil || len(after.Party.Members) != 6 {
			t.Fatalf("party %+v, %v", after.Party, after.Undecoded)
		}
		var kinds []string
		for _, c := range after.Party.Members {
			switch {
			case c.BadEgg:
				kinds = append(kinds, "bad egg")
			case c.Egg:
				kinds = append(kinds, "egg")
			case c.Fainted() && !slices.ContainsFunc(battlersOf(before), func(b emu.Battler) bool { return b.Slot == c.Slot && b.Side == "player" }):
				kinds = append(kinds, "fainted")
			default:
				kinds = append(kinds, c.Nickname)
			}
		}
		equal(t, "members", strings.Join(kinds, ", "), "SAME, fainted, egg, bad egg, bad egg, SAME")
		s, ok := DecodeStorage(r.mem, r.p)
		if !ok || s.Count != boxCount*boxSlots || s.BadChecksums != 0 {
			t.Errorf("storage: %v, %d creatures, %d damaged", ok, s.Count, s.BadChecksums)
		}
	})
}

func battlersOf(s emu.State) []emu.Battler {
	if s.Battle == nil {
		return nil
	}
	return s.Battle.Battlers
}

// TestRetailStatesOnWater puts whoever walks on water and under it, and leaves
// old text where new text would stand: none of it opens a box.
func TestRetailStatesOnWater(t *testing.T) {
	retails(t, func(t *testing.T, r retail, before emu.State) {
		if !inField(before) {
			return
		}
		flags := r.at(r.p.RAM.PlayerAvatar+avatarFlags, 1)
		flags[0] = flags[0]&^(avatarSurfing|avatarUnderwater) | avatarSurfing
		r.text(r.p.RAM.StringVar4, "An old text that nobody reads.")
		after := r.decode(r.p)
		if !after.Overworld.Surfing || after.Overworld.Underwater || after.Dialog != nil || after.Scene != before.Scene {
			t.Errorf("surfing %v, under water %v, dialog %+v, scene %+v", after.Overworld.Surfing, after.Overworld.Underwater, after.Dialog, after.Scene)
		}
		flags[0] = flags[0]&^avatarSurfing | avatarUnderwater
		if after = r.decode(r.p); after.Overworld.Surfing || !after.Overworld.Underwater {
			t.Errorf("under water: %+v", after.Overworld)
		}
		equal(t, "map", after.Overworld.Grid, before.Overworld.Grid)
	})
}

// TestRetailBattles makes a wild battle one of each other kind, and asks each
// question in it.
func TestRetailBattles(t *testing.T) {
	battles := 0
	retails(t, func(t *testing.T, r retail, before emu.State) {
		if before.Battle == nil {
			return
		}
		battles++
		ram := &r.p.RAM
		for flags, want := range map[uint32]string{
			4: "wild", 8: "trainer", 2 | 8: "link", 0x80: "safari", 0x200: "tutorial", 0x40 | 1 | 8 | 2: "link", 0x8000 | 9: "two trainers", 0x40 | 9: "multi", 0x1000: "wild",
		} {
			r.set32(ram.BattleTypeFlags, flags)
			after := r.decode(r.p)
			if after.Battle == nil || after.Battle.Kind != want {
				t.Errorf("flags %X: %+v, want %s", flags, after.Battle, want)
				continue
			}
			equal(t, "battlers", after.Battle.Battlers, before.Battle.Battlers)
		}
		r.set32(ram.BattleTypeFlags, 4)
		for symbol, want := range map[string]emu.Prompt{
			"HandleInputChooseAction": emu.PromptAction, "HandleInputChooseMove": emu.PromptMove, "HandleInputChooseTarget": emu.PromptTarget,
		} {
			r.asks(r.p, 0, symbol)
			after := r.decode(r.p)
			if after.Battle == nil || after.Battle.Prompt != want || after.Menu == nil {
				t.Errorf("%s: %+v, menu %+v", symbol, after.Battle, after.Menu)
			}
		}
		// Two against two: the same ones once more, with another in the party.
		member := bytes.Clone(r.at(ram.PlayerParty, recordBytes))
		r.copy(ram.PlayerParty+recordBytes, member)
		r.copy(ram.EnemyParty+recordBytes, r.at(ram.EnemyParty, recordBytes))
		r.set8(ram.PlayerPartyCount, 2)
		r.copy(ram.BattleMons+2*battlerStride, r.at(ram.BattleMons, 2*battlerStride))
		for i, position := range []int{0, 1, 2, 3} {
			r.set8(ram.BattlerPositions+uint32(i), position)
			r.set16(ram.BattlerPartyIndexes+uint32(2*i), i/2)
		}
		r.set8(ram.BattlersCount, 4)
		r.set32(ram.BattleTypeFlags, 9)
		r.asks(r.p, 2, "HandleInputChooseMove")
		after := r.decode(r.p)
		if after.Battle == nil || after.Battle.Kind != "double" || len(after.Battle.Battlers) != 4 || after.Battle.ActivePartySlot != 1 {
			t.Errorf("a double battle: %+v, %v", after.Battle, after.Undecoded)
		}
		r.set8(ram.AbsentBattlers, 1<<3)
		if after = r.decode(r.p); after.Battle == nil || !after.Battle.Battlers[3].Absent || after.Battle.Battlers[1].Absent {
			t.Errorf("an empty place: %+v", after.Battle)
		}
	})
	if battles == 0 {
		t.Error("no state has a battle")
	}
}

// TestRetailScreens makes each state's main callback every one that is known:
// its screen is named, and nothing of the field is read where it is not the
// field.
func TestRetailScreens(t *testing.T) {
	screens := map[emu.Screen]bool{}
	retails(t, func(t *testing.T, r retail, before emu.State) {
		at := r.p.RAM.Main + mainCallback2
		for address, entry := range r.p.code {
			if !slices.Contains([]role{roleOpening, roleScene, roleScreen, roleParty, roleBag, roleBuyMenu, roleSummary, roleStorage, roleOptions}, entry.role) {
				continue
			}
			r.set32(at, address|1)
			after := r.decode(r.p)
			if after.Scene.Screen == before.Scene.Screen && entry.screen != before.Scene.Screen {
				t.Errorf("%08X is %s, not %s", address, after.Scene.Screen, entry.screen)
			}
			if after.Scene.Mode == emu.ModeOverworld {
				t.Errorf("%08X (%s) is the field", address, entry.screen)
			}
			screens[after.Scene.Screen] = true
		}
	})
	t.Logf("%d screens", len(screens))
	if len(screens) < 20 {
		t.Errorf("only %d screens were seen", len(screens))
	}
}
