package double

import (
	"context"
	"fmt"
	"sync"

	"clankie/emu"
)

// How the double names itself wherever a body is shown.
const (
	// EnvironmentID names the environment, and the profile.
	EnvironmentID = "deterministic-double"
	gameTitle     = "deterministic double (test infrastructure, no game)"
)

// Body implements [emu.Body] without a machine. Like any body it has one
// owner.
type Body struct {
	machine  *machine
	info     emu.BodyInfo
	observer func(frame uint64, sample func() emu.Observed)
	now      *emu.Observed // of this frame, once somebody looked
	closed   bool
}

var _ emu.Body = (*Body)(nil)

// New returns the double of a scenario whose file has the digest fixture.
func New(s Scenario, fixture emu.Digest) (*Body, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("double: scenario: %w", err)
	}
	// Every string of the state comes out of the scenario, so what can be
	// written now can always be hashed.
	if _, err := emu.CanonicalJSON(s); err != nil {
		return nil, fmt.Errorf("double: scenario: %w", err)
	}
	return &Body{machine: newMachine(s), info: emu.BodyInfo{
		ScenarioID: s.ScenarioID, ScenarioVersion: s.ScenarioVersion, FixtureSHA256: fixture,
		EnvironmentID: EnvironmentID, Profile: EnvironmentID, GameTitle: gameTitle,
		WorldID: s.WorldID, CharacterID: s.Player.CharacterID,
		Identity:   emu.CoreIdentity{CoreID: s.CoreID, Title: "DOUBLE"},
		BootSHA256: s.SavestateSHA256,
		Real:       false,
	}}, nil
}

// Info implements [emu.Body].
func (b *Body) Info() emu.BodyInfo { return b.info }

var errClosed = &emu.Error{Code: emu.CodeCoreClosed, Message: "the deterministic double was closed"}

// black is the picture of every frame. Nobody changes a picture.
var black = make([]byte, emu.PictureBytes)

// Observe implements [emu.Body]. The double draws nothing: its picture is
// black and stale, and nobody may show it. Its digest is that of the state a
// picture would show.
func (b *Body) Observe(context.Context) (emu.Observed, error) {
	if b.closed {
		return emu.Observed{}, errClosed
	}
	return b.observed(), nil
}

func (b *Body) observed() emu.Observed {
	if b.now == nil {
		frame, state := b.machine.frame, b.machine.canonical()
		b.now = &emu.Observed{
			Frame:         frame,
			State:         b.machine.state(),
			Picture:       emu.Picture{Pix: black, Frame: frame, Stale: true},
			RAM:           sync.OnceValue(func() emu.Digest { return ramDigest(state) }),
			PictureSHA256: sync.OnceValue(func() emu.Digest { return pictureDigest(frame, state) }),
		}
	}
	return *b.now
}

// advance lets frames pass, one by one when somebody watches.
func (b *Body) advance(frames int, held emu.Keys) {
	b.now = nil
	if b.observer == nil {
		b.machine.run(frames, held)
		return
	}
	for range frames {
		b.now = nil
		b.machine.run(1, held)
		b.observer(b.machine.frame, b.observed)
	}
}

// Idle implements [emu.Body].
func (b *Body) Idle(ctx context.Context, n int) error {
	if b.closed {
		return errClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b.advance(n, 0)
	return nil
}

// SetPace implements [emu.Body]. The double has no pace: its frames take no
// time.
func (b *Body) SetPace(emu.Pace) {}

// OnFrame implements [emu.Body].
func (b *Body) OnFrame(observer func(frame uint64, sample func() emu.Observed)) {
	b.observer = observer
}

var errNoStates = &emu.Error{
	Code:    emu.CodeCheckpointsUnavailable,
	Message: "this is the deterministic double, which has no savestates",
}

// CaptureState implements [emu.Body] by refusing.
func (b *Body) CaptureState(context.Context) ([]byte, error) { return nil, errNoStates }

// RestoreState implements [emu.Body] by refusing.
func (b *Body) RestoreState(context.Context, []byte, []byte) error { return errNoStates }

// Counters implements [emu.Body].
func (b *Body) Counters() (frames, inputs uint64) { return b.machine.frame, b.machine.inputs }

// Close implements [emu.Body].
func (b *Body) Close() error {
	b.closed = true
	return nil
}
