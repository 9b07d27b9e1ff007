package emu

import "fmt"

func observeParty(in ObservationInput) (PartyData, *Error) {
	p := in.State.Party
	if p == nil {
		return PartyData{}, undecoded(in, "party")
	}
	if !within(p.ActiveSlot, 0, maxPartyMembers-1) || len(p.Members) > maxPartyMembers {
		return PartyData{}, refuse(CodePartyCorrupt, "the party's size or active slot is out of bounds")
	}
	data := PartyData{ActiveSlot: p.ActiveSlot, Members: make([]PartyMember, 0, len(p.Members))}
	for _, c := range p.Members {
		// An egg cannot be told without its species, and a bad egg has none.
		if c.Egg || c.BadEgg {
			continue
		}
		if !validMember(c) {
			return PartyData{}, refuse(CodePartyCorrupt, fmt.Sprintf("the member in slot %d is out of bounds", c.Slot))
		}
		data.Members = append(data.Members, strictMember(c))
	}
	return data, nil
}

func validMember(c Creature) bool {
	return within(c.Slot, 0, maxPartyMembers-1) && validID(c.SpeciesID) && validVitals(c.Level, c.HP, c.MaxHP)
}

func validVitals(level, hp, maxOfHP int) bool {
	return within(level, 1, 100) && within(maxOfHP, 1, maxHP) && within(hp, 0, maxOfHP)
}

func strictMember(c Creature) PartyMember {
	status := "healthy"
	if c.Fainted() {
		status = "fainted"
	}
	return PartyMember{
		Slot: c.Slot, SpeciesID: c.SpeciesID, Level: c.Level,
		CurrentHP: c.HP, MaxHP: c.MaxHP, Status: status,
	}
}

var pockets = map[string]bool{"items": true, "key-items": true, "poke-balls": true, "tm-hm": true, "berries": true}

func observeInventory(in ObservationInput) (InventoryData, *Error) {
	inv := in.State.Inventory
	if inv == nil {
		return InventoryData{}, undecoded(in, "inventory")
	}
	if len(inv.Items) > maxItems {
		return InventoryData{}, refuse(CodeSemanticUnavailable, "the bag holds more stacks than it can")
	}
	data := InventoryData{Items: make([]InventoryItem, 0, len(inv.Items))}
	for _, it := range inv.Items {
		if !pockets[it.Pocket] || !validID(it.ItemID) || !within(it.Count, 1, maxItemCount) {
			return InventoryData{}, refuse(CodeSemanticUnavailable, fmt.Sprintf("a stack in the bag is out of bounds: %d of %q", it.Count, Clean(it.ItemID)))
		}
		data.Items = append(data.Items, InventoryItem{Pocket: it.Pocket, ItemID: it.ItemID, Count: it.Count})
	}
	return data, nil
}
