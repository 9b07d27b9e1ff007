package play

import (
	"context"
	"errors"
	"fmt"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
)

// Past shows the turns of a journey that are over: those of the run that is
// played, and those of the runs before. Its method may be called from any
// goroutine and never touches the machine that plays.
type Past interface {
	// At returns a turn as it was when it had settled. It may take seconds: the
	// way there is played again and compared with what was recorded. Beside an
	// error stand the run and the turn that were found, if they were.
	At(ctx context.Context, at PastPlace) (PastTurn, error)
}

// PastPlace names a turn of a journey.
type PastPlace struct {
	// Run is the id of a run or a beginning of it that no other has; "" is the
	// run that is played.
	Run string
	// Back asks for the run that was played so many before that one, or behind
	// it where it is negative. Runs without a turn do not count.
	Back int
	Turn int // LastTurn is the run's last one
}

// LastTurn is the last turn of a run, whichever that is.
const LastTurn = -1

// PastTurn is a turn that is over: the machine as it had settled, and what the
// journal says of how it came there.
type PastTurn struct {
	RunID string
	Live  bool // the run is the one that is played
	Turn  int
	Last  int // the newest turn of the run
	// Line is the turn's line of the journal, nil where that is not readable.
	Line *journal.TurnLine
	// Observed is what there was to see; Machine is the complete state.
	Observed emu.Observed
	Machine  []byte
	// From is the save that the turn was reached from, "" for a pinned
	// savestate.
	From string
}

// Event tells what was thought and done, as the feed told it then. It is nil
// where the journal does not say.
func (t PastTurn) Event() *TurnEvent {
	if t.Line == nil {
		return nil
	}
	r := t.Line.Turn
	e := &TurnEvent{
		Turn: t.Turn, Thought: deref(r.Monologue), Intent: deref(r.Intent), Outcome: string(r.Outcome),
		Effect: deref(r.Effect), Advice: deref(r.EffectAdvice), Objective: deref(r.Objective),
		Speak: deref(r.Speak), Reply: deref(r.Reply), Action: "nothing",
	}
	if r.Action != nil {
		e.Action = DescribeAction(*r.Action)
	}
	return e
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

var errNoPast = errors.New("this sitting is not recorded, so its turns cannot be gone back to")

// PastTurn shows a turn that is over. Play goes on meanwhile.
func (s *Sitting) PastTurn(ctx context.Context, at PastPlace) (PastTurn, error) {
	if s.o.Past == nil {
		return PastTurn{}, errNoPast
	}
	return s.o.Past.At(ctx, at)
}

// branchAt goes on from an earlier turn. The way there is played again on the
// caller's goroutine; the loop stops only for what a load takes.
func (s *Sitting) branchAt(ctx context.Context, at PastPlace) (Ack, error) {
	from, err := s.PastTurn(ctx, at)
	if err != nil {
		return Ack{}, err
	}
	return s.ask(ctx, request{
		do: func(ctx context.Context) (Ack, error) {
			ack, err := s.branch(ctx, from)
			return s.told(Command{Kind: CommandBranch}, ack, err)
		},
		rethink: true,
	})
}

func (s *Sitting) branch(ctx context.Context, from PastTurn) (Ack, error) {
	r, err := s.rewind(ctx, func(bank SaveRequest) (Rewound, error) { return s.o.Port.Branch(ctx, from, bank) })
	if r.Restored != nil {
		s.minted = append(s.minted, r.Restored.ID)
	}
	a, err := s.rewound(r, err)
	if err != nil {
		return Ack{}, err
	}
	which := fmt.Sprintf("turn %d", from.Turn)
	if !from.Live {
		which += " of " + emu.Clean(from.RunID)
	}
	a.Text = fmt.Sprintf("branched from %s as %s; the present is kept as %s", which, a.CheckpointID, a.BankedID)
	return a, nil
}

// Branch implements FreePlayCheckpointPort.
func (c *Checkpoints) Branch(ctx context.Context, from PastTurn, bank SaveRequest) (Rewound, error) {
	saved, err := c.bank(ctx, bank)
	if err != nil {
		return Rewound{}, err
	}
	r := Rewound{Bank: saved}
	entry, err := c.mintPast(ctx, from)
	if err != nil {
		return r, nothingLoaded(saved, err)
	}
	r.Restored = &entry
	pin := Pin{State: from.Machine}
	if p := from.Observed.Picture; !p.Stale {
		pin.Picture = p
	}
	if err := c.restore(ctx, pin, entry.ID, ""); err != nil {
		// The branch is the newest save, but the machine stands at the bank.
		back := c.Store.SetLive(context.WithoutCancel(ctx), c.JourneyID, saved.Entry.ID)
		return r, errors.Join(nothingLoaded(saved, err), back)
	}
	return c.goneBack(ctx, r, entry.ID)
}

// mintPast makes a save of an earlier turn, with the mind as it was then.
func (c *Checkpoints) mintPast(ctx context.Context, t PastTurn) (SaveEntry, error) {
	info := c.Body.Info()
	request := checkpoint.MintRequest{
		State: t.Machine, Picture: t.Observed.Picture, Identity: info.Identity, Scenario: c.Scenario,
		Label: fmt.Sprintf("turn-%d", t.Turn), JourneyID: c.JourneyID, EnvironmentID: info.EnvironmentID,
		Reason: checkpoint.ReasonOperator, RunID: t.RunID, Turn: &t.Turn,
		Frame: t.Observed.Frame, Profile: info.Profile, Parent: &t.From,
	}
	if t.Line != nil {
		request.Continuity = continuityOf(SaveRequest{Notes: deref(t.Line.Turn.Notes), Objective: deref(t.Line.Turn.Objective)})
	}
	if w := t.Observed.State.Overworld; w != nil {
		at := w.Position
		request.Position, request.Place = &at, PlaceName(w)
	}
	if _, err := c.Store.Get(ctx, t.From, info.Identity); emu.CodeOf(err) == checkpoint.CodeNotFound {
		request.Parent = new(string) // deleted since; it is no child of the present
	}
	receipt, err := c.Store.Mint(ctx, request)
	if err != nil {
		return SaveEntry{}, err
	}
	details, err := c.Store.Get(ctx, receipt.CheckpointID, info.Identity)
	if err != nil {
		return SaveEntry{}, fmt.Errorf("read the new save back: %w", err)
	}
	return SaveEntryOf(details.Entry), nil
}
