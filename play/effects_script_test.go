package play_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"clankie/emu"
	"clankie/play"
	"clankie/play/playtest"
)

// seen is a turn on the cartridge and what must be told of it: the beginning
// of the effect as the mind reads it. With upTo more than 1 the action is taken
// again until that is told.
type seen struct {
	act  func(s emu.State) emu.Action
	want string
	upTo int

	// within are the limits of the action, where they are not free play's.
	within emu.Limits
	// look is what the body sees of the state from this turn on.
	look func(s emu.State) emu.State
}

func does(a emu.Action) func(emu.State) emu.Action { return func(emu.State) emu.Action { return a } }

func chooses(id string) func(emu.State) emu.Action {
	return does(emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: id})
}

// choosesNo takes the entry of that number of whatever menu is open.
func choosesNo(n int) func(emu.State) emu.Action {
	return func(s emu.State) emu.Action {
		if s.Menu == nil || len(s.Menu.Entries) <= n {
			return emu.Advance(8)
		}
		return emu.Action{Kind: emu.ActionSelectMenuEntry, EntryID: s.Menu.Entries[n].ID}
	}
}

func types(text string) func(emu.State) emu.Action {
	return does(emu.Action{Kind: emu.ActionEnterText, Text: text})
}

var (
	pressA   = does(emu.Press(emu.ButtonA, 4))
	pressB   = does(emu.Press(emu.ButtonB, 4))
	readOn   = does(emu.Action{Kind: emu.ActionAdvanceDialog})
	typeName = types("Robin")
	waitABit = does(emu.Advance(8))
)

// limits are those of free play with fewer presses and frames.
func limits(inputs, frames int) emu.Limits {
	l := emu.FreePlayLimits
	l.MaxInputs, l.MaxFrames = inputs, frames
	return l
}

// script plays turns one by one and holds what is told of each.
type script struct {
	t     *testing.T
	turns []seen
	at    int
	tries int
	told  []string

	within emu.Limits                // of the action under way; none are free play's
	look   func(emu.State) emu.State // what the body sees; nil is what there is
}

func (p *script) decide(_ context.Context, v play.View) (play.Decision, error) {
	if v.Turn > 0 {
		p.judge(v.History[len(v.History)-1].Effect)
	}
	if p.at >= len(p.turns) {
		return play.Decision{}, spent{}
	}
	p.tries++
	turn := p.turns[p.at]
	p.within = turn.within
	if turn.look != nil {
		p.look = turn.look
	}
	act := turn.act(v.Observed.State)
	if act.CheckpointID == thatSave {
		act.CheckpointID = p.saved()
	}
	return play.Decision{Monologue: "m", Intent: "go on", Action: act}, nil
}

// thatSave stands for the id of the save that a script made last.
const thatSave = "that-save"

func (p *script) saved() string {
	for _, told := range slices.Backward(p.told) {
		if id, ok := strings.CutPrefix(told, "saved as "); ok {
			return id
		}
	}
	p.t.Fatal("nothing was saved")
	return ""
}

func (p *script) judge(effect string) {
	turn := p.turns[p.at]
	p.told = append(p.told, effect)
	if regexp.MustCompile("^(?:" + turn.want + ")").MatchString(effect) {
		p.at, p.tries = p.at+1, 0
		return
	}
	if p.tries >= turn.upTo {
		p.t.Errorf("turn %d tells %q, not %q; before: %q", p.at, effect, turn.want, p.told[max(0, len(p.told)-5):])
		p.at, p.tries = p.at+1, 0
	}
}

// narrowed is a body that a script gives less room.
type narrowed struct {
	emu.Body
	script *script
}

func (b narrowed) Act(ctx context.Context, id string, a emu.Action, l emu.Limits) (emu.ActionResult, error) {
	if b.script.within != (emu.Limits{}) {
		l = b.script.within
	}
	return b.Body.Act(ctx, id, a, l)
}

// playScript plays turns from a fixture on the real core.
func playScript(t *testing.T, fixture string, turns []seen) {
	t.Helper()
	p := &script{t: t, turns: slices.Clone(turns)}
	o := playtest.OptionsSeen(t, fixture, func(s emu.State) emu.State {
		if p.look == nil {
			return s
		}
		return p.look(s)
	})
	o.Body = narrowed{o.Body, p}
	o = withMind(o, p.decide)
	o.Unattended = true
	defer func() {
		for _, told := range p.told {
			t.Logf("%s", told)
		}
	}()
	playtest.Play(t, o)
	if p.at < len(p.turns) {
		t.Errorf("%d of %d turns were played", p.at, len(p.turns))
	}
}
