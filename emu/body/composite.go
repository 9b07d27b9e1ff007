package body

import "clankie/emu"

// awaitFrames is how long an action waits at most for something that ends by
// itself: the way through a door, a fade, the moment between the field and a
// battle. Longer, and it is a scene that the player is to watch.
const awaitFrames = 240

// opensDeaf is how long a menu that has just opened takes no press, and a
// little more, so that the press that ended the text does not answer as well.
const opensDeaf = 8

// lookWith has note see every polled frame, after the action's own reader,
// until the returned function is called.
func (act *acting) lookWith(note func(emu.State)) (done func()) {
	act.watch = func(s emu.State) {
		if act.reader != nil {
			act.reader(s)
		}
		note(s)
	}
	return func() { act.watch = nil }
}

// rest lets n frames pass with nothing held, as far as there are so many left.
func (act *acting) rest(n int) error {
	act.watch = act.reader
	defer func() { act.watch = nil }()
	return act.runFrames(n, 0)
}

// await lets frames pass while busy reports true, at most limit of them.
func (act *acting) await(limit int, busy func(emu.State) bool) error {
	for end := act.spent + min(limit, act.left()); act.spent < end && busy(act.decoded()); {
		if err := act.rest(min(act.untilPoll(), end-act.spent)); err != nil {
			return err
		}
	}
	return nil
}

// passing reports whether something goes on that ends by itself and shows
// nothing to read: a step, a fade, a map being loaded, a scene without words.
func passing(s emu.State) bool {
	return decodes(s) && (s.Torn || !s.Scene.InputReady && s.Dialog == nil && s.Battle == nil)
}

// bound says which of the action's limits keeps it from one more press of hold
// frames with spare presses left over, or "".
func (act *acting) bound(hold, spare int) (ended string) {
	switch {
	case act.pressed+spare >= act.limits.MaxInputs:
		return endedByInputs
	case act.left() < hold:
		return endedByFrames
	}
	return ""
}

// closing is the part of an outcome that all composite actions share: why it
// ended, what it cost, and what was observed then.
func (act *acting) closing(out map[string]any, ended string) map[string]any {
	after := act.observed()
	out["presses"] = act.pressed
	out["framesSpent"] = act.spent
	out["endedBecause"] = ended
	out["frame"] = after.Frame
	out["mode"] = string(after.State.Scene.Mode)
	out["ramStateSha256"] = after.RAM()
	addPlace(out, after.State)
	return out
}

func refusal(code, message, detail string) error {
	return &emu.Error{Code: code, Message: message, Detail: detail}
}
