package mind_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind"
	"clankie/play/playtest"
)

// allStarts is how many different starts there are, and starts how many of them
// the autopilot is put through. Each takes seconds.
const allStarts = 50

var starts = flag.Int("mind.starts", 12, "how many of the 50 starts the autopilot is put through")

// TestAutopilotBeatsTheRival starts on three different tiles after 0 to 49
// idle frames: the random numbers differ, and the person who walks about
// stands elsewhere. The rival must fall from all of them, by different ways.
func TestAutopilotBeatsTheRival(t *testing.T) {
	t.Parallel()
	n := min(max(*starts, 1), allStarts)
	var mu sync.Mutex
	seeds, ways := map[emu.Digest]bool{}, map[emu.Digest]bool{}
	t.Run("starts", func(t *testing.T) {
		for half := range 2 { // one machine for each half, side by side
			t.Run(fmt.Sprint("half-", half), func(t *testing.T) {
				t.Parallel()
				b := playtest.Body(t, "bramble-bedroom")
				for k := half; k < n; k += 2 {
					i := k * allStarts / n
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
	if len(seeds) != n {
		t.Errorf("%d starts were only %d different ones", n, len(seeds))
	}
	if len(ways) < n/2 {
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
	t.Parallel()
	o := playtest.Options(t, "bramble-title")
	o.MaxTurns = 450
	r := playtest.Play(t, o)
	if !slices.ContainsFunc(r.Progress.Maps, func(m string) bool { return strings.HasSuffix(m, "-4-1") }) {
		t.Errorf("%d turns from the title did not reach the bedroom: %v", r.Turns, r.Progress.Maps)
	}
	if r.Accepted != r.Turns {
		t.Errorf("%d of %d actions were accepted:\n%s", r.Accepted, r.Turns, refusals(t, o))
	}
}

// refusals are the turns of a sitting whose action was not accepted.
func refusals(t *testing.T, o play.Options) string {
	t.Helper()
	var told strings.Builder
	for _, line := range playtest.Recorded(t, o).Turns {
		if r := line.Turn; r.Outcome != journal.OutcomeAccepted && r.Detail != nil {
			fmt.Fprintf(&told, "turn %d %s: %s\n", r.Turn, r.Outcome, *r.Detail)
		}
	}
	return told.String()
}

// TestAutopilotFinishesTheCartridge plays from power-on to the far gate, twice
// the same way.
func TestAutopilotFinishesTheCartridge(t *testing.T) {
	t.Parallel()
	var ends [2]play.Result
	t.Run("from power-on", func(t *testing.T) {
		for i := range ends {
			t.Run(fmt.Sprint("run-", i), func(t *testing.T) {
				t.Parallel()
				o := playtest.Options(t, "bramble-title")
				o.MaxTurns = 420
				ends[i] = finishes(t, o)
			})
		}
	})
	if ends[0].Final != ends[1].Final {
		t.Error("the same mind from the same start ended in another state")
	}
	if diff := cmp.Diff(ends[0].Progress, ends[1].Progress); diff != "" {
		t.Errorf("and came another way (-one +other):\n%s", diff)
	}
}

// finishes plays and expects the far gate, few refusals and few detours.
func finishes(t *testing.T, o play.Options) play.Result {
	t.Helper()
	r := playtest.Play(t, o)
	for _, goal := range []string{"rival-beaten", "parcel-delivered", "far-gate"} {
		if !slices.Contains(r.Goals, goal) {
			t.Errorf("%s is not reached after %d turns", goal, r.Turns)
		}
	}
	if 100*r.Accepted < 95*r.Turns {
		t.Errorf("%d of %d actions were accepted:\n%s", r.Accepted, r.Turns, refusals(t, o))
	}
	perTile := r.Progress.ActionsPerNewTile
	if perTile == nil || *perTile >= 2 {
		t.Errorf("%v actions for each new tile", perTile)
	} else {
		t.Logf("%d turns, %d accepted, %.2f for each new tile", r.Turns, r.Accepted, *perTile)
	}
	return r
}

// TestAutopilotGoesOnAfterAWhiteout begins before the rival with a creature that can
// hardly stand: it loses, wakes at home, and reaches the far gate all the same.
func TestAutopilotGoesOnAfterAWhiteout(t *testing.T) {
	t.Parallel()
	o := playtest.Options(t, "bramble-bedroom")
	tireInTheLane(t, o.Body)
	o.MaxTurns = 450
	finishes(t, o)
	fell, home := false, false
	for _, line := range playtest.Recorded(t, o).Turns {
		told := ""
		if r := line.Turn; r.Effect != nil && r.EffectAdvice != nil {
			told = *r.Effect + *r.EffectAdvice
		} else if r.Effect != nil {
			told = *r.Effect
		}
		fell = fell || strings.Contains(told, "no creature left that can fight") || strings.Contains(told, "battle is lost")
		home = home || fell && strings.HasSuffix(lastMap(line), "-4-0")
	}
	if !fell || !home {
		t.Errorf("it lost: %t; it woke at home: %t", fell, home)
	}
}

// lastMap is the map that a turn ended on.
func lastMap(line journal.TurnLine) string {
	maps := line.Evidence.ProgressBefore.Maps
	if after := line.Evidence.ProgressAfter; after != nil {
		maps = after.Maps
	}
	if len(maps) == 0 {
		return ""
	}
	return maps[len(maps)-1]
}

// tireInTheLane takes the box of the cupboard's that leaves everybody one point,
// and goes to the rival in the lane.
func tireInTheLane(t *testing.T, b emu.Body) {
	t.Helper()
	look := func() emu.State {
		t.Helper()
		o, err := b.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return o.State
	}
	act := func(a emu.Action) {
		t.Helper()
		r, err := b.Act(t.Context(), "tire", a, emu.FreePlayLimits)
		if err != nil || r.Err != nil {
			t.Fatalf("%s: %v, %v", a.Kind, err, r.Err)
		}
	}
	leave := func() { w := look().Overworld.Exits.Warps[0]; act(emu.WalkTo(w.X, w.Y)) }
	read := emu.Action{Kind: emu.ActionAdvanceDialog}
	const tired = 6
	act(emu.WalkTo(8+emu.MapBorder, 3+emu.MapBorder))
	act(emu.Press(emu.ButtonUp, 3))
	act(emu.Press(emu.ButtonA, 4))
	act(read)
	act(emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: look().Menu.Entries[tired].ID})
	act(read)
	leave()
	leave()
	act(emu.WalkTo(12+emu.MapBorder, emu.MapBorder-1))
	act(emu.WalkTo(10+emu.MapBorder, 14+emu.MapBorder)) // right before the rival
	if s := look(); s.Party.Members[0].HP != 1 || !strings.HasSuffix(s.Overworld.Position.MapID, "-3-19") {
		t.Fatalf("%d HP at %v", s.Party.Members[0].HP, s.Overworld.Position)
	}
}
