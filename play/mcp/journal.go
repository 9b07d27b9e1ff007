package mcp

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"clankie/emu"
	"clankie/emu/picture"
	"clankie/emu/session"
	"clankie/journal"
)

// chronicle writes the journal of a server's run: one turn for each action,
// save and load. One without a writer writes nothing.
type chronicle struct {
	writer  *journal.Writer
	shots   *journal.Screenshots
	dir     string // of the journals
	journey string
	info    emu.BodyInfo
	clock   session.Clock
	started time.Time
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
	shown           emu.Picture           // at the end of the last turn
}

// journeyOf names what the runs of one harness in one game belong to. A server
// without a harness has a folder of its own, where nobody else's runs lie.
func journeyOf(harness string, info emu.BodyInfo) string {
	journey := "gba-mcp:" + info.EnvironmentID
	if harness != "" {
		journey += ":" + harness
	}
	return journey
}

// openChronicle begins the journal. A server that cannot write one plays on
// without, and says so.
func openChronicle(o Options, info emu.BodyInfo, runID string, note func(string, ...any)) *chronicle {
	c := &chronicle{
		dir: o.Scope.Journals, journey: journeyOf(o.Scope.harness, info), info: info, note: note,
		clock: o.Clock, started: o.Clock.Now(),
		observations: emu.NewObservations(info), seen: map[string]bool{}, stood: map[emu.Position]bool{},
	}
	w, err := journal.Create(c.dir, journal.Header{
		RunID: runID, EnvironmentSessionID: info.SessionID, ScenarioID: info.ScenarioID, StartedAt: c.now(),
		JourneyID: c.journey, EnvironmentID: info.EnvironmentID, Venue: journal.VenueLocal,
	})
	if err != nil {
		note("this run is not recorded: %v", err)
	}
	c.writer, c.shots = w, w.Screenshots()
	return c
}

func (c *chronicle) now() string { return emu.Moment(c.clock.Now()) }

// deed is something under way: an action, a save or a load.
type deed struct {
	action  emu.Action
	started string
	before  emu.Observed
}

// begin looks at the present before a deed.
func (c *chronicle) begin(ctx context.Context, g *game, a emu.Action) *deed {
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
	return &deed{action: a, started: c.now(), before: before}
}

// come is what came of a deed.
type come struct {
	result   *journal.ActionResult
	accepted bool
	words    string // what it was, where nothing else is to be told of it
}

// acted is what came of an action of the machine.
func (c *chronicle) acted(id string, r emu.ActionResult) come {
	words := string(r.Status)
	if r.Err != nil {
		words = r.Err.Error()
	}
	return come{
		result:   journal.EnvironmentResult(journal.AnswerOf(id, c.info.SessionID, c.now(), r)),
		accepted: r.Status == emu.StatusCompleted, words: words,
	}
}

// broke is what came of an action that nobody answered.
func broke(err error) come {
	return come{result: journal.ExceptionResult(err), words: err.Error()}
}

// kept is what came of a save or a load: words when it was done, else err.
func kept(words string, err error) come {
	if err != nil {
		return come{result: journal.BodyResult(journal.BodyRejected, err.Error(), nil), words: err.Error()}
	}
	return come{result: journal.BodyResult(journal.BodyCompleted, words, nil), accepted: true, words: words}
}

// end writes down what came of a deed. One that was not begun is none.
func (c *chronicle) end(ctx context.Context, g *game, d *deed, what come) {
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
	line := c.line(d, after, what)
	line.Turn.ObservationSHA256 = digest
	before, post := c.observed(decided), c.observed(c.observations.FreePlay(g.body.Input(after)))
	line.Evidence.Decision, line.Evidence.ImmediatePreAction, line.Evidence.PostAction = before, &before, &post
	c.shown = after.Picture
	if line.Screenshot, err = c.shots.Turn(line, c.png); err != nil {
		c.note("the journal's pictures: %v", err)
	}
	if err := c.writer.Turn(line); err != nil {
		c.note("the journal: %v", err)
	}
	c.turns++
}

// png is the picture at the end of the last turn; after a load there is none
// until a frame is drawn, and the double has none at all.
func (c *chronicle) png() ([]byte, error) {
	if c.shown.Stale || len(c.shown.Pix) == 0 {
		return nil, nil
	}
	return picture.PNG(c.shown, 1)
}

func (c *chronicle) observed(envelopes []emu.Envelope) journal.Observation {
	return journal.Observation{Observations: envelopes, Provenance: journal.LocalProvenance(c.info)}
}

// line is the turn's line without what was observed.
func (c *chronicle) line(d *deed, after emu.Observed, what come) journal.TurnLine {
	ended := c.now()
	evidence := &journal.Evidence{
		ProgressBefore: c.progress,
		ActionResult:   what.result,
		Timing: journal.Timing{
			DecisionStartedAt: d.started, DecisionSettledAt: d.started,
			ActionStartedAt: &d.started, ActionSettledAt: &ended,
		},
	}
	tiles := c.progress.DistinctTiles
	newMap := c.entered(after)
	if what.accepted {
		c.accepted++
	}
	c.counted(c.progress.DistinctTiles > tiles)
	now := c.progress
	evidence.ProgressAfter = &now
	record := journal.TurnRecord{Turn: c.turns, Action: &d.action, Outcome: journal.OutcomeRejected}
	if what.accepted {
		record.Outcome = journal.OutcomeAccepted
	}
	effect := effectOf(d.before, after, what)
	record.Effect = &effect
	if digest := d.before.PictureSHA256(); digest != "" {
		record.FramebufferSHA256 = &digest
	}
	if !what.accepted {
		detail := emu.Clip(what.words, journal.MaxDetail)
		record.Detail = &detail
	}
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
		c.progress.Maps = append(slices.Clone(c.progress.Maps[max(n+1-journal.MaxProgressMaps, 0):]), id)
	}
	newMap = !c.seen[id] && len(c.seen) > 0
	c.seen[id] = true
	return newMap
}

// counted ends a turn in the account of tiles.
func (c *chronicle) counted(newTile bool) {
	c.progress.TurnsSinceNewTile++
	if newTile {
		c.progress.TurnsSinceNewTile = 0
	}
	if tiles := c.progress.DistinctTiles; tiles > 1 {
		perTile := float64(c.accepted) / float64(tiles-1)
		c.progress.ActionsPerNewTile = &perTile
	}
}

func inBattle(o emu.Observed) bool { return o.State.Scene.Mode.InBattle() }

// effectOf says in words what a deed changed.
func effectOf(before, after emu.Observed, of come) string {
	what := of.words
	switch {
	case !of.accepted || of.result.Source != journal.SourceEnvironment:
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
	shot, err := c.shots.Terminal(c.png)
	if err != nil {
		c.note("the journal's pictures: %v", err)
	}
	err = c.writer.Summary(journal.Summary{
		At: c.now(), Outcome: "stopped", TurnsTaken: c.turns, Accepted: c.accepted, Progress: c.progress,
		DurationMS: float64(c.clock.Now().Sub(c.started).Milliseconds()), Screenshot: shot,
	})
	if err == nil {
		err = c.writer.Close()
	}
	if err != nil {
		c.note("the journal: %v", err)
	}
}
