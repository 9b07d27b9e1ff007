package gen3

import (
	"testing"

	"clankie/emu"
)

func TestProfiles(t *testing.T) {
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
			if err := p.check(); err != nil {
				t.Error(err)
			}
		})
	}
	for _, prefix := range []string{"firered", "leafgreen", "emerald", "ruby", "sapphire", "bramble"} {
		if !prefixes[prefix] {
			t.Errorf("no profile has the prefix %s", prefix)
		}
	}
}

func TestFaultyProfiles(t *testing.T) {
	for name, spoil := range map[string]func(p *Profile){
		"outside memory":      func(p *Profile) { p.RAM.Main = 0x03007FF0 },
		"outside RAM":         func(p *Profile) { p.RAM.Tasks = 0x08000000 },
		"overlap":             func(p *Profile) { p.RAM.EnemyParty = p.RAM.PlayerParty + 8 },
		"missing":             func(p *Profile) { p.RAM.Sprites = 0 },
		"declared and there":  func(p *Profile) { p.Absent = append([]string{"Main"}, p.Absent...) },
		"table in RAM":        func(p *Profile) { p.Tables.Items = 0x02000000 },
		"overlapping tables":  func(p *Profile) { p.Tables.Moves = p.Tables.Items },
		"function in a table": func(p *Profile) { p.code = map[uint32]codeEntry{p.Tables.Items: {role: roleField}} },
		"odd function":        func(p *Profile) { p.code = map[uint32]codeEntry{0x08000101: {role: roleField}} },
		"long pocket":         func(p *Profile) { p.Layout.Pockets = []Pocket{{"items", 0x3D00, 40}} },
		"no border":           func(p *Profile) { p.Layout.BlockX = 13 },
		"no entries":          func(p *Profile) { p.Layout.StartMenu = nil },
	} {
		p := fireRed(0)
		spoil(p)
		if p.check() == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// Each build's column holds every function once.
func TestFunctionsAreDistinct(t *testing.T) {
	for _, family := range []struct {
		rows   []codeRow
		builds int
	}{{fireRedCode, 4}, {emeraldCode, 1}, {rubySapphireCode, 4}} {
		for build := range family.builds {
			if got := len(codeOf(family.rows, build)); got != len(family.rows) {
				t.Errorf("build %d has %d functions of %d", build, got, len(family.rows))
			}
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
		{"BPEE", 0, "emerald"},
		{"AXVE", 0, "ruby"},
		{"AXVE", 2, "ruby_rev2"},
		{"AXPE", 1, "sapphire_rev1"},
		{"AXVD", 0, "screen"},
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

// TestEveryCallback puts each function that is known as a callback 2 into a
// running field: the scene is the one that it stands for, or a transition.
func TestEveryCallback(t *testing.T) {
	counted := 0
	for _, p := range Profiles {
		m := newMachineOf(t, p, romOf)
		m.field(p, 20, 12, 13, 13)
		for addr, e := range p.code {
			if e.screen == "" {
				continue
			}
			m.set32(p.RAM.Main+mainCallback2, addr|1)
			st := Decode(m.mem, p)
			checkState(t, &st, p)
			want, mode := e.screen, emu.ModeMenu
			switch e.role {
			case roleBattle:
				mode = emu.ModeCutscene
			case roleLoading, roleBattleLoading:
				want, mode = "transition", emu.ModeCutscene
			case roleScene:
				mode = emu.ModeCutscene
			case roleOpening, roleMainMenu:
				mode = emu.ModeUnknown
			case roleNaming, roleNamingLoading:
				mode = emu.ModeNaming
			case roleField:
				mode = emu.ModeOverworld
			}
			if st.Scene.Screen != want || st.Scene.Mode != mode {
				t.Errorf("%s, %08X: %s/%s, want %s/%s", p.Name, addr, st.Scene.Mode, st.Scene.Screen, mode, want)
			}
			counted++
		}
	}
	t.Logf("%d callbacks of %d builds", counted, len(Profiles))
	if counted < 1500 {
		t.Error("that is too few")
	}
}
