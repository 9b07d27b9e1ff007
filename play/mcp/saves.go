package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/checkpoint"
	"clankie/emu"
)

// maxListed is how many saves a listing tells; older ones are counted.
const maxListed = 50

// saves are the saves of this server, and of earlier ones where the operator
// named a folder for them.
type saves struct {
	store    *checkpoint.Store
	scenario []byte
	runID    string
	journey  string
	begun    bool
	// parent is the save that this run made or loaded last. The store knows it
	// of a journey, which two servers of one harness share.
	parent string
}

// saved is a save as the tools tell it.
type saved struct {
	CheckpointID string        `json:"checkpointId"`
	Label        string        `json:"label,omitzero"`
	CapturedAt   string        `json:"capturedAt,omitzero"`
	Place        string        `json:"place,omitzero"`
	Position     *emu.Position `json:"position,omitzero"`

	// In a listing.
	Health  checkpoint.Health `json:"health,omitzero"`
	Problem string            `json:"problem,omitzero"`
}

func (s saved) String() string {
	parts := []string{s.CheckpointID}
	if s.Label != "" {
		parts = append(parts, "label "+s.Label)
	}
	if s.Position != nil {
		parts = append(parts, fmt.Sprintf("at %s (%d,%d)", s.place(), s.Position.X, s.Position.Y))
	} else {
		parts = append(parts, "position unknown")
	}
	if s.CapturedAt != "" {
		parts = append(parts, "captured "+s.CapturedAt)
	}
	if s.Problem != "" {
		parts = append(parts, "cannot be loaded: "+s.Problem)
	}
	return strings.Join(parts, ", ")
}

func (s saved) place() string {
	if s.Place != "" {
		return s.Place
	}
	return s.Position.MapID
}

func savedOf(r checkpoint.Receipt, place string) saved {
	s := saved{
		CheckpointID: r.CheckpointID, Label: emu.Clean(r.LabelText()), CapturedAt: emu.Clean(r.CapturedAt), Place: emu.Clean(place),
	}
	if r.Position != nil {
		at := *r.Position
		at.MapID = emu.Clean(at.MapID)
		s.Position = &at
	}
	return s
}

func listed(e checkpoint.Entry) saved {
	s := saved{CheckpointID: e.ID}
	if e.Receipt != nil {
		place := ""
		if e.Lineage != nil {
			place = e.Lineage.Place
		}
		s = savedOf(*e.Receipt, place)
		s.CheckpointID = e.ID
	}
	s.Health, s.Problem = e.Health, emu.Clean(e.Reason)
	return s
}

func noSaves() error {
	return &emu.Error{
		Code:    emu.CodeCheckpointsUnavailable,
		Message: "this is the deterministic double, which can neither save nor load",
	}
}

func save(ctx context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	var in struct {
		Label string `json:"label,omitzero"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if in.Label != "" && !emu.ValidLabel(in.Label) {
		return nil, &emu.Error{Code: emu.CodeInvalidCommand, Message: "label: must be 1 to 40 of a-z, 0-9 and -, not beginning with -"}
	}
	if g.saves == nil {
		return nil, noSaves()
	}
	d := g.chronicle.begin(ctx, g, emu.Action{Kind: emu.ActionSaveCheckpoint, Label: in.Label})
	s, err := g.mint(ctx, in.Label, checkpoint.ReasonExplicit)
	g.chronicle.end(ctx, g, d, kept("saved as "+s.CheckpointID, err))
	if err != nil {
		return nil, err
	}
	return answer("Saved as "+s.String()+".", s)
}

// mint makes a save of the present.
func (g *game) mint(ctx context.Context, label string, reason checkpoint.Reason) (saved, error) {
	o, err := g.body.Observe(ctx)
	if err != nil {
		return saved{}, err
	}
	state, err := g.body.CaptureState(ctx)
	if err != nil {
		return saved{}, err
	}
	if err := g.saves.begin(ctx); err != nil {
		return saved{}, err
	}
	info := g.body.Info()
	frame, _ := g.body.Counters()
	request := checkpoint.MintRequest{
		State: state, Picture: o.Picture, Identity: info.Identity, Scenario: g.saves.scenario,
		Label: label, JourneyID: g.saves.journey, EnvironmentID: info.EnvironmentID,
		Reason: reason, RunID: g.saves.runID, Frame: frame, Profile: info.Profile, Parent: &g.saves.parent,
	}
	if w := o.State.Overworld; w != nil {
		at := w.Position
		request.Position, request.Place = &at, emu.Clean(w.MapName)
	}
	receipt, err := g.saves.store.Mint(ctx, request)
	if err != nil {
		return saved{}, err
	}
	g.saves.parent = receipt.CheckpointID
	return savedOf(receipt, request.Place), nil
}

// begin tells the store before the first save that this run began at the boot
// savestate.
func (s *saves) begin(ctx context.Context) error {
	if s.begun {
		return nil
	}
	if err := s.store.SetLive(ctx, s.journey, ""); err != nil {
		return err
	}
	s.begun = true
	return nil
}

func load(ctx context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	var in struct {
		CheckpointID *string `json:"checkpointId,omitzero"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if g.saves == nil {
		return nil, noSaves()
	}
	if in.CheckpointID == nil {
		return g.list(ctx)
	}
	id := *in.CheckpointID
	d := g.chronicle.begin(ctx, g, emu.Action{Kind: emu.ActionLoadCheckpoint, CheckpointID: id})
	r, err := g.load(ctx, id)
	g.chronicle.end(ctx, g, d, kept("loaded "+id, err))
	return r, err
}

// listing is what a load without an id answers.
type listing struct {
	Checkpoints []saved `json:"checkpoints"`
	LeftOut     int     `json:"leftOut"`
}

func (g *game) list(ctx context.Context) (*sdk.CallToolResult, error) {
	entries, err := g.saves.store.List(ctx, g.body.Info().Identity)
	if err != nil {
		return nil, err
	}
	all := listing{Checkpoints: []saved{}, LeftOut: max(len(entries)-maxListed, 0)}
	var words []string
	for _, e := range entries[:min(len(entries), maxListed)] {
		s := listed(e)
		all.Checkpoints = append(all.Checkpoints, s)
		words = append(words, s.String())
	}
	if all.LeftOut > 0 {
		words = append(words, "and "+emu.CountOf(all.LeftOut, "older one", "older ones"))
	}
	if len(words) == 0 {
		words = []string{"There are no saves yet; " + toolSave + " makes one."}
	}
	return answer(strings.Join(words, "\n"), all)
}

// restored is what a load answers.
type restored struct {
	Restored saved `json:"restored"`
	Kept     saved `json:"kept"`
	look
}

// load goes back to a save: it verifies, keeps the present, and only then
// restores.
func (g *game) load(ctx context.Context, id string) (*sdk.CallToolResult, error) {
	found, err := g.saves.store.Read(ctx, id, g.body.Info().Identity)
	if err != nil {
		return nil, err
	}
	kept, err := g.mint(ctx, checkpoint.LabelBeforeRewind, checkpoint.ReasonBeforeRewind)
	if err != nil {
		return nil, fmt.Errorf("nothing was loaded, because the present could not be kept: %w", err)
	}
	var preview []byte
	if found.Picture != nil {
		preview = found.Picture.Pix
	}
	if err := g.body.RestoreState(ctx, found.State, preview); err != nil {
		return nil, fmt.Errorf("nothing was loaded; the present is kept as %s: %w", kept.CheckpointID, err)
	}
	// The machine is at the save now, whatever becomes of the record of it.
	g.saves.parent = id
	if err := g.saves.store.SetLive(context.WithoutCancel(ctx), g.saves.journey, id); err != nil {
		return nil, fmt.Errorf("loaded %s, the present before it is kept as %s; but its place in the line of saves was not recorded: %w", id, kept.CheckpointID, err)
	}
	place := ""
	if found.Lineage != nil {
		place = found.Lineage.Place
	}
	r := restored{Restored: savedOf(found.Receipt, place), Kept: kept}
	if r.look, err = g.look(context.WithoutCancel(ctx), ""); err != nil {
		return nil, err
	}
	return r.answer(fmt.Sprintf("Loaded %s.\nThe present before it is kept as %s.", r.Restored, kept.CheckpointID), r)
}
