package mind_test

import (
	"context"
	"sync"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/mind"
)

// TestCallsMayOverlap asks minds while calls whose context has ended are still
// on their way out, as after a command that changes the question.
func TestCallsMayOverlap(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	pilot, operator := mind.NewAutopilot(), mind.NewOperator()
	view := func(turn int) play.View {
		return play.View{Turn: turn, Observed: emu.Observed{State: emu.State{
			Scene:     emu.Scene{Mode: emu.ModeOverworld, InputReady: true},
			Overworld: &emu.Overworld{Position: emu.Position{MapID: "m", X: 8 + turn, Y: 8}, InputReady: true},
		}}}
	}
	var calls sync.WaitGroup
	for turn := range 100 {
		for _, m := range []play.Mind{pilot, operator} {
			calls.Go(func() {
				if _, err := m.Decide(ended, view(turn)); err == nil {
					t.Errorf("the %s decides although nobody waits", m.Name())
				}
			})
		}
		calls.Go(func() {
			if _, err := pilot.Decide(t.Context(), view(turn)); err != nil {
				t.Error(err)
			}
		})
		calls.Go(pilot.Rewound)
		if !operator.Press(emu.Press(emu.ButtonA, 4)) {
			t.Fatal("the press was not taken")
		}
		if d, err := operator.Decide(t.Context(), view(turn)); err != nil || d.Action.Button != emu.ButtonA {
			t.Fatalf("%+v, %v: the press is lost", d, err)
		}
	}
	calls.Wait()
}
