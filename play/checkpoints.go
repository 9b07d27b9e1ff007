package play

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"clankie/checkpoint"
	"clankie/emu"
	"clankie/journal"
)

// Pin is a pinned savestate that a restart can go to.
type Pin struct {
	State   []byte      // digest-verified; read only
	Picture emu.Picture // of the state; without pixels when there is none
}

// Checkpoints is the FreePlayCheckpointPort over a store of saves and one
// body. All fields but More, Keeper and Tape are required.
type Checkpoints struct {
	Store *checkpoint.Store
	Body  emu.Body
	// Boot is the verified boot savestate, held so that a restart never reads
	// the operator's file again.
	Boot Pin
	// More are the other pinned savestates, by name.
	More map[string]Pin
	// Keeper keeps what is pinned here for later sittings; without one nothing
	// can be pinned.
	Keeper    PinKeeper
	Scenario  []byte // JSON of the booted scenario
	JourneyID string
	RunID     string
	// ResumedFrom is the save that the body goes on from, "" for the boot
	// savestate.
	ResumedFrom string
	// Tape is told what is loaded; nil where none is recorded.
	Tape Tape

	begun bool   // the live timeline was moved to where this sitting goes on from
	tip   string // the save that the present continues, "" for the boot state
}

var _ FreePlayCheckpointPort = (*Checkpoints)(nil)

// List implements FreePlayCheckpointPort.
func (c *Checkpoints) List(ctx context.Context) ([]SaveEntry, error) {
	entries, err := c.Store.List(ctx, c.Body.Info().Identity)
	if err != nil {
		return nil, err
	}
	list := make([]SaveEntry, len(entries))
	for i, e := range entries {
		list[i] = SaveEntryOf(e)
	}
	return list, nil
}

// Pins implements FreePlayCheckpointPort.
func (c *Checkpoints) Pins() []string {
	names := make([]string, 0, len(c.More))
	for name := range c.More {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Save implements FreePlayCheckpointPort.
func (c *Checkpoints) Save(ctx context.Context, r SaveRequest) (Saved, error) {
	state, err := c.Body.CaptureState(ctx)
	if err != nil {
		return Saved{}, fmt.Errorf("capture the state: %w", err)
	}
	ram, err := c.ramDigest(ctx)
	if err != nil {
		return Saved{}, err
	}
	if err := c.begin(ctx); err != nil {
		return Saved{}, err
	}
	frame, _ := c.Body.Counters()
	info := c.Body.Info()
	parent := c.tip
	receipt, err := c.Store.Mint(ctx, checkpoint.MintRequest{
		State: state, Picture: r.Picture, Identity: info.Identity, Scenario: c.Scenario,
		Label: r.Label, Position: r.Position, Continuity: continuityOf(r),
		JourneyID: c.JourneyID, EnvironmentID: info.EnvironmentID,
		Reason: checkpoint.Reason(r.Reason), RunID: c.RunID, Turn: &r.Turn,
		Frame: frame, Profile: info.Profile, Place: r.Place,
		// Not what is newest in the store: another program may play there too.
		Parent: &parent,
	})
	if err != nil {
		return Saved{}, err
	}
	if r.Reason != ReasonBeforeRewind {
		c.tip = receipt.CheckpointID
	}
	details, err := c.Store.Get(ctx, receipt.CheckpointID, info.Identity)
	if err != nil {
		return Saved{}, fmt.Errorf("read the new save back: %w", err)
	}
	return Saved{Entry: SaveEntryOf(details.Entry), RAMSHA256: ram}, nil
}

// begin tells the store, before the first save and not earlier, where this
// sitting goes on from: somebody who looked on and left has changed nothing.
// Where that save was deleted meanwhile, the store has it from its parent on.
func (c *Checkpoints) begin(ctx context.Context) error {
	if c.begun {
		return nil
	}
	err := c.Store.SetLive(ctx, c.JourneyID, c.ResumedFrom)
	if err != nil && emu.CodeOf(err) != checkpoint.CodeNotFound {
		return fmt.Errorf("begin the timeline: %w", err)
	}
	c.begun, c.tip = true, c.ResumedFrom
	return nil
}

func continuityOf(r SaveRequest) *checkpoint.Continuity {
	if r.Notes == "" && r.Objective == "" {
		return nil
	}
	c := &checkpoint.Continuity{}
	if r.Notes != "" {
		c.Notes = &r.Notes
	}
	if r.Objective != "" {
		c.Objective = &r.Objective
	}
	return c
}

// Load implements FreePlayCheckpointPort.
func (c *Checkpoints) Load(ctx context.Context, id string, bank SaveRequest) (Rewound, error) {
	loaded, err := c.Store.Read(ctx, id, c.Body.Info().Identity)
	if err != nil {
		return Rewound{}, err
	}
	details, err := c.Store.Get(ctx, id, c.Body.Info().Identity)
	if err != nil {
		return Rewound{}, err
	}
	pin := Pin{State: loaded.State}
	if loaded.Picture != nil {
		pin.Picture = *loaded.Picture
	}
	entry := SaveEntryOf(details.Entry)
	r, err := c.rewind(ctx, pin, id, "", bank)
	r.Restored = &entry
	return r, err
}

// Restart implements FreePlayCheckpointPort.
func (c *Checkpoints) Restart(ctx context.Context, name string, bank SaveRequest) (Rewound, error) {
	pin := c.Boot
	if name != "" {
		var ok bool
		if name, pin, ok = c.pinNamed(name); !ok {
			return Rewound{}, fmt.Errorf("there is no pin %q; there is %s", emu.Clean(name), c.pinList())
		}
	}
	r, err := c.rewind(ctx, pin, "", name, bank)
	r.Pin = name
	return r, err
}

// pinNamed finds a pin by its name, or by the name of a scenario of the game,
// which begins with the game's own: "before-rival" is "bramble-before-rival",
// too.
func (c *Checkpoints) pinNamed(name string) (found string, pin Pin, ok bool) {
	if pin, ok = c.More[name]; ok {
		return name, pin, true
	}
	game, _, _ := strings.Cut(c.Body.Info().EnvironmentID, "-")
	if short, is := strings.CutPrefix(name, game+"-"); is {
		if pin, ok = c.More[short]; ok {
			return short, pin, true
		}
	}
	return name, Pin{}, false
}

func (c *Checkpoints) pinList() string {
	if names := c.Pins(); len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return "none beside the beginning"
}

// rewind banks the present, restores pin and moves the live timeline to id.
// A bank that fails leaves everything as it was; a restore that fails leaves
// the machine as it was and one save more.
func (c *Checkpoints) rewind(ctx context.Context, pin Pin, id, pinName string, bank SaveRequest) (Rewound, error) {
	saved, err := c.bank(ctx, bank)
	if err != nil {
		return Rewound{}, err
	}
	r := Rewound{Bank: saved}
	if err := c.restore(ctx, pin, id, pinName); err != nil {
		return r, nothingLoaded(saved, err)
	}
	return c.goneBack(ctx, r, id)
}

// nothingLoaded is why a rewind failed after the present was kept.
func nothingLoaded(bank Saved, cause error) error {
	return fmt.Errorf("nothing was loaded (the present is kept as %s): %w", bank.Entry.ID, cause)
}

// bank keeps the present. Where nothing has run since a save was resumed, that
// save is the present already.
func (c *Checkpoints) bank(ctx context.Context, request SaveRequest) (Saved, error) {
	frames, _ := c.Body.Counters()
	if frames == 0 && c.ResumedFrom != "" && !c.begun {
		details, err := c.Store.Get(ctx, c.ResumedFrom, c.Body.Info().Identity)
		if err == nil && details.Verified {
			return Saved{Entry: SaveEntryOf(details.Entry)}, nil
		}
	}
	saved, err := c.Save(ctx, request)
	if err != nil {
		return Saved{}, fmt.Errorf("nothing was loaded, because the present could not be kept: %w", err)
	}
	return saved, nil
}

// restore puts the machine at pin. When it fails the machine is as it was.
func (c *Checkpoints) restore(ctx context.Context, pin Pin, id, pinName string) error {
	if c.Tape != nil {
		c.Tape.Loading(id, pinName)
	}
	return c.Body.RestoreState(ctx, pin.State, pin.Picture.Pix)
}

// goneBack moves the live timeline after the machine has moved. What fails
// here is told and changes nothing of where the machine stands.
func (c *Checkpoints) goneBack(ctx context.Context, r Rewound, id string) (Rewound, error) {
	r.Moved, c.begun, c.tip = true, true, id
	if err := c.Store.SetLive(ctx, c.JourneyID, id); err != nil {
		r.Warning = fmt.Sprintf("loaded, but a restart of the program may not find its way back here: %v", err)
	}
	var err error
	r.RAMSHA256, err = c.ramDigest(ctx)
	return r, err
}

func (c *Checkpoints) ramDigest(ctx context.Context) (emu.Digest, error) {
	o, err := c.Body.Observe(ctx)
	if err != nil {
		return "", fmt.Errorf("observe: %w", err)
	}
	return o.RAM(), nil
}

// Delete implements FreePlayCheckpointPort.
func (c *Checkpoints) Delete(ctx context.Context, id, confirm string) error {
	return c.Store.Delete(ctx, id, confirm)
}

// Picture implements FreePlayCheckpointPort.
func (c *Checkpoints) Picture(ctx context.Context, id string) (emu.Picture, error) {
	details, err := c.Store.Get(ctx, id, c.Body.Info().Identity)
	if err != nil {
		return emu.Picture{}, err
	}
	if details.Picture == nil {
		return emu.Picture{}, fmt.Errorf("no picture was kept with %s", id)
	}
	return *details.Picture, nil
}

// SaveEntryOf makes an entry of a store ready to be shown.
func SaveEntryOf(e checkpoint.Entry) SaveEntry {
	out := SaveEntry{
		ID: e.ID, Health: SaveHealth(e.Health), HealthNote: emu.Clean(e.Reason),
		Stray: e.Stray(), Bytes: e.Bytes, Sequence: int(e.Sequence()), Place: "unknown",
	}
	if out.HealthNote == "" && e.LineageProblem != "" {
		out.HealthNote = emu.Clean(strings.TrimPrefix(e.LineageProblem, checkpoint.CodeLineageUnreadable+": "))
	}
	if r := e.Receipt; r != nil {
		fromReceipt(&out, *r)
	}
	if l := e.Lineage; l != nil {
		out.Reason, out.Parent, out.Turn = string(l.Reason), l.Parent(), l.Turn
		if l.RunID != nil {
			out.RunID = emu.Clean(*l.RunID)
		}
		if l.Place != "" && out.Position != nil {
			out.Place = placeText(l.Place, *out.Position)
		}
	}
	return out
}

func fromReceipt(out *SaveEntry, r checkpoint.Receipt) {
	out.Label, out.Journey = emu.Clean(r.LabelText()), emu.Clean(r.Journey())
	out.ROMSHA256, out.CoreSHA256, out.StateSHA = r.ROMSHA256, r.CoreWasmSHA256, r.SavestateSHA256
	out.Game = journal.Named(GameName(r.Environment(), r.ROMSHA256), r.Journey())
	// A moment that does not parse stays zero and is shown as unknown.
	out.CapturedAt, _ = time.Parse(time.RFC3339Nano, r.CapturedAt)
	if r.Position != nil {
		at := *r.Position
		at.MapID = emu.Clean(at.MapID)
		out.Position, out.MapID, out.Place = &at, at.MapID, placeText(at.MapID, at)
	}
	if c := r.Continuity; c != nil {
		if c.Notes != nil {
			out.Notes = emu.Clean(*c.Notes)
		}
		if c.Objective != nil {
			out.Objective = emu.Clean(*c.Objective)
		}
	}
}

func placeText(place string, at emu.Position) string {
	return fmt.Sprintf("%s (%d,%d)", emu.Clean(place), at.X, at.Y)
}

var gameNames = map[string]string{
	"bramble-lane":      "Bramble Lane",
	"pokemon-firered":   "FireRed",
	"pokemon-leafgreen": "LeafGreen",
	"pokemon-emerald":   "Emerald",
	"pokemon-ruby":      "Ruby",
	"pokemon-sapphire":  "Sapphire",
}

// GameName is the readable name of an environment, or the cartridge's digest
// where the save does not say.
func GameName(environmentID string, rom emu.Digest) string {
	if name, ok := gameNames[environmentID]; ok {
		return name
	}
	if environmentID != "" {
		return emu.Clean(environmentID)
	}
	return "ROM " + string(rom[:min(8, len(rom))])
}
