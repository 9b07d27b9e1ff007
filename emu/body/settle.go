package body

import (
	"bytes"
	"fmt"

	"clankie/emu"
)

// How long a press is waited for, in frames.
const (
	// leastReleased is how long a button stays up at least, so that a game that
	// reads its keys once a frame, or a little less often, sees the next press.
	leastReleased = 4
	// quietFrames is how long nothing may change before a press has settled. It
	// is longer than a character of slow text, a turn on the spot, and the lag
	// between a press and the script or fade it starts.
	quietFrames = 12
	// readyFrames is how long nothing may be under way: a tile stepped on, or a
	// box closed, starts what it starts a frame or two later.
	readyFrames = 4
	// stepFrames replaces quietFrames after a change of tile: the tile changes
	// when a step begins, the step lasts 16 frames, and two more show what the
	// new tile starts. Games that say when the player moves need it not.
	stepFrames = 18
)

// settle runs released frames until nothing that the press could have started
// is going on, at most emu.SettledPressWait of them.
func (act *acting) settle(calm *stillness) (settled bool, err error) {
	for released := 0; released < emu.SettledPressWait; {
		if released >= leastReleased && calm.steady() {
			return true, nil
		}
		if act.left() == 0 {
			return false, nil
		}
		n := min(act.untilPoll(), emu.SettledPressWait-released, act.left())
		if err := act.runFrames(n, 0); err != nil {
			return false, err
		}
		released += n
	}
	return true, nil
}

// stillness watches the polled frames of a press for changes. People walking
// about and animated pictures are no changes; the player's tile, facing, text,
// menus, battle and fading colours are. A scene that does not decode is
// watched by its picture.
type stillness struct {
	core  emu.Core
	frame uint64 // when it last changed, or the press began
	need  uint64 // frames of quiet that settle it
	busy  uint64 // when something was last going on that ends by itself

	place   emu.Position
	said    []byte
	palette []byte
	pixels  []byte
	spare   []byte // kept between polls so that looking does not allocate
}

func newStillness(s emu.State, core emu.Core) *stillness {
	w := &stillness{core: core}
	w.note(s)
	w.frame, w.need = core.Frame(), quietFrames
	return w
}

// note looks at one polled frame.
func (w *stillness) note(s emu.State) {
	if underWay(s) {
		w.busy = w.core.Frame()
	}
	moved := w.sawPlace(s)
	spoke := w.sawWords(s)
	faded := w.sawPicture(s)
	switch {
	case moved:
		w.frame, w.need = w.core.Frame(), stepFrames
	case spoke || faded:
		w.frame, w.need = w.core.Frame(), max(w.remaining(), quietFrames)
	}
}

// remaining keeps a step's wait from being cut short by a smaller change.
func (w *stillness) remaining() uint64 {
	passed := w.core.Frame() - w.frame
	if passed >= w.need {
		return 0
	}
	return w.need - passed
}

func (w *stillness) steady() bool {
	now := w.core.Frame()
	return now-w.busy >= readyFrames && now-w.frame >= w.need
}

func (w *stillness) sawPlace(s emu.State) bool {
	if s.Overworld == nil || s.Overworld.Position == w.place {
		return false
	}
	w.place = s.Overworld.Position
	return true
}

func (w *stillness) sawWords(s emu.State) bool {
	w.spare = appendWords(w.spare[:0], s)
	if bytes.Equal(w.spare, w.said) {
		return false
	}
	w.said, w.spare = w.spare, w.said
	return true
}

func (w *stillness) sawPicture(s emu.State) bool {
	changed := replace(&w.palette, w.core.Memory().Palette)
	if !decodes(s) {
		changed = replace(&w.pixels, w.core.Picture().Pix) || changed
	}
	return changed
}

func replace(kept *[]byte, now []byte) (changed bool) {
	if bytes.Equal(*kept, now) {
		return false
	}
	*kept = append((*kept)[:0], now...)
	return true
}

// underWay reports whether something goes on that ends by itself: a step, a
// script that holds the controls, text being printed, a battle resolving, a
// transition. Nothing can be pressed then to any effect.
func underWay(s emu.State) bool {
	if !decodes(s) {
		return false
	}
	return s.Torn || !s.Scene.InputReady && !s.Scene.WaitingForDialogAdvance
}

// appendWords writes everything that a press may change, but for the tile.
func appendWords(to []byte, s emu.State) []byte {
	to = fmt.Appendf(to, "%s|%s", s.Scene.Mode, s.Scene.Screen)
	if o := s.Overworld; o != nil {
		to = fmt.Appendf(to, "|%s", o.Facing)
	}
	if d := s.Dialog; d != nil {
		to = fmt.Appendf(to, "|%q|%t|%d", d.Lines, d.Waiting, d.Progress)
	}
	if m := s.Menu; m != nil {
		to = fmt.Appendf(to, "|%q|%d|%q", m.ID, m.Cursor, m.Entries)
	}
	if n := s.Naming; n != nil {
		to = fmt.Appendf(to, "|%q|%s|%d|%d|%t", n.Text, n.Page, n.Column, n.Row, n.Loading)
	}
	if b := s.Battle; b != nil {
		to = fmt.Appendf(to, "|%s|%d|%d|%d|%q|%v", b.Prompt, b.Outcome, b.ActionCursor, b.MoveCursor, b.Text, hitPoints(b))
	}
	return to
}
