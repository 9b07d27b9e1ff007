package play

import (
	"context"
	"fmt"
	"strings"
	"time"

	"clankie/emu"
)

// settle draws the conclusions of a turn, writes it down and shows it.
func (s *Sitting) settle(ctx context.Context, t *trace) error {
	s.conclude(t)
	s.speak(t)
	s.enter(PhaseRecording)
	s.markTape(ctx)
	s.recordTurn(t)
	s.showTurn(t)
	s.turn++
	return s.backOff(ctx, t)
}

// conclude updates progress and memory.
func (s *Sitting) conclude(t *trace) {
	entry := HistoryEntry{Outcome: t.outcome, Effect: t.effect.Summary}
	if !t.decided {
		s.failures++
		entry.Effect = t.detail
		s.memory.remember(entry)
		return
	}
	s.failures = 0
	act := t.decision.Action
	now := fingerprint(*t.after)
	s.guardAgainst(t, now)
	if t.objectiveDropped {
		t.advise("that objective was just given up for leading in circles; another one is open")
	}
	entry.Intent, entry.Action = t.decision.Intent, &act
	if t.effect.Advice != "" {
		entry.Effect += "; " + t.effect.Advice
	}
	s.memory.remember(entry)
	s.coherence.note(t.decision.Intent, act, !t.effect.Unjudged)
	s.progress.showed(t.effect.Summary)
	s.progress.ended(*t.after)
	s.progress.state(now)
	s.objective.sees(now)
	s.learn(t)
}

// guardAgainst has the guard look at a turn. A person at the pad is trusted to
// notice himself that he gets nowhere.
func (s *Sitting) guardAgainst(t *trace, now emu.Digest) {
	if s.byHand() {
		s.guard.rest()
		return
	}
	withheld := t.refusal != nil && t.refusal.Code == CodeProgressGuard
	effect := t.effect.Summary
	if t.bodySummary != "" {
		effect = "it was done" // what is told holds the id of a save, which is always new
	}
	s.guard.after(t.state, now, t.decision.Action, effect, withheld)
	t.advise(s.guard.advice())
}

// learn remembers what the turn taught about tiles and ways.
func (s *Sitting) learn(t *trace) {
	act := t.decision.Action
	if act.Button == emu.ButtonA && act.Presses() == 1 {
		s.memory.answered(*t.before, *t.after)
	}
	b, a := t.before.State.Overworld, t.after.State.Overworld
	d := emu.DirectionOf(act.Button)
	onFoot := d != "" || act.Kind == emu.ActionWalkTo
	if b == nil || a == nil || !onFoot || t.before.LoadEpoch != t.after.LoadEpoch {
		return
	}
	switch {
	case d == "":
	case t.effect.Blocked:
		s.memory.refuse(b.Position, d)
	case a.Position != b.Position:
		s.memory.leave(b.Position, d)
	}
	if a.Position.MapID != b.Position.MapID {
		s.memory.learn(Transition{From: b.Position, Facing: b.Facing, Action: act, To: a.Position.MapID})
	}
}

// speakCooldown is how many turns lie between two remarks aloud.
const speakCooldown = 4

// speak gates what the mind wants to say aloud. The wish is kept either way.
func (s *Sitting) speak(t *trace) {
	s.volition.offered++
	if !t.decided || blank(t.decision.Speak) {
		return
	}
	if s.lastSpoke >= 0 && s.turn-s.lastSpoke < speakCooldown {
		t.suppressed = true
		s.volition.suppressed++
		return
	}
	s.lastSpoke = s.turn
	s.volition.taken++
}

func (s *Sitting) showTurn(t *trace) {
	e := TurnEvent{
		Turn: s.turn, Mind: s.mind.Name(), Outcome: t.outcome, Objective: s.objective.text,
		Effect: t.effect.Summary, Advice: t.effect.Advice, Action: t.actionText,
	}
	if t.decided {
		e.Thought, e.Intent = t.decision.Monologue, t.decision.Intent
		if !t.suppressed && t.decision.Speak != nil {
			e.Speak = *t.decision.Speak
		}
		if t.decision.Reply != nil {
			e.Reply = *t.decision.Reply
		}
	} else {
		e.Effect = t.detail
	}
	s.postTurn(e)
}

// advise adds to the coaching.
func (t *trace) advise(text string) {
	switch {
	case text == "":
	case t.effect.Advice == "":
		t.effect.Advice = text
	default:
		t.effect.Advice = emu.Clip(text+"; "+t.effect.Advice, MaxEffectAdvice)
	}
}

// backOff waits longer after each failed decision in a row, and after the
// fifth, or when play goes nowhere, pauses and tells the operator: nothing
// spins.
func (s *Sitting) backOff(ctx context.Context, t *trace) error {
	if why := s.guard.exhausted(); why != "" {
		s.post(EventPaused, why+"; /resume plays on")
		s.pause(why)
		return nil
	}
	if t.pauses != "" {
		s.post(EventPaused, emu.Clean(t.pauses)+"; /resume tries again, /mind lets another one decide")
		s.pause(emu.Clean(t.pauses))
		s.spent = t.spent
		return nil
	}
	if s.failures == 0 {
		return nil
	}
	if s.failures >= failuresToPause {
		why := fmt.Sprintf("%d decisions in a row failed, last: %s", s.failures, t.detail)
		s.post(EventPaused, why+"; /resume tries again")
		s.pause(why)
		return nil
	}
	wait := time.Second << (s.failures - 1)
	s.post(EventNotice, fmt.Sprintf("the %s is asked again in %s", s.mind.Name(), wait))
	over := time.After(wait)
	for s.failures > 0 && !s.stopping && !s.paused && !s.timeIsUp {
		select {
		case <-over:
			return nil
		case r := <-s.requests:
			s.serve(ctx, r)
		case <-s.timeUp:
			s.timeIsUp = true
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

func trimmed(s string) string { return emu.Clip(strings.TrimSpace(s), MaxObjective) }

func blank(s *string) bool { return s == nil || strings.TrimSpace(*s) == "" }
