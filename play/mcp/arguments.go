package mcp

import (
	"cmp"
	"errors"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// read reads the arguments strictly.
func (c call) read(v any) error {
	if err := emu.UnmarshalComplete(c.arguments, v); err != nil {
		return &emu.Error{Code: emu.CodeInvalidCommand, Message: emu.Clean(misread(err))}
	}
	return nil
}

// misread says which argument is wrong and what it must be.
func misread(err error) string {
	var wrong *emu.MisreadError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	what := wrong.Wrong
	if errors.Is(err, json.ErrUnknownName) {
		what = "there is no such argument"
	}
	return cmp.Or(wrong.At, "the arguments") + ": " + what
}
