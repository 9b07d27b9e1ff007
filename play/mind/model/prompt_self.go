package model

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play"
)

// speech says who watches, when he last spoke and what a person said.
func speech(p *page, v play.View) {
	if v.Audience != "" {
		p.line("Who is watching: %s", short(v.Audience, play.MaxAudience))
	}
	if v.TurnsSinceSpoke == nil {
		p.line("You have not said anything aloud yet.")
	} else {
		p.line("You last spoke aloud %s ago.", emu.Count(*v.TurnsSinceSpoke, "turn"))
	}
	if v.Interjection != "" {
		p.line("A person watching says to you: %q", short(v.Interjection, play.MaxInterjection))
	}
}

func purpose(p *page, v play.View) {
	switch {
	case v.Objective == "":
		p.line("You have no objective set.")
	case v.ObjectiveForTurns != nil:
		p.line("Your objective, for %s now: %s", emu.Count(*v.ObjectiveForTurns, "turn"), short(v.Objective, play.MaxObjective))
	default:
		p.line("Your objective: %s", short(v.Objective, play.MaxObjective))
	}
	if v.RetiredObjective != "" {
		p.line("You gave up this objective, because it led in circles: %s", short(v.RetiredObjective, play.MaxObjective))
	}
	if v.ObjectiveRecovery {
		p.line("You are still in those circles. Leave them first: until then that objective is not taken up again, though another one is.")
	}
	p.line("Your notes: %s", either(short(v.Notes, play.MaxNotes), "(none)"))
}

func learned(p *page, v play.View) {
	if len(v.VerifiedInteractions) > 0 {
		p.line("Who has answered you on this map: %s.", list(newest(v.VerifiedInteractions, maxAnswers), maxAnswers,
			func(s string) string { return short(s, maxShownAnswer) }))
	}
	if len(v.LearnedTransitions) > 0 {
		p.line("Ways off this map that worked: %s.", list(v.LearnedTransitions, maxTransitions, func(t play.Transition) string {
			return fmt.Sprintf("at (%d,%d) %s led to %s", t.From.X, t.From.Y, short(play.DescribeAction(t.Action), maxName), short(t.To, maxName))
		}))
	}
	if len(v.RefusedHere) > 0 {
		var names []string
		for _, d := range v.RefusedHere[:min(len(v.RefusedHere), 4)] {
			names = append(names, string(d))
		}
		p.line("From this very tile these directions did not move you: %s.", strings.Join(names, ", "))
	}
}

// newest are the last n of a list that grows at its end.
func newest[T any](all []T, n int) []T { return all[max(len(all)-n, 0):] }

func failures(p *page, v play.View) {
	if len(v.KnownHardFailures) == 0 {
		return
	}
	p.line("As things stand these will be refused again: %s.", list(newest(v.KnownHardFailures, maxFailures), maxFailures,
		func(f play.HardFailure) string {
			return fmt.Sprintf("%s (%s)", short(play.DescribeAction(f.Action), maxReason), short(f.Effect, maxReason))
		}))
}

// signals tell that things go round in circles, where they do.
func signals(p *page, v play.View) {
	say := func(turns *int, format string) {
		if turns != nil {
			p.line(format, emu.Count(*turns, "turn"))
		}
	}
	say(v.StalledForTurns, "You have stood on no new tile for %s.")
	say(v.RepeatingForTurns, "The last %s all had one and the same effect. The same again will have it too.")
	say(v.RecurringForTurns, "Within the last %s the same few situations came back again and again.")
	say(v.LocaleForTurns, "You have been on this map for %s.")
}

// history tells the last turns, oldest first, and makes an answer that could
// not be used stand out: it is what this one has to do better.
func history(p *page, v play.View) {
	entries := newest(v.History, play.HistoryLimit)
	if len(entries) == 0 {
		return
	}
	p.line("What you did, newest last:")
	for i, e := range entries {
		p.line("  %d back: %s", len(entries)-i, happened(e))
	}
	if last := entries[len(entries)-1]; last.Outcome == play.TurnInvalid {
		p.line("Your last answer could not be used: %s", short(last.Effect, maxShownEffect))
	}
}

func happened(e play.HistoryEntry) string {
	effect := either(short(e.Effect, maxShownEffect), "nothing to tell")
	switch {
	case e.Outcome == play.TurnInvalid:
		return "no action, the answer could not be used: " + effect
	case e.Action == nil:
		return "no action, no answer came: " + effect
	}
	s := fmt.Sprintf("%s, to %s: %s", short(play.DescribeAction(*e.Action), 80), short(e.Intent, play.MaxIntent), effect)
	if e.Outcome == play.TurnRejected {
		s = "refused: " + s
	}
	return s
}

func closing(p *page, _ play.View) {
	p.line("Decide on one action now, and answer with one JSON object of the given fields.")
}
