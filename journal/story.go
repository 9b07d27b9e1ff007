package journal

import (
	"bufio"
	"bytes"
	"os"
	"slices"

	"clankie/emu"
)

// Bounds of a story card.
const (
	MaxStoryMaps    = 16
	MaxStoryMoments = 8
)

// Card is the story of a journey in short. It tells what happened and what
// was wanted, never what was thought: no monologue, no notes, no telemetry.
type Card struct {
	SchemaVersion int           `json:"schemaVersion"` // 1
	SessionID     string        `json:"sessionId"`     // of the latest run, like the next two
	EnvironmentID string        `json:"environmentId"`
	ScenarioID    string        `json:"scenarioId"`
	StartedAt     string        `json:"startedAt"` // of the first run
	TurnsTaken    int           `json:"turnsTaken"`
	LastTurnAt    *string       `json:"lastTurnAt"`
	Objective     *string       `json:"objective"` // after the last turn
	Maps          []string      `json:"maps"`      // each once, in the order of discovery, the last 16
	Moments       []StoryMoment `json:"moments"`   // the last 8
}

// StoryMoment is a turn that its mind wanted to speak about.
type StoryMoment struct {
	At     string  `json:"at"`
	Effect string  `json:"effect"` // 1 to 200
	Toward *string `json:"toward"` // the objective, 1 to 160
}

// Story tells the story of the journey's runs in dir. Files are streamed in
// bounded memory, and damage in them is read around. CodeNoStory says that
// the journey has no run there. Files without a header are told as problems.
func Story(dir, journey string) (Card, []Problem, error) {
	runs, problems, err := Runs(dir, journey)
	if err != nil {
		return Card{}, problems, err
	}
	if journey == "" || len(runs) == 0 {
		return Card{}, problems, noStory(journey)
	}
	card, more := tell(runs)
	return card, append(problems, more...), nil
}

func noStory(journey string) error {
	why := "no run belongs to a journey"
	if journey != "" {
		why = "no run belongs to " + emu.Clip(emu.Clean(journey), maxReason)
	}
	return &emu.Error{Code: CodeNoStory, Message: why}
}

// tell tells the story of runs, oldest first and at least one.
func tell(runs []Run) (Card, []Problem) {
	card, problems, whole := teller{}.tell(runs)
	if !whole {
		card, problems, _ = teller{careful: true}.tell(runs)
	}
	return card, problems
}

// teller gathers a story.
type teller struct {
	careful bool // read every moment at once
	lines   lineReader
	turns   int
	moments moments
	maps    []string // in the order of discovery
	seen    map[string]bool
}

// tell gathers the story of runs. It is not whole when moments turned out
// unreadable and those before them were already forgotten.
func (t teller) tell(runs []Run) (card Card, problems []Problem, whole bool) {
	latest := runs[len(runs)-1].Header
	t.lines.in = bufio.NewReaderSize(nil, readBuffer)
	t.seen = map[string]bool{}
	for _, run := range runs {
		if err := t.run(run.Path); err != nil {
			problems = append(problems, problem(run.Path, err))
		}
	}
	card = Card{
		SchemaVersion: 1, SessionID: latest.EnvironmentSessionID, EnvironmentID: latest.EnvironmentID,
		ScenarioID: latest.ScenarioID, StartedAt: runs[0].Header.StartedAt, TurnsTaken: t.turns,
		Maps: append([]string{}, last(t.maps, MaxStoryMaps)...),
	}
	card.Moments, whole = t.moments.last()
	return card, append(problems, card.end(runs)...), whole
}

// run adds one run's file.
func (t *teller) run(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return readFailure(path, err)
	}
	defer file.Close()
	var r runStory
	before := t.turns
	for line, err := range t.lines.all(file) {
		if err != nil {
			return readFailure(path, err)
		}
		if line.offset > 0 || !bytes.HasPrefix(line.data, headerStart) { // the header is known
			t.line(line, &r)
		}
	}
	return t.places(path, r, t.turns > before)
}

// runStory is what one run has to add at its end.
type runStory struct {
	ended bool     // in order, with a summary
	maps  []string // that the summary lists
}

func (t *teller) line(line rawLine, r *runStory) {
	if turn, ok := line.quick(); ok && t.quickTurn(turn) {
		return
	}
	if maps, ok := line.quickMaps(); ok {
		*r = runStory{true, maps}
		return
	}
	for _, record := range line.records() {
		switch {
		case record.Turn != nil:
			t.turns++
			t.moments.add(record.Turn.At, record.Turn.Turn)
		case record.Summary != nil:
			*r = runStory{true, record.Summary.Progress.Maps}
		}
	}
}

// quickTurn reports whether the turn could be taken as it is.
func (t *teller) quickTurn(q quickTurn) bool {
	switch {
	case !q.memorable():
	case t.careful:
		at, record, ok := q.read()
		if !ok {
			return false
		}
		t.moments.add(at, record)
	default:
		t.moments.keep(q)
	}
	t.turns++
	return true
}

// places adds the maps that a run saw. A run that has no summary, because it
// goes on or was killed, has them in the evidence of its last turn.
func (t *teller) places(path string, r runStory, played bool) error {
	t.saw(r.maps)
	if r.ended || !played {
		return nil
	}
	end, err := readEnding(path, true)
	t.saw(end.progress.Maps)
	return err
}

func (t *teller) saw(maps []string) {
	for _, id := range maps {
		if !t.seen[id] {
			t.seen[id] = true
			t.maps = append(t.maps, id)
		}
	}
}

// end adds what the last turn of all says.
func (c *Card) end(runs []Run) []Problem {
	var problems []Problem
	for _, run := range slices.Backward(runs) {
		end, err := readEnding(run.Path, false)
		switch {
		case err != nil:
			problems = append(problems, problem(run.Path, err))
		case end.turn != nil:
			c.LastTurnAt = &end.at
			c.Objective = said(end.turn.Objective, MaxObjective)
			return problems
		}
	}
	return problems
}

// latestProgress is how far play had come when the evidence was taken.
func (e *Evidence) latestProgress() Progress {
	if e.ProgressAfter != nil {
		return *e.ProgressAfter
	}
	return e.ProgressBefore
}
