package report_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clankie/emu/gen3"
	"clankie/emu/gen3/report"
	"clankie/emu/mgba"
	"clankie/emu/sharedtest"

	"github.com/go-json-experiment/json"
)

// tree is decoded JSON of any shape.
type tree = map[string]any

// comparison counts what it compares of one savestate.
type comparison struct {
	t                  *testing.T
	fields, mismatches int
}

func (c *comparison) equal(what string, got, want any) {
	c.t.Helper()
	c.fields++
	if fmt.Sprint(got) != fmt.Sprint(want) {
		c.mismatches++
		c.t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// members compares members of two objects; keys are "got=want" or one name.
func (c *comparison) members(what string, got, want tree, keys ...string) {
	c.t.Helper()
	for _, key := range keys {
		g, w, renamed := strings.Cut(key, "=")
		if !renamed {
			w = g
		}
		value, there := got[g]
		if !there {
			c.t.Errorf("%s has no %s", what, g)
		}
		c.equal(what+"."+g, value, want[w])
	}
}

// stats are the keys of six stats.
var stats = []string{"hp", "attack", "defense", "speed", "spAttack=sp_attack", "spDefense=sp_defense"}

// TestAgainstIndependentDecoder makes the report of every shared savestate and
// compares it, as printed, with what an independent decoder reads.
func TestAgainstIndependentDecoder(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data", "states"), "*", "*.s*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no savestates: %v", err)
	}
	builds := map[string]bool{}
	fields, mismatches := 0, 0
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		t.Run(name, func(t *testing.T) {
			got := printed(t, path)
			want := readTree(t, sharedtest.Path(t, "data", "expected", name+".json"))
			c := &comparison{t: t}
			c.compare(got, want)
			builds[got["build"].(string)] = true
			fields, mismatches = fields+c.fields, mismatches+c.mismatches
		})
	}
	t.Logf("states: %d, games: %d, fields compared: %d, mismatches: %d", len(paths), len(builds), fields, mismatches)
	if fields < 100*len(paths) {
		t.Error("the states were hardly compared")
	}
}

// printed is the report of a savestate as it is printed.
func printed(t *testing.T, path string) tree {
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
	c := report.Container{Kind: string(s.Kind), GameCode: s.GameCode, ROMCRC32: fmt.Sprintf("%08X", s.ROMCRC)}
	out, err := json.Marshal(report.Make(c, s.Memory(), p))
	if err != nil {
		t.Fatal(err)
	}
	var v tree
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func readTree(t *testing.T, path string) tree {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v tree
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// object is a member that is an object; nil when it is not.
func object(v tree, key string) tree {
	o, _ := v[key].(tree)
	return o
}

// list is a member that is a list of objects.
func list(v tree, key string) (out []tree) {
	items, _ := v[key].([]any)
	for _, item := range items {
		out = append(out, item.(tree))
	}
	return out
}

func (c *comparison) compare(got, want tree) {
	c.members("container", object(got, "container"), object(want, "container"), "kind", "gameCode=code", "romCrc32=rom_crc32")
	c.members("report", got, want, "game", "build")
	c.equal("screen", object(got, "scene")["screen"], want["screen"])
	c.reasons(got)
	c.dialog(object(got, "dialog"), object(want, "dialog"), object(got, "scene"))
	c.members("storage", object(got, "storage"), object(want, "pc_storage"), "count", "badChecksums=bad_checksums")
	c.trainer(object(got, "trainer"), object(want, "player"))
	c.party(list(got, "party"), list(want, "party"))
	c.bag(object(got, "bag"), object(want, "bag"))
	if want["map_loaded"] != true {
		c.equal("map", got["map"], nil)
		c.equal("overworld", got["overworld"], nil)
		return
	}
	c.field(got, want)
	c.battle(object(got, "battle"), object(want, "battle"))
}

// reasons: whatever is null says why.
func (c *comparison) reasons(got tree) {
	for key, v := range got {
		if v == nil {
			reason, _ := object(got, "undecoded")[key].(string)
			c.equal(key+" has a reason", reason != "", true)
		}
	}
}

func (c *comparison) field(got, want tree) {
	m, position, wantMap := object(got, "map"), object(want, "position"), object(want, "map")
	c.members("map", m, position, "group=map_group", "number=map_num")
	c.members("map", m, wantMap, "width", "height", "collisionSha256=collision_sha256")
	c.members("map.player", object(m, "player"), position, "x", "y")
	o := object(got, "overworld")
	c.equal("facing", o["facing"], position["facing"])
	c.equal("x", object(o, "position")["x"], position["object_x"].(float64)+7)
	c.equal("y", object(o, "position")["y"], position["object_y"].(float64)+7)
	if object(want, "battle")["in_battle"] == true {
		c.equal("surroundings", o["surroundings"], nil)
		return
	}
	occupants := slices.DeleteFunc(list(want, "object_events"), func(e tree) bool {
		return e["is_player"] == true || e["map_num"] != position["map_num"] || e["map_group"] != position["map_group"]
	})
	c.equal("occupants", len(list(o, "occupants")), len(occupants))
	for i, e := range list(o, "occupants") {
		c.members("occupant", e, occupants[i], "localId=local_id", "graphicsId=graphics_id", "facing")
		c.equal("occupant x", e["x"], occupants[i]["x"].(float64)+7)
		c.equal("occupant y", e["y"], occupants[i]["y"].(float64)+7)
	}
}

func (c *comparison) trainer(got, want tree) {
	c.members("trainer", got, want, "name", "gender", "publicId=trainer_id", "secretId=secret_id", "money", "coins", "badges")
	c.members("play time", object(got, "playTime"), object(want, "play_time"), "hours", "minutes", "seconds")
	c.members("dex", object(got, "dex"), object(want, "pokedex"), "owned", "seen")
}

func (c *comparison) party(got, want []tree) {
	c.equal("party", len(got), len(want))
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		c.members("member", g, w, "slot", "egg=is_egg")
		c.equal("bad egg", g["badEgg"], w["is_bad_egg"] == true || w["checksum_ok"] != true)
		if g["egg"] == true || g["badEgg"] == true {
			c.equal("species of an egg", g["species"], nil)
			continue
		}
		c.members("member", g, w, "species", "nickname", "level", "experience=exp", "hp", "maxHp=max_hp", "nature",
			"abilitySlot=ability_slot", "heldItem=held_item", "shiny", "personality", "otId=ot_id", "otSecretId=ot_secret_id", "friendship")
		c.members("ivs", object(g, "ivs"), object(w, "ivs"), stats...)
		c.members("evs", object(g, "evs"), object(w, "evs"), stats...)
		c.members("stats", object(g, "stats"), object(w, "stats"), stats[1:]...)
		c.moves(list(g, "moves"), list(w, "moves"))
		c.equal("name without a cartridge", g["speciesName"], nil)
	}
}

func (c *comparison) moves(got, want []tree) {
	c.equal("moves", len(got), len(want))
	for i := range min(len(got), len(want)) {
		c.members("move", got[i], want[i], "id", "pp")
	}
}

func (c *comparison) bag(got, want tree) {
	for key, pocket := range map[string]string{
		"items": "items", "keyItems": "key_items", "pokeBalls": "poke_balls", "tmHm": "tm_hm", "berries": "berries",
	} {
		items, entries := list(got, key), list(object(want, pocket), "entries")
		c.equal(key, len(items), len(entries))
		for i := range min(len(items), len(entries)) {
			c.members(key, items[i], entries[i], "id=item", "count=quantity")
		}
	}
}

func (c *comparison) dialog(got, want, scene tree) {
	if got == nil {
		return
	}
	c.members("dialog", got, want, "open", "waiting=waiting_for_button")
	c.equal("scene waits", scene["waitingForDialogAdvance"], want["waiting_for_button"])
	if want["open"] == true {
		first, _, _ := strings.Cut(want["string_var_4"].(string), "\n")
		c.equal("first line", got["lines"].([]any)[0], first)
	}
}

func (c *comparison) battle(got, want tree) {
	c.equal("battle", got != nil, want["in_battle"])
	if got == nil {
		return
	}
	battlers, expected := list(got, "battlers"), list(want, "battlers")
	c.equal("battlers", len(battlers), len(expected))
	for i := range min(len(battlers), len(expected)) {
		g, w := battlers[i], expected[i]
		c.members("battler", g, w, "index", "side", "slot=party_index", "species", "level", "hp", "maxHp=max_hp", "types", "nickname")
		c.members("stages", object(g, "statStages"), object(w, "stat_stages"), append([]string{"accuracy", "evasion"}, stats...)...)
		c.moves(list(g, "moves"), list(w, "moves"))
		status, _ := strconv.ParseUint(w["status1"].(string), 16, 32)
		c.equal("status", g["status"], status)
		c.equal("prompt", got["prompt"].([]any)[i], want["prompts"].([]any)[i])
	}
}

// TestContainers: a plain state gives the same report in libretro's container.
func TestContainers(t *testing.T) {
	path := sharedtest.Path(t, "data", "states", "emerald_extra", "t_dialog.state")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wrapped := filepath.Join(t.TempDir(), "t_dialog.state")
	if err := os.WriteFile(wrapped, append(raw, make([]byte, 16)...), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, libretro := printed(t, path), printed(t, wrapped)
	c := &comparison{t: t}
	c.equal("kinds", []any{object(plain, "container")["kind"], object(libretro, "container")["kind"]}, []any{"raw", "libretro"})
	delete(object(plain, "container"), "kind")
	delete(object(libretro, "container"), "kind")
	c.equal("report", libretro, plain)
}

func TestPrint(t *testing.T) {
	s, p := emerald(t, "t_wild_battle")
	r := report.Make(report.Container{Kind: "raw", GameCode: s.GameCode}, s.Memory(), p)
	var b strings.Builder
	if err := r.Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"build      emerald", "TORCHIC level 5, HP 19 of 19", "opponent: WURMPLE", "not read   "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

func TestUnknownGame(t *testing.T) {
	s := make([]byte, mgba.StateBytes)
	copy(s, []byte{7, 0, 0, 1})
	copy(s[0x1C:], "ABCD")
	state, err := mgba.ParseSavestate(s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(report.Make(report.Container{Kind: "raw"}, state.Memory(), gen3.Screen))
	if err != nil {
		t.Fatal(err)
	}
	var v tree
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v in %s", err, hex.EncodeToString(out))
	}
	c := &comparison{t: t}
	c.reasons(v)
	c.equal("game", v["game"], "screen")
	c.equal("screen", object(v, "scene")["screen"], "unknown")
	c.equal("party", v["party"], nil)
	c.equal("dialog", v["dialog"], nil)
}
