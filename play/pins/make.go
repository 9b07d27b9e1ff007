package pins

import (
	"context"
	"fmt"

	"clankie/emu"
)

// Request is what an operator asks to be pinned.
type Request struct {
	ID        string
	ROMPath   string // absolute
	ROM       []byte
	Savestate []byte // of any container; nil for power-on
}

// Make verifies a game and describes it. core holds the cartridge and has just
// been powered on. Nothing is written; Shelf.Add does that.
func Make(ctx context.Context, core emu.Core, r Request) (Game, Described, error) {
	if err := CheckID(r.ID); err != nil {
		return Game{}, Described{}, err
	}
	header, err := emu.ReadROMHeader(r.ROM)
	if err != nil {
		return Game{}, Described{}, fmt.Errorf("ROM %s: %w", r.ROMPath, err)
	}
	start, err := Verify(ctx, core, r.Savestate)
	if err != nil {
		return Game{}, Described{}, err
	}
	d, err := Describe(Subject{
		ScenarioID: r.ID, SavestateID: r.ID + ":start", WorldID: r.ID,
		Identity: core.Identity(), ROM: r.ROM, State: start.State,
	})
	if err != nil {
		return Game{}, Described{}, err
	}
	g := Game{
		Record: Record{
			SchemaVersion: recordSchema, ID: r.ID, ROMPath: r.ROMPath, ROMBytes: int64(len(r.ROM)),
			ROMSHA256: emu.DigestOf(r.ROM), GameCode: header.GameCode, Revision: header.Revision,
			Title: header.Title, Source: start.Source, Battery: start.Battery,
		},
		Scenario: d.Scenario, ROM: r.ROM, State: start.State,
	}
	return g, d, nil
}
