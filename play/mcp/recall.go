package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
	"clankie/journal"
)

// story is what recall answers. It has no nulls: some clients hold them
// against the schema.
type story struct {
	StartedAt  string   `json:"startedAt"`
	TurnsTaken int      `json:"turnsTaken"`
	LastTurnAt string   `json:"lastTurnAt,omitzero"`
	Maps       []string `json:"maps"`
	Moments    []moment `json:"moments"`
}

type moment struct {
	At     string `json:"at"`
	Effect string `json:"effect"`
}

// recall tells the story of this server's runs, and of nobody else's.
func recall(_ context.Context, g *game, c call) (*sdk.CallToolResult, error) {
	if err := c.read(&struct{}{}); err != nil {
		return nil, err
	}
	// Damage in earlier journals is read around.
	card, _, err := journal.Story(g.chronicle.dir, g.chronicle.journey)
	if err != nil {
		return nil, err
	}
	s := storyOf(card)
	return answer(s.String(), s)
}

func storyOf(c journal.Card) story {
	s := story{StartedAt: emu.Clean(c.StartedAt), TurnsTaken: c.TurnsTaken, Maps: []string{}, Moments: []moment{}}
	if c.LastTurnAt != nil {
		s.LastTurnAt = emu.Clean(*c.LastTurnAt)
	}
	for _, id := range c.Maps {
		s.Maps = append(s.Maps, emu.Clean(id))
	}
	for _, m := range c.Moments {
		s.Moments = append(s.Moments, moment{emu.Clean(m.At), emu.Clean(m.Effect)})
	}
	return s
}

func (s story) String() string {
	if s.TurnsTaken == 0 {
		return "Nothing was done yet."
	}
	lines := []string{fmt.Sprintf("%s since %s, the last one at %s.", emu.Count(s.TurnsTaken, "action"), s.StartedAt, s.LastTurnAt)}
	if len(s.Maps) > 0 {
		lines = append(lines, "Maps, in the order they were found: "+strings.Join(s.Maps, ", "))
	}
	for _, m := range s.Moments {
		lines = append(lines, m.At+"  "+m.Effect)
	}
	return strings.Join(lines, "\n")
}
