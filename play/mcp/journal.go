package mcp

import (
	"context"
	"fmt"
	"sync"

	"clankie/emu"
	"clankie/journal"
)

// chronicle writes the journal of a server's run: one turn for each action. One
// without a writer writes nothing.
type chronicle struct {
	writer  *journal.Writer
	dir     string // of the journals
	journey string
	info    emu.BodyInfo
	now     func() string
	note    func(format string, args ...any)

	// observations are the journal's own, so that those of the client are
	// numbered as if nobody wrote them down.
	observations *emu.Observations

	// mu lets a server that ends close the journal under an action that hangs.
	mu              sync.Mutex
	turns, accepted int
	progress        journal.Progress
	seen            map[string]bool       // maps
	stood           map[emu.Position]bool // tiles
}

// journeyOf names what the runs of one harness in one game belong to. A server
// without a harness tells of its own run alone.
func journeyOf(harness, runID string, info emu.BodyInfo) string {
	if harness == "" {
		harness = runID
	}
	return "gba-mcp:" + info.EnvironmentID + ":" + harness
}

// openChronicle begins the journal. A server that cannot write one plays on
// without, and says so.
func openChronicle(o Options, info emu.BodyInfo, runID string, note func(string, ...any)) *chronicle {
	c := &chronicle{
		dir: o.Scope.Journals, journey: journeyOf(o.Scope.harness, runID, info), info: info, note: note,
		now:          func() string { return journal.Moment(o.Clock.Now()) },
		observations: emu.NewObservations(info), seen: map[string]bool{}, stood: map[emu.Position]bool{},
	}
	w, err := journal.Create(c.dir, journal.Header{
		RunID: runID, EnvironmentSessionID: info.SessionID, ScenarioID: info.ScenarioID, StartedAt: c.now(),
		JourneyID: c.journey, EnvironmentID: info.EnvironmentID, Venue: journal.VenueLocal,
	})
	if err == nil {
		err = w.SetGroupCommit(journal.GroupCommit)
	}
	if err != nil {
		note("this run is not recorded: %v", err)
	}
	c.writer = w
	return c
}

// deed is an action under way.
type deed struct {
	action  emu.Action
	id      string
	started string
	before  emu.Observed
}

// begin looks at the present before an action.
func (c *chronicle) begin(ctx context.Context, g *game, id string, a emu.Action) *deed {
	if c.writer == nil {
		return nil
	}
	before, err := g.body.Observe(ctx)
	if err != nil {
		return nil // the action will say why
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entered(before)
	return &deed{action: a, id: id, started: c.now(), before: before}
}

// end writes down what came of an action. A deed that was not begun is none.
func (c *chronicle) end(ctx context.Context, g *game, d *deed, r emu.ActionResult) {
	if d == nil {
		return
	}
	// A call that was cancelled has happened all the same.
	after, err := g.body.Observe(context.WithoutCancel(ctx))
	if err != nil {
		after = d.before
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	decided := c.observations.FreePlay(g.body.Input(d.before))
	digest, err := emu.CanonicalDigest(decided)
	if err != nil {
		c.note("the journal: %v", err)
		return
	}
	line := c.line(d, after, r)
	line.Turn.ObservationSHA256 = digest
	line.Evidence.Decision = c.observed(decided)
	post := c.observed(c.observations.FreePlay(g.body.Input(after)))
	line.Evidence.PostAction = &post
	if err := c.writer.Turn(line); err != nil {
		c.note("the journal: %v", err)
	}
	c.turns++
}

func (c *chronicle) observed(envelopes []emu.Envelope) journal.Observation {
	return journal.Observation{Observations: envelopes, Provenance: journal.LocalProvenance(c.info)}
}

// line is the turn's line without what was observed.
func (c *chronicle) line(d *deed, after emu.Observed, r emu.ActionResult) journal.TurnLine {
	ended := c.now()
	evidence := &journal.Evidence{
		ProgressBefore: c.progress,
		ActionResult:   journal.EnvironmentResult(journal.AnswerOf(d.id, c.info.SessionID, ended, r)),
		Timing: journal.Timing{
			DecisionStartedAt: d.started, DecisionSettledAt: d.started,
			ActionStartedAt: &d.started, ActionSettledAt: &ended,
		},
	}
	newMap := c.entered(after)
	now := c.progress
	evidence.ProgressAfter = &now
	record := journal.TurnRecord{Turn: c.turns, Action: &d.action, Outcome: journal.OutcomeRejected}
	if r.Status == emu.StatusCompleted {
		record.Outcome = journal.OutcomeAccepted
		c.accepted++
	}
	effect := effectOf(d.before, after, r)
	record.Effect = &effect
	// Whoever plays here says nothing. What is worth telling is a place that is
	// new and a battle that begins or ends.
	record.SpeakWanted = newMap || inBattle(d.before) != inBattle(after)
	return journal.TurnLine{At: ended, Turn: record, Evidence: evidence}
}

// entered takes in where the player stands and reports whether the map is new
// in this run, the first one aside.
func (c *chronicle) entered(o emu.Observed) (newMap bool) {
	w := o.State.Overworld
	if w == nil {
		return false
	}
	c.stood[w.Position] = true
	c.progress.DistinctTiles = len(c.stood)
	id := w.Position.MapID
	if n := len(c.progress.Maps); n == 0 || c.progress.Maps[n-1] != id {
		// Lines that were made before keep what they had.
		c.progress.Maps = append(c.progress.Maps[:n:n], id)
	}
	newMap = !c.seen[id] && len(c.seen) > 0
	c.seen[id] = true
	return newMap
}

func inBattle(o emu.Observed) bool { return o.State.Scene.Mode.InBattle() }

// effectOf says in words what an action changed.
func effectOf(before, after emu.Observed, r emu.ActionResult) string {
	what := string(r.Status)
	switch {
	case r.Err != nil:
		what = r.Err.Error()
	case inBattle(after) && !inBattle(before):
		what = "a battle began"
	case inBattle(before) && !inBattle(after):
		what = "the battle ended"
	}
	if at := placeOf(after); at != "" && at != placeOf(before) {
		what += "; now at " + at
	}
	return emu.Clip(emu.Clean(what), journal.MaxEffect)
}

func placeOf(o emu.Observed) string {
	w := o.State.Overworld
	if w == nil {
		return ""
	}
	name := w.MapName
	if name == "" {
		name = w.Position.MapID
	}
	return fmt.Sprintf("%s (%d,%d)", name, w.Position.X, w.Position.Y)
}

// close ends the journal in order.
func (c *chronicle) close() {
	if c.writer == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.writer.Summary(journal.Summary{
		At: c.now(), Outcome: "stopped", TurnsTaken: c.turns, Accepted: c.accepted, Progress: c.progress,
	})
	if err == nil {
		err = c.writer.Close()
	}
	if err != nil {
		c.note("the journal: %v", err)
	}
}
