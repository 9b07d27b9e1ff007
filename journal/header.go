package journal

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"clankie/emu"
)

// Kinds of lines.
const (
	KindHeader  = "header"
	KindTurn    = "turn"
	KindSummary = "summary"
)

// Versions that the writer writes. Readers take every one from 1.
const (
	HeaderSchema  = 3
	TurnSchema    = 2
	SummarySchema = 2
)

// Where a body lives.
const (
	VenueLocal = "local"
	VenueWorld = "world"
)

// Header is the first line of a run's file. JourneyID, EnvironmentID and
// Venue are there from version 3 on.
type Header struct {
	Kind                    string  `json:"kind"`
	SchemaVersion           int     `json:"schemaVersion"`
	RunID                   string  `json:"runId"`                // 1 to 200 UTF-16 units
	EnvironmentSessionID    string  `json:"environmentSessionId"` // 1 to 200
	ScenarioID              string  `json:"scenarioId"`           // 1 to 200
	StartedAt               string  `json:"startedAt"`            // ISO-8601, UTC
	ResumedFromCheckpointID *string `json:"resumedFromCheckpointId"`
	JourneyID               string  `json:"journeyId,omitzero"`     // 1 to 512
	EnvironmentID           string  `json:"environmentId,omitzero"` // see ValidEnvironmentID
	Venue                   string  `json:"venue,omitzero"`         // VenueLocal or VenueWorld
}

var environmentPattern = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// ValidEnvironmentID reports whether s may name an environment: 1 to 64 of
// a-z, 0-9 and -.
func ValidEnvironmentID(s string) bool { return environmentPattern.MatchString(s) }

// Validate checks every bound and names the first member that breaks one.
func (h Header) Validate() error {
	if h.Kind != KindHeader {
		return fmt.Errorf("kind: %q is no header", emu.Clean(h.Kind))
	}
	if h.SchemaVersion < 1 || h.SchemaVersion > HeaderSchema {
		return fmt.Errorf("schemaVersion: %d must be 1 to %d", h.SchemaVersion, HeaderSchema)
	}
	return errors.Join(
		within("runId", h.RunID, 1, maxHeaderID),
		within("environmentSessionId", h.EnvironmentSessionID, 1, maxHeaderID),
		within("scenarioId", h.ScenarioID, 1, maxHeaderID),
		moment("startedAt", h.StartedAt),
		atMost("resumedFromCheckpointId", h.ResumedFromCheckpointID, maxHeaderID),
		h.validateJourney(),
	)
}

const (
	maxHeaderID  = 200
	maxJourneyID = 512
)

func (h Header) validateJourney() error {
	if h.SchemaVersion < 3 {
		if h.JourneyID != "" || h.EnvironmentID != "" || h.Venue != "" {
			return fmt.Errorf("journeyId, environmentId and venue: not members of version %d", h.SchemaVersion)
		}
		return nil
	}
	if !ValidEnvironmentID(h.EnvironmentID) {
		return fmt.Errorf("environmentId: must be 1 to 64 of a-z, 0-9 and -")
	}
	if h.Venue != VenueLocal && h.Venue != VenueWorld {
		return fmt.Errorf("venue: must be %s or %s", VenueLocal, VenueWorld)
	}
	return within("journeyId", strings.TrimSpace(h.JourneyID), 1, maxJourneyID)
}

// fit fills in what every header of ours says and cuts the rest to its
// bounds.
func (h Header) fit() Header {
	h.Kind, h.SchemaVersion = KindHeader, HeaderSchema
	h.RunID = emu.Clip(h.RunID, maxHeaderID)
	h.EnvironmentSessionID = emu.Clip(h.EnvironmentSessionID, maxHeaderID)
	h.ScenarioID = emu.Clip(h.ScenarioID, maxHeaderID)
	h.ResumedFromCheckpointID = clip(h.ResumedFromCheckpointID, maxHeaderID)
	h.JourneyID = strings.TrimSpace(h.JourneyID)
	if h.Venue == "" {
		h.Venue = VenueLocal
	}
	return h
}
