package play

import (
	"slices"

	"clankie/emu"
)

// maxMapsKept bounds the trail of maps that a record carries.
const maxMapsKept = 256

// progress counts what a sitting has seen. Every tile walked over counts, not
// only the one on which a turn ends.
type progress struct {
	tiles        map[emu.Position]struct{} // bounded by the tiles the game has
	maps         []string                  // entered, consecutive repeats collapsed, newest last
	found        bool                      // a new tile since the last turn ended
	sinceNewTile int
	accepted     int
	localeTurns  int    // turns on the current map
	effectText   string // of the last accepted or rejected turn
	effectRun    int
	longestRun   int
	longestRecur int
	states       []emu.Digest // the last stateWindow fingerprints
	recurringRun int
}

func newProgress() *progress { return &progress{tiles: map[emu.Position]struct{}{}} }

// passed notes a tile that the player was on.
func (p *progress) passed(at emu.Position) {
	if _, seen := p.tiles[at]; !seen {
		p.tiles[at] = struct{}{}
		p.found = true
	}
}

// ended notes where a turn ended.
func (p *progress) ended(o emu.Observed) {
	w := o.State.Overworld
	if w != nil {
		p.passed(w.Position)
	}
	p.sinceNewTile++
	if p.found {
		p.sinceNewTile, p.found = 0, false
	}
	if w == nil {
		return
	}
	if n := len(p.maps); n == 0 || p.maps[n-1] != w.Position.MapID {
		p.maps = append(p.maps, w.Position.MapID)
		if len(p.maps) > maxMapsKept {
			p.maps = slices.Delete(p.maps, 0, len(p.maps)-maxMapsKept)
		}
		p.localeTurns = 0
	} else {
		p.localeTurns++
	}
}

// showed notes a turn's effect text: the same text over and over is a repeat,
// whatever the action was.
func (p *progress) showed(text string) {
	if text == p.effectText {
		p.effectRun++
	} else {
		p.effectText, p.effectRun = text, 1
	}
	p.longestRun = max(p.longestRun, p.effectRun)
}

// state notes a fingerprint and tracks how long states have been coming back.
func (p *progress) state(fingerprint emu.Digest) {
	p.states = append(p.states, fingerprint)
	if len(p.states) > stateWindow {
		p.states = slices.Delete(p.states, 0, len(p.states)-stateWindow)
	}
	if p.recurring() == nil {
		p.recurringRun = 0
		return
	}
	p.recurringRun++
	p.longestRecur = max(p.longestRecur, p.recurringRun)
}

// recurring is the length of the window when at least six states are known
// and half of them are returns, else nil.
func (p *progress) recurring() *int {
	n := len(p.states)
	unique := map[emu.Digest]struct{}{}
	for _, s := range p.states {
		unique[s] = struct{}{}
	}
	if n < 6 || n-len(unique) < (n+1)/2 {
		return nil
	}
	return &n
}

func (p *progress) stalled(hasPosition bool) *int {
	if !hasPosition {
		return nil
	}
	return atLeast(p.sinceNewTile, stallThreshold)
}

func (p *progress) repeating() *int { return atLeast(p.effectRun, repeatThreshold) }

// actionsPerNewTile is accepted turns per tile after the first, or nil while
// there is no second tile.
func (p *progress) actionsPerNewTile() *float64 {
	if len(p.tiles) <= 1 {
		return nil
	}
	v := float64(p.accepted) / float64(len(p.tiles)-1)
	return &v
}

func atLeast(n, threshold int) *int {
	if n < threshold {
		return nil
	}
	return &n
}

// fingerprint identifies a semantic state: position, facing, scene, menu,
// battle and dialogue, without ids, frames and digests of RAM. Where nothing
// decodes it is the picture.
func fingerprint(o emu.Observed) emu.Digest {
	s := o.State
	type field struct {
		Position *emu.Position `json:"position"`
		Facing   emu.Direction `json:"facing"`
	}
	key := struct {
		Field  *field      `json:"field"`
		Scene  emu.Scene   `json:"scene"`
		Menu   *emu.Menu   `json:"menu"`
		Battle *emu.Battle `json:"battle"`
		Dialog *emu.Dialog `json:"dialog"`
	}{Scene: s.Scene, Menu: s.Menu, Battle: s.Battle, Dialog: s.Dialog}
	if w := s.Overworld; w != nil {
		key.Field = &field{&w.Position, w.Facing}
	}
	if key.Field == nil && s.Menu == nil && s.Battle == nil && s.Dialog == nil && s.Scene.Mode == emu.ModeUnknown {
		return o.PictureSHA256()
	}
	d, err := emu.CanonicalDigest(key)
	if err != nil {
		// Only text with broken UTF-8 cannot be written; decoders never make any.
		return o.PictureSHA256()
	}
	return d
}
