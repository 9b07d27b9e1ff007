package replay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"clankie/emu"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind"
)

// ponderer thinks for a while before it decides, so that the world runs on
// meanwhile.
type ponderer struct{ play.Mind }

func (p ponderer) Decide(ctx context.Context, v play.View) (play.Decision, error) {
	select {
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
		return play.Decision{}, ctx.Err()
	}
	return p.Mind.Decide(ctx, v)
}

// TestEverybodyIsOnTheTape plays with idle frames while a mind thinks, presses
// of the operator, and rewinds that the operator asks for: all of it replays.
func TestEverybodyIsOnTheTape(t *testing.T) {
	r := newRig(t)
	r.options.Speed = play.Speed4
	r.options.Minds = map[string]func() play.Mind{
		mind.NameAutopilot: func() play.Mind { return ponderer{mind.NewAutopilot()} },
		mind.NameOperator:  func() play.Mind { return mind.NewOperator() },
	}
	s, err := play.New(r.options)
	must(t, err)
	ended := make(chan error, 1)
	go func() {
		_, err := s.Run(t.Context())
		ended <- err
	}()
	turn := awaitTurn(t, s, 3)
	do := func(c play.Command) play.Ack {
		t.Helper()
		ack, err := s.Do(t.Context(), c)
		must(t, err)
		return ack
	}
	saved := do(play.Command{Kind: play.CommandSave})
	do(play.Command{Kind: play.CommandTakePad})
	turn = awaitTurn(t, s, turn) // the mind may have settled one in between
	do(play.Command{Kind: play.CommandPress, Button: emu.ButtonStart})
	turn = awaitTurn(t, s, turn+1)
	do(play.Command{Kind: play.CommandLoad, ID: saved.CheckpointID})
	do(play.Command{Kind: play.CommandPress, Button: emu.ButtonDown})
	turn = awaitTurn(t, s, turn+1)
	do(play.Command{Kind: play.CommandRestart, Pin: "title"})
	do(play.Command{Kind: play.CommandGivePad})
	turn = awaitTurn(t, s, turn+2)
	do(play.Command{Kind: play.CommandStop})
	must(t, <-ended)
	must(t, r.body.Close())
	idle := 0
	var steers []string
	for line, err := range journal.ReadTape(r.tape) {
		must(t, err)
		if line.Steer != nil {
			steers = append(steers, line.Steer.Command)
		}
		if line.Run != nil && line.Run.Keys == 0 {
			idle += line.Run.Frames
		}
	}
	report, err := r.replay(t)
	must(t, err)
	if !report.Complete || report.Loads != 3 || report.Turns < turn || idle == 0 {
		t.Errorf("%+v with %d idle frames", report, idle)
	}
	if want := []string{"save", "take-pad", "press", "load", "press", "restart", "give-pad", "stop"}; !slices.Equal(steers, want) {
		t.Errorf("the tape has the commands %q, want %q", steers, want)
	}
}

// awaitTurn watches until so many turns have settled and returns how many have.
// It gives up after a minute, which only bounds a failing test.
func awaitTurn(t *testing.T, s *play.Sitting, turns int) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := s.Watch()
	defer w.Close()
	for {
		u, err := w.Next(ctx)
		must(t, err)
		if u.Snapshot != nil && u.Snapshot.Turn >= turns {
			return u.Snapshot.Turn
		}
	}
}
