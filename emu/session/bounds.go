package session

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"clankie/emu"
)

// Capability is something a lease allows.
type Capability string

// The capabilities of an emulated body.
const (
	CapabilityObserve      Capability = "emulator.gba.observe"
	CapabilityInput        Capability = "emulator.gba.input"
	CapabilityFrameAdvance Capability = "emulator.gba.frame_advance"
)

// FullGrant returns every capability of a local body, in the order they are
// written.
func FullGrant() []Capability {
	return []Capability{CapabilityObserve, CapabilityInput, CapabilityFrameAdvance}
}

// ProfileGBA is the profile, and the kind of environment, of an emulated body.
const ProfileGBA = "gba_emulator"

// maxID is the longest id of the wire formats, in UTF-16 code units.
const maxID = 128

// Bounds are what a lease is allowed to use, and what it is pinned to.
type Bounds struct {
	Profile             string       `json:"profile"`
	CoreID              string       `json:"coreId"`
	SavestateID         string       `json:"savestateId"`
	SavestateSHA256     emu.Digest   `json:"savestateSha256"`
	RNGSeed             uint32       `json:"rngSeed"`
	WorldID             string       `json:"worldId"`
	CharacterID         string       `json:"characterId"`
	MaxInputsPerAction  int          `json:"maxInputsPerAction"`
	MaxFramesPerAction  int          `json:"maxFramesPerAction"`
	MaxActionDurationMS int          `json:"maxActionDurationMs"`
	Capabilities        []Capability `json:"capabilities"`

	// Legacy holds the bounds of a session of an older kind, which shares no
	// field with an emulated body's. Such a session is carried along and ended,
	// never played.
	Legacy *LegacyBounds `json:"-"`
}

// gbaBounds is Bounds without its methods, for the JSON library.
type gbaBounds Bounds

// MarshalJSON writes the fields of the bounds' own profile.
func (b Bounds) MarshalJSON() ([]byte, error) {
	if b.Legacy != nil {
		return json.Marshal(*b.Legacy)
	}
	return json.Marshal(gbaBounds(b))
}

// UnmarshalJSON reads bounds of either profile, strictly.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var head struct {
		Profile string `json:"profile"`
	}
	if err := emu.UnmarshalPart(data, &head); err != nil {
		return err
	}
	if head.Profile != profileLegacy {
		return emu.UnmarshalStrict(data, (*gbaBounds)(b))
	}
	legacy := new(LegacyBounds)
	if err := emu.UnmarshalStrict(data, legacy); err != nil {
		return err
	}
	*b = legacy.bounds()
	return nil
}

// Validate checks the bounds of an emulated body. Those of an older kind are
// taken as they were written.
func (b Bounds) Validate() error {
	if b.Legacy != nil {
		return nil
	}
	switch {
	case b.Profile != ProfileGBA:
		return fmt.Errorf("profile: %q is not %q", b.Profile, ProfileGBA)
	case !validID(b.CoreID):
		return fmt.Errorf("coreId: must have 1 to %d characters", maxID)
	case !validID(b.SavestateID):
		return fmt.Errorf("savestateId: must have 1 to %d characters", maxID)
	case !b.SavestateSHA256.Valid():
		return fmt.Errorf("savestateSha256: no digest")
	case !validID(b.WorldID) || !validID(b.CharacterID):
		return fmt.Errorf("worldId and characterId: must have 1 to %d characters", maxID)
	case b.MaxInputsPerAction < 1 || b.MaxInputsPerAction > emu.MaxInputsLimit:
		return fmt.Errorf("maxInputsPerAction: %d must be 1 to %d", b.MaxInputsPerAction, emu.MaxInputsLimit)
	case b.MaxFramesPerAction < 1 || b.MaxFramesPerAction > emu.MaxFramesLimit:
		return fmt.Errorf("maxFramesPerAction: %d must be 1 to %d", b.MaxFramesPerAction, emu.MaxFramesLimit)
	case b.MaxActionDurationMS < 1:
		return fmt.Errorf("maxActionDurationMs: %d must be at least 1", b.MaxActionDurationMS)
	}
	return validateCapabilities(b.Capabilities)
}

func validateCapabilities(list []Capability) error {
	known := FullGrant()
	if len(list) < 1 || len(list) > len(known) {
		return fmt.Errorf("capabilities: %d of them, 1 to %d are allowed", len(list), len(known))
	}
	for i, c := range list {
		if !slices.Contains(known, c) {
			return fmt.Errorf("capabilities: %q is none", c)
		}
		if slices.Contains(list[:i], c) {
			return fmt.Errorf("capabilities: %q twice", c)
		}
	}
	return nil
}

// Allow reports whether the bounds grant c.
func (b Bounds) Allow(c Capability) bool { return slices.Contains(b.Capabilities, c) }

// admits reports whether an action of these limits stays within the bounds.
func (b Bounds) admits(l emu.Limits) bool {
	return l.MaxInputs <= b.MaxInputsPerAction && l.MaxFrames <= b.MaxFramesPerAction &&
		l.TimeoutMS <= b.MaxActionDurationMS
}

func validID(s string) bool {
	n := emu.Length(s)
	return n >= 1 && n <= maxID
}
