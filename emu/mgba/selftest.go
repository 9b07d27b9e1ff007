package mgba

import (
	"context"
	"fmt"

	"clankie/emu"
)

// selfTestStep is what the machine must look like at one frame of the
// self-test.
type selfTestStep struct {
	frame   uint64
	ram     emu.Digest
	picture emu.Digest
}

// selfTestSteps and selfTestState are what the reference module gives.
var selfTestSteps = []selfTestStep{}

const selfTestState emu.Digest = ""

// selfTestFrames is the length of the self-test's schedule, digested every
// selfTestEvery frames.
const (
	selfTestFrames = 3600
	selfTestEvery  = 600
)

// selfTestKeys is the self-test's schedule: for thirty frames at a time, an
// arbitrary but fixed set of buttons.
func selfTestKeys(frame uint64) emu.Keys {
	return emu.Keys(uint32(frame/30)*0x9E3779B1>>20) & emu.KeysAll
}

// selfTestSHA256 identifies what the self-test demands.
func selfTestSHA256() emu.Digest {
	text := string(selfTestState)
	for _, s := range selfTestSteps {
		text += fmt.Sprintf("\n%d %s %s", s.frame, s.ram, s.picture)
	}
	return emu.DigestOf([]byte(text), SelfTestROM())
}

// SelfTest runs the fixed schedule on m and compares RAM, pictures and the
// final state with the reference's. It returns nil when m is the same machine.
func SelfTest(ctx context.Context, m Module) error {
	steps, state, err := runSelfTest(ctx, m)
	if err != nil {
		return err
	}
	for i, want := range selfTestSteps {
		got := steps[i]
		if got.ram != want.ram {
			return fmt.Errorf("self-test: at frame %d RAM is %s, the reference's is %s", want.frame, got.ram.Short(), want.ram.Short())
		}
		if got.picture != want.picture {
			return fmt.Errorf("self-test: at frame %d the picture is %s, the reference's is %s", want.frame, got.picture.Short(), want.picture.Short())
		}
	}
	if state != selfTestState {
		return fmt.Errorf("self-test: the last state is %s, the reference's is %s", state.Short(), selfTestState.Short())
	}
	return nil
}

func runSelfTest(ctx context.Context, m Module) ([]selfTestStep, emu.Digest, error) {
	c, err := Boot(ctx, m, BootOptions{ROM: SelfTestROM()})
	if err != nil {
		return nil, "", fmt.Errorf("self-test: %w", err)
	}
	defer c.Close()
	var steps []selfTestStep
	for c.Frame() < selfTestFrames {
		if _, err := c.Run(ctx, 1, selfTestKeys(c.Frame())); err != nil {
			return nil, "", fmt.Errorf("self-test: %w", err)
		}
		if c.Frame()%selfTestEvery == 0 {
			steps = append(steps, selfTestStep{c.Frame(), c.Memory().RAMDigest(), c.Picture().Digest()})
		}
	}
	state, err := c.Save(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("self-test: %w", err)
	}
	return steps, emu.DigestOf(state), nil
}
