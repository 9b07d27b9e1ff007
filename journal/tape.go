package journal

import (
	"errors"
	"fmt"

	"clankie/emu"
)

// A tape is what makes a run replayable although its mind is not: everything
// that reached the core, in order, from whoever it came. It stands beside the
// journal as a file of JSON lines of its own, so that a reader of journals
// never meets it. Each line ends with a digest over itself and the one before
// (see seal), so that no byte of it can change unnoticed.

// TapeSchema is the version of the tape's format.
const TapeSchema = 1

// MaxTapeSpan is the most frames of one line, and so the longest stretch
// without a digest: a minute of the machine's own time.
const MaxTapeSpan = 3600

// Kinds of lines of a tape.
const (
	TapeKindHeader = "tape"
	TapeKindRun    = "run"
	TapeKindLoad   = "load"
	TapeKindSave   = "save"
	TapeKindSteer  = "steer"
	TapeKindBorder = "border"
	TapeKindDigest = "digest"
	TapeKindEnd    = "end"
)

// Where a loaded state came from.
const (
	TapeFromBoot       = "boot"       // the boot savestate
	TapeFromPin        = "pin"        // another pinned savestate, by name
	TapeFromCheckpoint = "checkpoint" // a save, by id
	TapeFromElsewhere  = "elsewhere"  // nobody said; it can be found by its digest alone
)

// Codes with which tapes refuse or fail.
const (
	// CodeNotATape: the first line is no whole header of a tape.
	CodeNotATape = "free_play_tape_not_a_tape"
	// CodeTapeVersion: the tape is of another version of the format.
	CodeTapeVersion = "free_play_tape_version"
	// CodeTapeDamaged: a line is not the one that was written.
	CodeTapeDamaged = "free_play_tape_damaged"
	// CodeTapeMissing: there is no tape of that run.
	CodeTapeMissing = "free_play_tape_missing"
)

// TapeHeader is a tape's first line: what ran, and from what.
type TapeHeader struct {
	Kind          string           `json:"kind"`
	SchemaVersion int              `json:"schemaVersion"`
	RunID         string           `json:"runId"`
	ScenarioID    string           `json:"scenarioId"`
	EnvironmentID string           `json:"environmentId"`
	StartedAt     string           `json:"startedAt"` // as the journal's header has it
	BootSHA256    emu.Digest       `json:"bootSha256"`
	RecipeSHA256  emu.Digest       `json:"recipeSha256"` // what the core module is built by
	Identity      emu.CoreIdentity `json:"identity"`
	// GroupCommitMS is how long lines of the run's journal and tape may have
	// waited for their sync, in milliseconds; 0 when each was synced at once.
	GroupCommitMS int `json:"groupCommitMs,omitzero"`
}

// TapeRun is frames that ran with the same keys held throughout, 0 for none.
type TapeRun struct {
	Kind   string   `json:"kind"`
	Keys   emu.Keys `json:"keys"`   // the machine's own bits
	Frames int      `json:"frames"` // 1 to MaxTapeSpan
}

// TapeLoad is a state that replaced the machine's.
type TapeLoad struct {
	Kind        string     `json:"kind"`
	Source      string     `json:"source"` // TapeFromBoot and its siblings
	Name        string     `json:"name"`   // of the save or pin, else ""
	StateSHA256 emu.Digest `json:"stateSha256"`
}

// TapeSave says that the machine's state was taken, which changes nothing:
// where a save with this state still exists, the tape can be joined here.
type TapeSave struct {
	Kind        string     `json:"kind"`
	StateSHA256 emu.Digest `json:"stateSha256"`
}

// TapeSteer is a command of the operator's that was carried out here. It
// changes nothing by itself: what it made of the machine stands in lines of its
// own.
type TapeSteer struct {
	Kind    string `json:"kind"`
	Command string `json:"command"` // its name
	Text    string `json:"text"`    // what came of it, as the operator was told
}

// Bounds of a command on a tape, in UTF-16 code units.
const (
	maxSteerCommand = 64
	MaxTapeText     = 1000
)

// TapeMark is what the machine looked like at a frame: at the border behind a
// turn, on the way, or at the tape's end.
type TapeMark struct {
	Kind string `json:"kind"`
	Turn *int   `json:"turn"` // the turn that has settled; null but for a border
	// Frame counts the frames on the tape so far; loads do not rewind it.
	Frame     uint64     `json:"frame"`
	RAMSHA256 emu.Digest `json:"ramSha256"`
	// PictureSHA256 is null while no frame was drawn since a load.
	PictureSHA256 *emu.Digest `json:"pictureSha256"`
}

// TapeLine is one line of a tape: exactly one of its pointers is not nil.
type TapeLine struct {
	Offset int64 // of its first byte in the file
	Number int   // from 1

	Header *TapeHeader
	Run    *TapeRun
	Load   *TapeLoad
	Save   *TapeSave
	Steer  *TapeSteer
	Mark   *TapeMark
	Torn   *Gap // half a line at the end: what a crash leaves
}

// content is what the line says, with its kind filled in where that is known
// from the type.
func (l TapeLine) content() (any, error) {
	switch {
	case l.Header != nil:
		h := *l.Header
		h.Kind, h.SchemaVersion = TapeKindHeader, TapeSchema
		if len(h.Identity.Equivalents) == 0 {
			h.Identity.Equivalents = []emu.Digest{h.Identity.ModuleSHA256}
		}
		return h, h.validate()
	case l.Run != nil:
		r := *l.Run
		r.Kind = TapeKindRun
		return r, r.validate()
	case l.Load != nil:
		o := *l.Load
		o.Kind = TapeKindLoad
		return o, o.validate()
	case l.Save != nil:
		s := *l.Save
		s.Kind = TapeKindSave
		return s, s.validate()
	case l.Steer != nil:
		s := *l.Steer
		s.Kind = TapeKindSteer
		return s, s.validate()
	case l.Mark != nil:
		return *l.Mark, l.Mark.validate()
	}
	return nil, errors.New("an empty line")
}

func (h TapeHeader) validate() error {
	if h.SchemaVersion != TapeSchema {
		return &emu.Error{
			Code:    CodeTapeVersion,
			Message: fmt.Sprintf("the tape is of version %d, this program reads %d", h.SchemaVersion, TapeSchema),
		}
	}
	return errors.Join(
		within("runId", h.RunID, 1, maxHeaderID),
		natural("groupCommitMs", h.GroupCommitMS),
		digest("bootSha256", h.BootSHA256),
		digest("identity.moduleSha256", h.Identity.ModuleSHA256),
		digest("identity.romSha256", h.Identity.ROMSHA256),
	)
}

func (r TapeRun) validate() error {
	if r.Keys&^emu.KeysAll != 0 {
		return fmt.Errorf("keys: %d are none of the machine's", r.Keys)
	}
	if r.Frames < 1 || r.Frames > MaxTapeSpan {
		return fmt.Errorf("frames: %d must be 1 to %d", r.Frames, MaxTapeSpan)
	}
	return nil
}

func (l TapeLoad) validate() error {
	switch l.Source {
	case TapeFromBoot, TapeFromElsewhere:
		if l.Name != "" {
			return errors.New("name: must be empty")
		}
	case TapeFromPin, TapeFromCheckpoint:
		if err := within("name", l.Name, 1, maxHeaderID); err != nil {
			return err
		}
	default:
		return fmt.Errorf("source: %q is none", emu.Clip(emu.Clean(l.Source), maxReason))
	}
	return digest("stateSha256", l.StateSHA256)
}

func (s TapeSave) validate() error { return digest("stateSha256", s.StateSHA256) }

func (s TapeSteer) validate() error {
	return errors.Join(within("command", s.Command, 1, maxSteerCommand), within("text", s.Text, 0, MaxTapeText))
}

func (m TapeMark) validate() error {
	switch m.Kind {
	case TapeKindBorder:
		if m.Turn == nil || *m.Turn < 0 {
			return errors.New("turn: missing or negative")
		}
	case TapeKindDigest, TapeKindEnd:
		if m.Turn != nil {
			return errors.New("turn: only a border has one")
		}
	default:
		return fmt.Errorf("kind: %q is no mark", emu.Clip(emu.Clean(m.Kind), maxReason))
	}
	if m.PictureSHA256 != nil {
		if err := digest("pictureSha256", *m.PictureSHA256); err != nil {
			return err
		}
	}
	return digest("ramSha256", m.RAMSHA256)
}

func digest(name string, d emu.Digest) error {
	if !d.Valid() {
		return fmt.Errorf("%s: not a SHA-256", name)
	}
	return nil
}
