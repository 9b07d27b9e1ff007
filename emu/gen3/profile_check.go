package gen3

import (
	"fmt"
	"reflect"
	"slices"

	"clankie/emu"
)

// ramExtents are the bytes of each variable that decoders read, by field of
// RAM. Those that differ from family to family come from its Layout.
var ramExtents = map[string]uint32{
	"SaveBlock1Ptr": 4, "SaveBlock2Ptr": 4, "StoragePtr": 4, "Storage": 0x83D0,
	"PlayerParty": 0x258, "PlayerPartyCount": 1, "EnemyParty": 0x258,
	"BattleMainFunc": 4, "BattleMons": 0x160, "BattleTypeFlags": 2, "BattleOutcome": 1, "BattlersCount": 1,
	"BattlerPartyIndexes": 8, "BattlerPositions": 4, "ControllerFuncs": 16, "ExecFlags": 4,
	"BattleBufferA": 0x800, "ActionCursor": 4, "MoveCursor": 4, "DisplayedString": 0x12C,
	"DisableStructs": 0x70, "TrainerOpponent": 2, "SecondOpponent": 2, "TargetCursor": 1, "AbsentBattlers": 1,
	"BattleScript": 4, "BattleCommunication": 8, "LearnMoveState": 1,
	"ObjectEvents": 0x240, "PlayerAvatar": 0x20, "MapHeader": 0x1C, "BackupLayout": 0xC,
	"Main": 0x43C, "Tasks": 0x280, "Sprites": 0x1144, "PaletteFade": 0xC,
	"TextPrinters": 0x480, "TextFlags": 4, "Menu": 0xC,
	"ScriptContext": 0x74, "ScriptStatus": 1, "LockFieldControls": 1,
	"StartMenuCallback": 4, "StartMenuCursor": 1, "StartMenuCount": 1, "StartMenuOrder": 9, "SaveDialog": 4,
	"PartyMenu": 0x14, "PartyMenuInternal": 4, "HelpOpen": 1,
	"Naming": 4, "Shop": 0x10, "Summary": 4, "Options": 4,
	"SummaryMove": 1, "StorageCursor": 2, "Pokedex": 4, "ItemActions": 4, "CaseActions": 4, "PouchActions": 4,
	"FieldWindow": 0x30, "BattleWindow": 0x30, "SharedMem": 0x38, "SummaryData": 0x80, "PopupCursor": 1, "PopupCount": 1,
	"MenuWindow": 0x30, "QuestLog": 1,
	"PocketScroll": 0x14, "ShopHeap": 4, "Weather": 0x6D2, "RNG": 4,
}

// tableExtents are the bytes of each table, by field of Tables.
var tableExtents = map[string]uint32{
	"SpeciesNames": 0x11B4, "MoveNames": 0x1207, "Moves": 0x10A4, "SpeciesInfo": 0x2D10,
	"TypeChart": 0x150, "TypeNames": 0x7E, "AbilityNames": 0x3F6, "Experience": 0xCA0, "NatureNames": 0x64, "DexNumbers": 0x336,
}

// span is a named range of addresses.
type span struct {
	name       string
	start, end uint32
}

// checked returns profiles that hold, ready to be used; one that does not is a fault of this
// package, and the program does not start with it.
func checked(profiles ...*Profile) []*Profile {
	for _, p := range profiles {
		if err := p.check(); err != nil {
			panic("gen3: profile " + p.Name + ": " + err.Error())
		}
		p.makeIDs()
	}
	return profiles
}

// check reports what is wrong with a profile: a variable that is neither there
// nor declared absent, lies outside memory or over another one.
func (p *Profile) check() error {
	l := &p.Layout
	ram, err := p.spans(p.RAM, ramExtents, map[string]uint32{
		"SaveBlock1": uint32(l.Save1Bytes), "SaveBlock2": uint32(l.Save2Bytes), "StringVar4": uint32(l.StringVar4Bytes),
		"BagState": l.Bag.size,
	})
	if err != nil {
		return err
	}
	tables, err := p.spans(p.Tables, tableExtents, map[string]uint32{
		"Items": uint32(l.ItemMax+1) * itemStride, "Multichoice": uint32(l.Multichoices) * 8,
		"MapNames": uint32(l.MapSections) * l.MapNameStride, "MapGroups": uint32(l.MapGroups) * 4,
		"Trainers": uint32(l.Trainers) * trainerStride, "TrainerClasses": uint32(l.TrainerClasses) * classNameStride,
	})
	if err != nil {
		return err
	}
	for _, s := range ram {
		if !inMemory(s, emu.EWRAMBase, emu.EWRAMBytes) && !inMemory(s, emu.IWRAMBase, emu.IWRAMBytes) {
			return fmt.Errorf("%s at %08X is outside RAM", s.name, s.start)
		}
	}
	for _, s := range tables {
		if !inMemory(s, emu.ROMBase, emu.ROMMaxBytes/2) {
			return fmt.Errorf("%s at %08X is outside the cartridge", s.name, s.start)
		}
	}
	for addr, e := range p.code {
		at := span{"a function", addr, addr + 2}
		if addr&1 != 0 || e.role == roleNone || !inMemory(at, emu.ROMBase, emu.ROMMaxBytes/2) {
			return fmt.Errorf("%08X is no function", addr)
		}
		tables = append(tables, at)
	}
	for _, all := range [][]span{ram, tables, l.pocketSpans()} {
		if err := apart(all); err != nil {
			return err
		}
	}
	return l.check()
}

// check reports what is wrong with a layout.
func (l *Layout) check() error {
	for _, s := range l.pocketSpans() {
		if int(s.end) > l.Save1Bytes {
			return fmt.Errorf("pocket %s reaches beyond the save block", s.name)
		}
	}
	if l.BlockX < 2*emu.MapBorder || l.BlockY < 2*emu.MapBorder {
		return fmt.Errorf("a live map has less than its border")
	}
	if len(l.StartMenu) == 0 || len(l.MainMenus) == 0 || len(l.SummaryPages) == 0 || len(l.SafariActions) == 0 || len(l.Bag.order) == 0 {
		return fmt.Errorf("a menu has no entries")
	}
	return nil
}

func (l *Layout) pocketSpans() (out []span) {
	for _, p := range l.Pockets {
		out = append(out, span{p.Name, p.Offset, p.Offset + uint32(p.Capacity*itemSlotBytes)})
	}
	return out
}

// spans lists the address fields of a struct with their extents; what is 0 must
// be declared absent.
func (p *Profile) spans(v any, extents, own map[string]uint32) (out []span, err error) {
	s := reflect.ValueOf(v)
	for i := range s.NumField() {
		name, start := s.Type().Field(i).Name, uint32(s.Field(i).Uint())
		size, ok := own[name]
		if !ok {
			size, ok = extents[name]
		}
		switch absent := slices.Contains(p.Absent, name); {
		case absent != (start == 0):
			return nil, fmt.Errorf("%s is at %08X, declared absent: %v", name, start, absent)
		case absent:
			continue
		case !ok || size == 0:
			return nil, fmt.Errorf("%s has no extent", name)
		}
		out = append(out, span{name, start, start + size})
	}
	return out, nil
}

func inMemory(s span, base, size uint32) bool {
	return s.start >= base && s.end > s.start && s.end <= base+size
}

// apart reports two spans that overlap.
func apart(all []span) error {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b span) int { return int(int64(a.start) - int64(b.start)) })
	for i := 1; i < len(sorted); i++ {
		if a, b := sorted[i-1], sorted[i]; b.start < a.end {
			return fmt.Errorf("%s (%08X..%08X) and %s (%08X..%08X) overlap", a.name, a.start, a.end, b.name, b.start, b.end)
		}
	}
	return nil
}
