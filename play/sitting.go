package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"clankie/emu"
	"clankie/journal"
)

// ErrEnded is what Do returns once the sitting has ended.
var ErrEnded = errors.New("play: the sitting has ended")

// Outcomes of a sitting, as summaries name them.
const (
	OutcomeStopped = "stopped"          // somebody asked
	OutcomeBudget  = "budget_exhausted" // a cap was reached
	OutcomeFailed  = "failed"           // the machine is gone
)

const (
	// failuresToPause is how many failed or invalid decisions in a row pause
	// the sitting.
	failuresToPause = 5
	// preemptionsPerTurn bounds how often a message makes the mind start over
	// within one turn; after that the newest message waits for the next turn.
	preemptionsPerTurn = 3
)

// Result is how a sitting ended.
type Result struct {
	Outcome     string
	Why         string // which cap of the mind's ended it, "" where none did
	Turns       int
	Accepted    int
	Final       emu.Digest // RAM digest at the end, "" when the machine is gone
	Checkpoints []string   // ids minted, oldest first
	Goals       []string   // goals the game's own flags say are reached
	Progress    ProgressReport
	// Summary is the journal's last line, whether it could be written or not.
	Summary journal.Summary
}

// ProgressReport is what a sitting has seen.
type ProgressReport struct {
	DistinctTiles     int
	Maps              []string
	TurnsSinceNewTile int
	ActionsPerNewTile *float64
}

// Sitting is one run of free play. Make it with New, run it once with Run.
type Sitting struct {
	o        Options
	body     emu.Body
	board    *board
	requests chan request
	ended    chan struct{}

	// What follows belongs to the goroutine that runs Run.

	minds       map[string]Mind // made so far, by name
	mind        Mind
	formerMind  string // who gets the pad back; "" while it is not taken
	speed       Speed
	phase       Phase
	paused      bool
	pausedWhy   string
	spent       bool             // paused because the mind may spend no more
	stepping    bool             // pause again after one turn
	steppedFrom int              // the turns settled when that was asked for
	timeUp      <-chan time.Time // fires when MaxDuration is over; nil without a cap
	timeIsUp    bool
	stopping    bool

	turn         int
	notes        string
	objective    objective
	lastRetired  string // the objective retired last
	guard        guard
	hard         hardFailures
	interjection string // said, and not heard yet by whoever decides
	saidTimes    int    // how often something was said
	preemptions  int
	failures     int
	lastSpoke    int // turn, or -1

	observations *emu.Observations

	progress  *progress
	coherence coherence
	memory    *memory
	volition  volition
	minted    []string
	lastSave  *SaveEntry

	mintedAt  *uint64      // frames run when the newest save was minted; nil when it is not of this timeline
	published int          // pictures shown to watchers while frames ran
	dropped   int          // of those, replaced before anybody looked
	shown     emu.Observed // newest observation, for snapshots
	seq       uint64
	meter     rateMeter
	nextShot  time.Time
	started   time.Time
}

// volition counts what the mind wished to say.
type volition struct{ offered, taken, suppressed int }

// request is one piece of work for the owner's goroutine.
type request struct {
	do    func(ctx context.Context) (Ack, error)
	reply chan<- reply
	// rethink is true when a mind that is thinking must start over.
	rethink bool
	// say is a message; it makes the mind start over only so often.
	say bool
}

type reply struct {
	ack Ack
	err error
}

// New makes a sitting. Nothing runs before Run.
func New(o Options) (*Sitting, error) {
	if o.Body == nil {
		return nil, errors.New("play: a sitting needs a body")
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.ClosingTime <= 0 {
		o.ClosingTime = DefaultClosingTime
	}
	if o.PicturesPerSecond <= 0 {
		o.PicturesPerSecond = 30
	}
	s := &Sitting{
		o: o, body: o.Body, board: newBoard(),
		requests: make(chan request), ended: make(chan struct{}),
		speed: o.Speed, phase: PhaseStarting, lastSpoke: -1,
		notes: emu.Clip(o.Notes, MaxNotes), objective: objective{text: emu.Clip(o.Objective, MaxObjective)},
		observations: emu.NewObservations(o.Body.Info()),
		progress:     newProgress(), memory: newMemory(), lastSave: o.LastSave,
		paused: o.StartPaused, minds: map[string]Mind{},
	}
	if s.paused {
		s.pausedWhy = "waiting for the operator"
	}
	mind, err := s.makeMind(o.Mind)
	if err != nil {
		return nil, err
	}
	s.mind = mind
	return s, nil
}

// makeMind returns the mind of that name, made once: what it has learned stays
// while another one decides.
func (s *Sitting) makeMind(name string) (Mind, error) {
	if m, ok := s.minds[name]; ok {
		return m, nil
	}
	makeIt, ok := s.o.Minds[name]
	if why := s.o.Absent[name]; !ok && why != nil {
		return nil, fmt.Errorf("the %s cannot decide: %w", name, why)
	}
	if !ok {
		return nil, fmt.Errorf("there is no mind %q; there is %s", emu.Clean(name), joinKeys(s.o.Minds))
	}
	s.minds[name] = makeIt()
	return s.minds[name], nil
}

// Watch lets somebody look on. Close the watcher when done.
func (s *Sitting) Watch() *Watcher { return s.board.watch() }

// Run plays until somebody stops it, a cap is reached, ctx ends or the
// machine is gone, then mints a final save, writes the journal's summary and
// returns. The calling goroutine owns the body meanwhile. The error says what
// failed; the result holds in any case.
func (s *Sitting) Run(ctx context.Context) (Result, error) {
	defer s.board.close()
	defer close(s.ended)
	s.started = s.o.Clock.Now()
	s.setPace()
	s.body.OnFrame(s.frameRan)
	defer s.body.OnFrame(nil)
	if s.o.MaxDuration > 0 {
		end := time.NewTimer(s.o.MaxDuration)
		defer end.Stop()
		s.timeUp = end.C
	}
	outcome, err := s.loop(ctx)
	// A stop must not cost the final save its context.
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.ClosingTime)
	defer cancel()
	return s.finish(closing, outcome, err)
}

func (s *Sitting) loop(ctx context.Context) (outcome string, err error) {
	first, err := s.observe(ctx)
	if err != nil {
		return s.lost(err)
	}
	s.progress.ended(first)
	s.progress.state(fingerprint(first))
	for {
		switch outcome := s.border(ctx); outcome {
		case "":
		case OutcomeFailed:
			return outcome, fmt.Errorf("play paused and nobody is there to go on: %s", s.pausedWhy)
		default:
			return outcome, nil
		}
		settled, err := s.takeTurn(ctx)
		switch {
		case ctx.Err() != nil:
			return OutcomeStopped, nil
		case err != nil:
			return s.lost(err)
		case settled:
			s.afterTurn(ctx)
		}
	}
}

// lost ends the sitting because the machine is gone, and says what is left.
func (s *Sitting) lost(err error) (string, error) {
	if errors.Is(err, context.Canceled) {
		return OutcomeStopped, nil
	}
	left := "no save was minted yet"
	if s.lastSave != nil {
		left = "the newest save is " + s.lastSave.ID + "; start again to resume from it"
	}
	s.post(EventError, fmt.Sprintf("the machine stopped: %v; %s", err, left))
	return OutcomeFailed, fmt.Errorf("the machine stopped (%s): %w", left, err)
}

// border is the moment between two turns: requests are carried out, a pause
// is sat out, caps are checked. It returns why to stop, or "".
func (s *Sitting) border(ctx context.Context) string {
	if s.stepping && s.turn > s.steppedFrom {
		s.stepping = false
		s.pause("one turn was asked for")
	}
	for {
		s.serveWaiting(ctx)
		if s.stopping || ctx.Err() != nil {
			return OutcomeStopped
		}
		if s.capped() {
			return OutcomeBudget
		}
		if !s.paused {
			return ""
		}
		if s.o.Unattended {
			return s.unattended()
		}
		s.enter(PhasePaused)
		select {
		case r := <-s.requests:
			s.serve(ctx, r)
		case <-s.timeUp:
			s.timeIsUp = true
		case <-ctx.Done():
		}
	}
}

// unattended is how a sitting ends that nobody is there to go on with: a cap
// that is reached is an end in good order.
func (s *Sitting) unattended() string {
	if s.spent {
		return OutcomeBudget
	}
	return OutcomeFailed
}

func (s *Sitting) capped() bool {
	select {
	case <-s.timeUp:
		s.timeIsUp = true
	default:
	}
	return s.timeIsUp || s.o.MaxTurns > 0 && s.turn >= s.o.MaxTurns
}

// afterTurn mints what is due: the first save as soon as a turn has settled,
// then one every AutosaveTurns.
func (s *Sitting) afterTurn(ctx context.Context) {
	every := s.o.AutosaveTurns
	if s.o.Port == nil || every <= 0 {
		return
	}
	if s.turn == 1 || s.turn%every == 0 {
		if _, err := s.save(ctx, LabelAutosave, ReasonAutosave); err != nil {
			s.post(EventError, fmt.Sprintf("the autosave failed: %v", err))
		}
	}
}

// finish mints the final save, writes the summary and reports.
func (s *Sitting) finish(ctx context.Context, outcome string, cause error) (Result, error) {
	r := Result{Outcome: outcome, Turns: s.turn, Accepted: s.progress.accepted}
	if s.spent {
		r.Why = s.pausedWhy
	}
	if !emu.CoreFailed(cause) {
		if o, err := s.body.Observe(ctx); err == nil {
			r.Final, r.Goals = o.RAM(), o.State.Goals
		}
		if s.o.Port != nil && s.turn > 0 && s.unsaved() {
			if _, err := s.save(ctx, LabelStop, ReasonStop); err != nil {
				s.post(EventError, fmt.Sprintf("the final save failed: %v", err))
				cause = errors.Join(cause, fmt.Errorf("final save: %w", err))
			}
		}
	}
	r.Checkpoints = s.minted
	r.Progress = s.progressReport()
	r.Summary = s.summary(r)
	cause = errors.Join(cause, s.recordSummary(r.Summary))
	s.pausedWhy = outcome
	s.enter(PhaseStopped)
	return r, cause
}

func (s *Sitting) progressReport() ProgressReport {
	return ProgressReport{
		DistinctTiles:     len(s.progress.tiles),
		Maps:              append([]string(nil), s.progress.maps...),
		TurnsSinceNewTile: s.progress.sinceNewTile,
		ActionsPerNewTile: s.progress.actionsPerNewTile(),
	}
}

func (s *Sitting) pause(why string) {
	s.paused, s.pausedWhy = true, why
	s.enter(PhasePaused)
}

// observe takes one observation and shows it.
func (s *Sitting) observe(ctx context.Context) (emu.Observed, error) {
	o, err := s.body.Observe(ctx)
	if err != nil {
		return o, fmt.Errorf("observe: %w", err)
	}
	s.shown = o
	return o, nil
}
