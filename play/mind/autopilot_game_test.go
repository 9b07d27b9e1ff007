package mind_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/mind"
	"clankie/play/playtest"
)

// starts is how many different starts the autopilot is put through.
const starts = 50

// TestAutopilotBeatsTheRival starts on three different tiles after 0 to 49
// idle frames: the random numbers differ, and the person who walks about
// stands elsewhere. The rival must fall from all of them, by different ways.
func TestAutopilotBeatsTheRival(t *testing.T) {
	var mu sync.Mutex
	seeds, ways := map[emu.Digest]bool{}, map[emu.Digest]bool{}
	t.Run("starts", func(t *testing.T) {
		for half := range 2 { // one machine for each half, side by side
			t.Run(fmt.Sprint("half-", half), func(t *testing.T) {
				t.Parallel()
				b := playtest.Body(t, "bramble-bedroom")
				for i := half; i < starts; i += 2 {
					seed, r := playFrom(t, b, i)
					mu.Lock()
					seeds[seed], ways[r.Final] = true, true
					mu.Unlock()
					if !slices.Contains(r.Goals, "rival-beaten") {
						t.Errorf("start %d: the rival stands after 400 turns", i)
					}
				}
			})
		}
	})
	if len(seeds) != starts {
		t.Errorf("%d starts were only %d different ones", starts, len(seeds))
	}
	if len(ways) < starts/2 {
		t.Errorf("the sittings ended in only %d different states", len(ways))
	}
}

// playFrom plays from start i and returns the RAM it began with.
func playFrom(t *testing.T, b emu.Body, i int) (seed emu.Digest, r play.Result) {
	t.Helper()
	boot := playtest.State(t, playtest.Fixture(t, "bramble-bedroom"))
	if err := b.RestoreState(t.Context(), boot, nil); err != nil {
		t.Fatal(err)
	}
	begin(t, b, i)
	o, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return o.RAM(), playUntilRival(t, b)
}

// begin walks to one of three tiles and idles i frames.
func begin(t *testing.T, b emu.Body, i int) {
	t.Helper()
	for n, d := range [][]emu.Button{{}, {emu.ButtonLeft}, {emu.ButtonDown, emu.ButtonDown}}[i%3] {
		if _, err := b.Act(t.Context(), fmt.Sprint("begin-", i, n), emu.Press(d, 16), emu.FreePlayLimits); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Idle(t.Context(), i); err != nil {
		t.Fatal(err)
	}
}

// playUntilRival plays at most 400 turns, in stretches so that it can end as
// soon as the rival is beaten.
func playUntilRival(t *testing.T, b emu.Body) (r play.Result) {
	t.Helper()
	pilot := mind.NewAutopilot()
	for turns := 0; turns < 400 && !slices.Contains(r.Goals, "rival-beaten"); turns += r.Turns {
		s, err := play.New(play.Options{
			Body: b, Mind: mind.NameAutopilot, MaxTurns: 20,
			Minds: map[string]func() play.Mind{mind.NameAutopilot: func() play.Mind { return pilot }},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r, err = s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestAutopilotWinsADoubleBattle: it aims, for each of its two, and the battle
// ends.
func TestAutopilotWinsADoubleBattle(t *testing.T) {
	o := playtest.Options(t, "bramble-double-battle")
	o.MaxTurns = 80
	s, err := play.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w := s.Watch()
	defer w.Close()
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	u, err := w.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	aimed := map[string]bool{}
	for _, e := range u.Events {
		if e.Turn != nil && strings.HasPrefix(e.Turn.Intent, "aim at ") {
			aimed[e.Turn.Intent] = true
		}
	}
	if len(aimed) != 2 {
		t.Errorf("it aimed at %v, not at each of the two", aimed)
	}
	if b := u.Snapshot.State.Battle; b != nil {
		t.Errorf("after %d turns the battle goes on: %+v", r.Turns, b.Battlers)
	}
	if r.Accepted != r.Turns {
		t.Errorf("%d of %d actions were accepted", r.Accepted, r.Turns)
	}
}

// TestAutopilotStartsANewGame gets from the title through the opening and the
// naming screen to the bedroom.
func TestAutopilotStartsANewGame(t *testing.T) {
	o := playtest.Options(t, "bramble-title")
	o.MaxTurns = 60
	r := playtest.Play(t, o)
	if !slices.ContainsFunc(r.Progress.Maps, func(m string) bool { return strings.HasSuffix(m, "-4-1") }) {
		t.Errorf("60 turns from the title did not reach the bedroom: %v", r.Progress.Maps)
	}
	if r.Accepted != r.Turns {
		t.Errorf("%d of %d actions were accepted", r.Accepted, r.Turns)
	}
}

// TestAutopilotFinishesTheCartridge plays from power-on to the far gate, twice
// the same way.
func TestAutopilotFinishesTheCartridge(t *testing.T) {
	var finals []emu.Digest
	for range 2 {
		o := playtest.Options(t, "bramble-title")
		o.MaxTurns = 420
		r := playtest.Play(t, o)
		for _, goal := range []string{"rival-beaten", "parcel-delivered", "far-gate"} {
			if !slices.Contains(r.Goals, goal) {
				t.Errorf("%s is not reached after %d turns", goal, r.Turns)
			}
		}
		if 100*r.Accepted < 95*r.Turns {
			t.Errorf("%d of %d actions were accepted", r.Accepted, r.Turns)
		}
		finals = append(finals, r.Final)
	}
	if finals[0] != finals[1] {
		t.Error("the same mind from the same start ended in another state")
	}
}
