package mind

import (
	"context"
	"slices"
	"sync"

	"clankie/emu"
	"clankie/play"
)

// NameAutopilot is the autopilot's wire name.
const NameAutopilot = "autopilot"

// Autopilot is the built-in mind. It explores the nearest place it does not
// know, talks to whoever it has not met, picks up what lies about and fights
// with the strongest effective move. Each decision is a pure function of the
// view and of what it remembers from earlier views: no clock, no chance, no
// network, and no recorded route.
type Autopilot struct {
	mu     sync.Mutex // a call that nobody waits for any more may still run
	places places
	waited int      // turns in a row spent waiting or pressing on
	saved  []string // goals that it has saved after
	before *glimpse
}

// glimpse is what the autopilot compares the next view with.
type glimpse struct {
	mode     emu.Mode
	position emu.Position
	pressed  emu.Button
	target   *target // what it was about to touch
}

var (
	_ play.Mind     = (*Autopilot)(nil)
	_ play.Rewinder = (*Autopilot)(nil)
)

// NewAutopilot returns an autopilot that knows nothing yet.
func NewAutopilot() *Autopilot { return &Autopilot{places: newPlaces()} }

// Name implements play.Mind.
func (p *Autopilot) Name() string { return NameAutopilot }

// Rewound implements play.Rewinder. People may stand elsewhere again and
// doors may be unopened; only the map of the world still holds.
func (p *Autopilot) Rewound() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.places.forgetPeople()
	p.before = nil
}

// Decide implements play.Mind. It fails only where ctx has ended; it has
// learned nothing then.
func (p *Autopilot) Decide(ctx context.Context, v play.View) (play.Decision, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return play.Decision{}, err
	}
	p.learn(v)
	thought, act := p.choose(v)
	p.before = p.glimpse(v, act)
	return play.Decision{
		Monologue: emu.Clip(thought.thinks, play.MaxMonologue),
		Intent:    emu.Clip(thought.means, play.MaxIntent),
		Objective: p.objective(v, thought),
		Action:    act,
	}, nil
}

// thought is the short truth behind a decision.
type thought struct {
	thinks    string
	means     string
	objective string // "" leaves it
}

func (p *Autopilot) glimpse(v play.View, act emu.Action) *glimpse {
	g := &glimpse{mode: v.Observed.State.Scene.Mode, pressed: act.Button, target: p.places.aim}
	if o := v.Observed.State.Overworld; o != nil {
		g.position = o.Position
	}
	return g
}

func (p *Autopilot) objective(v play.View, t thought) *string {
	if t.objective == "" || t.objective == v.Objective {
		return nil
	}
	s := emu.Clip(t.objective, play.MaxObjective)
	return &s
}

// choose goes through the kinds of moment in the order in which they bind.
func (p *Autopilot) choose(v play.View) (thought, emu.Action) {
	s := v.Observed.State
	p.places.aim = nil
	switch {
	case s.Scene.Mode == emu.ModeUnknown:
		return p.pressOn(v)
	case s.Naming != nil:
		return p.name(s.Naming)
	case s.Battle != nil && s.Scene.Mode == emu.ModeBattle:
		return p.fight(v)
	case s.Menu != nil:
		return p.menu(v)
	case s.Dialog != nil:
		return p.read()
	case s.Overworld == nil || !s.Overworld.InputReady:
		return p.wait()
	}
	if t, act, ok := p.save(v); ok {
		return t, act
	}
	return p.explore(v)
}

// pressOn gets through a screen that does not decode: openings and titles
// answer A, some only START, and an unanswered press is worth a wait.
func (p *Autopilot) pressOn(v play.View) (thought, emu.Action) {
	p.waited++
	switch p.waited % 4 {
	case 1, 2:
		return thought{thinks: "I cannot read this screen. A usually leads on.", means: "press A to get on"}, emu.Press(emu.ButtonA, 4)
	case 3:
		return thought{thinks: "A may not be what it waits for.", means: "press START to get on"}, emu.Press(emu.ButtonStart, 4)
	}
	return thought{thinks: "It may be busy. I give it a second.", means: "wait for the screen"}, emu.Advance(60)
}

// ownName is what he calls himself where a name is asked for.
const ownName = "Clankie"

// name types his own name, or as much of it as the screen takes.
func (p *Autopilot) name(n *emu.Naming) (thought, emu.Action) {
	if n.Loading {
		return thought{thinks: "The keyboard is not there yet.", means: "wait for the keyboard"}, emu.Advance(16)
	}
	name := ownName
	if n.Limit > 0 && n.Limit < len(name) {
		name = name[:n.Limit]
	}
	return thought{thinks: "A name is asked for. I give mine.", means: "type the name " + name}, emu.Action{Kind: emu.ActionEnterText, Text: name}
}

func (p *Autopilot) read() (thought, emu.Action) {
	return thought{thinks: "There is something to read.", means: "read the text to its end"}, emu.Action{Kind: emu.ActionAdvanceDialog}
}

// wait lets a fade, a door or a script run. Now and then it presses A, in
// case something waits that does not show.
func (p *Autopilot) wait() (thought, emu.Action) {
	p.waited++
	if p.waited%12 == 0 {
		return thought{thinks: "Nothing has moved for a while. Perhaps it waits for A.", means: "press A in case something waits"}, emu.Press(emu.ButtonA, 4)
	}
	return thought{thinks: "The game has the controls.", means: "wait for the game"}, emu.Advance(16)
}

// save banks each goal when it is reached.
func (p *Autopilot) save(v play.View) (thought, emu.Action, bool) {
	if !v.Checkpoints {
		return thought{}, emu.Action{}, false
	}
	for _, goal := range v.Observed.State.Goals {
		if slices.Contains(p.saved, goal) {
			continue
		}
		p.saved = append(p.saved, goal)
		label := "after-" + goal
		if !emu.ValidLabel(label) {
			label = "milestone"
		}
		return thought{
			thinks: "That was worth doing, and worth keeping.",
			means:  "save, because " + goal + " is reached",
		}, emu.Action{Kind: emu.ActionSaveCheckpoint, Label: label}, true
	}
	return thought{}, emu.Action{}, false
}
