package double

import (
	"context"
	"testing"

	"clankie/emu"
)

// FuzzScenario plays whatever scenario is accepted.
func FuzzScenario(f *testing.F) {
	data, err := emu.MarshalIndent(lane())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, []byte("aduslr"))
	f.Fuzz(func(t *testing.T, data, presses []byte) {
		s, err := ParseScenario(data)
		if err != nil {
			return
		}
		b, err := New(s, emu.DigestOf(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range presses {
			a := emu.Press(emu.Buttons[int(p)%len(emu.Buttons)], 1+int(p)%8)
			if r, err := b.Act(context.Background(), "a", a, emu.ScenarioLimits); err != nil || r.Status != emu.StatusCompleted {
				t.Fatal(r, err)
			}
		}
	})
}

// FuzzBinding writes what is accepted and reads it again.
func FuzzBinding(f *testing.F) {
	for _, sessionID := range []string{"", "gba-emulator:lane:v1"} {
		data, err := emu.MarshalIndent(lane().Bind(emu.DigestOf([]byte("x")), sessionID))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ParseBinding(data)
		if err != nil {
			return
		}
		written, err := emu.MarshalIndent(b)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseBinding(written); err != nil || again != b {
			t.Errorf("%+v is read as %+v: %v", b, again, err)
		}
	})
}
