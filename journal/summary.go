package journal

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"clankie/emu"
)

// MaxSummaryOutcome bounds a summary's outcome, in UTF-16 units.
const MaxSummaryOutcome = 64

// Summary is the last line of a run that ended in order.
type Summary struct {
	Kind          string  `json:"kind"`
	SchemaVersion int     `json:"schemaVersion"`
	At            string  `json:"at"`      // ISO-8601, UTC
	Outcome       string  `json:"outcome"` // 1 to 64
	TurnsTaken    int     `json:"turnsTaken"`
	Accepted      int     `json:"accepted"`
	DurationMS    float64 `json:"durationMs"`
	// FramesPublished counts pictures shown to watchers while frames ran,
	// FramesDropped those that were replaced before anybody looked.
	FramesPublished     int         `json:"framesPublished"`
	FramesDropped       int         `json:"framesDropped"`
	CheckpointID        *string     `json:"checkpointId"` // the save minted at the end
	Progress            Progress    `json:"progress"`
	Volition            Volition    `json:"volition"`
	Coherence           *float64    `json:"coherence"` // 0 to 1
	LongestUnchangedRun int         `json:"longestUnchangedRun" strict:"default"`
	LongestRecurringRun int         `json:"longestRecurringRun" strict:"default"`
	ObjectivesRetired   int         `json:"objectivesRetired" strict:"default"`
	Screenshot          *Screenshot `json:"screenshot,omitzero"` // from version 2 on
}

// Volition counts the chances to speak and what came of them.
type Volition struct {
	Offered    int `json:"offered"`
	Taken      int `json:"taken"`
	Suppressed int `json:"suppressed"`
	Skipped    int `json:"skipped" strict:"default"`
}

// Validate checks every bound and names the members that break one. An older
// summary may list any number of maps.
func (s Summary) Validate() error {
	if s.Kind != KindSummary {
		return fmt.Errorf("kind: %q is no summary", emu.Clean(s.Kind))
	}
	if s.SchemaVersion < 1 || s.SchemaVersion > SummarySchema {
		return fmt.Errorf("schemaVersion: %d must be 1 to %d", s.SchemaVersion, SummarySchema)
	}
	if s.SchemaVersion == 1 && s.Screenshot != nil {
		return errors.New("screenshot: not a member of version 1")
	}
	errs := []error{moment("at", s.At), within("outcome", s.Outcome, 1, MaxSummaryOutcome)}
	if s.Coherence != nil && (*s.Coherence < 0 || *s.Coherence > 1) {
		errs = append(errs, errors.New("coherence: must be 0 to 1"))
	}
	if s.Screenshot != nil {
		errs = append(errs, s.Screenshot.Validate())
	}
	return errors.Join(errs...)
}

func (s Summary) fit() Summary {
	s.Kind, s.SchemaVersion = KindSummary, SummarySchema
	s.Outcome = emu.Clip(s.Outcome, MaxSummaryOutcome)
	s.Progress = s.Progress.fit()
	s.Coherence = finite(s.Coherence)
	if s.Coherence != nil {
		v := min(max(*s.Coherence, 0), 1)
		s.Coherence = &v
	}
	if math.IsNaN(s.DurationMS) || math.IsInf(s.DurationMS, 0) {
		s.DurationMS = 0
	}
	if s.Screenshot != nil && s.Screenshot.Validate() != nil {
		s.Screenshot = nil
	}
	return s
}

// reduced keeps the newest maps only: they are all that can make a summary
// long.
func (s Summary) reduced() Summary {
	s.Progress.Maps = last(s.Progress.Maps, reducedMaps)
	return s
}

// Bounds of a screenshot.
const (
	MaxScreenshotBytes = 524288
	MaxScreenshotSide  = 4096 // pixels
)

// Screenshot refers to a picture beside the journal.
type Screenshot struct {
	Path       string     `json:"path"` // relative to the journal's folder
	ByteLength int        `json:"byteLength"`
	SHA256     emu.Digest `json:"sha256"`
	Width      int        `json:"width"`
	Height     int        `json:"height"`
	Reasons    []string   `json:"reasons"` // at least one
}

var screenshotPattern = regexp.MustCompile(`^\.screenshots/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+\.png$`)

var screenshotReasons = map[string]bool{
	"initial": true, "interval": true, "map_change": true, "scene_change": true,
	"objective_change": true, "noteworthy": true, "failure": true, "terminal": true,
}

// Validate checks every bound and names the first member that breaks one.
func (s Screenshot) Validate() error {
	switch {
	case !screenshotPattern.MatchString(s.Path):
		return errors.New("screenshot.path: not below .screenshots")
	case s.ByteLength < 1 || s.ByteLength > MaxScreenshotBytes:
		return fmt.Errorf("screenshot.byteLength: %d must be 1 to %d", s.ByteLength, MaxScreenshotBytes)
	case !s.SHA256.Valid():
		return errors.New("screenshot.sha256: not a digest")
	case s.Width < 1 || s.Width > MaxScreenshotSide || s.Height < 1 || s.Height > MaxScreenshotSide:
		return fmt.Errorf("screenshot.width and height: must be 1 to %d", MaxScreenshotSide)
	case len(s.Reasons) == 0:
		return errors.New("screenshot.reasons: empty")
	}
	for _, reason := range s.Reasons {
		if !screenshotReasons[reason] {
			return fmt.Errorf("screenshot.reasons: %q is none", emu.Clean(reason))
		}
	}
	return nil
}
