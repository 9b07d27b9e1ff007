package pins

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"clankie/emu"
	"clankie/fixtures"
)

// Cartridge names the project's own cartridge where a game is chosen, and the
// folder of its named starts.
const Cartridge = "bramble-lane"

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// CheckID reports why id can name no game of an operator's: it would name a
// folder, a journey and a scenario.
func CheckID(id string) error {
	if err := checkName(id); err != nil {
		return err
	}
	if id == Cartridge || slices.Contains(fixtures.List(), id) {
		return fmt.Errorf("%q is the project's own cartridge; choose another id", id)
	}
	return nil
}

// checkName reports why name can name no folder. What matches is no path.
func checkName(name string) error {
	if !idPattern.MatchString(name) {
		return fmt.Errorf("%q is no name for a pin: 1 to 40 of a-z, 0-9 and -, not beginning with -", emu.Clean(name))
	}
	return nil
}

// FileSlot is the folder of the named starts of a game that is played from
// three files. The dot keeps it apart from every id.
func FileSlot(rom emu.Digest) string { return "rom." + rom.Short() }

var fileSlot = regexp.MustCompile(`^rom\.[0-9a-f]{12}$`)

func checkSlot(slot string) error {
	if fileSlot.MatchString(slot) {
		return nil
	}
	return checkName(slot)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
