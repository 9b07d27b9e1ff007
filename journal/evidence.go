package journal

import (
	"errors"
	"fmt"

	"clankie/emu"
)

// Bounds of an evidence packet.
const (
	MaxObservations         = 6
	MaxRefusedHere          = 4
	MaxKnownHardFailures    = 32
	MaxVerifiedInteractions = 32
	MaxVerifiedInteraction  = 700 // UTF-16 units
	MaxProgressMaps         = 256
	MaxProgressMapID        = 200  // UTF-16 units
	MaxBodySummary          = 4096 // UTF-16 units
	MaxExceptionMessage     = 4096 // UTF-16 units; longer ones are null
)

// Evidence is the packet that lets a turn be judged afterwards: what was seen
// before and after, what came of the action, and what the mind was told.
type Evidence struct {
	Decision           Observation   `json:"decision"`
	ImmediatePreAction *Observation  `json:"immediatePreAction"`
	PostAction         *Observation  `json:"postAction"`
	ActionResult       *ActionResult `json:"actionResult"`
	ProgressBefore     Progress      `json:"progressBefore"`
	ProgressAfter      *Progress     `json:"progressAfter"`
	Signals            Signals       `json:"signals"`
	Timing             Timing        `json:"timing"`
}

// Observation is what was observed at one moment and of which body.
type Observation struct {
	Observations []emu.Envelope `json:"observations"` // at most six
	Provenance   *Provenance    `json:"provenance"`
}

// Provenance names the body that was observed. Absent members do not apply.
type Provenance struct {
	Body           string     `json:"body"` // VenueLocal or VenueWorld
	SessionID      string     `json:"sessionId,omitzero"`
	WorldID        string     `json:"worldId,omitzero"`
	BodyGeneration *int       `json:"bodyGeneration,omitzero"`
	AdapterVersion string     `json:"adapterVersion,omitzero"`
	CoreID         string     `json:"coreId,omitzero"`
	FixtureSHA256  emu.Digest `json:"fixtureSha256,omitzero"`
	ROMSHA256      emu.Digest `json:"romSha256,omitzero"`
	CoreWasmSHA256 emu.Digest `json:"coreWasmSha256,omitzero"`
	Real           *bool      `json:"real,omitzero"` // false for the deterministic double
}

// LocalProvenance is the provenance of a local body: core, fixture, whether
// the machine is real, and, when it is, the digests of cartridge and module.
func LocalProvenance(info emu.BodyInfo) *Provenance {
	p := &Provenance{
		Body:          VenueLocal,
		CoreID:        info.Identity.CoreID,
		FixtureSHA256: info.FixtureSHA256,
		Real:          &info.Real,
	}
	if info.Real {
		p.ROMSHA256 = info.Identity.ROMSHA256
		p.CoreWasmSHA256 = info.Identity.ModuleSHA256
	}
	return p
}

// Progress is how far play has come. Maps are entered maps, consecutive
// repeats collapsed, newest last.
type Progress struct {
	DistinctTiles     int      `json:"distinctTiles"`
	Maps              []string `json:"maps"` // the last 256, ids at most 200
	TurnsSinceNewTile int      `json:"turnsSinceNewTile"`
	ActionsPerNewTile *float64 `json:"actionsPerNewTile"` // nil with at most one tile
}

// Signals are what the loop told the mind about its own doing. A nil count
// was not worth telling.
type Signals struct {
	RefusedHere          []emu.Direction `json:"refusedHere"` // at most four
	KnownHardFailures    []HardFailure   `json:"knownHardFailures,omitzero"`
	StalledForTurns      *int            `json:"stalledForTurns"`
	RepeatingForTurns    *int            `json:"repeatingForTurns"`
	RecurringForTurns    *int            `json:"recurringForTurns"`
	ObjectiveForTurns    *int            `json:"objectiveForTurns"`
	LocaleForTurns       *int            `json:"localeForTurns"`
	PreviousObjective    *string         `json:"previousObjective"`
	PreviousNotes        *string         `json:"previousNotes"`
	RetiredObjective     *string         `json:"retiredObjective"`
	ObjectiveRecovery    bool            `json:"objectiveRecovery" strict:"default"`
	VerifiedInteractions []string        `json:"verifiedInteractions" strict:"default"` // each at most 700
	DecisionPreemptions  int             `json:"decisionPreemptions" strict:"default"`
}

// HardFailure is an action that is known to fail here, with its refusal.
type HardFailure struct {
	Action    emu.Action `json:"action"`
	ErrorCode string     `json:"errorCode"`
	Effect    string     `json:"effect"`
}

// Timing says when deciding and acting began and ended, ISO-8601 in UTC. A
// turn that did not act has nil.
type Timing struct {
	DecisionStartedAt string  `json:"decisionStartedAt"`
	DecisionSettledAt string  `json:"decisionSettledAt"`
	ActionStartedAt   *string `json:"actionStartedAt"`
	ActionSettledAt   *string `json:"actionSettledAt"`
}

// Validate checks every bound and names the members that break one.
func (e Evidence) Validate() error {
	errs := []error{prefix("decision", e.Decision.validate())}
	if e.ImmediatePreAction != nil {
		errs = append(errs, prefix("immediatePreAction", e.ImmediatePreAction.validate()))
	}
	if e.PostAction != nil {
		errs = append(errs, prefix("postAction", e.PostAction.validate()))
	}
	if e.ActionResult != nil {
		errs = append(errs, prefix("actionResult", e.ActionResult.validate()))
	}
	errs = append(errs, prefix("progressBefore", e.ProgressBefore.validate()))
	if e.ProgressAfter != nil {
		errs = append(errs, prefix("progressAfter", e.ProgressAfter.validate()))
	}
	return errors.Join(append(errs, prefix("signals", e.Signals.validate()), prefix("timing", e.Timing.validate()))...)
}

func prefix(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s.%w", name, err)
}

func (o Observation) validate() error {
	errs := []error{items("observations", len(o.Observations), MaxObservations)}
	for _, observed := range o.Observations {
		if !observed.Kind.Valid() {
			errs = append(errs, fmt.Errorf("observations: %q is no kind", emu.Clean(string(observed.Kind))))
		}
	}
	if o.Provenance != nil && o.Provenance.Body != VenueLocal && o.Provenance.Body != VenueWorld {
		errs = append(errs, fmt.Errorf("provenance.body: must be %s or %s", VenueLocal, VenueWorld))
	}
	return errors.Join(errs...)
}

func (p Progress) validate() error {
	errs := []error{
		natural("distinctTiles", p.DistinctTiles),
		natural("turnsSinceNewTile", p.TurnsSinceNewTile),
		items("maps", len(p.Maps), MaxProgressMaps),
	}
	for _, id := range p.Maps {
		errs = append(errs, within("maps", id, 0, MaxProgressMapID))
	}
	return errors.Join(errs...)
}

func (s Signals) validate() error {
	errs := []error{
		items("refusedHere", len(s.RefusedHere), MaxRefusedHere),
		items("knownHardFailures", len(s.KnownHardFailures), MaxKnownHardFailures),
		items("verifiedInteractions", len(s.VerifiedInteractions), MaxVerifiedInteractions),
		naturalOrNull("stalledForTurns", s.StalledForTurns),
		naturalOrNull("repeatingForTurns", s.RepeatingForTurns),
		naturalOrNull("recurringForTurns", s.RecurringForTurns),
		naturalOrNull("objectiveForTurns", s.ObjectiveForTurns),
		naturalOrNull("localeForTurns", s.LocaleForTurns),
		natural("decisionPreemptions", s.DecisionPreemptions),
	}
	for _, text := range s.VerifiedInteractions {
		errs = append(errs, within("verifiedInteractions", text, 0, MaxVerifiedInteraction))
	}
	return errors.Join(errs...)
}

func (t Timing) validate() error {
	errs := []error{moment("decisionStartedAt", t.DecisionStartedAt), moment("decisionSettledAt", t.DecisionSettledAt)}
	if t.ActionStartedAt != nil {
		errs = append(errs, moment("actionStartedAt", *t.ActionStartedAt))
	}
	if t.ActionSettledAt != nil {
		errs = append(errs, moment("actionSettledAt", *t.ActionSettledAt))
	}
	return errors.Join(errs...)
}
