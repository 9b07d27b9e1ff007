package play

import (
	"context"
	"fmt"

	"clankie/emu"
)

// PinKeeper keeps pinned savestates of one game from sitting to sitting.
type PinKeeper interface {
	// KeepPin keeps a state under a name, with its picture where that has
	// pixels. It refuses a name that is no name, and one that is taken by
	// another state. When it returns, the state is on the disk.
	KeepPin(ctx context.Context, name string, state []byte, picture emu.Picture) error
}

// Pin implements FreePlayCheckpointPort.
func (c *Checkpoints) Pin(ctx context.Context, name string, picture emu.Picture) (Pinned, error) {
	if c.Keeper == nil {
		return Pinned{}, fmt.Errorf("this sitting has nowhere to keep pins")
	}
	state, err := c.Body.CaptureState(ctx)
	if err != nil {
		return Pinned{}, fmt.Errorf("capture the state: %w", err)
	}
	ram, err := c.ramDigest(ctx)
	if err != nil {
		return Pinned{}, err
	}
	if err := c.Keeper.KeepPin(ctx, name, state, picture); err != nil {
		return Pinned{}, err
	}
	if c.More == nil {
		c.More = map[string]Pin{}
	}
	c.More[name] = Pin{State: state, Picture: picture}
	return Pinned{StateSHA256: emu.DigestOf(state), RAMSHA256: ram}, nil
}

func (s *Sitting) doPin(ctx context.Context, c Command) (Ack, error) {
	if s.o.Port == nil {
		return Ack{}, noPort()
	}
	if c.Pin == "" {
		return Ack{}, fmt.Errorf("under which name? write it after /pin")
	}
	o, err := s.observe(ctx)
	if err != nil {
		return Ack{}, err
	}
	picture := o.Picture
	if picture.Stale {
		picture = emu.Picture{} // it shows something else
	}
	pinned, err := s.o.Port.Pin(ctx, c.Pin, picture)
	if err != nil {
		return Ack{}, err
	}
	return Ack{
		Text:      fmt.Sprintf("pinned the present as %s; /restart %s goes back to it", c.Pin, c.Pin),
		RAMSHA256: pinned.RAMSHA256,
	}, nil
}
