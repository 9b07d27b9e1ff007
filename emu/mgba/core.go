package mgba

import (
	"context"
	"encoding/binary"
	"sync/atomic"
	"time"

	"clankie/emu"
)

// BootOptions says what a machine starts with. The slices are copied.
type BootOptions struct {
	// ROM is the cartridge image.
	ROM []byte
	// Battery is the cartridge's battery memory, as a .sav file holds it; nil
	// for a new cartridge.
	Battery []byte
	// State is loaded right after power-on when it is not nil, by the rules of
	// Core.Load.
	State []byte
}

// Core is one machine. It implements [emu.Core].
type Core struct {
	id   emu.CoreIdentity
	m    *machine
	dead error // why the machine is gone, or nil

	romCRC, biosCRC uint32
	header          [16]byte // title and game code as the cartridge has them

	frame    uint64 // frames run since boot
	drawn    uint64 // frame the picture was drawn in
	stale    bool
	hangTime time.Duration
}

var _ emu.Core = (*Core)(nil)

// Boot starts a machine with a cartridge in it. It refuses an image that is
// no cartridge with emu.CodeCoreBadROM and a state by the codes of Core.Load.
// The caller closes the core.
func Boot(ctx context.Context, mod Module, o BootOptions) (*Core, error) {
	header, err := emu.ReadROMHeader(o.ROM)
	if err != nil {
		return nil, &emu.Error{Code: emu.CodeCoreBadROM, Message: err.Error(), Err: err}
	}
	if mod.engine == nil {
		return nil, badModule("no module was given")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := &Core{hangTime: hangAfter, id: emu.CoreIdentity{
		CoreID:       CoreID,
		ModuleSHA256: mod.SHA256,
		Equivalents:  mod.Equivalents,
		ROMSHA256:    emu.DigestOf(o.ROM),
		GameCode:     header.GameCode,
		Revision:     header.Revision,
		Title:        header.Title,
	}}
	copy(c.header[:], o.ROM[0xA0:0xB0])
	var on *poweredOn
	err = c.guard(func(*watch) (err error) {
		on, err = powerOn(mod, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	c.m, c.romCRC, c.biosCRC = on.m, on.romCRC, on.biosCRC
	if o.State != nil {
		if err := c.Load(ctx, o.State); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// poweredOn is a machine that was just switched on, with the checksums that
// every state for it must carry.
type poweredOn struct {
	m               *machine
	romCRC, biosCRC uint32
}

// powerOn puts the cartridge in and switches the machine on.
func powerOn(mod Module, o BootOptions) (*poweredOn, error) {
	m, err := newMachine(mod)
	if err != nil {
		return nil, err
	}
	if err := m.insert(o.ROM, o.Battery); err != nil {
		m.close()
		return nil, err
	}
	first, err := m.save()
	if err != nil {
		m.close()
		return nil, err
	}
	return &poweredOn{
		m:       m,
		romCRC:  binary.LittleEndian.Uint32(first[offROMCRC:]),
		biosCRC: binary.LittleEndian.Uint32(first[offBIOSCRC:]),
	}, nil
}

// Identity implements [emu.Core].
func (c *Core) Identity() emu.CoreIdentity { return c.id }

// Frame implements [emu.Core].
func (c *Core) Frame() uint64 { return c.frame }

// Run implements [emu.Core].
func (c *Core) Run(ctx context.Context, n int, held emu.Keys) (ran int, err error) {
	if c.dead != nil {
		return 0, c.gone()
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if n <= 0 {
		return 0, nil
	}
	m := c.m
	var done atomic.Int64
	err = c.guard(func(w *watch) error {
		for range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if w.abandoned.Load() {
				return nil
			}
			if err := m.frame(held & emu.KeysAll); err != nil {
				return err
			}
			done.Add(1)
			w.progress.Add(1)
		}
		return nil
	})
	ran = int(done.Load())
	c.frame += uint64(ran)
	if ran > 0 {
		c.drawn, c.stale = c.frame, false
	}
	return ran, err
}

// Picture implements [emu.Core]. When the machine is gone the picture is
// black and stale.
func (c *Core) Picture() emu.Picture {
	if c.dead != nil {
		return emu.Picture{Pix: make([]byte, emu.PictureBytes), Frame: c.drawn, Stale: true}
	}
	return emu.Picture{Pix: c.m.view(regionPicture), Frame: c.drawn, Stale: c.stale}
}

// Memory implements [emu.Core]. When the machine is gone every view is nil.
func (c *Core) Memory() emu.Memory {
	if c.dead != nil {
		return emu.Memory{}
	}
	return emu.Memory{
		EWRAM:   c.m.view(regionEWRAM),
		IWRAM:   c.m.view(regionIWRAM),
		ROM:     c.m.view(regionROM),
		VRAM:    c.m.view(regionVRAM),
		Palette: c.m.view(regionPalette),
		OAM:     c.m.view(regionOAM),
		IO:      c.m.view(regionIO),
	}
}

// Save implements [emu.Core]. The state is mGBA's plain one followed by
// battery memory and clock; ParseSavestate reads it.
func (c *Core) Save(ctx context.Context) ([]byte, error) {
	if c.dead != nil {
		return nil, c.gone()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := c.m
	var state []byte
	err := c.guard(func(*watch) (err error) {
		state, err = m.save()
		return err
	})
	if err != nil {
		return nil, err
	}
	return state, nil
}

// Close implements [emu.Core].
func (c *Core) Close() error {
	if c.dead == nil {
		c.bury(&emu.Error{Code: emu.CodeCoreClosed, Message: "the core was closed"})
	}
	return nil
}

// gone is the error of a call on a machine that is no more.
func (c *Core) gone() error {
	if emu.CodeOf(c.dead) == emu.CodeCoreClosed {
		return c.dead
	}
	return &emu.Error{Code: emu.CodeCoreClosed, Message: "the core was discarded after a failure", Err: c.dead}
}

// bury discards the machine for good. After a hang its goroutine still runs
// in it, so its memory is only let go of, not closed.
func (c *Core) bury(why error) {
	c.dead = why
	if c.m != nil && emu.CodeOf(why) != emu.CodeCoreHung {
		c.m.close()
	}
	c.m = nil
}
