package play

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"clankie/checkpoint"
	"clankie/emu"
)

func noPort() *emu.Error {
	return &emu.Error{
		Code:    emu.CodeCheckpointsUnavailable,
		Message: "this sitting has no store of saves, so it can neither save nor load nor restart",
	}
}

// saveRequest describes the present: the machine as it stands and the mind as
// it is this turn.
func (s *Sitting) saveRequest(ctx context.Context, label string, reason SaveReason) (SaveRequest, error) {
	o, err := s.observe(ctx)
	if err != nil {
		return SaveRequest{}, err
	}
	r := SaveRequest{
		Label: label, Reason: reason, Notes: s.notes, Objective: s.objective.text,
		Turn: s.turn, Picture: o.Picture,
	}
	if w := o.State.Overworld; w != nil {
		at := w.Position
		r.Position, r.Place = &at, PlaceName(w)
	}
	return r, nil
}

// save mints a save of the present.
func (s *Sitting) save(ctx context.Context, label string, reason SaveReason) (Saved, error) {
	if s.o.Port == nil {
		return Saved{}, noPort()
	}
	r, err := s.saveRequest(ctx, label, reason)
	if err != nil {
		return Saved{}, err
	}
	saved, err := s.o.Port.Save(ctx, r)
	if err != nil {
		return Saved{}, err
	}
	s.keep(saved)
	frames, _ := s.body.Counters()
	s.mintedAt = &frames
	if reason == ReasonAutosave || reason == ReasonStop {
		s.post(EventSave, "saved "+saved.Entry.ID)
	}
	return saved, nil
}

// unsaved reports whether anything has run since the newest save of this
// timeline.
func (s *Sitting) unsaved() bool {
	frames, _ := s.body.Counters()
	return s.mintedAt == nil || *s.mintedAt != frames
}

func (s *Sitting) keep(saved Saved) {
	entry := saved.Entry
	s.lastSave = &entry
	s.minted = append(s.minted, entry.ID)
}

// load goes back to a save.
func (s *Sitting) load(ctx context.Context, id string) (Rewound, error) {
	return s.rewind(ctx, func(bank SaveRequest) (Rewound, error) { return s.o.Port.Load(ctx, id, bank) })
}

// restart goes back to the beginning, or to a pin.
func (s *Sitting) restart(ctx context.Context, pin string) (Rewound, error) {
	return s.rewind(ctx, func(bank SaveRequest) (Rewound, error) { return s.o.Port.Restart(ctx, pin, bank) })
}

// rewind banks the present and restores something earlier. The world goes
// back; notes, objective, history and counters do not. What was remembered of
// tiles goes, because it was about the timeline that is left.
func (s *Sitting) rewind(ctx context.Context, restore func(bank SaveRequest) (Rewound, error)) (Rewound, error) {
	if s.o.Port == nil {
		return Rewound{}, noPort()
	}
	bank, err := s.saveRequest(ctx, LabelBeforeRewind, ReasonBeforeRewind)
	if err != nil {
		return Rewound{}, err
	}
	r, err := restore(bank)
	if id := r.Bank.Entry.ID; id != "" && (s.lastSave == nil || s.lastSave.ID != id) {
		s.minted = append(s.minted, id)
	}
	if r.Warning != "" {
		s.post(EventError, r.Warning)
	}
	if !r.Moved {
		return r, err
	}
	s.moved(r)
	if _, observed := s.observe(ctx); observed != nil {
		return r, errors.Join(err, observed)
	}
	s.publish()
	return r, err
}

// moved is the bookkeeping after the machine was put elsewhere, whatever else
// went wrong.
func (s *Sitting) moved(r Rewound) {
	s.lastSave, s.mintedAt = r.Restored, nil
	s.memory.rewound()
	for _, m := range s.minds {
		if m, ok := m.(Rewinder); ok {
			m.Rewound()
		}
	}
}

func (r Rewound) describe() string {
	what := "the beginning"
	switch {
	case r.Restored != nil:
		what = r.Restored.ID + " (" + r.Restored.Place + ")"
	case r.Pin != "":
		what = "the pin " + r.Pin
	}
	return fmt.Sprintf("went back to %s; the present is kept as %s", what, r.Bank.Entry.ID)
}

func (r Rewound) ack() Ack {
	a := Ack{Text: r.describe(), BankedID: r.Bank.Entry.ID, RAMSHA256: r.RAMSHA256}
	if r.Restored != nil {
		a.CheckpointID = r.Restored.ID
	}
	return a
}

func (s *Sitting) doSave(ctx context.Context, c Command) (Ack, error) {
	if c.Label != "" && !emu.ValidLabel(c.Label) {
		return Ack{}, fmt.Errorf("the label %q must be 1 to 40 of a-z, 0-9 and -, not beginning with -", emu.Clean(c.Label))
	}
	saved, err := s.save(ctx, c.Label, ReasonOperator)
	if err != nil {
		return Ack{}, err
	}
	return Ack{Text: "saved " + saved.Entry.ID, CheckpointID: saved.Entry.ID, RAMSHA256: saved.RAMSHA256}, nil
}

func (s *Sitting) doLoad(ctx context.Context, c Command) (Ack, error) {
	return s.rewound(s.load(ctx, c.ID))
}

// rewound answers an operator's load or restart. What led nowhere where the
// mind was may lead on from there.
func (s *Sitting) rewound(r Rewound, err error) (Ack, error) {
	if err != nil {
		return Ack{}, err
	}
	s.guard.rest()
	return r.ack(), nil
}

func (s *Sitting) doRestart(ctx context.Context, c Command) (Ack, error) {
	return s.rewound(s.restart(ctx, c.Pin))
}

func (s *Sitting) doDeleteSave(ctx context.Context, c Command) (Ack, error) {
	if s.o.Port == nil {
		return Ack{}, noPort()
	}
	err := s.o.Port.Delete(ctx, c.ID, c.Confirm)
	if err == nil || emu.CodeOf(err) == checkpoint.CodeDeleteIncomplete {
		s.forget(c.ID)
	}
	if err != nil {
		return Ack{}, err
	}
	return Ack{Text: "deleted " + c.ID + " for good", CheckpointID: c.ID}, nil
}

// forget takes a deleted save off the books. Where it held the present, that
// is kept nowhere any more.
func (s *Sitting) forget(id string) {
	s.minted = slices.DeleteFunc(s.minted, func(minted string) bool { return minted == id })
	if s.lastSave != nil && s.lastSave.ID == id {
		s.lastSave, s.mintedAt = nil, nil
	}
}
