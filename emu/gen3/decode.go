package gen3

import "clankie/emu"

// Part names, as State.Undecoded uses them.
const (
	partOverworld = "overworld"
	partParty     = "party"
	partInventory = "inventory"
	partBattle    = "battle"
	partDialog    = "dialog"
	partMenu      = "menu"
	partNaming    = "naming"
	partTrainer   = "trainer"
	partMap       = "map"
	partOccupants = "occupants"
	partExits     = "exits"
	partTables    = "tables"
)

// wholeParts are the parts of a state that are pointers in it.
var wholeParts = [...]string{
	partOverworld, partParty, partInventory, partBattle, partDialog, partMenu, partNaming, partTrainer,
}

// decoder is one decode: the memory, the profile and the state being made.
type decoder struct {
	mem emu.Memory
	p   *Profile
	st  emu.State
	now moment

	save1, save2 uint32 // where the save blocks are; 0 when they are not
	tables       Tables // the profile's, without those that the cartridge does not have there
}

// Decode reads one frame's memory. It never fails: what cannot be read is
// absent in the state, which says why.
func Decode(mem emu.Memory, p *Profile) emu.State {
	if !p.Decodes() {
		return nothing("this game is not decoded")
	}
	if len(mem.EWRAM) < emu.EWRAMBytes || len(mem.IWRAM) < emu.IWRAMBytes {
		return nothing("the machine's memory is not all there")
	}
	d := newDecoder(mem, p)
	d.now = d.readMoment()
	if d.now.role == roleOpening {
		st := nothing("no game is running yet")
		st.Scene.Screen = d.now.screen
		return st
	}
	d.decodePossessions()
	d.decodeScreen()
	d.decodeScene()
	return d.st
}

func newDecoder(mem emu.Memory, p *Profile) *decoder {
	d := &decoder{mem: mem, p: p}
	d.st.Undecoded = make(map[string]string, len(wholeParts))
	d.save1 = d.saveBlock(p.RAM.SaveBlock1, p.RAM.SaveBlock1Ptr, p.Layout.Save1Bytes)
	d.save2 = d.saveBlock(p.RAM.SaveBlock2, p.RAM.SaveBlock2Ptr, p.Layout.Save2Bytes)
	d.confirmTables()
	return d
}

// nothing is the state of a machine of which nothing is decoded.
func nothing(reason string) emu.State {
	st := emu.State{
		Scene:     emu.Scene{Mode: emu.ModeUnknown, Screen: "unknown"},
		Undecoded: make(map[string]string, len(wholeParts)),
	}
	for _, part := range wholeParts {
		st.Undecoded[part] = reason
	}
	return st
}

// decodePossessions reads what the player has. It is live on every screen of a
// running game.
func (d *decoder) decodePossessions() {
	d.st.Party = d.party()
	d.st.Inventory = d.inventory()
	d.st.Trainer = d.trainer()
	d.st.Goals = d.goals()
}

// decodeScreen reads what is on screen, each part only while it is live.
func (d *decoder) decodeScreen() {
	if d.battleLive() {
		d.st.Battle = d.battle()
	} else {
		d.absent(partBattle, "no battle is on")
	}
	d.overlayBattle()
	d.st.Overworld = d.overworld()
	d.st.Dialog = d.dialog()
	d.st.Naming = d.naming()
	if d.now.role == roleStorage {
		if s, ok := d.storage(); ok {
			s.Cursor = d.storageCursor()
			d.st.Storage = &s
		}
	}
	d.st.Menu = d.menu()
}

// absent records why a part is not in the state.
func (d *decoder) absent(part, reason string) { d.st.Undecoded[part] = reason }

// torn records the same for a part that the next frames will have.
func (d *decoder) torn(part, reason string) {
	d.absent(part, reason)
	d.st.Torn = true
}
