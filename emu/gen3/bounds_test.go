package gen3

import (
	"math"
	"slices"
	"testing"
	"unicode"

	"clankie/emu"
	"clankie/emu/route"
)

var ailments = []string{"", "sleep", "poison", "burn", "freeze", "paralysis", "toxic"}

// checkState asserts the ranges that a state documents, whatever memory it was
// decoded from.
func checkState(t testing.TB, st *emu.State, p *Profile) {
	t.Helper()
	if p == nil {
		p = Screen
	}
	within := func(what string, v, low, high int) {
		t.Helper()
		if v < low || v > high {
			t.Errorf("%s is %d, outside %d..%d", what, v, low, high)
		}
	}
	printable := func(what, s string) {
		t.Helper()
		for _, r := range s {
			if !unicode.IsPrint(r) && r != unicode.ReplacementChar {
				t.Errorf("%s holds the unprintable %U", what, r)
			}
		}
	}
	oneOf := func(what, s string, of []string) {
		t.Helper()
		if !slices.Contains(of, s) {
			t.Errorf("%s is %q, not one of %q", what, s, of)
		}
	}
	each := func(what string, s emu.Stats, most int) {
		t.Helper()
		for _, v := range []int{s.HP, s.Attack, s.Defense, s.Speed, s.SpAttack, s.SpDefense} {
			within(what, v, 0, most)
		}
	}
	absent := func(part string, missing bool) {
		t.Helper()
		if missing && st.Undecoded[part] == "" {
			t.Errorf("%s is absent without a reason", part)
		}
	}
	absent(partOverworld, st.Overworld == nil)
	absent(partParty, st.Party == nil)
	absent(partInventory, st.Inventory == nil)
	absent(partBattle, st.Battle == nil)
	absent(partDialog, st.Dialog == nil)
	absent(partMenu, st.Menu == nil)
	absent(partNaming, st.Naming == nil)
	absent(partTrainer, st.Trainer == nil)

	if o := st.Overworld; o != nil {
		within("x", o.Position.X, 0, coordMax)
		within("y", o.Position.Y, 0, coordMax)
		within("elevation", o.Elevation, 0, 15)
		printable("map name", o.MapName)
		for _, oc := range o.Occupants {
			within("occupant x", oc.X, coordMin, coordMax)
			within("occupant id", oc.LocalID, 0, 255)
		}
		if o.Grid != nil {
			within("cells", len(o.Grid.Blocks), o.Grid.Width*o.Grid.Height, liveMapCellsMax)
			for _, c := range o.Grid.All() {
				within("metatile", int(c.MetatileID), 0, 1023)
				within("cell elevation", int(c.Elevation), 0, 15)
				within("collision", int(c.Collision), 0, 3)
			}
		}
		if o.Minimap != nil {
			within("minimap rows", len(o.Minimap.Rows), 1, 25)
			for _, r := range o.Minimap.Rows {
				within("minimap columns", len(r), 1, 25)
			}
		}
		for _, d := range emu.Directions {
			route.Step(o, emu.Point{X: o.Position.X, Y: o.Position.Y}, d)
		}
	}
	if st.Party != nil {
		within("active slot", st.Party.ActiveSlot, 0, 5)
		within("party size", len(st.Party.Members), 0, 6)
		for i, c := range st.Party.Members {
			within("slot", c.Slot, i, i)
			printable("nickname", c.Nickname)
			if c.BadEgg || c.Egg {
				within("hidden species", c.Species, 0, 0)
				within("hidden moves", len(c.Moves), 0, 0)
				continue
			}
			within("species", c.Species, 1, p.Layout.SpeciesMax)
			within("level", c.Level, 1, 100)
			within("max hp", c.MaxHP, 1, 9999)
			within("hp", c.HP, 0, c.MaxHP)
			within("moves", len(c.Moves), 4, 4)
			within("nature", c.Nature, 0, 24)
			within("ability slot", c.AbilitySlot, 0, 1)
			within("held item", c.HeldItem, 0, 1<<16-1)
			within("friendship", c.Friendship, 0, 255)
			within("experience", c.Experience, 0, math.MaxUint32)
			within("experience missing", c.ToNextLevel, 0, 1_640_000)
			each("iv", c.IVs, 31)
			each("ev", c.EVs, 255)
			oneOf("ailment", c.Ailment, ailments)
			for _, m := range c.Moves {
				within("move", m.ID, 0, 354)
			}
		}
	}
	if st.Inventory != nil {
		within("stacks", len(st.Inventory.Items), 0, 186)
		for _, it := range st.Inventory.Items {
			within("item", it.ID, 1, p.Layout.ItemMax)
			within("count", it.Count, 1, 999)
			printable("item name", it.Name)
		}
	}
	if b := st.Battle; b != nil {
		oneOf("kind", b.Kind, []string{"wild", "trainer", "two trainers", "double", "multi", "link", "safari", "tutorial"})
		within("outcome", b.Outcome, 0, 10)
		within("active slot", b.ActivePartySlot, 0, 5)
		within("action cursor", b.ActionCursor, 0, 3)
		within("move cursor", b.MoveCursor, 0, 3)
		within("battlers", len(b.Battlers), 1, 4)
		within("legal moves", len(b.LegalMoves), 0, 4)
		for _, m := range b.Battlers {
			within("species", m.Species, 1, 411)
			within("level", m.Level, 1, 100)
			within("hp", m.HP, 0, m.MaxHP)
			within("battler slot", m.Slot, 0, 5)
			for _, s := range m.StatStages {
				within("stage", s, 0, 12)
			}
			within("battler moves", len(m.Moves), 4, 4)
			oneOf("ailment", m.Ailment, ailments)
			oneOf("side", m.Side, []string{"player", "opponent"})
			oneOf("prompt", string(m.Prompt), []string{"resolving", "action", "move", "target"})
			for _, up := range m.Matchups {
				within("target", up.Target, 0, 3)
				for _, v := range up.Moves {
					within("effectiveness", int(v), 0, 4)
				}
			}
		}
		for _, m := range b.LegalMoves {
			within("legal slot", m.Slot, 0, 3)
		}
	}
	if dlg := st.Dialog; dlg != nil {
		within("lines", len(dlg.Lines), 0, maxLines)
		for _, l := range dlg.Lines {
			within("line length", len([]rune(l)), 1, maxLineRunes)
			printable("line", l)
		}
	}
	if m := st.Menu; m != nil {
		within("entries", len(m.Entries), 1, menuEntriesMax)
		within("cursor", m.Cursor, 0, len(m.Entries)-1)
		within("columns", m.Columns, 0, len(m.Entries))
		for _, e := range m.Entries {
			within("id length", len(e.ID), 1, 128)
			within("label length", len(e.Label), 1, 256)
			printable("label", e.Label)
		}
	}
	if s := st.Storage; s != nil {
		checkStorage(t, s, p)
	}
	if c := st.Trainer; c != nil {
		printable("trainer's name", c.Name)
		printable("rival's name", c.RivalName)
		within("gender", c.Gender, 0, 1)
		within("public id", c.PublicID, 0, 65535)
		within("secret id", c.SecretID, 0, 65535)
		within("money", c.Money, 0, math.MaxUint32)
		within("coins", c.Coins, 0, 65535)
		within("hours", c.PlayTime.Hours, 0, 65535)
		within("minutes", c.PlayTime.Minutes, 0, 255)
		within("seconds", c.PlayTime.Seconds, 0, 255)
		within("owned", c.DexOwned, 0, 386)
		within("seen", c.DexSeen, 0, 386)
	}
	if n := st.Naming; n != nil {
		within("column", n.Column, 0, 8)
		within("row", n.Row, 0, 3)
		within("template", n.Template, 0, 4)
		within("limit", n.Limit, 0, 16)
		printable("typed text", n.Text)
	}
}

// checkStorage asserts the ranges that the storage documents.
func checkStorage(t testing.TB, s *emu.Storage, p *Profile) {
	t.Helper()
	within := func(what string, v, low, high int) {
		t.Helper()
		if v < low || v > high {
			t.Errorf("%s is %d, outside %d..%d", what, v, low, high)
		}
	}
	within("boxes", len(s.Boxes), boxCount, boxCount)
	within("current box", s.Current, 0, boxCount-1)
	within("bad checksums", s.BadChecksums, 0, s.Count)
	count := 0
	for _, b := range s.Boxes {
		last := -1
		for _, m := range b.Members {
			within("place", m.Slot, last+1, boxSlots-1)
			within("species", m.Species, 0, p.Layout.SpeciesMax)
			within("level", m.Level, 0, 100)
			if (m.Egg || m.BadEgg) && m.Species != 0 {
				t.Errorf("an egg tells its species %d", m.Species)
			}
			last = m.Slot
			count++
		}
	}
	within("creatures", s.Count, count, count)
	if c := s.Cursor; c != nil {
		most, known := map[string]int{"box": 29, "party": 6, "title": 0, "buttons": 1}[c.Area]
		if !known {
			t.Errorf("the cursor is in %q", c.Area)
		}
		within("cursor", c.Slot, 0, most)
	}
}
