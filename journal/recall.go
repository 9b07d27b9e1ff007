package journal

import "slices"

// Outcomes of a recall.
const (
	RecallNotPlaying = "not_playing" // there is no journey to tell of
	RecallPending    = "pending"     // the live journey has no run on the disk yet
	RecallCard       = "card"
)

// Recalled is what comes of asking where one was.
type Recalled struct {
	Outcome string `json:"outcome"`
	// Active is true when the story is of the journey that is being played.
	Active    bool   `json:"active"`
	JourneyID string `json:"journeyId,omitzero"`
	Card      *Card  `json:"card,omitzero"` // with RecallCard
}

// Recall tells the story of the journey named live, which is being played.
// With live "" it finds out: a journey with a run that a writer has open, else
// the one that was played most recently.
func Recall(dir, live string) (Recalled, []Problem, error) {
	runs, problems, err := Runs(dir, live)
	if err != nil {
		return Recalled{}, problems, err
	}
	out := Recalled{Outcome: RecallNotPlaying, JourneyID: live, Active: live != ""}
	if live == "" {
		out.JourneyID, out.Active = presentJourney(runs)
	}
	runs = slices.DeleteFunc(runs, func(r Run) bool { return r.Header.JourneyID != out.JourneyID })
	switch {
	case out.JourneyID == "":
		return out, problems, nil
	case len(runs) == 0:
		out.Outcome = RecallPending
		return out, problems, nil
	}
	card, more := tell(runs)
	out.Outcome, out.Card = RecallCard, &card
	return out, append(problems, more...), nil
}

// presentJourney is the journey that is being played, or else the last one
// that was.
func presentJourney(runs []Run) (journey string, live bool) {
	for _, run := range slices.Backward(runs) {
		if run.Live && run.Header.JourneyID != "" {
			return run.Header.JourneyID, true
		}
	}
	for _, run := range slices.Backward(runs) {
		if run.Header.JourneyID != "" {
			return run.Header.JourneyID, false
		}
	}
	return "", false
}
