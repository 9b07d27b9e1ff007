package journal

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"clankie/emu"
)

// Overview is a run as a list shows it. It is made from the first and the
// last lines of the run's file; nothing between is read.
type Overview struct {
	RunID         string  `json:"runId"`
	Path          string  `json:"path"`
	Bytes         int64   `json:"bytes"`
	SchemaVersion int     `json:"journalSchemaVersion"`
	JourneyID     *string `json:"journeyId"` // null before version 3
	EnvironmentID *string `json:"environmentId"`
	ScenarioID    string  `json:"scenarioId"`
	StartedAt     string  `json:"startedAt"`
	ResumedFrom   *string `json:"resumedFromCheckpointId"`
	Turns         int     `json:"turns"` // by the summary, else by the last turn's number
	LastTurnAt    *string `json:"lastTurnAt"`
	Objective     *string `json:"objective"` // after the last turn
	Effect        *string `json:"effect"`    // of the last turn
	Outcome       *string `json:"outcome"`   // null when there is no summary
	Live          bool    `json:"live"`      // a writer has the file open
}

// Overview looks at the end of the run's file.
func (r Run) Overview() (Overview, error) {
	h := r.Header
	o := Overview{
		RunID: h.RunID, Path: r.Path, SchemaVersion: h.SchemaVersion,
		JourneyID: said(&h.JourneyID, maxJourneyID), EnvironmentID: said(&h.EnvironmentID, maxHeaderID),
		ScenarioID: h.ScenarioID, StartedAt: h.StartedAt, ResumedFrom: h.ResumedFromCheckpointID, Live: r.Live,
	}
	end, err := readEnding(r.Path, false)
	if err != nil {
		return o, err
	}
	o.Bytes = end.bytes
	if t := end.turn; t != nil {
		at := end.at
		o.Turns = t.Turn + 1
		o.LastTurnAt, o.Objective, o.Effect = &at, t.Objective, t.Effect
	}
	if s := end.summary; s != nil {
		outcome := s.Outcome // the list must not keep whole summaries
		o.Turns, o.Outcome = s.TurnsTaken, &outcome
	}
	return o, nil
}

// Overviews lists the runs in dir, newest first, of the journey where one is
// named.
func Overviews(dir, journey string) ([]Overview, []Problem, error) {
	runs, problems, err := Runs(dir, journey)
	if err != nil {
		return nil, problems, err
	}
	list := make([]Overview, 0, len(runs))
	for _, run := range slices.Backward(runs) {
		o, err := run.Overview()
		if err != nil {
			problems = append(problems, problem(run.Path, err))
		}
		list = append(list, o)
	}
	return list, problems, nil
}

// Day groups the runs that began on one date.
type Day struct {
	Date  string     `json:"date"` // 2006-01-02
	Turns int        `json:"turns"`
	Runs  []Overview `json:"runs"`
}

// Days groups runs by the date on which they began in zone, in the order in
// which the dates come up. It is a view: nothing is kept.
func Days(runs []Overview, zone *time.Location) []Day {
	days := []Day{}
	for _, run := range runs {
		at, _ := emu.ParseMoment(run.StartedAt)
		date := at.In(zone).Format(time.DateOnly)
		if n := len(days); n == 0 || days[n-1].Date != date {
			days = append(days, Day{Date: date})
		}
		day := &days[len(days)-1]
		day.Runs = append(day.Runs, run)
		day.Turns += run.Turns
	}
	return days
}

// Find finds a run in dir by its id, by a beginning of its id that no other
// run has, or by its file's name with or without extension.
func Find(dir, name string) (Run, error) {
	runs, _, err := Runs(dir, "")
	if err != nil {
		return Run{}, err
	}
	return Choose(runs, name)
}

// Choose is Find among runs that were listed.
func Choose(runs []Run, name string) (Run, error) {
	var begin []Run
	for _, run := range runs {
		stem := strings.TrimSuffix(filepath.Base(run.Path), Extension)
		switch {
		case name == run.Header.RunID || strings.TrimSuffix(name, Extension) == stem:
			return run, nil
		case name != "" && strings.HasPrefix(run.Header.RunID, name):
			begin = append(begin, run)
		}
	}
	switch len(begin) {
	case 1:
		return begin[0], nil
	case 0:
		return Run{}, &emu.Error{Code: CodeRunNotFound, Message: "no run is called " + emu.Clip(emu.Clean(name), maxReason)}
	}
	return Run{}, &emu.Error{
		Code:    CodeRunAmbiguous,
		Message: emu.CountOf(len(begin), "run begins", "runs begin") + " with " + emu.Clip(emu.Clean(name), maxReason) + "; say more of the id",
	}
}
