package double

import (
	"slices"

	"clankie/emu"
)

// Modes of the machine. A field menu is open in the overworld: the machine has
// no mode of its own for it.
const (
	modeOverworld = "overworld"
	modeDialog    = "dialog"
	modeBattle    = "battle"
	modeWon       = "battle_won"
	modeLost      = "battle_lost"
)

// printFrames is how long a line of dialogue is printed, and printHaste how
// many times faster while A or B is held.
const (
	printFrames = 20
	printHaste  = 4
)

// machine is the state machine. Everything in it follows from the scenario
// and the calls made.
type machine struct {
	scenario Scenario

	mode    string
	at      emu.Point
	facing  emu.Direction
	line    int
	lines   []string
	menu    *menu
	items   []item
	party   []member
	active  int // slot, not index
	battle  *battle
	frame   uint64
	inputs  uint64
	rng     uint32
	printed int // frames the current line has been printed for
}

// The parts of the state that are hashed, in their wire shape.
type (
	menu struct {
		MenuID  string          `json:"menuId"`
		Cursor  int             `json:"cursor"`
		Entries []emu.MenuEntry `json:"entries"`
	}
	item struct {
		Pocket string `json:"pocket"`
		ItemID string `json:"itemId"`
		Count  int    `json:"count"`
	}
	member struct {
		Slot      int    `json:"slot"`
		SpeciesID string `json:"speciesId"`
		Level     int    `json:"level"`
		MaxHP     int    `json:"maxHp"`
		Moves     []Move `json:"moves"`
		CurrentHP int    `json:"currentHp"`
		Status    string `json:"status"`
	}
	battle struct {
		BattleID   string   `json:"battleId"`
		Turn       int      `json:"turn"`
		InputMode  string   `json:"inputMode"` // move
		MoveCursor int      `json:"moveCursor"`
		Opponent   opponent `json:"opponent"`
	}
	opponent struct {
		SpeciesID string `json:"speciesId"`
		Level     int    `json:"level"`
		MaxHP     int    `json:"maxHp"`
		CurrentHP int    `json:"currentHp"`
	}
)

const (
	healthy = "healthy"
	fainted = "fainted"
)

func newMachine(s Scenario) *machine {
	m := &machine{
		scenario: s, mode: modeOverworld, at: s.Player.Start, facing: emu.East, lines: []string{},
		items: []item{{Pocket: "items", ItemID: "potion", Count: 1}}, rng: s.RNGSeed, active: s.Player.Party[0].Slot,
	}
	for _, p := range s.Player.Party {
		m.party = append(m.party, member{
			Slot: p.Slot, SpeciesID: p.SpeciesID, Level: p.Level, MaxHP: p.MaxHP,
			Moves: p.Moves, CurrentHP: p.MaxHP, Status: healthy,
		})
	}
	return m
}

// run lets frames pass with held held down. Nothing happens but that a line is
// printed.
func (m *machine) run(frames int, held emu.Keys) {
	m.frame += uint64(frames)
	if m.mode != modeDialog {
		return
	}
	if held&(emu.KeyA|emu.KeyB) != 0 {
		frames *= printHaste
	}
	m.printed = min(m.printed+frames, printFrames)
}

// press does what a button does. Its frames have passed already.
func (m *machine) press(b emu.Button) {
	m.inputs++
	switch {
	case m.mode == modeOverworld && m.menu != nil:
		m.pressInMenu(b)
	case m.mode == modeOverworld:
		m.pressInField(b)
	case m.mode == modeDialog && b == emu.ButtonA:
		m.nextLine()
	case m.mode == modeBattle:
		m.pressInBattle(b)
	}
}

func (m *machine) pressInField(b emu.Button) {
	switch b {
	case emu.ButtonStart:
		m.menu = startMenu()
	case emu.ButtonA:
		if distance(m.at, m.scenario.Trainer.Position) <= m.scenario.Trainer.InteractionDistance {
			m.mode, m.line, m.lines, m.printed = modeDialog, 0, m.scenario.Trainer.Dialog, 0
		}
	default:
		m.step(b)
	}
}

func (m *machine) step(b emu.Button) {
	for _, d := range emu.Directions {
		if d.Button() != b {
			continue
		}
		m.facing = d
		dx, dy := d.Delta()
		if to := (emu.Point{X: m.at.X + dx, Y: m.at.Y + dy}); m.open(to) {
			m.at = to
		}
	}
}

// open reports whether a tile can be walked on.
func (m *machine) open(p emu.Point) bool {
	return m.scenario.Map.has(p) && p != m.scenario.Trainer.Position && !slices.Contains(m.scenario.Map.Blocked, p)
}

func (m *machine) nextLine() {
	m.line, m.printed = m.line+1, 0
	if m.line < len(m.lines) {
		return
	}
	foe := m.scenario.Trainer.Opponent
	m.mode, m.line, m.lines = modeBattle, 0, []string{}
	m.battle = &battle{
		BattleID: m.scenario.ScenarioID + ":" + m.scenario.Trainer.TrainerID, Turn: 1, InputMode: "move",
		Opponent: opponent{SpeciesID: foe.SpeciesID, Level: foe.Level, MaxHP: foe.MaxHP, CurrentHP: foe.MaxHP},
	}
	m.menu = moveMenu(m.fighter().Moves)
}

// fighter is the active member. It never changes.
func (m *machine) fighter() *member {
	for i := range m.party {
		if m.party[i].Slot == m.active {
			return &m.party[i]
		}
	}
	return &m.party[0]
}

func (m *machine) pressInBattle(b emu.Button) {
	moves := m.fighter().Moves
	target := m.battle.MoveCursor
	switch b {
	case emu.ButtonLeft, emu.ButtonRight:
		target ^= 1
	case emu.ButtonUp, emu.ButtonDown:
		target ^= 2
	case emu.ButtonA:
		m.attack(moves[target])
		return
	}
	if target < len(moves) {
		m.battle.MoveCursor, m.menu.Cursor = target, target
	}
}

// Factors of the generator that adds up to one point to an attack.
const (
	rngFactor = 1664525
	rngAddend = 1013904223
)

func (m *machine) attack(with Move) {
	m.rng = m.rng*rngFactor + rngAddend
	foe := &m.battle.Opponent
	foe.CurrentHP = max(foe.CurrentHP-with.Power-int(m.rng%2), 0)
	if foe.CurrentHP == 0 {
		m.mode, m.menu = modeWon, nil
		return
	}
	own := m.fighter()
	own.CurrentHP = max(own.CurrentHP-m.scenario.Trainer.Opponent.RetaliationDamage, 0)
	if own.CurrentHP == 0 {
		own.Status = fainted
	}
	if !slices.ContainsFunc(m.party, func(p member) bool { return p.Status != fainted }) {
		m.mode, m.menu = modeLost, nil
		return
	}
	m.battle.Turn++
}
