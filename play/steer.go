package play

import (
	"context"
	"fmt"
	"strings"

	"clankie/emu"
)

// Do hands a command to the sitting and waits until it was applied, once, at
// the next safe border: between two turns or while the mind thinks. It
// returns ctx's error when that takes too long; the command may then still
// be applied.
func (s *Sitting) Do(ctx context.Context, c Command) (Ack, error) {
	if c.Kind == CommandBranch {
		return s.branchAt(ctx, PastPlace{Run: c.Run, Turn: c.Turn})
	}
	r := request{
		do:      func(ctx context.Context) (Ack, error) { return s.apply(ctx, c) },
		rethink: changesTheQuestion[c.Kind],
		say:     c.Kind == CommandSay,
	}
	return s.ask(ctx, r)
}

// changesTheQuestion lists the commands after which a mind that is thinking
// thinks about the wrong thing.
var changesTheQuestion = map[CommandKind]bool{
	CommandPause: true, CommandTakePad: true, CommandGivePad: true, CommandLoad: true,
	CommandRestart: true, CommandMind: true, CommandStop: true,
}

// Saves lists the saves of the store, newest first. It waits for no turn.
func (s *Sitting) Saves(ctx context.Context) ([]SaveEntry, error) {
	if s.o.Port == nil {
		return nil, noPort()
	}
	return s.o.Port.List(ctx)
}

// SavePicture returns the picture kept with a save. It waits for no turn.
func (s *Sitting) SavePicture(ctx context.Context, id string) (emu.Picture, error) {
	if s.o.Port == nil {
		return emu.Picture{}, noPort()
	}
	return s.o.Port.Picture(ctx, id)
}

func (s *Sitting) ask(ctx context.Context, r request) (Ack, error) {
	answer := make(chan reply, 1)
	r.reply = answer
	select {
	case s.requests <- r:
	case <-s.ended:
		return Ack{}, ErrEnded
	case <-ctx.Done():
		return Ack{}, ctx.Err()
	}
	select {
	case a := <-answer:
		return a.ack, a.err
	case <-ctx.Done():
		return Ack{}, ctx.Err()
	}
}

// serve carries a request out and answers it.
func (s *Sitting) serve(ctx context.Context, r request) {
	ack, err := r.do(ctx)
	r.reply <- reply{ack, err}
}

// serveWaiting carries out what waits already. rethink is true when the
// question that a mind would be asked has changed.
func (s *Sitting) serveWaiting(ctx context.Context) (rethink bool) {
	for {
		select {
		case r := <-s.requests:
			s.serve(ctx, r)
			rethink = rethink || r.rethink
		default:
			return rethink
		}
	}
}

// apply carries one command out on the owner's goroutine.
func (s *Sitting) apply(ctx context.Context, c Command) (Ack, error) {
	handler, ok := commandHandlers[c.Kind]
	if !ok {
		return Ack{}, fmt.Errorf("there is no command %q", c.Kind)
	}
	ack, err := handler(s, ctx, c)
	return s.told(c, ack, err)
}

// told tells watchers what a command came to, and the tape when it was carried
// out.
func (s *Sitting) told(c Command, ack Ack, err error) (Ack, error) {
	if err == nil && s.o.Tape != nil {
		text := ack.Text
		if c.Kind == CommandPress {
			text = DescribeAction(c.press())
		}
		s.o.Tape.Steered(string(c.Kind), emu.Clean(text))
	}
	if err == nil && ack.Text != "" {
		kind := EventSteer
		if ack.CheckpointID != "" || ack.BankedID != "" {
			kind = EventSave
		}
		s.post(kind, ack.Text)
	}
	s.publish()
	return ack, err
}

type commandHandler func(s *Sitting, ctx context.Context, c Command) (Ack, error)

var commandHandlers map[CommandKind]commandHandler

func init() {
	// Filled here because the handlers refer to apply through the sitting.
	commandHandlers = map[CommandKind]commandHandler{
		CommandSay:        (*Sitting).doSay,
		CommandPause:      (*Sitting).doPause,
		CommandResume:     (*Sitting).doResume,
		CommandStep:       (*Sitting).doStep,
		CommandTakePad:    (*Sitting).doTakePad,
		CommandGivePad:    (*Sitting).doGivePad,
		CommandPress:      (*Sitting).doPress,
		CommandSave:       (*Sitting).doSave,
		CommandLoad:       (*Sitting).doLoad,
		CommandRestart:    (*Sitting).doRestart,
		CommandPin:        (*Sitting).doPin,
		CommandSpeed:      (*Sitting).doSpeed,
		CommandMind:       (*Sitting).doMind,
		CommandStop:       (*Sitting).doStop,
		CommandDeleteSave: (*Sitting).doDeleteSave,
	}
}

func said(format string, args ...any) (Ack, error) {
	return Ack{Text: fmt.Sprintf(format, args...)}, nil
}

func (s *Sitting) doSay(_ context.Context, c Command) (Ack, error) {
	text := strings.TrimSpace(emu.Clean(c.Text))
	if text == "" {
		return Ack{}, fmt.Errorf("there is nothing to say; write the words after /say")
	}
	s.interjection = emu.Clip(text, MaxInterjection)
	s.saidTimes++
	aside := ""
	if s.interjection != text {
		aside = fmt.Sprintf(" (the first %d characters; the rest is not heard)", MaxInterjection)
	}
	if name := s.mind.Name(); name != "model" {
		aside += fmt.Sprintf(" (the %s hears it but cannot answer)", name)
	}
	return said("you said: %s%s", s.interjection, aside)
}

func (s *Sitting) doPause(_ context.Context, _ Command) (Ack, error) {
	if s.paused {
		return Ack{Text: "already paused"}, nil
	}
	s.pause("the operator paused")
	return said("paused")
}

func (s *Sitting) doResume(_ context.Context, _ Command) (Ack, error) {
	if !s.paused && !s.stepping {
		return Ack{Text: "already playing"}, nil
	}
	s.unpause()
	return said("playing on")
}

func (s *Sitting) unpause() {
	s.paused, s.pausedWhy, s.spent, s.stepping, s.failures = false, "", false, false, 0
	s.guard.rest()
}

func (s *Sitting) doStep(_ context.Context, _ Command) (Ack, error) {
	s.unpause()
	s.stepping, s.steppedFrom = true, s.turn
	return said("one turn")
}

func (s *Sitting) doTakePad(_ context.Context, _ Command) (Ack, error) {
	if s.formerMind != "" {
		return Ack{Text: "you have the pad already"}, nil
	}
	former := s.mind.Name()
	mind, err := s.makeMind("operator")
	if err != nil {
		return Ack{}, err
	}
	if former == mind.Name() {
		former = s.o.Mind
	}
	s.mind, s.formerMind = mind, former
	s.setPace()
	s.unpause()
	return said("you have the pad; the %s waits", former)
}

func (s *Sitting) doGivePad(_ context.Context, _ Command) (Ack, error) {
	if s.formerMind == "" {
		return Ack{Text: "you do not have the pad"}, nil
	}
	mind, err := s.makeMind(s.formerMind)
	if err != nil {
		return Ack{}, err
	}
	s.mind, s.formerMind = mind, ""
	s.setPace()
	return said("the %s has the pad again", mind.Name())
}

func (s *Sitting) doPress(_ context.Context, c Command) (Ack, error) {
	holder, ok := s.mind.(PadHolder)
	if !ok {
		return Ack{}, fmt.Errorf("the %s has the pad; take it first", s.mind.Name())
	}
	a := c.press()
	if err := a.Validate(); err != nil {
		return Ack{}, err
	}
	if s.paused {
		return Ack{}, fmt.Errorf("the sitting is paused; resume first")
	}
	if !holder.Press(a) {
		return Ack{}, fmt.Errorf("too many presses wait already; this one was not taken")
	}
	return Ack{}, nil
}

// byHand reports whether a person decides, press by press.
func (s *Sitting) byHand() bool {
	_, pad := s.mind.(PadHolder)
	return pad
}

// pace is how fast frames run: as the speed says, but never unpaced under a
// person's hands, or the world would stand still between two presses.
func (s *Sitting) pace() emu.Pace {
	if s.byHand() && s.speed == SpeedMax {
		return Speed1.Pace()
	}
	return s.speed.Pace()
}

// setPace tells the body how fast frames run, and one that asks which frames
// are wanted: all of them at a pace that is looked at, else those at which the
// player's tile is.
func (s *Sitting) setPace() {
	pace := s.pace()
	s.body.SetPace(pace)
	watched, ok := s.body.(interface{ WatchEvery(n int) })
	switch {
	case !ok:
	case pace.Unpaced():
		watched.WatchEvery(tileFrames)
	default:
		watched.WatchEvery(1)
	}
}

func (s *Sitting) doSpeed(_ context.Context, c Command) (Ack, error) {
	if _, err := ParseSpeed(c.Speed.String()); err != nil {
		return Ack{}, err
	}
	s.speed = c.Speed
	s.setPace()
	return said("speed %s", s.speed)
}

func (s *Sitting) doMind(_ context.Context, c Command) (Ack, error) {
	mind, err := s.makeMind(c.Mind)
	if err != nil {
		return Ack{}, err
	}
	s.mind, s.formerMind, s.failures = mind, "", 0
	s.setPace()
	return said("the %s decides now", mind.Name())
}

func (s *Sitting) doStop(_ context.Context, _ Command) (Ack, error) {
	s.stopping = true
	return said("stopping")
}
