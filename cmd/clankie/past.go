package main

import (
	"context"

	"clankie/emu"
	"clankie/emu/gen3"
	"clankie/emu/mgba"
	"clankie/journal"
	"clankie/play"
	"clankie/play/replay"
)

// past is the archive of a journey as its sitting looks at it.
type past struct{ *replay.Archive }

// At implements play.Past.
func (p past) At(ctx context.Context, at play.PastPlace) (play.PastTurn, error) {
	m, err := p.Archive.At(ctx, replay.Wanted(at))
	return play.PastTurn{
		RunID: m.RunID, Live: m.Live, Turn: m.Turn, Last: m.Last,
		Line: m.Line, Observed: m.Observed, Machine: m.State, From: m.From,
	}, err
}

// openPast opens the archive of the sitting's journey; a sitting that is not
// recorded has none.
func (s *seat) openPast(p seating, rom []byte, library *replay.Library) play.Past {
	if s.journal == nil {
		return nil
	}
	profile := gen3.ProfileOf(s.body.Info().Identity)
	return past{replay.NewArchive(replay.ArchiveOptions{
		Journal: s.journal.Path(), Journey: p.journey, Library: library,
		Boot: func(ctx context.Context) (emu.Core, error) {
			return mgba.Boot(ctx, p.module, mgba.BootOptions{ROM: rom})
		},
		Decode: func(m emu.Memory) emu.State { return gen3.Decode(m, profile) },
	})}
}

// sharedPins keeps pins for later sittings, and for the archive of this one.
type sharedPins struct {
	play.PinKeeper
	library *replay.Library
}

// KeepPin implements play.PinKeeper.
func (k sharedPins) KeepPin(ctx context.Context, name string, state []byte, picture emu.Picture) error {
	if err := k.PinKeeper.KeepPin(ctx, name, state, picture); err != nil {
		return err
	}
	k.library.Add(state)
	return nil
}

// stories tells of the journals in a folder.
type stories struct{ dir string }

// Story implements tui.Stories.
func (s stories) Story(journey string) (journal.Card, []journal.Problem, error) {
	return journal.Story(s.dir, journey)
}

// Recall implements tui.Stories.
func (s stories) Recall(live string) (journal.Recalled, []journal.Problem, error) {
	return journal.Recall(s.dir, live)
}
