package play

import (
	"context"
	"errors"

	"clankie/emu"
)

// Boxes are what the storage system held at one moment of a sitting.
type Boxes struct {
	Storage   emu.Storage
	Turn      int    // turns settled by then
	LoadEpoch uint64 // of the body; what was read before a load is of another past
}

// Boxes reads the storage system at the next safe border, as a command is
// carried out. The error says why it cannot be read.
func (s *Sitting) Boxes(ctx context.Context) (Boxes, error) {
	answers := make(chan Boxes, 1) // whoever gave up waiting must not share memory with it
	_, err := s.ask(ctx, request{do: func(ctx context.Context) (Ack, error) {
		b, err := s.boxes(ctx)
		answers <- b
		return Ack{}, err
	}})
	if err != nil {
		return Boxes{}, err
	}
	return <-answers, nil
}

func (s *Sitting) boxes(ctx context.Context) (Boxes, error) {
	keeper, ok := s.body.(emu.Storekeeper)
	if !ok {
		return Boxes{}, errors.New("this body has no storage")
	}
	o, err := s.body.Observe(ctx)
	if err != nil {
		return Boxes{}, err
	}
	if why := o.State.Undecoded["trainer"]; o.State.Trainer == nil && why != "" {
		return Boxes{}, errors.New(why) // no game is running: what lies in memory is no one's
	}
	storage, err := keeper.Storage(ctx)
	return Boxes{storage, s.turn, o.LoadEpoch}, err
}
