package scenario

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"clankie/emu"
	"clankie/emu/double"
	"clankie/fixtures"
)

// real lists the embedded scenarios of the real core that are played here:
// those that begin where something can be decided by. A title shows none.
var real = []string{"bramble-bedroom", "bramble-before-rival"}

// List names the embedded scenarios, sorted.
func List() []string {
	ids := append(fixtures.DoubleIDs(), real...)
	slices.Sort(ids)
	return ids
}

// Load returns an embedded scenario.
func Load(id string) (Plan, error) {
	switch {
	case slices.Contains(real, id):
		f, err := fixtures.Load(id)
		if err != nil {
			return Plan{}, err
		}
		return ParsePlan(f.Scenario.JSON)
	case slices.Contains(fixtures.DoubleIDs(), id):
		return loadDouble(id)
	}
	return Plan{}, fmt.Errorf("there is no scenario %q; there is %s", emu.Clean(id), strings.Join(List(), ", "))
}

func loadDouble(id string) (Plan, error) {
	s, digest, err := double.Load(fixtures.Double(), id)
	if err != nil {
		return Plan{}, err
	}
	data, err := fs.ReadFile(fixtures.Double(), id+"/scenario.json")
	return Plan{Double: &s, JSON: data, Fixture: digest}, err
}

// BootDouble boots the plan's double. The double has to be asked for by name:
// a plan of the real core has none.
func (p Plan) BootDouble() (emu.Body, error) {
	if p.Double == nil {
		return nil, fmt.Errorf("scenario: %s is for the real core", p.ID())
	}
	return double.New(*p.Double, p.Fixture)
}
