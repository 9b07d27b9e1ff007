package model

import (
	_ "embed"
	"fmt"
	"strings"

	"clankie/emu"
)

// rules are what he is told about the game, the view and the answer.
//
//go:embed system.md
var rules string

// System is the system message: who he is, then the rules. It is the same for
// every turn of a sitting, so that endpoints can keep it in their caches.
func System(character string) string {
	return strings.TrimSpace(character) + "\n\n" + strings.TrimSpace(rules) + "\n\n" + bounds()
}

// bounds come from the catalogue, so that they cannot differ from what is
// enforced.
func bounds() string {
	return fmt.Sprintf(`# Bounds
holdFrames 1 to %d, repeat 1 to %d, frames 1 to %d, x and y 0 to %d, text 1 to %d
characters of A-Z a-z 0-9 blank . , ! ? / -. A label is 1 to 40 of a-z, 0-9
and -.`, emu.MaxHoldFrames, emu.MaxRepeat, emu.MaxFrameAdvance, emu.MaxWalkTarget, emu.MaxEnterText)
}
