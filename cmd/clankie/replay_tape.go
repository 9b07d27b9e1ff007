package main

import (
	"fmt"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/journal"
	"clankie/play"
	"clankie/play/replay"
)

// startTape begins the tape beside the journal. A sitting without a journal
// has none, and one whose tape cannot be made plays all the same.
func (s *seat) startTape(recorder *replay.Recorder, info emu.BodyInfo, speed play.Speed) {
	tape, err := s.openTape(info)
	if err == nil && speed == play.SpeedMax {
		err = tape.SetGroupCommit(journal.GroupCommit)
	}
	if starting := recorder.Start(tape); err == nil {
		err = starting
	}
	if err != nil {
		s.notices = append(s.notices, fmt.Sprintf("this sitting cannot be replayed: %v", err))
	}
}

func (s *seat) openTape(info emu.BodyInfo) (*journal.TapeWriter, error) {
	if s.journal == nil {
		return nil, nil
	}
	header, err := journal.ReadHeader(s.journal.Path())
	if err != nil {
		return nil, err
	}
	return journal.CreateTape(s.journal.Path(), journal.TapeHeader{
		RunID: s.runID, ScenarioID: info.ScenarioID, EnvironmentID: info.EnvironmentID, StartedAt: header.StartedAt,
		BootSHA256: info.BootSHA256, RecipeSHA256: mgba.RecipeSHA256(), Identity: info.Identity,
	})
}
