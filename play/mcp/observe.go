package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
	"clankie/emu/picture"
)

// pictureScale is how many times the picture is enlarged.
const pictureScale = 3

// look is one frame as the tools tell it.
type look struct {
	Frame        uint64         `json:"frame"`
	Observations []emu.Envelope `json:"observations"`
	Picture      string         `json:"picture"`

	image []byte // PNG, or nil when there is no picture
}

func observe(ctx context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	var in struct {
		Kind emu.ObservationKind `json:"kind,omitzero"`
	}
	if err := c.read(&in); err != nil {
		return nil, err
	}
	seen, err := g.look(ctx, in.Kind)
	if err != nil {
		return nil, err
	}
	return seen.answer("", seen)
}

// look observes the present: the usual six kinds without those that are not
// there, or the one that is asked for.
func (g *game) look(ctx context.Context, kind emu.ObservationKind) (look, error) {
	o, err := g.body.Observe(ctx)
	if err != nil {
		return look{}, err
	}
	in := g.body.Input(o)
	in.ActionID = g.latest
	seen := look{Frame: o.Frame}
	if kind == "" {
		seen.Observations = g.observations.FreePlay(in)
	} else {
		e, refusal := g.observations.Observe(kind, in)
		if refusal != nil {
			return look{}, refusal
		}
		seen.Observations = []emu.Envelope{e}
	}
	seen.image, seen.Picture, err = show(o)
	return seen, err
}

// show draws the picture, with the tile grid where the field can be seen.
func show(o emu.Observed) (png []byte, what string, err error) {
	field := o.State.Overworld
	mode := o.State.Scene.Mode
	switch {
	case o.Picture.Stale:
		return nil, "none: nothing has been drawn at this frame", nil
	case field != nil && (mode == emu.ModeOverworld || mode == emu.ModeDialog):
		png, err = picture.Ruled(o.Picture, emu.Point{X: field.Position.X, Y: field.Position.Y}, pictureScale)
		return png, "the screen with the field's tiles ruled and numbered, the player's in red", err
	}
	png, err = picture.PNG(o.Picture, pictureScale)
	return png, "the screen", err
}

// answer tells what was seen: words before it, the observations as JSON, the
// picture, and all but the picture as data.
func (l look) answer(words string, data any) (*sdk.CallToolResult, error) {
	observations, err := emu.MarshalIndent(l.Observations)
	if err != nil {
		return nil, err
	}
	first := string(observations)
	var more []sdk.Content
	if words != "" {
		first = words
		more = append(more, &sdk.TextContent{Text: string(observations)})
	}
	if l.image != nil {
		more = append(more, &sdk.ImageContent{Data: l.image, MIMEType: "image/png"})
	}
	return answer(first, data, more...)
}
