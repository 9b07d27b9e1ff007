package play

import (
	"context"

	"clankie/emu"
)

// FreePlayCheckpointPort is where the three actions that concern time itself
// go: save_checkpoint, load_checkpoint and restart_game, whether a mind
// decides them or the operator asks. It lives outside the catalogue of
// actions; a sitting without a port refuses them truthfully.
//
// The sitting calls it from its own goroutine only, but for List and Picture:
// those only read, and are called from any goroutine at any time.
type FreePlayCheckpointPort interface {
	// List returns every save of the store, newest first, those that cannot
	// be loaded here included and marked.
	List(ctx context.Context) ([]SaveEntry, error)

	// Save mints a new save of the present. It never overwrites one.
	Save(ctx context.Context, r SaveRequest) (Saved, error)

	// Load verifies the save wholly, banks the present as bank says, and only
	// then restores. A refused load banks nothing and changes nothing.
	Load(ctx context.Context, id string, bank SaveRequest) (Rewound, error)

	// Restart banks the present and restores the boot savestate, or the
	// pinned savestate that pin names.
	Restart(ctx context.Context, pin string, bank SaveRequest) (Rewound, error)

	// Branch banks the present as bank says, makes a save of the machine at an
	// earlier turn, a child of the save it was reached from, and restores it.
	// Saves of the future that is left stay what they are.
	Branch(ctx context.Context, from PastTurn, bank SaveRequest) (Rewound, error)

	// Pins names the pinned savestates that Restart takes, sorted.
	Pins() []string

	// Pin keeps the present under a name that is free, for this sitting and
	// later ones. It changes nothing else.
	Pin(ctx context.Context, name string, picture emu.Picture) (Pinned, error)

	// Delete removes exactly one validated save for good. confirm must spell
	// its id.
	Delete(ctx context.Context, id, confirm string) error

	// Picture returns the picture kept with a save.
	Picture(ctx context.Context, id string) (emu.Picture, error)
}

// SaveReason says why a save was minted.
type SaveReason string

// The reasons.
const (
	ReasonExplicit     SaveReason = "explicit"
	ReasonAutosave     SaveReason = "autosave"
	ReasonBeforeRewind SaveReason = "before-rewind"
	ReasonStop         SaveReason = "stop"
	ReasonOperator     SaveReason = "operator"
)

// Labels of the saves that the loop mints by itself.
const (
	LabelAutosave     = "autosave"
	LabelBeforeRewind = "before-rewind"
	LabelStop         = "asked-play"
)

// SaveRequest is what a save carries beside the machine's state: the mind as
// it is this very turn, and where the player stands.
type SaveRequest struct {
	Label     string // may be empty
	Reason    SaveReason
	Position  *emu.Position
	Place     string // readable name of the place, may be empty
	Notes     string
	Objective string
	Turn      int
	Picture   emu.Picture // of the state that is saved
}

// Saved is a minted save.
type Saved struct {
	Entry     SaveEntry
	RAMSHA256 emu.Digest // of the machine when it was saved
}

// Pinned is the present as it was pinned.
type Pinned struct {
	StateSHA256 emu.Digest
	RAMSHA256   emu.Digest
}

// Rewound is what a load or restart did. With an error beside it, Moved still
// says whether the machine stands elsewhere now.
type Rewound struct {
	Bank      Saved // the present that was left
	Moved     bool  // the machine stands at what was asked for
	Restored  *SaveEntry
	Pin       string // for a restart: the pin, "" for the boot savestate
	RAMSHA256 emu.Digest
	Warning   string // what failed after the machine had moved, "" when nothing did
}
