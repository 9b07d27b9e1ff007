package report

import (
	"cmp"
	"fmt"

	"clankie/emu"
	"clankie/emu/gen3"
)

// Report is the whole object.
type Report struct {
	Container Container          `json:"container"`
	Game      string             `json:"game"`
	Build     string             `json:"build"`
	Scene     *Scene             `json:"scene"`
	Map       *Map               `json:"map"`
	Overworld *emu.OverworldData `json:"overworld"`
	Trainer   *Trainer           `json:"trainer"`
	Party     *[]Member          `json:"party"`
	Bag       *Bag               `json:"bag"`
	Storage   *Storage           `json:"storage"`
	Dialog    *Dialog            `json:"dialog"`
	Battle    *Battle            `json:"battle"`
	Undecoded map[string]string  `json:"undecoded"`
}

// Container says how the savestate was wrapped and what it says of itself.
type Container struct {
	Kind     string `json:"kind"` // png, raw or libretro
	GameCode string `json:"gameCode"`
	ROMCRC32 string `json:"romCrc32"` // eight hexadecimal digits
}

// Scene is the scene observation and the screen.
type Scene struct {
	Mode                    emu.Mode   `json:"mode"`
	InputReady              bool       `json:"inputReady"`
	WaitingForDialogAdvance bool       `json:"waitingForDialogAdvance"`
	Screen                  emu.Screen `json:"screen"`
}

// Map is the map in memory; everything is counted without the border.
type Map struct {
	Group           int        `json:"group"`
	Number          int        `json:"number"`
	Name            *string    `json:"name"`
	Width           int        `json:"width"`
	Height          int        `json:"height"`
	Player          emu.Point  `json:"player"`
	CollisionSHA256 emu.Digest `json:"collisionSha256"` // of one byte per cell, row by row
}

// Trainer is the player's card.
type Trainer struct {
	Name     string       `json:"name"`
	Gender   string       `json:"gender"` // male or female
	PublicID int          `json:"publicId"`
	SecretID int          `json:"secretId"`
	Money    int          `json:"money"`
	Coins    int          `json:"coins"`
	Badges   [8]int       `json:"badges"` // 0 or 1
	PlayTime emu.PlayTime `json:"playTime"`
	Dex      Dex          `json:"dex"`
	Rival    *string      `json:"rivalName"`
}

// Dex counts the Pokédex.
type Dex struct {
	Owned int `json:"owned"`
	Seen  int `json:"seen"`
}

// Bag is the bag by pocket.
type Bag struct {
	Items     []Item `json:"items"`
	KeyItems  []Item `json:"keyItems"`
	PokeBalls []Item `json:"pokeBalls"`
	TMHM      []Item `json:"tmHm"`
	Berries   []Item `json:"berries"`
}

// Item is one stack.
type Item struct {
	ID    int     `json:"id"`
	Count int     `json:"count"`
	Name  *string `json:"name"`
}

// Storage counts the storage system.
type Storage struct {
	Count        int `json:"count"`
	BadChecksums int `json:"badChecksums"`
}

// Dialog is the message box with its whole text; a closed one has no lines.
type Dialog struct {
	Open    bool     `json:"open"`
	Waiting bool     `json:"waiting"`
	Lines   []string `json:"lines"`
}

// Make decodes mem by profile and tells what it found.
func Make(c Container, mem emu.Memory, p *gen3.Profile) Report {
	st := gen3.Decode(mem, p)
	r := Report{
		Container: c, Game: p.Prefix, Build: p.Name,
		Scene: &Scene{st.Scene.Mode, st.Scene.InputReady, st.Scene.WaitingForDialogAdvance, st.Scene.Screen},

		Undecoded: map[string]string{},
	}
	r.addField(mem, p, &st)
	r.addPossessions(mem, p, &st)
	r.addBattle(&st)
	if reason, ok := st.Undecoded["tables"]; ok {
		r.Undecoded["tables"] = reason
	}
	return r
}

// addField adds the map and what lies around the player.
func (r *Report) addField(mem emu.Memory, p *gen3.Profile, st *emu.State) {
	if m, reason := gen3.DecodeMap(mem, p); reason == "" {
		r.Map = &Map{
			Group: m.Group, Number: m.Number, Name: orNull(m.Name), Player: m.Player,
			Width: m.Grid.Width, Height: m.Grid.Height, CollisionSHA256: collisionDigest(m.Grid),
		}
	} else {
		r.Undecoded["map"] = reason
	}
	in := emu.ObservationInput{State: *st, RAM: mem.RAMDigest, Speaker: p.Name}
	switch data, err := emu.Observe(emu.ObserveOverworld, in); {
	case err == nil:
		o := data.(emu.OverworldData)
		r.Overworld = &o
		for _, part := range []string{"occupants", "exits"} {
			if reason, ok := st.Undecoded[part]; ok {
				r.Undecoded[part] = reason
			}
		}
	case st.Undecoded["overworld"] != "":
		r.Undecoded["overworld"] = st.Undecoded["overworld"]
	default:
		r.Undecoded["overworld"] = err.Message
	}
	if p.Decodes() && st.Scene.Mode != emu.ModeUnknown {
		r.Dialog = &Dialog{Lines: []string{}}
		if d := st.Dialog; d != nil {
			*r.Dialog = Dialog{Open: true, Waiting: d.Waiting, Lines: d.Text}
		}
	} else {
		r.Undecoded["dialog"] = st.Undecoded["dialog"]
	}
}

// collisionDigest hashes one byte of collision per cell.
func collisionDigest(g *emu.Grid) emu.Digest {
	cells := make([]byte, 0, len(g.Blocks))
	for _, b := range g.Blocks {
		cells = append(cells, b.Collision())
	}
	return emu.DigestOf(cells)
}

// addPossessions adds what the player has.
func (r *Report) addPossessions(mem emu.Memory, p *gen3.Profile, st *emu.State) {
	if t := st.Trainer; t != nil {
		r.Trainer = trainer(t)
	} else {
		r.Undecoded["trainer"] = st.Undecoded["trainer"]
	}
	if party := gen3.DecodeParty(mem, p); party != nil {
		members := make([]Member, len(party.Members))
		for i := range members {
			members[i] = member(&party.Members[i])
		}
		r.Party = &members
	} else {
		r.Undecoded["party"] = st.Undecoded["party"]
	}
	if st.Inventory != nil {
		r.Bag = bag(st.Inventory)
	}
	if reason, ok := st.Undecoded["inventory"]; ok {
		r.Undecoded["bag"] = reason
	}
	if s, ok := gen3.DecodeStorage(mem, p); ok {
		r.Storage = &Storage{s.Count, s.BadChecksums}
	} else {
		r.Undecoded["storage"] = cmp.Or(st.Undecoded["trainer"], "no storage system is in memory")
	}
}

func trainer(t *emu.Trainer) *Trainer {
	out := &Trainer{
		Name: t.Name, Gender: [...]string{"male", "female"}[t.Gender&1], PublicID: t.PublicID, SecretID: t.SecretID,
		Money: t.Money, Coins: t.Coins, PlayTime: t.PlayTime, Dex: Dex{t.DexOwned, t.DexSeen}, Rival: orNull(t.RivalName),
	}
	for i, won := range t.Badges {
		if won {
			out.Badges[i] = 1
		}
	}
	return out
}

func bag(inv *emu.Inventory) *Bag {
	b := &Bag{Items: []Item{}, KeyItems: []Item{}, PokeBalls: []Item{}, TMHM: []Item{}, Berries: []Item{}}
	pockets := map[string]*[]Item{
		"items": &b.Items, "key-items": &b.KeyItems, "poke-balls": &b.PokeBalls, "tm-hm": &b.TMHM, "berries": &b.Berries,
	}
	for _, it := range inv.Items {
		pocket := pockets[it.Pocket]
		*pocket = append(*pocket, Item{it.ID, it.Count, orNull(it.Name)})
	}
	return b
}

// orNull is nil for a name that was not read.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func hex32(v uint32) string { return fmt.Sprintf("%08X", v) }
