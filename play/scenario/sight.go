package scenario

import (
	"context"

	"clankie/emu"
	"clankie/emu/session"
)

// Sight is what a decision is taken on: the observations of one frame. What
// was refused is nil.
type Sight struct {
	Frame     uint64
	RAM       emu.Digest
	Danger    emu.DangerData
	Scene     emu.SceneData
	Overworld *emu.OverworldData
	Battle    *emu.BattleData
	Dialog    *emu.DialogData // never in a battle
	Menu      *emu.MenuData
	Party     *emu.PartyData
	Inventory *emu.InventoryData
}

// look observes body. The second value is the frame that the sight is of.
func look(ctx context.Context, body *session.Body) (Sight, emu.Observed, error) {
	o, err := body.Observe(ctx)
	if err != nil {
		return Sight{}, emu.Observed{}, err
	}
	return see(body.Input(o)), o, nil
}

func see(in emu.ObservationInput) Sight {
	s := Sight{
		Frame: in.Frame, RAM: in.RAM(),
		Overworld: observed[emu.OverworldData](in, emu.ObserveOverworld),
		Battle:    observed[emu.BattleData](in, emu.ObserveBattle),
		Dialog:    observed[emu.DialogData](in, emu.ObserveDialog),
		Menu:      observed[emu.MenuData](in, emu.ObserveMenu),
		Party:     observed[emu.PartyData](in, emu.ObserveParty),
		Inventory: observed[emu.InventoryData](in, emu.ObserveInventory),
	}
	if danger := observed[emu.DangerData](in, emu.ObserveDanger); danger != nil {
		s.Danger = *danger
	}
	if scene := observed[emu.SceneData](in, emu.ObserveScene); scene != nil {
		s.Scene = *scene
	}
	return s
}

func observed[T any](in emu.ObservationInput, kind emu.ObservationKind) *T {
	data, refusal := emu.Observe(kind, in)
	if refusal != nil {
		return nil
	}
	value := data.(T)
	return &value
}

// kind names the observation that weighed most in a decision.
func (s Sight) kind(why Reason) emu.ObservationKind {
	switch {
	case why == ReasonUncertain:
		return emu.ObserveDanger
	case s.Battle != nil:
		return emu.ObserveBattle
	case s.Dialog != nil:
		return emu.ObserveDialog
	}
	return emu.ObserveOverworld
}

// at reports whether the player is seen to stand on p.
func (s Sight) at(p emu.Position) bool { return s.Overworld != nil && s.Overworld.Position == p }

func (s Sight) menu(id string) bool { return s.Menu != nil && s.Menu.MenuID == id }
