package journal

import (
	"fmt"
	"os"
	"path/filepath"

	"clankie/emu"
)

// maxListed is how many gaps, and pictures that are not as recorded, a check
// lists; all of them are counted.
const maxListed = 1000

// Check is what a look at every byte of a journal found. Everything readable
// is counted, whatever else is damaged.
type Check struct {
	Path          string         `json:"path"`
	Bytes         int64          `json:"bytes"`
	RunID         *string        `json:"runId"` // null without a header
	JourneyID     string         `json:"journeyId,omitzero"`
	HeaderVersion int            `json:"headerVersion,omitzero"`
	Lines         LineCounts     `json:"lines"`
	Turns         TurnCounts     `json:"turns"`
	ActionKinds   map[string]int `json:"actionKinds"`
	FailureCodes  map[string]int `json:"failureCodes"`
	Screenshots   PictureCounts  `json:"screenshots"`
	GapCount      int            `json:"gapCount"`
	GapBytes      int64          `json:"gapBytes"`
	Gaps          []Gap          `json:"gaps"` // the first thousand
	// Problems say in words what is damaged, Notes what is worth knowing.
	Problems []string `json:"problems"`
	Notes    []string `json:"notes"`
	Damaged  bool     `json:"damaged"`
}

// LineCounts are good lines by kind.
type LineCounts struct {
	Total   int `json:"total"`
	Header  int `json:"header"`
	Turn    int `json:"turn"`
	Summary int `json:"summary"`
}

// TurnCounts are good turns.
type TurnCounts struct {
	Total     int             `json:"total"`
	ByOutcome map[Outcome]int `json:"byOutcome"`
	ByVersion map[string]int  `json:"byVersion"`
	Reduced   int             `json:"reduced"` // recorded without what made them too long
	Missing   int             `json:"missing"` // by their numbers and by the summary's count
}

// CheckFile reads the file at path to its end. The error is one of the disk.
func CheckFile(path string) (Check, error) {
	c := checker{Check: Check{
		Path: path, ActionKinds: map[string]int{}, FailureCodes: map[string]int{}, Gaps: []Gap{},
		Turns:       TurnCounts{ByOutcome: map[Outcome]int{}, ByVersion: map[string]int{}},
		Screenshots: PictureCounts{Bad: []BadPicture{}}, Problems: []string{}, Notes: []string{},
	}, next: -1}
	if info, err := os.Stat(path); err == nil {
		c.Bytes = info.Size()
	}
	pictures := openPictures(filepath.Dir(path))
	defer pictures.close()
	for record, err := range Read(path) {
		if err != nil {
			return c.Check, err
		}
		c.record(record)
		if shot := record.screenshot(); shot != nil {
			c.Screenshots.add(pictures.check(*shot))
		}
	}
	c.conclude()
	return c.Check, nil
}

func (r Record) screenshot() *Screenshot {
	switch {
	case r.Turn != nil:
		return r.Turn.Screenshot
	case r.Summary != nil:
		return r.Summary.Screenshot
	}
	return nil
}

type checker struct {
	Check
	next      int // turn number that is due, -1 before the first
	accounted int // turns since the header that are there, or known to be missing
	seen      bool
	startless bool // the first record is no header
}

func (c *checker) record(r Record) {
	if !c.seen && r.Header == nil {
		c.startless = true
	}
	c.seen = true
	switch {
	case r.Gap != nil:
		c.gap(*r.Gap)
		return
	case r.Header != nil:
		c.header(*r.Header)
	case r.Turn != nil:
		c.turn(*r.Turn)
	case r.Summary != nil:
		c.summary(*r.Summary)
	}
	c.Lines.Total++
}

func (c *checker) gap(g Gap) {
	c.GapCount++
	c.GapBytes += g.Bytes
	if len(c.Gaps) < maxListed {
		c.Gaps = append(c.Gaps, g)
	}
}

func (c *checker) header(h Header) {
	c.Lines.Header++
	c.next, c.accounted = -1, 0
	if c.RunID == nil {
		c.RunID, c.JourneyID, c.HeaderVersion = &h.RunID, h.JourneyID, h.SchemaVersion
	}
}

func (c *checker) turn(t TurnLine) {
	c.Lines.Turn++
	c.Turns.Total++
	c.Turns.ByOutcome[t.Turn.Outcome]++
	c.Turns.ByVersion[fmt.Sprint("v", t.SchemaVersion)]++
	if t.Reduced() {
		c.Turns.Reduced++
	}
	if c.next >= 0 && t.Turn.Turn > c.next {
		c.miss(t.Turn.Turn - c.next)
	}
	c.next = t.Turn.Turn + 1
	c.accounted++
	if t.Turn.Action != nil {
		c.ActionKinds[string(t.Turn.Action.Kind)]++
	}
	if code := t.FailureCode(); code != "" {
		c.FailureCodes[code]++
	}
}

// summary closes a run: what it took and is not there was never written, or is
// lost with its line feeds.
func (c *checker) summary(s Summary) {
	c.Lines.Summary++
	c.miss(max(0, s.TurnsTaken-c.accounted))
}

func (c *checker) miss(turns int) {
	c.Turns.Missing += turns
	c.accounted += turns
}

// conclude says what the counts mean.
func (c *checker) conclude() {
	if c.Lines.Header == 0 && c.Lines.Total == 0 {
		c.Problems = append(c.Problems, CodeNotAJournal+": not one line of a journal is in the file")
	} else if c.startless {
		c.Problems = append(c.Problems, CodeNotAJournal+": the file does not begin with a header")
	}
	if c.GapCount > 0 {
		c.Problems = append(c.Problems, emu.CountOf(c.GapCount, "stretch", "stretches")+" of the file cannot be read, "+emu.Count(c.GapBytes, "byte"))
	}
	if n := c.Screenshots.Referenced - c.Screenshots.Matching; n > 0 {
		c.Problems = append(c.Problems, emu.CountOf(n, "screenshot is", "screenshots are")+" missing or not as recorded")
	}
	if c.Turns.Missing > 0 {
		c.Problems = append(c.Problems, emu.CountOf(c.Turns.Missing, "turn is", "turns are")+" missing")
	}
	if c.Lines.Header > 1 {
		c.Notes = append(c.Notes, emu.Count(c.Lines.Header, "header")+" are in the file; the first one counts")
	}
	if c.Lines.Summary == 0 && c.Lines.Header > 0 {
		c.Notes = append(c.Notes, "there is no summary: the run goes on, or it did not end in order")
	}
	c.Damaged = len(c.Problems) > 0
}
