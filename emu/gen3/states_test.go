package gen3_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"

	"github.com/go-json-experiment/json"
)

// expectedState is what an independent decoder reads from a savestate.
type expectedState struct {
	Build    string `json:"build"`
	Screen   string `json:"screen"`
	Position struct {
		Group     int    `json:"map_group"`
		Number    int    `json:"map_num"`
		X         int    `json:"x"`
		Y         int    `json:"y"`
		Facing    string `json:"facing"`
		Elevation int    `json:"elevation"`
		Behavior  int    `json:"metatile_behavior"`
	} `json:"position"`
	Map struct {
		Width           int    `json:"width"`
		Height          int    `json:"height"`
		CollisionSHA256 string `json:"collision_sha256"`
		Blocked         int    `json:"blocked_tiles"`
		Neighbours      map[string]struct {
			Metatile  int `json:"metatile"`
			Collision int `json:"collision"`
			Elevation int `json:"elevation"`
		} `json:"neighbours"`
	} `json:"map"`
	Avatar struct {
		Flags int `json:"flags"`
	} `json:"avatar"`
	Weather struct {
		Current int `json:"current"`
	} `json:"weather"`
	Objects []struct {
		LocalID  int    `json:"local_id"`
		Graphics int    `json:"graphics_id"`
		X        int    `json:"x"`
		Y        int    `json:"y"`
		Facing   string `json:"facing"`
		IsPlayer bool   `json:"is_player"`
		MapNum   int    `json:"map_num"`
		MapGroup int    `json:"map_group"`
	} `json:"object_events"`
	Dialog struct {
		Open    bool `json:"open"`
		Waiting bool `json:"waiting_for_button"`

		Printing bool `json:"printing"`
	} `json:"dialog"`
	Player struct {
		Name     string `json:"name"`
		Gender   string `json:"gender"`
		ID       int    `json:"trainer_id"`
		Secret   int    `json:"secret_id"`
		Money    int    `json:"money"`
		Coins    int    `json:"coins"`
		PlayTime struct {
			Hours   int `json:"hours"`
			Minutes int `json:"minutes"`
			Seconds int `json:"seconds"`
		} `json:"play_time"`
		Badges [8]int `json:"badges"`
		Dex    struct {
			Owned int `json:"owned"`
			Seen  int `json:"seen"`
		} `json:"pokedex"`
		Rival string `json:"rival_name"`
	} `json:"player"`
	Party []struct {
		Slot        int    `json:"slot"`
		Species     int    `json:"species"`
		Nickname    string `json:"nickname"`
		OTID        uint32 `json:"ot_id"`
		OTSecret    uint32 `json:"ot_secret_id"`
		Personality string `json:"personality"`
		ChecksumOK  bool   `json:"checksum_ok"`
		BadEgg      bool   `json:"is_bad_egg"`
		Egg         bool   `json:"is_egg"`
		HeldItem    int    `json:"held_item"`
		Experience  int    `json:"exp"`
		Friendship  int    `json:"friendship"`
		Nature      int    `json:"nature"`
		AbilitySlot int    `json:"ability_slot"`
		Moves       []struct {
			ID int `json:"id"`
			PP int `json:"pp"`
		} `json:"moves"`
		IVs    expectedStats `json:"ivs"`
		EVs    expectedStats `json:"evs"`
		Shiny  bool          `json:"shiny"`
		Level  int           `json:"level"`
		HP     int           `json:"hp"`
		MaxHP  int           `json:"max_hp"`
		Stats  expectedStats `json:"stats"`
		Status []string      `json:"status_names"`
	} `json:"party"`
	Bag map[string]struct {
		Entries []struct {
			Item     int `json:"item"`
			Quantity int `json:"quantity"`
		} `json:"entries"`
	} `json:"bag"`
	Storage struct {
		Count int `json:"count"`
		Bad   int `json:"bad_checksums"`
	} `json:"pc_storage"`
	Battle struct {
		InBattle bool `json:"in_battle"`
	} `json:"battle"`
}

type expectedStats struct {
	HP        int `json:"hp"`
	Attack    int `json:"attack"`
	Defense   int `json:"defense"`
	Speed     int `json:"speed"`
	SpAttack  int `json:"sp_attack"`
	SpDefense int `json:"sp_defense"`
}

// comparison counts what was compared, so that a comparison of nothing shows.
type comparison struct {
	t      *testing.T
	fields int
}

func (c *comparison) equal(what string, got, want any) {
	c.t.Helper()
	c.fields++
	if fmt.Sprint(got) != fmt.Sprint(want) {
		c.t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// loadState reads a shared savestate's memory and profile.
func loadState(t testing.TB, path string) (emu.Memory, *gen3.Profile) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := mgba.ParseSavestate(data)
	if err != nil {
		t.Fatal(err)
	}
	p := gen3.ProfileForCRC(s.GameCode, s.ROMCRC)
	if !p.Decodes() {
		t.Fatalf("no profile for %s with CRC %08X", s.GameCode, s.ROMCRC)
	}
	return s.Memory(), p
}

// retailStates are the shared savestates of all games.
func retailStates(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data", "states"), "*", "*.s*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no savestates: %v", err)
	}
	return paths
}

// stateName is a savestate's set and name.
func stateName(path string) string {
	name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// TestRetailStates decodes savestates made with the retail games and compares
// them with an independent decoder.
func TestRetailStates(t *testing.T) {
	total := 0
	for _, path := range retailStates(t) {
		name := stateName(path)
		t.Run(name, func(t *testing.T) {
			mem, p := loadState(t, path)
			var want expectedState
			data, err := os.ReadFile(sharedtest.Path(t, "data", "expected", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			c := &comparison{t: t}
			c.equal("profile", p.Name, want.Build)
			compareState(c, gen3.Decode(mem, p), &want)
			storage, ok := gen3.DecodeStorage(mem, p)
			c.equal("storage read", ok, true)
			c.equal("storage count", storage.Count, want.Storage.Count)
			c.equal("storage bad", storage.BadChecksums, want.Storage.Bad)
			total += c.fields
		})
	}
	t.Logf("compared %d fields", total)
}

func compareState(c *comparison, got emu.State, want *expectedState) {
	c.equal("torn", got.Torn, false)
	c.equal("screen", got.Scene.Screen, want.Screen)
	c.equal("dialog open", got.Dialog != nil, want.Dialog.Open)
	c.equal("printing", got.Dialog != nil && got.Dialog.Printing, want.Dialog.Printing)
	c.equal("in battle", got.Battle != nil, want.Battle.InBattle)
	if got.Scene.Screen == "main_menu" {
		c.equal("overworld", got.Overworld == nil, true)
		return
	}
	if got.Overworld == nil || got.Party == nil || got.Trainer == nil || got.Inventory == nil {
		c.t.Fatalf("parts are missing: %v", got.Undecoded)
	}
	c.equal("input ready", got.Scene.InputReady, !want.Dialog.Open)
	c.equal("dialog waits", got.Scene.WaitingForDialogAdvance, want.Dialog.Waiting)
	compareOverworld(c, got.Overworld, want)
	compareTrainer(c, got.Trainer, want)
	compareBag(c, got.Inventory, want)
	c.equal("party size", len(got.Party.Members), len(want.Party))
	for i := range min(len(got.Party.Members), len(want.Party)) {
		compareCreature(c, &got.Party.Members[i], want, i)
	}
}

func compareOverworld(c *comparison, o *emu.Overworld, want *expectedState) {
	c.equal("map group", o.MapGroup, want.Position.Group)
	c.equal("map number", o.MapNumber, want.Position.Number)
	c.equal("x", o.Position.X, want.Position.X+emu.MapBorder)
	c.equal("y", o.Position.Y, want.Position.Y+emu.MapBorder)
	c.equal("facing", o.Facing, want.Position.Facing)
	c.equal("elevation", o.Elevation, want.Position.Elevation)
	c.equal("surfing", o.Surfing, want.Avatar.Flags&8 != 0)
	c.equal("weather", o.Weather, map[int]string{0: "none", 2: "sunny", 5: "thunderstorm"}[want.Weather.Current])
	c.equal("underwater", o.Underwater, want.Avatar.Flags&16 != 0)
	if want.Battle.InBattle {
		c.equal("map on screen", o.Grid != nil, false)
		return
	}
	if o.Grid == nil || o.Surroundings == nil || o.Minimap == nil {
		c.t.Fatal("the map did not decode")
	}
	c.equal("width", o.Grid.Width, want.Map.Width)
	c.equal("height", o.Grid.Height, want.Map.Height)
	collision := make([]byte, 0, len(o.Grid.Blocks))
	blocked := 0
	for _, cell := range o.Grid.All() {
		collision = append(collision, cell.Collision)
		if cell.Collision != 0 {
			blocked++
		}
	}
	sum := sha256.Sum256(collision)
	c.equal("collision digest", hex.EncodeToString(sum[:]), want.Map.CollisionSHA256)
	c.equal("blocked tiles", blocked, want.Map.Blocked)
	for dir, tile := range map[string]emu.Tile{
		"north": o.Surroundings.North, "east": o.Surroundings.East, "south": o.Surroundings.South, "west": o.Surroundings.West,
	} {
		if tile.MetatileID == nil {
			continue // off the map
		}
		n := want.Map.Neighbours[dir]
		c.equal(dir+" metatile", *tile.MetatileID, n.Metatile)
		c.equal(dir+" elevation", *tile.Elevation, n.Elevation)
		c.equal(dir+" passable", tile.Passable, n.Collision == 0 && !o.Occupied(emu.Point{X: tile.X, Y: tile.Y}))
	}
	i := 0
	for _, w := range want.Objects {
		if w.IsPlayer || w.MapNum != want.Position.Number || w.MapGroup != want.Position.Group {
			continue // those of a neighbouring map stand on that one
		}
		if i >= len(o.Occupants) {
			c.t.Fatalf("%d occupants are too few", len(o.Occupants))
		}
		g := o.Occupants[i]
		c.equal("occupant id", g.LocalID, w.LocalID)
		c.equal("occupant graphics", g.GraphicsID, w.Graphics)
		c.equal("occupant x", g.X, w.X+emu.MapBorder)
		c.equal("occupant y", g.Y, w.Y+emu.MapBorder)
		c.equal("occupant facing", *g.Facing, w.Facing)
		i++
	}
	c.equal("occupants", len(o.Occupants), i)
}

func compareTrainer(c *comparison, tr *emu.Trainer, want *expectedState) {
	c.equal("name", tr.Name, want.Player.Name)
	c.equal("gender", []string{"male", "female"}[tr.Gender], want.Player.Gender)
	c.equal("public id", tr.PublicID, want.Player.ID)
	c.equal("secret id", tr.SecretID, want.Player.Secret)
	c.equal("money", tr.Money, want.Player.Money)
	c.equal("coins", tr.Coins, want.Player.Coins)
	c.equal("play time", tr.PlayTime, want.Player.PlayTime)
	c.equal("dex owned", tr.DexOwned, want.Player.Dex.Owned)
	c.equal("dex seen", tr.DexSeen, want.Player.Dex.Seen)
	c.equal("rival", tr.RivalName, want.Player.Rival)
	for i, b := range tr.Badges {
		c.equal("badge", b, want.Player.Badges[i] == 1)
	}
}

func compareBag(c *comparison, inv *emu.Inventory, want *expectedState) {
	i := 0
	for _, pocket := range [][2]string{
		{"items", "items"}, {"key-items", "key_items"}, {"poke-balls", "poke_balls"}, {"tm-hm", "tm_hm"}, {"berries", "berries"},
	} {
		for _, e := range want.Bag[pocket[1]].Entries {
			if i >= len(inv.Items) {
				c.t.Fatalf("%d stacks are too few", len(inv.Items))
			}
			c.equal("pocket", inv.Items[i].Pocket, pocket[0])
			c.equal("item", inv.Items[i].ID, e.Item)
			c.equal("count", inv.Items[i].Count, e.Quantity)
			i++
		}
	}
	c.equal("stacks", len(inv.Items), i)
}

func compareCreature(c *comparison, g *emu.Creature, want *expectedState, i int) {
	w := &want.Party[i]
	c.equal("slot", g.Slot, w.Slot)
	c.equal("bad egg", g.BadEgg, w.BadEgg || !w.ChecksumOK)
	c.equal("egg", g.Egg, w.Egg)
	if g.Egg || g.BadEgg {
		return
	}
	c.equal("species", g.Species, w.Species)
	c.equal("nickname", g.Nickname, w.Nickname)
	c.equal("personality", fmt.Sprintf("%08X", g.Personality), w.Personality)
	c.equal("ot id", g.OTID, w.OTSecret<<16|w.OTID)
	c.equal("held item", g.HeldItem, w.HeldItem)
	c.equal("experience", g.Experience, w.Experience)
	c.equal("friendship", g.Friendship, w.Friendship)
	c.equal("nature", g.Nature, w.Nature)
	c.equal("ability slot", g.AbilitySlot, w.AbilitySlot)
	c.equal("shiny", g.Shiny, w.Shiny)
	c.equal("level", g.Level, w.Level)
	c.equal("hp", g.HP, w.HP)
	c.equal("max hp", g.MaxHP, w.MaxHP)
	c.equal("ivs", g.IVs, w.IVs)
	c.equal("evs", g.EVs, w.EVs)
	w.Stats.HP = w.MaxHP
	c.equal("stats", g.Stats, w.Stats)
	c.equal("ailment", g.Ailment != "", len(w.Status) > 0)
	moves := 0
	for _, m := range g.Moves {
		if m.ID == 0 {
			continue
		}
		if moves < len(w.Moves) {
			c.equal("move", m.ID, w.Moves[moves].ID)
			c.equal("pp", m.PP, w.Moves[moves].PP)
		}
		moves++
	}
	c.equal("moves", moves, len(w.Moves))
}

// BenchmarkDecodeRetail decodes each savestate of the retail game.
func BenchmarkDecodeRetail(b *testing.B) {
	for _, path := range retailStates(b) {
		mem, p := loadState(b, path)
		b.Run(stateName(path), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				gen3.Decode(mem, p)
			}
		})
	}
}

// BenchmarkFullSet decodes each savestate and makes all ten observations of
// it, digests apart. A quarter of an emulated frame is some 80 microseconds.
func BenchmarkFullSet(b *testing.B) {
	noDigest := func() emu.Digest { return "" }
	for _, path := range retailStates(b) {
		mem, p := loadState(b, path)
		b.Run(stateName(path), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in := emu.ObservationInput{State: gen3.Decode(mem, p), RAM: noDigest, Picture: noDigest}
				for _, kind := range emu.ObservationKinds {
					_, _ = emu.Observe(kind, in)
				}
			}
		})
	}
}
