package gen3

import (
	"reflect"
	"testing"

	"clankie/emu"
)

// extents are the sizes in bytes of the RAM variables of FireRed and LeafGreen,
// by field of RAM.
var extents = map[string]uint32{
	"SaveBlock1Ptr": 4, "SaveBlock2Ptr": 4, "StoragePtr": 4,
	"PlayerParty": 0x258, "PlayerPartyCount": 1, "EnemyParty": 0x258,
	"BattleMons": 0x160, "BattleTypeFlags": 4, "BattleOutcome": 1, "BattlersCount": 1,
	"BattlerPartyIndexes": 8, "BattlerPositions": 4, "ControllerFuncs": 16, "ExecFlags": 4,
	"BattleBufferA": 0x800, "ActionCursor": 4, "MoveCursor": 4, "DisplayedString": 0x12C,
	"DisableStructs": 0x70, "TrainerOpponent": 2, "BattleScript": 4, "BattleCommunication": 8, "BattleScripting": 0x24,
	"ObjectEvents": 0x240, "PlayerAvatar": 0x20, "MapHeader": 0x1C, "BackupLayout": 0xC,
	"Main": 0x43C, "Tasks": 0x280, "Sprites": 0x1144, "PaletteFade": 0x10,
	"StringVar4": 0x3E8, "TextPrinters": 0x480, "TextFlags": 4, "Menu": 0xC,
	"ScriptContext": 0x74, "ScriptStatus": 1, "LockFieldControls": 1,
	"StartMenuCallback": 4, "StartMenuCursor": 1, "StartMenuCount": 1, "StartMenuOrder": 9, "SaveDialog": 4,
	"PartyMenu": 0x14, "PartyMenuInternal": 4, "BagState": 0x14, "HelpOpen": 1, "Naming": 4, "Shop": 0x1C,
	"TargetCursor": 1,
}

// tableExtents are the sizes of the ROM tables, by field of Tables.
var tableExtents = map[string]uint32{
	"SpeciesNames": 0x11B4, "MoveNames": 0x1207, "Moves": 0x10A4, "SpeciesInfo": 0x2D10,
	"Items": 0x4074, "TypeChart": 0x150, "TypeNames": 0x7E, "AbilityNames": 0x3F6,
	"MapNames": 0x1B4, "Experience": 0xCA0, "Multichoice": 0x208,
}

type span struct {
	name       string
	start, end uint32
}

// spans lists the address fields of a struct with their extents.
func spans(t *testing.T, v any, extents map[string]uint32) []span {
	t.Helper()
	var out []span
	s := reflect.ValueOf(v)
	for i := range s.NumField() {
		name := s.Type().Field(i).Name
		size, ok := extents[name]
		if !ok {
			t.Errorf("%s has no extent here", name)
		}
		start := uint32(s.Field(i).Uint())
		out = append(out, span{name, start, start + size})
	}
	return out
}

func apart(t *testing.T, all []span) {
	t.Helper()
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.start < b.end && b.start < a.end {
				t.Errorf("%s (%08X..%08X) and %s (%08X..%08X) overlap", a.name, a.start, a.end, b.name, b.start, b.end)
			}
		}
	}
}

func TestProfiles(t *testing.T) {
	full := emu.Memory{EWRAM: make([]byte, emu.EWRAMBytes), IWRAM: make([]byte, emu.IWRAMBytes)}
	names, prefixes := map[string]bool{}, map[string]bool{}
	for _, p := range Profiles {
		t.Run(p.Name, func(t *testing.T) {
			if names[p.Name] {
				t.Error("two profiles have this name")
			}
			names[p.Name], prefixes[p.Prefix] = true, true
			if got := ProfileFor(p.GameCode, p.Revision); got != p {
				t.Errorf("header chooses %s", got.Name)
			}
			ram := spans(t, p.RAM, extents)
			for _, s := range ram {
				if full.Slice(s.start, int(s.end-s.start)) == nil {
					t.Errorf("%s at %08X is outside RAM", s.name, s.start)
				}
			}
			apart(t, ram)
			tables := spans(t, p.Tables, tableExtents)
			for _, s := range tables {
				if !inROM(s.start) || s.end > emu.ROMBase+16<<20 {
					t.Errorf("%s at %08X is outside the cartridge", s.name, s.start)
				}
			}
			apart(t, tables)
			for addr, e := range p.code {
				if addr&1 != 0 || !inROM(addr) || e.role == roleNone {
					t.Errorf("function %08X is no function", addr)
				}
				for _, s := range tables {
					if addr >= s.start && addr < s.end {
						t.Errorf("function %08X lies in table %s", addr, s.name)
					}
				}
			}
			checkLayout(t, &p.Layout)
		})
	}
	for _, prefix := range []string{"firered", "leafgreen", "bramble"} {
		if !prefixes[prefix] {
			t.Errorf("no profile has the prefix %s", prefix)
		}
	}
}

func checkLayout(t *testing.T, l *Layout) {
	var pockets []span
	for _, p := range l.Pockets {
		pockets = append(pockets, span{p.Name, p.Offset, p.Offset + uint32(p.Capacity*itemSlotBytes)})
		if pockets[len(pockets)-1].end > saveBlockMin {
			t.Errorf("pocket %s reaches beyond what is checked of a save block", p.Name)
		}
	}
	apart(t, pockets)
	if l.BlockX < 2*emu.MapBorder || l.BlockY < 2*emu.MapBorder {
		t.Error("a live map has less than its border")
	}
}

// Each build's column holds every function once.
func TestFunctionsAreDistinct(t *testing.T) {
	for build := range fireRedTables {
		if got := len(codeOf(fireRedCode, build)); got != len(fireRedCode) {
			t.Errorf("build %d has %d functions of %d", build, got, len(fireRedCode))
		}
	}
}

func TestProfileChoice(t *testing.T) {
	for _, tt := range []struct {
		code     string
		revision int
		want     string
	}{
		{"BPRE", 0, "firered"},
		{"BPRE", 1, "firered_rev1"},
		{"BPRE", 2, "screen"},
		{"BPGE", 1, "leafgreen_rev1"},
		{"BBLE", 0, "bramble"},
		{"ABCD", 0, "screen"},
		{"", 0, "screen"},
	} {
		equal(t, tt.code, ProfileFor(tt.code, tt.revision).Name, tt.want)
	}
	equal(t, "by CRC", ProfileForCRC("BPRE", 0x84EE4776).Name, "firered_rev1")
	equal(t, "by no CRC", ProfileForCRC("BBLE", 0).Name, "screen")
	equal(t, "of a machine", ProfileOf(emu.CoreIdentity{GameCode: "BPRE", Revision: 1}).Name, "firered_rev1")
}
