package competence

import (
	"slices"

	"clankie/emu"
)

// settled is one turn that has settled.
type settled struct {
	action   emu.Action
	accepted bool
	after    emu.Observed
}

// tracker follows a run turn by turn.
type tracker struct {
	state     State
	threshold int          // of a stall, in turns
	info      emu.BodyInfo // of what is observed

	turns, accepted int
	keys            map[emu.Digest]bool
	lastKey         emu.Digest
	run, longestRun int

	tiles        map[emu.Position]bool
	maps         []string
	sinceNewTile int
	longestStall int
	stalled      bool // a stall window is open
	resolved     int
	reached      []Reached
}

// Reached is a milestone that a run came to.
type Reached struct {
	MilestoneID string `json:"milestoneId"`
	Turn        int    `json:"turn"` // 1 for the first; 0 where the run began
	// ObservationSHA256 is the digest of the set that free play would decide by
	// there, numbered from 1.
	ObservationSHA256 emu.Digest `json:"observationSha256"`
}

func newTracker(s State, threshold int, info emu.BodyInfo) *tracker {
	return &tracker{state: s, threshold: threshold, info: info, keys: map[emu.Digest]bool{}, tiles: map[emu.Position]bool{}}
}

// settled takes in one turn.
func (t *tracker) settled(s settled) error {
	t.turns++
	key, err := emu.CanonicalDigest(s.action)
	if err != nil {
		return err
	}
	if s.accepted {
		t.accepted++
		t.keys[key] = true
		if key != t.lastKey {
			t.run = 0
		}
		t.run, t.lastKey = t.run+1, key
		t.longestRun = max(t.longestRun, t.run)
	}
	before := len(t.reached)
	newTile, err := t.sees(s.after)
	t.stall(newTile || len(t.reached) > before)
	return err
}

// stall opens a window when nothing new was stood on for so many turns, and
// closes it at the next new tile or milestone.
func (t *tracker) stall(progress bool) {
	t.longestStall = max(t.longestStall, t.sinceNewTile)
	switch {
	case t.stalled && progress:
		t.stalled = false
		t.resolved++
	case t.sinceNewTile >= t.threshold && !progress:
		t.stalled = true
	}
}

// sees takes in where things stand. It reports whether the tile is a new one.
func (t *tracker) sees(o emu.Observed) (newTile bool, err error) {
	t.sinceNewTile++
	if w := o.State.Overworld; w != nil {
		newTile = !t.tiles[w.Position]
		t.tiles[w.Position] = true
		if n := len(t.maps); n == 0 || t.maps[n-1] != w.Position.MapID {
			t.maps = append(t.maps, w.Position.MapID)
		}
	}
	if newTile {
		t.sinceNewTile = 0
	}
	for _, m := range t.state.Milestones {
		if t.turnOf(m.MilestoneID) < 0 && m.holds(o, len(t.tiles)) {
			digest, err := emu.CanonicalDigest(emu.NewObservations(t.info).FreePlay(o.Input(t.info)))
			if err != nil {
				return newTile, err
			}
			t.reached = append(t.reached, Reached{m.MilestoneID, t.turns, digest})
		}
	}
	return newTile, nil
}

// turnOf is the turn in which a milestone was reached, or -1.
func (t *tracker) turnOf(id string) int {
	for _, r := range t.reached {
		if r.MilestoneID == id {
			return r.Turn
		}
	}
	return -1
}

func (t *tracker) done() bool { return t.turnOf(t.state.TargetMilestoneID) >= 0 }

func (m Milestone) holds(o emu.Observed, tiles int) bool {
	s := o.State
	switch m.Kind {
	case ReachedPosition:
		return s.Overworld != nil && s.Overworld.Position == *m.Position
	case EnteredMap:
		return s.Overworld != nil && s.Overworld.Position.MapID == m.MapID
	case DialogOpened:
		return s.Dialog != nil
	case BattleStarted:
		return s.Battle != nil && s.Scene.Mode.InBattle()
	case BattleWon:
		return s.Scene.Mode == emu.ModeBattleWon || m.Goal != "" && slices.Contains(s.Goals, m.Goal)
	case MenuObserved:
		return s.Menu != nil && (m.MenuID == "" || s.Menu.ID == m.MenuID)
	case DistinctTiles:
		return tiles >= m.Tiles
	}
	return false
}
