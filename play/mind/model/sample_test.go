package model

import (
	"clankie/emu"
	"clankie/play"
)

func pointer[T any](v T) *T { return &v }

// sampleView is an ordinary moment in the field.
func sampleView() play.View {
	south := emu.South
	return play.View{
		Turn: 12,
		Observed: emu.Observed{
			Picture: emu.Picture{Pix: make([]byte, emu.PictureBytes)},
			State: emu.State{
				Scene: emu.Scene{Mode: emu.ModeOverworld, Screen: "overworld", InputReady: true},
				Overworld: &emu.Overworld{
					Position: emu.Position{MapID: "bramble-map-3-0", X: 10, Y: 9}, Facing: emu.North,
					MapName: "BRAMBLE LANE", InputReady: true,
					Grid:         &emu.Grid{Width: 5, Height: 3, Blocks: make([]emu.Block, 15)},
					Surroundings: &emu.Surroundings{North: emu.Tile{X: 10, Y: 8, Passable: true}},
					Size:         &emu.MapSize{Width: 5, Height: 3},
					Minimap:      &emu.Minimap{TopLeft: emu.Point{X: 7, Y: 7}, Rows: []string{"#####", "..D.o", "...@."}},
					Occupants:    []emu.Occupant{{LocalID: 3, GraphicsID: 17, X: 11, Y: 8, Facing: &south}},
					Exits: &emu.Exits{
						Warps:       []emu.Warp{{X: 9, Y: 8, DestinationID: "bramble-map-4-1"}},
						Connections: []emu.Connection{{Direction: emu.East, DestinationID: "bramble-map-3-1", Open: []int{8, 9, 7}}},
					},
					Signs: []emu.Sign{{X: 7, Y: 7}},
				},
				Party: &emu.Party{Members: []emu.Creature{{
					Species: 4, SpeciesName: "SPRIGLET", Nickname: "Moss", Level: 7, HP: 11, MaxHP: 24,
					Moves: []emu.MoveSlot{{ID: 33, Name: "TACKLE", PP: 30, MaxPP: 35}, {}},
				}}},
				Inventory: &emu.Inventory{Items: []emu.Item{{Pocket: "items", ID: 13, Name: "POTION", Count: 3}}},
				Trainer:   &emu.Trainer{Name: "RED", Money: 500},
			},
		},
		Notes: "The gate is shut.", Objective: "Find the key.",
		History: []play.HistoryEntry{{
			Intent: "look at the gate", Action: pointer(emu.Press(emu.ButtonUp, 16)), Outcome: play.TurnAccepted,
			Effect: "moved 1 tile to (10,9)",
		}},
		Checkpoints: true,
	}
}

// fullView fills everything that a view can hold to its bounds and beyond.
func fullView(turn int) play.View {
	long := func(n int) string {
		b := make([]rune, n)
		for i := range b {
			b[i] = 'W'
		}
		return string(b)
	}
	v := sampleView()
	v.Turn, v.Audience = turn, long(500)
	s := &v.Observed.State
	s.Scene.Mode, s.Scene.InputReady = emu.ModeMenu, false
	w := s.Overworld
	w.MapName, w.Surfing, w.Underwater, w.Weather = long(300), true, true, long(300)
	w.Minimap = &emu.Minimap{TopLeft: emu.Point{X: 999, Y: 999}}
	for range 25 {
		w.Minimap.Rows = append(w.Minimap.Rows, long(25))
	}
	for i := range 64 {
		w.Occupants = append(w.Occupants, emu.Occupant{LocalID: 255, GraphicsID: 255, X: 1000, Y: 1000 + i})
		w.Exits.Warps = append(w.Exits.Warps, emu.Warp{X: 1000, Y: i, DestinationID: long(300)})
		w.Exits.Connections = append(w.Exits.Connections, emu.Connection{Direction: emu.East, DestinationID: long(300)})
		for open := range 200 {
			c := &w.Exits.Connections[len(w.Exits.Connections)-1]
			c.Open = append(c.Open, open*2)
		}
		w.Signs = append(w.Signs, emu.Sign{X: 1000, Y: 1000})
		v.LearnedTransitions = append(v.LearnedTransitions, play.Transition{
			From: w.Position, Action: emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: long(200)}, To: long(300),
		})
		v.VerifiedInteractions = append(v.VerifiedInteractions, long(700))
		v.KnownHardFailures = append(v.KnownHardFailures, play.HardFailure{Action: emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: long(200)}, Effect: long(500)})
		v.RefusedHere = append(v.RefusedHere, emu.North)
	}
	s.Dialog = &emu.Dialog{}
	for range 8 {
		s.Dialog.Lines = append(s.Dialog.Lines, long(512))
	}
	s.Menu = &emu.Menu{ID: long(128), Cursor: 30, Prompt: s.Dialog.Lines}
	for range 200 {
		s.Menu.Entries = append(s.Menu.Entries, emu.MenuEntry{ID: long(64), Label: long(256)})
		s.Inventory.Items = append(s.Inventory.Items, emu.Item{Name: long(300), Count: 999})
	}
	s.Naming = &emu.Naming{Text: long(300)}
	move := emu.MoveSlot{ID: 1, MoveID: long(64), Name: long(64), Type: long(64), Power: 999, PP: 99, MaxPP: 99}
	four := []emu.MoveSlot{move, move, move, move, move, move}
	s.Battle = nil
	s.Party.Members = nil
	for range 12 {
		s.Party.Members = append(s.Party.Members, emu.Creature{
			SpeciesName: long(64), Nickname: long(63), Level: 100, MaxHP: 999, Ailment: long(64), Moves: four,
		})
	}
	s.Trainer.Name = long(300)
	s.Undecoded = map[string]string{}
	for _, part := range []string{"overworld", "map", "occupants", "exits", "party", "inventory"} {
		s.Undecoded[part] = long(300)
	}
	v.RetiredObjective, v.ObjectiveRecovery = long(play.MaxObjective), true
	v.Notes, v.Objective, v.Interjection = long(play.MaxNotes), long(play.MaxObjective), long(play.MaxInterjection)
	for _, n := range []**int{&v.StalledForTurns, &v.RepeatingForTurns, &v.RecurringForTurns, &v.ObjectiveForTurns, &v.LocaleForTurns, &v.TurnsSinceSpoke} {
		*n = pointer(turn)
	}
	v.History = nil
	for range 20 {
		v.History = append(v.History, play.HistoryEntry{
			Intent: long(play.MaxIntent), Action: &emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: long(200)},
			Outcome: play.TurnInvalid, Effect: long(play.MaxEffect + play.MaxEffectAdvice + 2),
		})
	}
	return v
}

// fullBattle is fullView in a double battle.
func fullBattle(turn int) play.View {
	v := fullView(turn)
	s := &v.Observed.State
	s.Scene.Mode = emu.ModeBattle
	c := s.Party.Members[0]
	s.Battle = &emu.Battle{Kind: c.Nickname, Prompt: emu.PromptMove, Text: s.Dialog.Lines}
	for i := range 6 {
		side := "player"
		if i > 1 {
			side = "opponent"
		}
		s.Battle.Battlers = append(s.Battle.Battlers, emu.Battler{
			Side: side, Nickname: c.Nickname, SpeciesName: c.SpeciesName, Level: 100, MaxHP: 999,
			Ailment: c.Ailment, Types: []string{c.Nickname, c.Nickname}, Moves: c.Moves,
		})
	}
	return v
}
