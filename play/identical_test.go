package play_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/playtest"
)

// ticking is a clock that goes on by a millisecond each time it is read.
type ticking struct{ at time.Time }

func (c *ticking) Now() time.Time {
	c.at = c.at.Add(time.Millisecond)
	return c.at
}

// eventful is a mind that goes through everything a turn can come to: good,
// bad and no answers, refusals, texts and menus, a save and both ways back.
type eventful struct{ saved string }

func (m *eventful) decide(_ context.Context, v play.View) (play.Decision, error) {
	for _, h := range v.History {
		if id, ok := strings.CutPrefix(h.Effect, "saved as "); ok {
			m.saved = id
		}
	}
	up := 9
	x := 8
	acts := []emu.Action{
		emu.Press(emu.ButtonLeft, 16), emu.WalkTo(x, up), emu.Press(emu.ButtonUp, 16), emu.Press(emu.ButtonA, 4),
		{Kind: emu.ActionAdvanceDialog},
		{Kind: emu.ActionSaveCheckpoint, Label: "desk"},
		emu.Press(emu.ButtonStart, 4),
		{Kind: emu.ActionSelectMenuEntry, EntryID: "exit"},
		{Kind: emu.ActionEnterText, Text: "Robin"},
		{Kind: emu.ActionLoadCheckpoint},
		{Kind: emu.ActionLoadCheckpoint, CheckpointID: m.saved},
		emu.Advance(20),
		{Kind: emu.ActionRestartGame},
		emu.Press("turbo", 4), emu.Press(emu.ButtonDown, 16),
	}
	if v.Turn >= len(acts) {
		return play.Decision{}, errors.New("nothing is left to do")
	}
	notes, goal, words := "the desk has a letter", "read everything", "Look at that."
	return play.Decision{
		Monologue: "On with it.", Intent: "do the next thing", Notes: &notes, Objective: &goal, Speak: &words,
		Action: acts[v.Turn],
	}, nil
}

// recorded plays eventful with everything injected that is not the game's own
// and returns the journal's bytes.
func recorded(t *testing.T) []byte {
	t.Helper()
	clock := &ticking{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	o := withMind(playtest.Options(t, "bramble-bedroom"), (&eventful{}).decide)
	store, err := checkpoint.Open(t.TempDir(), checkpoint.Options{Clock: clock, Random: rand.NewChaCha8([32]byte{})})
	if err != nil {
		t.Fatal(err)
	}
	o.Port.(*play.Checkpoints).Store = store
	o.Clock, o.MaxTurns, o.AutosaveTurns = clock, 17, 4
	synctest.Test(t, func(t *testing.T) { playtest.Play(t, o) })
	data, err := os.ReadFile(o.Journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[journal.Outcome]int{}
	for _, line := range playtest.Recorded(t, o).Turns {
		outcomes[line.Turn.Outcome]++
	}
	want := map[journal.Outcome]int{journal.OutcomeAccepted: 13, journal.OutcomeRejected: 1, play.TurnInvalid: 1, play.TurnFailed: 2}
	for outcome, n := range want {
		if outcomes[outcome] != n {
			t.Errorf("%d turns were %s, want %d", outcomes[outcome], outcome, n)
		}
	}
	return data
}

func TestEqualSittingsLeaveEqualJournals(t *testing.T) {
	one, two := bytes.Split(recorded(t), []byte("\n")), bytes.Split(recorded(t), []byte("\n"))
	if len(one) != len(two) {
		t.Fatalf("%d and %d lines", len(one), len(two))
	}
	for i := range one {
		if !bytes.Equal(one[i], two[i]) {
			t.Errorf("line %d is\n%s\nand\n%s", i+1, one[i], two[i])
		}
	}
}
