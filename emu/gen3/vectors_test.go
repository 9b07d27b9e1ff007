package gen3

import (
	"os"
	"testing"

	"clankie/emu"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// vector is one recorded decode: memory pokes over zeroed RAM and what the
// raw fields hold. Vectors carry no callback, printer or script state, so they
// check field decoders; when a field is live has tests of its own.
type vector struct {
	ID       string      `json:"id"`
	Pokes    [][3]uint32 `json:"pokes"`
	ROMPokes [][3]uint32 `json:"romPokes"`
	Error    string      `json:"error"`
	OK       *struct {
		Overworld *struct {
			X      int    `json:"x"`
			Y      int    `json:"y"`
			Facing string `json:"facing"`
		} `json:"overworld"`
		Surroundings *map[string]emu.Tile `json:"surroundings"`
		MapSize      *emu.MapSize         `json:"mapSize"`
		Exits        *struct {
			Warps []struct {
				X           int    `json:"x"`
				Y           int    `json:"y"`
				Destination string `json:"destinationMapId"`
			} `json:"warps"`
			Connections []struct {
				Direction   string `json:"direction"`
				Destination string `json:"destinationMapId"`
			} `json:"connections"`
		} `json:"exits"`
		MapIdentity *struct {
			Group int    `json:"mapGroup"`
			Num   int    `json:"mapNum"`
			ID    string `json:"mapId"`
		} `json:"mapIdentity"`
		Objects []emu.Occupant `json:"objectEvents"`
		Party   []struct {
			Slot    int    `json:"slot"`
			Species string `json:"speciesId"`
			Level   int    `json:"level"`
			HP      int    `json:"currentHp"`
			MaxHP   int    `json:"maxHp"`
			Status  string `json:"status"`
			Moves   []struct {
				ID    string `json:"moveId"`
				Power int    `json:"power"`
			} `json:"moves"`
		} `json:"party"`
		Inventory []struct {
			Pocket string `json:"pocket"`
			Item   string `json:"itemId"`
			Count  int    `json:"count"`
		} `json:"inventory"`
		Battle *struct {
			TypeFlags  uint32 `json:"battleTypeFlags"`
			Outcome    int    `json:"outcome"`
			ActiveSlot int    `json:"activePartySlot"`
			Action     int    `json:"actionCursor"`
			Move       int    `json:"moveCursor"`
			InputMode  string `json:"inputMode"`
			Legal      []struct {
				ID    string `json:"moveId"`
				Power int    `json:"power"`
			} `json:"legalMoves"`
			Opponent struct {
				Species string `json:"speciesId"`
				Level   int    `json:"level"`
				HP      int    `json:"currentHp"`
				MaxHP   int    `json:"maxHp"`
			} `json:"opponent"`
		} `json:"battle"`
		DialogLines []string `json:"dialogLines"`
		Waiting     bool     `json:"waitingForDialogAdvance"`
		Menu        *struct {
			ID      string          `json:"menuId"`
			Cursor  int             `json:"cursor"`
			Entries []emu.MenuEntry `json:"entries"`
		} `json:"menu"`
		FieldReady bool `json:"fieldInputReady"`
	} `json:"ok"`
}

type vectorFile struct {
	Vectors []vector `json:"vectors"`
	Texts   []struct {
		Bytes []int    `json:"bytes"`
		Lines []string `json:"lines"`
	} `json:"texts"`
}

func readVectors(t *testing.T) vectorFile {
	t.Helper()
	data, err := os.ReadFile("testdata/firered-decode-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var f vectorFile
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// vectorMachine builds a vector's memory. Facing is read from the object's own
// direction at +0x18; the vectors were recorded from the previous direction at
// +0x20, which is the same while standing, so it is written to both.
func vectorMachine(t *testing.T, v *vector) *machine {
	m := newMachine(t)
	m.mem.ROM = m.mem.ROM[:2432168:2432168]
	for _, mv := range [][2]int{{33, 35}, {45, 0}, {52, 40}, {165, 50}} {
		m.set8(fireRedTables[0].Moves+uint32(mv[0]*moveStride+1), mv[1])
	}
	for _, p := range append(v.Pokes, v.ROMPokes...) {
		switch p[1] {
		case 1:
			m.set8(p[0], int(p[2]))
		case 2:
			m.set16(p[0], int(p[2]))
		case 4:
			m.set32(p[0], p[2])
		}
	}
	for i := range objectCount {
		at := fireRedRAM.ObjectEvents + uint32(i*objectStride)
		m.set8(at+objFacing, int(m.at(at+0x20, 1)[0]))
	}
	return m
}

// vectorDecoder decodes what a vector's memory holds without asking whether
// it is live.
func vectorDecoder(m *machine) *decoder {
	d := newDecoder(m.mem, ProfileFor("BPRE", 0))
	d.now = d.readMoment()
	return d
}

// better names the vectors whose recorded answer is a fault of the recording
// implementation, and what is decoded instead.
var better = map[string]func(t *testing.T, d *decoder){
	"all-zero-ram (decodes to nothing, with reasons)": func(t *testing.T, d *decoder) {
		st := Decode(d.mem, d.p)
		if st.Scene.Mode != emu.ModeUnknown || st.Party != nil || st.Undecoded[partParty] == "" {
			t.Errorf("all-zero memory decodes to %+v", st)
		}
	},
	"facing-9 (a direction that is none is no facing)": func(t *testing.T, d *decoder) {
		o, _ := d.object(0)
		if o.facing != "" || o.x != 13 || o.y != 13 {
			t.Errorf("player is %+v", o)
		}
	},
	"party-bad-checksum (a bad egg in its slot)": func(t *testing.T, d *decoder) {
		party := d.party()
		if len(party.Members) != 1 || !party.Members[0].BadEgg || party.Members[0].Species != 0 {
			t.Errorf("party is %+v", party)
		}
	},
	"party-menu-cursor-on-cancel-7 (the cursor is on cancel)": func(t *testing.T, d *decoder) {
		d.st.Party = d.party()
		m := d.partyList()
		if m.Cursor != len(m.Entries)-1 || m.Entries[m.Cursor].ID != "cancel" {
			t.Errorf("menu is %+v", m)
		}
	},
	"help-open (one entry that closes it)": func(t *testing.T, d *decoder) {
		m := d.menu()
		if m.ID != "help-system" || len(m.Entries) != 1 || m.Entries[0].ID != "close-help" {
			t.Errorf("menu is %+v", m)
		}
	},
	"battle-move-first-move-out-of-pp (the slot keeps its place)": func(t *testing.T, d *decoder) {
		b := d.battleRecord()
		if len(b.LegalMoves) != 1 || b.LegalMoves[0].Slot != 1 || b.LegalMoves[0].MoveID != "firered-move-52" {
			t.Errorf("legal moves are %+v", b.LegalMoves)
		}
		m := moveMenu(menuBattleMove, b.Asked(), b.MoveCursor)
		ids := []string{m.Entries[0].ID, m.Entries[1].ID, m.Entries[2].ID, m.Entries[3].ID}
		if diff := cmp.Diff([]string{"firered-move-33", "firered-move-52", "empty-2", "empty-3"}, ids); diff != "" {
			t.Error(diff)
		}
	},
	"save-block-half-initialised (no bag, nothing else)": func(t *testing.T, d *decoder) {
		if d.inventory() != nil || d.st.Undecoded[partInventory] == "" {
			t.Error("a bag decodes from half a save block")
		}
		if party := d.party(); party == nil {
			t.Error("the party is lost with the bag")
		}
	},
}

func TestVectors(t *testing.T) {
	f := readVectors(t)
	exceptions := map[string]func(*testing.T, *decoder){}
	for name, check := range better {
		for i := range f.Vectors {
			if id := f.Vectors[i].ID; len(name) > len(id) && name[:len(id)+1] == id+" " {
				exceptions[id] = check
				t.Run(name, func(t *testing.T) { check(t, vectorDecoder(vectorMachine(t, &f.Vectors[i]))) })
			}
		}
	}
	if len(exceptions) != len(better) {
		t.Errorf("%d of %d exceptions name a vector", len(exceptions), len(better))
	}
	for i := range f.Vectors {
		v := &f.Vectors[i]
		if _, ok := exceptions[v.ID]; ok {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			if v.OK == nil {
				t.Fatalf("recorded as an error (%s) and not named as an exception", v.Error)
			}
			checkVector(t, v, vectorDecoder(vectorMachine(t, v)))
		})
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func checkVector(t *testing.T, v *vector, d *decoder) {
	want := v.OK
	player, _ := d.object(0)
	equal(t, "x", player.x, want.Overworld.X)
	equal(t, "y", player.y, want.Overworld.Y)
	equal(t, "facing", string(player.facing), want.Overworld.Facing)
	equal(t, "controls free", d.controlsFree(), want.FieldReady)
	checkVectorBattle(t, v, d)
	checkVectorParty(t, v, d)
	checkVectorBag(t, v, d)
	checkVectorMap(t, v, d, player)
	equal(t, "parked", d.scriptParked(), want.Waiting)
	if len(want.DialogLines) > 0 {
		equal(t, "lines", lines(d.bytes(d.p.RAM.StringVar4, d.p.Layout.StringVar4Bytes), 0), want.DialogLines)
	}
}

func checkVectorParty(t *testing.T, v *vector, d *decoder) {
	d.st.Party = d.party()
	d.overlayBattle()
	members := d.st.Party.Members
	equal(t, "party size", len(members), len(v.OK.Party))
	for i, w := range v.OK.Party {
		g := members[i]
		equal(t, "slot", g.Slot, w.Slot)
		equal(t, "species", g.SpeciesID, w.Species)
		equal(t, "level", g.Level, w.Level)
		equal(t, "hp", g.HP, w.HP)
		equal(t, "max hp", g.MaxHP, w.MaxHP)
		equal(t, "fainted", g.Fainted(), w.Status == "fainted")
		for s, mv := range w.Moves {
			equal(t, "move", g.Moves[s].MoveID, mv.ID)
			equal(t, "power", g.Moves[s].Power, mv.Power)
		}
	}
}

func checkVectorBag(t *testing.T, v *vector, d *decoder) {
	inv := d.inventory()
	equal(t, "stacks", len(inv.Items), len(v.OK.Inventory))
	for i, w := range v.OK.Inventory {
		equal(t, "pocket", inv.Items[i].Pocket, w.Pocket)
		equal(t, "item", inv.Items[i].ItemID, w.Item)
		equal(t, "count", inv.Items[i].Count, w.Count)
	}
}

// prompts maps the vectors' input modes.
var prompts = map[string]emu.Prompt{"action": emu.PromptAction, "move": emu.PromptMove, "resolving": emu.PromptNone}

func checkVectorBattle(t *testing.T, v *vector, d *decoder) {
	want := v.OK.Battle
	equal(t, "in battle", d.now.inBattle, want != nil)
	if want == nil {
		if v.OK.Menu != nil {
			t.Error("a menu outside battle is not checked")
		}
		return
	}
	b := d.battleRecord()
	b.Prompt = d.commandPrompt(0)
	d.st.Battle = b
	equal(t, "flags", b.TypeFlags, want.TypeFlags)
	equal(t, "outcome", b.Outcome, want.Outcome)
	equal(t, "active slot", b.ActivePartySlot, want.ActiveSlot)
	equal(t, "action cursor", b.ActionCursor, want.Action)
	equal(t, "move cursor", b.MoveCursor, want.Move)
	equal(t, "prompt", b.Prompt, prompts[want.InputMode])
	equal(t, "legal moves", len(b.LegalMoves), len(want.Legal))
	for i, w := range want.Legal {
		equal(t, "move", b.LegalMoves[i].MoveID, w.ID)
		equal(t, "power", b.LegalMoves[i].Power, w.Power)
	}
	opponent := b.Opponent()
	equal(t, "opponent", opponent.SpeciesID, want.Opponent.Species)
	equal(t, "opponent level", opponent.Level, want.Opponent.Level)
	equal(t, "opponent hp", opponent.HP, want.Opponent.HP)
	equal(t, "opponent max hp", opponent.MaxHP, want.Opponent.MaxHP)
	menu := d.battleMenu(b)
	equal(t, "menu open", menu != nil, v.OK.Menu != nil)
	if menu == nil {
		return
	}
	equal(t, "menu", menu.ID, v.OK.Menu.ID)
	equal(t, "cursor", menu.Cursor, v.OK.Menu.Cursor)
	// A move menu lists four slots here; the recorded one stops at the last.
	equal(t, "entries", menu.Entries[:len(v.OK.Menu.Entries)], v.OK.Menu.Entries)
}

func checkVectorMap(t *testing.T, v *vector, d *decoder, player object) {
	want := v.OK
	m, ok := d.mapRef()
	equal(t, "map identity", ok, want.MapIdentity != nil)
	if ok {
		equal(t, "map", m, MapRef{want.MapIdentity.Group, want.MapIdentity.Num})
		equal(t, "map id", d.p.MapID(m), want.MapIdentity.ID)
		if want.Objects != nil {
			equal(t, "occupants", d.occupants(m), want.Objects)
		}
	}
	g := d.grid()
	equal(t, "map decodes", g != nil, want.MapSize != nil)
	if g == nil {
		return
	}
	equal(t, "map size", emu.MapSize{Width: g.Width, Height: g.Height}, *want.MapSize)
	o := &emu.Overworld{Position: emu.Position{X: player.x, Y: player.y}, Facing: player.facing, Grid: g}
	s := surroundings(o)
	equal(t, "surroundings", map[string]emu.Tile{
		"north": s.North, "east": s.East, "south": s.South, "west": s.West, "ahead": s.Ahead,
	}, *want.Surroundings)
	exits := d.exits(g)
	equal(t, "warps", len(exits.Warps), len(want.Exits.Warps))
	for i, w := range want.Exits.Warps {
		equal(t, "warp", exits.Warps[i], emu.Warp{X: w.X, Y: w.Y, DestinationID: w.Destination})
	}
	equal(t, "connections", len(exits.Connections), len(want.Exits.Connections))
	for i, w := range want.Exits.Connections {
		equal(t, "connection direction", string(exits.Connections[i].Direction), w.Direction)
		equal(t, "connection", exits.Connections[i].DestinationID, w.Destination)
	}
}

func TestVectorTexts(t *testing.T) {
	for _, v := range readVectors(t).Texts {
		b := make([]byte, len(v.Bytes))
		for i, c := range v.Bytes {
			b[i] = byte(c)
		}
		equal(t, "lines", lines(b, 0), v.Lines)
	}
}
