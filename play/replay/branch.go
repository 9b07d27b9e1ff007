package replay

import (
	"context"
	"errors"

	"clankie/checkpoint"
	"clankie/emu"
)

// BranchRequest is what a branch carries beside the machine: see
// checkpoint.MintRequest.
type BranchRequest struct {
	Info       emu.BodyInfo
	Scenario   []byte
	Label      string // may be empty
	JourneyID  string
	Continuity *checkpoint.Continuity // the mind at that turn, or nil
}

// Branch makes a save of a place, as a child of the save it was reached from,
// and lets the journey go on from it. Saves of the future that is left stay
// what they are. Whoever plays on banks the present first, so that it stays a
// part of the timeline it belongs to, and then loads the branch.
//
// When Branch fails the journey goes on from where it went on before.
func Branch(ctx context.Context, store *checkpoint.Store, p Place, r BranchRequest) (checkpoint.Receipt, error) {
	before, err := store.LatestLive(ctx, r.Info.Identity, r.JourneyID)
	if err != nil {
		return checkpoint.Receipt{}, err
	}
	if err := store.SetLive(ctx, r.JourneyID, p.From); err != nil {
		return checkpoint.Receipt{}, err
	}
	receipt, err := store.Mint(ctx, checkpoint.MintRequest{
		State: p.State, Picture: p.Observed.Picture, Identity: r.Info.Identity, Scenario: r.Scenario,
		Label: r.Label, Position: position(p.Observed.State), Continuity: r.Continuity,
		JourneyID: r.JourneyID, EnvironmentID: r.Info.EnvironmentID, Reason: checkpoint.ReasonOperator,
		RunID: p.RunID, Turn: &p.Turn, Frame: p.Observed.Frame, Profile: r.Info.Profile,
	})
	if err != nil {
		err = errors.Join(err, store.SetLive(ctx, r.JourneyID, idOf(before.Save)))
	}
	return receipt, err
}

func position(s emu.State) *emu.Position {
	if s.Overworld == nil {
		return nil
	}
	at := s.Overworld.Position
	return &at
}

func idOf(save *checkpoint.Loaded) string {
	if save == nil {
		return ""
	}
	return save.Receipt.CheckpointID
}
