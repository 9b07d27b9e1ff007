package doctor

import (
	"fmt"
	"strings"

	"clankie/emu"
	"clankie/play/pins"
)

// Pins looks at every pinned game and every pinned start. playing is the game
// that plays, which is looked at more closely elsewhere.
func Pins(shelf *pins.Shelf, playing string) []Check {
	slots, err := shelf.Slots()
	if err != nil {
		return []Check{{Name: "pins", Status: Problem, Found: shelf.Folder(""), Missing: err.Error()}}
	}
	var checks []Check
	games := 0
	for _, slot := range slots {
		if pins.CheckID(slot) == nil {
			games++
		}
		checks = append(checks, pinned(shelf, slot, playing))
	}
	if games == 0 {
		checks = append(checks, Check{Name: "pins", Status: OK, Found: "no game of your own is pinned; clankie pin does that"})
	}
	return checks
}

func pinned(shelf *pins.Shelf, slot, playing string) Check {
	c := pinnedGame(shelf, slot)
	if c.Status == Problem && slot == playing {
		c.Status = Fatal
	}
	names, err := shelf.StartNames(slot)
	if err != nil && c.Status == OK {
		c.Status, c.Missing = Problem, err.Error()
	}
	if len(names) > 0 {
		c.Found += "; pins to restart from: " + strings.Join(names, ", ")
	}
	var bad damage
	for _, name := range names {
		if err := shelf.CheckStart(slot, name); err != nil {
			bad.add("pin "+name, err.Error())
		}
	}
	return bad.tell(c, fmt.Sprintf("the game plays without; clankie pin remove %s --pin NAME --confirm NAME takes one away", slot))
}

// pinnedGame looks at a game without its starts. The project's own is always
// there, and one that is played from three files is not here.
func pinnedGame(shelf *pins.Shelf, slot string) Check {
	c := Check{Name: "pin " + slot, Status: OK}
	if slot == pins.Cartridge {
		c.Found = "the project's own cartridge"
		return c
	}
	if pins.CheckID(slot) != nil {
		c.Found = "a game that is played from three files"
		return c
	}
	g, err := shelf.Game(slot)
	if err != nil {
		c.Status, c.Found, c.Missing = Problem, shelf.Folder(slot), err.Error()
		c.Mend = "put the file back; a cartridge image that lies elsewhere now: clankie pin --rom FILE --id " + slot +
			"; to forget it: clankie pin remove " + slot
		return c
	}
	c.Found = fmt.Sprintf("%s, ROM %s", emu.Clean(or(g.Title, g.GameCode)), g.ROMSHA256.Short())
	return c
}
