package mcp

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/emu/session"
)

// Identity is as whom the server plays: the character of its body and the
// holder of its lease.
const Identity = "gba-mcp-harness"

// How long the server waits, once its client is gone, for calls under way and
// for a boot, and then for the machine to close. Together they end it within
// two seconds, whatever hangs.
const (
	leavePatience = 500 * time.Millisecond
	closePatience = time.Second
)

// Game is a booted game. Body is not governed yet: the server does that.
type Game struct {
	Body        emu.Body
	Scenario    []byte // JSON of the scenario that was booted, kept with saves
	SavestateID string
	RNGSeed     uint32
}

// Boot boots the game. It may take minutes where the core has to be built
// first, and calls show with what it is doing. It ends soon after ctx does.
type Boot func(ctx context.Context, show func(step string)) (Game, error)

// Options are what a server is made of. All but Pace are required.
type Options struct {
	In      io.Reader
	Out     io.Writer
	Log     io.Writer // notes for people, never read by the client
	Version string
	Scope   *Scope
	Boot    Boot
	Pace    emu.Pace // unpaced unless set
	Clock   session.Clock
	Random  io.Reader
}

// Serve serves one client and returns when it is gone, when ctx ends, or with
// the error when the game cannot be booted. It closes the scope.
func Serve(ctx context.Context, o Options) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	w := newWire(o.In, o.Out)
	s := &server{options: o, wire: w, runID: newRunID(o), ready: make(chan struct{})}
	conn, err := s.register().Connect(ctx, w, nil)
	if err != nil {
		return errors.Join(fmt.Errorf("mcp: %w", err), o.Scope.Close())
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = conn.Wait() // however it ended, it ended
	}()
	go s.boot(ctx)
	select {
	case <-ctx.Done():
	case <-gone:
	case <-w.down:
	case <-s.failed():
		err = s.bootErr
	}
	end(errGone)
	return errors.Join(err, s.leave(gone), o.Scope.Close())
}

var errGone = errors.New("the client is gone")

func newRunID(o Options) string {
	var b [4]byte
	// A source that fails makes names less varied, no more.
	_, _ = io.ReadFull(o.Random, b[:])
	stamp := emu.Moment(o.Clock.Now())
	return strings.NewReplacer(":", "-", ".", "-").Replace(stamp) + "-" + hex.EncodeToString(b[:])
}

// server is one server with its one client.
type server struct {
	options Options
	wire    *wire
	runID   string
	queue   queue

	ready   chan struct{} // closed when the boot is over; then game or bootErr is set
	game    *game
	bootErr error

	mu   sync.Mutex
	step string // what the boot is doing
}

// boot boots the game and puts a session around it.
func (s *server) boot(ctx context.Context) {
	defer close(s.ready)
	defer func() {
		if p := recover(); p != nil {
			s.bootErr = fmt.Errorf("the game could not be booted: %v", p)
		}
	}()
	s.game, s.bootErr = s.newGame(ctx)
	if s.bootErr == nil {
		info := s.game.body.Info()
		s.note("ready: %s (%s), session %s", info.GameTitle, info.ScenarioID, info.SessionID)
	}
}

func (s *server) newGame(ctx context.Context) (*game, error) {
	booted, err := s.options.Boot(ctx, s.show)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // the client left meanwhile, and its folder is gone or going
		return nil, errors.Join(context.Cause(ctx), booted.Body.Close())
	}
	o := s.options
	info := booted.Body.Info()
	body, err := session.Govern(ctx, booted.Body, session.GovernOptions{
		Root: o.Scope.Runtime, Clock: o.Clock, Random: o.Random,
		SessionID: fmt.Sprintf("gba-mcp:%s:v%d:%s", info.ScenarioID, info.ScenarioVersion, s.runID),
		HolderID:  Identity, CorrelationID: "mcp:" + info.ScenarioID, CommandPrefix: "gba-mcp-command",
		SavestateID: booted.SavestateID, RNGSeed: booted.RNGSeed,
	})
	if err != nil {
		return nil, fmt.Errorf("start the session: %w", err)
	}
	g := &game{body: body, observations: emu.NewObservations(body.Info()), clock: o.Clock}
	if err := g.begin(ctx, o, booted, s.runID); err != nil {
		return nil, errors.Join(err, body.Close())
	}
	g.chronicle = openChronicle(o, body.Info(), s.runID, s.note)
	return g, nil
}

// begin readies a governed body: its pace, its saves and its first picture.
func (g *game) begin(ctx context.Context, o Options, booted Game, runID string) error {
	g.body.SetPace(o.Pace)
	if info := g.body.Info(); info.Real {
		store, err := checkpoint.Open(o.Scope.Checkpoints, checkpoint.Options{
			Listing: toolLoad + " without an id lists what there is", Variable: EnvCheckpointDir,
		})
		if err != nil {
			return err
		}
		g.saves = &saves{store: store, scenario: booted.Scenario, runID: runID, journey: journeyOf(o.Scope.harness, info)}
	}
	// A savestate holds no picture: one frame draws it.
	if err := g.body.Idle(ctx, 1); err != nil {
		return fmt.Errorf("draw the first picture: %w", err)
	}
	return nil
}

// show takes in what the boot is doing, for whoever waits for it.
func (s *server) show(step string) {
	s.mu.Lock()
	s.step = step
	s.mu.Unlock()
}

func (s *server) booting() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.step
}

// failed is closed when the boot failed.
func (s *server) failed() <-chan struct{} {
	c := make(chan struct{})
	go func() {
		if <-s.ready; s.bootErr != nil {
			close(c)
		}
	}()
	return c
}

// leave ends what is under way and closes the machine. It waits for neither
// for long: the process ends next, and the machine with it.
func (s *server) leave(gone <-chan struct{}) error {
	late, stop := s.after(leavePatience)
	defer stop()
	select {
	case <-s.ready:
	case <-late:
		return s.wire.Close()
	}
	if s.bootErr != nil {
		s.untilAnswered(late)
	}
	_ = s.wire.Close()
	select {
	case <-gone:
	case <-late:
	}
	if s.game == nil {
		return nil
	}
	closed := make(chan error, 1)
	go func() {
		s.game.chronicle.close()
		closed <- s.game.body.Close()
	}()
	late, stop = s.after(closePatience)
	defer stop()
	select {
	case err := <-closed:
		return err
	case <-late:
		return &emu.Error{Code: emu.CodeCoreHung, Message: "the machine did not close in time and was left"}
	}
}

// after returns a channel that is closed once d has passed.
func (s *server) after(d time.Duration) (late <-chan struct{}, stop func()) {
	c := make(chan struct{})
	return c, s.options.Clock.AfterFunc(d, func() { close(c) })
}

// untilAnswered waits until the calls in line have been told that there is no
// game.
func (s *server) untilAnswered(late <-chan struct{}) {
	t := s.queue.enter()
	defer t.leave()
	select {
	case <-t.come:
	case <-late:
	}
}

// note writes a line for people.
func (s *server) note(format string, args ...any) {
	// A log that cannot be written to must not end the server.
	_, _ = fmt.Fprintf(s.options.Log, "clankie mcp: "+format+"\n", args...)
}

// register makes the protocol's server with the seven tools.
func (s *server) register() *sdk.Server {
	m := sdk.NewServer(
		&sdk.Implementation{Name: Name, Title: "Game Boy Advance", Version: s.options.Version},
		&sdk.ServerOptions{
			Instructions: instructions,
			// The tools never change, and nothing is logged over the protocol.
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		},
	)
	for _, e := range catalogue {
		m.AddTool(e.tool(), s.handler(e.name, tools[e.name]))
	}
	m.AddReceivingMiddleware(inOrder)
	return m
}
