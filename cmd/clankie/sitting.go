package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/journal"
	"clankie/play"
	"clankie/play/mind"
	"clankie/play/replay"
)

// playFlags are the flags that play and run share.
type playFlags struct {
	gameFlags
	mind    string
	model   string
	speed   string
	turns   int
	profile string

	// For the screen only.
	plain bool
	fps   int
	fresh bool
}

// register adds the shared flags to a command.
func (f *playFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.rom, "rom", "", "your own cartridge image; needs --savestate and --scenario")
	flags.StringVar(&f.savestate, "savestate", "", "the savestate it starts from")
	flags.StringVar(&f.scenario, "scenario", "", "the scenario that pins both")
	flags.StringVar(&f.game, "game", "", "the game you pinned under this name, or bramble-lane (default: from the configuration, else the last played)")
	flags.StringVar(&f.profile, "profile", "", "whose journey it is (default: a pinned game's own)")
	flags.StringVar(&f.fixture, "fixture", "", "a start of the project's own cartridge (default \"bramble-bedroom\")")
	flags.StringVar(&f.mind, "mind", mind.NameAutopilot, "who decides: autopilot, model or operator")
	flags.StringVar(&f.model, "model", "", "which model that is: anthropic/NAME or openai/NAME (default from the configuration)")
	flags.StringVar(&f.speed, "speed", "1", "how fast frames run: 1, 2, 4 or max")
	flags.IntVar(&f.turns, "turns", 0, "stop after so many turns (0: no cap)")
}

// registerScreen adds the flags of the program that is looked at.
func (f *playFlags) registerScreen(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.plain, "plain", false, "print lines instead of drawing: for pipes and screen readers")
	flags.IntVar(&f.fps, "fps", 30, "pictures drawn a second: 1 to 60")
	flags.BoolVar(&f.fresh, "fresh", false, "begin at the beginning, although there is a save to go on from; the mind keeps its notes, which another --profile has none of")
}

// seat is a sitting with everything that it needs, put together.
type seat struct {
	*play.Sitting
	body    emu.Body
	runID   string
	journal *journal.Writer
	resumed *play.SaveEntry // the save it goes on from, or nil
	notices []string        // what the operator should know before play
	pins    []string
	minds   []string         // who can decide
	absent  map[string]error // who cannot, and what he lacks
	stories stories
}

func (s *seat) close() error { return s.body.Close() }

// seatOptions say how a sitting is taken up.
type seatOptions struct {
	resume bool // go on from the live timeline, where there is one
	paused bool // wait for the operator when there is something to go on from
	alone  bool // nobody is there to go on after a pause
}

// takeSeat builds the core where it is missing, boots the game and opens
// saves and journal.
func takeSeat(ctx context.Context, io streams, f playFlags, o seatOptions) (*seat, error) {
	speed, err := play.ParseSpeed(f.speed)
	if err != nil {
		return nil, usage(err)
	}
	who, err := findMinds(f.model)
	if err != nil {
		return nil, err
	}
	if err := who.check(f.mind); err != nil {
		return nil, err
	}
	if f.profile != "" && !emu.ValidLabel(f.profile) {
		return nil, usagef("--profile %q: must be 1 to 40 of a-z, 0-9 and -, not beginning with -", emu.Clean(f.profile))
	}
	if f.turns < 0 {
		return nil, usagef("--turns %d: must be 0 or more", f.turns)
	}
	caps, err := findLimits()
	if err != nil {
		return nil, err
	}
	where, module, err := findCore(ctx, io)
	if err != nil {
		return nil, err
	}
	g, err := findGame(ctx, f.gameFlags, module, where)
	if err != nil {
		return nil, err
	}
	store, err := checkpoint.Open(where.checkpoints, checkpoint.Options{})
	if err != nil {
		return nil, usage(err)
	}
	return g.seat(ctx, seating{
		module: module, where: where, store: store, flags: f, speed: speed, options: o, cast: who, limits: caps,
		journey: journal.LocalJourneyID(g.environment(), or(f.profile, g.profile())),
	}.named(time.Now()))
}

// seating are the parts that a seat is put together from.
type seating struct {
	module  mgba.Module
	where   folders
	store   *checkpoint.Store
	flags   playFlags
	speed   play.Speed
	options seatOptions
	cast    cast
	limits  limits
	journey string
	runID   string
}

// named gives the run its name.
func (p seating) named(now time.Time) seating {
	var random [journal.RunIDRandom]byte
	_, _ = rand.Read(random[:]) // never fails
	p.runID = journal.NewRunID(now, p.journey, random)
	return p
}

// unrecorded is called when the session's records cannot be written. It may
// come from any goroutine, but not before the sitting is there: nothing is
// dispatched earlier.
func (s *seat) unrecorded(err error) {
	if s.Sitting != nil {
		s.Trouble(fmt.Sprintf("the session's records: %v; play goes on", err))
	}
}

func (g game) seat(ctx context.Context, p seating) (s *seat, err error) {
	s = &seat{runID: p.runID, stories: stories{p.where.journals}, minds: p.cast.names(), absent: p.cast.absent(), notices: append(p.cast.notices(), p.limits.notices...)}
	if trouble := p.module.CacheTrouble; trouble != "" {
		s.notices = append(s.notices, "the core had to be compiled again: "+trouble)
	}
	earlier := lookBack(p.where.journals, p.journey)
	var resume *checkpoint.Loaded
	var recorder *replay.Recorder
	if s.body, recorder, err = bootBody(ctx, p.module, g, p.runID, p.where.runtime, s.unrecorded); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.body.Close())
		}
	}()
	info := s.body.Info()
	if p.options.resume {
		if resume, err = s.findResume(ctx, p.store, info.Identity, p.journey); err != nil {
			return nil, err
		}
	}
	if resume != nil {
		recorder.Loading(resume.Receipt.CheckpointID, "")
		if err := s.resumeBody(ctx, *resume, p); err != nil {
			return nil, err
		}
	}
	notes, objective := s.continuity(resume, earlier)
	if s.journal, err = openJournal(p, info, s.resumed); err != nil {
		s.notices = append(s.notices, fmt.Sprintf("this sitting is not recorded: %v", err))
		err = nil
	}
	s.startTape(recorder, info, p.speed)
	keeper := g.keeper(p.where, info.Identity)
	s.notices = append(s.notices, g.addStarts(p.where, info.Identity)...)
	library := replay.NewLibrary(p.store, info.Identity, g.states()...)
	port := &play.Checkpoints{
		Store: p.store, Body: s.body, Boot: g.boot, More: g.pins, Scenario: g.scenario.JSON,
		JourneyID: p.journey, RunID: p.runID, Tape: recorder, Keeper: sharedPins{keeper, library},
	}
	if s.resumed != nil {
		port.ResumedFrom = s.resumed.ID
	}
	s.pins = port.Pins()
	s.notices = append(s.notices, g.noteLastPlayed(p.where)...)
	s.Sitting, err = play.New(play.Options{
		Body: s.body, Port: port, Journal: s.journal, Screenshots: s.journal.Screenshots(), Tape: recorder,
		Past:  s.openPast(p, g.rom, library),
		Minds: p.cast.minds, Absent: p.cast.absent(), Mind: p.flags.mind, Speed: p.speed, MaxTurns: p.limits.maxTurns(p.flags.turns),
		AutosaveTurns:    p.limits.autosave,
		MaxDuration:      p.limits.duration,
		ClosingTime:      p.limits.closing,
		Audience:         p.limits.audience,
		DecisionDeadline: p.cast.deadline(),
		RunID:            p.runID, JourneyID: p.journey, Notes: notes, Objective: objective,
		LastSave: s.resumed, StartPaused: p.options.paused && s.resumed != nil,
		Unattended:        p.options.alone,
		PicturesPerSecond: p.flags.fps,
	})
	return s, err
}

// findResume looks for the newest sound save of the live timeline; damaged
// ones that were passed over are told.
func (s *seat) findResume(ctx context.Context, store *checkpoint.Store, id emu.CoreIdentity, journey string) (*checkpoint.Loaded, error) {
	live, err := store.LatestLive(ctx, id, journey)
	if err != nil {
		return nil, fmt.Errorf("look for a save to go on from: %w", err)
	}
	for _, skipped := range live.Skipped {
		s.notices = append(s.notices, fmt.Sprintf("passed over %s: %s", or(skipped.ID, "the store"), skipped.Reason))
	}
	return live.Save, nil
}

// resumeBody puts the machine where the save left it.
func (s *seat) resumeBody(ctx context.Context, save checkpoint.Loaded, p seating) error {
	var preview []byte
	if save.Picture != nil {
		preview = save.Picture.Pix
	}
	if err := s.body.RestoreState(ctx, save.State, preview); err != nil {
		return fmt.Errorf("go on from %s: %w", save.Receipt.CheckpointID, err)
	}
	details, err := p.store.Get(ctx, save.Receipt.CheckpointID, s.body.Info().Identity)
	if err != nil {
		return fmt.Errorf("go on from %s: %w", save.Receipt.CheckpointID, err)
	}
	entry := play.SaveEntryOf(details.Entry)
	s.resumed = &entry
	return nil
}

func openJournal(p seating, info emu.BodyInfo, resumed *play.SaveEntry) (*journal.Writer, error) {
	h := journal.Header{
		RunID: p.runID, EnvironmentSessionID: info.SessionID, ScenarioID: info.ScenarioID,
		StartedAt: emu.Moment(time.Now()), JourneyID: p.journey, EnvironmentID: info.EnvironmentID,
		Venue: journal.VenueLocal,
	}
	if resumed != nil {
		h.ResumedFromCheckpointID = &resumed.ID
	}
	w, err := journal.Create(p.where.journals, h)
	if err != nil {
		return nil, err
	}
	return w, w.SetGroupCommit(groupCommit(p.speed))
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
