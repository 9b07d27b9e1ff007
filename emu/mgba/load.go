package mgba

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"clankie/emu"
)

// Load implements [emu.Core]. It takes any container that ParseSavestate
// reads. Everything that can be told from the bytes is checked before the
// machine is touched. Refusals:
//
//   - emu.CodeCoreBadState: damaged, or no savestate (the cause in the chain
//     carries ParseSavestate's code),
//   - emu.CodeCoreStateFormat: another version of the state format, or made
//     with another BIOS,
//   - emu.CodeCoreStateGame: another game, or another revision of this one.
//
// Battery memory comes from the state; when the state carries none, it is
// what the machine was booted with.
func (c *Core) Load(ctx context.Context, state []byte) error {
	if c.dead != nil {
		return c.gone()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s, err := ParseSavestate(state)
	if err != nil {
		return loadRefusal(err)
	}
	if err := c.accept(s); err != nil {
		return err
	}
	m := c.m
	if err := c.guard(func(*watch) error { return m.replace(s) }); err != nil {
		return err
	}
	c.stale = true
	return nil
}

// loadRefusal gives a container's refusal the code of a refused load.
func loadRefusal(err error) error {
	if emu.CodeOf(err) == emu.CodeCoreStateFormat {
		return err
	}
	return &emu.Error{Code: emu.CodeCoreBadState, Message: "the state does not load", Detail: err.Error(), Err: err}
}

// accept checks that the state belongs to this machine and cartridge. The core
// itself only warns about another ROM, so this is the only gate.
func (c *Core) accept(s *Savestate) error {
	if s.Magic != StateMagic {
		return refuse(emu.CodeCoreStateFormat, fmt.Sprintf("the state has format 0x%08X, this core has 0x%08X", s.Magic, StateMagic))
	}
	if !bytes.Equal(s.State[offTitle:offTitle+16], c.header[:]) {
		return refuse(emu.CodeCoreStateGame, fmt.Sprintf("the state is of %q (%s), the cartridge is %q (%s)", s.Title, s.GameCode, c.id.Title, c.id.GameCode))
	}
	if s.ROMCRC != c.romCRC {
		return refuse(emu.CodeCoreStateGame, fmt.Sprintf("the state was made with another revision of %q: its cartridge has CRC-32 %08x, this one %08x", c.id.Title, s.ROMCRC, c.romCRC))
	}
	if s.BIOSCRC != c.biosCRC {
		return refuse(emu.CodeCoreStateFormat, fmt.Sprintf("the state was made with another BIOS (checksum %08x, here %08x)", s.BIOSCRC, c.biosCRC))
	}
	return nil
}

// replace loads s, verifies what the machine then holds, and puts the present
// back when that fails.
func (m *machine) replace(s *Savestate) error {
	present, err := m.save()
	if err != nil {
		return err
	}
	picture := bytes.Clone(m.view(regionPicture))
	err = m.load(s.Encode())
	if err == nil {
		err = m.verify(s)
	}
	if err == nil || emu.CoreFailed(err) {
		return err
	}
	if back := m.putBack(present, picture); back != nil {
		return trap("load", errors.Join(err, back))
	}
	return &emu.Error{Code: emu.CodeCoreBadState, Message: "the state does not load; the machine is as it was before", Detail: err.Error(), Err: err}
}

// verify compares the machine with the state it was just given.
func (m *machine) verify(s *Savestate) error {
	want := s.Memory()
	if !bytes.Equal(m.view(regionEWRAM), want.EWRAM) || !bytes.Equal(m.view(regionIWRAM), want.IWRAM) {
		return errors.New("the machine's memory differs from the state's")
	}
	if s.Battery == nil {
		return nil
	}
	now, err := m.save()
	if err != nil {
		return err
	}
	got, err := ParseSavestate(now)
	if err != nil {
		return fmt.Errorf("read the loaded state back: %w", err)
	}
	if !bytes.Equal(got.Battery, s.Battery) {
		return errors.New("the cartridge's battery memory differs from the state's")
	}
	return nil
}

// putBack returns the machine to a state it was in before.
func (m *machine) putBack(present, picture []byte) error {
	if err := m.load(present); err != nil {
		return err
	}
	if !m.mod.Memory().Write(m.regions[regionPicture].at, picture) {
		return errors.New("the picture lies outside the module's memory")
	}
	return nil
}
