package mcp

import (
	"embed"

	"clankie/emu/double"
)

//go:embed double
var doubleFiles embed.FS

// NewDouble returns the deterministic double and the scenario it is in. It is
// for testing clients without a game, and only for who asks for it by name.
func NewDouble() (*double.Body, double.Scenario, error) {
	s, digest, err := double.Load(doubleFiles, "double")
	if err != nil {
		return nil, double.Scenario{}, err
	}
	b, err := double.New(s, digest)
	return b, s, err
}
