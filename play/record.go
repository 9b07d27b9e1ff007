package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"clankie/emu"
	"clankie/emu/picture"
	"clankie/journal"
)

// recordTurn writes the turn's line. A failure to write is told once and
// play goes on.
func (s *Sitting) recordTurn(t *trace) {
	decided := s.envelopes(t.observed)
	sum, err := emu.CanonicalDigest(decided)
	if err != nil {
		s.post(EventError, fmt.Sprintf("the turn could not be recorded: %v", err))
		return
	}
	line := journal.TurnLine{
		At:       emu.Moment(s.o.Clock.Now()),
		Turn:     s.turnRecord(t, sum),
		Evidence: s.evidence(t, decided),
	}
	var shotErr error
	line.Screenshot, shotErr = s.o.Screenshots.Turn(line, s.framePNG(t.shown()))
	if shotErr != nil {
		s.post(EventError, fmt.Sprintf("the journal's pictures: %v", shotErr))
	}
	if err := s.o.Journal.Turn(line); err != nil {
		s.post(EventError, fmt.Sprintf("the journal: %v", err))
	}
}

// recordBroken writes down the turn in which the machine was lost: what broke
// it is what one wants to know. It is not on the tape, where nothing can be
// compared any more.
func (s *Sitting) recordBroken(t *trace, cause error) {
	if !emu.CoreFailed(cause) {
		return
	}
	t.outcome, t.detail, t.broke = TurnRejected, cause.Error(), cause
	t.effect = effect("the machine stopped", "")
	if !t.actionStarted.IsZero() {
		t.actionSettled = s.o.Clock.Now()
	}
	s.recordTurn(t)
	s.turn++
}

// markTape marks the border behind the turn, before its line is written: a
// turn that is in the journal is on the tape.
func (s *Sitting) markTape(ctx context.Context) {
	if s.o.Tape == nil {
		return
	}
	o, err := s.body.Observe(ctx)
	if err == nil {
		err = s.o.Tape.Border(s.turn, o)
	}
	if err != nil {
		s.post(EventError, fmt.Sprintf("the tape: %v", err))
	}
}

// shown is the frame that a turn's picture is of: what came of the action, or
// what the decision was about where there was none.
func (t *trace) shown() emu.Observed {
	if t.after != nil {
		return *t.after
	}
	return t.observed
}

// framePNG makes a picture when it is asked for; most turns keep none, and where
// no frame was drawn since a load there is none.
func (s *Sitting) framePNG(o emu.Observed) func() ([]byte, error) {
	return func() ([]byte, error) {
		if o.Picture.Stale {
			return nil, nil
		}
		return picture.PNG(o.Picture, 1)
	}
}

func (s *Sitting) turnRecord(t *trace, observations emu.Digest) journal.TurnRecord {
	r := journal.TurnRecord{
		Turn: s.turn, ObservationSHA256: observations,
		Notes: textOrNil(s.notes), Objective: textOrNil(s.objective.text),
		Interjection: textOrNil(t.view.Interjection),
		Outcome:      journal.Outcome(t.outcome), Detail: textOrNil(emu.Clip(t.detail, MaxDetail)),
		Effect: textOrNil(t.effect.Summary), EffectAdvice: textOrNil(t.effect.Advice),
		SpeakSuppressed: t.suppressed, ObjectiveRetired: textOrNil(t.retired),
	}
	if t.before != nil {
		digest := t.before.PictureSHA256()
		r.FramebufferSHA256 = &digest
	}
	if t.decided {
		d := t.decision
		r.Monologue, r.Intent, r.Action = &d.Monologue, &d.Intent, &d.Action
		r.Reply, r.SpeakWanted = d.Reply, !blank(d.Speak)
		if !t.suppressed {
			r.Speak = d.Speak
		}
	}
	return r
}

func (s *Sitting) evidence(t *trace, decided []emu.Envelope) *journal.Evidence {
	e := &journal.Evidence{
		Decision:       s.observation(decided),
		ProgressBefore: wireProgress(t.progressBefore),
		Signals: journal.Signals{
			RefusedHere:         t.view.RefusedHere,
			KnownHardFailures:   wireHardFailures(t.view.KnownHardFailures),
			StalledForTurns:     t.view.StalledForTurns,
			RepeatingForTurns:   t.view.RepeatingForTurns,
			RecurringForTurns:   t.view.RecurringForTurns,
			ObjectiveForTurns:   t.view.ObjectiveForTurns,
			LocaleForTurns:      t.view.LocaleForTurns,
			PreviousObjective:   textOrNil(t.previousObjective),
			PreviousNotes:       textOrNil(t.previousNotes),
			RetiredObjective:    textOrNil(t.view.RetiredObjective),
			ObjectiveRecovery:   t.view.ObjectiveRecovery,
			DecisionPreemptions: t.preemptions,

			VerifiedInteractions: t.view.VerifiedInteractions,
		},
		Timing: journal.Timing{
			DecisionStartedAt: emu.Moment(t.decisionStarted),
			DecisionSettledAt: emu.Moment(t.decisionSettled),
			ActionStartedAt:   momentOrNil(t.actionStarted),
			ActionSettledAt:   momentOrNil(t.actionSettled),
		},
	}
	if t.before != nil {
		before := s.observation(s.envelopes(*t.before))
		e.ImmediatePreAction = &before
	}
	if t.after != nil {
		after := s.observation(s.envelopes(*t.after))
		e.PostAction = &after
		now := wireProgress(s.progressReport())
		e.ProgressAfter = &now
	}
	e.ActionResult = s.actionResult(t)
	return e
}

func (s *Sitting) observation(envelopes []emu.Envelope) journal.Observation {
	return journal.Observation{Observations: envelopes, Provenance: journal.LocalProvenance(s.body.Info())}
}

// envelopes are the six kinds of observation that free play looks at.
func (s *Sitting) envelopes(o emu.Observed) []emu.Envelope {
	return s.observations.FreePlay(o.Input(s.body.Info()))
}

// actionResult is what came back from the action: nothing where it was not
// dispatched.
func (s *Sitting) actionResult(t *trace) *journal.ActionResult {
	switch {
	case t.broke != nil:
		return journal.ExceptionResult(t.broke)
	case t.withheld:
		return nil
	case t.result != nil:
		id := fmt.Sprintf("free-play-action-%d", s.turn)
		return journal.EnvironmentResult(journal.AnswerOf(id, s.body.Info().SessionID, emu.Moment(t.actionSettled), *t.result))
	case t.decided && t.refusal != nil:
		return journal.BodyResult(journal.BodyRejected, t.refusal.Error(), textOrNil(t.effect.Advice))
	case t.decided && t.bodySummary != "":
		return journal.BodyResult(journal.BodyCompleted, t.bodySummary, nil)
	}
	return nil
}

// summary is the journal's last line.
func (s *Sitting) summary(r Result) journal.Summary {
	now := s.o.Clock.Now()
	line := journal.Summary{
		At: emu.Moment(now), Outcome: r.Outcome,
		TurnsTaken: r.Turns, Accepted: r.Accepted,
		DurationMS:      float64(now.Sub(s.started).Milliseconds()),
		FramesPublished: s.published, FramesDropped: s.dropped,
		Progress: wireProgress(r.Progress),
		Volition: journal.Volition{
			Offered: s.volition.offered, Taken: s.volition.taken, Suppressed: s.volition.suppressed,
		},
		LongestUnchangedRun: s.progress.longestRun, LongestRecurringRun: s.progress.longestRecur,
		ObjectivesRetired: s.objective.count, Coherence: s.coherence.share(),
	}
	if s.lastSave != nil && !s.unsaved() {
		line.CheckpointID = &s.lastSave.ID
	}
	return line
}

// recordSummary writes the journal's last line and closes it.
func (s *Sitting) recordSummary(line journal.Summary) error {
	var err error
	if line.Screenshot, err = s.o.Screenshots.Terminal(s.framePNG(s.shown)); err != nil {
		s.post(EventError, fmt.Sprintf("the journal's pictures: %v", err))
	}
	// What was written before is put on the disk whatever becomes of this line.
	if err := errors.Join(s.o.Journal.Summary(line), s.o.Journal.Close()); err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	return nil
}

func wireHardFailures(all []HardFailure) (wire []journal.HardFailure) {
	for _, f := range all {
		wire = append(wire, journal.HardFailure{Action: f.Action, ErrorCode: f.ErrorCode, Effect: f.Effect})
	}
	return wire
}

func wireProgress(p ProgressReport) journal.Progress {
	return journal.Progress{
		DistinctTiles: p.DistinctTiles, Maps: p.Maps,
		TurnsSinceNewTile: p.TurnsSinceNewTile, ActionsPerNewTile: p.ActionsPerNewTile,
	}
}

// outcomeText is an action's outcome as one line of JSON, cut to the bound of
// a detail.
func outcomeText(outcome map[string]any) string {
	b, err := emu.CanonicalJSON(outcome)
	if err != nil {
		return ""
	}
	return emu.Clip(string(b), MaxDetail)
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func momentOrNil(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := emu.Moment(t)
	return &s
}
