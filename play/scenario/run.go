package scenario

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"clankie/emu"
	"clankie/emu/session"
	"clankie/emu/session/evidence"
)

// epoch is the time that runs begin at: evidence tells no time of day.
var epoch = time.Date(2026, time.July, 19, 0, 0, 0, 0, time.UTC)

const (
	leaseOfRun = time.Minute
	goalAfter  = time.Minute // when the goal is judged, after epoch
	holder     = "gba-scenario-runner"
)

// still is the clock of a run: it stands still for whoever asks the time, and
// ends overdue actions by the machine's own.
type still struct{ session.SystemClock }

func (still) Now() time.Time { return epoch }

// run is one body being played.
type run struct {
	plan   Plan
	body   *session.Body
	events *inbox
	known  Known
	trace  Decisions
}

// played is what one body left behind.
type played struct {
	halt      Halt
	known     Known
	decisions Decisions
	trace     evidence.Trace
	events    []session.Event
	last      Sight
	frame     emu.Observed // that last is of
	inputs    uint64
	secrets   [][]byte
}

// playBody plays the plan on body, which it owns from now on. Records of the
// session are kept under root while it lasts.
func (p Plan) playBody(ctx context.Context, body emu.Body, root string) (played, error) {
	if err := p.fits(body.Info()); err != nil {
		return played{}, errors.Join(err, body.Close())
	}
	h := p.pins()
	events, random := newInbox(), &witness{from: rand.Reader}
	governed, err := session.Govern(ctx, body, session.GovernOptions{
		Root: root, Clock: still{}, Random: random, Events: events.put,
		SessionID: p.SessionID(), HolderID: holder, CorrelationID: "gba-emulator:" + h.ScenarioID,
		CommandPrefix: "scenario-command", Lease: leaseOfRun,
		SavestateID: h.savestateID, RNGSeed: h.RNGSeed, Limits: emu.ScenarioLimits,
		Policy: evidence.Frozen, Window: h.maxEvents,
		Retention: session.Retention{MaxActionRecords: -1, MaxEndedSessionRecords: -1},
	})
	if err != nil {
		return played{}, fmt.Errorf("scenario: start the session: %w", err)
	}
	r := &run{plan: p, body: governed, events: events, trace: p.noDecisions()}
	out, err := r.play(ctx)
	if err = errors.Join(err, governed.Close()); err != nil {
		return played{}, err
	}
	out.secrets = random.seen
	out.events, err = events.all()
	return out, err
}

// play decides and acts until the run halts.
func (r *run) play(ctx context.Context) (played, error) {
	seen, frame, err := look(ctx, r.body)
	if err != nil {
		return played{}, err
	}
	halt := HaltBudget
	for range r.plan.pins().maxDecisions {
		c := r.plan.decide(r.known, seen)
		r.trace.record(seen, c)
		if c.Action == nil {
			halt = halts[c.Reason]
			break
		}
		failed, err := r.act(ctx, c)
		if err != nil {
			return played{}, err
		}
		before := seen
		if seen, frame, err = look(ctx, r.body); err != nil {
			return played{}, err
		}
		if halt = r.judge(failed, before, c, seen); halt != HaltBudget {
			break
		}
	}
	return r.finish(halt, seen, frame)
}

// act carries a choice out. failed is true when the action did not complete.
func (r *run) act(ctx context.Context, c Choice) (failed bool, err error) {
	id := actionID(len(r.trace.Decisions))
	result, err := r.body.Act(ctx, id, *c.Action, emu.ScenarioLimits)
	if ctx.Err() != nil {
		return true, ctx.Err()
	}
	return result.Status != emu.StatusCompleted, err
}

// judge looks at what an action led to. It answers HaltBudget when the run may
// go on.
func (r *run) judge(failed bool, before Sight, c Choice, after Sight) Halt {
	if failed {
		return HaltFailed
	}
	if after.Frame <= before.Frame {
		return HaltUncertain
	}
	var ok bool
	if r.known, ok = r.plan.learn(r.known, before, c, after); !ok {
		return HaltUncertain
	}
	return HaltBudget
}

// finish pauses the body, so that nothing moves it any more, and collects.
func (r *run) finish(halt Halt, last Sight, frame emu.Observed) (played, error) {
	if err := r.body.Pause("scenario ended: " + string(halt)); err != nil {
		return played{}, err
	}
	_, inputs := r.body.Counters()
	return played{
		halt: halt, known: r.known, decisions: r.trace, trace: r.body.Trace(), last: last, frame: frame, inputs: inputs,
	}, nil
}

// actionID names the action of a decision by its sequence.
func actionID(sequence int) string { return fmt.Sprintf("scenario-action-%d", sequence) }
