package report

import "clankie/emu"

// Member is one creature of the party. Of an egg and a bad egg only the slot,
// the nickname and which of the two it is are told.
type Member struct {
	Slot        int        `json:"slot"`
	Species     *int       `json:"species"`
	SpeciesName *string    `json:"speciesName"`
	Nickname    string     `json:"nickname"`
	Level       *int       `json:"level"`
	Experience  *int       `json:"experience"`
	ToNextLevel *int       `json:"toNextLevel"`
	HP          *int       `json:"hp"`
	MaxHP       *int       `json:"maxHp"`
	Status      *string    `json:"status"` // sleep, poison, burn, freeze, paralysis, toxic or null
	Stats       *emu.Stats `json:"stats"`
	Nature      *int       `json:"nature"` // 0..24
	NatureName  *string    `json:"natureName"`
	AbilitySlot *int       `json:"abilitySlot"`
	AbilityName *string    `json:"abilityName"`
	HeldItem    *int       `json:"heldItem"`
	HeldName    *string    `json:"heldItemName"`
	Moves       *[]Move    `json:"moves"`
	IVs         *emu.Stats `json:"ivs"`
	EVs         *emu.Stats `json:"evs"`
	Friendship  *int       `json:"friendship"`
	Egg         bool       `json:"egg"`
	BadEgg      bool       `json:"badEgg"`
	Shiny       *bool      `json:"shiny"`
	Personality *string    `json:"personality"` // eight hexadecimal digits
	OTID        *int       `json:"otId"`        // public half
	OTSecretID  *int       `json:"otSecretId"`
}

// Move is a move slot that is not empty.
type Move struct {
	ID   int     `json:"id"`
	PP   int     `json:"pp"`
	Name *string `json:"name"`
}

func member(c *emu.Creature) Member {
	m := Member{Slot: c.Slot, Nickname: c.Nickname, Egg: c.Egg, BadEgg: c.BadEgg}
	if c.Egg || c.BadEgg {
		return m
	}
	personality, public, secret := hex32(c.Personality), int(c.OTID&0xFFFF), int(c.OTID>>16)
	m.Species, m.SpeciesName = &c.Species, orNull(c.SpeciesName)
	m.Level, m.Experience = &c.Level, &c.Experience
	if c.SpeciesName != "" {
		m.ToNextLevel = &c.ToNextLevel
	}
	m.HP, m.MaxHP, m.Status, m.Stats = &c.HP, &c.MaxHP, orNull(c.Ailment), &c.Stats
	m.Nature, m.NatureName = &c.Nature, orNull(c.NatureName)
	m.AbilitySlot, m.AbilityName = &c.AbilitySlot, orNull(c.Ability)
	known := moves(c.Moves)
	m.HeldItem, m.HeldName, m.Moves = &c.HeldItem, orNull(c.HeldName), &known
	m.IVs, m.EVs, m.Friendship, m.Shiny = &c.IVs, &c.EVs, &c.Friendship, &c.Shiny
	m.Personality, m.OTID, m.OTSecretID = &personality, &public, &secret
	return m
}

func moves(slots []emu.MoveSlot) []Move {
	out := []Move{}
	for i := range slots {
		if slots[i].ID != 0 {
			out = append(out, Move{slots[i].ID, slots[i].PP, orNull(slots[i].Name)})
		}
	}
	return out
}

// Battle is the battle that is on.
type Battle struct {
	Kind     string     `json:"kind"`
	Trainers []Opponent `json:"trainers"` // who is fought, none of a wild battle
	Prompt   []*string  `json:"prompt"`   // by battler index: choose_action, choose_move, choose_target or null
	Outcome  int        `json:"outcome"`
	Battlers []Battler  `json:"battlers"`
}

// Opponent is a trainer on the other side.
type Opponent struct {
	ID   int     `json:"id"`   // the game's number
	Name *string `json:"name"` // class and name
}

// Battler is one creature in it.
type Battler struct {
	Index       int     `json:"index"`
	Side        string  `json:"side"` // player or opponent
	Slot        int     `json:"slot"` // in its side's party
	Species     int     `json:"species"`
	SpeciesName *string `json:"speciesName"`
	Nickname    string  `json:"nickname"`
	Level       int     `json:"level"`
	HP          int     `json:"hp"`
	MaxHP       int     `json:"maxHp"`
	Moves       []Move  `json:"moves"`
	StatStages  Stages  `json:"statStages"` // -6..6
	Status      uint32  `json:"status"`     // the game's own status word
	Types       [2]int  `json:"types"`
	Transformed bool    `json:"transformed"`
}

// Stages are the changes of a battler's stats.
type Stages struct {
	HP        int `json:"hp"`
	Attack    int `json:"attack"`
	Defense   int `json:"defense"`
	Speed     int `json:"speed"`
	SpAttack  int `json:"spAttack"`
	SpDefense int `json:"spDefense"`
	Accuracy  int `json:"accuracy"`
	Evasion   int `json:"evasion"`
}

// neutralStage is the stage of an unchanged stat.
const neutralStage = 6

// prompts names what is asked.
var prompts = map[emu.Prompt]string{
	emu.PromptAction: "choose_action", emu.PromptMove: "choose_move", emu.PromptTarget: "choose_target",
}

// addBattle adds the battle that is on.
func (r *Report) addBattle(st *emu.State) {
	if st.Battle == nil {
		r.Undecoded["battle"] = st.Undecoded["battle"]
		return
	}
	r.Battle = &Battle{
		Kind: st.Battle.Kind, Outcome: st.Battle.Outcome, Trainers: opponents(st.Battle), Battlers: []Battler{}, Prompt: []*string{},
	}
	for i := range st.Battle.Battlers {
		b := &st.Battle.Battlers[i]
		r.Battle.Battlers = append(r.Battle.Battlers, battler(b))
		for len(r.Battle.Prompt) <= b.Index {
			r.Battle.Prompt = append(r.Battle.Prompt, nil) // of places without a battler too
		}
		r.Battle.Prompt[b.Index] = orNull(prompts[b.Prompt])
	}
	if asked := st.Battle.PromptIndex; asked < len(r.Battle.Prompt) && st.Battle.Prompt != emu.PromptNone {
		r.Battle.Prompt[asked] = orNull(prompts[st.Battle.Prompt])
	}
}

// opponents are the one or two trainers of a battle.
func opponents(b *emu.Battle) []Opponent {
	out := []Opponent{}
	if b.TrainerID != 0 {
		out = append(out, Opponent{b.TrainerID, orNull(b.TrainerName)})
	}
	if b.SecondTrainerID != 0 {
		out = append(out, Opponent{b.SecondTrainerID, orNull(b.SecondTrainerName)})
	}
	return out
}

func battler(b *emu.Battler) Battler {
	at := func(i int) int { return b.StatStages[i] - neutralStage }
	out := Battler{
		Index: b.Index, Side: b.Side, Slot: b.Slot, Species: b.Species, SpeciesName: orNull(b.SpeciesName),
		Nickname: b.Nickname, Level: b.Level, HP: b.HP, MaxHP: b.MaxHP, Moves: moves(b.Moves),
		StatStages: Stages{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)},
		Status:     b.Status, Transformed: b.Transformed,
	}
	for i := range out.Types {
		if len(b.TypeIDs) > 0 {
			out.Types[i] = b.TypeIDs[min(i, len(b.TypeIDs)-1)]
		}
	}
	return out
}
