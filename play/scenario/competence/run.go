package competence

import (
	"context"
	"errors"
	"fmt"

	"clankie/emu"
	"clankie/play"
)

// Run plays one state with a mind, in a sitting of free play at full speed, and
// judges it. It owns body from now on.
func Run(ctx context.Context, d Definition, s State, body emu.Body, mind play.Mind) (r Result, err error) {
	defer func() { err = errors.Join(err, body.Close()) }()
	if body.Info().Real != (s.Kind == KindROM) {
		return Result{}, fmt.Errorf("free_play_competence_rom_core_required:%s", s.StateID)
	}
	if got := body.Info(); got.BootSHA256 != s.Pinned.SavestateSHA256 || got.Identity.CoreID != s.Pinned.CoreID {
		return Result{}, fmt.Errorf("free_play_competence_core_identity_mismatch:%s", s.StateID)
	}
	first, err := body.Observe(ctx)
	if err != nil {
		return Result{}, err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	info := body.Info()
	info.SessionID = runID(s) // observations of equal runs are equal, whatever session they were made in
	p := &probe{mind: mind, tracker: newTracker(s, d.StallThresholdTurns, info), stop: stop}
	if _, err := p.tracker.sees(first); err != nil {
		return Result{}, err
	}
	sitting, err := play.New(play.Options{
		Body: body, Mind: mind.Name(), Minds: map[string]func() play.Mind{mind.Name(): func() play.Mind { return p }},
		Speed: play.SpeedMax, MaxTurns: d.budget(s), RunID: runID(s),
	})
	if err != nil {
		return Result{}, err
	}
	played, err := sitting.Run(running)
	if err != nil {
		return Result{}, err
	}
	last, err := body.Observe(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := p.last(last, played.Accepted); err != nil {
		return Result{}, err
	}
	m := p.tracker.metrics(d.budget(s))
	m.Coherence = played.Summary.Coherence
	return d.judge(s, m, p.control), nil
}

func (d Definition) budget(s State) int {
	if s.TurnBudget > 0 {
		return s.TurnBudget
	}
	return d.DefaultTurnBudget
}

// probe stands before a mind and hands each settled turn to the tracker: what
// the next decision is about is what the turn before led to.
type probe struct {
	mind    play.Mind
	tracker *tracker
	stop    func()
	pending *emu.Action // decided, not yet settled
	control Control
	failed  error
}

// Name implements [play.Mind].
func (p *probe) Name() string { return p.mind.Name() }

// Decide implements [play.Mind].
func (p *probe) Decide(ctx context.Context, v play.View) (play.Decision, error) {
	if p.pending != nil && len(v.History) > 0 {
		outcome := v.History[len(v.History)-1].Outcome
		p.settle(v.Observed, outcome == play.TurnAccepted)
	}
	if p.tracker.done() {
		p.stop()
		return play.Decision{}, context.Canceled
	}
	decision, err := p.mind.Decide(ctx, v)
	if err != nil {
		return decision, err
	}
	p.control.Decisions++
	if again, err := p.mind.Decide(ctx, v); err != nil || play.DescribeAction(again.Action) != play.DescribeAction(decision.Action) {
		p.control.Changed++
	}
	p.pending = &decision.Action
	return decision, nil
}

func (p *probe) settle(after emu.Observed, accepted bool) {
	p.failed = errors.Join(p.failed, p.tracker.settled(settled{*p.pending, accepted, after}))
	p.pending = nil
}

// last takes in the turn after which nothing was decided any more. accepted
// counts the accepted turns of the whole sitting.
func (p *probe) last(after emu.Observed, accepted int) error {
	if p.pending != nil {
		p.settle(after, accepted > p.tracker.accepted)
	}
	return p.failed
}
