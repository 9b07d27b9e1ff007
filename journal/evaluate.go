package journal

// Evaluation is a run judged from its journal alone.
type Evaluation struct {
	SchemaVersion int       `json:"schemaVersion"` // 1
	Run           RunFacts  `json:"run"`
	Aggregate     Aggregate `json:"aggregate"`
	// Gaps counts stretches of the file that could not be read.
	Gaps int `json:"gaps,omitzero"`
}

// RunFacts name the run and say how it ended.
type RunFacts struct {
	RunID                string   `json:"runId"`
	ScenarioID           string   `json:"scenarioId"`
	JournalSchemaVersion int      `json:"journalSchemaVersion"`
	StartedAt            string   `json:"startedAt"`
	Terminal             Terminal `json:"terminal"`
}

// Terminal is how a run ended, and who says so.
type Terminal struct {
	Source             string  `json:"source"` // summary, lifecycle or unknown
	Outcome            *string `json:"outcome"`
	At                 *string `json:"at"`
	SummaryPresent     bool    `json:"summaryPresent"`
	LifecycleEventType *string `json:"lifecycleEventType"`
	// LifecycleConsistent is whether summary and event agree on whether the
	// run failed; null unless both are there.
	LifecycleConsistent *bool `json:"lifecycleConsistent"`
}

// Where a Terminal is from.
const (
	TerminalSummary   = "summary"
	TerminalLifecycle = "lifecycle"
	TerminalUnknown   = "unknown"
)

// EvaluateOptions say how to judge.
type EvaluateOptions struct {
	// LegacyIntent judges intents as LegacyIntentMatches does.
	LegacyIntent bool
	// Events and Receipts are the paths of the trails that tell how sessions
	// ended and what was said aloud; "" is none.
	Events, Receipts string
}

// Evaluator judges runs.
type Evaluator struct {
	options  EvaluateOptions
	receipts map[string]Verdict
}

// NewEvaluator reads the receipts.
func NewEvaluator(o EvaluateOptions) (*Evaluator, error) {
	e := &Evaluator{options: o}
	if o.Receipts == "" {
		return e, nil
	}
	var err error
	e.receipts, err = readReceipts(o.Receipts)
	return e, err
}

// Evaluate judges the journal at path. The file is streamed: each, where it is
// not nil, is handed every turn's verdicts in order, and they are not kept. An
// error of each ends the evaluation. CodeNotAJournal says that the file does
// not begin with a header; whatever else is damaged is read around.
func (e *Evaluator) Evaluate(path string, each func(TurnVerdicts) error) (Evaluation, error) {
	header, err := ReadHeader(path)
	if err != nil {
		return Evaluation{}, err
	}
	ended, err := e.lifecycle(header.RunID)
	if err != nil {
		return Evaluation{}, err
	}
	run := evaluation{evaluator: e, aggregate: newAggregate()}
	for record, err := range Read(path) {
		if err == nil {
			err = run.record(record, each)
		}
		if err != nil {
			return Evaluation{}, err
		}
	}
	run.aggregate.conclude()
	return Evaluation{
		SchemaVersion: 1,
		Run: RunFacts{
			RunID: header.RunID, ScenarioID: header.ScenarioID, JournalSchemaVersion: header.SchemaVersion,
			StartedAt: header.StartedAt, Terminal: terminal(run.aggregate.Summary, ended),
		},
		Aggregate: run.aggregate, Gaps: run.gaps,
	}, nil
}

func (e *Evaluator) lifecycle(runID string) (lifecycle, error) {
	if e.options.Events == "" {
		return lifecycle{}, nil
	}
	return readLifecycle(e.options.Events, runID)
}

// evaluation is one under way.
type evaluation struct {
	evaluator *Evaluator
	aggregate Aggregate
	before    *TurnLine
	gaps      int
}

func (r *evaluation) record(record Record, each func(TurnVerdicts) error) error {
	switch {
	case record.Gap != nil:
		r.gaps++
	case record.Summary != nil:
		r.aggregate.Summary = record.Summary
	case record.Turn != nil:
		verdicts := judge(*record.Turn, r.before, r.evaluator.matcher())
		verdicts.Narration = narration(*record.Turn, r.evaluator.receipts)
		r.aggregate.add(*record.Turn, verdicts)
		r.before = record.Turn
		if each != nil {
			return each(verdicts)
		}
	}
	return nil
}

func (e *Evaluator) matcher() matcher {
	if e.options.LegacyIntent {
		return LegacyIntentMatches
	}
	return IntentMatches
}

// outcomeFailed is the outcome of a run that broke, as summaries have it.
const outcomeFailed = "failed"

func terminal(s *Summary, l lifecycle) Terminal {
	t := Terminal{Source: TerminalUnknown, SummaryPresent: s != nil}
	if l.event != "" {
		event, outcome := l.event, l.outcome()
		t.Source, t.LifecycleEventType, t.Outcome, t.At = TerminalLifecycle, &event, &outcome, said(&l.at, maxHeaderID)
	}
	if s != nil {
		t.Source, t.Outcome, t.At = TerminalSummary, &s.Outcome, &s.At
	}
	if s != nil && l.event != "" {
		agree := l.failed() == (s.Outcome == outcomeFailed)
		t.LifecycleConsistent = &agree
	}
	return t
}
