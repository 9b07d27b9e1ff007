package play

import (
	"slices"
	"strings"
	"time"

	"clankie/emu"
)

// enter notes a phase and shows it.
func (s *Sitting) enter(p Phase) {
	s.phase = p
	s.publish()
}

// frameRan is called by the body after each frame. It samples as often as
// watchers are shown pictures, by the clock, whatever the speed, and by the
// frame as often as it takes to count the tiles that are walked over. What is
// seen for watchers alone is not counted: equal play must count equally however
// fast it runs.
func (s *Sitting) frameRan(frame uint64, sample func() emu.Observed) {
	now := s.o.Clock.Now()
	s.meter.ran(frame, now)
	due, counts := !now.Before(s.nextShot), frame%tileFrames == 0
	if !due && !counts {
		return
	}
	o := sample()
	if w := o.State.Overworld; w != nil && counts {
		s.progress.passed(w.Position)
	}
	if due {
		s.nextShot = now.Add(time.Second / time.Duration(s.o.PicturesPerSecond))
		s.shown = o
		s.published++
		if s.board.postPicture(s.snapshot()) {
			s.dropped++
		}
	}
}

// tileFrames is how often the player's tile is looked at while he walks: half
// as long as a step takes on foot, as long as one on wheels.
const tileFrames = 8

// publish posts a snapshot of the newest observation.
func (s *Sitting) publish() { s.board.postSnapshot(s.snapshot()) }

// snapshot is how things stand.
func (s *Sitting) snapshot() *Snapshot {
	s.seq++
	snap := &Snapshot{
		Seq: s.seq, Info: s.body.Info(), RunID: s.o.RunID, Journey: s.o.JourneyID,
		Frame: s.shown.Frame, LoadEpoch: s.shown.LoadEpoch,
		Picture: s.shown.Picture, State: s.shown.State,
		Phase: s.phase, Turn: s.turn, MaxTurns: s.o.MaxTurns, Accepted: s.progress.accepted,
		Paused: s.paused, PauseReason: s.pausedWhy,
		Mind: s.mind.Name(), PadTaken: s.formerMind != "",
		Objective: s.objective.text, Notes: s.notes,
		Speed: s.speed, FramesPerSecond: s.meter.rate(s.o.Clock.Now()),
		DistinctTiles: len(s.progress.tiles), Maps: slices.Clone(s.progress.maps),
		LastSave: s.lastSave,
	}
	if s.phase == PhaseStopped {
		snap.Outcome, snap.PauseReason = s.pausedWhy, ""
	}
	if s.paused || s.phase == PhaseStopped {
		snap.FramesPerSecond = 0
	}
	return snap
}

// post adds a line to the feed.
func (s *Sitting) post(kind EventKind, text string) {
	s.board.postEvent(Event{At: s.o.Clock.Now(), Kind: kind, Text: emu.Clean(text)})
}

// Trouble tells whoever looks on of something around the sitting that failed
// while play goes on. Unlike everything else it may be called from any
// goroutine, before and during Run.
func (s *Sitting) Trouble(text string) { s.post(EventError, text) }

func (s *Sitting) postTurn(t TurnEvent) {
	text := t.Effect
	if text == "" {
		text = t.Outcome
	}
	s.board.postEvent(Event{At: s.o.Clock.Now(), Kind: EventTurn, Text: emu.Clean(text), Turn: &t})
}

// rateMeter measures frames per second over about the last second.
type rateMeter struct {
	since time.Time
	first uint64 // frame at since
	last  float64
}

func (m *rateMeter) ran(frame uint64, now time.Time) {
	if m.since.IsZero() {
		m.since, m.first = now, frame
		return
	}
	if d := now.Sub(m.since); d >= time.Second {
		m.last = float64(frame-m.first) / d.Seconds()
		m.since, m.first = now, frame
	}
}

// rate is 0 when no frame ran for two seconds.
func (m *rateMeter) rate(now time.Time) float64 {
	if now.Sub(m.since) > 2*time.Second {
		return 0
	}
	return m.last
}

func joinKeys[V any](m map[string]V) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
