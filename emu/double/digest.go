package double

import (
	"fmt"

	"clankie/emu"
)

// hashed is the state that digests are taken over: exactly these members.
type hashed struct {
	Mode            string        `json:"mode"`
	Position        emu.Position  `json:"position"`
	Facing          emu.Direction `json:"facing"`
	DialogLineIndex int           `json:"dialogLineIndex"`
	DialogLines     []string      `json:"dialogLines"`
	Menu            *menu         `json:"menu"`
	Inventory       []item        `json:"inventory"`
	Party           []member      `json:"party"`
	ActivePartySlot int           `json:"activePartySlot"`
	Battle          *battle       `json:"battle"`
	Frame           uint64        `json:"frame"`
	InputCount      uint64        `json:"inputCount"`
}

// canonical returns the bytes that both digests of this frame are made of.
func (m *machine) canonical() []byte {
	data, err := emu.CanonicalJSON(hashed{
		Mode: m.mode, Position: m.position(), Facing: m.facing, DialogLineIndex: m.line, DialogLines: m.lines,
		Menu: m.menu, Inventory: m.items, Party: m.party, ActivePartySlot: m.active, Battle: m.battle,
		Frame: m.frame, InputCount: m.inputs,
	})
	if err != nil {
		// Every member is a plain value out of a validated scenario.
		panic("double: " + err.Error())
	}
	return data
}

func ramDigest(state []byte) emu.Digest {
	return emu.DigestOf([]byte("gba-ram:"), state)
}

func pictureDigest(frame uint64, state []byte) emu.Digest {
	return emu.DigestOf(fmt.Appendf(nil, "gba-framebuffer:%d:", frame), state)
}

func (m *machine) position() emu.Position {
	return emu.Position{MapID: m.scenario.Map.MapID, X: m.at.X, Y: m.at.Y}
}
