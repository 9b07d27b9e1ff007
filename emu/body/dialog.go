package body

import (
	"bytes"
	"slices"
	"strings"

	"clankie/emu"
)

// How text is read, in frames.
const (
	readHold     = 4   // a press that turns the page
	readWait     = 12  // between two looks
	readIdle     = 60  // a text that has stood still for so long is pressed on
	readHeld     = 600 // without any text, held controls are waited for so long
	readUnlisted = 120 // a screen that does not decode, likewise
)

// Why advance_dialog ended, beside the limits.
const (
	readClosed        = "dialog_closed"
	readChoice        = "choice_open"
	readBattleStarted = "battle_started"
	readBattleEnded   = "battle_ended"
	readReleased      = "script_released" // the controls came back without any text
	readHolding       = "script_holding"  // the controls did not come back
	readNoChoice      = "choice_unlisted" // a press changed nothing: it asks something unknown
)

// reading is an advance_dialog under way.
type reading struct {
	act        *acting
	transcript []string
	atBattle   bool // a battle was on when it began
	sawBattle  bool
	waited     int    // frames waited for a text with the controls held
	nudged     bool   // B was pressed on what is on screen now
	words      []byte // everything on screen that is not a tile
	since      int    // act.spent when words last changed
}

// advanceDialog reads until there is something to decide, or nothing more to
// read.
func advanceDialog(act *acting, _ emu.Action) (map[string]any, error) {
	s := act.decoded()
	r := &reading{act: act, atBattle: s.Battle != nil}
	if !readable(s) && !held(s) && !asks(s) {
		return nil, refusal(emu.CodeDialogNotOpen, "there is nothing to read", notReadable(s))
	}
	act.reader = r.note
	r.note(s)
	ended, err := r.read()
	if err != nil {
		return nil, err
	}
	out := act.closing(map[string]any{"transcript": r.transcript}, ended)
	addText(out, act.observed().State)
	return out, nil
}

// readable reports whether there is text to read on: an open box, or a battle
// that tells what happens.
func readable(s emu.State) bool {
	if s.Menu != nil {
		return false
	}
	if s.Battle != nil {
		return s.Scene.Mode.InBattle() && s.Battle.Prompt == emu.PromptNone
	}
	return s.Dialog != nil && s.Scene.Mode == emu.ModeDialog
}

// asks reports whether a text ends in a choice that lies beside it.
func asks(s emu.State) bool { return s.Menu != nil && s.Battle == nil && len(s.Menu.Prompt) > 0 }

func notReadable(s emu.State) string {
	switch {
	case s.Menu != nil:
		return "the menu " + s.Menu.ID + " waits for a choice"
	case s.Battle != nil:
		return "the battle waits for a choice"
	case !s.Scene.InputReady:
		return "the screen " + string(s.Scene.Screen) + " is open"
	}
	return "no text box is open and the controls are free"
}

// held reports whether the game holds the controls of the field without
// showing a text: more may come.
func held(s emu.State) bool {
	onField := s.Scene.Mode == emu.ModeOverworld || s.Scene.Mode == emu.ModeCutscene
	return onField && s.Menu == nil && !readable(s) && (s.Torn || !s.Scene.InputReady)
}

// waits reports whether to look on without a press. A screen that is neither
// the field nor decoded may be on its way in or out, for a while.
func (r *reading) waits(s emu.State) bool {
	if held(s) {
		return true
	}
	return decodes(s) && !readable(s) && s.Menu == nil && (s.Torn || !s.Scene.InputReady) && r.idle() < readUnlisted
}

// note keeps what is to be read: every box once. A box that has more text than
// it had replaces itself.
func (r *reading) note(s emu.State) {
	r.sawBattle = r.sawBattle || s.Battle != nil
	if words := appendWords(nil, s); !bytes.Equal(words, r.words) {
		r.words, r.since, r.nudged = words, r.act.spent, false
	}
	box := strings.Join(boxLines(s), "\n")
	last := len(r.transcript) - 1
	switch {
	case box == "" || last >= 0 && box == r.transcript[last]:
	case last >= 0 && strings.HasPrefix(box, r.transcript[last]):
		r.transcript[last] = box
	default:
		r.transcript = append(r.transcript, box)
	}
}

// boxLines is the text that can be read now. A battle's last line stays in
// memory, so it counts only while it is printed.
func boxLines(s emu.State) []string {
	if s.Dialog != nil {
		return s.Dialog.StrictLines()
	}
	if asks(s) {
		return (&emu.Dialog{Lines: s.Menu.Prompt}).StrictLines()
	}
	return nil
}

// idle is for how many frames nothing has changed.
func (r *reading) idle() int { return r.act.spent - r.since }

func (r *reading) read() (ended string, err error) {
	for ended == "" && err == nil {
		s := r.act.decoded()
		r.note(s)
		switch {
		case s.Menu != nil && s.Battle == nil:
			return readChoice, r.act.rest(max(0, opensDeaf-r.idle()))
		case r.waits(s):
			ended, err = r.wait(s)
		case !readable(s):
			return r.ending(s), nil
		case s.Scene.WaitingForDialogAdvance || r.idle() >= readIdle:
			ended, err = r.turnPage(s)
		default:
			ended, err = r.letPrint(s)
		}
	}
	return ended, err
}

// ending is why there is nothing more to read in s.
func (r *reading) ending(s emu.State) string {
	switch {
	case s.Battle != nil && r.atBattle:
		return readChoice
	case s.Battle != nil:
		return readBattleStarted
	case r.sawBattle:
		return readBattleEnded
	case len(r.transcript) > 0:
		return readClosed
	}
	return readReleased
}

// wait lets held controls be.
func (r *reading) wait(s emu.State) (ended string, err error) {
	read := len(r.transcript) > 0
	switch {
	case !read && (r.waited >= readHeld || r.act.left() == 0):
		return readHolding, nil
	case r.act.left() == 0:
		return endedByFrames, nil
	case read && held(s) && s.Battle == nil && !r.nudged && r.idle() >= readIdle:
		return r.nudge()
	}
	n := min(readWait, r.act.left())
	r.waited += n
	return "", r.act.rest(n)
}

// nudge presses B, once, on held controls that nothing happens under after a
// text: some texts stay on screen printed to their end, with nothing in memory
// that says that they want a press. B chooses nothing, should it be a question.
func (r *reading) nudge() (ended string, err error) {
	if ended := r.act.bound(readHold, 0); ended != "" {
		return ended, nil
	}
	r.nudged = true
	_, err = r.act.press(emu.ButtonB, readHold)
	return "", err
}

// turnPage presses A.
func (r *reading) turnPage(before emu.State) (ended string, err error) {
	if ended := r.act.bound(readHold, 0); ended != "" {
		return ended, nil
	}
	if _, err := r.act.press(emu.ButtonA, readHold); err != nil {
		return "", err
	}
	r.since = r.act.spent // it was pressed on; it may stand still again
	if stuck(before, r.act.decoded()) {
		return readNoChoice, nil
	}
	return "", nil
}

// stuck reports whether a press on a box outside battle changed nothing of it.
func stuck(before, after emu.State) bool {
	if before.Battle != nil || before.Dialog == nil || !readable(after) || after.Battle != nil {
		return false
	}
	b, a := before.Dialog, after.Dialog
	return a.Waiting && a.Progress == b.Progress && slices.Equal(a.Lines, b.Lines)
}

// letPrint lets text be printed, faster with A held. In a battle A is not held:
// the moment its prompt opens, A would choose.
func (r *reading) letPrint(s emu.State) (ended string, err error) {
	if r.act.left() == 0 {
		return endedByFrames, nil
	}
	if s.Battle != nil {
		return "", r.act.rest(readWait)
	}
	r.act.watch = r.act.reader
	defer func() { r.act.watch = nil }()
	printed := func(s emu.State) bool { return !readable(s) || s.Scene.WaitingForDialogAdvance }
	if err := r.act.hold(emu.ButtonA, readWait, printed); err != nil {
		return "", err
	}
	return "", r.act.rest(leastReleased) // the next press must be one of its own
}
