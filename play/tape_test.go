package play_test

import (
	"errors"
	"slices"
	"testing"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

// brokenTape fails at one border and notes what it is told.
type brokenTape struct {
	turns  []int
	loads  [][2]string
	steers [][2]string
}

func (b *brokenTape) Loading(id, pin string) { b.loads = append(b.loads, [2]string{id, pin}) }

func (b *brokenTape) Steered(command, text string) {
	b.steers = append(b.steers, [2]string{command, text})
}

func (b *brokenTape) Border(turn int, o emu.Observed) error {
	b.turns = append(b.turns, turn)
	if turn == 1 {
		return errors.New("the disk is full")
	}
	return nil
}

// TestTapeIsToldOfBordersLoadsAndCommands plays on although the tape fails, and tells
// that.
func TestTapeIsToldOfBordersLoadsAndCommands(t *testing.T) {
	tape := &brokenTape{}
	o := playtest.Options(t, "bramble-bedroom")
	o.StartPaused, o.Tape = true, tape
	port := o.Port.(*play.Checkpoints)
	port.Tape = tape
	port.More = map[string]play.Pin{"again": port.Boot}
	r := start(t, o)
	r.awaitPaused()
	r.turns(3)
	saved := r.do(play.Command{Kind: play.CommandSave})
	r.do(play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	r.do(play.Command{Kind: play.CommandRestart})
	r.do(play.Command{Kind: play.CommandRestart, Pin: "again"})
	r.turns(1)
	w := r.Watch()
	defer w.Close()
	r.stop()
	if want := []int{0, 1, 2, 3}; !slices.Equal(tape.turns, want) {
		t.Errorf("borders of turns %v, not %v", tape.turns, want)
	}
	if want := [][2]string{{saved.CheckpointID, ""}, {"", ""}, {"", "again"}}; !slices.Equal(tape.loads, want) {
		t.Errorf("loads %v, not %v", tape.loads, want)
	}
	for i, want := range []string{"step", "step", "step", "save", "load", "restart", "restart", "step", "stop"} {
		if i >= len(tape.steers) || tape.steers[i][0] != want || tape.steers[i][1] == "" {
			t.Fatalf("command %d is not %s: %q", i, want, tape.steers)
		}
	}
	told := 0
	for {
		u, err := w.Next(t.Context())
		if err != nil {
			break
		}
		for _, e := range u.Events {
			if e.Kind == play.EventError && e.Text == "the tape: the disk is full" {
				told++
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

// aheadTape looks what the journal says at each border.
type aheadTape struct {
	brokenTape
	t       *testing.T
	journal string
}

func (a *aheadTape) Border(turn int, _ emu.Observed) error {
	got, err := journal.ReadAll(a.journal)
	if err != nil || len(got.Turns) != turn {
		a.t.Errorf("at the border of turn %d the journal holds %d turns, %v", turn, len(got.Turns), err)
	}
	return nil
}

// TestATurnIsOnTheTapeBeforeItIsInTheJournal, so that a crash leaves no turn in
// the journal that cannot be replayed.
func TestATurnIsOnTheTapeBeforeItIsInTheJournal(t *testing.T) {
	o := playtest.Options(t, "bramble-bedroom")
	o.MaxTurns, o.Tape = 3, &aheadTape{t: t, journal: o.Journal.Path()}
	if r := playtest.Play(t, o); r.Turns != 3 {
		t.Errorf("%d turns were played", r.Turns)
	}
}
