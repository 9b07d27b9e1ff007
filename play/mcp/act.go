package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
	"clankie/emu/session"
)

func act(ctx context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	var in struct {
		Action emu.Action `json:"action"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if err := checkAction(in.Action); err != nil {
		return nil, err
	}
	result, err := g.act(ctx, in.Action, c.progress)
	if err != nil {
		return nil, err
	}
	words, err := emu.MarshalIndent(result)
	if err != nil {
		return nil, err
	}
	return answer(string(words), result)
}

// checkAction refuses what is no action of this server's: the three that
// concern time itself are tools of their own.
func checkAction(a emu.Action) error {
	err := a.Validate()
	if err == nil && a.IsBodyAction() {
		err = fmt.Errorf("kind: %s is no action here; there are tools to save and to load", a.Kind)
	}
	if err != nil {
		return &emu.Error{Code: emu.CodeInvalidCommand, Message: err.Error()}
	}
	return nil
}

// act executes one action and returns how it stands.
func (g *game) act(ctx context.Context, a emu.Action, p *progress) (session.Result, error) {
	g.actions++
	id := fmt.Sprintf("gba-mcp-action-%d", g.actions)
	if p != nil {
		p.expect(a.Frames)
		g.body.OnFrame(func(uint64, func() emu.Observed) { p.frame() })
		defer g.body.OnFrame(nil)
	}
	d := g.chronicle.begin(ctx, g, a)
	answered, err := g.body.Act(ctx, id, a, emu.FreePlayLimits)
	if err != nil {
		g.chronicle.end(ctx, g, d, broke(err))
		return session.Result{}, err
	}
	g.chronicle.end(ctx, g, d, g.chronicle.acted(id, answered))
	if recorded, ok := g.recorded(id); ok {
		g.latest = id
		return recorded, nil
	}
	return g.unrecorded(id, answered), nil
}

// recorded is how the session has the action on record.
func (g *game) recorded(id string) (session.Result, bool) {
	actions := g.body.Session().Actions
	for i := len(actions) - 1; i >= 0; i-- {
		if actions[i].ActionID == id {
			return actions[i], true
		}
	}
	return session.Result{}, false
}

// unrecorded is the answer to an action that the session did not accept.
func (g *game) unrecorded(id string, r emu.ActionResult) session.Result {
	result := session.Result{
		SchemaVersion: 1, ActionID: id, SessionID: g.body.Info().SessionID,
		UpdatedAt: session.At(g.clock.Now()), Status: session.Status(r.Status), Reason: r.Reason,
	}
	if r.Err != nil {
		result.ErrorCode, result.Message, result.Detail = r.Err.Code, r.Err.Error(), r.Err.Detail
		result.Retryable = &r.Err.Retryable
	}
	return result
}
