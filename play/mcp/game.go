package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
	"clankie/emu/session"
)

// game is what the tools play with. Only the call whose turn it is touches it.
type game struct {
	body         *session.Body
	observations *emu.Observations
	saves        *saves // nil for a body without savestates
	chronicle    *chronicle
	clock        session.Clock

	actions int    // how many were started
	latest  string // id of the latest one, "" before the first
}

// phase is what pause and resume answer.
type phase struct {
	Phase session.Phase `json:"phase"`
}

func pause(_ context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	var in struct {
		Reason string `json:"reason"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	if n := emu.Length(in.Reason); n < 1 || n > maxPauseReason {
		return nil, &emu.Error{Code: emu.CodeInvalidCommand, Message: "reason: must have 1 to 512 characters"}
	}
	if err := g.body.Pause(in.Reason); err != nil {
		return nil, err
	}
	return answer("Paused: actions are refused until "+toolResume+".", phase{g.body.Session().Phase})
}

func resume(_ context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	if err := c.read(&struct{}{}); err != nil {
		return nil, err
	}
	if err := g.body.Resume(); err != nil {
		return nil, err
	}
	return answer("Active: actions are executed.", phase{g.body.Session().Phase})
}
