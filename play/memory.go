package play

import (
	"fmt"
	"slices"
	"strings"

	"clankie/emu"
)

// memory is what the loop remembers on the mind's behalf. It survives a load:
// the world rewinds, the mind does not. Only what was learned about tiles is
// forgotten then, because people may stand elsewhere.
type memory struct {
	refused     map[emu.Position][]emu.Direction
	order       []emu.Position // of refused, oldest first
	transitions []Transition
	verified    []interaction
	history     []HistoryEntry
}

// refusedTiles bounds how many tiles refusals are remembered for.
const refusedTiles = 512

func newMemory() *memory { return &memory{refused: map[emu.Position][]emu.Direction{}} }

func (m *memory) refuse(at emu.Position, d emu.Direction) {
	known, ok := m.refused[at]
	if slices.Contains(known, d) {
		return
	}
	if !ok {
		m.order = append(m.order, at)
		if len(m.order) > refusedTiles {
			delete(m.refused, m.order[0])
			m.order = slices.Delete(m.order, 0, 1)
		}
	}
	m.refused[at] = append(known, d)
}

// leave forgets what was refused at a tile that he has now left in
// direction d: the way is open after all.
func (m *memory) leave(at emu.Position, d emu.Direction) {
	if _, known := m.refused[at]; !known {
		return // a tile that is not in order must not be in the map
	}
	m.refused[at] = slices.DeleteFunc(m.refused[at], func(x emu.Direction) bool { return x == d })
}

func (m *memory) refusedAt(o emu.Observed) []emu.Direction {
	if o.State.Overworld == nil {
		return nil
	}
	return slices.Clone(m.refused[o.State.Overworld.Position])
}

// learn remembers a way from one map to another, newest last.
func (m *memory) learn(t Transition) {
	m.transitions = slices.DeleteFunc(m.transitions, func(k Transition) bool {
		return k.From == t.From && k.To == t.To
	})
	m.transitions = append(m.transitions, t)
	if len(m.transitions) > memoryLimit {
		m.transitions = slices.Delete(m.transitions, 0, 1)
	}
}

// transitionsFrom lists the known ways off the player's map, the ones from
// his very tile first.
func (m *memory) transitionsFrom(o emu.Observed) []Transition {
	w := o.State.Overworld
	if w == nil {
		return nil
	}
	var here, elsewhere []Transition
	for _, t := range m.transitions {
		switch {
		case t.From == w.Position:
			here = append(here, t)
		case t.From.MapID == w.Position.MapID:
			elsewhere = append(elsewhere, t)
		}
	}
	return append(here, elsewhere...)
}

// interaction is somebody or something that answered A.
type interaction struct {
	mapID   string
	localID int
	text    string // how the mind is told
}

// maxInteraction bounds an interaction's text, in UTF-16 code units.
const maxInteraction = 700

// answered remembers that whoever stands at the faced tile answered, with the
// beginning of what was said.
func (m *memory) answered(before, after emu.Observed) {
	w := before.State.Overworld
	if w == nil || before.State.Dialog != nil || after.State.Dialog == nil {
		return
	}
	dx, dy := w.Facing.Delta()
	for _, who := range w.Occupants {
		if who.X != w.Position.X+dx || who.Y != w.Position.Y+dy {
			continue
		}
		said := emu.Clean(strings.Join(after.State.Dialog.Lines, " "))
		text := fmt.Sprintf("person or thing %d at (%d,%d) answered: %s", who.LocalID, who.X, who.Y, said)
		m.verified = slices.DeleteFunc(m.verified, func(k interaction) bool {
			return k.mapID == w.Position.MapID && k.localID == who.LocalID
		})
		m.verified = append(m.verified, interaction{w.Position.MapID, who.LocalID, emu.Clip(text, maxInteraction)})
		if len(m.verified) > memoryLimit {
			m.verified = slices.Delete(m.verified, 0, 1)
		}
	}
}

// interactionsOn lists what has answered on the player's map.
func (m *memory) interactionsOn(o emu.Observed) (list []string) {
	if o.State.Overworld == nil {
		return nil
	}
	for _, k := range m.verified {
		if k.mapID == o.State.Overworld.Position.MapID {
			list = append(list, k.text)
		}
	}
	return list
}

func (m *memory) remember(e HistoryEntry) {
	m.history = append(m.history, e)
	if len(m.history) > HistoryLimit {
		m.history = slices.Delete(m.history, 0, 1)
	}
}

// rewound forgets what was learned about tiles; see memory.
func (m *memory) rewound() {
	clear(m.refused)
	m.order = nil
}
