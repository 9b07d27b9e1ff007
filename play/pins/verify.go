package pins

import (
	"context"
	"fmt"

	"clankie/emu"
	"clankie/emu/mgba"
)

// FromPowerOn is the source of a start that is no savestate but the moment
// when the machine was switched on.
const FromPowerOn = "power-on"

// Start is a savestate that was found to run.
type Start struct {
	// State is plain: unwrapped, with battery memory and clock behind it where
	// its container carried them.
	State []byte
	// Source is the container it came in, or FromPowerOn.
	Source string
	// Battery says whether battery memory came with it. Without, the cartridge
	// is as new: nothing was ever saved within the game.
	Battery bool
}

// verifyFrames is how long a start must run. A machine that does not survive
// a second does not play.
const verifyFrames = 60

// Verify makes sure that a savestate loads on core, which holds its cartridge
// and has just been powered on, and that the machine runs on from there.
// Without a savestate it takes the machine as it was switched on.
func Verify(ctx context.Context, core emu.Core, savestate []byte) (Start, error) {
	start, err := unwrap(ctx, core, savestate)
	if err != nil {
		return Start{}, err
	}
	// Loaded twice: what was unwrapped is what will be loaded from now on, and
	// it must load on a machine that has been playing.
	for range 2 {
		if err := core.Load(ctx, start.State); err != nil {
			return Start{}, fmt.Errorf("load the savestate: %w", err)
		}
		if _, err := core.Run(ctx, verifyFrames, 0); err != nil {
			return Start{}, fmt.Errorf("run the game from there: %w", err)
		}
	}
	return start, nil
}

func unwrap(ctx context.Context, core emu.Core, savestate []byte) (Start, error) {
	if n := core.Frame(); n > 0 {
		return Start{}, fmt.Errorf("the machine has run %s; a start is tried on a new one", emu.Count(n, "frame"))
	}
	source := ""
	if savestate == nil {
		source = FromPowerOn
		var err error
		if savestate, err = core.Save(ctx); err != nil {
			return Start{}, fmt.Errorf("save the machine at power-on: %w", err)
		}
	}
	parsed, err := mgba.ParseSavestate(savestate)
	if err != nil {
		return Start{}, err
	}
	if source == "" {
		source = string(parsed.Kind)
	}
	return Start{State: parsed.Encode(), Source: source, Battery: parsed.Battery != nil}, nil
}
