package checkpoint

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// companionScenario is the booted scenario with only its savestate identity
// replaced, so that a save boots through the same loader as any pin.
func companionScenario(booted []byte, id string, state emu.Digest) ([]byte, error) {
	var scenario map[string]jsontext.Value
	if err := emu.UnmarshalStrict(booted, &scenario); err != nil {
		return nil, fmt.Errorf("the booted scenario: %w", err)
	}
	for name, text := range map[string]string{
		"savestateId":     "checkpoint:" + id,
		"savestateSha256": string(state),
	} {
		if _, ok := scenario[name]; !ok {
			return nil, fmt.Errorf("the booted scenario: %s: missing", name)
		}
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			return nil, fmt.Errorf("the booted scenario: %w", err)
		}
		scenario[name] = quoted
	}
	return marshalLine(scenario)
}
