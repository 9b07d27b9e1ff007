package emu

import (
	"fmt"
	"time"
)

// ObservationKind names one of the ten strict observations.
type ObservationKind string

// The kinds.
const (
	ObserveOverworld      ObservationKind = "overworld"
	ObserveMenu           ObservationKind = "menu"
	ObserveParty          ObservationKind = "party"
	ObserveInventory      ObservationKind = "inventory"
	ObserveBattle         ObservationKind = "battle"
	ObserveDialog         ObservationKind = "dialog"
	ObserveScene          ObservationKind = "scene"
	ObserveFrameReference ObservationKind = "frame_reference"
	ObserveDanger         ObservationKind = "danger"
	ObserveAction         ObservationKind = "action"
)

// ObservationKinds lists every kind in the order of the wire format's enum.
var ObservationKinds = []ObservationKind{
	ObserveOverworld, ObserveMenu, ObserveParty, ObserveInventory, ObserveBattle,
	ObserveDialog, ObserveScene, ObserveFrameReference, ObserveDanger, ObserveAction,
}

// FreePlayKinds lists the kinds that free play and MCP look at by default, in
// the order they stand in a set.
var FreePlayKinds = []ObservationKind{
	ObserveDanger, ObserveScene, ObserveOverworld, ObserveBattle, ObserveDialog, ObserveMenu,
}

// Valid reports whether k is one of the ten kinds.
func (k ObservationKind) Valid() bool {
	for _, known := range ObservationKinds {
		if k == known {
			return true
		}
	}
	return false
}

// needsScene reports whether k is refused while the scene does not decode.
func (k ObservationKind) needsScene() bool {
	switch k {
	case ObserveScene, ObserveFrameReference, ObserveDanger, ObserveAction:
		return false
	}
	return true
}

// ObservationInput is all that an observation is made from. RAM and Picture
// are asked only by the kinds that carry a digest.
type ObservationInput struct {
	State   State
	Frame   uint64
	RAM     func() Digest
	Picture func() Digest

	SessionID string
	Speaker   string // who speaks in dialogs: the decoder profile's name, or a trainer

	// Uncertain is true when the evidence of the session is broken: what is
	// observed may not follow from what was recorded.
	Uncertain bool

	// ActionID is the action that ObserveAction asks about, and ActionOf looks
	// one up.
	ActionID string
	ActionOf func(actionID string) (ActionData, bool)
}

// Input returns what observations of o are made from, for a body named info.
func (o Observed) Input(info BodyInfo) ObservationInput {
	speaker := info.Profile
	if speaker == "" {
		speaker = info.EnvironmentID
	}
	return ObservationInput{
		State: o.State, Frame: o.Frame, RAM: o.RAM, Picture: o.PictureSHA256,
		SessionID: info.SessionID, Speaker: speaker,
	}
}

// Observe makes the data of one observation, or says with a code why it
// cannot: the scene does not decode, nothing of that kind is there, or what is
// there cannot be told in the strict shape.
func Observe(kind ObservationKind, in ObservationInput) (any, *Error) {
	if !kind.Valid() {
		return nil, refuse(CodeInvalidCommand, fmt.Sprintf("%q is no observation kind", kind))
	}
	if kind.needsScene() && (in.State.Scene.Mode == ModeUnknown || in.State.Scene.Mode == "") {
		return nil, refuse(CodeSemanticUnavailable, "this scene does not decode; only scene, frame_reference, danger and action can be observed")
	}
	switch kind {
	case ObserveOverworld:
		return result(observeOverworld(in))
	case ObserveMenu:
		return result(observeMenu(in))
	case ObserveParty:
		return result(observeParty(in))
	case ObserveInventory:
		return result(observeInventory(in))
	case ObserveBattle:
		return result(observeBattle(in))
	case ObserveDialog:
		return result(observeDialog(in))
	case ObserveFrameReference:
		return result(observeFrameReference(in))
	case ObserveAction:
		return result(observeAction(in))
	case ObserveDanger:
		return observeDanger(in), nil
	}
	return observeScene(in), nil
}

// result keeps a refused observation from turning into a non-nil value.
func result[T any](data T, err *Error) (any, *Error) {
	if err != nil {
		return nil, err
	}
	return data, nil
}

func refuse(code, message string) *Error { return &Error{Code: code, Message: message} }

// undecoded refuses an observation of a part that was not read, with the
// decoder's own reason.
func undecoded(in ObservationInput, part string) *Error {
	err := refuse(CodeSemanticUnavailable, "the "+part+" was not read")
	err.Detail = in.State.Undecoded[part]
	return err
}

// Envelope is one observation as it goes over the wire and into the journal.
type Envelope struct {
	SchemaVersion int             `json:"schemaVersion"` // 1
	ObservationID string          `json:"observationId"`
	SessionID     string          `json:"sessionId"`
	CharacterID   string          `json:"characterId"`
	WorldID       string          `json:"worldId"`
	GoalVersion   int             `json:"goalVersion"`
	CapturedAt    string          `json:"capturedAt"`
	Frame         uint64          `json:"frame"`
	Kind          ObservationKind `json:"kind"`
	Data          any             `json:"data"` // OverworldData and its siblings, by Kind
}

// Observations numbers the observations of one session. Its clock is logical:
// it counts observations, refused ones included, and never looks at the wall.
type Observations struct {
	info BodyInfo
	n    int
}

// NewObservations starts the numbering for the body named info.
func NewObservations(info BodyInfo) *Observations { return &Observations{info: info} }

// logicalStart is where the logical clock of observations starts.
var logicalStart = time.Date(2026, time.July, 19, 0, 0, 0, 0, time.UTC)

// Observe makes one numbered observation. A refusal uses up its number too.
func (o *Observations) Observe(kind ObservationKind, in ObservationInput) (Envelope, *Error) {
	o.n++
	data, err := Observe(kind, in)
	if err != nil {
		return Envelope{}, err
	}
	return Envelope{
		SchemaVersion: 1,
		ObservationID: fmt.Sprintf("gba-observation-%d", o.n),
		SessionID:     o.info.SessionID,
		CharacterID:   o.info.CharacterID,
		WorldID:       o.info.WorldID,
		CapturedAt:    Moment(logicalStart.Add(time.Duration(o.n) * time.Second)),
		Frame:         in.Frame,
		Kind:          kind,
		Data:          data,
	}, nil
}

// FreePlay makes the set that free play decides by: FreePlayKinds in order,
// without those that are refused. CanonicalDigest of the set is a turn's
// observationSha256.
func (o *Observations) FreePlay(in ObservationInput) []Envelope {
	set := make([]Envelope, 0, len(FreePlayKinds))
	for _, kind := range FreePlayKinds {
		if e, err := o.Observe(kind, in); err == nil {
			set = append(set, e)
		}
	}
	return set
}
