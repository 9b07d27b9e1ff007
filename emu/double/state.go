package double

import (
	"slices"

	"clankie/emu"
)

// minimapRadius is how far the minimap shows the map around the player.
const minimapRadius = 12

// state tells the machine's state as decoded state. It shares nothing that
// changes with the machine.
func (m *machine) state() emu.State {
	return emu.State{
		Scene:     m.scene(),
		Overworld: m.overworld(),
		Party:     m.partyState(),
		Inventory: m.inventory(),
		Battle:    m.battleState(),
		Dialog:    m.dialog(),
		Menu:      m.menuState(),
		Undecoded: map[string]string{"trainer": "the deterministic double has no trainer card"},
	}
}

func (m *machine) scene() emu.Scene {
	s := emu.Scene{Mode: emu.Mode(m.mode), Screen: emu.Screen(m.mode), InputReady: m.mode == modeOverworld || m.mode == modeBattle}
	switch {
	case m.mode == modeDialog:
		s.WaitingForDialogAdvance = m.printed >= printFrames
	case m.mode == modeOverworld && m.menu != nil:
		s.Mode = emu.ModeMenu
		s.Screen = map[string]emu.Screen{startMenuID: "start_menu", partyMenuID: "party", bagMenuID: "bag"}[m.menu.MenuID]
	case m.battle != nil:
		s.Screen = "battle"
	}
	return s
}

func (m *machine) overworld() *emu.Overworld {
	o := &emu.Overworld{Position: m.position(), Facing: m.facing, InputReady: m.mode == modeOverworld && m.menu == nil}
	if m.battle != nil {
		return o // the rest would be what the field looked like before
	}
	o.Surroundings = m.surroundings()
	o.Size = &emu.MapSize{Width: m.scenario.Map.Width, Height: m.scenario.Map.Height}
	o.Minimap = m.minimap()
	at := m.scenario.Trainer.Position
	o.Occupants = []emu.Occupant{{LocalID: 1, X: at.X, Y: at.Y}}
	o.Exits = &emu.Exits{Warps: []emu.Warp{}, Connections: []emu.Connection{}}
	return o
}

func (m *machine) surroundings() *emu.Surroundings {
	tile := func(d emu.Direction) emu.Tile {
		dx, dy := d.Delta()
		at := emu.Point{X: m.at.X + dx, Y: m.at.Y + dy}
		return emu.Tile{X: at.X, Y: at.Y, Passable: m.open(at)}
	}
	return &emu.Surroundings{
		North: tile(emu.North), East: tile(emu.East), South: tile(emu.South), West: tile(emu.West), Ahead: tile(m.facing),
	}
}

func (m *machine) minimap() *emu.Minimap {
	left, top := max(m.at.X-minimapRadius, 0), max(m.at.Y-minimapRadius, 0)
	right, bottom := min(m.at.X+minimapRadius, m.scenario.Map.Width-1), min(m.at.Y+minimapRadius, m.scenario.Map.Height-1)
	out := &emu.Minimap{TopLeft: emu.Point{X: left, Y: top}}
	for y := top; y <= bottom; y++ {
		row := make([]byte, 0, right-left+1)
		for x := left; x <= right; x++ {
			row = append(row, m.glyph(emu.Point{X: x, Y: y}))
		}
		out.Rows = append(out.Rows, string(row))
	}
	return out
}

func (m *machine) glyph(p emu.Point) byte {
	switch {
	case p == m.at:
		return '@'
	case p == m.scenario.Trainer.Position:
		return 'o'
	case m.open(p):
		return '.'
	}
	return '#'
}

func (m *machine) partyState() *emu.Party {
	out := &emu.Party{ActiveSlot: m.active}
	for _, p := range m.party {
		out.Members = append(out.Members, emu.Creature{
			Slot: p.Slot, SpeciesID: p.SpeciesID, SpeciesName: p.SpeciesID, Nickname: p.SpeciesID,
			Level: p.Level, HP: p.CurrentHP, MaxHP: p.MaxHP, Moves: moveSlots(p.Moves), Stats: emu.Stats{HP: p.MaxHP},
		})
	}
	return out
}

// moveSlots numbers moves by their place: the double's moves have no numbers.
func moveSlots(moves []Move) []emu.MoveSlot {
	slots := make([]emu.MoveSlot, maxMoves)
	for i, move := range moves {
		slots[i] = emu.MoveSlot{ID: i + 1, MoveID: move.MoveID, Name: move.MoveID, Power: move.Power, PP: 1, MaxPP: 1}
	}
	return slots
}

func (m *machine) inventory() *emu.Inventory {
	out := &emu.Inventory{}
	for i, it := range m.items {
		out.Items = append(out.Items, emu.Item{Pocket: it.Pocket, ID: i + 1, ItemID: it.ItemID, Name: it.ItemID, Count: it.Count})
	}
	return out
}

// Values of a battle's outcome.
const (
	outcomeWon  = 1
	outcomeLost = 2
)

func (m *machine) battleState() *emu.Battle {
	if m.battle == nil {
		return nil
	}
	own, foe := m.fighter(), m.battle.Opponent
	b := &emu.Battle{
		Kind: "trainer", Prompt: emu.PromptMove, ActivePartySlot: m.active, MoveCursor: m.battle.MoveCursor,
		ID: m.battle.BattleID, Turn: m.battle.Turn,
		Battlers: []emu.Battler{
			{Side: "player", Slot: m.active, SpeciesID: own.SpeciesID, Level: own.Level, HP: own.CurrentHP, MaxHP: own.MaxHP, Moves: moveSlots(own.Moves), Prompt: emu.PromptMove},
			{Index: 1, Side: "opponent", SpeciesID: foe.SpeciesID, Level: foe.Level, HP: foe.CurrentHP, MaxHP: foe.MaxHP, Prompt: emu.PromptNone},
		},
	}
	for i, move := range own.Moves {
		b.LegalMoves = append(b.LegalMoves, emu.LegalMove{Slot: i, MoveID: move.MoveID, Power: move.Power, Effectiveness: 1})
	}
	switch m.mode {
	case modeWon:
		b.Outcome, b.Prompt = outcomeWon, emu.PromptNone
	case modeLost:
		b.Outcome, b.Prompt = outcomeLost, emu.PromptNone
	}
	return b
}

func (m *machine) dialog() *emu.Dialog {
	if m.mode != modeDialog {
		return nil
	}
	return &emu.Dialog{
		Lines: []string{m.lines[m.line]}, Waiting: m.printed >= printFrames,
		// Moves with every line and while one is printed.
		Progress: uint32(m.line*(printFrames+1) + m.printed),
	}
}

func (m *machine) menuState() *emu.Menu {
	if m.menu == nil {
		return nil
	}
	return &emu.Menu{ID: m.menu.MenuID, Cursor: m.menu.Cursor, Entries: slices.Clone(m.menu.Entries)}
}
