package journal

import (
	"errors"
	"fmt"
	"strings"

	"clankie/emu"
)

// Bounds of a turn's texts, in UTF-16 code units.
const (
	MaxMonologue    = 600
	MaxIntent       = 200
	MaxNotes        = 800
	MaxObjective    = 160
	MaxInterjection = 500
	MaxReply        = 2000
	MaxSpeak        = 400
	MaxDetail       = 400
	MaxEffect       = 200
	MaxEffectAdvice = 300
)

// Outcome is how a turn ended.
type Outcome string

// The outcomes.
const (
	OutcomeAccepted        Outcome = "accepted"
	OutcomeRejected        Outcome = "rejected_by_adapter"
	OutcomeInvalidDecision Outcome = "invalid_decision"
	OutcomeMindFailed      Outcome = "mind_failed"
)

// Valid reports whether o is one of the outcomes.
func (o Outcome) Valid() bool {
	switch o {
	case OutcomeAccepted, OutcomeRejected, OutcomeInvalidDecision, OutcomeMindFailed:
		return true
	}
	return false
}

// TurnRecord is one turn as everyone may read it. nil is null.
type TurnRecord struct {
	Turn int `json:"turn"` // from 0
	// ObservationSHA256 is the digest of the canonical JSON of the
	// observations that the decision was made on.
	ObservationSHA256 emu.Digest  `json:"observationSha256"`
	FramebufferSHA256 *emu.Digest `json:"framebufferSha256"`
	Monologue         *string     `json:"monologue"`
	Intent            *string     `json:"intent"`
	Notes             *string     `json:"notes"`     // after this turn
	Objective         *string     `json:"objective"` // after this turn
	ObjectiveRetired  *string     `json:"objectiveRetired" strict:"default"`
	Interjection      *string     `json:"interjection"`
	Reply             *string     `json:"reply"`
	Speak             *string     `json:"speak"`
	SpeakSuppressed   bool        `json:"speakSuppressed"`
	SpeakWanted       bool        `json:"speakWanted" strict:"default"`
	Action            *emu.Action `json:"action"`
	Outcome           Outcome     `json:"outcome"`
	Detail            *string     `json:"detail"`
	Effect            *string     `json:"effect"`
	EffectAdvice      *string     `json:"effectAdvice" strict:"default"`
}

// Validate checks every bound and names the members that break one.
func (t TurnRecord) Validate() error {
	errs := []error{natural("turn", t.Turn)}
	if !t.ObservationSHA256.Valid() {
		errs = append(errs, errors.New("observationSha256: not a digest"))
	}
	if t.FramebufferSHA256 != nil && !t.FramebufferSHA256.Valid() {
		errs = append(errs, errors.New("framebufferSha256: not a digest"))
	}
	if !t.Outcome.Valid() {
		errs = append(errs, fmt.Errorf("outcome: %q is none", emu.Clean(string(t.Outcome))))
	}
	if t.Action != nil {
		if err := t.Action.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("action.%w", err))
		}
	}
	for _, text := range t.texts() {
		errs = append(errs, atMost(text.name, *text.value, text.limit))
	}
	return errors.Join(errs...)
}

type boundedText struct {
	name  string
	value **string
	limit int
}

// texts lists the texts of the record with their bounds.
func (t *TurnRecord) texts() []boundedText {
	return []boundedText{
		{"monologue", &t.Monologue, MaxMonologue},
		{"intent", &t.Intent, MaxIntent},
		{"notes", &t.Notes, MaxNotes},
		{"objective", &t.Objective, MaxObjective},
		{"objectiveRetired", &t.ObjectiveRetired, MaxObjective},
		{"interjection", &t.Interjection, MaxInterjection},
		{"reply", &t.Reply, MaxReply},
		{"speak", &t.Speak, MaxSpeak},
		{"detail", &t.Detail, MaxDetail},
		{"effect", &t.Effect, MaxEffect},
		{"effectAdvice", &t.EffectAdvice, MaxEffectAdvice},
	}
}

// fit cuts the record to its bounds. What cannot be cut (a digest that is
// none, an action that is none) becomes null.
func (t TurnRecord) fit() TurnRecord {
	clamp(&t.Turn)
	if t.FramebufferSHA256 != nil && !t.FramebufferSHA256.Valid() {
		t.FramebufferSHA256 = nil
	}
	if t.Action != nil && t.Action.Validate() != nil {
		t.Action = nil
	}
	for _, text := range t.texts() {
		*text.value = clip(*text.value, text.limit)
	}
	return t
}

// TurnLine is a turn's line.
type TurnLine struct {
	Kind          string     `json:"kind"`
	SchemaVersion int        `json:"schemaVersion"`
	At            string     `json:"at"` // ISO-8601, UTC
	Turn          TurnRecord `json:"turn"`
	// Evidence is what the turn was decided on and led to; nil in version 1.
	Evidence   *Evidence   `json:"evidence,omitzero"`
	Screenshot *Screenshot `json:"screenshot,omitzero"`
	// NarrationEvent and SpeechDeliveryID are both there or both absent;
	// version 1 has the latter alone. This program reads them only.
	NarrationEvent   string `json:"narrationEvent,omitzero"`
	SpeechDeliveryID string `json:"speechDeliveryId,omitzero"`
}

// Reduced reports whether the line is the reduced form of one that was too
// long to record.
func (l TurnLine) Reduced() bool {
	return l.Turn.Detail != nil && strings.HasPrefix(*l.Turn.Detail, CodeLineTooLarge)
}

const (
	maxNarrationEvent = 512
	maxDeliveryID     = 128
)

// Validate checks every bound and names the members that break one.
func (l TurnLine) Validate() error {
	if l.Kind != KindTurn {
		return fmt.Errorf("kind: %q is no turn", emu.Clean(l.Kind))
	}
	errs := []error{moment("at", l.At)}
	if err := l.Turn.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("turn.%w", err))
	}
	if strings.ContainsFunc(l.SpeechDeliveryID, isSpace) {
		errs = append(errs, errors.New("speechDeliveryId: has blanks"))
	}
	errs = append(errs,
		within("narrationEvent", l.NarrationEvent, 0, maxNarrationEvent),
		within("speechDeliveryId", l.SpeechDeliveryID, 0, maxDeliveryID),
		l.validateVersion(),
	)
	return errors.Join(errs...)
}

func (l TurnLine) validateVersion() error {
	switch l.SchemaVersion {
	case 1:
		if l.Evidence != nil || l.Screenshot != nil || l.NarrationEvent != "" {
			return errors.New("evidence, screenshot and narrationEvent: not members of version 1")
		}
		return nil
	case TurnSchema:
		return l.validateEvidence()
	}
	return fmt.Errorf("schemaVersion: %d must be 1 to %d", l.SchemaVersion, TurnSchema)
}

func (l TurnLine) validateEvidence() error {
	if l.Evidence == nil {
		return errors.New("evidence: missing")
	}
	if (l.NarrationEvent == "") != (l.SpeechDeliveryID == "") {
		return errors.New("narrationEvent and speechDeliveryId: one without the other")
	}
	if err := l.Evidence.Validate(); err != nil {
		return fmt.Errorf("evidence.%w", err)
	}
	if l.Screenshot != nil {
		return l.Screenshot.Validate()
	}
	return nil
}

func isSpace(r rune) bool { return strings.ContainsRune(" \t\r\n\v\f\u00A0\u2028\u2029\uFEFF", r) }

// fit makes a line of ours of l: bounds kept, evidence there.
func (l TurnLine) fit() TurnLine {
	l.Kind, l.SchemaVersion = KindTurn, TurnSchema
	l.Turn = l.Turn.fit()
	var evidence Evidence
	if l.Evidence != nil {
		evidence = *l.Evidence
	}
	evidence = evidence.fit(l.At)
	l.Evidence = &evidence
	if !l.Turn.ObservationSHA256.Valid() {
		if digest, err := emu.CanonicalDigest(evidence.Decision.Observations); err == nil {
			l.Turn.ObservationSHA256 = digest
		}
	}
	if l.Screenshot != nil && l.Screenshot.Validate() != nil {
		l.Screenshot = nil
	}
	if l.NarrationEvent == "" || l.SpeechDeliveryID == "" {
		l.NarrationEvent, l.SpeechDeliveryID = "", ""
	}
	return l
}

// reduced is the line without what makes lines long. why goes before the
// turn's own detail.
func (l TurnLine) reduced(why string) TurnLine {
	if l.Turn.Detail != nil {
		why += "; " + *l.Turn.Detail
	}
	why = emu.Clip(why, MaxDetail)
	l.Turn.Detail = &why
	evidence := l.Evidence.reduced()
	l.Evidence = &evidence
	return l
}
