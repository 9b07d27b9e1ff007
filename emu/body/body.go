package body

import (
	"context"
	"slices"

	"clankie/emu"
)

// Decoder reads one frame's memory. It must not keep the memory.
type Decoder func(emu.Memory) emu.State

// Body implements [emu.Body] on a core that it owns.
type Body struct {
	core   emu.Core
	decode Decoder

	storage func(emu.Memory) (emu.Storage, bool) // nil where none is decoded
	info    emu.BodyInfo
	boot    []byte

	pacer    pacer
	battles  battles
	bumped   bumped // tiles that walks found blocked
	observer func(frame uint64, sample func() emu.Observed)
	watch    func(emu.State) // the running action's look at every polled frame

	frames, inputs uint64
	epoch          uint64
	sinceLoad      uint64       // frames since boot or the last load: the phase of polling
	kept           *emu.Picture // picture of a loaded state until the first frame after it
	now            moment
	pages          ramPages
	dead           error // why the machine is gone, or nil
}

var (
	_ emu.Body        = (*Body)(nil)
	_ emu.Storekeeper = (*Body)(nil)
)

// Option configures a Body.
type Option func(*Body)

// WithClock paces frames and ends overdue actions by c instead of the
// machine's own clock.
func WithClock(c Clock) Option {
	return func(b *Body) { b.pacer.clock = c }
}

// WithStorage lets the body tell what the storage system holds, read by read,
// which must not keep the memory; ok is false when there is none in it.
func WithStorage(read func(emu.Memory) (s emu.Storage, ok bool)) Option {
	return func(b *Body) { b.storage = read }
}

// New returns a body on core, which it owns from now on. boot is the
// savestate that the core was booted from; the body keeps its own copy.
func New(core emu.Core, decode Decoder, info emu.BodyInfo, boot []byte, options ...Option) *Body {
	prefix := info.Profile
	if prefix == "" {
		prefix = info.EnvironmentID
	}
	b := &Body{
		core:    core,
		decode:  decode,
		info:    info,
		boot:    slices.Clone(boot),
		pacer:   pacer{clock: WallClock{}},
		battles: battles{prefix: prefix + "-" + core.Identity().ROMSHA256.Short()},
	}
	for _, option := range options {
		option(b)
	}
	return b
}

// Info implements [emu.Body].
func (b *Body) Info() emu.BodyInfo { return b.info }

// BootState returns a copy of the savestate that the machine was booted from.
func (b *Body) BootState() []byte { return slices.Clone(b.boot) }

// Counters implements [emu.Body].
func (b *Body) Counters() (frames, inputs uint64) { return b.frames, b.inputs }

// SetPace implements [emu.Body].
func (b *Body) SetPace(p emu.Pace) { b.pacer.set(p) }

// OnFrame implements [emu.Body].
func (b *Body) OnFrame(observer func(frame uint64, sample func() emu.Observed)) {
	b.observer = observer
}

// Idle implements [emu.Body].
func (b *Body) Idle(ctx context.Context, n int) error {
	_, err := b.run(ctx, n, 0)
	return err
}

// Close implements [emu.Body].
func (b *Body) Close() error {
	if b.core == nil {
		return nil
	}
	b.leaveFrame()
	err := b.core.Close()
	b.core = nil
	if b.dead == nil {
		b.dead = &emu.Error{Code: emu.CodeCoreClosed, Message: "the body was closed"}
	}
	return err
}

// gone remembers a failure after which there is no machine any more.
func (b *Body) gone(err error) error {
	if err != nil && b.dead == nil && emu.CoreFailed(err) {
		b.dead = err
	}
	return err
}
