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
var selfTestSteps = []selfTestStep{
	{600, "d0067c5f48f01a7d88e779f240f33a33e9646fe4edce5cc6b4e31abfd2fb05bd", "b090db52a231414d4cda085f41c09613ab3f84d56b562221ed5e6e60c283f2e3"},
	{1200, "b4ebd6f784acdff3cca9db31af0aaa526966e8c31375feb0ed797b8be2e52bc9", "7803da17f5b4616d19af6a0aef08775db2ca1eeb2c20c062c0d98735b058534e"},
	{1800, "8f468b9a3385bb531fb4102eb7715da3d1659890176d4ca9014d8fa5daa58971", "a943c7892a956d806582b1f4a93d15476115c3da081bfde532e26b2fad44b32f"},
	{2400, "a0fae104f5bd33b7c796ee45e052188df211e99c3ece5c931ea235b18c036cfc", "01636e6204031cd9c02f2c580fec7d4011cde58705861373ab5b2843aeb0dee2"},
	{3000, "e029ff44491f2a20c88ea1bb808af15ce232c747911806812e58ad08620318d0", "55bd42e2e6ff56dc01618a0abbcc22cb5ccc2aa8c1f7f3d7eb81e36c8410eedc"},
	{3600, "c6512be6cad2085ef0b1b3e43acaeae70de33dcda1f31ef470be6218b0b022b0", "a4d2a78acb6a09e63365899fcb38b1aa39d0a74071fa938c8dd4f374d7bc0655"},
}

const selfTestState emu.Digest = "f787679d0fb12421ee51bde6f7139feac6382cff7b6bd6e3d0a453781817a9e7"

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
