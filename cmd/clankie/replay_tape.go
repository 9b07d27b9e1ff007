package main

import (
	"fmt"
	"time"

	"clankie/emu"
	"clankie/emu/mgba"
	"clankie/journal"
	"clankie/play"
	"clankie/play/replay"
)

// startTape begins the tape beside the journal. A sitting without a journal
// has none, and one whose tape cannot be made plays all the same.
func (s *seat) startTape(recorder *replay.Recorder, info emu.BodyInfo, speed play.Speed) {
	tape, err := s.openTape(info, groupCommit(speed))
	if starting := recorder.Start(tape); err == nil {
		err = starting
	}
	if err != nil {
		s.notices = append(s.notices, fmt.Sprintf("this sitting cannot be replayed: %v", err))
	}
}

// groupCommit is how long lines of journal and tape may wait for their sync.
// In runs faster than the machine's own speed the syncs would be all they do.
func groupCommit(speed play.Speed) time.Duration {
	if speed == play.SpeedMax {
		return journal.GroupCommit
	}
	return 0
}

func (s *seat) openTape(info emu.BodyInfo, group time.Duration) (*journal.TapeWriter, error) {
	if s.journal == nil {
		return nil, nil
	}
	header, err := journal.ReadHeader(s.journal.Path())
	if err != nil {
		return nil, err
	}
	tape, err := journal.CreateTape(s.journal.Path(), journal.TapeHeader{
		RunID: s.runID, ScenarioID: info.ScenarioID, EnvironmentID: info.EnvironmentID, StartedAt: header.StartedAt,
		BootSHA256: info.BootSHA256, RecipeSHA256: mgba.RecipeSHA256(), Identity: info.Identity,
		GroupCommitMS: int(group.Milliseconds()),
	})
	if err != nil {
		return nil, err
	}
	return tape, tape.SetGroupCommit(group)
}
